package autograd

import (
	"fmt"
	"slices"

	"gotorch/tensor"
)

// Note: the engine. It runs on the caller's goroutine and without recursion. A first walk counts how many gradients
// each node waits for; then the nodes run, those made last first, as in PyTorch, with leaves as soon as they are
// complete. What a node saved is dropped as soon as it has run, unless the graph is retained.

// task is one backward pass.
type task struct {
	list   []*entry         // of all nodes, in the order in which they were found
	others map[*Node]*entry // of nodes that another pass, at the same time or around this one, walks too
	slab   []entry
	ready  []*entry            // a heap, the highest sequence number on top
	keep   bool                // retain the graph
	create bool                // record the backward pass itself
	ctx    Ctx                 // of the formula that runs
	watch  Observer            // told of every step; nil nearly always
	looks  bool                // at each gradient for NaN and infinities
	only   bool                // gradients of some tensors are asked for, and what does not lead to them is left out
	temps  *tensor.Temporaries // what formulas make on the way; nil where somebody else may see it
	lanes  *lanes              // nil where all work goes to default streams
	scope  *tensor.Scope       // in which nodes run
}

// entry is a node's part in a task.
type entry struct {
	n       *Node
	k       *task
	waits   int
	grads   []arriving // one for each result
	buf     [1]arriving
	queued  bool // a root that waits for nothing
	needed  bool // it leads to what is asked for
	capture []capture
}

// arriving is a sum of gradients on its way into a node. own: it was made by the engine or for it, and nobody else
// sees it.
type arriving struct {
	t    *tensor.Tensor
	own  bool
	from any // the stream that it was asked of, where the task has lanes
}

// capture takes the gradient of a result out of a pass.
type capture struct {
	output int
	to     **tensor.Tensor
}

// find is the entry of n in the pass, nil if it has none. A node knows its entry in one pass; others keep theirs
// beside it.
func (k *task) find(n *Node) *entry {
	if e := n.entry.Load(); e != nil && e.k == k {
		return e
	}
	return k.others[n]
}

func (k *task) entry(n *Node) (e *entry, isNew bool) {
	if e = k.find(n); e != nil {
		return e, false
	}
	if len(k.slab) == cap(k.slab) {
		k.slab = make([]entry, 0, min(max(2*cap(k.slab), 16), 1024))
	}
	k.slab = k.slab[:len(k.slab)+1]
	e = &k.slab[len(k.slab)-1]
	e.n, e.k = n, k
	if len(n.outs()) <= 1 {
		e.grads = e.buf[:]
	} else {
		e.grads = make([]arriving, len(n.outs()))
	}
	if !n.entry.CompareAndSwap(nil, e) {
		if k.others == nil {
			k.others = map[*Node]*entry{}
		}
		k.others[n] = e
	}
	k.list = append(k.list, e)
	return e, true
}

// leave takes the entries out of the nodes.
func (k *task) leave() {
	for _, e := range k.list {
		e.n.entry.CompareAndSwap(e, nil)
	}
}

// root is where a pass begins: a gradient of a result.
type root struct {
	edge Edge
	grad *tensor.Tensor
}

// run sends the gradients of roots back through the graph. wanted are the places whose gradients are asked for, and
// come in out; with nil all leaves accumulate.
func run(roots []root, wanted []Edge, out []*tensor.Tensor, keep, create bool) {
	runTask(&task{keep: keep, create: create, only: wanted != nil}, roots, wanted, out)
}

func runTask(k *task, roots []root, wanted []Edge, out []*tensor.Tensor) {
	defer k.leave()
	k.looks = currentModes().anomaly
	k.count(roots)
	k.lanes = k.findLanes()
	if k.private() {
		k.temps = tensor.NewTemporaries()
	}
	if k.only {
		k.mark(wanted, out)
	}
	for i, r := range roots {
		k.arrive(nil, i, r.edge, arriving{t: r.grad})
	}
	for _, r := range roots {
		if e := k.find(r.edge.Node); e.waits == 0 && !e.queued {
			e.queued = true
			k.push(e)
		}
	}
	body := func() {
		for len(k.ready) > 0 {
			tensor.Interrupted("backward")
			if e := k.pop(); k.lanes != nil {
				k.lanes.step(k, e)
			} else {
				k.step(e)
			}
		}
		k.lanes.join()
	}
	tensor.InScope(func(s *tensor.Scope) {
		s.Beneath, s.Backward, s.Temporaries = true, true, k.temps
		k.scope = s
		if k.create {
			s.Order = k.order()
			s.Allow(tensor.Set(tensor.KeyAutograd))
		} else {
			s.Exclude(tensor.Set(tensor.KeyAutograd))
		}
	}, body)
}

