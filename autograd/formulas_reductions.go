package autograd

import (
	"math"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Reductions: the gradient of a result goes to the elements that made it. dim is slot 1 of all of them but norms;
// restore brings back the dimensions that were taken away, with size 1, so that results and gradients broadcast over
// the argument.

// restore returns a result of the call the number of dimensions of argument 0.
func restore(c *Ctx, r *tensor.Tensor, dims []int, keepdim bool) *tensor.Tensor {
	n := len(c.Shape(0))
	if keepdim || n == 0 || r.Dim() == n {
		return r
	}
	mask := tensor.ReduceDims("backward", dims, n)
	for d := range mask {
		if mask[d] {
			r = r.Unsqueeze(d)
		}
	}
	return r
}

// counted is how many elements make one result.
func counted(c *Ctx, dims []int) float64 {
	n := 1
	shape := c.Shape(0)
	for d, reduce := range tensor.ReduceDims("backward", dims, len(shape)) {
		if reduce {
			n *= shape[d]
		}
	}
	return float64(n)
}

// byDim names a node by whether dim (slot 1) was given.
func byDim(without, with string) func(c *Ctx) string {
	return func(c *Ctx) string {
		if c.IsNone(1) {
			return without
		}
		return with
	}
}

// spread repeats a gradient over the argument.
func spread(c *Ctx) *tensor.Tensor {
	return restore(c, c.Grad, c.Ints(1), c.Bool(2)).Expand(c.Shape(0)...)
}

// chosen returns the gradient to the element that the indices (result 1) point at; those of equal value get none.
func chosen(c *Ctx) Grads {
	shape := c.Shape(0)
	if len(shape) == 0 {
		return Grads{c.Grad}
	}
	dims := c.Ints(1)
	at, g := restore(c, c.Result(1), dims, c.Bool(2)), restore(c, c.Grad, dims, c.Bool(2))
	return Grads{masked(alongDim(shape, dims[0], at).Eq(at), g)}
}

// alongDim returns the indices along dim, in a shape that broadcasts over shape.
func alongDim(shape []int, dim int, like *tensor.Tensor) *tensor.Tensor {
	if dim < 0 {
		dim += len(shape)
	}
	view := make([]int, len(shape))
	for i := range view {
		view[i] = 1
	}
	view[dim] = shape[dim]
	return tensor.With(tensor.Int64, like.Device()).Arange(shape[dim]).View(view...)
}

// shared returns equal parts of g to all elements where hit holds.
func shared(g, hit *tensor.Tensor, dims []int) *tensor.Tensor {
	count := hit.Sum(opt.Dim(dims...), opt.Keepdim(true))
	return masked(hit, g.Div(count))
}

// equals tells where x is the value v, which may be NaN.
func equals(x, v *tensor.Tensor) *tensor.Tensor {
	return x.Eq(v).LogicalOr(x.Isnan().LogicalAnd(v.Isnan()))
}

// whole is the formula of a value that one element, or several equal ones, of all are.
func whole(name string) Formula {
	return Formula{Save: Arg0 | Result0, Name: name, VJP: func(c *Ctx) Grads {
		return Grads{shared(c.Grad, equals(c.Tensor(0), c.Result(0)), nil)}
	}}
}

func init() {
	amax := Formula{Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
		dims, keep := c.Ints(1), c.Bool(2)
		y := restore(c, c.Result(0), dims, keep)
		return Grads{shared(restore(c, c.Grad, dims, keep), equals(c.Tensor(0), y), dims)}
	}}
	index := func(name string) Formula { return Formula{Save: Result1, VJP: chosen, Name: name} }
	register(map[string]Formula{
		"sum": {JVP: linear, NameOf: byDim("SumBackward0", "SumBackward1"),
			VJP: func(c *Ctx) Grads { return Grads{spread(c)} }},
		"nansum": {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{spread(c).Mul(c.Tensor(0).Isnan().LogicalNot())} }},
		"mean": {JVP: linear, NameOf: byDim("MeanBackward0", "MeanBackward1"), VJP: func(c *Ctx) Grads {
			return Grads{spread(c).Div(counted(c, c.Ints(1)))}
		}},
		"prod": {Save: Arg0 | Result0, NameOf: byDim("ProdBackward0", "ProdBackward1"), VJP: productGrads},
		"logsumexp": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			dims, keep := c.Ints(1), c.Bool(2)
			return Grads{inLoop(func(x ...*tensor.Tensor) *tensor.Tensor { return x[0].Sub(x[1]).Exp().Mul(x[2]) },
				c.Tensor(0), restore(c, c.Result(0), dims, keep), restore(c, c.Grad, dims, keep))}
		}},
		"var": {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{varGrad(c, c.Grad)} }},
		"std": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads { return Grads{varGrad(c, stdToVar(c.Grad, c.Result(0)))} }},
		"var_mean": {Save: Arg0, VJP: func(c *Ctx) Grads {
			return Grads{plus(c.GradOf(0), func(g *tensor.Tensor) *tensor.Tensor { return varGrad(c, g) }, meanGrad(c))}
		}},
		"std_mean": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			return Grads{plus(c.GradOf(0), func(g *tensor.Tensor) *tensor.Tensor {
				return varGrad(c, stdToVar(g, c.Result(0)))
			}, meanGrad(c))}
		}},
		"norm": {Save: Arg0 | Result0, NameOf: func(c *Ctx) string {
			if c.IsNone(2) {
				return "NormBackward0"
			}
			return "NormBackward1"
		}, VJP: normGrads},
		"linalg.vector_norm": {Save: Arg0 | Result0, VJP: normGrads},
		"trace": {JVP: linear, VJP: func(c *Ctx) Grads {
			s := c.Shape(0)
			return Grads{c.Grad.Mul(tensor.With(c.Dtype(0), c.Grad.Device()).Eye(s[0], opt.M(s[1])))}
		}},

		"max": whole("MaxBackward1"), "min": whole("MinBackward1"),
		"median": whole("MedianBackward0"), "nanmedian": whole("NanmedianBackward0"),
		"max.dim": index("MaxBackward0"), "min.dim": index("MinBackward0"),
		"median.dim": index("MedianBackward1"), "nanmedian.dim": index("NanmedianBackward1"), "mode": index(""),
		"amax": amax, "amin": amax,
		"cov": {Batch: oneByOne}, "corrcoef": {Batch: oneByOne},
		"aminmax": {Save: Arg0 | Result0 | Result1, VJP: func(c *Ctx) Grads {
			dims := c.Ints(1)
			var sum *tensor.Tensor
			for i := range 2 {
				if g := c.GradOf(i); g != nil {
					y := restore(c, c.Result(i), dims, c.Bool(2))
					part := shared(restore(c, g, dims, c.Bool(2)), equals(c.Tensor(0), y), dims)
					if sum != nil {
						part = sum.Add(part)
					}
					sum = part
				}
			}
			return Grads{sum}
		}},
	})
}

