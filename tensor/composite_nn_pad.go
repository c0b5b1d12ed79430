package tensor

import "fmt"

// Padding other than with a constant takes elements of the input again, dimension by dimension.

func init() {
	composites(map[string]Kernel{"nn.functional.pad": padBody})
}

func padBody(c *Call) {
	x, pad, mode := c.Tensor(0), c.Ints(1), c.Str(2)
	bad := func(format string, args ...any) {
		panic(&Error{Op: c.Name(), Arg: "pad", Msg: fmt.Sprintf(format, args...)})
	}
	if len(pad)%2 != 0 {
		bad("the length of pad must be even, got %v", pad)
	}
	if mode == "constant" {
		if len(pad) > 2*len(x.shape) {
			bad("the length of pad must be at most twice the number of dimensions, but pad is %v for an input of shape %v", pad, x.shape)
		}
		var opts []Option
		if !c.IsNone(3) {
			s, _ := c.Scalar(3)
			opts = append(opts, optValue(s.Any()))
		}
		c.Return(ConstantPadNd(x, pad, opts...))
		return
	}
	if !c.IsNone(3) {
		if s, _ := c.Scalar(3); s.Bool() {
			bad("padding mode %q takes no value", mode)
		}
	}
	if mode != "reflect" && mode != "replicate" && mode != "circular" {
		panic(&Error{Op: c.Name(), Arg: "mode", Msg: fmt.Sprintf("unrecognised padding mode %q", mode), Hint: "it is constant, reflect, replicate or circular"})
	}
	n, dims := len(x.shape), len(pad)/2
	if dims < 1 || dims > 3 || n != dims+1 && n != dims+2 {
		bad("only 2D, 3D, 4D and 5D inputs with pads for the last 1, 2 or 3 dimensions are supported for mode %q, but pad is %v for an input of shape %v", mode, pad, x.shape)
	}
	for i := range dims {
		d := n - 1 - i
		before, after, size := pad[2*i], pad[2*i+1], x.shape[d]
		switch {
		case mode == "reflect" && (before >= size || after >= size):
			bad("padding size should be less than the corresponding input dimension, but got padding (%d, %d) at dimension %d of input %v", before, after, d, x.shape)
		case mode == "circular" && (before > size || after > size):
			bad("padding value causes wrapping around more than once: padding (%d, %d) at dimension %d of input %v", before, after, d, x.shape)
		case size+before+after < 1:
			bad("the input size %d, plus padding %d and %d, results in no output at dimension %d of input %v", size, before, after, d, x.shape)
		case size == 0:
			bad("expected sizes other than 0 beside the batch's, got input %v", x.shape)
		}
		places := make([]int64, size+before+after)
		for j := range places {
			places[j] = int64(padPlace(mode, j-before, size))
		}
		x = x.IndexSelect(d, New(places, x.st.device))
	}
	c.Return(x)
}

// padPlace is the element that stands at place i, which may lie outside of the n elements.
func padPlace(mode string, i, n int) int {
	switch {
	case i >= 0 && i < n:
		return i
	case mode == "circular":
		return (i + n) % n
	case mode == "reflect" && i < 0:
		return -i
	case mode == "reflect":
		return 2*(n-1) - i
	case i < 0:
		return 0
	}
	return n - 1
}
