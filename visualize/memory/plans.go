package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"weak"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// IterationPlans shows how kernels walked their operands while a function ran: the planner's stages for every
// pointwise call, and the runs of every reduction.
type IterationPlans struct {
	Calls  []*PlannedCall `json:"calls"`
	More   int            `json:"more,omitempty"`   // kinds of calls that are left out
	Others []string       `json:"others,omitempty"` // operators without a plan that ran
	Error  string         `json:"error,omitempty"`  // the panic that ended the function
}

// PlannedCall is one call of an operator that walks its operands, or several that are alike.
type PlannedCall struct {
	Op        string           `json:"op"`
	Site      string           `json:"site,omitempty"`
	Times     int              `json:"times"`
	Reduction bool             `json:"reduction,omitempty"`
	Dims      string           `json:"dims,omitempty"` // that a reduction takes away, where they were given
	Dtype     string           `json:"dtype"`          // that the kernel computes in
	Why       string           `json:"why,omitempty"`
	Shape     []int            `json:"shape"`              // that the operands are broadcast to
	Order     []int            `json:"order,omitempty"`    // the dimensions as the loops walk them, slowest first
	Permuted  []int            `json:"permuted,omitempty"` // Shape in that order
	Loops     []int            `json:"loops,omitempty"`    // what is left of it after coalescing
	Same      bool             `json:"same,omitempty"`     // all operands lie alike: no stage was needed
	Flat      bool             `json:"flat,omitempty"`     // one run over memory
	Operands  []PlannedOperand `json:"operands"`           // the result first
	Kernel    string           `json:"kernel,omitempty"`   // the kernel's own words
	Body      []string         `json:"body,omitempty"`     // of what was fused: the loop as Go
}

// PlannedOperand is an operand of a call; strides are in elements.
type PlannedOperand struct {
	Name      string `json:"name"`
	Dtype     string `json:"dtype"`
	Number    string `json:"number,omitempty"` // the value of an operand that is no tensor
	Shape     []int  `json:"shape,omitempty"`
	Stride    []int  `json:"stride,omitempty"`
	Offset    int    `json:"offset,omitempty"`
	Broadcast []int  `json:"broadcast,omitempty"` // broadcast dimensions have stride 0
	Permuted  []int  `json:"permuted,omitempty"`
	Coalesced []int  `json:"coalesced,omitempty"`
}

const maxPlans = 16

// Plans runs f and shows, for each pointwise call, what the dispatcher's planner made of it: the operands' strides,
// broadcast to one shape, put into the order in which memory lies, and coalesced into as few loops as will do; the
// dtype that the kernel computed in, and why; and the loop that ran. Reductions show their runs. Calls that are alike
// are shown once. A panic of f goes on.
//
//	visualize.Plans(func() { x.Add(y.T()) })
func Plans(f func()) *IterationPlans {
	v, panicked := RecordPlans(f)
	if panicked != nil {
		panic(panicked)
	}
	return v
}

// RecordPlans runs f like [Plans] and returns the view also when f panics, with the panic's value, with which the
// caller should panic again.
func RecordPlans(f func()) (v *IterationPlans, panicked any) {
	r := &planRecorder{names: draw.LiveNames(), made: map[weak.Pointer[tensor.Tensor]]string{},
		seen: map[string]*PlannedCall{}}
	panicked = draw.Record(r, f, func(failure string) {
		seen := r.view // apart from the recorder, which knows tensors by name
		v = &seen
		v.Error = failure
	})
	return v, panicked
}

// planRecorder is what a scope's Trace field holds; it keeps strings and numbers of what it sees, and no tensor.
type planRecorder struct {
	view  IterationPlans
	names map[*tensor.Tensor]string
	made  map[weak.Pointer[tensor.Tensor]]string // what results are called: mul(x, 2)
	seen  map[string]*PlannedCall
}

