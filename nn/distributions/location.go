package distributions

import (
	"math"

	"gotorch/tensor"
)

// Distributions that are moved and scaled: Uniform, Laplace, Cauchy, HalfCauchy, Gumbel.

// Uniform is the uniform distribution on [Low, High).
type Uniform struct {
	family
	Low, High *tensor.Tensor
}

// NewUniform makes uniform distributions on [low, high), low < high.
func NewUniform(low, high any) *Uniform {
	f, p := newFamily("Uniform", given{"low", low, anyReal}, given{"high", high, anyReal})
	if ok := p[0].Lt(p[1]); !holds(ok) {
		panic(tensor.Errorf("distributions.Uniform", "low must be below high, got low %s and high %s", worst(p[0], ok),
			worst(p[1], ok)))
	}
	return &Uniform{f, p[0], p[1]}
}

func (d *Uniform) Mean() *tensor.Tensor     { return d.High.Add(d.Low).Div(2) }
func (d *Uniform) Variance() *tensor.Tensor { return d.High.Sub(d.Low).Pow(2).Div(12) }
func (d *Uniform) Stddev() *tensor.Tensor   { return d.High.Sub(d.Low).Div(math.Sqrt(12)) }

// Sample draws without a gradient.
func (d *Uniform) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is low + (high-low)·u with u uniform on [0, 1).
func (d *Uniform) Rsample(shape ...int) *tensor.Tensor {
	return d.Low.Add(d.empty(shape).Uniform_().Mul(d.High.Sub(d.Low)))
}

// LogProb is -log(high-low) on [low, high), minus infinity elsewhere.
func (d *Uniform) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	in := d.Low.Le(x).Mul(d.High.Gt(x)).To(d.like.Dtype())
	return in.Log().Sub(d.High.Sub(d.Low).Log())
}

// Cdf is the probability of a draw up to value.
func (d *Uniform) Cdf(value any) *tensor.Tensor {
	return clamped(d.value(value).Sub(d.Low).Div(d.High.Sub(d.Low)), 0, 1)
}

// Icdf is the value that a draw is below with a probability.
func (d *Uniform) Icdf(p any) *tensor.Tensor { return d.value(p).Mul(d.High.Sub(d.Low)).Add(d.Low) }

// Entropy is log(high-low).
func (d *Uniform) Entropy() *tensor.Tensor { return d.High.Sub(d.Low).Log() }

// Laplace is the double exponential distribution of mean Loc: density exp(-|x-loc|/scale)/(2·scale).
type Laplace struct {
	family
	Loc, Scale *tensor.Tensor
}

// NewLaplace makes Laplace distributions of means loc and scales > 0.
func NewLaplace(loc, scale any) *Laplace {
	f, p := newFamily("Laplace", given{"loc", loc, anyReal}, given{"scale", scale, positive})
	return &Laplace{f, p[0], p[1]}
}

func (d *Laplace) Mean() *tensor.Tensor     { return d.Loc }
func (d *Laplace) Variance() *tensor.Tensor { return d.Scale.Pow(2).Mul(2) }
func (d *Laplace) Stddev() *tensor.Tensor   { return d.Scale.Mul(math.Sqrt2) }

// Sample draws without a gradient.
func (d *Laplace) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is loc - scale·sgn(u)·log(1-|u|) with u uniform on (-1, 1).
func (d *Laplace) Rsample(shape ...int) *tensor.Tensor {
	u := d.empty(shape).Uniform_(tensor.NewOption("from", tensor.Finfo(d.like.Dtype()).Eps-1), tensor.NewOption("to",
		1.0))
	return d.Loc.Sub(d.Scale.Mul(u.Sign()).Mul(u.Abs().Neg().Log1p()))
}

// LogProb is -log(2·scale) - |x-loc|/scale.
func (d *Laplace) LogProb(value any) *tensor.Tensor {
	return d.Scale.Mul(2).Log().Neg().Sub(d.value(value).Sub(d.Loc).Abs().Div(d.Scale))
}

// Cdf is the probability of a draw up to value.
func (d *Laplace) Cdf(value any) *tensor.Tensor {
	x := d.value(value).Sub(d.Loc)
	return x.Sign().Mul(x.Abs().Neg().Div(d.Scale).Expm1()).Mul(-0.5).Add(0.5)
}

// Icdf is the value that a draw is below with a probability.
func (d *Laplace) Icdf(p any) *tensor.Tensor {
	t := d.value(p).Sub(0.5)
	return d.Loc.Sub(d.Scale.Mul(t.Sign()).Mul(t.Abs().Mul(-2).Log1p()))
}

// Entropy is 1 + log(2·scale).
func (d *Laplace) Entropy() *tensor.Tensor { return d.Scale.Mul(2).Log().Add(1) }

// Cauchy is the Cauchy distribution of median Loc and half width at half maximum Scale. It has no mean.
type Cauchy struct {
	family
	Loc, Scale *tensor.Tensor
}

// NewCauchy makes Cauchy distributions of medians loc and scales > 0.
func NewCauchy(loc, scale any) *Cauchy {
	f, p := newFamily("Cauchy", given{"loc", loc, anyReal}, given{"scale", scale, positive})
	return &Cauchy{f, p[0], p[1]}
}

func (d *Cauchy) Mean() *tensor.Tensor     { return tensor.FullLike(d.Loc.Detach(), math.NaN()) }
func (d *Cauchy) Variance() *tensor.Tensor { return tensor.FullLike(d.Loc.Detach(), math.Inf(1)) }
func (d *Cauchy) Stddev() *tensor.Tensor   { return d.Variance() }

