package shapes

import (
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// flopsOf is how many floating point operations a call takes, as they are counted for speed: a multiplication and an
// addition are two. 0 where it is not known, and for what moves elements only.
func flopsOf(c *tensor.Call) float64 {
	rs := c.Results()
	if len(rs) == 0 || rs[0] == nil || c.IsView() {
		return 0
	}
	out := volume(rs[0].Sizes())
	name := strings.TrimPrefix(c.Op.Name, "nn.functional.")
	if f := productFlops[name]; f != nil {
		return f(c, out)
	}
	switch c.Op.Class() {
	case opdef.Pointwise:
		return out
	case opdef.Reduction:
		if x := c.Tensor(0); x != nil {
			return volume(x.Sizes())
		}
	}
	return 0
}

// productFlops are those of products; out is the number of elements of the result.
var productFlops = map[string]func(c *tensor.Call, out float64) float64{
	"mm":      func(c *tensor.Call, out float64) float64 { return 2 * out * lastSize(c.Tensor(0)) },
	"bmm":     func(c *tensor.Call, out float64) float64 { return 2 * out * lastSize(c.Tensor(0)) },
	"mv":      func(c *tensor.Call, out float64) float64 { return 2 * out * lastSize(c.Tensor(0)) },
	"dot":     func(c *tensor.Call, out float64) float64 { return 2 * lastSize(c.Tensor(0)) },
	"addmm":   func(c *tensor.Call, out float64) float64 { return out * (2*lastSize(c.Tensor(1)) + 1) },
	"addmv":   func(c *tensor.Call, out float64) float64 { return out * (2*lastSize(c.Tensor(1)) + 1) },
	"baddbmm": func(c *tensor.Call, out float64) float64 { return out * (2*lastSize(c.Tensor(1)) + 1) },
	"convolution": func(c *tensor.Call, out float64) float64 { // the weight is [out in/groups k…], transposed [in out/groups k…]
		if c.Bool(6) {
			out = volume(c.Tensor(0).Sizes())
		}
		return 2 * out * volume(c.Tensor(1).Sizes()[1:])
	},
}

func volume(shape []int) float64 {
	n := 1.0
	for _, s := range shape {
		n *= float64(s)
	}
	return n
}

func lastSize(x *tensor.Tensor) float64 {
	if x == nil || x.Dim() == 0 {
		return 0
	}
	return float64(x.Sizes()[x.Dim()-1])
}
