package tensor

import (
	"fmt"
	"slices"
)

func init() {
	m := map[string]Kernel{"_max_pool_backward": maxPoolBackwardShape}
	made := func(c *Call, n int, shape []int, dt Dtype) { // of pictures channels last stays, of volumes not
		if n == 2 {
			c.newFormat(shape, dt, c.Tensor(0))
		} else {
			c.New(shape, dt)
		}
	}
	for n := 2; n <= 3; n++ {
		name := func(format string) string { return fmt.Sprintf(format, n) }
		slide := func(c *Call) []int {
			kernel, stride, padding := c.PoolWindow(1, n)
			return c.poolShape(c.Tensor(0).shape, kernel, stride, padding, c.Pair(4, n), c.Bool(5))
		}
		m[name("nn.functional.max_pool%dd_with_indices")] = func(c *Call) {
			shape := slide(c)
			made(c, n, shape, c.Tensor(0).dtype)
			made(c, n, shape, Int64)
		}
		m[name("_max_pool%dd")] = func(c *Call) { made(c, n, slide(c), c.Tensor(0).dtype) }
		m[name("_adaptive_max_pool%dd")] = func(c *Call) {
			c.spatial(c.Tensor(0), n)
			made(c, n, c.adaptiveShape(n), c.Tensor(0).dtype)
		}
		m[name("nn.functional.avg_pool%dd")] = func(c *Call) {
			made(c, n, c.averageShape(c.Tensor(0).shape, 1, n), c.Tensor(0).dtype)
		}
		m[name("_avg_pool%dd_backward")] = func(c *Call) {
			in, g := c.Ints(1), c.Tensor(0)
			if slices.ContainsFunc(in, func(n int) bool { return n < 0 }) {
				panic(Errorf(c.Name(), "sizes must not be negative, got %s", sizesText(in)).OnArg("input_size"))
			}
			if out := c.averageShape(in, 2, n); !slices.Equal(out, g.shape) {
				panic(Errorf(c.Name(), "expected a gradient of shape %s, got %s", sizesText(out), sizesText(g.shape)).
					OnArg("grad_output"))
			}
			c.New(in, g.dtype)
		}
		m[name("nn.functional.adaptive_avg_pool%dd")] = func(c *Call) {
			x := c.Tensor(0)
			if k := len(x.shape); k != n+1 && k != n+2 || slices.Contains(x.shape[k-n:], 0) {
				panic(Errorf(c.Name(), "expected a %dD or %dD tensor with non-zero sizes beside the batch's, but got shape %v",
					n+1, n+2, x.shape))
			}
			made(c, n, c.adaptiveShape(n), x.dtype)
		}
		m[name("_adaptive_avg_pool%dd_backward")] = func(c *Call) {
			in, g := c.Ints(1), c.Tensor(0)
			k := len(in)
			if k != n+1 && k != n+2 || len(g.shape) != k || !slices.Equal(in[:k-n], g.shape[:k-n]) || slices.Min(in) < 0 ||
				slices.Contains(in[k-n:], 0) {
				panic(Errorf(c.Name(), "a gradient of shape %s does not belong to an input of shape %s", sizesText(g.shape),
					sizesText(in)).OnArg("grad_output"))
			}
			c.New(in, g.dtype)
		}
		m[name("nn.functional.adaptive_max_pool%dd_with_indices")] = func(c *Call) {
			c.spatial(c.Tensor(0), n)
			shape := c.adaptiveShape(n)
			made(c, n, shape, c.Tensor(0).dtype)
			made(c, n, shape, Int64)
		}
	}
	shapes(m)
	composites(map[string]Kernel{
		"nn.functional.max_pool3d": func(c *Call) {
			kernel, stride, padding := c.PoolWindow(1, 3)
			if c.plain() {
				c.Return(Private("_max_pool3d", c.Tensor(0), kernel, stride, padding, c.Pair(4, 3), c.Bool(5)))
				return
			}
			out, _ := MaxPool3dWithIndices(c.Tensor(0), kernel, optStride(stride...), optPadding(padding),
				optDilation(c.Pair(4, 3)...),
				optCeilMode(c.Bool(5)))
			c.Return(out)
		},
		"nn.functional.adaptive_max_pool1d": func(c *Call) {
			out, _ := adaptiveMaxPool1d(c, false)
			c.Return(out)
		},
		"nn.functional.adaptive_max_pool1d_with_indices": func(c *Call) { c.Return(two(adaptiveMaxPool1d(c, true))...) },
		"nn.functional.adaptive_max_pool2d": func(c *Call) {
			out, _ := adaptiveMaxPool2d(c, c.Tensor(0), c.Pair(1, 2), false)
			c.Return(out)
		},
		"nn.functional.adaptive_max_pool3d": func(c *Call) {
			if c.plain() {
				c.Return(Private("_adaptive_max_pool3d", c.Tensor(0), c.Pair(1, 3)))
				return
			}
			out, _ := AdaptiveMaxPool3dWithIndices(c.Tensor(0), c.Pair(1, 3))
			c.Return(out)
		},
		"nn.functional.max_pool2d": func(c *Call) {
			out, _ := maxPool(c, c.Tensor(0), false, poolPairs(c, 2, 5)...)
			c.Return(out)
		},
		"nn.functional.max_pool1d": func(c *Call) {
			out, _ := maxPool1d(c, false)
			c.Return(out)
		},
		"nn.functional.max_pool1d_with_indices": func(c *Call) { c.Return(two(maxPool1d(c, true))...) },
		"nn.functional.avg_pool1d": func(c *Call) {
			x := sequence(c)
			p := poolPairs(c, 1, 4)
			checkWindow(c, x.shape, p[0][1:], p[1][1:], p[2][1:], []int{1}, 1, c.Bool(4))
			y := AvgPool2d(x.Unsqueeze(-2), p[0], optStride(p[1]...), optPadding(p[2]), optCeilMode(c.Bool(4)),
				optCountIncludePad(c.Bool(5)))
			c.Return(y.Squeeze(-2))
		},
		"nn.functional.adaptive_avg_pool1d": func(c *Call) {
			x := sequence(c)
			c.Return(AdaptiveAvgPool2d(x.Unsqueeze(-2), []int{1, c.Pair(1, 1)[0]}).Squeeze(-2))
		},
	})
}

