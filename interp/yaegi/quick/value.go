package quick

import (
	"go/constant"
	"math"
	"reflect"
	"unsafe"
)

type integer interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr
}

type number interface {
	integer | float32 | float64
}

type ordered interface{ number | string }

type basic interface{ ordered | bool }

// operand is a value of an expression: how it is evaluated, and whether it is a variable of the function's own or a
// constant.
type operand[T basic] struct {
	eval  func(*frame) T // nil: not known here
	local int            // index in the frame, or -1
	fixed bool           // the value is what
	what  T
}

func (o operand[T]) ok() bool { return o.eval != nil }

func computed[T basic](eval func(*frame) T) operand[T] { return operand[T]{eval: eval, local: -1} }

func fixed[T basic](v T) operand[T] {
	return operand[T]{func(*frame) T { return v }, -1, true, v}
}

// kindOf is the kind of T.
func kindOf[T basic]() reflect.Kind { return reflect.TypeFor[T]().Kind() }

// pure is the value of an expression that calls nothing, so that it can be evaluated where it is used.
func pure[T basic](f *fn, n *node) (o operand[T]) {
	if n.rval.IsValid() && !n.rval.CanSet() {
		if v, ok := constantOf[T](n.rval); ok {
			return fixed(v)
		}
		return o
	}
	switch n.kind {
	case identExpr:
		return variable[T](f, n)
	case parenExpr:
		if len(n.child) == 1 {
			return pure[T](f, n.child[0])
		}
	case indexExpr, selectorExpr, starExpr:
		if is(n, yIndexMap) {
			if e := mapEntry[T](f, n); e != nil && e.alone {
				return computed(e.get)
			}
			return o
		}
		if p := f.address(n, kindOf[T]()); p != nil {
			return computed(func(f *frame) T { return *(*T)(p(f)) })
		}
	}
	var zero T
	switch any(zero).(type) {
	case bool:
		b := f.condition(n)
		return *(*operand[T])(unsafe.Pointer(&b))
	case string:
		s := f.text(n)
		return *(*operand[T])(unsafe.Pointer(&s))
	case int:
		return as[T](arithmetic[int](f, n))
	case int8:
		return as[T](arithmetic[int8](f, n))
	case int16:
		return as[T](arithmetic[int16](f, n))
	case int32:
		return as[T](arithmetic[int32](f, n))
	case int64:
		return as[T](arithmetic[int64](f, n))
	case uint:
		return as[T](arithmetic[uint](f, n))
	case uint8:
		return as[T](arithmetic[uint8](f, n))
	case uint16:
		return as[T](arithmetic[uint16](f, n))
	case uint32:
		return as[T](arithmetic[uint32](f, n))
	case uint64:
		return as[T](arithmetic[uint64](f, n))
	case uintptr:
		return as[T](arithmetic[uintptr](f, n))
	case float32:
		return as[T](floats[float32](f, n))
	case float64:
		return as[T](floats[float64](f, n))
	}
	return o
}

// as is for a T that is known to be an S.
func as[T, S basic](o operand[S]) operand[T] { return *(*operand[T])(unsafe.Pointer(&o)) }

// atHand is an operand that needs no step of its own, or whose own step has stored it in the frame.
func atHand[T basic](f *fn, n *node) (o operand[T]) {
	leaf := n
	for leaf.kind == parenExpr && len(leaf.child) == 1 {
		leaf = leaf.child[0]
	}
	if leaf.kind == identExpr || leaf.rval.IsValid() {
		return pure[T](f, n)
	}
	return stored[T](f, n)
}

// stored is what the step of a node has stored in the frame.
func stored[T basic](f *fn, n *node) (o operand[T]) {
	t := f.slotType(n)
	if n.sym != nil || t == nil || t.Kind() != kindOf[T]() {
		return o
	}
	return load[T](n.level, n.findex)
}

// variable is the value of a variable.
func variable[T basic](f *fn, n *node) (o operand[T]) {
	if n.sym == nil || n.sym.kind != varSym && n.sym.kind != 0 || n.sym.index < 0 {
		return o
	}
	if t := f.slotType(n); t == nil || t.Kind() != kindOf[T]() {
		return o
	}
	if n.sym.global {
		return load[T](globalFrame, n.sym.index)
	}
	return load[T](n.level, n.sym.index)
}

