package autograd

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: vmap. A batched tensor has the shape of one example and holds all of them, counted by dimension 0 of its
// value. Most operators have a rule that does all examples in one call; every other is called example by example, and
// the results stacked, which is right for all.

// Randomness says what random operators do inside of a vmap.
type Randomness string

// The ways: RandomError rejects them, RandomSame draws the same numbers for all examples, RandomDifferent others for
// each, in the order in which a loop over the examples would.
const (
	RandomError     Randomness = "error"
	RandomSame      Randomness = "same"
	RandomDifferent Randomness = "different"
)

// Vmap turns f, a function of tensors, into one that does the same for a batch of each: f is written for one example,
// and called once. The result has the batch as its dimension 0. Options: opt.InDims (one for each tensor: the
// dimension that counts the examples, nil for a tensor that all examples share; 0 for all), opt.OutDims (where the
// results have it), opt.Randomness ("error", "same" or "different"), opt.ChunkSize (how many examples are done at a
// time, all by default: fewer need less memory). For an f of several results see [VmapAll]. Calls may be nested, and
// stand inside of GradOf and JVP or around them; a gradient that is asked for inside is that of each example, also by
// tensors that all examples share.
func Vmap(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) *tensor.Tensor {
	all := VmapAll(f, opts...)
	return func(xs ...*tensor.Tensor) *tensor.Tensor {
		ys := all(xs...)
		if len(ys) != 1 {
			panic(tensor.Errorf("vmap", "the function gives %d results", len(ys)).WithHint("use VmapAll"))
		}
		return ys[0]
	}
}

// VmapAll is [Vmap] for a function of any number of results.
func VmapAll(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) []*tensor.Tensor {
	noInputs("vmap", "Vmap", opts)
	m := tensor.Keywords("vmap", opts, "in_dims", "out_dims", "randomness", "chunk_size")
	chunk := chunkOf("vmap", m)
	random := RandomError
	if s, ok := m["randomness"].(string); ok {
		random = Randomness(s)
	}
	if random != RandomError && random != RandomSame && random != RandomDifferent {
		panic(tensor.Errorf("vmap", `randomness must be "error", "same" or "different", not %q`, random))
	}
	return func(xs ...*tensor.Tensor) (out []*tensor.Tensor) {
		fr := &frame{key: tensor.KeyBatched, randomness: random, size: -1}
		in := dimsOf("in_dims", m["in_dims"], len(xs))
		for i, x := range xs {
			if x == nil {
				panic(tensor.Errorf("vmap", "input %d is a nil tensor", i))
			}
			if in[i] == nil {
				continue
			}
			if x.Dim() == 0 {
				panic(tensor.Errorf("vmap", "input %d has no dimension to map over; give nil in opt.InDims for a tensor that "+
					"all examples share", i))
			}
			d := tensor.WrapDim("vmap", *in[i], x.Dim())
			if n := x.Size(d); fr.size >= 0 && n != fr.size {
				panic(tensor.Errorf("vmap", "input %d has %d examples in dimension %d, and another input %d", i, n, d, fr.size))
			} else {
				fr.size = n
			}
		}
		if fr.size < 0 {
			panic(tensor.Errorf("vmap", "at least one input must be mapped over"))
		}
		if chunk > 0 && chunk < fr.size {
			return inParts(fr.size, chunk, xs, in, m["out_dims"], func(part []*tensor.Tensor) []*tensor.Tensor {
				return VmapAll(f, slices.DeleteFunc(slices.Clone(opts),
					func(o tensor.Option) bool { return tensor.KeywordOf(o) == "chunk_size" })...)(part...)
			})
		}
		enter(fr, func() {
			args := make([]*tensor.Tensor, len(xs))
			for i, x := range xs {
				if args[i] = x; in[i] != nil {
					fr.outside(func() { args[i] = fr.wrap(x.Movedim(*in[i], 0), nil) })
				}
			}
			ys := callTensors("vmap", f, args)
			outDims := dimsOf("out_dims", m["out_dims"], len(ys))
			fr.outside(func() {
				for i, y := range ys {
					v := fr.value(y)
					if d := outDims[i]; d != nil && *d != 0 {
						v = v.Movedim(0, *d)
					}
					out = append(out, v)
				}
			})
		})
		return out
	}
}