// productGrads is the product of the other elements: the result over x, or where x is zero the product without it.
// That is a constant there; where it may be differentiated again the others are multiplied out.
func productGrads(c *Ctx) Grads {
	x, dims, keep := c.Tensor(0), c.Ints(1), c.Bool(2)
	g := restore(c, c.Grad, dims, keep)
	if x.Numel() > 0 && (IsGradEnabled() || !x.IsPlain() || !c.Grad.IsPlain()) {
		return Grads{g.Mul(conj(productOfOthers(x, dims)))}
	}
	zero := x.Eq(0)
	safe := tensor.Where(zero, 1, x)
	options := []tensor.Option{}
	if len(dims) > 0 {
		options = append(options, opt.Dim(dims...), opt.Keepdim(true))
	}
	others := safe.Prod(options...)
	zeros := restore(c, zero.Sum(opt.Dim(dims...), opt.Keepdim(true)), dims, true)
	d := tensor.Where(zero, tensor.Where(zeros.Eq(1), others, 0), tensor.Where(zeros.Eq(0), others.Div(safe), 0))
	return Grads{g.Mul(conj(d))}
}

// productOfOthers has for every element the product of all others along a dimension, or of all. Nothing is divided,
// and no zero is special: the elements stand in a ring, and the products of the k that follow each are put together to
// those of the n-1 that follow, k = 1, 2, 4, ….
func productOfOthers(x *tensor.Tensor, dims []int) *tensor.Tensor {
	ring, dim := x.Reshape(-1), 0
	if len(dims) > 0 && x.Dim() > 0 {
		ring, dim = x, dims[0]
	}
	others, have, want := tensor.OnesLike(ring), 0, ring.Size(dim)-1
	for k, next := 1, ring.Roll(-1, dim); have < want; k *= 2 {
		if want&k != 0 {
			others = others.Mul(next.Roll(-have, dim))
			have += k
		}
		if have < want {
			next = next.Mul(next.Roll(-k, dim))
		}
	}
	return others.Reshape(x.Shape()...)
}

