package tensor

import (
	"slices"
	"sync"

	"gotorch/tensor/opdef"
)

// Variant is the form in which an operator was called.
//
//gotorch:internal
type Variant uint8

// The forms: x.Add(y), x.Add_(y), x.Add(y, opt.Out(z)).
//
//gotorch:internal
const (
	Functional Variant = iota
	InPlace
	OutVariant
)

// Call is one call of an operator on its way through the dispatcher: the operator, its arguments in the slots of the
// schema's parameters, and its results. Calls are used again after they returned: no code keeps one.
//
//gotorch:internal
type Call struct {
	Op      *Op
	Variant Variant
	args    []value // one for each parameter of the schema
	buf     [8]value
	out     []*Tensor // destinations of opt.Out
	outBuf  [1]*Tensor
	ret     []*Tensor
	retBuf  [3]*Tensor
	selfBuf [1]*Tensor // of Written
	keys    KeySet
	all     KeySet
	key     Key
	device  Device
	plan    *Plan
	planBuf Plan
	inRows  bool      // the kernel fills rows that lie one after the other; see newFormat
	given   []*Tensor // the results, of a call that another has made them for; see Later
	// Note is for the kernel to say what it chose, where a trace is on: "float32, contiguous × scalar".
	Note string
	// Loop is for the kernel to leave the loop that it chose, a function, where a trace is on: tools find out where it
	// stands.
	Loop any
	// Made is where a kernel keeps what it made of the arguments, nil for a call that runs once; one that runs again
	// changes only where its operands begin.
	Made *any
}

var callPool = sync.Pool{New: func() any { return new(Call) }}

// begin takes a call for o.
func begin(o *Op) *Call {
	c := callPool.Get().(*Call)
	c.Op = o
	n := len(o.Params)
	if n <= len(c.buf) {
		c.args = c.buf[:n]
	} else {
		c.args = make([]value, n)
	}
	return c
}

// end returns a call to the pool. After a panic it is left to the collector.
func end(c *Call) {
	clear(c.args)
	clear(c.ret)
	c.Op, c.Variant, c.args, c.ret, c.out, c.keys, c.all, c.device, c.Note = nil, 0, nil, nil, nil, 0, 0, Device{}, ""
	c.inRows, c.Loop = false, nil
	if poison {
		c.poison()
		return
	}
	if c.plan != nil {
		c.plan.reset()
		c.plan = nil
	}
	c.outBuf[0], c.selfBuf[0] = nil, nil
	callPool.Put(c)
}

func (c *Call) setTensor(i int, t *Tensor) {
	if t == nil {
		if !c.Op.Params[i].Optional {
			panic(Errorf(c.Name(), "%s is a nil tensor", c.Op.Params[i].Name).OnArg(c.Op.Params[i].Name))
		}
		c.args[i].kind = noneValue
		return
	}
	c.args[i].kind, c.args[i].t = tensorValue, t
}

func (c *Call) setInt(i, v int)           { c.args[i].kind, c.args[i].s = intValue, IntScalar(int64(v)) }
func (c *Call) setFloat(i int, v float64) { c.args[i].kind, c.args[i].s = floatValue, FloatScalar(v) }
func (c *Call) setBool(i int, v bool)     { c.args[i].kind, c.args[i].s = boolValue, boolScalar(v) }
func (c *Call) setOther(i int, v any)     { c.args[i].kind, c.args[i].x = otherValue, v }
func (c *Call) setOperand(i int, v any) {
	if t, ok := v.(*Tensor); ok {
		c.setTensor(i, t)
		return
	}
	if s, ok := ScalarOf(v); ok {
		c.args[i].kind, c.args[i].s = numberValue, s
		return
	}
	c.set(i, v)
}

// set reads any Go value into slot i.
func (c *Call) set(i int, v any) {
	p := &c.Op.Params[i]
	val, ok := convert(p, v)
	if !ok {
		if name, isText := v.(string); isText && p.Is("Device") {
			panic(noSuchDevice(c.Name(), name))
		}
		panic(Errorf(c.Name(), "argument %s must be %s, not %s", p.Name, wants(p), describe(v)).OnArg(p.Name))
	}
	c.args[i] = val
}

