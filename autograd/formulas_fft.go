package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Fourier transforms are linear: their gradients are transforms of the other direction. A transform that keeps half of
// the elements, the others being conjugates, has none for these to arrive at: a gradient of real numbers fills them
// with zeros, and one of halved numbers counts those twice that stand for two.

func init() {
	register(map[string]Formula{
		"_fft_c2c": {Name: "FftC2CBackward0", JVP: linear, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_fft_c2c", c.Grad, c.Ints(1), c.Int(2), !c.Bool(3))}
		}},
		"_fft_r2c": {Name: "FftR2CBackward0", JVP: linear, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			g, dims := c.Grad, c.Ints(1)
			last := tensor.WrapDim("backward", dims[len(dims)-1], g.Dim())
			if n := c.Shape(0)[last]; g.Size(last) < n {
				pad := make([]int, 2*(g.Dim()-last))
				pad[len(pad)-1] = n - g.Size(last)
				g = tensor.Pad(g, pad)
			}
			return Grads{tensor.Private("_fft_c2c", g, dims, c.Int(2), false).Real()}
		}},
		"_fft_c2r": {Name: "FftC2RBackward0", JVP: linear, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			dims := c.Ints(1)
			last := tensor.WrapDim("backward", dims[len(dims)-1], c.Grad.Dim())
			g := tensor.Private("_fft_r2c", c.Grad, dims, c.Int(2), true)
			half, single := g.Size(last), c.Grad.Size(last)-g.Size(last)
			if single <= 0 {
				return Grads{g}
			}
			parts := []*tensor.Tensor{g.Narrow(last, 0, 1), g.Narrow(last, 1, single).Mul(2),
				g.Narrow(last, 1+single, half-1-single)}
			return Grads{tensor.Cat(parts, opt.Dim(last))}
		}},
	})
}
