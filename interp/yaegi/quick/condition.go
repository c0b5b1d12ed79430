package quick

import "reflect"

// condition is an expression that is true or false and calls nothing.
func (f *fn) condition(n *node) (o operand[bool]) {
	switch {
	case n.kind == landExpr && is(n, yLand), n.kind == lorExpr && is(n, yLor):
		a, b := pure[bool](f, n.child[0]), pure[bool](f, n.child[1])
		if !a.ok() || !b.ok() {
			return o
		}
		x, y := a.eval, b.eval
		if n.kind == landExpr {
			return computed(func(f *frame) bool { return x(f) && y(f) })
		}
		return computed(func(f *frame) bool { return x(f) || y(f) })
	case n.kind == unaryExpr && n.action == aNot && is(n, yNot):
		a := pure[bool](f, n.child[0])
		if !a.ok() {
			return o
		}
		x := a.eval
		return computed(func(f *frame) bool { return !x(f) })
	case n.kind == binaryExpr:
		return f.comparison(n, true)
	}
	return o
}

// comparison compares two operands that call nothing, or else two that are at hand.
func (f *fn) comparison(n *node, alone bool) (o operand[bool]) {
	switch n.action {
	case aEqual, aNotEqual, aLower, aLowerEqual, aGreater, aGreaterEqual:
	default:
		return o
	}
	if !usual(n) {
		return o
	}
	switch f.operandKind(n.child[0], n.child[1]) {
	case reflect.Bool:
		return equal[bool](f, n, alone)
	case reflect.String:
		return compared[string](f, n, alone)
	case reflect.Int:
		return compared[int](f, n, alone)
	case reflect.Int8:
		return compared[int8](f, n, alone)
	case reflect.Int16:
		return compared[int16](f, n, alone)
	case reflect.Int32:
		return compared[int32](f, n, alone)
	case reflect.Int64:
		return compared[int64](f, n, alone)
	case reflect.Uint:
		return compared[uint](f, n, alone)
	case reflect.Uint8:
		return compared[uint8](f, n, alone)
	case reflect.Uint16:
		return compared[uint16](f, n, alone)
	case reflect.Uint32:
		return compared[uint32](f, n, alone)
	case reflect.Uint64:
		return compared[uint64](f, n, alone)
	case reflect.Float32:
		return compared[float32](f, n, alone)
	case reflect.Float64:
		return compared[float64](f, n, alone)
	}
	return o
}

// operands are those of an operation with two.
func operands[T basic](f *fn, n *node, alone bool) (a, b operand[T]) {
	if alone {
		return pure[T](f, n.child[0]), pure[T](f, n.child[1])
	}
	return atHand[T](f, n.child[0]), atHand[T](f, n.child[1])
}

func equal[T basic](f *fn, n *node, alone bool) (o operand[bool]) {
	a, b := operands[T](f, n, alone)
	if !a.ok() || !b.ok() {
		return o
	}
	x, y := a.eval, b.eval
	switch {
	case n.action == aEqual && b.fixed:
		c := b.what
		return computed(func(f *frame) bool { return x(f) == c })
	case n.action == aEqual:
		return computed(func(f *frame) bool { return x(f) == y(f) })
	case n.action == aNotEqual:
		return computed(func(f *frame) bool { return x(f) != y(f) })
	}
	return o
}

func compared[T ordered](f *fn, n *node, alone bool) (o operand[bool]) {
	if n.action == aEqual || n.action == aNotEqual {
		return equal[T](f, n, alone)
	}
	a, b := operands[T](f, n, alone)
	if !a.ok() || !b.ok() {
		return o
	}
	action := n.action
	if action == aGreater || action == aGreaterEqual { // NaN: > is < the other way round, not its opposite
		a, b = b, a
		action += aLower - aGreater
	}
	x, y := a.eval, b.eval
	switch less := action == aLower; {
	case a.local >= 0 && b.local >= 0:
		i, j := a.local, b.local
		if less {
			return computed(func(f *frame) bool { return *(*T)(slot(f, i)) < *(*T)(slot(f, j)) })
		}
		return computed(func(f *frame) bool { return *(*T)(slot(f, i)) <= *(*T)(slot(f, j)) })
	case a.local >= 0 && b.fixed:
		i, c := a.local, b.what
		if less {
			return computed(func(f *frame) bool { return *(*T)(slot(f, i)) < c })
		}
		return computed(func(f *frame) bool { return *(*T)(slot(f, i)) <= c })
	case less:
		return computed(func(f *frame) bool { return x(f) < y(f) })
	}
	return computed(func(f *frame) bool { return x(f) <= y(f) })
}
