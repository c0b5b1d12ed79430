package quick

import "reflect"

// Note: maps of several goroutines. A step that reads or writes an entry of a map says so before and after, while
// several goroutines run: Options.Using panics where another one is in its way. This holds for every step of yaegi's
// that uses an entry; those of this package ask themselves.

// mapUse is a map that a step uses: the node whose value it is.
type mapUse struct {
	of    *node
	write bool
}

// sharedMaps has a step of yaegi's that uses entries of maps say so.
func (f *fn) sharedMaps(n *node) {
	if n.gen == nil {
		return
	}
	var uses []mapUse
	switch {
	case is(n, yIndexMap), is(n, yIndexMap2):
		uses = append(uses, mapUse{n.child[0], false})
	case n.kind == callExpr && is(n, yDelete) && len(n.child) > 1:
		uses = append(uses, mapUse{n.child[1], true})
	case n.kind == incDecStmt && len(n.child) > 0 && f.isEntry(n.child[0]):
		uses = append(uses, mapUse{n.child[0].child[0], true})
	case n.kind == assignStmt:
		for i := range min(n.nleft, len(n.child)) {
			if f.isEntry(n.child[i]) {
				uses = append(uses, mapUse{n.child[i].child[0], true})
			}
		}
	}
	if len(uses) == 0 {
		return
	}
	gen := n.gen
	n.gen = func(n *node) {
		gen(n)
		step := n.exec
		if step == nil {
			return
		}
		maps := make([]func(*frame) reflect.Value, len(uses))
		for i, u := range uses {
			maps[i] = genValue(u.of)
		}
		shared, using := f.q.Shared, f.q.Using
		n.exec = func(f *frame) bltn {
			if !shared.Load() {
				return step(f)
			}
			for i, u := range uses {
				defer using(maps[i](f), u.write)()
			}
			return step(f)
		}
	}
}

// isEntry reports whether a node is an entry of a map.
func (f *fn) isEntry(n *node) bool {
	if n.kind != indexExpr || len(n.child) != 2 {
		return false
	}
	t := f.exprType(n.child[0])
	return t != nil && t.Kind() == reflect.Map
}

// shareEntry wraps get and set of a map's entry, so that each use of the map is announced.
func shareEntry[K ordered, V basic](q *Quick, get func(*frame) V, set func(*frame, V), of func(*frame) map[K]V) (
	func(*frame) V, func(*frame, V)) {
	return func(f *frame) V {
			defer q.Using(reflect.ValueOf(of(f)), false)()
			return get(f)
		}, func(f *frame, v V) {
			defer q.Using(reflect.ValueOf(of(f)), true)()
			set(f, v)
		}
}
