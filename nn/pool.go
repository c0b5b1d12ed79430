package nn

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// pooling is an operator over windows of one, two or three dimensions.
type pooling func(x *tensor.Tensor, kernelSize tensor.Ints, opts ...tensor.Option) *tensor.Tensor

var (
	maxPools = [4]pooling{1: tensor.MaxPool1d, 2: tensor.MaxPool2d, 3: tensor.MaxPool3d}
	avgPools = [4]pooling{1: tensor.AvgPool1d, 2: tensor.AvgPool2d, 3: tensor.AvgPool3d}
)

// maxPool makes the module of a maximum over windows.
func maxPool(dims int, kernelSize tensor.Ints, opts []tensor.Option) Func {
	op := fmt.Sprintf("MaxPool%dd", dims)
	k := read("nn."+op, opts, "stride", "padding", "dilation", "ceil_mode")
	window := intsOf(k.op, "kernel_size", kernelSize, dims)
	stride := window
	if _, given := k.m["stride"]; given {
		stride = k.ints("stride", dims, 0)
	}
	given := []tensor.Option{
		opt.Stride(stride...), opt.Padding(k.ints("padding", dims, 0)), opt.Dilation(k.ints("dilation", dims,
			1)...), opt.CeilMode(k.bool("ceil_mode", false)),
	}
	return Func{fmt.Sprintf("%s(kernel_size=%v, stride=%v)", op, window, stride), func(x *tensor.Tensor) *tensor.Tensor {
		return maxPools[dims](x, window, given...)
	}}
}

// NewMaxPool1d makes the greatest element of each window of (batch, channels, length). Options: opt.Stride (the window
// without), opt.Padding, opt.Dilation, opt.CeilMode.
func NewMaxPool1d(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	return maxPool(1, kernelSize, opts)
}

// NewMaxPool2d is [NewMaxPool1d] for (batch, channels, height, width).
func NewMaxPool2d(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	return maxPool(2, kernelSize, opts)
}

// NewMaxPool3d is [NewMaxPool1d] for (batch, channels, depth, height, width).
func NewMaxPool3d(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	return maxPool(3, kernelSize, opts)
}

// avgPool makes the module of a mean over windows.
func avgPool(dims int, kernelSize tensor.Ints, opts []tensor.Option) Func {
	op := fmt.Sprintf("AvgPool%dd", dims)
	known := []string{"stride", "padding", "ceil_mode", "count_include_pad"}
	if dims > 1 {
		known = append(known, "divisor_override")
	}
	k := read("nn."+op, opts, known...)
	window := intsOf(k.op, "kernel_size", kernelSize, dims)
	stride := window
	if _, given := k.m["stride"]; given {
		stride = k.ints("stride", dims, 0)
	}
	given := []tensor.Option{
		opt.Stride(stride...), opt.Padding(k.ints("padding", dims, 0)), opt.CeilMode(k.bool("ceil_mode",
			false)), opt.CountIncludePad(k.bool("count_include_pad", true)),
	}
	if d, ok := k.m["divisor_override"].(int); ok {
		given = append(given, opt.DivisorOverride(d))
	}
	return Func{fmt.Sprintf("%s(kernel_size=%v, stride=%v)", op, window, stride), func(x *tensor.Tensor) *tensor.Tensor {
		return avgPools[dims](x, window, given...)
	}}
}

// NewAvgPool1d makes the mean of each window of (batch, channels, length). Options: opt.Stride (the window without),
// opt.Padding, opt.CeilMode, opt.CountIncludePad; of two and three dimensions also opt.DivisorOverride.
func NewAvgPool1d(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	return avgPool(1, kernelSize, opts)
}

// NewAvgPool2d is [NewAvgPool1d] for (batch, channels, height, width).
func NewAvgPool2d(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	return avgPool(2, kernelSize, opts)
}

// NewAvgPool3d is [NewAvgPool1d] for (batch, channels, depth, height, width).
func NewAvgPool3d(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	return avgPool(3, kernelSize, opts)
}

func adaptive(name string, f func(*tensor.Tensor, tensor.Ints) *tensor.Tensor, size tensor.Ints) Func {
	return Func{fmt.Sprintf("%s(output_size=%v)", name, size), func(x *tensor.Tensor) *tensor.Tensor {
		return f(x, size)
	}}
}

// NewAdaptiveAvgPool1d makes means of as many equal parts of (batch, channels, length) as outputSize says.
func NewAdaptiveAvgPool1d(outputSize tensor.Ints) Func {
	return adaptive("AdaptiveAvgPool1d", tensor.AdaptiveAvgPool1d, outputSize)
}

// NewAdaptiveAvgPool2d is [NewAdaptiveAvgPool1d] for (batch, channels, height, width).
func NewAdaptiveAvgPool2d(outputSize tensor.Ints) Func {
	return adaptive("AdaptiveAvgPool2d", tensor.AdaptiveAvgPool2d, outputSize)
}

// NewAdaptiveAvgPool3d is [NewAdaptiveAvgPool1d] for (batch, channels, depth, height, width).
func NewAdaptiveAvgPool3d(outputSize tensor.Ints) Func {
	return adaptive("AdaptiveAvgPool3d", tensor.AdaptiveAvgPool3d, outputSize)
}

// NewAdaptiveMaxPool1d makes the greatest elements of as many equal parts of (batch, channels, length) as outputSize
// says.
func NewAdaptiveMaxPool1d(outputSize tensor.Ints) Func {
	return adaptive("AdaptiveMaxPool1d", tensor.AdaptiveMaxPool1d, outputSize)
}

// NewAdaptiveMaxPool2d is [NewAdaptiveMaxPool1d] for (batch, channels, height, width).
func NewAdaptiveMaxPool2d(outputSize tensor.Ints) Func {
	return adaptive("AdaptiveMaxPool2d", tensor.AdaptiveMaxPool2d, outputSize)
}

// NewAdaptiveMaxPool3d is [NewAdaptiveMaxPool1d] for (batch, channels, depth, height, width).
func NewAdaptiveMaxPool3d(outputSize tensor.Ints) Func {
	return adaptive("AdaptiveMaxPool3d", tensor.AdaptiveMaxPool3d, outputSize)
}
