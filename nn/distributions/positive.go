package distributions

import (
	"math"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Distributions of positive numbers: Exponential, Weibull, Pareto, Gamma, Chi2. And StudentT, which draws from Chi2.

// Exponential is the distribution of waiting times at a Rate.
type Exponential struct {
	family
	Rate *tensor.Tensor
}

// NewExponential makes exponential distributions of rates > 0.
func NewExponential(rate any) *Exponential {
	f, p := newFamily("Exponential", given{"rate", rate, positive})
	return &Exponential{f, p[0]}
}

func (d *Exponential) Mean() *tensor.Tensor     { return d.Rate.Reciprocal() }
func (d *Exponential) Variance() *tensor.Tensor { return d.Rate.Pow(-2) }
func (d *Exponential) Stddev() *tensor.Tensor   { return d.Rate.Reciprocal() }

// Sample draws without a gradient.
func (d *Exponential) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is a draw of rate 1, divided by rate.
func (d *Exponential) Rsample(shape ...int) *tensor.Tensor {
	return d.empty(shape).Exponential_().Div(d.Rate)
}

// LogProb is log rate - rate·x.
func (d *Exponential) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(0), "not negative")
	return d.Rate.Log().Sub(d.Rate.Mul(x))
}

// Cdf is the probability of a draw up to value.
func (d *Exponential) Cdf(value any) *tensor.Tensor {
	return d.Rate.Neg().Mul(d.value(value)).Exp().Neg().Add(1)
}

// Icdf is the value that a draw is below with a probability.
func (d *Exponential) Icdf(p any) *tensor.Tensor { return d.value(p).Neg().Log1p().Neg().Div(d.Rate) }

// Entropy is 1 - log rate.
func (d *Exponential) Entropy() *tensor.Tensor { return d.Rate.Log().Neg().Add(1) }

// Weibull is the distribution of Scale·e^(1/Concentration) for e of Exponential(1).
type Weibull struct {
	family
	Scale, Concentration *tensor.Tensor
}

// NewWeibull makes Weibull distributions of scales > 0 and concentrations > 0.
func NewWeibull(scale, concentration any) *Weibull {
	f, p := newFamily("Weibull", given{"scale", scale, positive}, given{"concentration", concentration, positive})
	return &Weibull{f, p[0], p[1]}
}

// moment is the logarithm of Γ(1 + n/concentration).
func (d *Weibull) moment(n float64) *tensor.Tensor {
	return d.Concentration.Reciprocal().Mul(n).Add(1).Lgamma()
}

func (d *Weibull) Mean() *tensor.Tensor { return d.Scale.Mul(d.moment(1).Exp()) }
func (d *Weibull) Variance() *tensor.Tensor {
	return d.Scale.Pow(2).Mul(d.moment(2).Exp().Sub(d.moment(1).Mul(2).Exp()))
}
func (d *Weibull) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *Weibull) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is scale times a power of an exponential draw.
func (d *Weibull) Rsample(shape ...int) *tensor.Tensor {
	return d.Scale.Mul(d.empty(shape).Exponential_().Pow(d.Concentration.Reciprocal()))
}

// LogProb is log(c/s) + (c-1)·log(x/s) - (x/s)^c with scale s and concentration c.
func (d *Weibull) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Gt(0), "positive")
	z := x.Div(d.Scale)
	return d.Concentration.Div(d.Scale).Log().Add(d.Concentration.Sub(1).Mul(z.Log())).Sub(z.Pow(d.Concentration))
}

// Cdf is the probability of a draw up to value.
func (d *Weibull) Cdf(value any) *tensor.Tensor {
	return d.value(value).Div(d.Scale).Pow(d.Concentration).Neg().Exp().Neg().Add(1)
}

// Icdf is the value that a draw is below with a probability.
func (d *Weibull) Icdf(p any) *tensor.Tensor {
	return d.Scale.Mul(d.value(p).Neg().Log1p().Neg().Pow(d.Concentration.Reciprocal()))
}

