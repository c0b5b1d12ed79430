package quick

import (
	"reflect"
	"unsafe"
)

// header is what a slice, and the beginning of what a string, is made of.
type header struct {
	ptr unsafe.Pointer
	len int
}

// What package reflect panics with, which the engine knows.
const (
	outOfRange       = "reflect: slice index out of range"
	outOfRangeArray  = "reflect: array index out of range"
	outOfRangeString = "reflect: string index out of range"
	outOfBounds      = "reflect.Value.Slice: slice index out of bounds"
	nilPointer       = "reflect: call of reflect.Value.Elem on zero Value"
)

// address returns where the value of an expression without calls is, if it is of a kind, and has a place: a variable,
// an element, a field, what a pointer points to. A byte of a string has one too, which nothing writes to.
func (f *fn) address(n *node, k reflect.Kind) func(*frame) unsafe.Pointer {
	p, t := f.place(n)
	if p == nil || t.Kind() != k {
		return nil
	}
	return p
}

// place is address with the type of what is there.
func (f *fn) place(n *node) (func(*frame) unsafe.Pointer, reflect.Type) {
	switch n.kind {
	case parenExpr:
		if len(n.child) == 1 {
			return f.place(n.child[0])
		}
	case identExpr:
		return f.variablePlace(n)
	case indexExpr:
		return f.element(n)
	case starExpr:
		if is(n, yDeref) && len(n.child) == 1 {
			return f.pointee(n.child[0])
		}
	case selectorExpr:
		return f.field(n)
	}
	return nil, nil
}

func (f *fn) variablePlace(n *node) (func(*frame) unsafe.Pointer, reflect.Type) {
	if n.sym == nil || n.sym.kind != varSym && n.sym.kind != 0 || n.sym.index < 0 || n.rval.IsValid() {
		return nil, nil
	}
	t := f.slotType(n)
	if t == nil || !indirect(t) {
		return nil, nil
	}
	i, level := n.sym.index, n.level
	if n.sym.global {
		level = globalFrame
	}
	return slotPlace(level, i), t
}

// indirect: a reflect.Value of the type always points to where its value is. (One of a pointer may be the pointer
// itself.)
func indirect(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Slice, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32,
		reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64,
		reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return t.Len() > 1 || t.Len() == 1 && indirect(t.Elem())
	case reflect.Struct:
		return t.NumField() > 1 || t.NumField() == 1 && indirect(t.Field(0).Type)
	}
	return false
}

func slotPlace(level, i int) func(*frame) unsafe.Pointer {
	switch level {
	case globalFrame:
		return func(f *frame) unsafe.Pointer { return slot(f.root, i) }
	case 0:
		return func(f *frame) unsafe.Pointer { return slot(f, i) }
	case 1:
		return func(f *frame) unsafe.Pointer { return slot(f.anc, i) }
	}
	return func(f *frame) unsafe.Pointer { return slot(outer(f, level), i) }
}