// Name is the operator's name in the form of the call: "add_".
func (c *Call) Name() string {
	if c.Variant == InPlace {
		return c.Op.noteOf(InPlace).Op
	}
	return c.Op.Name
}

// arg returns the value of a slot, or the schema's default.
func (c *Call) arg(i int) *value {
	if c.args[i].kind == unset {
		return c.Op.missing(i)
	}
	return &c.args[i]
}

// NumArgs is the number of the schema's parameters; Given tells which were given.
func (c *Call) NumArgs() int     { return len(c.args) }
func (c *Call) Given(i int) bool { return c.args[i].kind != unset }

// Arg returns argument i as a Go value (a *Tensor, bool, int64, float64, complex128, []int, string, …), nil for None.
// For tools.
func (c *Call) Arg(i int) any { return c.arg(i).any() }

// IsNone reports whether argument i is None.
func (c *Call) IsNone(i int) bool { return c.arg(i).kind == noneValue }

// Tensor is argument i, nil if it is None or a number.
func (c *Call) Tensor(i int) *Tensor { return c.arg(i).t }

// Scalar is argument i as a number; ok is false for None or a tensor.
func (c *Call) Scalar(i int) (s Scalar, ok bool) {
	v := c.arg(i)
	return v.s, v.kind >= numberValue && v.kind <= floatValue
}

// Int, Float, Bool and Str are argument i; None gives zero.
func (c *Call) Int(i int) int       { return int(c.arg(i).s.Int()) }
func (c *Call) Float(i int) float64 { return c.arg(i).s.Float() }
func (c *Call) Bool(i int) bool     { return c.arg(i).s.Bool() }
func (c *Call) Str(i int) string    { s, _ := c.arg(i).x.(string); return s }

// Ints is argument i, a list of ints; an int gives a list of one, None returns nil.
func (c *Call) Ints(i int) []int {
	v := c.arg(i)
	if v.kind == intValue || v.kind == numberValue {
		return []int{int(v.s.Int())}
	}
	l, _ := v.x.([]int)
	return l
}

// Pair is argument i, an int[n]: one int stands for n.
func (c *Call) Pair(i, n int) []int {
	l := c.Ints(i)
	if len(l) == 1 {
		out := make([]int, n)
		for j := range out {
			out[j] = l[0]
		}
		return out
	}
	if len(l) != n && len(l) != 0 {
		p := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "%s must have 1 or %d numbers, not %d", p, n, len(l)).OnArg(p))
	}
	return l
}

// Scalars is argument i, a list of numbers, nil for None or one number.
func (c *Call) Scalars(i int) []Scalar { l, _ := c.arg(i).x.([]Scalar); return l }

// Tensors is argument i, a list of tensors.
func (c *Call) Tensors(i int) []*Tensor { l, _ := c.arg(i).x.([]*Tensor); return l }

// Indices is argument i, a list of indices.
func (c *Call) Indices(i int) []any { l, _ := c.arg(i).x.([]any); return l }

// Dtype is argument i, NoDtype for None.
func (c *Call) Dtype(i int) Dtype { d, _ := c.arg(i).x.(Dtype); return d }

// MemoryFormat is argument i, NoFormat for None.
func (c *Call) MemoryFormat(i int) MemoryFormat { f, _ := c.arg(i).x.(MemoryFormat); return f }

// Generator is argument i, the device's default generator for None.
func (c *Call) Generator(i int) *Generator {
	if g, _ := c.arg(i).x.(*Generator); g != nil {
		return g
	}
	return DefaultGenerator()
}

// DtypeOption is the argument called dtype, or def if it was not given. A factory that writes to opt.Out makes what
// that is of.
func (c *Call) DtypeOption(def Dtype) Dtype {
	if c.Op.requires >= 0 && c.Variant == OutVariant {
		out := c.out[0].dtype
		if d := c.Dtype(c.Op.Param("dtype")); d != NoDtype && d != out {
			panic(Errorf(c.Name(), "dtype %s does not match dtype of out parameter (%s)", d, out))
		}
		return out
	}
	if i := c.Op.Param("dtype"); i >= 0 {
		if d := c.Dtype(i); d != NoDtype {
			return d
		}
	}
	return def
}

