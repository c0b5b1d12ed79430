package tensor

// Bodies of orderings that are others in another dress.

func init() {
	composites(map[string]Kernel{
		"argsort": func(c *Call) {
			_, indices := c.Tensor(0).Sort(optDim(c.Int(1)), optDescending(c.Bool(2)), optStable(c.Bool(3)))
			c.Return(indices)
		},
		"msort": func(c *Call) {
			values, _ := c.Tensor(0).Sort(optDim(0))
			c.Return(values)
		},
		"bucketize": func(c *Call) {
			bounds := c.Tensor(1)
			if len(bounds.shape) != 1 {
				panic(Errorf(c.Name(), "the boundaries must be a vector, not of shape %v", bounds.shape).OnArg("boundaries"))
			}
			values := Operand(c.Tensor(0))
			if s, ok := c.Scalar(0); ok {
				values = s
			}
			c.Return(Searchsorted(bounds, values, optOutInt32(c.Bool(2)), optRight(c.Bool(3))))
		},
	})
}
