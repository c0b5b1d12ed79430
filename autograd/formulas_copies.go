package autograd

// Copies and fills. The engine converts gradients to the dtype and device of what they belong to.

func init() {
	pass := func(c *Ctx) Grads { return Grads{c.Grad} }
	// What was there before has no part in the result.
	nothing := func(c *Ctx) Grads { return Grads{zeros(c.Grad, c.Shape(0))} }
	register(map[string]Formula{
		"clone":    {JVP: linear, Batch: wholeFormat, VJP: pass},
		"_to_copy": {Batch: wholeFormat, VJP: pass},
		"copy_": {JVP: linear, Batch: alignBatch, Name: "CopyBackwards", VJP: func(c *Ctx) Grads {
			return Grads{zeros(c.Grad, c.Shape(0)), c.Grad}
		}},
		"zeros_like": {Batch: wholeBatch}, "ones_like": {Batch: wholeBatch},
		"full_like": {Batch: wholeBatch}, "empty_like": {Batch: wholeBatch},
		"zero_": {JVP: linear, Batch: wholeBatch, VJP: nothing},
		"fill_": {
			JVP: linear, VJP: func(c *Ctx) Grads {
				out := Grads{zeros(c.Grad, c.Shape(0)), nil}
				if c.Needs(1) {
					out[1] = c.Grad.Sum()
				}
				return out
			},
			NameOf: func(c *Ctx) string {
				if c.IsTensor(1) {
					return "FillBackward3"
				}
				return "FillBackward2"
			},
		},
		"uniform_":     {JVP: constant, VJP: nothing},
		"normal_":      {JVP: constant, VJP: nothing},
		"random_":      {JVP: constant, VJP: nothing},
		"exponential_": {JVP: constant, VJP: nothing},
		"log_normal_":  {JVP: constant, VJP: nothing},
		"bernoulli_":   {JVP: constant, VJP: nothing},
	})
}
