package tensor

import (
	"math"
	"slices"
)

func init() {
	composites(map[string]Kernel{
		"nn.functional.interpolate": func(c *Call) {
			c.resize(c.Str(3), !c.IsNone(4) && c.Bool(4), !c.IsNone(4), !c.IsNone(5) && c.Bool(5))
		},
		"nn.functional.upsample": func(c *Call) {
			c.resize(c.Str(3), !c.IsNone(4) && c.Bool(4), !c.IsNone(4), false)
		},
		"nn.functional.upsample_nearest":  func(c *Call) { c.resize("nearest", false, false, false) },
		"nn.functional.upsample_bilinear": func(c *Call) { c.resize("bilinear", true, true, false) },
	})
	shapes(map[string]Kernel{
		"_interpolate": func(c *Call) {
			x, shape := c.Tensor(0), c.resizedShape(c.Tensor(0).shape, c.Ints(1))
			if c.Str(2) == "bicubic" {
				c.New(shape, x.dtype)
			} else {
				c.newFormat(shape, x.dtype, x)
			}
		},
		"_interpolate_backward": func(c *Call) {
			g, in := c.Tensor(0), c.Ints(1)
			k := len(in)
			if k < 3 || len(g.shape) != k || !slices.Equal(in[:2], g.shape[:2]) || slices.Min(in) < 0 {
				panic(Errorf(c.Name(), "a gradient of shape %s does not belong to an input of shape %s", sizesText(g.shape),
					sizesText(in)))
			}
			if shape := c.resizedShape(g.shape, in[2:]); c.Str(2) == "bicubic" || k == 5 && c.Str(2) == "nearest" {
				c.New(shape, g.dtype)
			} else {
				c.newFormat(shape, g.dtype, g)
			}
		},
		"nn.functional.unfold": unfoldShape,
		"nn.functional.fold":   foldShape,
		"_unfold_backward": func(c *Call) {
			g, in := c.Tensor(0), c.Ints(1)
			if k := len(in); k != 3 && k != 4 || slices.Min(in) < 0 ||
				!slices.Equal(c.columnsOf(in, c.Pair(2, 2), c.Pair(3, 2), c.Pair(4, 2), c.Pair(5, 2)), g.shape) {
				panic(Errorf(c.Name(), "a gradient of shape %s does not belong to an input of shape %s", sizesText(g.shape),
					sizesText(in)))
			}
			c.New(in, g.dtype)
		},
	})
}

// resizeModes are the dimensions that each mode is for; 0 is any.
var resizeModes = map[string]int{"nearest": 0, "nearest-exact": 0, "area": 0, "linear": 1, "bilinear": 2, "bicubic": 2,
	"trilinear": 3}

// resize is interpolate with its input, size and scale_factor in slots 0 to 2.
func (c *Call) resize(mode string, corners, cornersGiven, recompute bool) {
	x := c.Tensor(0)
	n := len(x.shape) - 2
	want, known := resizeModes[mode]
	switch {
	case !known:
		panic(Errorf(c.Name(), "unknown mode %q", mode).OnArg("mode").
			WithHint("it is nearest, nearest-exact, area, linear, bilinear, bicubic or trilinear"))
	case n < 1 || n > 3 || want != 0 && want != n:
		panic(Errorf(c.Name(), "mode %q got an input of shape %v: only 3D, 4D and 5D inputs are resized, linear ones in "+
			"1, bilinear and bicubic in 2, trilinear in 3 dimensions", mode, x.shape))
	case want == 0 && cornersGiven:
		panic(Errorf(c.Name(), "align_corners can only be set with the interpolating modes: linear, bilinear, bicubic, "+
			"trilinear").OnArg("align_corners"))
	case c.IsNone(1) == c.IsNone(2):
		panic(Errorf(c.Name(), "one of size and scale_factor should be given, and only one"))
	case recompute && c.IsNone(2):
		panic(Errorf(c.Name(), "recompute_scale_factor has no meaning beside a size").OnArg("recompute_scale_factor"))
	}
	in := c.spatial(x, n)
	var factors []float64
	if f, ok := c.Scalar(2); ok {
		factors = slices.Repeat([]float64{f.Float()}, n)
	}
	for _, f := range c.Scalars(2) {
		factors = append(factors, f.Float())
	}
	size := c.Ints(1)
	if c.arg(1).kind == intValue { // a number for all dimensions
		size = c.Pair(1, n)
	}
	for i, l := range [3]int{1: len(size), 2: len(factors)} {
		if name := c.Op.Params[i].Name; i > 0 && !c.IsNone(i) && l != n {
			panic(Errorf(c.Name(), "%s must have a number for each of the %d dimensions %v of input after the channels, not %d",
				name, n, in, l).OnArg(name).WithHint("one number that is not in a list stands for all dimensions"))
		}
	}
	if c.IsNone(1) {
		size = make([]int, n)
		for d := range size {
			size[d] = int(math.Floor(float64(in[d]) * factors[d]))
		}
		if recompute {
			factors = nil
		}
	}
	for _, s := range size {
		if s < 0 || s == 0 && mode != "area" {
			panic(Errorf(c.Name(), "input and output sizes should be greater than 0, but got input %v and output %v", in,
				size))
		}
	}
	if mode == "area" {
		switch n {
		case 1:
			c.Return(AdaptiveAvgPool1d(x, size))
		case 2:
			c.Return(AdaptiveAvgPool2d(x, size))
		default:
			c.Return(AdaptiveAvgPool3d(x, size))
		}
		return
	}
	var scale any // none
	if factors != nil {
		scale = factors
	}
	c.Return(Private("_interpolate", x, size, mode, corners, scale))
}

