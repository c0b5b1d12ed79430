package conformance

import (
	"fmt"

	"gotorch/tensor"
)

// printingCase is the text of a tensor, or of what an expression makes of it.
type printingCase struct {
	Tensor *encoded `json:"tensor"`
	Python string   `json:"python"`
	Text   string   `json:"text"`
}

// expressions are the Python expressions of the recording over x, a tensor that requires grad.
var expressions = map[string]func(x *tensor.Tensor) *tensor.Tensor{
	"x":                func(x *tensor.Tensor) *tensor.Tensor { return x },
	"x*2":              func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(2) },
	"x.exp()":          func(x *tensor.Tensor) *tensor.Tensor { return x.Exp() },
	"x[0]":             func(x *tensor.Tensor) *tensor.Tensor { return x.Index(0) },
	"x.detach()":       func(x *tensor.Tensor) *tensor.Tensor { return x.Detach() },
	"x.relu()":         func(x *tensor.Tensor) *tensor.Tensor { return x.Relu() },
	"x.view(3,2)":      func(x *tensor.Tensor) *tensor.Tensor { return x.View(3, 2) },
	"x.permute(1,0)":   func(x *tensor.Tensor) *tensor.Tensor { return x.Permute(1, 0) },
	"x.expand(4,2,3)":  func(x *tensor.Tensor) *tensor.Tensor { return x.Expand(4, 2, 3) },
	"x.sqrt()":         func(x *tensor.Tensor) *tensor.Tensor { return x.Sqrt() },
	"x.double()":       func(x *tensor.Tensor) *tensor.Tensor { return x.Double() },
	"x-1":              func(x *tensor.Tensor) *tensor.Tensor { return x.Sub(1) },
	"-x":               func(x *tensor.Tensor) *tensor.Tensor { return x.Neg() },
	"x.max()":          func(x *tensor.Tensor) *tensor.Tensor { return x.Max() },
	"x.tanh()":         func(x *tensor.Tensor) *tensor.Tensor { return x.Tanh() },
	"torch.cat([x,x])": func(x *tensor.Tensor) *tensor.Tensor { return tensor.Cat([]*tensor.Tensor{x, x}) },
}

func (c *printingCase) run() error {
	return attempt(func() error {
		x, err := c.Tensor.tensor()
		if err != nil {
			return err
		}
		if c.Python != "" {
			f := expressions[c.Python]
			if f == nil {
				return fmt.Errorf("the expression %s is not known", c.Python)
			}
			x = f(x.RequiresGrad_())
		}
		if got := x.String(); got != c.Text {
			return fmt.Errorf("%s: printed\n%s\nwant\n%s", c.Python, got, c.Text)
		}
		return nil
	})
}
