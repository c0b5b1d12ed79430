package nn

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// ConvTranspose1d, ConvTranspose2d and ConvTranspose3d are PyTorch's names of a transposed [Conv], whose weight has
// shape (in, out/groups, window...).
type (
	ConvTranspose1d = Conv
	ConvTranspose2d = Conv
	ConvTranspose3d = Conv
)

// NewConvTranspose1d makes a transposed convolution of (batch, in, length). Options: opt.Stride, opt.Padding,
// opt.OutputPadding, opt.Dilation, opt.Groups, Bias, opt.Dtype, opt.Device.
func NewConvTranspose1d(in, out int, kernelSize tensor.Ints, opts ...tensor.Option) *Conv {
	return newTransposed("nn.ConvTranspose1d", 1, in, out, kernelSize, opts)
}

// NewConvTranspose2d makes a transposed convolution of (batch, in, height, width), with the options of
// [NewConvTranspose1d].
func NewConvTranspose2d(in, out int, kernelSize tensor.Ints, opts ...tensor.Option) *Conv {
	return newTransposed("nn.ConvTranspose2d", 2, in, out, kernelSize, opts)
}

// NewConvTranspose3d makes a transposed convolution of (batch, in, depth, height, width), with the options of
// [NewConvTranspose1d].
func NewConvTranspose3d(in, out int, kernelSize tensor.Ints, opts ...tensor.Option) *Conv {
	return newTransposed("nn.ConvTranspose3d", 3, in, out, kernelSize, opts)
}

func newTransposed(op string, dims, in, out int, kernelSize tensor.Ints, opts []tensor.Option) *Conv {
	k := read(op, opts, "stride", "padding", "output_padding", "dilation", "groups", "bias")
	window := intsOf(op, "kernel_size", kernelSize, dims)
	c := &Conv{
		Stride: k.ints("stride", dims, 1), Dilation: k.ints("dilation", dims, 1), Groups: k.int("groups", 1),
		Padding: k.ints("padding", dims, 0), PaddingMode: "zeros",
		transposed: true, outputPadding: k.ints("output_padding", dims, 0),
	}
	c.checkGroups(op, in, out)
	c.fill(k, append([]int{in, out / c.Groups}, window...), out)
	return c
}

// ForwardSize is Forward of a transposed convolution whose result has the given sizes, without batch and channels.
func (c *Conv) ForwardSize(x *tensor.Tensor, sizes ...int) *tensor.Tensor {
	dims := c.Weight.Dim() - 2
	if !c.transposed {
		panic(tensor.Errorf(c.name(dims), "only a transposed convolution can choose its sizes"))
	}
	c.check(x, dims)
	if len(sizes) != dims {
		panic(tensor.Errorf(c.name(dims), "want %d sizes, got %v", dims, sizes))
	}
	extra := make([]int, dims)
	pad := c.Padding.([]int)
	for i := range dims {
		least := (x.Size(i-dims)-1)*c.Stride[i] - 2*pad[i] + c.Dilation[i]*(c.Weight.Size(i+2)-1) + 1
		extra[i] = sizes[i] - least
		if extra[i] < 0 || extra[i] >= c.Stride[i] {
			panic(tensor.Errorf(c.name(dims), "size %d of dimension %d is not possible: from %d to %d are", sizes[i], i, least,
				least+c.Stride[i]-1))
		}
	}
	return c.transpose(x, dims, extra)
}

func (c *Conv) transpose(x *tensor.Tensor, dims int, extra []int) *tensor.Tensor {
	pad, _ := c.Padding.([]int)
	if pad == nil {
		pad = slices.Repeat([]int{0}, dims)
	}
	opts := []tensor.Option{
		opt.Bias(c.Bias), opt.Stride(c.Stride...), opt.Padding(pad), opt.OutputPadding(extra...), opt.Groups(c.Groups),
		opt.Dilation(c.Dilation...),
	}
	switch dims {
	case 1:
		return tensor.ConvTranspose1d(x, c.Weight, opts...)
	case 2:
		return tensor.ConvTranspose2d(x, c.Weight, opts...)
	}
	return tensor.ConvTranspose3d(x, c.Weight, opts...)
}
