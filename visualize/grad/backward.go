package grad

import (
	"fmt"
	"slices"
	"time"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// BackwardRun is a backward pass as it ran, step by step: numbers and text, no tensors.
type BackwardRun struct {
	Lines []BackwardLine `json:"lines"`
	Pass  []BackwardStep `json:"pass"`
	All   int            `json:"all"`            // lines, those that are left out included
	Total int            `json:"total"`          // steps, those that are left out included
	Held  int            `json:"held,omitempty"` // bytes that the graph keeps before the first step
	Also  int            `json:"also,omitempty"` // how many of them variables keep as well
	Nanos int64          `json:"ns"`             // of the nodes, without what looking at them took
	// the steps of a graph of 40 nodes or more, as an outline; Bytes are those that they free
	Outline []GraphStep `json:"outline,omitempty"`
}

// BackwardLine is a value of the forward pass: a leaf, or what a recorded operator gave.
type BackwardLine struct {
	Name  string `json:"name"` // h, or t₁ for what has no name
	Text  string `json:"text"` // h = relu(t₁)
	Shape string `json:"shape"`
	Value string `json:"value,omitempty"` // where it is still to be had: a leaf, a variable, or saved by the graph
	Site  string `json:"site,omitempty"`
	Leaf  bool   `json:"leaf,omitempty"`
	At    int    `json:"at"`              // which line it is of all, those that are left out included
	Order int    `json:"order,omitempty"` // 1 and up where a backward pass recorded it
}

// BackwardStep is one node of the graph at work; the first step is the beginning, where the gradients of the roots
// are made.
type BackwardStep struct {
	Number int             `json:"number"` // 0 is the beginning
	Line   int             `json:"line"`   // whose node runs; -1 at the beginning
	Node   string          `json:"node,omitempty"`
	Site   string          `json:"site,omitempty"`
	Grads  []BackwardValue `json:"grads,omitempty"` // of the node's results, as they have come together
	Hooks  []string        `json:"hooks,omitempty"`
	Flows  []BackwardFlow  `json:"flows,omitempty"`
	// leaves whose gradient is complete, and what Backward would do with it
	Leaves []BackwardValue `json:"leaves,omitempty"`
	Frees  []BackwardFreed `json:"frees,omitempty"`
	Held   int             `json:"held"`           // bytes that the graph would keep from here on
	Skip   int             `json:"skip,omitempty"` // this many steps before this one are left out
}

// BackwardValue is a gradient with its name.
type BackwardValue struct {
	Line int    `json:"line"`
	Name string `json:"name"`
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
}

// BackwardFlow is a gradient on its way from the node of a step to the value it belongs to.
type BackwardFlow struct {
	To      int    `json:"to"`      // the line
	Name    string `json:"name"`    // ∂h
	Formula string `json:"formula"` // ∂y · w
	Grad    string `json:"grad"`
	Before  string `json:"before,omitempty"` // what had come before it; "" if it is the first
	Sum     string `json:"sum,omitempty"`
	Left    int    `json:"left,omitempty"` // how many more are to come
}

// BackwardFreed is a tensor that a node lets go of once it has run.
type BackwardFreed struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	Why   string `json:"why,omitempty"` // why its memory stays nevertheless
}

// Limits of what is recorded: the first steps and the last of those that are not folded away.
const (
	stepsEarly = 60
	stepsLate  = 60
)

// Backward runs the backward pass of a tensor, or of several, and shows every step of it: the line of the forward
// pass beside that of the gradient, the values that flow, where gradients from several sides are added up, and what
// the graph lets go of. At the prompt one goes through it with n and p; in a notebook one clicks through it.
//
// It is the caller's own pass, run by the engine itself, but for one thing: it changes nothing. No Grad is written,
// and the graph stays as it is, so that Backward can be called afterwards, as if nobody had looked; what the view
// says of memory is what that call will free. Hooks run, for the gradients that they give are those that flow on.
//
// The steps of a model are an outline by module and function, like its graph; of layers that are alike one is gone
// through.
//
// Arguments are tensors, and options of [autograd.Backward]: a tensor of several elements needs opt.Gradient, several
// tensors opt.GradOutputs unless they have one element each. The errors are those of that function.
//
//	visualize.Backward(loss)
//	visualize.Backward(y, opt.Gradient(OnesLike(y)))
func Backward(args ...any) *BackwardRun {
	var xs []*tensor.Tensor
	var opts []tensor.Option
	for i, a := range args {
		switch a := a.(type) {
		case *tensor.Tensor:
			xs = append(xs, a)
		case []*tensor.Tensor:
			xs = append(xs, a...)
		case tensor.Option:
			opts = append(opts, a)
		default:
			panic(tensor.Errorf("backward", "argument %d is a %T: there may be tensors and options", i, a))
		}
	}
	if len(xs) == 0 {
		panic(tensor.Errorf("backward", "there must be at least one tensor"))
	}
	r := newBackwardRecorder(xs)
	autograd.Watch(r, xs, opts...)
	r.looks()
	return r.finish()
}