// Entropy is γ·(1-1/c) + log(s/c) + 1.
func (d *Weibull) Entropy() *tensor.Tensor {
	r := d.Concentration.Reciprocal()
	return r.Neg().Add(1).Mul(gamma).Add(d.Scale.Mul(r).Log()).Add(1)
}

// Pareto is the distribution of Scale·exp(e) for e of Exponential(Alpha): a power law from Scale on.
type Pareto struct {
	family
	Scale, Alpha *tensor.Tensor
}

// NewPareto makes Pareto distributions of scales > 0 and exponents alpha > 0.
func NewPareto(scale, alpha any) *Pareto {
	f, p := newFamily("Pareto", given{"scale", scale, positive}, given{"alpha", alpha, positive})
	return &Pareto{f, p[0], p[1]}
}

func (d *Pareto) Mean() *tensor.Tensor {
	a := d.Alpha.Clamp(tensor.NewOption("min", 1.0))
	return a.Mul(d.Scale).Div(a.Sub(1))
}
func (d *Pareto) Variance() *tensor.Tensor {
	a := d.Alpha.Clamp(tensor.NewOption("min", 2.0))
	return d.Scale.Pow(2).Mul(a).Div(a.Sub(1).Pow(2).Mul(a.Sub(2)))
}
func (d *Pareto) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *Pareto) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is scale times the exponential of an exponential draw.
func (d *Pareto) Rsample(shape ...int) *tensor.Tensor {
	return d.empty(shape).Exponential_().Div(d.Alpha).Exp().Mul(d.Scale)
}

// LogProb is log α + α·log scale - (α+1)·log x.
func (d *Pareto) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(d.Scale), "no less than scale")
	return d.Alpha.Log().Add(d.Alpha.Mul(d.Scale.Log())).Sub(d.Alpha.Add(1).Mul(x.Log()))
}

// Cdf is the probability of a draw up to value.
func (d *Pareto) Cdf(value any) *tensor.Tensor {
	return d.Scale.Div(d.value(value)).Pow(d.Alpha).Neg().Add(1)
}

// Icdf is the value that a draw is below with a probability.
func (d *Pareto) Icdf(p any) *tensor.Tensor {
	return d.Scale.Div(d.value(p).Neg().Add(1).Pow(d.Alpha.Reciprocal()))
}

// Entropy is log(scale/α) + 1 + 1/α.
func (d *Pareto) Entropy() *tensor.Tensor {
	return d.Scale.Div(d.Alpha).Log().Add(d.Alpha.Reciprocal().Add(1))
}

// Gamma is the gamma distribution: density ∝ x^(concentration-1)·exp(-rate·x).
type Gamma struct {
	family
	Concentration, Rate *tensor.Tensor
}

// NewGamma makes gamma distributions of shapes concentration > 0 and rates > 0.
func NewGamma(concentration, rate any) *Gamma {
	f, p := newFamily("Gamma", given{"concentration", concentration, positive}, given{"rate", rate, positive})
	return &Gamma{f, p[0], p[1]}
}

func (d *Gamma) Mean() *tensor.Tensor     { return d.Concentration.Div(d.Rate) }
func (d *Gamma) Variance() *tensor.Tensor { return d.Concentration.Div(d.Rate.Pow(2)) }
func (d *Gamma) Stddev() *tensor.Tensor   { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *Gamma) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is a draw of rate 1, divided by rate; gradients keep the quantile of the draw.
func (d *Gamma) Rsample(shape ...int) *tensor.Tensor {
	x := tensor.Private("_standard_gamma", d.expand(d.Concentration, shape)).Div(d.expand(d.Rate, shape))
	x.Detach().Clamp_(tensor.NewOption("min", tensor.Finfo(x.Dtype()).Tiny))
	return x
}

