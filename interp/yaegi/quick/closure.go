package quick

import (
	"reflect"
	"unsafe"
)

// Note: closures
//
// A closure of yaegi's is one of package reflect's, whose every call makes lists of reflect.Values on both sides.
// Those with the usual parameters and results are closures of Go here, which host code (a sort) calls as any other,
// and cells too.

// signature is a type of functions that closures have: how one is made and how one is called.
type signature struct {
	of   reflect.Type
	make func(q *Quick, p *plan, outer *frame) reflect.Value
	call func(f *fn, n *node) (do func(f *frame, closure unsafe.Pointer), fill []func(*frame))
}

var signatures = map[reflect.Type]signature{}

func init() {
	for _, s := range []signature{
		procedure(), procedure1[int](), procedure1[float64](), procedure1[string](), procedure2[int, int](),
		procedure2[int, string](), procedure2[int, float64](),
		result[int](), result[float64](), result[string](), result[bool](),
		result1[int, int](), result1[int, bool](), result1[int, float64](), result1[int, string](),
		result1[float64, float64](), result1[float64, bool](), result1[float64, int](),
		result1[string, string](), result1[string, bool](), result1[string, int](), result1[int32, bool](),
		result1[int32, int32](), result1[float32, float32](),
		result2[int, int, bool](), result2[int, int, int](), result2[float64, float64, float64](),
		result2[float64, float64, int](), result2[float64, float64, bool](),
		result2[string, string, int](), result2[string, string, bool](), result2[string, string, string](),
		result2[float64, int, float64](), result2[int, float64, float64](),
	} {
		signatures[s.of] = s
	}
}

// closure makes a quick step for a function literal. The closure reaches the variables around it through a copy of the
// frame that made it.
func (f *fn) closure(n *node) {
	if !is(n, yGetFunc) {
		return
	}
	t := f.functionType(n)
	s, ok := signatures[t]
	if !ok || len(n.types) < t.NumIn()+t.NumOut() {
		return
	}
	inner := &fn{q: f.q, def: n, outer: f}
	q, p := f.q, &plan{def: n, plain: inner.isPlain(n.child[3])}
	level, i := n.level, n.findex
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			c := s.make(q, p, clone(f))
			f.mutex.Lock()
			at(f, level).data[i] = c
			f.mutex.Unlock()
			return next
		}
	}
}

// callClosure makes a quick step for a call of a closure in a variable.
func (f *fn) callClosure(n, c0 *node, t reflect.Type) {
	s, ok := signatures[t]
	if !ok || s.call == nil || c0.sym.kind != varSym || c0.sym.index < 0 || f.slotType(c0) != t ||
		t.NumIn() != len(n.child)-1 {
		return
	}
	do, fill := s.call(f, n)
	if do == nil {
		return
	}
	level, i := c0.level, c0.sym.index
	if c0.sym.global {
		level = globalFrame
	}
	to := slotPlace(n.level, n.findex)
	want := (*value)(unsafe.Pointer(new(reflect.Zero(t)))).typ
	n.gen = func(n *node) {
		yCall(n)
		usual, yes, no := n.exec, following(n), bltn(nil)
		if n.fnext != nil {
			no = stepOf(n.fnext)
		}
		n.exec = func(f *frame) bltn {
			from := at(f, level)
			v := (*value)(unsafe.Pointer(&from.data[i]))
			closure := v.ptr
			if v.flag&indirectFlag != 0 && closure != nil {
				closure = *(*unsafe.Pointer)(closure)
			}
			if v.typ != want || closure == nil {
				for _, fill := range fill {
					fill(f)
				}
				return usual(f)
			}
			do(f, closure)
			if no != nil && !*(*bool)(to(f)) {
				return no
			}
			return yes
		}
	}
}

// indirectFlag says of a reflect.Value that it points to where its value is.
const indirectFlag = 1 << 7

// passed is an argument of a call: how it is evaluated, and what leaves it in the frame for a call that is not made
// here.
type passed[T basic] struct {
	operand[T]
	fill func(*frame)
}

// pass returns an argument that calls nothing, or one that has a step of its own.
func pass[T basic](f *fn, n *node, alone bool) (p passed[T]) {
	if !alone {
		p.operand = atHand[T](f, n)
		return p
	}
	v := pure[T](f, n)
	if !v.ok() || v.fixed || n.kind == identExpr {
		p.operand = v
		return p
	}
	if !f.holds(n, kindOf[T]()) {
		return p
	}
	x, to := v.eval, slotPlace(n.level, n.findex)
	return passed[T]{v, func(f *frame) { v := x(f); *(*T)(to(f)) = v }}
}

func pass1[A basic](f *fn, n *node) (x passed[A]) {
	if x = pass[A](f, n.child[1], true); x.ok() {
		f.absorb(n.child[1])
		return x
	}
	return pass[A](f, n.child[1], false)
}

func pass2[A, B basic](f *fn, n *node) (x passed[A], y passed[B]) {
	if x, y = pass[A](f, n.child[1], true), pass[B](f, n.child[2], true); x.ok() && y.ok() {
		f.absorb(n.child[1])
		f.absorb(n.child[2])
		return x, y
	}
	return pass[A](f, n.child[1], false), pass[B](f, n.child[2], false)
}

