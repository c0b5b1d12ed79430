package tensor

import (
	"fmt"
	"math"
	"slices"
)

// Note: resizing. Every mode is separable: along each dimension a result is a sum of a few elements ("taps") with weights that depend on its place
// alone. Coordinates are computed in the tensor's own dtype, the nearest ones in float32,
// and half types are rounded at every step, from the last dimension to the first, as PyTorch does.

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
		"nn.functional.unfold":            unfoldBody,
	})
}

// resizeModes are the dimensions that each mode is for; 0 is any.
var resizeModes = map[string]int{"nearest": 0, "nearest-exact": 0, "area": 0, "linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}

// resize is interpolate with its input, size and scale_factor in slots 0 to 2.
func (c *Call) resize(mode string, corners, cornersGiven, recompute bool) {
	x := c.Tensor(0)
	n := len(x.shape) - 2
	want, known := resizeModes[mode]
	switch {
	case !known:
		panic(&Error{Op: c.Name(), Arg: "mode", Msg: fmt.Sprintf("unknown mode %q", mode), Hint: "it is nearest, nearest-exact, area, linear, bilinear, bicubic or trilinear"})
	case n < 1 || n > 3 || want != 0 && want != n:
		Errorf(c.Name(), "mode %q got an input of shape %v: only 3D, 4D and 5D inputs are resized, linear ones in 1, bilinear and bicubic in 2, trilinear in 3 dimensions", mode, x.shape)
	case want == 0 && cornersGiven:
		panic(&Error{Op: c.Name(), Arg: "align_corners", Msg: "align_corners can only be set with the interpolating modes: linear, bilinear, bicubic, trilinear"})
	case c.IsNone(1) == c.IsNone(2):
		Errorf(c.Name(), "one of size and scale_factor should be given, and only one")
	}
	in := c.spatial(x, n)
	size, factor := c.Pair(1, n), 0.0
	if c.IsNone(1) {
		s, _ := c.Scalar(2)
		factor = s.Float()
		size = make([]int, n)
		for d := range size {
			size[d] = int(math.Floor(float64(in[d]) * factor))
		}
		if recompute {
			factor = 0
		}
	}
	for _, s := range size {
		if s <= 0 {
			Errorf(c.Name(), "input and output sizes should be greater than 0, but got input %v and output %v", in, size)
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
	round := func(v float64) float64 { return float64(float32(v)) }
	switch {
	case want == 0:
	case x.dtype == Float64:
		round = func(v float64) float64 { return v }
	case x.dtype == Bfloat16:
		round = func(v float64) float64 { return float64(ToBF16(float32(v)).Float32()) }
	case x.dtype == Float16:
		round = func(v float64) float64 { return float64(ToHalf(float32(v)).Float32()) }
	}
	y := x
	for d := n - 1; d >= 0; d-- {
		y = y.resizeAlong(d+2, tapsOf(mode, in[d], size[d], factor, corners, round))
	}
	c.Return(y)
}

// taps are the elements and weights that make each result along one dimension: at[k][o] and weight[k][o]. One tap has no weight.
type taps struct {
	at     [][]int64
	weight [][]float64
}

// tapsOf places the results of one dimension in the input.
func tapsOf(mode string, in, out int, factor float64, corners bool, round func(float64) float64) taps {
	scale := round(float64(in) / float64(out))
	if factor > 0 {
		scale = round(1 / factor)
	}
	if corners {
		scale = 0
		if out > 1 {
			scale = round(float64(in-1) / float64(out-1))
		}
	}
	width, first := 2, 0
	switch mode {
	case "nearest", "nearest-exact":
		width = 1
	case "bicubic":
		width, first = 4, -1
	}
	t := taps{at: make([][]int64, width), weight: make([][]float64, width)}
	for o := range out {
		place := round(scale * float64(o))
		switch {
		case mode == "nearest-exact":
			place = round(scale * (float64(o) + 0.5))
		case mode != "nearest" && !corners:
			place = round(round(scale*(float64(o)+0.5)) - 0.5)
		}
		if mode != "bicubic" {
			place = max(place, 0)
		}
		base := math.Floor(place)
		w := tapWeights(width, round(place-base))
		for k := range width {
			t.at[k] = append(t.at[k], int64(min(max(int(base)+first+k, 0), in-1)))
			t.weight[k] = append(t.weight[k], w[k])
		}
	}
	return t
}

// tapWeights weighs the neighbours of a place f after the first of them, or the second of four (cubic convolution with -3/4).
func tapWeights(width int, f float64) []float64 {
	const a = -0.75
	near := func(x float64) float64 { return ((a+2)*x-(a+3))*x*x + 1 }
	far := func(x float64) float64 { return ((a*x-5*a)*x+8*a)*x - 4*a }
	switch width {
	case 1:
		return []float64{1}
	case 2:
		return []float64{1 - f, f}
	}
	return []float64{far(f + 1), near(f), near(1 - f), far(2 - f)}
}

// resizeAlong makes the results of one dimension.
func (x *Tensor) resizeAlong(dim int, t taps) *Tensor {
	shape := make([]int, len(x.shape)-dim)
	for i := range shape {
		shape[i] = 1
	}
	var sum *Tensor
	for k, at := range t.at {
		y := x.IndexSelect(dim, New(at, x.st.device))
		if len(t.at) == 1 {
			return y
		}
		shape[0] = len(at)
		y = y.Mul(New(t.weight[k], x.st.device).To(x.dtype).Reshape(shape...))
		if sum != nil {
			y = sum.Add(y)
		}
		sum = y
	}
	return sum
}

// unfoldBody puts the elements of every window of a picture into a column.
func unfoldBody(c *Call) {
	x := c.Tensor(0)
	k := len(x.shape)
	if k != 3 && k != 4 || slices.Contains(x.shape[k-3:], 0) {
		Errorf(c.Name(), "expected a 3D or 4D (batch mode) tensor with possibly 0 batch size, but got shape %v", x.shape)
	}
	in := x.shape[k-2:]
	kernel, dilation, padding, stride := c.Pair(1, 2), c.Pair(2, 2), c.Pair(3, 2), c.Pair(4, 2)
	out := make([]int, 2)
	for d := range out {
		if kernel[d] <= 0 || dilation[d] <= 0 || stride[d] <= 0 || padding[d] < 0 {
			Errorf(c.Name(), "kernel_size %v, dilation %v and stride %v must be greater than zero, and padding %v not negative", kernel, dilation, stride, padding)
		}
		span := in[d] + 2*padding[d] - dilation[d]*(kernel[d]-1) - 1
		if span < 0 {
			Errorf(c.Name(), "windows of %v elements, %v apart, do not fit into an input of %v with padding %v", kernel, dilation, in, padding)
		}
		out[d] = span/stride[d] + 1
	}
	values, _ := slide(in, out, kernel, stride, padding, dilation).gather(x, 0)
	lead := x.shape[:k-3]
	values = values.Flatten(optStartDim(-3), optEndDim(-2)).Transpose(-1, -2) // (..., C, elements, windows)
	c.Return(values.Reshape(append(slices.Clone(lead), x.shape[k-3]*kernel[0]*kernel[1], out[0]*out[1])...))
}
