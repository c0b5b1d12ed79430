package quick

import "reflect"

// expression makes a quick step for an expression whose value is stored in the frame or decides a branch.
func (f *fn) expression(n *node) {
	if n.kind == identExpr || n.kind == parenExpr {
		if !is(n, yBranch) || n.fnext == nil {
			return
		}
	} else if n.kind == indexExpr || n.kind == selectorExpr || n.kind == starExpr {
		if n.fnext == nil { // what has its place may be assigned to
			return
		}
	} else if n.rval.IsValid() {
		return
	}
	t := f.slotType(n)
	if n.kind == parenExpr && len(n.child) == 1 {
		t = f.exprType(n)
	}
	if t == nil {
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		f.boolean(n)
	case reflect.String:
		expressionAs[string](f, n, nil)
	case reflect.Int:
		wholeExpression[int](f, n)
	case reflect.Int8:
		wholeExpression[int8](f, n)
	case reflect.Int16:
		wholeExpression[int16](f, n)
	case reflect.Int32:
		wholeExpression[int32](f, n)
	case reflect.Int64:
		wholeExpression[int64](f, n)
	case reflect.Uint:
		wholeExpression[uint](f, n)
	case reflect.Uint8:
		wholeExpression[uint8](f, n)
	case reflect.Uint16:
		wholeExpression[uint16](f, n)
	case reflect.Uint32:
		wholeExpression[uint32](f, n)
	case reflect.Uint64:
		wholeExpression[uint64](f, n)
	case reflect.Float32:
		floatExpression[float32](f, n)
	case reflect.Float64:
		floatExpression[float64](f, n)
	}
}

func wholeExpression[T integer](f *fn, n *node) {
	if n.action == aShl || n.action == aShr {
		expressionAs[T](f, n, nil)
		return
	}
	expressionAs(f, n, func(action uint, a, b operand[T]) func(*frame) T { return whole(action, a, b) })
}

func floatExpression[T float32 | float64](f *fn, n *node) {
	expressionAs(f, n, func(action uint, a, b operand[T]) func(*frame) T { return operation(action, a, b) })
}

// expressionAs stores the value in the frame; op combines operands that calls have stored there.
func expressionAs[T basic](f *fn, n *node, op func(action uint, a, b operand[T]) func(*frame) T) {
	v := pure[T](f, n)
	x := v.eval
	if v.ok() {
		for _, c := range n.child {
			f.absorb(c)
		}
	} else {
		if op == nil || n.kind != binaryExpr || !usual(n) || f.operandKind(n.child[0], n.child[1]) != kindOf[T]() {
			return
		}
		a, b := atHand[T](f, n.child[0]), atHand[T](f, n.child[1])
		if !a.ok() || !b.ok() {
			return
		}
		if x = op(n.action, a, b); x == nil {
			return
		}
	}
	if n.level != 0 {
		p := slotPlace(n.level, n.findex)
		n.gen = func(n *node) {
			next := following(n)
			n.exec = func(f *frame) bltn {
				*(*T)(p(f)) = x(f)
				return next
			}
		}
		return
	}
	i := n.findex
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			*(*T)(slot(f, i)) = x(f)
			return next
		}
	}
}

// boolean is expression for what is true or false.
func (f *fn) boolean(n *node) {
	v := pure[bool](f, n)
	if v.ok() {
		for _, c := range n.child {
			f.absorb(c)
		}
	} else if n.kind == binaryExpr {
		v = f.comparison(n, false)
	}
	if !v.ok() {
		return
	}
	x := v.eval
	if n.fnext == nil {
		p := slotPlace(n.level, n.findex)
		n.gen = func(n *node) {
			next := following(n)
			n.exec = func(f *frame) bltn {
				*(*bool)(p(f)) = x(f)
				return next
			}
		}
		return
	}
	if onlyBranches(n) || n.kind == identExpr {
		n.gen = func(n *node) {
			yes, no := following(n), stepOf(n.fnext)
			n.exec = func(f *frame) bltn {
				if x(f) {
					return yes
				}
				return no
			}
		}
		return
	}
	p := slotPlace(n.level, n.findex)
	n.gen = func(n *node) {
		yes, no := following(n), stepOf(n.fnext)
		n.exec = func(f *frame) bltn {
			b := x(f)
			*(*bool)(p(f)) = b
			if b {
				return yes
			}
			return no
		}
	}
}
