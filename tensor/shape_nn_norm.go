package tensor

import "slices"

func init() {
	shapes(map[string]Kernel{
		"nn.functional.softmax":     softmaxShape,
		"nn.functional.log_softmax": softmaxShape,
		"_layer_norm":               layerNormShape,
		"_batch_norm": func(c *Call) {
			x := c.Tensor(0)
			c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
			c.New([]int{x.shape[1]}, x.dtype)
			c.New([]int{x.shape[1]}, x.dtype)
		},
		"_softmax_backward":     func(c *Call) { c.New(c.Tensor(1).shape, c.Tensor(1).dtype) },
		"_log_softmax_backward": func(c *Call) { c.New(c.Tensor(1).shape, c.Tensor(1).dtype) },
		"_layer_norm_backward": func(c *Call) {
			x := c.Tensor(1)
			c.New(x.shape, x.dtype)
			c.New(c.Ints(2), x.dtype)
			c.New(c.Ints(2), x.dtype)
		},
		"_batch_norm_backward": func(c *Call) {
			x := c.Tensor(1)
			c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
			c.New([]int{x.shape[1]}, x.dtype)
			c.New([]int{x.shape[1]}, x.dtype)
		},
		"_batch_norm_eval": func(c *Call) {
			x := c.Tensor(0)
			c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
		},
	})
}

// SoftmaxDim is the dimension that slot 1 of a softmax names; without one it is PyTorch's choice.
func (c *Call) SoftmaxDim() int {
	n := len(c.Tensor(0).shape)
	if c.IsNone(1) {
		if n == 0 || n == 1 || n == 3 {
			return 0
		}
		return 1
	}
	return c.wrapDim(1, c.Int(1), n)
}

func softmaxShape(c *Call) {
	x := c.Tensor(0)
	c.SoftmaxDim()
	dt := c.DtypeOption(x.dtype)
	if !dt.IsFloatingPoint() {
		panic(Errorf(c.Name(), "not implemented for %s", dt).
			WithHint("opt.Dtype(tensor.Float32) computes in floating point"))
	}
	c.New(x.shape, dt)
}

// layerNormShape: the means and reciprocal deviations have size 1 in the normalized dimensions.
func layerNormShape(c *Call) {
	x, normalized := c.Tensor(0), c.Ints(1)
	n, k := len(x.shape), len(normalized)
	if k == 0 {
		panic(Errorf(c.Name(), "normalized_shape must have at least one dimension, got []").OnArg("normalized_shape"))
	}
	for i, name := range []string{"weight", "bias"} {
		t := c.Tensor(2 + i)
		if t == nil {
			continue
		}
		if !slices.Equal(t.shape, normalized) {
			panic(Errorf(c.Name(), "expected %s to be of same shape as normalized_shape, but got %s of shape %v and "+
				"normalized_shape = %v", name, name, t.shape, normalized))
		}
		if t.dtype != x.dtype {
			panic(Errorf(c.Name(), "expected %s and input to have the same dtype, but got %s and %s", name, t.dtype, x.dtype))
		}
	}
	if n < k || !slices.Equal(x.shape[n-k:], normalized) {
		panic(Errorf(c.Name(), "given normalized_shape=%v, expected input with shape [*, %s], but got input of size %v",
			normalized, sizesText(normalized)[1:len(sizesText(normalized))-1], x.shape))
	}
	if !x.dtype.IsFloatingPoint() {
		panic(Errorf(c.Name(), "not implemented for %s", x.dtype))
	}
	stats := slices.Clone(x.shape)
	for d := n - k; d < n; d++ {
		stats[d] = 1
	}
	c.New(x.shape, x.dtype)
	c.New(stats, x.dtype)
	c.New(stats, x.dtype)
}
