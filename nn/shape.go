package nn

import (
	"fmt"
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Flatten makes one dimension of all but the batch: (batch, ...) to (batch, features).
var Flatten = NewFlatten(1, -1)

// NewFlatten makes one dimension of startDim to endDim.
func NewFlatten(startDim, endDim int) Func {
	return Func{fmt.Sprintf("Flatten(start_dim=%d, end_dim=%d)", startDim, endDim),
		func(x *tensor.Tensor) *tensor.Tensor {
			return x.Flatten(opt.StartDim(startDim), opt.EndDim(endDim))
		}}
}

// NewUnflatten splits dimension dim into sizes, one of which may be -1.
func NewUnflatten(dim int, sizes ...int) Func {
	return Func{fmt.Sprintf("Unflatten(dim=%d, sizes=%v)", dim, sizes), func(x *tensor.Tensor) *tensor.Tensor {
		return x.Unflatten(dim, sizes...)
	}}
}

// NewPixelShuffle turns (..., c·r², h, w) into (..., c, h·r, w·r), r being upscaleFactor.
func NewPixelShuffle(upscaleFactor int) Func {
	return Func{fmt.Sprintf("PixelShuffle(upscale_factor=%d)", upscaleFactor), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.PixelShuffle(x, upscaleFactor)
	}}
}

// NewPixelUnshuffle turns (..., c, h·r, w·r) into (..., c·r², h, w), r being downscaleFactor.
func NewPixelUnshuffle(downscaleFactor int) Func {
	return Func{fmt.Sprintf("PixelUnshuffle(downscale_factor=%d)", downscaleFactor),
		func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.PixelUnshuffle(x, downscaleFactor)
		}}
}

// NewUpsample resizes pictures and the like, with the options of tensor.Interpolate: opt.Size or opt.ScaleFactor,
// opt.Mode, opt.AlignCorners.
func NewUpsample(opts ...tensor.Option) Func {
	opts = slices.Clone(opts)
	return Func{"Upsample", func(x *tensor.Tensor) *tensor.Tensor { return tensor.Interpolate(x, opts...) }}
}

// NewUnfold lists the windows of pictures, with the options of tensor.Unfold.
func NewUnfold(kernelSize tensor.Ints, opts ...tensor.Option) Func {
	opts = slices.Clone(opts)
	return Func{fmt.Sprintf("Unfold(kernel_size=%v)", kernelSize), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Unfold(x, kernelSize, opts...)
	}}
}

// NewFold adds windows up to pictures of outputSize: what NewUnfold took apart. The options are those of tensor.Fold.
func NewFold(outputSize, kernelSize tensor.Ints, opts ...tensor.Option) Func {
	opts = slices.Clone(opts)
	name := fmt.Sprintf("Fold(output_size=%v, kernel_size=%v)", outputSize, kernelSize)
	return Func{name, func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Fold(x, outputSize, kernelSize, opts...)
	}}
}

// pad makes a module that pads the last dims dimensions; padding is an int or the amounts before and after each
// dimension, the last dimension first.
func pad(name, mode string, dims int, padding tensor.Ints, value float64) Func {
	amounts := intsOf("nn."+name, "padding", padding, 2*dims)
	return Func{fmt.Sprintf("%s(%v)", name, amounts), func(x *tensor.Tensor) *tensor.Tensor {
		if mode == "constant" {
			return tensor.Pad(x, amounts, opt.Value(value))
		}
		return tensor.Pad(x, amounts, opt.Mode(mode))
	}}
}

// NewConstantPad1d pads the last dimension with value; padding is an int, or the amounts before and after.
func NewConstantPad1d(padding tensor.Ints, value float64) Func {
	return pad("ConstantPad1d", "constant", 1, padding, value)
}

// NewConstantPad2d pads the last two dimensions with value; padding is an int, or left, right, top and bottom.
func NewConstantPad2d(padding tensor.Ints, value float64) Func {
	return pad("ConstantPad2d", "constant", 2, padding, value)
}

// NewConstantPad3d pads the last three dimensions with value.
func NewConstantPad3d(padding tensor.Ints, value float64) Func {
	return pad("ConstantPad3d", "constant", 3, padding, value)
}

// NewZeroPad2d pads the last two dimensions with 0.
func NewZeroPad2d(padding tensor.Ints) Func { return pad("ZeroPad2d", "constant", 2, padding, 0) }

// NewReflectionPad1d pads the last dimension with its reflection.
func NewReflectionPad1d(padding tensor.Ints) Func {
	return pad("ReflectionPad1d", "reflect", 1, padding, 0)
}

// NewReflectionPad2d pads the last two dimensions with their reflection.
func NewReflectionPad2d(padding tensor.Ints) Func {
	return pad("ReflectionPad2d", "reflect", 2, padding, 0)
}

// NewReflectionPad3d pads the last three dimensions with their reflection.
func NewReflectionPad3d(padding tensor.Ints) Func {
	return pad("ReflectionPad3d", "reflect", 3, padding, 0)
}

// NewReplicationPad1d pads the last dimension with its first and last element.
func NewReplicationPad1d(padding tensor.Ints) Func {
	return pad("ReplicationPad1d", "replicate", 1, padding, 0)
}

// NewReplicationPad2d pads the last two dimensions with their borders.
func NewReplicationPad2d(padding tensor.Ints) Func {
	return pad("ReplicationPad2d", "replicate", 2, padding, 0)
}

// NewReplicationPad3d pads the last three dimensions with their borders.
func NewReplicationPad3d(padding tensor.Ints) Func {
	return pad("ReplicationPad3d", "replicate", 3, padding, 0)
}
