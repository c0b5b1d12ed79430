package autograd

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Pooling, resizing, padding and windows. All but the max pools are linear: their gradients are operators whose
// gradients are the operators themselves.

func init() {
	m := map[string]Formula{
		"_max_pool_backward": {Save: Arg1, VJP: func(c *Ctx) Grads {
			return Grads{atMaxima(c.Grad, c.Tensor(1), c.Int(3))}
		}},
		"_interpolate": {VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_interpolate_backward", c.Grad, c.Shape(0), c.Arg(2), c.Arg(3), c.Arg(4))}
		}},
		"_interpolate_backward": {VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_interpolate", c.Grad, c.Shape(0)[2:], c.Arg(2), c.Arg(3), c.Arg(4))}
		}},
		"_pad": {VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_pad_backward", c.Grad, c.Arg(1), c.Arg(2))}
		}},
		"_pad_backward": {VJP: func(c *Ctx) Grads { return Grads{tensor.Private("_pad", c.Grad, c.Arg(1), c.Arg(2))} }},
		"nn.functional.unfold": {Name: "Im2ColBackward0", VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_unfold_backward", c.Grad, c.Shape(0), c.Arg(1), c.Arg(2), c.Arg(3), c.Arg(4))}
		}},
		"_unfold_backward":   {VJP: unfoldGrad},
		"nn.functional.fold": {Name: "Col2ImBackward0", VJP: unfoldGrad},
	}
	for n := 2; n <= 3; n++ {
		name := func(format string) string { return fmt.Sprintf(format, n) }
		format := anyCall
		if n == 3 {
			format = nil
		}
		maxBackward := func(c *Ctx) Grads {
			return Grads{tensor.Private("_max_pool_backward", c.Grad, c.Result(1), c.Shape(0), n)}
		}
		m[name("nn.functional.max_pool%dd_with_indices")] = Formula{Save: Result1, Format: format, VJP: maxBackward,
			Name: name("MaxPool%dDWithIndicesBackward0")}
		m[name("nn.functional.adaptive_max_pool%dd_with_indices")] = Formula{Save: Result1, Format: format, VJP: maxBackward,
			Name: name("AdaptiveMaxPool%dDBackward0")}
		byMaxima := func(indexed string, args int) func(c *Ctx) Grads {
			return func(c *Ctx) Grads {
				return Grads{tensor.Private("_max_pool_backward", c.Grad, maximaOf(c, indexed, args), c.Shape(0), n)}
			}
		}
		m[name("_max_pool%dd")] = Formula{Save: Arg0, Format: format, Name: name("MaxPool%dDBackward0"),
			VJP: byMaxima(name("nn.functional.max_pool%dd_with_indices"), 5)}
		m[name("_adaptive_max_pool%dd")] = Formula{Save: Arg0, Format: format, Name: name("AdaptiveMaxPool%dDBackward0"),
			VJP: byMaxima(name("nn.functional.adaptive_max_pool%dd_with_indices"), 1)}
		m[name("nn.functional.avg_pool%dd")] = Formula{Format: format, Name: name("AvgPool%dDBackward0"),
			VJP: func(c *Ctx) Grads {
				return Grads{tensor.Private(name("_avg_pool%dd_backward"), c.Grad, c.Shape(0), c.Arg(1), c.Arg(2), c.Arg(3),
					c.Arg(4), c.Arg(5), c.Arg(6))}
			}}
		m[name("_avg_pool%dd_backward")] = Formula{Name: name("AvgPool%dDBackwardBackward0"), VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private(name("nn.functional.avg_pool%dd"), c.Grad, c.Arg(2), c.Arg(3), c.Arg(4), c.Arg(5),
				c.Arg(6), c.Arg(7))}
		}}
		m[name("nn.functional.adaptive_avg_pool%dd")] = Formula{Format: format, Name: name("AdaptiveAvgPool%dDBackward0"),
			VJP: func(c *Ctx) Grads {
				return Grads{tensor.Private(name("_adaptive_avg_pool%dd_backward"), c.Grad, c.Shape(0))}
			}}
		m[name("_adaptive_avg_pool%dd_backward")] = Formula{Name: name("AdaptiveAvgPool%dDBackwardBackward0"),
			VJP: func(c *Ctx) Grads {
				shape := c.Shape(0)
				return Grads{tensor.Private(name("nn.functional.adaptive_avg_pool%dd"), c.Grad, shape[len(shape)-n:])}
			}}
	}
	register(m)
}

// maximaOf are the indices that a max pool did not keep: those of the pool called name, with n arguments of the call
// after the input.
func maximaOf(c *Ctx, name string, n int) *tensor.Tensor {
	args := []any{c.Tensor(0)}
	for i := range n {
		args = append(args, c.Arg(1+i))
	}
	out, err := tensor.Invoke(name, args, nil)
	if err != nil {
		panic(err)
	}
	return out[1].(*tensor.Tensor)
}

// atMaxima returns the elements of g where a max pool over the last n dimensions found the greatest.
func atMaxima(g, indices *tensor.Tensor, n int) *tensor.Tensor {
	at := indices.Flatten(opt.StartDim(-n))
	return g.Flatten(opt.StartDim(-n)).Gather(-1, at).Reshape(indices.Shape()...)
}

// unfoldGrad is the gradient of a fold: the windows of the pictures'.
func unfoldGrad(c *Ctx) Grads {
	return Grads{tensor.Private("nn.functional.unfold", c.Grad, c.Arg(2), c.Arg(3), c.Arg(4), c.Arg(5))}
}
