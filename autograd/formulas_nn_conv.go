package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Convolutions: the gradient by the input is the transposed convolution with the same weight, and the other way about;
// that by the weight is an operator of its own, whose gradients are convolutions again.

func init() {
	register(map[string]Formula{
		"convolution":         {For: []Saves{Arg1, Arg0}, Format: convolutionFormat, VJP: convolutionBackward},
		"_convolution_weight": {For: []Saves{Arg1, Arg0}, VJP: convolutionWeightBackward},
		"constant_pad_nd": {VJP: func(c *Ctx) Grads {
			pad := make([]int, len(c.Ints(1)))
			for i, p := range c.Ints(1) {
				pad[i] = -p
			}
			return Grads{tensor.ConstantPadNd(c.Grad, pad)}
		}},
	})
}

// spreadOver is the transposed convolution of g whose result has the sizes of shape in space.
func spreadOver(g, w *tensor.Tensor, shape, stride, padding, dilation []int, groups int) *tensor.Tensor {
	more := make([]int, len(stride))
	for i := range more {
		more[i] = shape[i+2] - ((g.Size(i+2)-1)*stride[i] - 2*padding[i] + dilation[i]*(w.Size(i+2)-1) + 1)
	}
	return tensor.Convolution(g, w, nil, stride, padding, dilation, true, more, groups)
}

// gatherFrom is the convolution of x, cut to the sizes of shape in space.
func gatherFrom(x, w *tensor.Tensor, shape, stride, padding, dilation []int, groups int) *tensor.Tensor {
	y := tensor.Convolution(x, w, nil, stride, padding, dilation, false, make([]int, len(stride)), groups)
	for d := 2; d < len(shape); d++ {
		if y.Size(d) != shape[d] {
			y = y.Narrow(d, 0, shape[d])
		}
	}
	return y
}

// convolutionFormat: of pictures alone, as in PyTorch, and not of the transposed convolution.
func convolutionFormat(c *Ctx) bool { return !c.Bool(6) && len(c.Ints(3)) == 2 }

func convolutionBackward(c *Ctx) Grads {
	g := c.Grad
	stride, padding, dilation, groups := c.Ints(3), c.Ints(4), c.Ints(5), c.Int(8)
	transposed := c.Bool(6)
	out := make(Grads, 3)
	if c.Needs(0) {
		w := conj(c.Tensor(1))
		if transposed {
			out[0] = gatherFrom(g, w, c.Shape(0), stride, padding, dilation, groups)
		} else {
			out[0] = spreadOver(g, w, c.Shape(0), stride, padding, dilation, groups)
		}
	}
	if c.Needs(1) {
		x := conj(c.Tensor(0))
		large, small := x, g
		if transposed {
			large, small = g, x
		}
		out[1] = tensor.Private("_convolution_weight", large, small, c.Shape(1), stride, padding, dilation, groups)
	}
	if c.Needs(2) {
		dims := []int{0}
		for d := 2; d < g.Dim(); d++ {
			dims = append(dims, d)
		}
		out[2] = g.Sum(opt.Dim(dims...))
	}
	return out
}

// The weight's gradient is linear in the input and in the gradient that it came with: each of them with c.Grad as the
// weight returns the other.
func convolutionWeightBackward(c *Ctx) Grads {
	v := c.Grad
	stride, padding, dilation, groups := c.Ints(3), c.Ints(4), c.Ints(5), c.Int(6)
	return pair(c, 0, func() *tensor.Tensor {
		return spreadOver(conj(c.Tensor(1)), v, c.Shape(0), stride, padding, dilation, groups)
	},
		func() *tensor.Tensor {
			return gatherFrom(conj(c.Tensor(0)), v, c.Shape(1), stride, padding, dilation, groups)
		})
}
