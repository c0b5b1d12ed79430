package tensor

import (
	"slices"
)

// Padding other than with a constant takes elements of the input again.

func init() {
	composites(map[string]Kernel{"nn.functional.pad": padBody})
	shapes(map[string]Kernel{
		"_pad": func(c *Call) {
			x := c.Tensor(0)
			c.New(c.padShape(x.shape, c.Ints(1), c.Str(2)), x.dtype)
		},
		"_pad_backward": func(c *Call) {
			g, pad := c.Tensor(0), c.Ints(1)
			in := slices.Clone(g.shape)
			for i, p := range pad {
				if d := len(in) - 1 - i/2; d >= 0 {
					in[d] -= p
				}
			}
			c.padShape(in, pad, c.Str(2))
			c.New(in, g.dtype)
		},
	})
}

func padBody(c *Call) {
	x, pad, mode := c.Tensor(0), c.Ints(1), c.Str(2)
	bad := func(format string, args ...any) {
		panic(Errorf(c.Name(), format, args...).OnArg("pad"))
	}
	if len(pad)%2 != 0 {
		bad("the length of pad must be even, got %v", pad)
	}
	if mode == "constant" {
		if len(pad) > 2*len(x.shape) {
			bad("the length of pad must be at most twice the number of dimensions, but pad is %v for an input of shape %v", pad,
				x.shape)
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
	c.padShape(x.shape, pad, mode)
	c.Return(Private("_pad", x, pad, mode))
}

// padShape checks a padding with elements of the input, whose sizes are in, and returns the sizes of the result.
func (c *Call) padShape(in, pad []int, mode string) []int {
	bad := func(format string, args ...any) {
		panic(Errorf(c.Name(), format, args...).OnArg("pad"))
	}
	if mode != "reflect" && mode != "replicate" && mode != "circular" {
		panic(Errorf(c.Name(), "unrecognised padding mode %q", mode).OnArg("mode").
			WithHint("it is constant, reflect, replicate or circular"))
	}
	n, dims := len(in), len(pad)/2
	if len(pad)%2 != 0 || dims < 1 || dims > 3 || n != dims+1 && n != dims+2 {
		bad("only 2D, 3D, 4D and 5D inputs with pads for the last 1, 2 or 3 dimensions are supported for mode %q, but pad "+
			"is %v for an input of shape %v", mode, pad, in)
	}
	out := slices.Clone(in)
	for i := range dims {
		d := n - 1 - i
		before, after, size := pad[2*i], pad[2*i+1], in[d]
		switch {
		case mode == "reflect" && (before >= size || after >= size):
			bad("padding size should be less than the corresponding input dimension, but got padding (%d, %d) at dimension "+
				"%d of input %v", before, after, d, in)
		case mode == "circular" && (before > size || after > size):
			bad("padding value causes wrapping around more than once: padding (%d, %d) at dimension %d of input %v",
				before, after, d, in)
		case size+before+after < 1:
			bad("the input size %d, plus padding %d and %d, results in no output at dimension %d of input %v", size,
				before, after, d, in)
		case size == 0:
			bad("expected sizes other than 0 beside the batch's, got input %v", in)
		}
		out[d] += before + after
	}
	return out
}