// count walks all that roots lead to and counts what each node waits for.
func (k *task) count(roots []root) {
	for _, r := range roots {
		k.entry(r.edge.Node)
	}
	for i := 0; i < len(k.list); i++ {
		for _, next := range k.list[i].n.Next() {
			if next.Node != nil {
				e, _ := k.entry(next.Node)
				e.waits++
			}
		}
	}
}

// order is one more than that of any node that the pass walks.
func (k *task) order() uint8 {
	most := uint8(0)
	for _, e := range k.list {
		most = max(most, e.n.order)
	}
	return most + 1
}

// mark finds the nodes that lead to wanted.
func (k *task) mark(wanted []Edge, out []*tensor.Tensor) {
	for i, w := range wanted {
		e := k.find(w.Node)
		if e == nil {
			continue
		}
		e.needed = true
		e.capture = append(e.capture, capture{w.Output, &out[i]})
	}
	// A node is made after all that its edges lead to, so in the order of making one walk is enough.
	sorted := append([]*entry(nil), k.list...)
	sortBySeq(sorted)
	for _, e := range sorted {
		for _, next := range e.n.Next() {
			if next.Node != nil && k.find(next.Node).needed {
				e.needed = true
				break
			}
		}
	}
}

// leads reports whether gradients have to go on to n.
func (k *task) leads(n *Node) bool { return n != nil && (!k.only || k.find(n).needed) }

// arrive takes a gradient along an edge: argument arg of from, or root arg.
func (k *task) arrive(from *Node, arg int, to Edge, g arriving) {
	e := k.find(to.Node)
	if k.watch == nil {
		k.add(e, to.Output, g)
		return
	}
	before := e.grads[to.Output].t
	k.add(e, to.Output, arriving{t: g.t}) // as nobody's own, so that before and g stay as they are
	k.watch.Flow(Flow{from, arg, to, g.t, before, e.grads[to.Output].t})
	e.grads[to.Output].own = false
}

// add puts a gradient into a node's sum.
func (k *task) add(e *entry, output int, g arriving) {
	at := &e.grads[output]
	if k.lanes != nil {
		g.from = currentStream()
		defer func() { at.from = g.from }()
		if at.t != nil {
			tensor.OrderStreams(at.t, at.from, g.from)
		}
	}
	switch {
	case at.t == nil:
		*at = g
		k.temps.Hold(g.t)
	case at.own && !k.create && at.t.Dtype() == g.t.Dtype() && at.t.IsPlain() && g.t.IsPlain():
		at.t.Add_(g.t)
	case g.own && !k.create && at.t.Dtype() == g.t.Dtype() && at.t.IsPlain() && g.t.IsPlain():
		g.t.Add_(at.t)
		k.temps.Drop(at.t)
		k.temps.Hold(g.t)
		*at = g
	default:
		sum := at.t.Add(g.t)
		k.temps.Drop(at.t)
		k.temps.Hold(sum)
		*at = arriving{t: sum, own: true}
	}
}

// step runs a node whose gradients are complete.
func (k *task) step(e *entry) {
	n := e.n
	k.scope.Running = n
	n.runHooks(e, k.watch)
	for _, c := range e.capture {
		*c.to = e.grads[c.output].t
		e.grads[c.output].own = false
		k.temps.Pass(*c.to)
	}
	if n.Leaf() != nil {
		if g := e.grads[0]; k.watch != nil {
			k.watch.Leaf(n, g.t)
		} else if g.t != nil && !k.only {
			n.accumulate(g, k.create)
			n.accumulated()
		}
		k.arrived(e)
		return
	}
	needs := n.anyNeeded(k)
	var out Grads
	if k.watch != nil {
		k.watch.Node(n, e.watched())
	}
	if needs && e.any() {
		n.runPrehooks(e)
		c := &k.ctx
		*c = Ctx{n: n, Grad: e.grads[0].t, grads: e.grads}
		if k.only {
			c.needs = func(i int) bool { return k.leads(n.Next()[i].Node) }
		}
		if n.copies() != nil {
			out = n.copies().run(c.Grad, n, c.needs)
		} else {
			out = n.vjp(c)
		}
		out = n.runPosthooks(e, out)
		if k.looks {
			k.check(n, e.grads, out)
		}
		k.send(e, out)
		if !k.keep {
			n.release()
		}
	}
	k.arrived(e)
	for _, next := range n.Next() {
		if next.Node == nil {
			continue
		}
		to := k.find(next.Node)
		if to.waits--; to.waits == 0 && (!k.only || to.needed) {
			k.push(to)
		}
	}
}

// private reports whether only the engine and built-in formulas see the gradients on their way: no hook, no function
// of the user's, no recording.
func (k *task) private() bool {
	if k.create || k.watch != nil || k.looks {
		return false
	}
	for _, e := range k.list {
		if m := e.n.more; m != nil && m.foreign() || e.n.op != nil && e.n.op.IsDefined() {
			return false
		}
	}
	return true
}

