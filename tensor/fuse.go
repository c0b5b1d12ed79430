package tensor

// Note: fusion. A chain of pointwise operators walks memory once for each of them, which for large tensors costs more
// than the arithmetic. Fuse runs the function on fake tensors of the meta device first, with a recorder beneath the
// dispatcher that notes every call (fuse_trace.go). What it recorded then runs block by block, with the operators' own
// kernels, so that what lies between the operators stays in the cache (fuse_run.go). The function is recorded at every
// call, which costs little beside blocks of thousands of elements: a number or a branch in it may change from call to
// call. Whatever is no chain of pointwise operators over tensors of the host runs as it is written.

// Fusible are the functions that [Fuse] takes.
type Fusible interface {
	func(a *Tensor) *Tensor | func(a, b *Tensor) *Tensor | func(a, b, c *Tensor) *Tensor |
		func(a, b, c, d *Tensor) *Tensor
}

// Fuse returns a function that computes what f does, with the chain of pointwise operators in it run as one loop over
// blocks that stay in the cache. The values are exactly those of f, for all shapes that broadcast, all dtypes, and
// tensors that f takes from around it; the result can be differentiated, and its derivative is one loop too. Where f
// does anything but calling pointwise operators on its arguments and their results, or in-place forms on results, it
// runs as it is, as it does for few elements.
//
// f is called once for the recording, on tensors without elements, and may be called a second time: it should do only
// compute.
func Fuse[F Fusible](f F) F {
	var out any
	switch f := any(f).(type) {
	case func(a *Tensor) *Tensor:
		out = func(a *Tensor) *Tensor {
			return fuseCall([]*Tensor{a}, func(x []*Tensor) *Tensor { return f(x[0]) })
		}
	case func(a, b *Tensor) *Tensor:
		out = func(a, b *Tensor) *Tensor {
			return fuseCall([]*Tensor{a, b}, func(x []*Tensor) *Tensor { return f(x[0], x[1]) })
		}
	case func(a, b, c *Tensor) *Tensor:
		out = func(a, b, c *Tensor) *Tensor {
			return fuseCall([]*Tensor{a, b, c}, func(x []*Tensor) *Tensor { return f(x[0], x[1], x[2]) })
		}
	case func(a, b, c, d *Tensor) *Tensor:
		out = func(a, b, c, d *Tensor) *Tensor {
			return fuseCall([]*Tensor{a, b, c, d}, func(x []*Tensor) *Tensor { return f(x[0], x[1], x[2], x[3]) })
		}
	}
	return out.(F)
}

// fuseLeast is the number of elements from which fusion gains more than the recording costs.
const fuseLeast = 1 << 13

func fuseCall(args []*Tensor, f func([]*Tensor) *Tensor) *Tensor { return fuseFold(args, foldNone, f) }

// fuseFold folds the result of f: the sum of its elements, or their mean, which is added up in float64 block by block.
func fuseFold(args []*Tensor, end fold, f func([]*Tensor) *Tensor) *Tensor {
	b, inputs := traceFused(args, false, end, func(x []*Tensor) []*Tensor { return []*Tensor{f(x)} })
	if b == nil || !b.gains() {
		return end.of(f(args))
	}
	c := begin(opPrivateFused)
	c.setOther(0, inputs)
	c.setOther(1, b)
	return c.runList()[0]
}

// RunFused calls f, a function of pointwise operators, on inputs as one loop, and returns its results, which must be
// of one shape. ok is false where that cannot be done, or would gain nothing; then nothing was computed. With grad, f
// may ask for derivatives of the tensors that it receives; what they need is computed, if not by a loop then by calls
// one by one, without what f needs for other things. It is for package autograd; nothing is recorded.
func RunFused(inputs []*Tensor, grad bool, f func(fakes []*Tensor) []*Tensor) (results []*Tensor, ok bool) {
	b, inputs := traceFused(inputs, grad, foldNone, f)
	if b == nil || !grad && !b.gains() {
		return nil, false
	}
	Under(0, 1<<KeyAutograd, func() {
		if !b.gains() {
			results = b.Replay(inputs)
			return
		}
		c := begin(opPrivateFused)
		c.setOther(0, inputs)
		c.setOther(1, b)
		results = c.runList()
	})
	return results, true
}

func init() {
	shapes(map[string]Kernel{"_fused": func(c *Call) {
		b := c.fusedBody()
		for _, id := range b.outs {
			fake := b.vals[id].fake
			if b.fold != foldNone {
				c.New([]int{}, fake.dtype)
				continue
			}
			c.NewStrided(fake.shape, fake.stride, fake.dtype)
		}
	}})
	RegisterCalling("_fused", KeyCPU, runFused)
}

func (c *Call) fusedBody() *FusedBody {
	b, ok := c.arg(1).x.(*FusedBody)
	if !ok {
		panic(Errorf(c.Name(), "the body is what Fuse records"))
	}
	return b
}