// resizedShape is the shape that x, (N, C, ...) or what comes for a gradient, has with other sizes in space.
func (c *Call) resizedShape(x, size []int) []int {
	k := len(x) - len(size)
	want, known := resizeModes[c.Str(2)]
	if !known || len(size) < 1 || len(size) > 3 || k < 1 || want != 0 && want != len(size) || slices.Contains(x[k:], 0) ||
		slices.Min(size) < 1 {
		panic(Errorf(c.Name(), "an input of shape %s cannot get the sizes %s in mode %q", sizesText(x), sizesText(size),
			c.Str(2)))
	}
	return append(slices.Clone(x[:k]), size...)
}

func unfoldShape(c *Call) {
	x := c.Tensor(0)
	c.New(c.columnsOf(x.shape, c.Pair(1, 2), c.Pair(2, 2), c.Pair(3, 2), c.Pair(4, 2)), x.dtype)
}

func foldShape(c *Call) {
	x, size, kernel := c.Tensor(0), c.Pair(1, 2), c.Pair(2, 2)
	k, area := len(x.shape), kernel[0]*kernel[1]
	switch {
	case k != 2 && k != 3 || slices.Contains(x.shape[k-2:], 0):
		panic(Errorf(c.Name(), "expected an input (channels * window, windows), with or without a batch in front, got "+
			"shape %v", x.shape).OnArg("input"))
	case kernel[0] <= 0 || kernel[1] <= 0 || x.shape[k-2]%area != 0:
		panic(Errorf(c.Name(), "dimension %d of input, of size %d, must be divisible by the %d x %d elements of a window",
			k-2, x.shape[k-2], kernel[0], kernel[1]).OnArg("input"))
	}
	out := append(slices.Clone(x.shape[:k-2]), x.shape[k-2]/area, size[0], size[1])
	if want := c.columnsOf(out, kernel, c.Pair(3, 2), c.Pair(4, 2), c.Pair(5, 2)); want[k-1] != x.shape[k-1] {
		panic(Errorf(c.Name(), "an output of %d x %d has %d windows, but input has %d", size[0], size[1], want[k-1],
			x.shape[k-1]).OnArg("input"))
	}
	c.New(out, x.dtype)
}

// columnsOf is the shape of the windows of a picture as columns.
func (c *Call) columnsOf(x, kernel, dilation, padding, stride []int) []int {
	k := len(x)
	if k != 3 && k != 4 || slices.Contains(x[k-3:], 0) {
		panic(Errorf(c.Name(), "expected a 3D or 4D (batch mode) tensor with possibly 0 batch size, but got shape %v", x))
	}
	in := x[k-2:]
	windows := 1
	for d := range 2 {
		if kernel[d] <= 0 || dilation[d] <= 0 || stride[d] <= 0 || padding[d] < 0 {
			panic(Errorf(c.Name(), "kernel_size %v, dilation %v and stride %v must be greater than zero, and padding %v not "+
				"negative", kernel, dilation, stride, padding))
		}
		span := in[d] + 2*padding[d] - dilation[d]*(kernel[d]-1) - 1
		if span < 0 {
			panic(Errorf(c.Name(), "windows of %v elements, %v apart, do not fit into an input of %v with padding %v", kernel,
				dilation, in, padding))
		}
		windows *= span/stride[d] + 1
	}
	return append(slices.Clone(x[:k-3]), x[k-3]*kernel[0]*kernel[1], windows)
}