// inParts calls f with chunk examples at a time and joins the results.
func inParts(size, chunk int, xs []*tensor.Tensor, in []*int, outDims any,
	f func(part []*tensor.Tensor) []*tensor.Tensor) []*tensor.Tensor {
	var parts [][]*tensor.Tensor
	for at := 0; at < size; at += chunk {
		part := make([]*tensor.Tensor, len(xs))
		for i, x := range xs {
			if part[i] = x; in[i] != nil {
				part[i] = x.Narrow(*in[i], at, min(chunk, size-at))
			}
		}
		for i, y := range f(part) {
			if at == 0 {
				parts = append(parts, nil)
			}
			parts[i] = append(parts[i], y)
		}
	}
	out := make([]*tensor.Tensor, len(parts))
	dims := dimsOf("out_dims", outDims, len(parts))
	for i, p := range parts {
		d := 0
		if dims[i] != nil {
			d = *dims[i]
		}
		out[i] = tensor.Cat(p, tensor.NewOption("dim", d))
	}
	return out
}

// dimsOf reads opt.InDims or opt.OutDims for n tensors: one number stands for all.
func dimsOf(name string, v any, n int) []*int {
	var list []any
	switch l := v.(type) {
	case nil:
		list = []any{0}
	case []any:
		list = l
	case []int:
		for _, d := range l {
			list = append(list, d)
		}
	default:
		list = []any{v}
	}
	if len(list) == 1 && n > 1 {
		for len(list) < n {
			list = append(list, list[0])
		}
	}
	if len(list) != n {
		panic(tensor.Errorf("vmap", "%s names %d dimensions for %d tensors", name, len(list), n))
	}
	out := make([]*int, n)
	for i, d := range list {
		if d == nil {
			continue
		}
		s, ok := tensor.ScalarOf(d)
		if !ok || !s.IsInt() {
			panic(tensor.Errorf("vmap", "%s must be ints, or nil for a tensor that all examples share, not %T", name, d))
		}
		k := int(s.Int())
		out[i] = &k
	}
	return out
}

// value is all examples of y, which may be one tensor for all.
func (f *frame) value(y *tensor.Tensor) *tensor.Tensor {
	if l := f.layer(y); l != nil {
		return l.Value
	}
	return y.Unsqueeze(0).Expand(append([]int{f.size}, y.Sizes()...)...)
}

// batch runs a call of which at least one argument is a batched tensor of f.
func (f *frame) batch(c *tensor.Call) {
	var self *tensor.Layer
	if c.IsWrite() {
		if self = f.layer(c.Self()); self == nil {
			panic(tensor.Errorf(c.Name(), "examples of a batch are written into a tensor that they all share").
				WithHint("use the operator that makes a new tensor, or make the destination from a batched tensor: ZerosLike(x)"))
		}
		if self.Copy {
			panic(tensor.Errorf(c.Name(), "the tensor is a copy inside of vmap, not the view that it would be outside: the "+
				"write would be lost"))
		}
	}
	var out []*tensor.Tensor
	copied := false
	viewInPlace := c.Variant == tensor.InPlace && c.IsView()
	if viewInPlace {
		c.AsFunctional()
	}
	f.outside(func() {
		if c.Op.Tags.Has(opdef.Random) {
			out = f.drawBatched(c)
			return
		}
		if rule := ruleOf(c.Op); rule != nil {
			if out = rule(f, c); out != nil {
				return
			}
		}
		copied = c.IsView()
		out = f.loop(c, f.example)
	})
	if viewInPlace {
		c.Self().Rewrap(tensor.Wrap(viewedInPlace(c, f.newLayer(out[0], nil))))
		c.Return(c.Self())
		return
	}
	if c.IsWrite() {
		c.Return(c.Self())
		return
	}
	for i, y := range out {
		l := f.newLayer(y, nil)
		l.Copy = copied
		out[i] = wrapView(c, l, i)
	}
	c.Return(out...)
}