func fills(list ...func(*frame)) (out []func(*frame)) {
	for _, f := range list {
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}

func procedure() signature {
	return signature{reflect.TypeFor[func()](), func(q *Quick, p *plan, outer *frame) reflect.Value {
		return reflect.ValueOf(func() {
			a := p.enter(outer)
			q.run(p, a)
			p.leave(outer, a)
		})
	}, func(*fn, *node) (func(*frame, unsafe.Pointer), []func(*frame)) {
		return func(_ *frame, c unsafe.Pointer) { (*(*func())(unsafe.Pointer(&c)))() }, nil
	}}
}

func procedure1[A basic]() signature {
	return signature{reflect.TypeFor[func(A)](), func(q *Quick, p *plan, outer *frame) reflect.Value {
		return reflect.ValueOf(func(x A) {
			a := p.enter(outer)
			*(*A)(slot(&a.frame, 0)) = x
			q.run(p, a)
			p.leave(outer, a)
		})
	}, func(f *fn, n *node) (func(*frame, unsafe.Pointer), []func(*frame)) {
		x := pass1[A](f, n)
		if !x.ok() {
			return nil, nil
		}
		return func(f *frame, c unsafe.Pointer) { (*(*func(A))(unsafe.Pointer(&c)))(x.eval(f)) }, fills(x.fill)
	}}
}

func procedure2[A, B basic]() signature {
	return signature{reflect.TypeFor[func(A, B)](), func(q *Quick, p *plan, outer *frame) reflect.Value {
		return reflect.ValueOf(func(x A, y B) {
			a := p.enter(outer)
			*(*A)(slot(&a.frame, 0)) = x
			*(*B)(slot(&a.frame, 1)) = y
			q.run(p, a)
			p.leave(outer, a)
		})
	}, func(f *fn, n *node) (func(*frame, unsafe.Pointer), []func(*frame)) {
		x, y := pass2[A, B](f, n)
		if !x.ok() || !y.ok() {
			return nil, nil
		}
		return func(f *frame, c unsafe.Pointer) { (*(*func(A, B))(unsafe.Pointer(&c)))(x.eval(f), y.eval(f)) },
			fills(x.fill, y.fill)
	}}
}

func result[R basic]() signature {
	return signature{reflect.TypeFor[func() R](), func(q *Quick, p *plan, outer *frame) reflect.Value {
		return reflect.ValueOf(func() R {
			a := p.enter(outer)
			q.run(p, a)
			r := *(*R)(slot(&a.frame, 0))
			p.leave(outer, a)
			return r
		})
	}, func(f *fn, n *node) (func(*frame, unsafe.Pointer), []func(*frame)) {
		if !f.holds(n, kindOf[R]()) {
			return nil, nil
		}
		to := slotPlace(n.level, n.findex)
		return func(f *frame, c unsafe.Pointer) {
			r := (*(*func() R)(unsafe.Pointer(&c)))()
			*(*R)(to(f)) = r
		}, nil
	}}
}

func result1[A, R basic]() signature {
	return signature{reflect.TypeFor[func(A) R](), func(q *Quick, p *plan, outer *frame) reflect.Value {
		return reflect.ValueOf(func(x A) R {
			a := p.enter(outer)
			*(*A)(slot(&a.frame, 1)) = x
			q.run(p, a)
			r := *(*R)(slot(&a.frame, 0))
			p.leave(outer, a)
			return r
		})
	}, func(f *fn, n *node) (func(*frame, unsafe.Pointer), []func(*frame)) {
		if !f.holds(n, kindOf[R]()) {
			return nil, nil
		}
		x := pass1[A](f, n)
		if !x.ok() {
			return nil, nil
		}
		to := slotPlace(n.level, n.findex)
		return func(f *frame, c unsafe.Pointer) {
			r := (*(*func(A) R)(unsafe.Pointer(&c)))(x.eval(f))
			*(*R)(to(f)) = r
		}, fills(x.fill)
	}}
}

func result2[A, B, R basic]() signature {
	return signature{reflect.TypeFor[func(A, B) R](), func(q *Quick, p *plan, outer *frame) reflect.Value {
		return reflect.ValueOf(func(x A, y B) R {
			a := p.enter(outer)
			*(*A)(slot(&a.frame, 1)) = x
			*(*B)(slot(&a.frame, 2)) = y
			q.run(p, a)
			r := *(*R)(slot(&a.frame, 0))
			p.leave(outer, a)
			return r
		})
	}, func(f *fn, n *node) (func(*frame, unsafe.Pointer), []func(*frame)) {
		if !f.holds(n, kindOf[R]()) {
			return nil, nil
		}
		x, y := pass2[A, B](f, n)
		if !x.ok() || !y.ok() {
			return nil, nil
		}
		to := slotPlace(n.level, n.findex)
		return func(f *frame, c unsafe.Pointer) {
			r := (*(*func(A, B) R)(unsafe.Pointer(&c)))(x.eval(f), y.eval(f))
			*(*R)(to(f)) = r
		}, fills(x.fill, y.fill)
	}}
}
