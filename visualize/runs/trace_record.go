package runs

import (
	"fmt"
	"sync"
	"time"
	"weak"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: what a trace costs. While the function runs, an event holds numbers: the operator, the key set, shapes in one
// common array, weak pointers by which names are looked up afterwards. No text is made and no tensor is kept. The
// time that the recording itself takes is summed up, and taken off the calls around.

// maxEvents is how many calls a trace holds; more are counted. maxDepth is how deep they may be nested.
const (
	maxEvents = 20000
	maxDepth  = 200
)

// recorder is what a scope's Trace field holds.
type recorder struct {
	events slab[event]
	args   []arg // those of events that were noted lately
	dims   []int // likewise
	recent [4]seenTensor
	next   int   // of recent, to be replaced
	open   []int // the events that run, as indices
	more   int
	spent  time.Duration // on recording, since the beginning
	zero   time.Duration // when it began
	total  time.Duration // what the function took, without recording
	memory *memoryWatch  // where memory is watched too
	shared bool          // whether the parts that goroutines have in loops are noted
	spanMu sync.Mutex
	spans  []loopPart
	before map[*tensor.Tensor]string // the names at the beginning; dropped at the end
	made   map[uint64]int            // of nodes that were recorded meanwhile, the outermost call that made them
}

// event is one call as it is noted.
type event struct {
	op       *tensor.Op
	variant  tensor.Variant
	keys     tensor.KeySet
	last     tensor.Key // the lowest key that ran
	site     tensor.Site
	parent   int
	args     []arg
	results  []arg
	start    time.Duration // since the beginning, without recording
	took     time.Duration
	kernel   time.Duration // in the device's kernel
	modes    uint8
	users    []string // modes of a user, the innermost first
	node     string   // the autograd node of the result
	saved    []string
	plan     plan
	note     string
	err      string
	flops    float64
	view     bool
	panicked bool
	origin   *origin // of an outermost call of a backward pass
}

// origin is the node of the graph for which a call of a backward pass was made.
type origin struct {
	seq  uint64
	site tensor.Site
	leaf weak.Pointer[tensor.Tensor] // that the node leads to
}

// plan is what the kernel of a pointwise call walked.
type plan struct {
	dtype        tensor.Dtype
	known        bool
	flat, number bool
	dims         []int
}

// arg is an argument or a result.
type arg struct {
	tensor weak.Pointer[tensor.Tensor]
	dtype  tensor.Dtype
	kind   argKind
	param  int16 // of the schema; results have their number
	more   int32 // tensors of a list that are not noted
	dims   []int
	value  any // a number, a string, a dtype
	once   int // elements that lie at different places
}

// Modes of an event.
const (
	noGradMode uint8 = 1 << iota
	transformMode
	backwardMode
)

// loopPart is a goroutine's part in a loop.
type loopPart struct {
	worker, chunks, call int
	start, took          time.Duration
}

type argKind uint8

const (
	tensorArg argKind = iota
	valueArg
	intsArg
	noneArg
)

func newRecorder() *recorder {
	return &recorder{before: draw.LiveNames(), zero: clock(), made: map[uint64]int{}}
}

// WatchKernel adds the time of a kernel to its call.
func (r *recorder) WatchKernel(_ *tensor.Call, run func()) {
	if len(r.open) == 0 { // calls beyond the limits are part of the call around
		run()
		return
	}
	id := r.open[len(r.open)-1]
	begin, before := clock(), r.spent
	run()
	r.events.at(id).kernel += max(0, clock()-begin-(r.spent-before))
}

// Watch notes a call, within the limits, and makes it.
func (r *recorder) Watch(c *tensor.Call) {
	if r.events.n >= maxEvents || len(r.open) >= maxDepth {
		r.more++
		c.Next()
		return
	}
	r.record(c, tensor.CurrentScope())
}

// recording is the recorder of the running goroutine, nil where there is none.
func recording() *recorder {
	if s := tensor.CurrentScope(); s != nil {
		r, _ := s.Trace.(*recorder)
		return r
	}
	return nil
}

// record notes a call and lets it go on.
func (r *recorder) record(c *tensor.Call, s *tensor.Scope) {
	begin := clock()
	id := r.events.add()
	e := r.events.at(id)
	e.op, e.variant, e.keys, e.site, e.parent, e.view = c.Op, c.Variant, c.KeySet()&^tensor.Set(tensor.KeyTrace),
		tensor.CurrentSite(), -1, c.IsView()
	if e.keys.Has(tensor.KeyMode) {
		e.users = tensor.Modes()
	}
	if n := len(r.open); n > 0 {
		e.parent = r.open[n-1]
	}
	if !s.Beneath && tensor.Excluded(tensor.KeyAutograd) &&
		(e.parent < 0 || r.events.at(e.parent).modes&noGradMode != 0) {
		e.modes |= noGradMode
	}
	if s.Backward {
		e.modes |= backwardMode
		if n, ok := s.Running.(*autograd.Node); ok && e.parent < 0 {
			e.origin = r.originOf(n)
		}
	}
	if s.Level > 0 {
		e.modes |= transformMode
	}
	if r.memory != nil && e.parent < 0 {
		r.memory.begins(begin-r.zero-r.spent, id)
	}
	r.open = append(r.open, id)
	r.args = room(r.args, c.NumArgs())
	lo := len(r.args)
	for i := range c.NumArgs() {
		if c.Given(i) {
			r.addArg(c, i)
		}
	}
	e.args = r.args[lo:len(r.args):len(r.args)]
	start := clock()
	r.spent += start - begin
	e.start = start - r.zero - r.spent
	done := false
	defer func() {
		if !done {
			r.close(c, id)
			e := r.events.at(id)
			e.panicked = true
			if err := recover(); err != nil {
				e.err = draw.OneLine(fmt.Sprint(err), 300)
				panic(err)
			}
		}
	}()
	c.Next()
	done = true
	r.close(c, id)
}

// close notes how a call ended.
func (r *recorder) close(c *tensor.Call, id int) {
	end := clock()
	e := r.events.at(id)
	e.took = max(0, end-r.zero-r.spent-e.start)
	e.last = c.Key()
	e.note = c.Note
	e.flops = c.Flops()
	r.open = r.open[:len(r.open)-1]
	r.args = room(r.args, len(c.Results()))
	lo := len(r.args)
	for i, x := range c.Results() {
		if x == nil {
			continue
		}
		if i == 8 {
			r.args[len(r.args)-1].more = int32(len(c.Results()) - i)
			break
		}
		r.addTensor(i, x)
	}
	e.results = r.args[lo:len(r.args):len(r.args)]
	e.view = e.view || e.variant == tensor.Functional && !c.IsWrite() && looksInto(c)
	if p := c.Plan(); p != nil {
		e.plan = plan{dtype: p.Dtype, known: true, flat: p.Flat, dims: r.addDims(p.Shape)}
		for i := range p.In {
			e.plan.number = e.plan.number || p.In[i].Tensor == nil
		}
	}
	if e.keys.Has(tensor.KeyAutograd) && e.last != tensor.KeyAutograd && len(c.Results()) > 0 {
		if a := c.Results()[0].AutogradMeta(); a != nil && a.Fn != nil {
			e.node = a.Fn.Name()
			if n, ok := a.Fn.(*autograd.Node); ok {
				r.made[n.Seq()] = id
				if len(r.open) > 0 {
					r.made[n.Seq()] = r.open[0]
				}
				e.saved = n.SavedNames()
				if r.memory != nil {
					r.memory.saves(n)
				}
			}
		}
	}
	if r.memory != nil {
		r.memory.touched(c, end-r.zero-r.spent)
	}
	r.spent += clock() - end
}

// originOf notes a node that runs.
func (r *recorder) originOf(n *autograd.Node) *origin {
	o := &origin{seq: n.Seq()}
	leaf := n.Leaf()
	if leaf == nil { // a leaf's site is where it was made
		o.site = n.Site()
	}
	for _, e := range n.Next() {
		if leaf == nil && e.Node != nil {
			leaf = e.Node.Leaf()
		}
	}
	if leaf != nil {
		o.leaf = r.weakly(leaf)
	}
	return o
}

// looksInto reports whether the results of a call lie in the storage of its first argument, as that of _unsafe_view:
// nothing was moved, whatever the schema says of aliases.
func looksInto(c *tensor.Call) bool {
	rs := c.Results()
	if len(rs) == 0 || c.NumArgs() == 0 {
		return false
	}
	x := c.Tensor(0)
	if x == nil {
		return false
	}
	for _, r := range rs {
		if r == nil || r.Storage() != x.Storage() {
			return false
		}
	}
	return true
}

// addDims copies a shape.
func (r *recorder) addDims(shape []int) []int {
	r.dims = room(r.dims, len(shape))
	lo := len(r.dims)
	r.dims = append(r.dims, shape...)
	return r.dims[lo:len(r.dims):len(r.dims)]
}

func (r *recorder) addTensor(param int, x *tensor.Tensor) {
	r.args = append(r.args, arg{tensor: r.weakly(x), dtype: x.Dtype(), dims: r.addDims(x.Sizes()), param: int16(param),
		once: distinct(x)})
}

// distinct is how many elements of x lie at different places, judged by its strides of 0.
func distinct(x *tensor.Tensor) int {
	n := 1
	strides := x.Strides()
	for i, d := range x.Sizes() {
		if strides[i] != 0 || d == 0 {
			n *= d
		}
	}
	return n
}

func (r *recorder) addArg(c *tensor.Call, i int) {
	if x := c.Tensor(i); x != nil {
		r.addTensor(i, x)
		return
	}
	a := arg{param: int16(i), kind: valueArg}
	switch v := c.Arg(i).(type) {
	case nil:
		a.kind = noneArg
	case bool, int64, float64, complex128, string, tensor.Dtype, tensor.Device, tensor.MemoryFormat:
		a.value = v
	case []int:
		a.kind, a.dims = intsArg, r.addDims(v[:min(len(v), 16)])
		a.more = int32(len(v) - min(len(v), 16))
	case []*tensor.Tensor:
		for k, x := range v {
			if k == 8 {
				r.args[len(r.args)-1].more = int32(len(v) - k)
				break
			}
			if x != nil {
				r.addTensor(i, x)
			}
		}
		return
	case []any:
		a.value = draw.IndexText(v)
	case *tensor.FusedBody:
		a.value = v.Summary()
	default:
		a.value = draw.Clip(fmt.Sprint(v), 30)
	}
	r.args = append(r.args, a)
}
