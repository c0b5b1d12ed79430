package tensor

import (
	"slices"
)

func init() {
	shapes(map[string]Kernel{
		"convolution":         convolutionShape,
		"_convolution_weight": convolutionWeightShape,
		"constant_pad_nd":     constantPadShape,
	})
}

// convolutionShape checks a convolution of any number of dimensions of space and makes its result.
func convolutionShape(c *Call) {
	x, w, b := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	stride, padding, dilation, outPadding := c.Ints(3), c.Ints(4), c.Ints(5), c.Ints(7)
	transposed, groups := c.Bool(6), c.Int(8)
	n := len(stride)
	bad := func(arg, format string, args ...any) {
		defer func() {
			e := recover().(*Error)
			e.Arg = arg
			panic(e)
		}()
		panic(Errorf(c.Name(), format, args...))
	}
	if len(x.shape) != n+2 || len(w.shape) != n+2 {
		bad("input", "expected input and weight of %d dimensions, got shapes %v and %v", n+2, x.shape, w.shape)
	}
	if w.dtype != x.dtype {
		bad("weight", "input type %s and weight type %s should be the same", x.dtype, w.dtype)
	}
	if b != nil && b.dtype != x.dtype {
		bad("bias", "input type %s and bias type %s should be the same", x.dtype, b.dtype)
	}
	if x.dtype == Bool {
		bad("input", "not implemented for %s", x.dtype)
	}
	if groups <= 0 {
		bad("groups", "non-positive groups is not supported, got %d", groups)
	}
	for i := range n {
		switch {
		case stride[i] <= 0:
			bad("stride", "non-positive stride is not supported, got %v", stride)
		case padding[i] < 0:
			bad("padding", "negative padding is not supported, got %v", padding)
		case dilation[i] <= 0:
			bad("dilation", "dilation should be greater than zero, got %v", dilation)
		case outPadding[i] < 0:
			bad("output_padding", "negative output_padding is not supported, got %v", outPadding)
		}
	}
	outChannels := w.shape[0]
	if transposed {
		outChannels = w.shape[1] * groups
		if x.shape[1] != w.shape[0] {
			bad("input", "given transposed=1, weight of size %v, expected input%v to have %d channels, but got %d channels "+
				"instead", w.shape, x.shape, w.shape[0], x.shape[1])
		}
		if w.shape[0]%groups != 0 {
			bad("groups", "the %d channels of the input are not divisible by %d groups", w.shape[0], groups)
		}
	} else {
		if x.shape[1] != w.shape[1]*groups {
			bad("input",
				"given groups=%d, weight of size %v, expected input%v to have %d channels, but got %d channels instead", groups,
				w.shape, x.shape, w.shape[1]*groups, x.shape[1])
		}
		if w.shape[0]%groups != 0 || w.shape[0] < groups {
			bad("groups", "given groups=%d, expected weight to be at least %d at dimension 0 and divisible by it, but got "+
				"weight of size %v", groups, groups, w.shape)
		}
	}
	if b != nil && (len(b.shape) != 1 || b.shape[0] != outChannels) {
		bad("bias", "expected bias to be 1-dimensional with %d elements, but got bias of size %v", outChannels, b.shape)
	}
	shape := []int{x.shape[0], outChannels}
	for i := range n {
		in, k := x.shape[i+2], dilation[i]*(w.shape[i+2]-1)+1
		if transposed {
			shape = append(shape, (in-1)*stride[i]-2*padding[i]+k+outPadding[i])
			if shape[i+2] < 0 {
				bad("input", "the calculated output size %v is too small", shape)
			}
			continue
		}
		if in+2*padding[i] < k {
			bad("input", "calculated padded input size per channel: %d; kernel size: %d (dimension %d of input %v and weight "+
				"%v): kernel size can't be greater than actual input size",
				in+2*padding[i], k, i+2, x.shape, w.shape)
		}
		shape = append(shape, (in+2*padding[i]-k)/stride[i]+1)
	}
	if n == 2 && !transposed {
		c.newFormat(shape, x.dtype, x, w)
		c.inRows = c.inRows && c.device != CPU // whose kernel fills both formats
	} else {
		c.New(shape, x.dtype)
	}
}

// convolutionWeightShape checks that a gradient is that of a convolution of the input with a weight of the size asked
// for, and makes the result.
func convolutionWeightShape(c *Call) {
	x, g, w := c.Tensor(0), c.Tensor(1), c.Ints(2)
	stride, padding, dilation, groups := c.Ints(3), c.Ints(4), c.Ints(5), c.Int(6)
	n := len(stride)
	bad := func(arg, format string, args ...any) {
		panic(Errorf(c.Name(), format, args...).OnArg(arg))
	}
	switch {
	case n < 1 || n > 3 || len(padding) != n || len(dilation) != n:
		bad("stride", "expected 1 to 3 numbers for each of stride, padding and dilation, got %v, %v and %v", stride,
			padding, dilation)
	case len(x.shape) != n+2 || len(g.shape) != n+2 || len(w) != n+2:
		bad("input", "expected input, gradient and weight of %d dimensions, got %v, %v and %v", n+2, x.shape, g.shape, w)
	case g.dtype != x.dtype:
		bad("grad_output", "input type %s and gradient type %s should be the same", x.dtype, g.dtype)
	case slices.Min(w) < 0:
		bad("weight_size", "sizes must not be negative, got %v", w)
	case groups <= 0 || w[0]%groups != 0:
		bad("groups", "%d groups do not divide %d channels", groups, w[0])
	case x.shape[0] != g.shape[0] || x.shape[1] != w[1]*groups || g.shape[1] != w[0]:
		bad("grad_output",
			"a gradient of shape %v does not belong to an input of shape %v and a weight of size %v in %d groups", g.shape,
			x.shape, w, groups)
	}
	for i := range n {
		if stride[i] <= 0 || padding[i] < 0 || dilation[i] <= 0 {
			bad("stride", "stride %v, padding %v and dilation %v do not describe a convolution", stride, padding, dilation)
		}
		if out := g.shape[i+2]; out > 0 && (out-1)*stride[i]+dilation[i]*(w[i+2]-1)+1 > x.shape[i+2]+2*padding[i] {
			bad("grad_output", "a gradient of shape %v is larger than the convolution of an input of shape %v with a weight "+
				"of size %v", g.shape, x.shape, w)
		}
	}
	c.New(w, x.dtype)
}

// sizesText writes a list of numbers as [2 3].
func sizesText(l []int) string {
	s := "["
	for i, v := range l {
		if i > 0 {
			s += " "
		}
		s += itoa(v)
	}
	return s + "]"
}

// constantPadShape: pad holds a pair (before, after) for each dimension, the last first.
func constantPadShape(c *Call) {
	x, pad := c.Tensor(0), c.Ints(1)
	n := len(x.shape)
	if len(pad)%2 != 0 || len(pad) > 2*n {
		panic(Errorf(c.Name(), "the length of pad must be even and at most twice the number of dimensions, but pad is %v "+
			"for an input of shape %v", pad, x.shape))
	}
	shape := slices.Clone(x.shape)
	for i := 0; i < len(pad); i += 2 {
		d := n - 1 - i/2
		shape[d] += pad[i] + pad[i+1]
		if shape[d] < 0 {
			panic(Errorf(c.Name(), "the input size %d, plus negative padding %d and %d, resulted in a negative output size, "+
				"dimension %d of shape %v", x.shape[d], pad[i], pad[i+1], d, x.shape))
		}
	}
	c.newFormat(shape, x.dtype, x)
}
