// Package inits, in the folder init, fills tensors with initial values as torch.nn.init does: from the same random
// stream, so that equal seeds give equal weights. Every function writes into its first argument, outside of any
// gradient, and returns it. They take opt.Generator; a random one without it draws from the default generator.
//
// The package's name is inits because Go keeps the name init for itself.
//
// init.go has the constants and plain distributions, variance.go those that keep the variance of activations
// (Xavier, Kaiming), structured.go those of whole matrices.
package inits

import (
	"math"

	"gotorch/tensor"
)

// write runs f outside of autograd.
func write(t *tensor.Tensor, f func()) *tensor.Tensor {
	tensor.Under(0, tensor.Set(tensor.KeyAutograd), f)
	return t
}

// drawing reads the options that random functions share.
func drawing(op string, opts []tensor.Option, known ...string) (m map[string]any, from []tensor.Option) {
	m = tensor.Keywords(op, opts, append(known, "generator")...)
	if g, ok := m["generator"]; ok {
		from = []tensor.Option{tensor.NewOption("generator", g)}
	}
	return m, from
}

func float(op, name string, m map[string]any, def float64) float64 {
	v, ok := m[name]
	if !ok {
		return def
	}
	s, ok := tensor.ScalarOf(v)
	if !ok {
		panic(tensor.Errorf(op, "argument %s must be a number, not %v", name, v))
	}
	return s.Float()
}

// Uniform_ draws from the uniform distribution on [a, b).
func Uniform_(t *tensor.Tensor, a, b float64, opts ...tensor.Option) *tensor.Tensor {
	_, from := drawing("init.uniform_", opts)
	return write(t, func() {
		t.Uniform_(append(from, tensor.NewOption("from", a), tensor.NewOption("to", b))...)
	})
}

// Normal_ draws from the normal distribution with that mean and standard deviation.
func Normal_(t *tensor.Tensor, mean, std float64, opts ...tensor.Option) *tensor.Tensor {
	_, from := drawing("init.normal_", opts)
	return write(t, func() {
		t.Normal_(append(from, tensor.NewOption("mean", mean), tensor.NewOption("std", std))...)
	})
}

// TruncNormal_ draws from the normal distribution with that mean and standard deviation, limited to [opt.A, opt.B] (-2
// and 2 without): by the inverse of the distribution function, as PyTorch does.
func TruncNormal_(t *tensor.Tensor, mean, std float64, opts ...tensor.Option) *tensor.Tensor {
	const op = "init.trunc_normal_"
	m, from := drawing(op, opts, "a", "b")
	a, b := float(op, "a", m, -2), float(op, "b", m, 2)
	if !(a < b) {
		panic(tensor.Errorf(op, "a must be below b, got %v and %v", a, b))
	}
	cdf := func(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }
	low, high := cdf((a-mean)/std), cdf((b-mean)/std)
	return write(t, func() {
		t.Uniform_(append(from, tensor.NewOption("from", 2*low-1), tensor.NewOption("to", 2*high-1))...)
		t.Erfinv_().Mul_(std * math.Sqrt2).Add_(mean)
		t.Clamp_(tensor.NewOption("min", a), tensor.NewOption("max", b))
	})
}

// Constant_ fills with value.
func Constant_(t *tensor.Tensor, value float64) *tensor.Tensor {
	return write(t, func() { t.Fill_(value) })
}

// Ones_ fills with 1.
func Ones_(t *tensor.Tensor) *tensor.Tensor { return Constant_(t, 1) }

// Zeros_ fills with 0.
func Zeros_(t *tensor.Tensor) *tensor.Tensor { return Constant_(t, 0) }