// correctionOf is what var takes off the count.
func correctionOf(c *Ctx) float64 {
	switch {
	case !c.IsNone(4):
		return float64(c.Int(4))
	case c.Bool(2):
		return 1
	}
	return 0
}

// varGrad is 2 (x - mean) / (n - correction).
func varGrad(c *Ctx, g *tensor.Tensor) *tensor.Tensor {
	x, dims := c.Tensor(0), c.Ints(1)
	n := counted(c, dims) - correctionOf(c)
	g = restore(c, g, dims, c.Bool(3))
	if whole := len(dims) == 0 || len(c.Shape(0)) == 0; n == 0 && whole { // as PyTorch has it
		return g.Mul(math.Inf(1)).Expand(c.Shape(0)...)
	}
	if n <= 0 {
		return g.Mul(math.NaN()).Expand(c.Shape(0)...)
	}
	// the mean is a sum, rounded, and divided, as PyTorch takes it: half types show the difference
	centered := x.Sub(x.Sum(opt.Dim(dims...), opt.Keepdim(true)).Div(counted(c, dims)))
	return g.Mul(2 / n).Mul(centered)
}

// stdToVar turns the gradient of a root into that of what is under it.
func stdToVar(g, std *tensor.Tensor) *tensor.Tensor {
	return g.Div(std.Mul(2)).MaskedFill(std.Eq(0), 0)
}

// meanGrad is the gradient through the second result of var_mean, nil if none arrived.
func meanGrad(c *Ctx) *tensor.Tensor {
	g := c.GradOf(1)
	if g == nil {
		return nil
	}
	dims := c.Ints(1)
	return restore(c, g, dims, c.Bool(3)).Expand(c.Shape(0)...).Div(counted(c, dims))
}

// plus adds f(g), if there is a g, to other, if there is one.
func plus(g *tensor.Tensor, f func(g *tensor.Tensor) *tensor.Tensor, other *tensor.Tensor) *tensor.Tensor {
	switch {
	case g == nil:
		return other
	case other == nil:
		return f(g)
	}
	return f(g).Add(other)
}

// normGrads is the derivative of a p-norm: sgn(x) |x|^(p-1) / norm^(p-1), 0 where the norm is.
func normGrads(c *Ctx) Grads {
	x, dims, keep := c.Tensor(0), c.Ints(2), c.Bool(3)
	if c.Str(1) == "nuc" {
		d := tensor.NuclearDims("norm", dims, x.Dim())
		u := tensor.Private("_unitary_factor", x.Movedim(d[:], []int{-2, -1})).Movedim([]int{-2, -1}, d[:])
		return Grads{restore(c, c.Grad, d[:], keep).Mul(u)}
	}
	p := 2.0
	if s, ok := tensor.ScalarOf(c.Scalar(1)); ok {
		p = s.Float()
	}
	y, g := restore(c, c.Result(0), dims, keep), restore(c, c.Grad, dims, keep)
	switch {
	case p == 0:
		return Grads{x.Mul(0)}
	case p == 1:
		return Grads{x.Sgn().Mul(g)}
	case p == 2 && x.Dtype().IsComplex():
		return Grads{g.Mul(x.Div(y).MaskedFill(y.Eq(0), 0))}
	case p == 2: // 0 divided by infinity where the norm is 0
		return Grads{inLoop(func(a ...*tensor.Tensor) *tensor.Tensor { return a[2].Mul(a[0].Div(a[1])) }, x,
			y.MaskedFill(y.Eq(0), math.Inf(1)), g)}
	case math.IsInf(p, 0):
		return Grads{shared(g, equals(x.Abs(), y), dims).Mul(x.Sgn())}
	case p < 1:
		scaled := x.Sgn().Mul(x.Abs().Pow(p-1).MaskedFill(x.Eq(0), 0))
		return Grads{scaled.Mul(g).Mul(y.Pow(1 - p))}
	case p < 2:
		return Grads{x.Sgn().Mul(x.Abs().Pow(p - 1)).Mul(g.Div(y.Pow(p-1)).MaskedFill(y.Eq(0), 0))}
	}
	return Grads{x.Mul(x.Abs().Pow(p - 2)).Mul(g.Div(y.Pow(p-1)).MaskedFill(y.Eq(0), 0))}
}
