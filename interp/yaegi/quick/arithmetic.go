package quick

import "reflect"

// floats is an operation that gives a floating-point number.
func floats[T float32 | float64](f *fn, n *node) (o operand[T]) {
	if n.kind == binaryExpr && usual(n) && f.operandKind(n.child[0], n.child[1]) == kindOf[T]() {
		a, b := pure[T](f, n.child[0]), pure[T](f, n.child[1])
		if a.ok() && b.ok() {
			return computed(operation(n.action, a, b))
		}
		return o
	}
	return numbers[T](f, n)
}

// arithmetic is an operation that gives an integer.
func arithmetic[T integer](f *fn, n *node) (o operand[T]) {
	switch {
	case n.kind == binaryExpr && usual(n):
		if n.action == aShl || n.action == aShr {
			a := pure[T](f, n.child[0])
			if by := f.shiftBy(n.child[1]); a.ok() && by.ok() {
				return computed(shifted(n.action, a, by))
			}
			return o
		}
		if f.operandKind(n.child[0], n.child[1]) != kindOf[T]() {
			return o
		}
		a, b := pure[T](f, n.child[0]), pure[T](f, n.child[1])
		if a.ok() && b.ok() {
			return computed(whole(n.action, a, b))
		}
		return o
	case n.kind == unaryExpr && n.action == aBitNot && usual(n):
		if a := pure[T](f, n.child[0]); a.ok() {
			return computed(func(f *frame) T { return ^a.eval(f) })
		}
		return o
	case n.kind == callExpr && is(n, yLen):
		if kindOf[T]() == reflect.Int {
			return as[T](f.length(n))
		}
		return o
	}
	return numbers[T](f, n)
}

// numbers are the operations that integers and floating-point numbers have in common.
func numbers[T number](f *fn, n *node) (o operand[T]) {
	switch {
	case n.kind == unaryExpr && n.action == aNeg && usual(n):
		if a := pure[T](f, n.child[0]); a.ok() {
			return computed(func(f *frame) T { return -a.eval(f) })
		}
	case n.kind == callExpr && n.action == aConvert && is(n, yConvert) && len(n.child) == 2:
		t := f.exprType(n.child[1])
		if s := f.slotType(n); t == nil || s == nil || s.Kind() != kindOf[T]() {
			return o
		}
		return converted[T](f, n.child[1], t.Kind())
	}
	return o
}

// converted is T(x).
func converted[T number](f *fn, x *node, from reflect.Kind) (o operand[T]) {
	switch from {
	case reflect.Int:
		return cast[T](pure[int](f, x))
	case reflect.Int8:
		return cast[T](pure[int8](f, x))
	case reflect.Int16:
		return cast[T](pure[int16](f, x))
	case reflect.Int32:
		return cast[T](pure[int32](f, x))
	case reflect.Int64:
		return cast[T](pure[int64](f, x))
	case reflect.Uint:
		return cast[T](pure[uint](f, x))
	case reflect.Uint8:
		return cast[T](pure[uint8](f, x))
	case reflect.Uint16:
		return cast[T](pure[uint16](f, x))
	case reflect.Uint32:
		return cast[T](pure[uint32](f, x))
	case reflect.Uint64:
		return cast[T](pure[uint64](f, x))
	case reflect.Float32:
		return cast[T](pure[float32](f, x))
	case reflect.Float64:
		return cast[T](pure[float64](f, x))
	}
	return o
}

func cast[T, S number](a operand[S]) (o operand[T]) {
	if !a.ok() {
		return o
	}
	switch kindOf[S]() {
	case reflect.Float32, reflect.Float64: // as package reflect does
		switch kindOf[T]() {
		case reflect.Float32, reflect.Float64:
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			return computed(func(f *frame) T { return T(uint64(a.eval(f))) })
		default:
			return computed(func(f *frame) T { return T(int64(a.eval(f))) })
		}
	}
	if i := a.local; i >= 0 {
		return computed(func(f *frame) T { return T(*(*S)(slot(f, i))) })
	}
	return computed(func(f *frame) T { return T(a.eval(f)) })
}

