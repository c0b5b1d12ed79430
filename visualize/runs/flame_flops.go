package runs

import "strings"

// Note: what a call costs. Bytes are those that a kernel must touch at least once: the elements that its arguments
// reach (those of a broadcast dimension once) and those of its results. Floating point operations are counted from
// the sizes by the rules below; operators without a rule have no rate. A multiplication and an addition are two.

// flops is the number of operations of a call, 0 where no rule knows it.
func (c *TracedCall) flops() float64 {
	rule := flopRules[strings.TrimSuffix(c.Op, "_")]
	if rule == nil || len(c.Inner) > 0 || len(c.Outputs) == 0 || len(c.Inputs) == 0 {
		return 0
	}
	return rule(c)
}

// flopRules is the table of them, by operator.
var flopRules = map[string]func(c *TracedCall) float64{
	"mm":          func(c *TracedCall) float64 { return c.product(0) },
	"bmm":         func(c *TracedCall) float64 { return c.product(0) },
	"mv":          func(c *TracedCall) float64 { return c.product(0) },
	"dot":         func(c *TracedCall) float64 { return c.product(0) },
	"vdot":        func(c *TracedCall) float64 { return c.product(0) },
	"addmm":       func(c *TracedCall) float64 { return c.product(1) },
	"addmv":       func(c *TracedCall) float64 { return c.product(1) },
	"baddbmm":     func(c *TracedCall) float64 { return c.product(1) },
	"convolution": (*TracedCall).convolution,
	"_convolution_weight": func(c *TracedCall) float64 { // as many as the convolution itself
		if len(c.Inputs) < 2 {
			return 0
		}
		return 2 * c.Inputs[1].numel() * c.Outputs[0].window()
	},
}

func init() {
	for names, rule := range map[string]func(c *TracedCall) float64{
		"add sub rsub mul div neg abs maximum minimum reciprocal square relu": func(c *TracedCall) float64 { return c.Outputs[0].numel() },
		"addcmul addcdiv lerp":                        func(c *TracedCall) float64 { return 2 * c.Outputs[0].numel() },
		"sum prod mean amax amin cumsum cumprod norm": func(c *TracedCall) float64 { return c.Inputs[0].numel() },
	} {
		for _, name := range strings.Fields(names) {
			flopRules[name] = rule
		}
	}
}

// product is the cost of a matrix product whose left operand is tensor i: two for each element of the result and each
// of the inner dimension.
func (c *TracedCall) product(i int) float64 {
	if i >= len(c.Inputs) || len(c.Inputs[i].Shape) == 0 {
		return 0
	}
	shape := c.Inputs[i].Shape
	return 2 * c.Outputs[0].numel() * float64(shape[len(shape)-1])
}

// convolution is the cost of a convolution: each element of the smaller side meets each of a filter's.
func (c *TracedCall) convolution() float64 {
	if len(c.Inputs) < 2 || len(c.Args) < 3 {
		return 0
	}
	side := c.Outputs[0]
	if c.Args[len(c.Args)-3] == "true" { // transposed
		side = c.Inputs[0]
	}
	return 2 * side.numel() * c.Inputs[1].window()
}

// window is the number of elements of one filter.
func (s Sized) window() float64 {
	if len(s.Shape) == 0 || s.Shape[0] == 0 {
		return 0
	}
	return s.numel() / float64(s.Shape[0])
}

func (s Sized) numel() float64 {
	n := 1.0
	for _, d := range s.Shape {
		n *= float64(d)
	}
	return n
}
