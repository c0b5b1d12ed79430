package quick

import "reflect"

// assignOp is x op= y; its actions stand behind those of their operators.
func (f *fn) assignOp(n *node) {
	if !usual(n) {
		return
	}
	f.update(n, n.child[0], n.child[1], n.action-1)
}

// incDec is x++ and x--.
func (f *fn) incDec(n *node) {
	if !usual(n) {
		return
	}
	action := uint(aAdd)
	if n.action == aDec {
		action = aSub
	}
	f.update(n, n.child[0], nil, action)
}

func (f *fn) update(n, dest, by *node, action uint) {
	t := f.exprType(dest)
	if t == nil {
		return
	}
	switch t.Kind() {
	case reflect.String:
		if action == aAdd && by != nil {
			v, alone := pure[string](f, by), true
			if !v.ok() {
				v, alone = atHand[string](f, by), false
			}
			updateBy(f, n, dest, by, v, alone, func(a, b string) string { return a + b })
		}
	case reflect.Int:
		updateWhole[int](f, n, dest, by, action)
	case reflect.Int8:
		updateWhole[int8](f, n, dest, by, action)
	case reflect.Int16:
		updateWhole[int16](f, n, dest, by, action)
	case reflect.Int32:
		updateWhole[int32](f, n, dest, by, action)
	case reflect.Int64:
		updateWhole[int64](f, n, dest, by, action)
	case reflect.Uint:
		updateWhole[uint](f, n, dest, by, action)
	case reflect.Uint8:
		updateWhole[uint8](f, n, dest, by, action)
	case reflect.Uint16:
		updateWhole[uint16](f, n, dest, by, action)
	case reflect.Uint32:
		updateWhole[uint32](f, n, dest, by, action)
	case reflect.Uint64:
		updateWhole[uint64](f, n, dest, by, action)
	case reflect.Float32:
		updateFloat[float32](f, n, dest, by, action)
	case reflect.Float64:
		updateFloat[float64](f, n, dest, by, action)
	}
}

// by is what a variable is changed by: 1 where that is nil.
func changeBy[T number](f *fn, by *node) (o operand[T], alone bool) {
	if by == nil {
		return fixed(T(1)), true
	}
	if o = pure[T](f, by); o.ok() {
		return o, true
	}
	return atHand[T](f, by), false
}

func updateWhole[T integer](f *fn, n, dest, by *node, action uint) {
	switch action {
	case aAdd, aSub, aMul:
		updateNumber[T](f, n, dest, by, action)
	case aQuo, aRem, aAnd, aOr, aXor, aAndNot:
		v, alone := changeBy[T](f, by)
		updateBy(f, n, dest, by, v, alone, wholeOf[T](action))
	}
}

func updateFloat[T float32 | float64](f *fn, n, dest, by *node, action uint) {
	switch action {
	case aAdd, aSub, aMul:
		updateNumber[T](f, n, dest, by, action)
	case aQuo:
		v, alone := changeBy[T](f, by)
		updateBy(f, n, dest, by, v, alone, operationOf[T](action))
	}
}

// updateNumber is updateBy for what loops do most.
func updateNumber[T number](f *fn, n, dest, by *node, action uint) {
	v, alone := changeBy[T](f, by)
	if !v.ok() {
		return
	}
	if dest.kind != identExpr {
		updateBy(f, n, dest, by, v, alone, operationOf[T](action))
		return
	}
	d := variable[T](f, dest)
	if !d.ok() {
		return
	}
	if alone && by != nil {
		f.absorb(by)
	}
	f.absorb(dest)
	p := f.address(dest, kindOf[T]())
	i, x, c := d.local, v.eval, v.what
	var step func(next bltn) bltn
	switch {
	case i >= 0 && v.fixed && action == aAdd:
		step = func(next bltn) bltn { return func(f *frame) bltn { *(*T)(slot(f, i)) += c; return next } }
	case i >= 0 && action == aAdd:
		step = func(next bltn) bltn { return func(f *frame) bltn { *(*T)(slot(f, i)) += x(f); return next } }
	case action == aAdd:
		step = func(next bltn) bltn { return func(f *frame) bltn { v := x(f); *(*T)(p(f)) += v; return next } }
	case action == aSub:
		step = func(next bltn) bltn { return func(f *frame) bltn { v := x(f); *(*T)(p(f)) -= v; return next } }
	default:
		step = func(next bltn) bltn { return func(f *frame) bltn { v := x(f); *(*T)(p(f)) *= v; return next } }
	}
	if closesLoop(n) && i >= 0 && action == aAdd { // the condition belongs to the same step
		step = func(next bltn) bltn { return func(f *frame) bltn { *(*T)(slot(f, i)) += x(f); return next(f) } }
		if v.fixed {
			step = func(next bltn) bltn { return func(f *frame) bltn { *(*T)(slot(f, i)) += c; return next(f) } }
		}
	}
	n.gen = func(n *node) { n.exec = step(following(n)) }
}

// closesLoop reports whether a node is the last of a loop's turn, which its condition follows. (A constant one is no
// step: the loop would call itself.)
func closesLoop(n *node) bool {
	loop := n.anc
	switch loop.kind {
	case forStmt7:
		return loop.child[2] == n && !loop.child[1].rval.IsValid()
	case forStmt7 - 2:
		return loop.child[1] == n && !loop.child[0].rval.IsValid()
	}
	return false
}

// updateBy changes what is at a place.
func updateBy[T ordered](f *fn, n, dest, by *node, v operand[T], alone bool, op func(a, b T) T) {
	if f.ofMap(dest) {
		if alone {
			updateEntry(f, n, dest, by, v, op)
		}
		return
	}
	p := f.address(dest, kindOf[T]())
	if p == nil || !v.ok() || !alone && dest.kind != identExpr || dest.kind == indexExpr && f.ofString(dest) {
		return
	}
	f.absorb(dest)
	if alone && by != nil {
		f.absorb(by)
	}
	x := v.eval
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			v := x(f)
			at := (*T)(p(f))
			*at = op(*at, v)
			return next
		}
	}
}

func operationOf[T number](action uint) func(a, b T) T {
	switch action {
	case aAdd:
		return func(a, b T) T { return a + b }
	case aSub:
		return func(a, b T) T { return a - b }
	case aMul:
		return func(a, b T) T { return a * b }
	}
	return func(a, b T) T { return a / b }
}

func wholeOf[T integer](action uint) func(a, b T) T {
	switch action {
	case aRem:
		return func(a, b T) T { return a % b }
	case aAnd:
		return func(a, b T) T { return a & b }
	case aOr:
		return func(a, b T) T { return a | b }
	case aXor:
		return func(a, b T) T { return a ^ b }
	case aAndNot:
		return func(a, b T) T { return a &^ b }
	}
	return operationOf[T](action)
}
