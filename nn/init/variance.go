package inits

import (
	"math"

	"gotorch/tensor"
)

// Fans counts the inputs and the outputs of one unit of a weight with shape (out, in, window...): the sizes of the
// first two dimensions times the elements of the window.
func Fans(t *tensor.Tensor) (in, out int) {
	if t.Dim() < 2 {
		panic(tensor.Errorf("init", "fan in and fan out need a tensor of at least 2 dimensions, got shape %v", t.Shape()))
	}
	window := 1
	for _, n := range t.Shape()[2:] {
		window *= n
	}
	return t.Size(1) * window, t.Size(0) * window
}

// CalculateGain is the factor that keeps the variance across a nonlinearity, by PyTorch's table; param is the slope of
// leaky_relu (0.01 without).
func CalculateGain(nonlinearity string, param ...float64) float64 {
	switch nonlinearity {
	case "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid":
		return 1
	case "tanh":
		return 5.0 / 3
	case "relu":
		return math.Sqrt(2)
	case "leaky_relu":
		slope := 0.01
		if len(param) > 0 {
			slope = param[0]
		}
		return math.Sqrt(2 / (1 + slope*slope))
	case "selu":
		return 3.0 / 4
	}
	panic(tensor.Errorf("init.calculate_gain", "%q has no gain; linear, conv1d and the like, sigmoid, tanh, relu, "+
		"leaky_relu, selu have", nonlinearity))
}

// XavierUniform_ draws from [-b, b) with b = gain·√(6 / (fan in + fan out)) (Glorot and Bengio 2010). opt.Gain is 1
// without.
func XavierUniform_(t *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	const op = "init.xavier_uniform_"
	m, from := drawing(op, opts, "gain")
	in, out := Fans(t)
	bound := math.Sqrt(3) * float(op, "gain", m, 1) * math.Sqrt(2/float64(in+out))
	return Uniform_(t, -bound, bound, from...)
}

// XavierNormal_ draws from the normal distribution with mean 0 and standard deviation gain·√(2 / (fan in + fan out)).
func XavierNormal_(t *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	const op = "init.xavier_normal_"
	m, from := drawing(op, opts, "gain")
	in, out := Fans(t)
	return Normal_(t, 0, float(op, "gain", m, 1)*math.Sqrt(2/float64(in+out)), from...)
}

// KaimingUniform_ draws from [-b, b) with b = gain·√(3 / fan) (He et al. 2015). opt.Mode chooses the fan, "fan_in" or
// "fan_out"; opt.Nonlinearity ("leaky_relu" without) and its slope opt.A (0 without) give the gain.
func KaimingUniform_(t *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	std, from := kaiming("init.kaiming_uniform_", t, opts)
	bound := math.Sqrt(3) * std
	return Uniform_(t, -bound, bound, from...)
}

// KaimingNormal_ draws from the normal distribution with mean 0 and standard deviation gain / √fan, with the options
// of KaimingUniform_.
func KaimingNormal_(t *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	std, from := kaiming("init.kaiming_normal_", t, opts)
	return Normal_(t, 0, std, from...)
}

func kaiming(op string, t *tensor.Tensor, opts []tensor.Option) (std float64, from []tensor.Option) {
	m, from := drawing(op, opts, "a", "mode", "nonlinearity")
	in, out := Fans(t)
	fan := in
	switch mode := m["mode"]; mode {
	case nil, "fan_in":
	case "fan_out":
		fan = out
	default:
		panic(tensor.Errorf(op, `mode must be "fan_in" or "fan_out", not %v`, mode))
	}
	name, ok := m["nonlinearity"].(string)
	if !ok {
		name = "leaky_relu"
	}
	return CalculateGain(name, float(op, "a", m, 0)) / math.Sqrt(float64(fan)), from
}