// PoolWindow is the geometry of a pooling over n dimensions: kernel_size, stride and padding are slots k, k+1 and k+2;
// without stride it is kernel_size.
func (c *Call) PoolWindow(k, n int) (kernel, stride, padding []int) {
	kernel, stride, padding = c.Pair(k, n), c.Pair(k+1, n), c.Pair(k+2, n)
	if len(stride) == 0 {
		stride = kernel
	}
	return kernel, stride, padding
}

// averageShape is the shape of the average pooling of x over n dimensions, with the window's slots from k on.
func (c *Call) averageShape(x []int, k, n int) []int {
	if !c.IsNone(k+5) && c.Int(k+5) == 0 {
		panic(Errorf(c.Name(), "the divisor must not be zero").OnArg("divisor_override"))
	}
	kernel, stride, padding := c.PoolWindow(k, n)
	return c.poolShape(x, kernel, stride, padding, []int{1, 1, 1}[:n], c.Bool(k+3))
}

// poolShape is the shape of the result of a pooling of x, a picture, a volume or a batch of them.
func (c *Call) poolShape(x, kernel, stride, padding, dilation []int, ceil bool) []int {
	n := len(kernel)
	if len(x) != n+1 && len(x) != n+2 || slices.Contains(x[len(x)-n-1:], 0) {
		panic(Errorf(c.Name(), "expected a %dD or %dD (batch mode) tensor with optional 0 dim batch size for input, but "+
			"got shape %v", n+1, n+2, x))
	}
	return checkWindow(c, x, kernel, stride, padding, dilation, n, ceil)
}

// checkWindow checks a window over the last n dimensions of x and returns the shape of the result.
func checkWindow(c *Call, x, kernel, stride, padding, dilation []int, n int, ceil bool) []int {
	shape := slices.Clone(x)
	for i := range n {
		k, s, p, d := kernel[i], stride[i], padding[i], dilation[i]
		switch {
		case k <= 0:
			panic(Errorf(c.Name(), "kernel_size must be greater than zero, but got %v", kernel))
		case s <= 0:
			panic(Errorf(c.Name(), "stride must be greater than zero (stride should not be zero), but got %v", stride))
		case d <= 0:
			panic(Errorf(c.Name(), "dilation must be greater than zero, but got %v", dilation))
		case p < 0:
			panic(Errorf(c.Name(), "pad must be non-negative, but got pad: %d", p))
		case 2*p > k:
			panic(Errorf(c.Name(), "pad should be at most half of kernel size, but got pad=%d and kernel_size=%d", p, k))
		}
		at := len(x) - n + i
		in := x[at]
		span := in + 2*p - d*(k-1) - 1
		if ceil {
			span += s - 1
		}
		out := span / s
		if span < 0 {
			out = (span - s + 1) / s
		}
		out++
		if ceil && (out-1)*s >= in+p { // a last window must begin inside of the input or the padding before it
			out--
		}
		shape[at] = out
		if out < 1 {
			panic(Errorf(c.Name(), "given input size %v, the calculated output size %v is too small", x, shape))
		}
	}
	return shape
}