// backwardRecorder watches a pass. It is dropped when the view is made.
type backwardRecorder struct {
	w     *Walk
	names map[int]string
	lines map[int]int // of each node that was found, its line
	order []int       // the nodes, by line
	run   *BackwardRun
	early []BackwardStep
	late  []BackwardStep // the last stepsLate, as they come
	now   *BackwardStep
	brief bool           // the step that runs is left out: only what follows from it is noted
	total int            // steps that there will be
	of    map[int]string // the formulas of the node that runs
	wait  []int          // of each node, how many gradients are still to come
	hooks []string       // that ran for the step to come

	holders   map[*tensor.Storage]int // how many nodes still keep it
	held      int                     // bytes of those
	elsewhere map[*tensor.Storage]bool
	values    map[int]*tensor.Tensor // of the forward pass, where they are still to be had

	plan *backwardPlan // nil for small graphs

	began time.Duration // by the clock: when the node went on after the recorder had looked at it
	ran   int           // that node, -1 before the first
}

func newBackwardRecorder(xs []*tensor.Tensor) *backwardRecorder {
	live := draw.LiveNames()
	w := &Walk{IDs: map[*autograd.Node]int{}, Labels: map[int]string{}, live: live}
	r := &backwardRecorder{w: w, run: &BackwardRun{}, lines: map[int]int{}, values: map[int]*tensor.Tensor{},
		holders: map[*tensor.Storage]int{}, ran: -1}
	for i, name := range draw.Labels("Backward", live, xs) {
		if xs[i] == nil {
			panic(tensor.Errorf("backward", "tensor %d is nil", i))
		}
		w.root(xs[i], name)
	}
	w.walk()
	r.elsewhere = w.elsewhere()
	for _, n := range w.Nodes {
		for _, st := range storages(n) {
			r.holders[st]++
		}
	}
	r.run.Held, r.run.Also = w.held()
	r.held = r.run.Held
	r.wait = make([]int, len(w.Nodes))
	for _, edges := range w.next {
		for _, e := range edges {
			r.wait[e.To]++
		}
	}
	for _, id := range w.roots {
		r.wait[id]++
	}
	for i, n := range w.Nodes {
		r.order = append(r.order, i)
		if n.Leaf() == nil {
			r.total++
		}
	}
	slices.SortFunc(r.order, func(a, b int) int { return int(w.Nodes[a].Seq()) - int(w.Nodes[b].Seq()) })
	for line, id := range r.order {
		r.lines[id] = line
	}
	r.name()
	r.findValues(xs)
	if len(w.Nodes) >= foldFrom {
		r.plan = w.plan()
	}
	r.now = &BackwardStep{Line: -1, Held: r.run.Held}
	return r
}

// storages lists the pieces of memory that a node keeps, each once.
func storages(n *autograd.Node) (out []*tensor.Storage) {
	for _, s := range saved(n) {
		if s.Tensor != nil && !slices.Contains(out, s.Tensor.Storage()) {
			out = append(out, s.Tensor.Storage())
		}
	}
	return out
}

// id is the number of a node, -1 for one beyond what is looked at.
func (r *backwardRecorder) id(n *autograd.Node) int {
	if id, ok := r.w.IDs[n]; ok {
		return id
	}
	return -1
}

// looks stops the clock of the node that runs; what it returns starts it again.
func (r *backwardRecorder) looks() (on func()) {
	if r.ran >= 0 {
		took := (draw.Clock() - r.began).Nanoseconds()
		if r.run.Nanos += took; r.plan != nil {
			r.plan.nanos[r.ran] += took
		}
	}
	return func() { r.began = draw.Clock() }
}

// Hook notes what a hook made of a gradient. It runs before the step of its node.
func (r *backwardRecorder) Hook(n *autograd.Node, output int, before, after *tensor.Tensor) {
	defer r.looks()()
	id := r.id(n)
	if id < 0 || r.brief || len(r.hooks) == 8 {
		return
	}
	r.hooks = append(r.hooks,
		fmt.Sprintf("a hook makes %s of %s", valueText(after), r.gradName(id, output)+" = "+valueText(before)))
}

// Node begins a step.
func (r *backwardRecorder) Node(n *autograd.Node, grads []*tensor.Tensor) {
	defer r.looks()()
	r.keep()
	r.run.Total++
	r.of = nil
	id := r.id(n)
	r.ran = id
	if r.plan != nil && id >= 0 {
		r.brief = !r.plan.shown[id]
		r.plan.number[id] = r.run.Total
		defer func(held int) { r.plan.frees[id] = held - r.held }(r.held)
	}
	if id < 0 || r.brief {
		r.now = &BackwardStep{Number: r.run.Total, Line: -2, Node: n.Name()}
		r.free(n, nil)
		return
	}
	r.now = &BackwardStep{Number: r.run.Total, Line: r.lines[id], Node: n.Name(), Site: draw.SiteText(n.Site()),
		Hooks: r.hooks}
	r.hooks = nil
	for i, g := range grads {
		if g != nil {
			r.now.Grads = append(r.now.Grads, BackwardValue{Line: r.lines[id], Name: r.gradName(id, i), Text: valueText(g)})
		}
	}
	m := r.w.calls(id, r.names)
	r.of = dryRun(n, func(i int) string { return r.gradName(id, i) }, m.of)
	r.free(n, &m)
}

