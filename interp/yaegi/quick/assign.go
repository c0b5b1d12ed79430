package quick

import (
	"reflect"
)

// assign makes a quick step for an assignment of one value.
func (f *fn) assign(n *node) {
	if n.nright == 0 {
		f.reset(n)
	}
	if n.nleft != 1 || n.nright != 1 {
		return
	}
	if n.action != aAssign {
		f.assignOp(n)
		return
	}
	if !is(n, yAssign) {
		return
	}
	dest, src := n.child[0], n.child[len(n.child)-1]
	if f.bind(n, dest, src) || f.noteLine(n, dest, src) {
		return
	}
	if dest.ident == "_" {
		return
	}
	var t reflect.Type
	if n.kind == defineStmt {
		if n.level != 0 {
			return
		}
		t = typeAt(f.def.types, n.findex)
	} else {
		t = f.exprType(dest)
	}
	if t == nil {
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		assignAs[bool](f, n, dest, src)
	case reflect.String:
		assignAs[string](f, n, dest, src)
	case reflect.Int:
		assignAs[int](f, n, dest, src)
	case reflect.Int8:
		assignAs[int8](f, n, dest, src)
	case reflect.Int16:
		assignAs[int16](f, n, dest, src)
	case reflect.Int32:
		assignAs[int32](f, n, dest, src)
	case reflect.Int64:
		assignAs[int64](f, n, dest, src)
	case reflect.Uint:
		assignAs[uint](f, n, dest, src)
	case reflect.Uint8:
		assignAs[uint8](f, n, dest, src)
	case reflect.Uint16:
		assignAs[uint16](f, n, dest, src)
	case reflect.Uint32:
		assignAs[uint32](f, n, dest, src)
	case reflect.Uint64:
		assignAs[uint64](f, n, dest, src)
	case reflect.Float32:
		assignAs[float32](f, n, dest, src)
	case reflect.Float64:
		assignAs[float64](f, n, dest, src)
	}
}

func assignAs[T basic](f *fn, n, dest, src *node) {
	if f.ofMap(dest) {
		assignEntry[T](f, n, dest, src)
		return
	}
	v, alone := pure[T](f, src), true
	if !v.ok() {
		v, alone = atHand[T](f, src), false
	}
	if !v.ok() {
		return
	}
	x := v.eval
	if n.kind == defineStmt {
		i, t := n.findex, typeAt(f.def.types, n.findex)
		if alone {
			f.absorb(src)
		}
		if f.plain { // nobody has the variable of the time before
			n.gen = func(n *node) {
				next := following(n)
				n.exec = func(f *frame) bltn {
					*(*T)(slot(f, i)) = x(f)
					return next
				}
			}
			return
		}
		n.gen = func(n *node) {
			next := following(n)
			n.exec = func(f *frame) bltn {
				p := reflect.New(t)
				*(*T)(p.UnsafePointer()) = x(f)
				f.data[i] = p.Elem()
				return next
			}
		}
		return
	}
	if dest.kind == identExpr {
		if d := variable[T](f, dest); d.local >= 0 && d.ok() {
			i := d.local
			if alone {
				f.absorb(src)
			}
			n.gen = func(n *node) {
				next := following(n)
				n.exec = func(f *frame) bltn {
					*(*T)(slot(f, i)) = x(f)
					return next
				}
			}
			return
		}
	}
	p := f.address(dest, kindOf[T]())
	if p == nil || dest.kind == indexExpr && f.ofString(dest) {
		return
	}
	if alone {
		f.absorb(src)
	} else if dest.kind != identExpr { // where it is may be another after the call
		return
	}
	f.absorb(dest)
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			v := x(f)
			*(*T)(p(f)) = v
			return next
		}
	}
}

func (f *fn) ofString(n *node) bool {
	t := f.exprType(n.child[0])
	return t == nil || t.Kind() == reflect.String
}

func (f *fn) ofMap(n *node) bool {
	if n.kind != indexExpr {
		return false
	}
	t := f.exprType(n.child[0])
	return t != nil && t.Kind() == reflect.Map
}