func load[T basic](level, i int) operand[T] {
	switch level {
	case globalFrame:
		return computed(func(f *frame) T { return *(*T)(slot(f.root, i)) })
	case 0:
		return operand[T]{eval: func(f *frame) T { return *(*T)(slot(f, i)) }, local: i}
	case 1:
		return computed(func(f *frame) T { return *(*T)(slot(f.anc, i)) })
	}
	return computed(func(f *frame) T { return *(*T)(slot(outer(f, level), i)) })
}

// at is the frame of a level as seen from another.
func at(f *frame, level int) *frame {
	switch level {
	case 0:
		return f
	case globalFrame:
		return f.root
	}
	return outer(f, level)
}

func outer(f *frame, level int) *frame {
	for range level {
		f = f.anc
	}
	return f
}

// constantOf is a constant's value as a T.
func constantOf[T basic](v reflect.Value) (t T, ok bool) {
	if c, isConst := v.Interface().(constant.Value); isConst {
		switch k := kindOf[T](); {
		case k == reflect.Bool && c.Kind() == constant.Bool:
			v = reflect.ValueOf(constant.BoolVal(c))
		case k == reflect.String && c.Kind() == constant.String:
			v = reflect.ValueOf(constant.StringVal(c))
		case k == reflect.Float32 || k == reflect.Float64:
			x := constant.ToFloat(c)
			if x.Kind() != constant.Float {
				return t, false
			}
			y, _ := constant.Float64Val(x)
			v = reflect.ValueOf(y)
		case k >= reflect.Int && k <= reflect.Uintptr:
			x := constant.ToInt(c)
			if y, exact := constant.Int64Val(x); x.Kind() == constant.Int && exact {
				v = reflect.ValueOf(y)
			} else if y, exact := constant.Uint64Val(x); x.Kind() == constant.Int && exact {
				v = reflect.ValueOf(y)
			} else {
				return t, false
			}
		default:
			return t, false
		}
	}
	to := reflect.ValueOf(&t).Elem()
	switch k := to.Kind(); {
	case k == v.Kind():
	case k == reflect.String || k == reflect.Bool:
		return t, false
	case v.CanInt():
		if i := v.Int(); to.CanInt() && to.OverflowInt(i) || to.CanUint() && (i < 0 || to.OverflowUint(uint64(i))) {
			return t, false
		}
	case v.CanUint():
		if u := v.Uint(); to.CanUint() && to.OverflowUint(u) || to.CanInt() &&
			(u > math.MaxInt64 || to.OverflowInt(int64(u))) {
			return t, false
		}
	case v.CanFloat():
		if !to.CanFloat() && v.Float() != math.Trunc(v.Float()) {
			return t, false
		}
	default:
		return t, false
	}
	to.Set(v.Convert(to.Type()))
	return t, true
}

// text is a string.
func (f *fn) text(n *node) (o operand[string]) {
	if n.kind != binaryExpr || n.action != aAdd || !usual(n) {
		return o
	}
	a, b := pure[string](f, n.child[0]), pure[string](f, n.child[1])
	if !a.ok() || !b.ok() {
		return o
	}
	return computed(func(f *frame) string { return a.eval(f) + b.eval(f) })
}

// same reports whether an operation's operands have its type: the interpreter gives both that of one where the other
// has none.
func (f *fn) operandKind(a, b *node) reflect.Kind {
	for _, n := range []*node{a, b} {
		if n.rval.IsValid() && !n.rval.CanSet() {
			continue
		}
		if t := f.exprType(n); t != nil {
			return t.Kind()
		}
		return reflect.Invalid
	}
	return reflect.Invalid
}

// exprType is the type of an expression's value, or nil.
func (f *fn) exprType(n *node) reflect.Type {
	switch {
	case n.typ == nil:
		return nil
	case n.kind == parenExpr && len(n.child) == 1:
		return f.exprType(n.child[0])
	case n.kind == identExpr:
		return f.slotType(n)
	}
	if t := f.slotType(n); t != nil {
		return t
	}
	return nil
}
