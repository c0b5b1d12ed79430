package tensor

import (
	"math"
)

// Dropout of whole channels, dropout that keeps mean and variance, and the rectifier with random slopes.

func init() {
	composites(map[string]Kernel{
		"nn.functional.dropout1d": func(c *Call) { c.dropChannels(3) },
		"nn.functional.dropout2d": func(c *Call) { c.dropChannels(0) },
		"nn.functional.dropout3d": func(c *Call) { c.dropChannels(5) },
		"nn.functional.alpha_dropout": func(c *Call) {
			c.drop(c.Tensor(0), func(x *Tensor) *Tensor { return EmptyLike(x) }, true)
		},
		"nn.functional.feature_alpha_dropout": func(c *Call) {
			c.drop(c.Tensor(0), c.channels, true)
		},
		"nn.functional.rrelu": rreluBody,
	})
}

// channels makes a tensor with one element for each channel of x, (N, C, ...).
func (c *Call) channels(x *Tensor) *Tensor {
	if len(x.shape) < 2 {
		panic(Errorf(c.Name(), "dropping channels requires at least 2 dimensions, got shape %v", x.shape))
	}
	shape := make([]int, len(x.shape))
	for i := range shape {
		shape[i] = 1
	}
	copy(shape, x.shape[:2])
	return Alloc(c.Name(), shape, x.dtype, x.st.device)
}

// dropChannels drops the channels of a batch of dims dimensions; with one dimension less there is no batch. 0 takes
// what comes for a batch.
func (c *Call) dropChannels(dims int) {
	x := c.Tensor(0)
	if dims == 0 || len(x.shape) == dims {
		c.drop(x, c.channels, false)
		return
	}
	if len(x.shape) != dims-1 {
		panic(Errorf(c.Name(), "expected an input of %d or %d dimensions, got shape %v", dims-1, dims, x.shape))
	}
	c.drop(x, func(x *Tensor) *Tensor { return c.channels(x.Unsqueeze(0)).Squeeze(0) }, false)
}

// drop multiplies x by noise, which make gives the shape of: zero with probability p. alpha keeps mean and variance of
// what Selu gives.
func (c *Call) drop(x *Tensor, make func(x *Tensor) *Tensor, alpha bool) {
	p := c.Float(1)
	if !(p >= 0 && p <= 1) {
		panic(Errorf(c.Name(), "dropout probability has to be between 0 and 1, but got %v", p).OnArg("p"))
	}
	out := x
	switch {
	case p == 0 || !c.Bool(2) || x.numel == 0:
	case p == 1:
		out = x.Mul(Alloc(c.Name(), nil, x.dtype, x.st.device))
	default:
		noise := make(x).Bernoulli_(optP(1 - p))
		if !alpha {
			out = x.Mul(noise.Div_(1 - p))
			break
		}
		const saturation = 1.7580993408473766 // minus Selu's least value
		scale := 1 / math.Sqrt((saturation*saturation*p+1)*(1-p))
		shift := noise.Sub(1).Mul_(saturation * scale).Add_(saturation * scale * p)
		out = x.Mul(noise.Mul_(scale)).Add(shift)
	}
	if c.Bool(3) && out != x {
		out = x.Copy_(out)
	}
	c.Return(out)
}

// rreluBody draws, in training, a slope for each element that is not positive.
func rreluBody(c *Call) {
	x, lower, upper := c.Tensor(0), c.Float(1), c.Float(2)
	if lower > upper {
		panic(Errorf(c.Name(), "the lower bound should be less than or equal to the upper bound").OnArg("lower"))
	}
	var out *Tensor
	switch {
	case c.Bool(3) && x.st.device == Meta: // how many slopes are drawn depends on the values
		out = x.Mul(EmptyLike(x.Detach()))
	case c.Bool(3):
		down := x.Le(0)
		k := int(down.Sum().Item())
		slopes := With(Float64, x.st.device).Empty(k).Uniform_(optFrom(lower), optTo(upper)).To(x.dtype)
		out = x.Mul(OnesLike(x.Detach()).MaskedScatter(down, slopes))
	default:
		out = LeakyRelu(x, optNegativeSlope((lower+upper)/2))
	}
	if c.Bool(4) {
		out = x.Copy_(out)
	}
	c.Return(out)
}