// operation is +, -, * or / for two operands; those that are most frequent, of variables and constants, have closures
// of their own.
func operation[T number](action uint, a, b operand[T]) func(*frame) T {
	x, y := a.eval, b.eval
	switch {
	case a.local >= 0 && b.local >= 0:
		i, j := a.local, b.local
		switch action {
		case aAdd:
			return func(f *frame) T { return *(*T)(slot(f, i)) + *(*T)(slot(f, j)) }
		case aSub:
			return func(f *frame) T { return *(*T)(slot(f, i)) - *(*T)(slot(f, j)) }
		case aMul:
			return func(f *frame) T { return *(*T)(slot(f, i)) * *(*T)(slot(f, j)) }
		}
	case a.local >= 0 && b.fixed:
		i, c := a.local, b.what
		switch action {
		case aAdd:
			return func(f *frame) T { return *(*T)(slot(f, i)) + c }
		case aSub:
			return func(f *frame) T { return *(*T)(slot(f, i)) - c }
		case aMul:
			return func(f *frame) T { return *(*T)(slot(f, i)) * c }
		}
	case b.fixed:
		c := b.what
		switch action {
		case aAdd:
			return func(f *frame) T { return x(f) + c }
		case aSub:
			return func(f *frame) T { return x(f) - c }
		case aMul:
			return func(f *frame) T { return x(f) * c }
		}
	}
	switch action {
	case aAdd:
		return func(f *frame) T { return x(f) + y(f) }
	case aSub:
		return func(f *frame) T { return x(f) - y(f) }
	case aMul:
		return func(f *frame) T { return x(f) * y(f) }
	case aQuo:
		return func(f *frame) T { return x(f) / y(f) }
	}
	return nil
}

// whole is operation with those of integers.
func whole[T integer](action uint, a, b operand[T]) func(*frame) T {
	x, y := a.eval, b.eval
	if b.fixed && b.what != 0 {
		c := b.what
		switch action {
		case aQuo:
			return func(f *frame) T { return x(f) / c }
		case aRem:
			return func(f *frame) T { return x(f) % c }
		case aAnd:
			return func(f *frame) T { return x(f) & c }
		}
	}
	switch action {
	case aRem:
		return func(f *frame) T { return x(f) % y(f) }
	case aAnd:
		return func(f *frame) T { return x(f) & y(f) }
	case aOr:
		return func(f *frame) T { return x(f) | y(f) }
	case aXor:
		return func(f *frame) T { return x(f) ^ y(f) }
	case aAndNot:
		return func(f *frame) T { return x(f) &^ y(f) }
	}
	return operation(action, a, b)
}

// shiftBy is by how much is shifted.
func (f *fn) shiftBy(n *node) (o operand[uint]) {
	if n.rval.IsValid() && !n.rval.CanSet() {
		return pure[uint](f, n)
	}
	t := f.exprType(n)
	if t == nil {
		return o
	}
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return converted[uint](f, n, t.Kind())
	}
	return o
}

func shifted[T integer](action uint, a operand[T], by operand[uint]) func(*frame) T {
	x, y := a.eval, by.eval
	if c := by.what; by.fixed {
		if action == aShl {
			return func(f *frame) T { return x(f) << c }
		}
		return func(f *frame) T { return x(f) >> c }
	}
	if action == aShl {
		return func(f *frame) T { return x(f) << y(f) }
	}
	return func(f *frame) T { return x(f) >> y(f) }
}

// length is len of a list, a string or a map that a variable or what is reached from it holds.
func (f *fn) length(n *node) (o operand[int]) {
	if len(n.child) != 2 {
		return o
	}
	x := n.child[1]
	t := f.exprType(x)
	if t == nil || x.rval.IsValid() {
		return o
	}
	switch t.Kind() {
	case reflect.Slice, reflect.String:
	default:
		return o
	}
	p := f.address(x, t.Kind())
	if p == nil {
		return o
	}
	return computed(func(f *frame) int { return (*header)(p(f)).len })
}
