package distributions

import (
	"math"

	"gotorch/tensor"
)

// Normal is the normal distribution of mean Loc and standard deviation Scale.
type Normal struct {
	family
	Loc, Scale *tensor.Tensor
}

// NewNormal makes normal distributions of means loc and standard deviations scale > 0.
func NewNormal(loc, scale any) *Normal {
	f, p := newFamily("Normal", given{"loc", loc, anyReal}, given{"scale", scale, positive})
	return &Normal{f, p[0], p[1]}
}

func (d *Normal) Mean() *tensor.Tensor     { return d.Loc }
func (d *Normal) Variance() *tensor.Tensor { return d.Scale.Pow(2) }
func (d *Normal) Stddev() *tensor.Tensor   { return d.Scale }

// Sample draws without a gradient.
func (d *Normal) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return tensor.Normal(d.expand(d.Loc, shape), d.expand(d.Scale, shape)) })
}

// Rsample is loc + scale·e with standard normal e.
func (d *Normal) Rsample(shape ...int) *tensor.Tensor {
	return d.Loc.Add(d.empty(shape).Normal_().Mul(d.Scale))
}

// LogProb is -(x-loc)²/(2·scale²) - log scale - log √2π.
func (d *Normal) LogProb(value any) *tensor.Tensor {
	x := d.value(value).Sub(d.Loc)
	return x.Pow(2).Neg().Div(d.Scale.Pow(2).Mul(2)).Sub(d.Scale.Log()).Sub(math.Log(math.Sqrt(2 * math.Pi)))
}

// Cdf is the probability of a draw up to value.
func (d *Normal) Cdf(value any) *tensor.Tensor {
	z := d.value(value).Sub(d.Loc).Mul(d.Scale.Reciprocal()).Div(math.Sqrt2)
	return z.Erf().Add(1).Mul(0.5)
}

// Icdf is the value that a draw is below with a probability.
func (d *Normal) Icdf(p any) *tensor.Tensor {
	return d.Loc.Add(d.Scale.Mul(d.value(p).Mul(2).Sub(1).Erfinv()).Mul(math.Sqrt2))
}

// Entropy is ½ + ½·log 2π + log scale.
func (d *Normal) Entropy() *tensor.Tensor { return d.Scale.Log().Add(0.5 + 0.5*math.Log(2*math.Pi)) }

// LogNormal is the distribution of exp(x) for x of Normal(Loc, Scale).
type LogNormal struct {
	family
	Loc, Scale *tensor.Tensor
	base       *Normal
}

// NewLogNormal makes distributions whose logarithms are normal, of means loc and standard deviations scale > 0.
func NewLogNormal(loc, scale any) *LogNormal {
	f, p := newFamily("LogNormal", given{"loc", loc, anyReal}, given{"scale", scale, positive})
	return &LogNormal{f, p[0], p[1], NewNormal(p[0], p[1])}
}

func (d *LogNormal) Mean() *tensor.Tensor { return d.Loc.Add(d.Scale.Pow(2).Div(2)).Exp() }
func (d *LogNormal) Variance() *tensor.Tensor {
	v := d.Scale.Pow(2)
	return v.Expm1().Mul(d.Loc.Mul(2).Add(v).Exp())
}
func (d *LogNormal) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *LogNormal) Sample(shape ...int) *tensor.Tensor { return d.base.Sample(shape...).Exp() }

// Rsample is the exponential of a normal draw.
func (d *LogNormal) Rsample(shape ...int) *tensor.Tensor { return d.base.Rsample(shape...).Exp() }

// LogProb is that of the normal distribution at log x, less log x.
func (d *LogNormal) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Gt(0), "positive")
	return d.base.LogProb(x.Log()).Sub(x.Log())
}

// Cdf is the probability of a draw up to value.
func (d *LogNormal) Cdf(value any) *tensor.Tensor { return d.base.Cdf(d.value(value).Log()) }

// Icdf is the value that a draw is below with a probability.
func (d *LogNormal) Icdf(p any) *tensor.Tensor { return d.base.Icdf(p).Exp() }

// Entropy is that of the normal distribution plus loc.
func (d *LogNormal) Entropy() *tensor.Tensor { return d.base.Entropy().Add(d.Loc) }

// HalfNormal is the distribution of |x| for x of Normal(0, Scale).
type HalfNormal struct {
	family
	Scale *tensor.Tensor
	base  *Normal
}

// NewHalfNormal makes distributions of absolute values of normal draws of mean 0, of standard deviations scale > 0.
func NewHalfNormal(scale any) *HalfNormal {
	f, p := newFamily("HalfNormal", given{"scale", scale, positive})
	return &HalfNormal{f, p[0], NewNormal(0, p[0])}
}

func (d *HalfNormal) Mean() *tensor.Tensor     { return d.Scale.Mul(math.Sqrt(2 / math.Pi)) }
func (d *HalfNormal) Variance() *tensor.Tensor { return d.Scale.Pow(2).Mul(1 - 2/math.Pi) }
func (d *HalfNormal) Stddev() *tensor.Tensor   { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *HalfNormal) Sample(shape ...int) *tensor.Tensor { return d.base.Sample(shape...).Abs() }

// Rsample is the absolute value of a normal draw.
func (d *HalfNormal) Rsample(shape ...int) *tensor.Tensor { return d.base.Rsample(shape...).Abs() }

// LogProb is that of the normal distribution plus log 2.
func (d *HalfNormal) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(0), "not negative")
	return d.base.LogProb(x).Add(math.Ln2)
}

// Cdf is the probability of a draw up to value.
func (d *HalfNormal) Cdf(value any) *tensor.Tensor { return d.base.Cdf(value).Mul(2).Sub(1) }

// Icdf is the value that a draw is below with a probability.
func (d *HalfNormal) Icdf(p any) *tensor.Tensor { return d.base.Icdf(d.value(p).Add(1).Div(2)) }

// Entropy is that of the normal distribution less log 2.
func (d *HalfNormal) Entropy() *tensor.Tensor { return d.base.Entropy().Sub(math.Ln2) }