// DeviceOption is the argument called device, or the default device if it was not given.
func (c *Call) DeviceOption() Device {
	if s := CurrentScope(); s != nil && s.Substitute != nil {
		return DefaultDevice()
	}
	if i := c.Op.Param("device"); i >= 0 {
		if d, _ := c.arg(i).x.(Device); d.kind != noDevice {
			return d
		}
	}
	return DefaultDevice()
}

// Device is the device that the call runs on.
func (c *Call) Device() Device { return c.device }

// KeySet is the key set that the call began with; Key is the key whose kernel runs.
func (c *Call) KeySet() KeySet { return c.all }
func (c *Call) Key() Key       { return c.key }

// EachTensor calls f with every tensor among the arguments, lists included, and the slot that it stands in.
func (c *Call) EachTensor(f func(slot int, t *Tensor)) {
	for i := range c.args {
		switch v := &c.args[i]; v.kind {
		case tensorValue:
			f(i, v.t)
		case otherValue:
			switch l := v.x.(type) {
			case []*Tensor:
				for _, t := range l {
					if t != nil {
						f(i, t)
					}
				}
			case []any:
				for _, e := range l {
					if t, ok := e.(*Tensor); ok && t != nil {
						f(i, t)
					}
				}
			}
		}
	}
}

// Results are the tensors that the call gives, in the schema's order; a list result is all of them.
func (c *Call) Results() []*Tensor { return c.ret }

// Ret is result i.
func (c *Call) Ret(i int) *Tensor { return c.ret[i] }

// Return sets the results.
func (c *Call) Return(ts ...*Tensor) { c.ret = append(c.retBuf[:0], ts...) }

// ReturnsList reports whether the operator gives a list of tensors.
func (c *Call) ReturnsList() bool { return c.Op.Rets[0].IsList("Tensor") }

// Self is what an in-place call writes to.
func (c *Call) Self() *Tensor {
	if i := c.Op.Self(); i >= 0 {
		return c.args[i].t
	}
	return c.args[0].t
}

// Written lists the tensors that the call writes to: the receiver of an in-place form, the destinations of opt.Out,
// what the schema marks with (a!). The slice is the call's own.
func (c *Call) Written() []*Tensor {
	switch {
	case c.Variant == OutVariant:
		return c.out
	case c.Variant == InPlace || c.Op.writes:
		c.selfBuf[0] = c.Self()
		return c.selfBuf[:]
	}
	return nil
}

// IsWrite reports whether the call writes to one of its arguments.
func (c *Call) IsWrite() bool { return c.Variant != Functional || c.Op.writes }

// IsView reports whether the results look into the storage of an argument.
func (c *Call) IsView() bool { return c.Op.class == opdef.View }

// New makes the next result of the call, contiguous: for shape functions. It is the destination of opt.Out itself
// where that is like a new tensor; otherwise the result is made apart and copied after the kernel.
func (c *Call) New(shape []int, dt Dtype) *Tensor { return c.NewStrided(shape, nil, dt) }

// NewStrided is New with strides.
func (c *Call) NewStrided(shape, stride []int, dt Dtype) *Tensor {
	if c.ret == nil {
		c.ret = c.retBuf[:0]
	}
	x := c.destination(shape, stride, dt)
	if n := len(c.ret); n < len(c.given) {
		x = c.given[n]
	}
	if x == nil {
		x = allocTensor(c.Name(), shape, stride, dt, c.device, !c.all.Has(KeyAutograd), c.Op.zeroed())
	}
	c.ret = append(c.ret, x)
	return x
}

// destination is the tensor of opt.Out for the next result where a kernel can write it as if it were new: contiguous,
// of that shape and dtype, and apart from the arguments, which are read while it is written. Else it is nil.
func (c *Call) destination(shape, stride []int, dt Dtype) *Tensor {
	if c.Variant != OutVariant || len(c.ret) >= len(c.out) || c.Op.zeroed() {
		return nil
	}
	d := c.out[len(c.ret)]
	free := d.dtype == dt && d.st.device == c.device && slices.Equal(d.shape, shape) && d.Contig() &&
		(stride == nil || slices.Equal(d.stride, stride))
	for i, o := range c.out {
		free = free && (i == len(c.ret) || o.st != d.st)
	}
	c.EachTensor(func(_ int, t *Tensor) { free = free && t.st != d.st })
	if !free {
		return nil
	}
	return d
}
