package tensor

import "slices"

// Convolutions with the arguments of torch.nn.functional: each is a call of convolution.

func init() {
	composites(map[string]Kernel{
		"nn.functional.conv1d":           func(c *Call) { convBody(c, 1) },
		"nn.functional.conv2d":           func(c *Call) { convBody(c, 2) },
		"nn.functional.conv3d":           func(c *Call) { convBody(c, 3) },
		"nn.functional.conv_transpose1d": func(c *Call) { convTransposeBody(c, 1) },
		"nn.functional.conv_transpose2d": func(c *Call) { convTransposeBody(c, 2) },
		"nn.functional.conv_transpose3d": func(c *Call) { convTransposeBody(c, 3) },
	})
}

// spatial checks the numbers of dimensions of a convolution's input, and returns a batch of one where there is none.
func spatial(c *Call, n int) (x *Tensor, batched bool) {
	x, w := c.Tensor(0), c.Tensor(1)
	if len(w.shape) != n+2 {
		panic(Errorf(c.Name(), "expected a weight of %d dimensions, got shape %s", n+2, sizesText(w.shape)).OnArg("weight"))
	}
	switch len(x.shape) {
	case n + 2:
		return x, true
	case n + 1:
		return x.Unsqueeze(0), false
	}
	panic(Errorf(c.Name(), "expected %dD (unbatched) or %dD (batched) input, but got input of size %s", n+1, n+2,
		sizesText(x.shape)).OnArg("input"))
}

func unbatch(x *Tensor, batched bool) *Tensor {
	if batched {
		return x
	}
	return x.Squeeze(0)
}

func convBody(c *Call, n int) {
	x, batched := spatial(c, n)
	w, b := c.Tensor(1), c.Tensor(2)
	stride, dilation, groups := c.Pair(3, n), c.Pair(5, n), c.Int(6)
	zero := make([]int, n)
	padding := zero
	switch mode := c.Str(4); mode {
	case "valid":
	case "":
		padding = c.Pair(4, n)
	case "same":
		if slices.ContainsFunc(stride, func(s int) bool { return s != 1 }) {
			panic(Errorf(c.Name(), `padding="same" is not supported for strided convolutions, got stride %s`,
				sizesText(stride)).OnArg("padding"))
		}
		padding = make([]int, n)
		before := make([]int, 2*n) // what is odd goes after, one more than before
		odd := false
		for i := range n {
			total := dilation[i] * (w.shape[i+2] - 1)
			padding[i] = total / 2
			if total%2 != 0 {
				odd = true
				before[2*(n-1-i)+1] = 1
			}
		}
		if odd {
			x = ConstantPadNd(x, before)
		}
	default:
		panic(Errorf(c.Name(), `padding must be numbers, "valid" or "same", not "%s"`, mode).OnArg("padding"))
	}
	c.Return(unbatch(Convolution(x, w, b, stride, padding, dilation, false, zero, groups), batched))
}

func convTransposeBody(c *Call, n int) {
	x, batched := spatial(c, n)
	stride, padding, outPadding, groups, dilation := c.Pair(3, n), c.Pair(4, n), c.Pair(5, n), c.Int(6), c.Pair(7, n)
	for i := range n {
		if o := outPadding[i]; o >= stride[i] && o >= dilation[i] {
			panic(Errorf(c.Name(), "output padding must be smaller than either stride or dilation, but got output_padding "+
				"%s, stride %s, dilation %s", sizesText(outPadding), sizesText(stride), sizesText(dilation)).
				OnArg("output_padding"))
		}
	}
	c.Return(unbatch(Convolution(x, c.Tensor(1), c.Tensor(2), stride, padding, dilation, true, outPadding, groups),
		batched))
}
