package nn

import (
	"fmt"
	"slices"

	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Conv is a convolution over one, two or three dimensions. Weight has shape (out, in/groups, window...), Bias (out) or
// is nil.
type Conv struct {
	Weight, Bias             *tensor.Tensor
	Stride, Dilation         []int
	Padding                  any // []int, "same" or "valid"
	Groups                   int
	PaddingMode              string // zeros, reflect, replicate, circular
	transposed               bool
	outputPadding, kernelPad []int
}

// Conv1d, Conv2d and Conv3d are PyTorch's names of [Conv].
type (
	Conv1d = Conv
	Conv2d = Conv
	Conv3d = Conv
)

// NewConv1d makes a convolution of (batch, in, length). kernelSize is an int or one int for each dimension of the
// window. Options: opt.Stride, opt.Padding, opt.Dilation, opt.Groups, opt.PaddingMode, Bias, opt.Dtype, opt.Device.
func NewConv1d(in, out int, kernelSize tensor.Ints, opts ...tensor.Option) *Conv {
	return newConv("nn.Conv1d", 1, in, out, kernelSize, opts)
}

// NewConv2d makes a convolution of (batch, in, height, width), with the options of [NewConv1d].
func NewConv2d(in, out int, kernelSize tensor.Ints, opts ...tensor.Option) *Conv {
	return newConv("nn.Conv2d", 2, in, out, kernelSize, opts)
}

// NewConv3d makes a convolution of (batch, in, depth, height, width), with the options of [NewConv1d].
func NewConv3d(in, out int, kernelSize tensor.Ints, opts ...tensor.Option) *Conv {
	return newConv("nn.Conv3d", 3, in, out, kernelSize, opts)
}

func newConv(op string, dims, in, out int, kernelSize tensor.Ints, opts []tensor.Option) *Conv {
	k := read(op, opts, "stride", "padding", "dilation", "groups", "bias", "padding_mode")
	window := intsOf(op, "kernel_size", kernelSize, dims)
	c := &Conv{Stride: k.ints("stride", dims, 1), Dilation: k.ints("dilation", dims, 1),
		Groups: k.int("groups", 1), PaddingMode: k.string("padding_mode", "zeros")}
	c.checkGroups(op, in, out)
	if s, ok := k.m["padding"].(string); ok {
		if s != "same" && s != "valid" {
			panic(tensor.Errorf(op, `padding must be a number, "same" or "valid", not %q`, s))
		}
		if s == "same" && slices.ContainsFunc(c.Stride, func(s int) bool { return s != 1 }) {
			panic(tensor.Errorf(op, `padding "same" needs a stride of 1, got %v`, c.Stride))
		}
		c.Padding = s
	} else {
		c.Padding = k.ints("padding", dims, 0)
	}
	switch c.PaddingMode {
	case "zeros":
	case "reflect", "replicate", "circular":
		c.kernelPad = c.padding(window)
	default:
		panic(tensor.Errorf(op, `padding_mode must be "zeros", "reflect", "replicate" or "circular", not %q`,
			c.PaddingMode))
	}
	c.fill(k, append([]int{out, in / c.Groups}, window...), out)
	return c
}

func (c *Conv) checkGroups(op string, in, out int) {
	positive(op, "groups", c.Groups)
	if in%c.Groups != 0 || out%c.Groups != 0 {
		panic(tensor.Errorf(op, "%d input and %d output channels must be multiples of %d groups", in, out, c.Groups))
	}
}

func (c *Conv) fill(k keywords, shape []int, out int) {
	c.Weight = k.trained(kaiming, shape...)
	if k.bool("bias", true) {
		fan := 0
		if c.Weight.Numel() > 0 {
			fan, _ = inits.Fans(c.Weight)
		}
		c.Bias = k.trained(uniformBias(fan), out)
	}
}

// padding lists what is added before and after each dimension, the last dimension first, as Pad wants it.
func (c *Conv) padding(window []int) []int {
	var out []int
	for i := len(window) - 1; i >= 0; i-- {
		switch p := c.Padding.(type) {
		case []int:
			out = append(out, p[i], p[i])
		case string:
			all := 0
			if p == "same" {
				all = c.Dilation[i] * (window[i] - 1)
			}
			out = append(out, all/2, all-all/2)
		}
	}
	return out
}

// Forward maps (batch, in, sizes...) or (in, sizes...) to out channels.
func (c *Conv) Forward(x *tensor.Tensor) *tensor.Tensor {
	dims := c.Weight.Dim() - 2
	c.check(x, dims)
	if c.transposed {
		return c.transpose(x, dims, c.outputPadding)
	}
	pad := c.Padding
	if c.PaddingMode != "" && c.PaddingMode != "zeros" {
		x, pad = tensor.Pad(x, c.kernelPad, opt.Mode(c.PaddingMode)), any(slices.Repeat([]int{0}, dims))
	}
	opts := []tensor.Option{opt.Bias(c.Bias), opt.Stride(c.Stride...), opt.Padding(pad),
		opt.Dilation(c.Dilation...), opt.Groups(c.Groups)}
	switch dims {
	case 1:
		return tensor.Conv1d(x, c.Weight, opts...)
	case 2:
		return tensor.Conv2d(x, c.Weight, opts...)
	}
	return tensor.Conv3d(x, c.Weight, opts...)
}

func (c *Conv) name(dims int) string {
	if c.transposed {
		return fmt.Sprintf("nn.ConvTranspose%dd", dims)
	}
	return fmt.Sprintf("nn.Conv%dd", dims)
}

// check says what is wrong with an input before the operator does, in terms of the layer.
func (c *Conv) check(x *tensor.Tensor, dims int) {
	in := c.Weight.Size(1) * c.Groups
	if c.transposed {
		in = c.Weight.Size(0)
	}
	op := c.name(dims)
	switch x.Dim() {
	case dims + 1, dims + 2:
		if got := x.Size(-dims - 1); got != in {
			panic(tensor.Errorf(op, "the input of shape %v has %d channels, this layer takes %d", x.Shape(), got, in).
				WithHint("the channels come before the sizes: (batch, channels, sizes...)"))
		}
	default:
		hint := ""
		if x.Dim() == dims && in == 1 {
			hint = "x.Unsqueeze(0) adds the dimension of channels"
		}
		panic(tensor.Errorf(op, "the input must have %d dimensions (batch, channels, sizes), or %d without a batch, not "+
			"shape %v", dims+2, dims+1, x.Shape()).WithHint(hint))
	}
}
