package nn

import (
	"fmt"

	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// plain is an operator whose options keep their defaults.
func plain(name string, f func(*tensor.Tensor, ...tensor.Option) *tensor.Tensor) Func {
	return Func{name, func(x *tensor.Tensor) *tensor.Tensor { return f(x) }}
}

// The activations with PyTorch's defaults, as values: nn.Sequential{fc1, nn.ReLU, fc2}.
var (
	CELU        = plain("CELU", tensor.Celu)
	ELU         = plain("ELU", tensor.Elu)
	GELU        = plain("GELU", tensor.Gelu)
	GLU         = plain("GLU", tensor.Glu)
	Hardshrink  = plain("Hardshrink", tensor.Hardshrink)
	Hardsigmoid = plain("Hardsigmoid", tensor.Hardsigmoid)
	Hardswish   = plain("Hardswish", tensor.Hardswish)
	Hardtanh    = plain("Hardtanh", tensor.Hardtanh)
	LeakyReLU   = plain("LeakyReLU", tensor.LeakyRelu)
	LogSigmoid  = Func{"LogSigmoid", tensor.Logsigmoid}
	Mish        = plain("Mish", tensor.Mish)
	ReLU        = plain("ReLU", tensor.Relu)
	ReLU6       = plain("ReLU6", tensor.Relu6)
	SELU        = plain("SELU", tensor.Selu)
	SiLU        = plain("SiLU", tensor.Silu)
	Sigmoid     = plain("Sigmoid", tensor.Sigmoid)
	Softplus    = plain("Softplus", tensor.Softplus)
	Softshrink  = plain("Softshrink", tensor.Softshrink)
	Softsign    = Func{"Softsign", tensor.Softsign}
	Tanh        = plain("Tanh", tensor.Tanh)
	Tanhshrink  = Func{"Tanhshrink", tensor.Tanhshrink}
)

// RReLU is LeakyReLU with a slope drawn from [1/8, 1/3) for each element inside [Train], and their mean elsewhere.
var RReLU = Func{"RReLU", func(x *tensor.Tensor) *tensor.Tensor { return tensor.Rrelu(x, opt.Training(Training())) }}

// NewELU makes an ELU with that alpha.
func NewELU(alpha float64) Func {
	return Func{fmt.Sprintf("ELU(alpha=%v)", alpha), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Elu(x, opt.Alpha(alpha))
	}}
}

// NewCELU makes a CELU with that alpha.
func NewCELU(alpha float64) Func {
	return Func{fmt.Sprintf("CELU(alpha=%v)", alpha), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Celu(x, opt.Alpha(alpha))
	}}
}

// NewGELU makes a GELU; approximate is "none" or "tanh".
func NewGELU(approximate string) Func {
	return Func{fmt.Sprintf("GELU(approximate=%q)", approximate), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Gelu(x, opt.Approximate(approximate))
	}}
}

// NewGLU makes a GLU that halves dimension dim.
func NewGLU(dim int) Func {
	return Func{fmt.Sprintf("GLU(dim=%d)", dim), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Glu(x, opt.Dim(dim))
	}}
}

// NewHardshrink makes a Hardshrink with that lambd.
func NewHardshrink(lambd float64) Func {
	return Func{fmt.Sprintf("Hardshrink(lambd=%v)", lambd), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Hardshrink(x, opt.Lambd(lambd))
	}}
}

// NewSoftshrink makes a Softshrink with that lambd.
func NewSoftshrink(lambd float64) Func {
	return Func{fmt.Sprintf("Softshrink(lambd=%v)", lambd), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Softshrink(x, opt.Lambd(lambd))
	}}
}

// NewHardtanh makes a Hardtanh that limits to [minVal, maxVal].
func NewHardtanh(minVal, maxVal float64) Func {
	return Func{fmt.Sprintf("Hardtanh(min_val=%v, max_val=%v)", minVal, maxVal), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Hardtanh(x, opt.MinVal(minVal), opt.MaxVal(maxVal))
	}}
}

// NewLeakyReLU makes a LeakyReLU with that slope below zero.
func NewLeakyReLU(negativeSlope float64) Func {
	return Func{fmt.Sprintf("LeakyReLU(negative_slope=%v)", negativeSlope), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.LeakyRelu(x, opt.NegativeSlope(negativeSlope))
	}}
}

// NewRReLU makes an RReLU whose slopes are drawn from [lower, upper).
func NewRReLU(lower, upper float64) Func {
	return Func{fmt.Sprintf("RReLU(lower=%v, upper=%v)", lower, upper), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Rrelu(x, opt.Lower(lower), opt.Upper(upper), opt.Training(Training()))
	}}
}

// NewSoftplus makes a Softplus with that beta, linear where beta·x is above threshold.
func NewSoftplus(beta, threshold float64) Func {
	return Func{fmt.Sprintf("Softplus(beta=%v, threshold=%v)", beta, threshold), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Softplus(x, opt.Beta(beta), opt.Threshold(threshold))
	}}
}

// NewThreshold makes a module that keeps elements above threshold and sets the others to value.
func NewThreshold(threshold, value float64) Func {
	return Func{fmt.Sprintf("Threshold(threshold=%v, value=%v)", threshold, value),
		func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Threshold(x, threshold, value)
		}}
}

// NewSoftmax makes exponentials that add up to 1 along dim.
func NewSoftmax(dim int) Func {
	return Func{fmt.Sprintf("Softmax(dim=%d)", dim), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Softmax(x, opt.Dim(dim))
	}}
}

// NewSoftmin is [NewSoftmax] of the negated input.
func NewSoftmin(dim int) Func {
	return Func{fmt.Sprintf("Softmin(dim=%d)", dim), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Softmin(x, opt.Dim(dim))
	}}
}

// NewLogSoftmax makes the logarithm of [NewSoftmax].
func NewLogSoftmax(dim int) Func {
	return Func{fmt.Sprintf("LogSoftmax(dim=%d)", dim), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.LogSoftmax(x, opt.Dim(dim))
	}}
}

// Softmax2d is the softmax over the channels of pictures (batch, channels, height, width).
var Softmax2d = Func{"Softmax2d", func(x *tensor.Tensor) *tensor.Tensor {
	if x.Dim() != 3 && x.Dim() != 4 {
		panic(tensor.Errorf("nn.Softmax2d", "the input must have 3 or 4 dimensions, its shape is %v", x.Shape()))
	}
	return tensor.Softmax(x, opt.Dim(-3))
}}

// PReLU is LeakyReLU with learned slopes, one for all channels or one for each.
type PReLU struct{ Weight *tensor.Tensor }

// NewPReLU makes a PReLU. Options: opt.NumParameters (1), opt.Init (0.25), opt.Dtype, opt.Device.
func NewPReLU(opts ...tensor.Option) *PReLU {
	k := read("nn.PReLU", opts, "num_parameters", "init")
	return &PReLU{k.trained(func(x *tensor.Tensor) { inits.Constant_(x, k.float("init", 0.25)) },
		k.int("num_parameters", 1))}
}

// Forward applies the slopes to the negative elements.
func (p *PReLU) Forward(x *tensor.Tensor) *tensor.Tensor { return tensor.Prelu(x, p.Weight) }