// Watch lets a call go on and notes its plan.
func (r *planRecorder) Watch(c *tensor.Call) {
	site, made := draw.CurrentSite(), r.expression(c)
	c.Next()
	if rs := c.Results(); len(rs) == 1 && c.Variant == tensor.Functional && len(r.made) < 1000 {
		r.made[weak.Make(rs[0])] = made
	}
	if !c.Key().IsDevice() && !c.KeySet().Has(tensor.KeyAutograd) || c.Op.IsComposite() {
		return // a body: what it calls is noted
	}
	var p *PlannedCall
	switch {
	case c.Plan() != nil:
		p = r.pointwise(c)
	case fusedBody(c) != nil:
		p = r.fused(c)
	case c.Op.Tags.Has(opdef.Reduction) && c.Self() != nil && len(c.Results()) > 0:
		p = r.reduction(c)
	default:
		name := c.Name()
		if c.IsView() {
			name += " (a view)"
		}
		if len(r.view.Others) < maxPlans && !slices.Contains(r.view.Others, name) {
			r.view.Others = append(r.view.Others, name)
		}
		return
	}
	p.Op, p.Site = c.Name(), site.String()
	if p.Body == nil {
		p.Kernel = draw.Clip(c.Note, 110)
	}
	if c.Device().Virtual() {
		p.Kernel = "meta: shapes alone, no loop runs"
	}
	r.note(p)
}

// nameOf is a variable's name, or the call that made x; "" where neither is known.
func (r *planRecorder) nameOf(x *tensor.Tensor) string {
	if n := r.names[x]; n != "" {
		return draw.Clip(n, draw.MaxName)
	}
	return r.made[weak.Make(x)]
}

// expression is a call in few characters: mul(x, 2), or mul(…) where that is long.
func (r *planRecorder) expression(c *tensor.Call) string {
	var args []string
	for i := range c.NumArgs() {
		if x := c.Tensor(i); x != nil {
			n := r.nameOf(x)
			if n == "" {
				n = c.Op.Params[i].Name
			}
			args = append(args, n)
		} else if s, ok := c.Scalar(i); ok && c.Given(i) {
			args = append(args, fmt.Sprint(s))
		}
	}
	if text := c.Op.Name + "(" + strings.Join(args, ", ") + ")"; draw.Width(text) <= 16 {
		return text
	}
	return draw.Clip(c.Op.Name, draw.MaxName-3) + "(…)"
}

// note adds a call, or counts it with one that is alike.
func (r *planRecorder) note(p *PlannedCall) {
	key, _ := json.Marshal(p)
	if q := r.seen[string(key)]; q != nil {
		q.Times++
		return
	}
	r.seen[string(key)] = p
	p.Times = 1
	if len(r.view.Calls) == maxPlans {
		r.view.More++
		return
	}
	r.view.Calls = append(r.view.Calls, p)
}

// pointwise notes the stages of a plan.
func (r *planRecorder) pointwise(c *tensor.Call) *PlannedCall {
	p, s := c.Plan(), c.PlanStages()
	n := &PlannedCall{Dtype: p.Dtype.String(), Why: promotion(c, p), Shape: s.Shape, Order: s.Order, Permuted: s.Permuted,
		Loops: s.Coalesced, Same: s.Same, Flat: p.Flat}
	slots := operandSlots(c, p)
	n.Operands = append(n.Operands, operandOf("result", &p.Out, &s.Out))
	for i := range p.In {
		name := c.Op.Params[slots[i]].Name
		if t := p.In[i].Tensor; t != nil && r.nameOf(t) != "" {
			name = r.nameOf(t)
		}
		n.Operands = append(n.Operands, operandOf(name, &p.In[i], &s.In[i]))
	}
	if c.Variant == tensor.InPlace {
		n.Operands[0].Name = n.Operands[1+max(0, slices.Index(slots, c.Op.Self()))].Name
	}
	return n
}

// operandSlots finds the parameters that the plan's inputs are.
func operandSlots(c *tensor.Call, p *tensor.Plan) []int {
	var slots []int
	for i := range c.NumArgs() {
		if _, number := c.Scalar(i); c.Op.Params[i].Is("Tensor") && (c.Tensor(i) != nil || number) {
			slots = append(slots, i)
		}
	}
	for len(slots) < len(p.In) {
		slots = append(slots, 0)
	}
	return slots
}

func operandOf(name string, o *tensor.PlanOperand, s *tensor.OperandStages) PlannedOperand {
	n := PlannedOperand{Name: name, Dtype: o.Dtype.String(), Permuted: s.Permuted, Coalesced: s.Coalesced}
	if o.Tensor == nil {
		n.Number, n.Dtype = draw.Clip(fmt.Sprint(o.Number), 16), o.Number.Dtype().String()
		return n
	}
	n.Shape, n.Stride, n.Offset, n.Broadcast = o.Tensor.Shape(), o.Tensor.Stride(), o.Offset, s.Broadcast
	return n
}

