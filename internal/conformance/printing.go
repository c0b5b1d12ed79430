package conformance

import (
	"fmt"

	"gotorch/tensor"
)

// printingCase is the printed text of a tensor, or of the result of an expression over a tensor that requires grad.
type printingCase struct {
	Tensor *encoded `json:"tensor"`
	Python string   `json:"python"`
	Text   string   `json:"text"`
}

func (c *printingCase) run() error {
	return attempt(func() error {
		x, err := c.Tensor.tensor()
		if err != nil {
			return err
		}
		if c.Python != "" {
			v, err := evaluate(c.Python, map[string]any{"x": x.RequiresGrad_()})
			if err != nil {
				return err
			}
			y, ok := v.(*tensor.Tensor)
			if !ok {
				return fmt.Errorf("%s: %v is no tensor", c.Python, v)
			}
			x = y
		}
		if got := x.String(); got != c.Text {
			return fmt.Errorf("%s: printed\n%s\nwant\n%s", c.Python, got, c.Text)
		}
		return nil
	})
}