// Sample draws without a gradient.
func (d *Cauchy) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is loc + scale·c with c of the standard Cauchy distribution.
func (d *Cauchy) Rsample(shape ...int) *tensor.Tensor {
	return d.Loc.Add(d.empty(shape).Cauchy_().Mul(d.Scale))
}

// LogProb is -log π - log scale - log(1 + ((x-loc)/scale)²).
func (d *Cauchy) LogProb(value any) *tensor.Tensor {
	z := d.value(value).Sub(d.Loc).Div(d.Scale)
	return d.Scale.Log().Neg().Sub(math.Log(math.Pi)).Sub(z.Pow(2).Log1p())
}

// Cdf is the probability of a draw up to value.
func (d *Cauchy) Cdf(value any) *tensor.Tensor {
	return d.value(value).Sub(d.Loc).Div(d.Scale).Atan().Div(math.Pi).Add(0.5)
}

// Icdf is the value that a draw is below with a probability.
func (d *Cauchy) Icdf(p any) *tensor.Tensor {
	return d.value(p).Sub(0.5).Mul(math.Pi).Tan().Mul(d.Scale).Add(d.Loc)
}

// Entropy is log 4π + log scale.
func (d *Cauchy) Entropy() *tensor.Tensor { return d.Scale.Log().Add(math.Log(4 * math.Pi)) }

// HalfCauchy is the distribution of |x| for x of Cauchy(0, Scale).
type HalfCauchy struct {
	family
	Scale *tensor.Tensor
	base  *Cauchy
}

// NewHalfCauchy makes distributions of absolute values of Cauchy draws of median 0, of scales > 0.
func NewHalfCauchy(scale any) *HalfCauchy {
	f, p := newFamily("HalfCauchy", given{"scale", scale, positive})
	return &HalfCauchy{f, p[0], NewCauchy(0, p[0])}
}

func (d *HalfCauchy) Mean() *tensor.Tensor     { return d.base.Variance() }
func (d *HalfCauchy) Variance() *tensor.Tensor { return d.base.Variance() }
func (d *HalfCauchy) Stddev() *tensor.Tensor   { return d.base.Variance() }

// Sample draws without a gradient.
func (d *HalfCauchy) Sample(shape ...int) *tensor.Tensor { return d.base.Sample(shape...).Abs() }

// Rsample is the absolute value of a Cauchy draw.
func (d *HalfCauchy) Rsample(shape ...int) *tensor.Tensor { return d.base.Rsample(shape...).Abs() }

// LogProb is that of the Cauchy distribution plus log 2.
func (d *HalfCauchy) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(0), "not negative")
	return d.base.LogProb(x).Add(math.Ln2)
}

// Cdf is the probability of a draw up to value.
func (d *HalfCauchy) Cdf(value any) *tensor.Tensor { return d.base.Cdf(value).Mul(2).Sub(1) }

// Icdf is the value that a draw is below with a probability.
func (d *HalfCauchy) Icdf(p any) *tensor.Tensor { return d.base.Icdf(d.value(p).Add(1).Div(2)) }

// Entropy is that of the Cauchy distribution less log 2.
func (d *HalfCauchy) Entropy() *tensor.Tensor { return d.base.Entropy().Sub(math.Ln2) }

// Gumbel is the distribution of extremes: the density's mode is Loc, its width Scale.
type Gumbel struct {
	family
	Loc, Scale *tensor.Tensor
}

// gamma is the constant of Euler and Mascheroni.
const gamma = 0.57721566490153286060651209008240243

// NewGumbel makes Gumbel distributions of modes loc and scales > 0.
func NewGumbel(loc, scale any) *Gumbel {
	f, p := newFamily("Gumbel", given{"loc", loc, anyReal}, given{"scale", scale, positive})
	return &Gumbel{f, p[0], p[1]}
}

func (d *Gumbel) Mean() *tensor.Tensor     { return d.Scale.Mul(gamma).Add(d.Loc) }
func (d *Gumbel) Variance() *tensor.Tensor { return d.Stddev().Pow(2) }
func (d *Gumbel) Stddev() *tensor.Tensor   { return d.Scale.Mul(math.Pi / math.Sqrt(6)) }

// Sample draws without a gradient.
func (d *Gumbel) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is loc - scale·log(-log u) with u uniform on (0, 1).
func (d *Gumbel) Rsample(shape ...int) *tensor.Tensor {
	info := tensor.Finfo(d.like.Dtype())
	low, high := tensor.FullLike(d.Loc.Detach(), info.Tiny), tensor.FullLike(d.Loc.Detach(), 1-info.Eps)
	u := low.Add(d.empty(shape).Uniform_().Mul(high.Sub(low)))
	return d.Loc.Sub(d.Scale.Mul(u.Log().Neg().Log()))
}

// LogProb is y - exp(y) - log scale with y = (loc-x)/scale.
func (d *Gumbel) LogProb(value any) *tensor.Tensor {
	y := d.Loc.Sub(d.value(value)).Div(d.Scale)
	return y.Sub(y.Exp()).Sub(d.Scale.Log())
}

// Cdf is the probability of a draw up to value.
func (d *Gumbel) Cdf(value any) *tensor.Tensor {
	return d.Loc.Sub(d.value(value)).Div(d.Scale).Exp().Neg().Exp()
}

// Icdf is the value that a draw is below with a probability.
func (d *Gumbel) Icdf(p any) *tensor.Tensor {
	return d.Loc.Sub(d.Scale.Mul(d.value(p).Log().Neg().Log()))
}

// Entropy is log scale + 1 + γ.
func (d *Gumbel) Entropy() *tensor.Tensor { return d.Scale.Log().Add(1 + gamma) }

func clamped(x *tensor.Tensor, lo, hi float64) *tensor.Tensor {
	return x.Clamp(tensor.NewOption("min", lo), tensor.NewOption("max", hi))
}