// free notes what a node lets go of.
func (r *backwardRecorder) free(n *autograd.Node, m *naming) {
	done := map[*tensor.Storage]bool{}
	for _, s := range saved(n) {
		if s.Tensor == nil || done[s.Tensor.Storage()] {
			continue
		}
		st := s.Tensor.Storage()
		done[st] = true
		if r.holders[st]--; r.holders[st] == 0 {
			r.held -= st.Nbytes()
		}
		if m == nil {
			continue
		}
		f := BackwardFreed{Name: m.as(s.Name), Bytes: st.Nbytes()}
		if f.Name == "" {
			f.Name = s.Name
		}
		switch {
		case r.holders[st] > 0:
			f.Why = "another node keeps it"
		case r.elsewhere[st]:
			f.Why = "a variable keeps it"
		}
		r.now.Frees = append(r.now.Frees, f)
	}
	r.now.Held = r.held
}

// Flow notes a gradient that goes along an edge.
func (r *backwardRecorder) Flow(f autograd.Flow) {
	defer r.looks()()
	to := r.id(f.To.Node)
	if to < 0 {
		return
	}
	r.wait[to]--
	if r.brief || len(r.now.Flows) >= 8 {
		return
	}
	v := BackwardFlow{To: r.lines[to], Name: r.gradName(to, f.To.Output), Formula: r.of[f.Arg], Grad: valueText(f.Grad),
		Left: r.wait[to]}
	if f.From != nil && f.From.Inner() != nil && f.Arg == 0 {
		v.Formula = r.gradName(r.id(f.From), 0) + ", in the view " + v.Formula
	}
	if f.Before != nil {
		v.Before, v.Sum = valueText(f.Before), valueText(f.Sum)
	}
	r.now.Flows = append(r.now.Flows, v)
}

// Leaf notes that a leaf's gradient is complete. Leaves run as soon as they can, so it belongs to the step before.
func (r *backwardRecorder) Leaf(n *autograd.Node, grad *tensor.Tensor) {
	defer r.looks()()
	id := r.id(n)
	if id < 0 || r.brief || grad == nil || len(r.now.Leaves) >= 8 {
		return
	}
	r.now.Hooks = append(r.now.Hooks, r.hooks...)
	r.hooks = nil
	name := r.names[id]
	v := BackwardValue{Line: r.lines[id], Name: "∂" + name, Text: valueText(grad), Note: "becomes " + name + ".Grad"}
	if a := n.Leaf().AutogradMeta(); a != nil && a.Grad != nil {
		v.Note = "is added to " + name + ".Grad, which is " + valueText(a.Grad)
	}
	r.now.Leaves = append(r.now.Leaves, v)
}

// keep puts the step that has ended where it belongs.
func (r *backwardRecorder) keep() {
	if r.brief {
		return
	}
	if len(r.early) < stepsEarly {
		r.early = append(r.early, *r.now)
		return
	}
	if len(r.late) == stepsLate {
		r.late = append(r.late[:0], r.late[1:]...)
	}
	r.late = append(r.late, *r.now)
}

// finish makes the view: the steps that were kept, and the lines that they speak of.
func (r *backwardRecorder) finish() *BackwardRun {
	r.keep()
	run := r.run
	run.Pass = append(r.early, r.late...)
	for i := 1; i < len(run.Pass); i++ {
		run.Pass[i].Skip = run.Pass[i].Number - run.Pass[i-1].Number - 1
	}
	if r.plan != nil {
		run.Outline = r.planned(r.plan.groups)
	}
	run.All = len(r.order)
	shown := map[int]int{}
	for _, s := range run.Pass {
		shown[s.Line] = 0
		for _, f := range s.Flows {
			shown[f.To] = 0
		}
		for _, l := range s.Leaves {
			shown[l.Line] = 0
		}
	}
	for line, id := range r.order {
		if _, ok := shown[line]; ok {
			shown[line] = len(run.Lines)
			l := r.line(id)
			l.At = line
			run.Lines = append(run.Lines, l)
		}
	}
	for i := range run.Pass {
		s := &run.Pass[i]
		if s.Line >= 0 {
			s.Line = shown[s.Line]
		}
		for _, list := range [][]BackwardValue{s.Grads, s.Leaves} {
			for k := range list {
				list[k].Line = shown[list[k].Line]
			}
		}
		for k := range s.Flows {
			s.Flows[k].To = shown[s.Flows[k].To]
		}
	}
	return run
}