// arrived forgets the gradients that arrived at a node, which has run.
func (k *task) arrived(e *entry) {
	for i := range e.grads {
		k.temps.Drop(e.grads[i].t)
	}
	k.temps.Sweep()
	e.grads, e.buf = nil, [1]arriving{}
}

func (n *Node) anyNeeded(k *task) bool {
	for _, next := range n.Next() {
		if k.leads(next.Node) {
			return true
		}
	}
	return false
}

func (e *entry) any() bool {
	for i := range e.grads {
		if e.grads[i].t != nil {
			return true
		}
	}
	return false
}

// send passes on the gradients that a node computed.
func (k *task) send(e *entry, out Grads) {
	next := e.n.Next()
	for i, g := range out {
		if g == nil || i >= len(next) || !k.leads(next[i].Node) {
			continue
		}
		own := k.fresh(e, out, i)
		if e.n.copies() == nil {
			fitted := e.n.fit(i, g)
			own = own || fitted != g && !tensor.SharesStorage(fitted, g)
			g = fitted
		}
		k.arrive(e.n, i, next[i], arriving{t: g, own: own})
	}
}

// fresh reports whether nobody else sees gradient i of out: the formula made it just now, or it looks into a gradient
// that arrived and was the engine's own, as a transposed one does. Its memory is not that of another gradient that
// arrived, of what was saved, or of another gradient of out.
func (k *task) fresh(e *entry, out Grads, i int) bool {
	g := out[i]
	if k.create || g.Storage().Nbytes() != g.Numel()*g.ElementSize() || !g.IsDense() {
		return false
	}
	for j := range e.grads {
		if at := &e.grads[j]; at.t != nil && !at.own && tensor.SharesStorage(at.t, g) {
			return false
		}
	}
	for j, t := range out {
		if j != i && t != nil && tensor.SharesStorage(t, g) {
			return false
		}
	}
	n := e.n
	if n.copies() != nil {
		return i == 0
	}
	for j := range n.saved {
		if t := n.saved[j].t; t != nil && tensor.SharesStorage(t, g) {
			return false
		}
	}
	return true
}

// vjp runs the formula.
func (n *Node) vjp(c *Ctx) Grads {
	if n.formula() == nil {
		panic(tensor.Errorf("backward", "the derivative of %s%s is not implemented", n.OpName(), place(n.Site())).
			WithHint("put Detach() before it, or write it with operators that have one"))
	}
	if out, ok := n.fusedVJP(c); ok {
		return out
	}
	out := n.formatted(c, n.formula().VJP(c))
	for len(out) > len(n.ins()) && out[len(out)-1] == nil {
		out = out[:len(out)-1]
	}
	if len(out) > len(n.ins()) {
		panic(fmt.Sprintf("autograd: the formula of %s gives %d gradients for %d tensor arguments", n.OpName(),
			len(out), len(n.ins())))
	}
	return out
}

// fit reduces a gradient to the shape and dtype of the argument it belongs to.
func (n *Node) fit(i int, g *tensor.Tensor) *tensor.Tensor {
	m := &n.ins()[i]
	shape := n.sizes(m)
	if !slices.Equal(g.Sizes(), shape) {
		g = sumTo(g, shape, n)
	}
	if g.Dtype() != m.dtype {
		if g.Dtype().IsComplex() && !m.dtype.IsComplex() {
			g = g.Real()
		}
		if g.Dtype() != m.dtype && m.dtype.IsDifferentiable() {
			g = g.To(m.dtype)
		}
	}
	if g.Device() != m.device {
		g = g.To(m.device)
	}
	return g
}

// sumTo adds up the dimensions that broadcasting had repeated.
func sumTo(g *tensor.Tensor, shape []int, n *Node) *tensor.Tensor {
	lead := g.Dim() - len(shape)
	var dims []int
	ok := lead >= 0
	for d := 0; ok && d < g.Dim(); d++ {
		switch {
		case d < lead:
			dims = append(dims, d)
		case shape[d-lead] == 1 && g.Size(d) != 1:
			dims = append(dims, d)
		case shape[d-lead] != g.Size(d):
			ok = false
		}
	}
	if !ok {
		panic(tensor.Errorf("backward", "%s gives a gradient of shape %v for an argument of shape %v", n.describe(),
			g.Shape(), shape))
	}
	if len(dims) > 0 {
		g = g.Sum(tensor.NewOption("dim", dims), tensor.NewOption("keepdim", true))
	}
	if lead > 0 {
		g = g.View(shape...)
	}
	return g
}

// release drops what a node kept for its formula.
func (n *Node) release() {
	if n.copies() != nil {
		n.copies().fn = nil
		return
	}
	n.free()
}
