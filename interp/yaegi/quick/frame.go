package quick

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Note: calls
//
// yaegi makes, for each call, a frame, a list of reflect.Values, and an object for each of them, and a deferred
// function recovers and panics again in every frame that a panic passes. Here a call takes the frame of one that has
// returned, with its variables in one object, if nothing can have kept them; and a panic passes without being
// recovered, only noted.

// plan is how a function is called.
type plan struct {
	def   *node
	plain bool                   // a frame can be used again
	still bool                   // and no step puts another reflect.Value in a variable's place
	free  atomic.Pointer[active] // one that is not in use

	once    sync.Once
	first   bltn           // of its body; nil for one without a step
	types   []reflect.Type // of its variables, the results before the others
	results int
	takes   bool      // arguments, of which the first is after the results
	at      []uintptr // where those without pointers are in one object, that has so many
	words   int
	far     []int // those with pointers
}

// active is a frame with the variables in one object.
type active struct {
	frame
	of    *plan
	home  []reflect.Value // what its data are at first
	near  []uint64        // the variables without pointers
	spare *active         // the frame of a call that it has made, to be used again
	depth int
}

const spares = 200 // frames that are kept, one for each level of calls

// planOf is the plan of a declared function.
func (q *Quick) planOf(def *node) *plan {
	p := q.plans[def]
	if p == nil {
		f := &fn{q: q, def: def}
		p = &plan{def: def, plain: len(def.child) == 4 && f.isPlain(def.child[3])}
		if t := f.functionType(def); t != nil {
			p.results, p.takes = t.NumOut(), t.NumIn() > 0
		}
		q.plans[def] = p
	}
	return p
}

// isStill reports whether no step below a node puts another reflect.Value in a variable's place: all are ours, but
// for some that only set values.
func isStill(n *node) bool {
	switch {
	case n.gen == nil || n.kind == identExpr || n.kind == basicLit:
	case is(n, yNop) || is(n, yBranch) || is(n, yCall) || is(n, yReturn) || is(n, yAssign) && n.kind == assignStmt:
	case isBounded(n):
		return false
	case !strings.Contains(runtime.FuncForPC(code(n.gen)).Name(), "/quick."):
		return false
	}
	return !slices.ContainsFunc(n.child, func(c *node) bool { return !isStill(c) })
}

// prepare completes a plan when its function is called for the first time.
func (p *plan) prepare() {
	p.types = p.def.types
	if start := p.def.child[3].start; start != nil {
		p.first = getExec(start)
	}
	p.at = make([]uintptr, len(p.types))
	for i, t := range p.types {
		if pointers(t) {
			p.far = append(p.far, i)
			continue
		}
		p.at[i] = uintptr(p.words) * 8
		p.words += int((t.Size() + 7) / 8)
	}
}

// pointers reports whether values of a type may hold pointers.
func pointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32,
		reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	}
	return true
}

// newActive makes a frame.
func (p *plan) newActive() *active {
	a := &active{of: p}
	n := len(p.types)
	if p.words > 0 {
		a.near = make([]uint64, p.words)
	}
	values := make([]reflect.Value, n, 2*n)
	for i, t := range p.types {
		values[i] = reflect.NewAt(t, unsafe.Add(unsafe.Pointer(unsafe.SliceData(a.near)), p.at[i])).Elem()
	}
	for _, i := range p.far {
		values[i] = reflect.New(p.types[i]).Elem()
	}
	if p.plain {
		a.home = append(values, values...)[n:]
	}
	a.data = values[:n:n]
	a.debug = unsafe.Pointer(a)
	return a
}

// own returns f if newActive made it, else nil.
func own(f *frame) *active {
	if f.debug == unsafe.Pointer(f) {
		return (*active)(unsafe.Pointer(f))
	}
	return nil
}

// enter returns a frame for a call out of f.
func (p *plan) enter(f *frame) *active {
	p.once.Do(p.prepare)
	var a *active
	caller := own(f)
	if caller != nil && caller.spare != nil && caller.spare.of == p {
		a = caller.spare
		caller.spare = nil
	} else if a = p.free.Swap(nil); a == nil {
		a = p.newActive()
	}
	if caller != nil {
		a.depth = caller.depth + 1
	} else {
		a.depth = 0
	}
	a.id = atomic.LoadUint64(&f.id)
	a.anc, a.root, a.done = f, f.root, f.done
	return a
}

// leave takes back the frame of a call that has returned.
func (p *plan) leave(f *frame, a *active) {
	if !p.plain {
		return
	}
	a.anc = nil
	if p.still {
		for i := range p.results {
			a.data[i] = a.home[i]
		}
	} else {
		copy(a.data, a.home)
	}
	clear(a.near)
	for _, i := range p.far {
		a.data[i] = a.home[i] // a step of yaegi's may have put a value in its place that cannot be set
		a.data[i].SetZero()
	}
	if caller := own(f); caller != nil {
		if a.depth < spares {
			caller.spare = a
		}
		return
	}
	p.free.Store(a)
}

// run executes a call.
func (q *Quick) run(p *plan, a *active) {
	if w := q.Watched; w != nil && w.Load() != 0 {
		q.runSeen(p, a)
		return
	}
	q.steps(p, a)
}

// steps executes the steps of a call.
func (q *Quick) steps(p *plan, a *active) {
	ended := false
	defer func() {
		if !ended {
			q.left(p, &a.frame)
		}
	}()
	stop := q.Stop
	for step := p.first; step != nil && a.id == atomic.LoadUint64(stop); {
		step = step(&a.frame)
	}
	ended = true
}

// left notes that a panic leaves a function.
func (q *Quick) left(p *plan, f *frame) {
	if q.Exiting() {
		return
	}
	first := p.def.child[3].start
	if first == nil {
		return
	}
	q.Leaving(Left{Name: panicFunc(first.scope), Pos: int(first.pos), Frame: unsafe.Pointer(f)})
}
