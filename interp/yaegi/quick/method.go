package quick

import (
	"reflect"
	"unsafe"
)

// Note: methods of host types
//
// Package reflect makes a function from a method and its receiver, and then a list of arguments, for every call. Here
// the method's own function is called, through a type of functions that Go calls in the same way: a pointer is like
// any other, and so are slices and maps. Those are the methods with up to one argument and no option, as x.Add(y) is.

// callMethod makes a quick step for a call of a host method with a pointer receiver.
func (f *fn) callMethod(n *node) bool {
	c0 := n.child[0]
	if c0.kind != selectorExpr || !is(c0, yIndexBinMethod) || n.fnext != nil {
		return false
	}
	index, ok := c0.val.(int)
	of := f.slotType(c0.child[0])
	if !ok || of == nil || of.Kind() != reflect.Pointer || index >= of.NumMethod() {
		return false
	}
	m := of.Method(index)
	t := m.Func.Type()
	params := t.NumIn()
	if t.IsVariadic() {
		params--
	}
	if params != len(n.child) || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Pointer {
		return false
	}
	if s := f.slotType(n); n.sym != nil || s != t.Out(0) {
		return false
	}
	fun := funcOf(m.Func)
	recv := f.pointer(c0.child[0])
	if recv == nil {
		return false
	}
	options := t.IsVariadic()
	var call func(*frame) unsafe.Pointer
	if params == 1 {
		if options {
			g := *(*func(unsafe.Pointer, []byte) unsafe.Pointer)(unsafe.Pointer(&fun))
			call = func(f *frame) unsafe.Pointer { return g(recv(f), nil) }
		} else {
			g := *(*func(unsafe.Pointer) unsafe.Pointer)(unsafe.Pointer(&fun))
			call = func(f *frame) unsafe.Pointer { return g(recv(f)) }
		}
	} else if params == 2 {
		call = f.method1(n.child[1], t.In(1), fun, recv, options)
	}
	if call == nil {
		return false
	}
	c0.gen = skip
	out, level, to := t.Out(0), n.level, n.findex
	last, pos := f.q.Call, callPos(n)
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			if last != nil {
				*last = pos
			}
			p := call(f)
			if v := &at(f, level).data[to]; v.CanSet() {
				*(*unsafe.Pointer)((*value)(unsafe.Pointer(v)).ptr) = p
			} else {
				*v = reflect.NewAt(out.Elem(), p)
			}
			return next
		}
	}
	return true
}

// funcOf is the pointer that a function is.
func funcOf(v reflect.Value) unsafe.Pointer {
	w := (*value)(unsafe.Pointer(&v))
	if w.flag&indirectFlag != 0 {
		return *(*unsafe.Pointer)(w.ptr)
	}
	return w.ptr
}

// method1 calls a method with one argument.
func (f *fn) method1(x *node, t reflect.Type, fun unsafe.Pointer, recv func(*frame) unsafe.Pointer,
	options bool) func(*frame) unsafe.Pointer {
	switch t.Kind() {
	case reflect.Pointer:
		arg := f.pointer(x)
		if arg == nil || f.slotType(x) != t {
			return nil
		}
		if options {
			g := *(*func(unsafe.Pointer, unsafe.Pointer, []byte) unsafe.Pointer)(unsafe.Pointer(&fun))
			return func(f *frame) unsafe.Pointer { return g(recv(f), arg(f), nil) }
		}
		g := *(*func(unsafe.Pointer, unsafe.Pointer) unsafe.Pointer)(unsafe.Pointer(&fun))
		return func(f *frame) unsafe.Pointer { return g(recv(f), arg(f)) }
	case reflect.Interface:
		if t.NumMethod() > 0 || !options {
			return nil
		}
		g := *(*func(unsafe.Pointer, any, []byte) unsafe.Pointer)(unsafe.Pointer(&fun))
		if x.rval.IsValid() && !x.rval.CanSet() {
			v, ok := plainConstant(x.rval)
			if !ok {
				return nil
			}
			return func(f *frame) unsafe.Pointer { return g(recv(f), v, nil) }
		}
		s := f.slotType(x)
		if s == nil || s.Kind() != reflect.Pointer && s.Kind() != reflect.Int && s.Kind() != reflect.Float64 &&
			s != t || x.kind == parenExpr {
			return nil
		}
		level, i := f.frameIndex(x)
		if i < 0 {
			return nil
		}
		return func(f *frame) unsafe.Pointer {
			return g(recv(f), at(f, level).data[i].Interface(), nil)
		}
	}
	return nil
}

// plainConstant is what a constant is as an argument of type any.
func plainConstant(v reflect.Value) (any, bool) {
	switch v.Type() {
	case reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[bool](), reflect.TypeFor[string]():
		return v.Interface(), true
	}
	return nil, false
}

// frameIndex is where the value of a variable or of what has a step of its own is; -1 where it is not known.
func (f *fn) frameIndex(n *node) (level, i int) {
	if n.sym == nil {
		return n.level, n.findex
	}
	if n.sym.kind != varSym {
		return 0, -1
	}
	if n.sym.global {
		return globalFrame, n.sym.index
	}
	return n.level, n.sym.index
}

// pointer is the value of a variable of a pointer type, or of what has a step of its own and gives a pointer.
func (f *fn) pointer(n *node) func(*frame) unsafe.Pointer {
	t := f.slotType(n)
	if t == nil || t.Kind() != reflect.Pointer || n.rval.IsValid() || n.kind == parenExpr {
		return nil
	}
	level, i := f.frameIndex(n)
	if i < 0 {
		return nil
	}
	return func(f *frame) unsafe.Pointer {
		f = at(f, level)
		return f.data[i].UnsafePointer()
	}
}
