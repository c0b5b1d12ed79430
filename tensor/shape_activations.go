package tensor

func init() {
	shapes(map[string]Kernel{
		"frexp": func(c *Call) {
			x := c.Tensor(0)
			onlyFloats(c, x.dtype)
			c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
			c.NewStrided(x.shape, x.preservedStrides(), Int32)
		},
		"nn.functional.prelu": func(c *Call) {
			x, w := c.Tensor(0), c.Tensor(1)
			onlyFloats(c, x.dtype)
			if w.dtype != x.dtype {
				panic(Errorf(c.Name(), "type promoting between input and weight is not supported, got %s and %s", x.dtype,
					w.dtype))
			}
			if w.numel != 1 {
				if len(x.shape) == 0 {
					panic(Errorf(c.Name(), "not allow zero-dim input tensor with %d slopes", w.numel))
				}
				channels := 1
				if len(x.shape) > 1 {
					channels = x.shape[1]
				}
				if channels != w.numel {
					panic(Errorf(c.Name(), "mismatch of parameter numbers and input channel size: found parameter numbers = %d and "+
						"channel size = %d", w.numel, channels))
				}
			}
			if len(w.shape) > 1 {
				panic(Errorf(c.Name(), "weight should be a scalar or a 1-D tensor, got %d dimensions", len(w.shape)))
			}
			c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
		},
		"nn.functional.glu": func(c *Call) {
			x := c.Tensor(0)
			onlyFloats(c, x.dtype)
			if len(x.shape) == 0 {
				panic(Errorf(c.Name(), "does not support 0-dimensional tensors"))
			}
			d := c.wrapDim(1, c.Int(1), len(x.shape))
			if x.shape[d]%2 != 0 {
				panic(Errorf(c.Name(), "halving dimension must be even, but dimension %d is size %d", d, x.shape[d]))
			}
			shape := x.Shape()
			shape[d] /= 2
			c.newFormat(shape, x.dtype, x)
		},
	})
}
