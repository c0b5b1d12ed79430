package visualize

import (
	"fmt"
	"time"
	"weak"

	"gotorch/autograd"
	"gotorch/tensor"
)

// Note: what a trace costs. While the function runs, an event holds numbers: the operator, the key set, shapes in one common array, weak
// pointers by which names are looked up afterwards. No text is made and no tensor is kept. The time that the recording itself takes is
// summed up, and taken off the calls around.

// maxEvents is how many calls a trace holds; more are counted. maxDepth is how deep they may be nested.
const (
	maxEvents = 20000
	maxDepth  = 200
)

// recorder is what a scope's Trace field holds.
type recorder struct {
	events []event
	args   []arg
	dims   []int
	open   []int // the events that run, as indices
	more   int
	spent  time.Duration // on recording, since the beginning
	zero   time.Time
	before map[*tensor.Tensor]string // the names at the beginning; dropped at the end
}

// event is one call as it is noted.
type event struct {
	op       *tensor.Op
	variant  tensor.Variant
	keys     tensor.KeySet
	last     tensor.Key // the lowest key that ran
	site     tensor.Site
	parent   int
	args     [2]int // a range of recorder.args
	results  [2]int
	took     time.Duration
	node     string // the autograd node of the result
	saved    []string
	plan     plan
	note     string
	err      string
	view     bool
	panicked bool
}

// plan is what the kernel of a pointwise call walked.
type plan struct {
	dtype        tensor.Dtype
	known        bool
	flat, number bool
	dims         [2]int
}

// arg is an argument or a result.
type arg struct {
	tensor weak.Pointer[tensor.Tensor]
	dtype  tensor.Dtype
	dims   [2]int
	param  int // of the schema; results have their number
	kind   argKind
	value  any // a number, a string, a dtype
	more   int // tensors of a list that are not noted
}

type argKind uint8

const (
	tensorArg argKind = iota
	valueArg
	intsArg
	noneArg
)

func newRecorder() *recorder {
	return &recorder{zero: time.Now(), before: liveNames()}
}

// watcher is what a scope's Trace field holds for other views: it sees each call, and lets it go on.
type watcher interface{ watch(c *tensor.Call) }

func init() {
	tensor.RegisterFallback(tensor.KeyTrace, func(c *tensor.Call) {
		s := tensor.CurrentScope()
		if sc, ok := s.Trace.(*script); ok {
			sc.record(c)
			return
		}
		r, _ := s.Trace.(*recorder)
		switch {
		case r == nil:
			if w, ok := s.Trace.(watcher); ok {
				w.watch(c)
				return
			}
			c.Next()
		case len(r.events) >= maxEvents || len(r.open) >= maxDepth:
			r.more++
			c.Next()
		default:
			r.record(c)
		}
	})
}

// record notes a call and lets it go on.
func (r *recorder) record(c *tensor.Call) {
	begin := time.Since(r.zero)
	id := len(r.events)
	r.events = append(r.events, event{op: c.Op, variant: c.Variant, keys: c.KeySet() &^ tensor.Set(tensor.KeyTrace), site: tensor.CurrentSite(), parent: -1, view: c.IsView()})
	if n := len(r.open); n > 0 {
		r.events[id].parent = r.open[n-1]
	}
	r.open = append(r.open, id)
	lo := len(r.args)
	for i := range c.NumArgs() {
		if c.Given(i) {
			r.addArg(c, i)
		}
	}
	r.events[id].args = [2]int{lo, len(r.args)}
	before := r.spent
	start := time.Since(r.zero)
	done := false
	defer func() {
		if !done {
			r.close(c, id, begin, start, before)
			e := &r.events[id]
			e.panicked = true
			if err := recover(); err != nil {
				e.err = oneLine(fmt.Sprint(err), 300)
				panic(err)
			}
		}
	}()
	c.Next()
	done = true
	r.close(c, id, begin, start, before)
}

// close notes how a call ended: begin is when its recording began, start when the call itself did, before what recording had taken then.
func (r *recorder) close(c *tensor.Call, id int, begin, start, before time.Duration) {
	end := time.Since(r.zero)
	e := &r.events[id]
	e.took = max(0, end-start-(r.spent-before))
	e.last = c.Key()
	e.note = c.Note
	r.open = r.open[:len(r.open)-1]
	lo := len(r.args)
	for i, x := range c.Results() {
		if x == nil {
			continue
		}
		if i == 8 {
			r.args[len(r.args)-1].more = len(c.Results()) - i
			break
		}
		r.addTensor(i, x)
	}
	e.results = [2]int{lo, len(r.args)}
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
				e.saved = n.SavedNames()
			}
		}
	}
	r.spent += start - begin + time.Since(r.zero) - end
}

func (r *recorder) addDims(shape []int) [2]int {
	lo := len(r.dims)
	r.dims = append(r.dims, shape...)
	return [2]int{lo, len(r.dims)}
}

func (r *recorder) addTensor(param int, x *tensor.Tensor) {
	r.args = append(r.args, arg{tensor: weak.Make(x), dtype: x.Dtype(), dims: r.addDims(x.Sizes()), param: param})
}

func (r *recorder) addArg(c *tensor.Call, i int) {
	if x := c.Tensor(i); x != nil {
		r.addTensor(i, x)
		return
	}
	a := arg{param: i, kind: valueArg}
	switch v := c.Arg(i).(type) {
	case nil:
		a.kind = noneArg
	case bool, int64, float64, complex128, string, tensor.Dtype, tensor.Device, tensor.MemoryFormat:
		a.value = v
	case []int:
		a.kind, a.dims = intsArg, r.addDims(v[:min(len(v), 16)])
		a.more = len(v) - min(len(v), 16)
	case []*tensor.Tensor:
		for k, x := range v {
			if k == 8 {
				r.args[len(r.args)-1].more = len(v) - k
				break
			}
			if x != nil {
				r.addTensor(i, x)
			}
		}
		return
	case []any:
		a.value = indexText(v)
	default:
		a.value = clip(fmt.Sprint(v), 30)
	}
	r.args = append(r.args, a)
}

// indexText writes the list of an index, tensors by shape and dtype.
func indexText(list []any) string {
	out := "["
	for i, v := range list {
		if i > 0 {
			out += ", "
		}
		if x, ok := v.(*tensor.Tensor); ok && x != nil {
			out += tensorShape(x)
		} else {
			out += fmt.Sprint(v)
		}
		if len(out) > 60 {
			return clip(out, 58) + "]"
		}
	}
	return out + "]"
}