// element is an element of a slice, an array or a string.
func (f *fn) element(n *node) (func(*frame) unsafe.Pointer, reflect.Type) {
	if !is(n, yIndexArray) && !is(n, boundedIndex) || len(n.child) != 2 {
		return nil, nil
	}
	list, t := f.place(n.child[0])
	if list == nil {
		return nil, nil
	}
	index := f.index(n.child[1])
	if !index.ok() {
		return nil, nil
	}
	at, k := index.eval, reflect.Int
	if t := f.exprType(n.child[1]); t != nil {
		k = t.Kind()
	}
	switch t.Kind() {
	case reflect.Slice:
		size := t.Elem().Size()
		if i := index.local; i >= 0 {
			return func(f *frame) unsafe.Pointer {
				l, i := (*header)(list(f)), *(*int)(slot(f, i))
				if uint(i) >= uint(l.len) {
					panic(outside(outOfRange, i, l.len, k))
				}
				return unsafe.Add(l.ptr, uintptr(i)*size)
			}, t.Elem()
		}
		return func(f *frame) unsafe.Pointer {
			i := at(f)
			l := (*header)(list(f))
			if uint(i) >= uint(l.len) {
				panic(outside(outOfRange, i, l.len, k))
			}
			return unsafe.Add(l.ptr, uintptr(i)*size)
		}, t.Elem()
	case reflect.Array:
		size, length := t.Elem().Size(), uint(t.Len())
		return func(f *frame) unsafe.Pointer {
			i := at(f)
			if uint(i) >= length {
				panic(outside(outOfRangeArray, i, int(length), k))
			}
			return unsafe.Add(list(f), uintptr(i)*size)
		}, t.Elem()
	case reflect.String:
		return func(f *frame) unsafe.Pointer {
			i := at(f)
			s := (*header)(list(f))
			if uint(i) >= uint(s.len) {
				panic(outside(outOfRangeString, i, s.len, k))
			}
			return unsafe.Add(s.ptr, i)
		}, reflect.TypeFor[byte]()
	}
	return nil, nil
}

// index is an index, of any type of integers.
func (f *fn) index(n *node) (o operand[int]) {
	if n.rval.IsValid() && !n.rval.CanSet() {
		return pure[int](f, n)
	}
	t := f.exprType(n)
	if t == nil || t.Kind() < reflect.Int || t.Kind() > reflect.Uintptr {
		return o
	}
	if t.Kind() == reflect.Int {
		return pure[int](f, n)
	}
	return converted[int](f, n, t.Kind())
}

// pointee is what a pointer points to.
func (f *fn) pointee(n *node) (func(*frame) unsafe.Pointer, reflect.Type) {
	for n.kind == parenExpr && len(n.child) == 1 {
		n = n.child[0]
	}
	if n.kind == selectorExpr || n.kind == indexExpr || n.kind == starExpr {
		p, t := f.place(n)
		if p == nil || t.Kind() != reflect.Pointer {
			return nil, nil
		}
		return func(f *frame) unsafe.Pointer {
			q := *(*unsafe.Pointer)(p(f))
			if q == nil {
				panic(nilPointer)
			}
			return q
		}, t.Elem()
	}
	if n.kind != identExpr || n.sym == nil || n.sym.kind != varSym || n.sym.index < 0 || n.rval.IsValid() {
		return nil, nil
	}
	t := f.slotType(n)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, nil
	}
	i, level := n.sym.index, n.level
	if n.sym.global {
		level = globalFrame
	}
	return func(f *frame) unsafe.Pointer {
		f = at(f, level)
		p := f.data[i].UnsafePointer()
		if p == nil {
			panic(nilPointer)
		}
		return p
	}, t.Elem()
}

// field is a field of a struct.
func (f *fn) field(n *node) (func(*frame) unsafe.Pointer, reflect.Type) {
	path, ok := n.val.([]int)
	if !ok || len(n.child) != 2 {
		return nil, nil
	}
	var base func(*frame) unsafe.Pointer
	var t reflect.Type
	switch {
	case is(n, yIndexSeq):
		base, t = f.place(n.child[0])
	case is(n, yPtrIndexSeq):
		base, t = f.pointee(n.child[0])
	case is(n, yIndexSeqField):
		if s := f.exprType(n.child[0]); s != nil && s.Kind() == reflect.Pointer {
			base, t = f.pointee(n.child[0])
		} else {
			base, t = f.place(n.child[0])
		}
	}
	if base == nil {
		return nil, nil
	}
	offset := uintptr(0)
	for _, i := range path {
		if t.Kind() != reflect.Struct || i >= t.NumField() {
			return nil, nil
		}
		offset += t.Field(i).Offset
		t = t.Field(i).Type
	}
	if offset == 0 {
		return base, t
	}
	return func(f *frame) unsafe.Pointer { return unsafe.Add(base(f), offset) }, t
}
