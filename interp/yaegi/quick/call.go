package quick

import (
	"reflect"
	"strings"
	"unsafe"
)

// binding is the function that a global variable holds.
type binding struct {
	value unsafe.Pointer // what the variable holds when that is the function
	plan  *plan
}

// bind notes which function a global variable holds when a declared one is assigned to it.
func (f *fn) bind(n, dest, src *node) bool {
	if n.kind != assignStmt || dest.kind != identExpr || dest.sym == nil || !dest.sym.global ||
		src.kind != identExpr || src.sym == nil || src.sym.kind != funcSym {
		return false
	}
	def := src.sym.node
	if def == nil || def.kind != funcDecl || def.recv != nil {
		return false
	}
	i, p := dest.sym.index, (*plan)(nil)
	if t := f.functionType(src); t != nil && len(def.types) >= t.NumIn()+t.NumOut() { // else a parameter has no name
		p = f.q.planOf(def)
	}
	b := f.q.binding(i)
	n.gen = func(n *node) {
		yAssign(n)
		assign := n.exec
		n.exec = func(f *frame) bltn {
			next := assign(f)
			b.plan, b.value = p, *(*unsafe.Pointer)(slot(f.root, i))
			return next
		}
	}
	return true
}

func (q *Quick) binding(global int) *binding {
	b := q.bound[global]
	if b == nil {
		b = new(binding)
		q.bound[global] = b
	}
	return b
}

// move puts an argument into a variable of the function that is called.
type move func(f *frame, to *active)

// call makes a quick step for a call of a declared function.
func (f *fn) call(n *node) {
	if is(n, yCallBin) {
		f.callCompiled(n)
		f.noteCall(n)
		return
	}
	if is(n, yLen) || is(n, yConvert) {
		f.expression(n)
		return
	}
	if is(n, yAppend) {
		f.appends(n)
		return
	}
	if !is(n, yCall) || n.action != aCall || n.anc.kind == goStmt || n.anc.kind == deferStmt {
		return
	}
	c0 := n.child[0]
	if c0.kind != identExpr || c0.sym == nil || c0.recv != nil {
		return
	}
	t := f.functionType(c0)
	f.seen(n, t)
	if t == nil || t.IsVariadic() || t.NumIn() != len(n.child)-1 {
		return
	}
	for i := range t.NumOut() {
		if t.Out(i).Kind() == reflect.Interface && t.Out(i).NumMethod() > 0 {
			return
		}
	}
	switch n.anc.kind {
	case defineXStmt, assignXStmt:
		for _, c := range n.anc.child[:t.NumOut()] {
			if c.ident == "_" {
				return
			}
		}
	}
	var static *plan
	var b *binding
	global := -1
	switch {
	case c0.sym.kind == funcSym && c0.sym.node != nil && c0.sym.node.kind == funcDecl:
		static = f.q.planOf(c0.sym.node)
	case c0.sym.global && c0.sym.index >= 0 && c0.sym.kind == varSym && strings.HasSuffix(c0.ident, f.q.FuncVar):
		global = c0.sym.index
		b = f.q.binding(global)
	default:
		f.callClosure(n, c0, t)
		return
	}
	results := t.NumOut()
	args, fill, ok := f.arguments(n.child[1:], t, results)
	if !ok {
		return
	}
	q, level, first, told := f.q, n.level, n.findex, f.firstSeen(n, t)
	if n.anc.kind == returnStmt {
		level = 0
	}
	n.gen = func(n *node) {
		yes, no := following(n), bltn(nil)
		if n.fnext != nil {
			no = stepOf(n.fnext)
		}
		var usual bltn
		if static == nil {
			yCall(n)
			if usual = n.exec; told {
				usual = q.seen(n, usual)
			}
		}
		n.exec = func(f *frame) bltn {
			p := static
			if p == nil {
				if p = b.plan; p == nil || b.value != *(*unsafe.Pointer)(slot(f.root, global)) {
					for _, fill := range fill {
						fill(f)
					}
					return usual(f)
				}
			}
			a := p.enter(f)
			if results > 0 {
				from := at(f, level)
				for i := range results {
					a.data[i] = from.data[first+i]
				}
			}
			for _, move := range args {
				move(f, a)
			}
			q.run(p, a)
			if no != nil && !*(*bool)(slot(&a.frame, 0)) {
				p.leave(f, a)
				return no
			}
			p.leave(f, a)
			return yes
		}
	}
}