// sequence is the input of a pooling in one dimension.
func sequence(c *Call) *Tensor {
	x := c.Tensor(0)
	if n := len(x.shape); n != 2 && n != 3 || slices.Contains(x.shape[n-2:], 0) {
		panic(Errorf(c.Name(), "expected a 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got "+
			"shape %v", x.shape))
	}
	return x
}

// poolPairs reads kernel_size, stride, padding (and dilation, if until says so) as pairs; in one dimension the other
// gets 1, 1, 0, 1.
func poolPairs(c *Call, n, until int) [][]int {
	var out [][]int
	for i := 1; i < until; i++ {
		p := c.Pair(i, n)
		if len(p) == 0 {
			p = c.Pair(1, n)
		}
		if n == 1 {
			first := 1
			if i == 3 {
				first = 0
			}
			p = []int{first, p[0]}
		}
		out = append(out, p)
	}
	return out
}

// plain reports whether nothing but a device's kernel sees the call: no gradient, no transform, no trace. Then the
// indices that a max pool's gradient needs are not computed.
func (c *Call) plain() bool { return c.all&^deviceKeys == 0 }

func maxPool(c *Call, x *Tensor, wanted bool, p ...[]int) (out, indices *Tensor) {
	if !wanted && c.plain() {
		return Private("_max_pool2d", x, p[0], p[1], p[2], p[3], c.Bool(5)), nil
	}
	return MaxPool2dWithIndices(x, p[0], optStride(p[1]...), optPadding(p[2]), optDilation(p[3]...),
		optCeilMode(c.Bool(5)))
}

func maxPool1d(c *Call, wanted bool) (out, indices *Tensor) {
	x := sequence(c)
	p := poolPairs(c, 1, 5)
	checkWindow(c, x.shape, p[0][1:], p[1][1:], p[2][1:], p[3][1:], 1, c.Bool(5))
	out, indices = maxPool(c, x.Unsqueeze(-2), wanted, p...)
	if indices != nil {
		indices = indices.Squeeze(-2)
	}
	return out.Squeeze(-2), indices
}

func adaptiveMaxPool2d(c *Call, x *Tensor, size []int, wanted bool) (out, indices *Tensor) {
	if !wanted && c.plain() {
		return Private("_adaptive_max_pool2d", x, size), nil
	}
	return AdaptiveMaxPool2dWithIndices(x, size)
}

func adaptiveMaxPool1d(c *Call, wanted bool) (out, indices *Tensor) {
	x := c.Tensor(0)
	c.spatial(x, 1)
	out, indices = adaptiveMaxPool2d(c, x.Unsqueeze(-2), []int{1, c.Pair(1, 1)[0]}, wanted)
	if indices != nil {
		indices = indices.Squeeze(-2)
	}
	return out.Squeeze(-2), indices
}

// adaptiveShape is the shape of the input's last n dimensions cut into output_size, slot 1, parts.
func (c *Call) adaptiveShape(n int) []int {
	shape := slices.Clone(c.Tensor(0).shape)
	for i, s := range c.Pair(1, n) {
		switch {
		case s == NoInt:
		case s < 0:
			panic(Errorf(c.Name(), "elements of output_size must be greater than or equal to 0, but got %d", s).
				OnArg("output_size"))
		default:
			shape[len(shape)-n+i] = s
		}
	}
	return shape
}

// spatial returns the last n sizes of an input (N, C, ...) or (C, ...), none of which may be zero, nor the channels.
func (c *Call) spatial(x *Tensor, n int) []int {
	if k := len(x.shape); k != n+1 && k != n+2 || slices.Contains(x.shape[k-n-1:], 0) {
		panic(Errorf(c.Name(), "expected a %dD or %dD (batch mode) tensor with optional 0 dim batch size for input, but "+
			"got shape %v", n+1, n+2, x.shape))
	}
	return x.shape[len(x.shape)-n:]
}

// maxPoolBackwardShape is input_size, which differs from the gradient's in the last dims dimensions.
func maxPoolBackwardShape(c *Call) {
	g, indices, in, n := c.Tensor(0), c.Tensor(1), c.Ints(2), c.Int(3)
	if indices.dtype != Int64 || !slices.Equal(indices.shape, g.shape) {
		panic(Errorf(c.Name(), "expected int64 indices of shape %s, got %s", sizesText(g.shape), sizesText(indices.shape)).
			OnArg("indices"))
	}
	if k := len(in) - n; n < 1 || n > 3 || k < 0 || len(in) != len(g.shape) || slices.Min(in) < 0 ||
		!slices.Equal(in[:k], g.shape[:k]) {
		panic(Errorf(c.Name(), "a gradient of shape %s does not belong to an input of shape %s", sizesText(g.shape),
			sizesText(in)).OnArg("grad_output"))
	}
	c.New(in, g.dtype)
}
