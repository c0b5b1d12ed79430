package outside

import (
	"gotorch/autograd"
	"gotorch/tensor"
)

// softclip is the kernel, written once for the dtypes that it is for: x / (1 + |x| / limit).
func softclip[T float32 | float64](c *tensor.Call) {
	limit := T(c.Float(1))
	tensor.Pointwise1(c, func(x T) T { return x / (1 + max(x, -x)/limit) })
}

// Softclip keeps numbers between -limit and limit.
var Softclip = tensor.Define("outside::softclip(Tensor self, float limit=1) -> Tensor", tensor.Definition{
	Doc:       "Softclip keeps numbers between -limit and limit.",
	Pointwise: true,
	Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
		c.SwitchDtype(c.Plan().Dtype, tensor.ByDtype{
			tensor.Float32: softclip[float32], tensor.Float64: softclip[float64],
		})
	}},
	Formula: autograd.Formula{Save: autograd.Arg0, VJP: func(c *autograd.Ctx) autograd.Grads {
		d := c.Tensor(0).Abs().Div(c.Float(1)).Add(1)
		return autograd.Grads{c.Grad.Div(d.Square())}
	}},
})
