package quick

import (
	"reflect"
	"unsafe"
)

// entry is an entry of a map of simple keys and elements.
type entry[V basic] struct {
	get   func(*frame) V
	set   func(*frame, V)
	key   *node
	alone bool // the key calls nothing
}

// mapEntry is m[k] with a variable m; nil where it is not known here.
func mapEntry[V basic](f *fn, n *node) *entry[V] {
	if n.kind != indexExpr || len(n.child) != 2 || n.child[0].kind != identExpr || n.child[0].rval.IsValid() {
		return nil
	}
	switch f.exprType(n.child[0]) {
	case reflect.TypeFor[map[int]V]():
		return entryOf[int, V](f, n)
	case reflect.TypeFor[map[string]V]():
		return entryOf[string, V](f, n)
	case reflect.TypeFor[map[int64]V]():
		return entryOf[int64, V](f, n)
	case reflect.TypeFor[map[int32]V]():
		return entryOf[int32, V](f, n)
	case reflect.TypeFor[map[uint8]V]():
		return entryOf[uint8, V](f, n)
	}
	return nil
}

func entryOf[K ordered, V basic](f *fn, n *node) *entry[V] {
	m := n.child[0]
	if m.sym == nil || m.sym.kind != varSym || m.sym.index < 0 {
		return nil
	}
	level, i := m.level, m.sym.index
	if m.sym.global {
		level = globalFrame
	}
	of := func(f *frame) map[K]V {
		f = at(f, level)
		p := f.data[i].UnsafePointer()
		return *(*map[K]V)(unsafe.Pointer(&p))
	}
	k, alone := pure[K](f, n.child[1]), true
	if !k.ok() {
		k, alone = atHand[K](f, n.child[1]), false
	}
	if !k.ok() {
		return nil
	}
	key := k.eval
	e := &entry[V]{key: n.child[1], alone: alone}
	shared := f.q.Shared
	get := func(f *frame) V { return of(f)[key(f)] }
	set := func(f *frame, v V) { k := key(f); of(f)[k] = v }
	sharedGet, sharedSet := shareEntry(f.q, get, set, of)
	e.get = func(f *frame) V {
		if shared.Load() {
			return sharedGet(f)
		}
		return of(f)[key(f)]
	}
	e.set = func(f *frame, v V) {
		if shared.Load() {
			sharedSet(f, v)
			return
		}
		k := key(f)
		of(f)[k] = v
	}
	return e
}

// assignEntry makes a quick step for m[k] = v.
func assignEntry[V basic](f *fn, n, dest, src *node) {
	e := mapEntry[V](f, dest)
	if e == nil {
		return
	}
	v := pure[V](f, src)
	if v.ok() && e.alone {
		f.absorb(src)
		f.absorb(dest)
	} else {
		k := e.key
		if v = atHand[V](f, src); !v.ok() || e.alone && k.kind != identExpr && !k.rval.IsValid() {
			return
		}
	}
	x, set := v.eval, e.set
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			set(f, x(f))
			return next
		}
	}
}

// updateEntry makes a quick step for m[k] op= v and m[k]++, where neither operand calls anything.
func updateEntry[V ordered](f *fn, n, dest, by *node, v operand[V], op func(a, b V) V) {
	e := mapEntry[V](f, dest)
	if e == nil || !e.alone || !v.ok() {
		return
	}
	f.absorb(dest)
	if by != nil {
		f.absorb(by)
	}
	x := v.eval
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			old := e.get(f)
			e.set(f, op(old, x(f)))
			return next
		}
	}
}
