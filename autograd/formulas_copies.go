package autograd

// Copies and fills. The engine converts gradients to the dtype and device of what they belong to.

func init() {
	pass := func(c *Ctx) Grads { return Grads{c.Grad} }
	// What was there before has no part in the result.
	nothing := func(c *Ctx) Grads { return Grads{zeros(c.Grad, c.Shape(0))} }
	register(map[string]Formula{
		"clone":    {VJP: pass},
		"_to_copy": {VJP: pass},
		"copy_":    {Name: "CopyBackwards", VJP: func(c *Ctx) Grads { return Grads{zeros(c.Grad, c.Shape(0)), c.Grad} }},
		"zero_":    {VJP: nothing},
		"fill_": {
			VJP: func(c *Ctx) Grads {
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
		"uniform_":     {VJP: nothing},
		"normal_":      {VJP: nothing},
		"random_":      {VJP: nothing},
		"exponential_": {VJP: nothing},
		"log_normal_":  {VJP: nothing},
		"bernoulli_":   {VJP: nothing},
	})
}