// reduction notes a call whose kernel folds runs.
func (r *planRecorder) reduction(c *tensor.Call) *PlannedCall {
	x, out := c.Self(), c.Ret(0)
	name := r.nameOf(x)
	if name == "" {
		name = c.Op.Params[max(0, c.Op.Self())].Name
	}
	n := &PlannedCall{Reduction: true, Dtype: out.Dtype().String(), Shape: x.Shape()}
	if i := c.Op.Param("dim"); i >= 0 && c.Given(i) && !c.IsNone(i) {
		n.Dims = draw.Clip(fmt.Sprint(c.Arg(i)), 24)
	}
	for _, o := range []struct {
		name string
		x    *tensor.Tensor
	}{{"result", out}, {name, x}} {
		n.Operands = append(n.Operands, PlannedOperand{Name: o.name, Dtype: o.x.Dtype().String(), Shape: o.x.Shape(),
			Stride: o.x.Stride(), Offset: o.x.StorageOffset()})
	}
	return n
}

// fusedBody is what a fused call computes, nil for other calls.
func fusedBody(c *tensor.Call) *tensor.FusedBody {
	if c.NumArgs() < 2 {
		return nil
	}
	body, _ := c.Arg(1).(*tensor.FusedBody)
	return body
}

// fused notes a chain of operators that ran as one loop.
func (r *planRecorder) fused(c *tensor.Call) *PlannedCall {
	if len(c.Results()) == 0 {
		return &PlannedCall{Operands: []PlannedOperand{{Name: "result"}}}
	}
	body, out := fusedBody(c), c.Ret(0)
	n := &PlannedCall{Dtype: out.Dtype().String(), Shape: out.Shape(), Body: strings.Split(body.String(), "\n")}
	add := func(name string, x *tensor.Tensor) {
		n.Operands = append(n.Operands, PlannedOperand{Name: name, Dtype: x.Dtype().String(), Shape: x.Shape(),
			Stride: x.Stride(), Offset: x.StorageOffset()})
	}
	for _, x := range c.Results() {
		add("out", x)
	}
	for i, x := range c.Tensors(0) {
		name := body.InputName(i)
		if known := r.nameOf(x); known != "" && known != name {
			name += " = " + known
		}
		add(name, x)
	}
	return n
}

// promotion says why a plan computes in its dtype. It asks the dispatcher's own promotion; an operator with a rule of
// its own says so.
func promotion(c *tensor.Call, p *tensor.Plan) string {
	var dims, zero, numbers, all []tensor.Operand
	for i := range p.In {
		switch o := &p.In[i]; {
		case o.Tensor == nil:
			numbers = append(numbers, scalarValue(o.Number))
			all = append(all, scalarValue(o.Number))
		case o.Tensor.Dim() > 0:
			dims, all = append(dims, o.Tensor), append(all, o.Tensor)
		default:
			zero, all = append(zero, o.Tensor), append(all, o.Tensor)
		}
	}
	var kinds []string
	for _, k := range []struct {
		what string
		of   []tensor.Operand
	}{{"of tensors", dims}, {"of 0-dimensional tensors", zero}, {"of numbers", numbers}} {
		if len(k.of) > 0 {
			kinds = append(kinds, tensor.ResultType(k.of...).String()+" "+k.what)
		}
	}
	why := strings.Join(kinds, ", ")
	common := tensor.Dtype(tensor.NoDtype)
	if len(all) > 0 {
		common = tensor.ResultType(all...)
	}
	switch {
	case len(all) == 1 && common == p.Dtype:
		why = "the operand's"
	case common == p.Dtype && len(kinds) == 1:
		why = "all operands promote to it"
	case common == p.Dtype && len(dims) > 0 && tensor.ResultType(dims...) == common:
		why += ": tensors decide, the others are of no higher category"
	case common == p.Dtype:
		why += ": a higher category (bool < integer < float < complex) wins"
	case c.Op.Tags.Has(opdef.FloatResult) && !common.IsDifferentiable() && p.Dtype == tensor.DefaultDtype():
		why = common.String() + " would do, but " + c.Op.Name + " computes in floating point: the default dtype"
	default:
		why = "by a rule of " + c.Op.Name + "'s own"
	}
	if out := p.Out.Dtype; out != p.Dtype {
		why += "; the result is " + out.String()
	}
	return why
}

// scalarValue is a number as promotion takes it.
func scalarValue(s tensor.Scalar) tensor.Operand {
	switch {
	case s.IsBool():
		return s.Bool()
	case s.IsComplex():
		return s.Complex()
	case s.IsFloat():
		return s.Float()
	}
	return s.Int()
}