// LogProb is α·log β + (α-1)·log x - β·x - log Γ(α) with concentration α and rate β.
func (d *Gamma) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(0), "not negative")
	return d.Concentration.Xlogy(d.Rate).Add(d.Concentration.Sub(1).Xlogy(x)).Sub(d.Rate.Mul(x)).
		Sub(d.Concentration.Lgamma())
}

// Entropy is α - log β + log Γ(α) + (1-α)·ψ(α).
func (d *Gamma) Entropy() *tensor.Tensor {
	a := d.Concentration
	return a.Sub(d.Rate.Log()).Add(a.Lgamma()).Add(a.Neg().Add(1).Mul(a.Digamma()))
}

// Chi2 is the distribution of a sum of Df squares of standard normal numbers: Gamma(df/2, ½).
type Chi2 struct {
	Gamma
	Df *tensor.Tensor
}

// NewChi2 makes χ² distributions of df > 0 degrees of freedom.
func NewChi2(df any) *Chi2 {
	f, p := newFamily("Chi2", given{"df", df, positive})
	return &Chi2{Gamma{f, p[0].Mul(0.5), tensor.FullLike(p[0].Detach(), 0.5)}, p[0]}
}

// StudentT is Student's distribution of Df degrees of freedom, moved by Loc and scaled by Scale.
type StudentT struct {
	family
	Df, Loc, Scale *tensor.Tensor
}

// NewStudentT makes Student distributions of df > 0 degrees of freedom, locations loc and scales > 0.
func NewStudentT(df, loc, scale any) *StudentT {
	f, p := newFamily("StudentT", given{"df", df, positive}, given{"loc", loc, anyReal}, given{"scale", scale, positive})
	return &StudentT{f, p[0], p[1], p[2]}
}

// Mean is loc, NaN where df is 1 or less.
func (d *StudentT) Mean() *tensor.Tensor { return d.Loc.MaskedFill(d.Df.Le(1), math.NaN()) }

// Variance is scale²·df/(df-2), infinite where df is 2 or less, NaN where it is 1 or less.
func (d *StudentT) Variance() *tensor.Tensor {
	v := d.Scale.Pow(2).Mul(d.Df).Div(d.Df.Sub(2))
	return v.MaskedFill(d.Df.Le(2), math.Inf(1)).MaskedFill(d.Df.Le(1), math.NaN())
}
func (d *StudentT) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *StudentT) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is loc + scale·x/√(z/df) with x standard normal and z of χ².
func (d *StudentT) Rsample(shape ...int) *tensor.Tensor {
	x := d.empty(shape).Normal_()
	z := NewChi2(d.Df).Rsample(shape...)
	return d.Loc.Add(d.Scale.Mul(x.Mul(z.Div(d.Df).Rsqrt())))
}

// LogProb is the logarithm of the density.
func (d *StudentT) LogProb(value any) *tensor.Tensor {
	y := d.value(value).Sub(d.Loc).Div(d.Scale)
	z := d.Scale.Log().Add(d.Df.Log().Mul(0.5)).Add(0.5 * math.Log(math.Pi)).Add(d.Df.Mul(0.5).Lgamma()).
		Sub(d.Df.Add(1).Mul(0.5).Lgamma())
	return d.Df.Add(1).Mul(-0.5).Mul(y.Pow(2).Div(d.Df).Log1p()).Sub(z)
}

// Entropy is the expected value of -LogProb.
func (d *StudentT) Entropy() *tensor.Tensor {
	half, more := d.Df.Mul(0.5), d.Df.Add(1).Mul(0.5)
	lbeta := half.Lgamma().Add(0.5 * math.Log(math.Pi)).Sub(more.Lgamma())
	return d.Scale.Log().Add(more.Mul(more.Digamma().Sub(half.Digamma()))).Add(d.Df.Log().Mul(0.5)).Add(lbeta)
}

// total is the sum over the last dimension.
func total(x *tensor.Tensor, keep bool) *tensor.Tensor { return x.Sum(opt.Dim(-1), opt.Keepdim(keep)) }
