package quick

import (
	"reflect"
	"unsafe"
)

// appends makes a quick step for append(list, x).
func (f *fn) appends(n *node) {
	if len(n.child) != 3 || n.action != aCall {
		return
	}
	t, from := f.slotType(n), f.exprType(n.child[1])
	if n.sym != nil || t == nil || t.Kind() != reflect.Slice || from == nil || from.Kind() != reflect.Slice ||
		from.Elem() != t.Elem() {
		return
	}
	switch t.Elem().Kind() {
	case reflect.Bool:
		appendAs[bool](f, n)
	case reflect.String:
		appendAs[string](f, n)
	case reflect.Int:
		appendAs[int](f, n)
	case reflect.Int32:
		appendAs[int32](f, n)
	case reflect.Int64:
		appendAs[int64](f, n)
	case reflect.Uint8:
		appendAs[uint8](f, n)
	case reflect.Float32:
		appendAs[float32](f, n)
	case reflect.Float64:
		appendAs[float64](f, n)
	}
}

func appendAs[T basic](f *fn, n *node) {
	from := f.address(n.child[1], reflect.Slice)
	if n.child[1].rval.IsValid() || from == nil {
		return
	}
	// another list
	if t := f.exprType(n.child[2]); !n.child[2].rval.IsValid() && (t == nil || t.Kind() != kindOf[T]()) {
		return
	}
	x, alone := pure[T](f, n.child[2]), true
	if !x.ok() {
		x, alone = atHand[T](f, n.child[2]), false
	}
	if !x.ok() || !alone && n.child[1].kind != identExpr {
		return
	}
	if alone {
		f.absorb(n.child[1])
		f.absorb(n.child[2])
	}
	what, to := x.eval, slotPlace(n.level, n.findex)
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			list := append(*(*[]T)(from(f)), what(f))
			*(*[]T)(to(f)) = list
			return next
		}
	}
}

// ranges makes a quick step for a range over a slice. The first iteration is yaegi's, which evaluates the slice.
func (f *fn) ranges(n *node) {
	if !is(n, yRange) || len(n.child) < 3 {
		return
	}
	over := f.exprType(n.child[len(n.child)-2])
	if over == nil || over.Kind() != reflect.Slice {
		return
	}
	if len(n.child) == 3 {
		index := n.child[0].findex
		if t := typeAt(f.def.types, index); t == nil || t.Kind() != reflect.Int {
			return
		}
		n.gen = func(n *node) {
			yRange(n)
			body, end := following(n), stepOf(n.fnext)
			n.exec = func(f *frame) bltn {
				i := (*int)(slot(f, index))
				if *i++; *i >= (*header)(slot(f, index-1)).len {
					return end
				}
				return body
			}
		}
		return
	}
	t := typeAt(f.def.types, n.child[1].findex)
	if k := typeAt(f.def.types, n.child[0].findex); t == nil || t != over.Elem() || k == nil ||
		k.Kind() != reflect.Int {
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		rangeAs[bool](n)
	case reflect.String:
		rangeAs[string](n)
	case reflect.Int:
		rangeAs[int](n)
	case reflect.Int32:
		rangeAs[int32](n)
	case reflect.Int64:
		rangeAs[int64](n)
	case reflect.Uint8:
		rangeAs[uint8](n)
	case reflect.Float32:
		rangeAs[float32](n)
	case reflect.Float64:
		rangeAs[float64](n)
	}
}

func rangeAs[T basic](n *node) {
	index, element := n.child[0].findex, n.child[1].findex
	var zero T
	size := unsafe.Sizeof(zero)
	n.gen = func(n *node) {
		yRange(n)
		body, end := following(n), stepOf(n.fnext)
		n.exec = func(f *frame) bltn {
			at, list := (*int)(slot(f, index)), (*header)(slot(f, index-1))
			i := *at + 1
			if *at = i; i >= list.len {
				return end
			}
			*(*T)(slot(f, element)) = *(*T)(unsafe.Add(list.ptr, uintptr(i)*size))
			return body
		}
	}
}