// example returns the slices of the tensors of a call that belong to example b.
func (f *frame) example(b int) func(int, *tensor.Tensor) *tensor.Tensor {
	return func(_ int, t *tensor.Tensor) *tensor.Tensor {
		if l := f.layer(t); l != nil {
			return l.Value.Select(0, b)
		}
		return t
	}
}

// loop calls the operator for each example, which example gives, and stacks the results.
func (f *frame) loop(c *tensor.Call, example func(b int) func(int, *tensor.Tensor) *tensor.Tensor) []*tensor.Tensor {
	if f.size == 0 {
		panic(tensor.Errorf(c.Name(), "inside of vmap this operator is called example by example, and there is none"))
	}
	if c.Op.Rets[0].Is("bool") {
		panic(tensor.Errorf(c.Name(), "inside of vmap there is a result for each example, and this operator gives a Go "+
			"bool"))
	}
	var parts [][]*tensor.Tensor
	for b := range f.size {
		for i, y := range c.Again(example(b), nil) {
			if b == 0 {
				parts = append(parts, nil)
			}
			if i >= len(parts) || len(parts[i]) > 0 && !sameSizes(parts[i][0], y) {
				panic(tensor.Errorf(c.Name(), "inside of vmap the results of all examples must have one shape, and that of this "+
					"operator depends on the values"))
			}
			parts[i] = append(parts[i], y)
		}
	}
	if c.IsWrite() {
		return nil
	}
	out := make([]*tensor.Tensor, len(parts))
	for i, p := range parts {
		out[i] = tensor.Stack(p)
	}
	return out
}

func sameSizes(x, y *tensor.Tensor) bool {
	if x.Dim() != y.Dim() {
		return false
	}
	for i, s := range x.Sizes() {
		if y.Sizes()[i] != s {
			return false
		}
	}
	return true
}

// draws answers a random operator without batched arguments; false lets it run as it is, for all examples at once.
func (f *frame) draws(c *tensor.Call) bool {
	for f != nil && f.key != tensor.KeyBatched {
		f = f.outer
	}
	if f == nil || f.randomness == RandomSame {
		return false
	}
	f.rejectRandom(c)
	if c.IsWrite() {
		panic(tensor.Errorf(c.Name(), "every example would draw other numbers into a tensor that they all share").
			WithHint(`give opt.Randomness("same")`))
	}
	var out []*tensor.Tensor
	f.outside(func() { out = f.loop(c, f.example) })
	for i, y := range out {
		out[i] = f.wrap(y, nil)
	}
	c.Return(out...)
	return true
}

// rejectRandom panics where random numbers were not allowed.
func (f *frame) rejectRandom(c *tensor.Call) {
	if f.randomness == RandomError {
		panic(tensor.Errorf(c.Name(), "random numbers inside of vmap: should every example draw its own, or all the same?").
			WithHint(`give opt.Randomness("different") or opt.Randomness("same")`))
	}
}

// drawBatched runs a random operator with batched arguments example by example.
func (f *frame) drawBatched(c *tensor.Call) []*tensor.Tensor {
	f.rejectRandom(c)
	if f.randomness == RandomDifferent {
		return f.loop(c, f.example)
	}
	g := tensor.DefaultGenerator()
	if i := c.Op.Param("generator"); i >= 0 {
		g = c.Generator(i)
	}
	state := g.GetState()
	return f.loop(c, func(b int) func(int, *tensor.Tensor) *tensor.Tensor {
		g.SetState(state)
		return f.example(b)
	})
}
