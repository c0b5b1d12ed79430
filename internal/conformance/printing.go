package conformance

import (
	"fmt"

	"gotorch/tensor"
)

// printingCase is the text of a tensor, or of what an expression over it, a tensor that requires grad, makes of it.
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