// functionType is the type of what is called.
func (f *fn) functionType(n *node) reflect.Type {
	if n.typ == nil {
		return nil
	}
	t := typeOf(n.typ)
	if t == nil || t.Kind() != reflect.Func {
		return nil
	}
	return t
}

// arguments returns what puts a call's arguments where the function has them, and what leaves in the frame those that
// have no steps of their own, for a call that is not made here. Where some arguments call functions themselves, all
// have steps of their own.
func (f *fn) arguments(list []*node, t reflect.Type, first int) (out []move, fill []func(*frame), ok bool) {
	alone := true
	for i, n := range list {
		m, _ := f.argument(n, t.In(i), first+i, true)
		alone = alone && m != nil
	}
	for i, n := range list {
		m, leave := f.argument(n, t.In(i), first+i, alone)
		if m == nil {
			return nil, nil, false
		}
		out = append(out, m)
		if alone && leave != nil {
			fill = append(fill, leave)
		}
	}
	if alone {
		for _, n := range list {
			f.absorb(n)
		}
	}
	return out, fill, true
}

// argument returns what puts an argument into the variable with an index of the function that is called, or nil.
func (f *fn) argument(n *node, t reflect.Type, i int, alone bool) (move, func(*frame)) {
	switch t.Kind() {
	case reflect.Bool:
		return argumentAs[bool](f, n, i, alone)
	case reflect.String:
		return argumentAs[string](f, n, i, alone)
	case reflect.Int:
		return argumentAs[int](f, n, i, alone)
	case reflect.Int8:
		return argumentAs[int8](f, n, i, alone)
	case reflect.Int16:
		return argumentAs[int16](f, n, i, alone)
	case reflect.Int32:
		return argumentAs[int32](f, n, i, alone)
	case reflect.Int64:
		return argumentAs[int64](f, n, i, alone)
	case reflect.Uint:
		return argumentAs[uint](f, n, i, alone)
	case reflect.Uint8:
		return argumentAs[uint8](f, n, i, alone)
	case reflect.Uint16:
		return argumentAs[uint16](f, n, i, alone)
	case reflect.Uint32:
		return argumentAs[uint32](f, n, i, alone)
	case reflect.Uint64:
		return argumentAs[uint64](f, n, i, alone)
	case reflect.Float32:
		return argumentAs[float32](f, n, i, alone)
	case reflect.Float64:
		return argumentAs[float64](f, n, i, alone)
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Struct, reflect.Array, reflect.Chan, reflect.Func,
		reflect.Interface:
		if t.Kind() == reflect.Interface && t.NumMethod() > 0 {
			break
		}
		if n.kind == identExpr || !alone {
			return f.wholeArgument(n, t, i), nil
		}
	}
	return nil, nil
}

func argumentAs[T basic](f *fn, n *node, i int, alone bool) (move, func(*frame)) {
	v := pure[T](f, n)
	if !alone {
		v = atHand[T](f, n)
	}
	if !v.ok() {
		return nil, nil
	}
	x := v.eval
	to := func(f *frame, to *active) { *(*T)(slot(&to.frame, i)) = x(f) }
	if v.fixed || n.kind == identExpr {
		return to, nil
	}
	if !f.holds(n, kindOf[T]()) {
		return nil, nil
	}
	p := slotPlace(n.level, n.findex)
	return to, func(f *frame) { v := x(f); *(*T)(p(f)) = v }
}

// wholeArgument is argument for what is more than a number, as it is in the frame.
func (f *fn) wholeArgument(n *node, t reflect.Type, i int) move {
	if n.rval.IsValid() || n.kind == basicLit || n.kind == parenExpr {
		return nil
	}
	s := f.slotType(n)
	if s != t {
		return nil
	}
	level, from := f.frameIndex(n)
	if from < 0 {
		return nil
	}
	return func(f *frame, to *active) {
		to.data[i].Set(at(f, level).data[from])
	}
}
