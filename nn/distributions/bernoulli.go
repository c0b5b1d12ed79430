package distributions

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Bernoulli is 1 with probability Probs, else 0. Logits are log(p/(1-p)).
type Bernoulli struct {
	family
	odds
}

// odds is a probability and its logit, each made of the other.
type odds struct{ Probs, Logits *tensor.Tensor }

// NewBernoulli makes Bernoulli distributions of probabilities of 1.
func NewBernoulli(probs any) *Bernoulli {
	f, p := newFamily("Bernoulli", given{"probs", probs, unit})
	return &Bernoulli{f, oddsOf(p[0])}
}

// NewBernoulliLogits takes log(p/(1-p)).
func NewBernoulliLogits(logits any) *Bernoulli {
	f, p := newFamily("Bernoulli", given{"logits", logits, anyReal})
	return &Bernoulli{f, odds{p[0].Sigmoid(), p[0]}}
}

// oddsOf keeps the logits finite: probabilities of 0 and 1 stand for the next numbers.
func oddsOf(p *tensor.Tensor) odds {
	c := clampedProbs(p)
	return odds{p, c.Log().Sub(c.Neg().Log1p())}
}

func clampedProbs(p *tensor.Tensor) *tensor.Tensor {
	eps := tensor.Finfo(p.Dtype()).Eps
	return clamped(p, eps, 1-eps)
}

// crossEntropy is -(t·log p + (1-t)·log(1-p)) by the logits.
func (o odds) crossEntropy(t *tensor.Tensor) *tensor.Tensor {
	list := tensor.BroadcastTensors(o.Logits, t)
	return tensor.BinaryCrossEntropyWithLogits(list[0], list[1], opt.Reduction("none"))
}

func (d *Bernoulli) Mean() *tensor.Tensor     { return d.Probs }
func (d *Bernoulli) Variance() *tensor.Tensor { return d.Probs.Mul(d.Probs.Neg().Add(1)) }
func (d *Bernoulli) Stddev() *tensor.Tensor   { return d.Variance().Sqrt() }

// Sample draws zeros and ones in the dtype of the parameter.
func (d *Bernoulli) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.expand(d.Probs, shape).Bernoulli() })
}

// Rsample is an error: draws do not move with the probability.
func (d *Bernoulli) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// discrete reports that there is no Rsample.
func (f *family) discrete() *tensor.Tensor {
	f.none("Rsample",
		"draws of a discrete distribution do not move with its parameters: use Sample, and LogProb for gradients")
	return nil
}

// LogProb is log p at 1 and log(1-p) at 0.
func (d *Bernoulli) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Eq(0).LogicalOr(x.Eq(1)), "0 or 1")
	return d.crossEntropy(x).Neg()
}

// Entropy is -p·log p - (1-p)·log(1-p).
func (d *Bernoulli) Entropy() *tensor.Tensor { return d.crossEntropy(d.Probs) }

// Geometric is the number of failures before the first success.
type Geometric struct {
	family
	odds
}

// NewGeometric makes geometric distributions of probabilities of success, above 0.
func NewGeometric(probs any) *Geometric {
	f, p := newFamily("Geometric", given{"probs", probs, demand{"above 0 and no more than 1",
		func(x *tensor.Tensor) *tensor.Tensor { return x.Gt(0).LogicalAnd(x.Le(1)) }}})
	return &Geometric{f, oddsOf(p[0])}
}

// NewGeometricLogits takes log(p/(1-p)).
func NewGeometricLogits(logits any) *Geometric {
	f, p := newFamily("Geometric", given{"logits", logits, anyReal})
	return &Geometric{f, odds{p[0].Sigmoid(), p[0]}}
}

func (d *Geometric) Mean() *tensor.Tensor { return d.Probs.Reciprocal().Sub(1) }
func (d *Geometric) Variance() *tensor.Tensor {
	return d.Probs.Reciprocal().Sub(1).Div(d.Probs)
}
func (d *Geometric) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws counts in the dtype of the parameter.
func (d *Geometric) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor {
		u := d.empty(shape).Uniform_()
		u.Clamp_(tensor.NewOption("min", tensor.Finfo(u.Dtype()).Tiny))
		return u.Log().Div(d.expand(d.Probs, shape).Neg().Log1p()).Floor()
	})
}

// Rsample is an error: draws do not move with the probability.
func (d *Geometric) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is x·log(1-p) + log p.
func (d *Geometric) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, whole.holds(x), whole.words)
	fail := d.Probs.Neg().MaskedFill(d.Probs.Eq(1).LogicalAnd(x.Eq(0)), 0)
	return x.Mul(fail.Log1p()).Add(d.Probs.Log())
}

// Entropy is that of Bernoulli, divided by the probability.
func (d *Geometric) Entropy() *tensor.Tensor { return d.crossEntropy(d.Probs).Div(d.Probs) }

// Poisson is the distribution of counts of events that come at a Rate.
type Poisson struct {
	family
	Rate *tensor.Tensor
}

// NewPoisson makes Poisson distributions of rates that are not negative.
func NewPoisson(rate any) *Poisson {
	f, p := newFamily("Poisson", given{"rate", rate, nonnegative})
	return &Poisson{f, p[0]}
}

func (d *Poisson) Mean() *tensor.Tensor     { return d.Rate }
func (d *Poisson) Variance() *tensor.Tensor { return d.Rate }
func (d *Poisson) Stddev() *tensor.Tensor   { return d.Rate.Sqrt() }

// Sample draws counts in the dtype of the parameter.
func (d *Poisson) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return tensor.Poisson(d.expand(d.Rate, shape)) })
}

// Rsample is an error: draws do not move with the rate.
func (d *Poisson) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is x·log rate - rate - log x!.
func (d *Poisson) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, whole.holds(x), whole.words)
	return x.Xlogy(d.Rate).Sub(d.Rate).Sub(x.Add(1).Lgamma())
}

// Entropy is an error: there is no closed form.
func (d *Poisson) Entropy() *tensor.Tensor {
	d.none("closed form of its entropy", "the mean of -LogProb over draws estimates it")
	return nil
}

// Binomial is the number of successes among TotalCount trials.
type Binomial struct {
	family
	TotalCount *tensor.Tensor
	odds
}

// NewBinomial makes binomial distributions of totalCount trials with probabilities of success.
func NewBinomial(totalCount, probs any) *Binomial {
	f, p := newFamily("Binomial", given{"totalCount", totalCount, whole}, given{"probs", probs, unit})
	f.like = p[1]
	return &Binomial{f, p[0], oddsOf(p[1])}
}

// NewBinomialLogits takes log(p/(1-p)).
func NewBinomialLogits(totalCount, logits any) *Binomial {
	f, p := newFamily("Binomial", given{"totalCount", totalCount, whole}, given{"logits", logits, anyReal})
	f.like = p[1]
	return &Binomial{f, p[0], odds{p[1].Sigmoid(), p[1]}}
}

func (d *Binomial) Mean() *tensor.Tensor     { return d.TotalCount.Mul(d.Probs) }
func (d *Binomial) Variance() *tensor.Tensor { return d.Mean().Mul(d.Probs.Neg().Add(1)) }
func (d *Binomial) Stddev() *tensor.Tensor   { return d.Variance().Sqrt() }

// Sample draws counts in the dtype of the parameter.
func (d *Binomial) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor {
		return tensor.Binomial(d.expand(d.TotalCount, shape), d.expand(d.Probs, shape))
	})
}

// Rsample is an error: draws do not move with the probability.
func (d *Binomial) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is log (n over x) + x·log p + (n-x)·log(1-p).
func (d *Binomial) LogProb(value any) *tensor.Tensor {
	x, n := d.value(value), d.TotalCount
	d.support(x, whole.holds(x).LogicalAnd(x.Le(n)), "whole numbers from 0 to totalCount")
	none := d.Logits.Mul(0)
	// n·log(1+exp(logits)), for logits of either sign without overflow
	normalizer := n.Mul(tensor.Maximum(d.Logits, none)).Add(n.Mul(d.Logits.Abs().Neg().Exp().Log1p())).Sub(n.Add(1).
		Lgamma())
	return x.Mul(d.Logits).Sub(x.Add(1).Lgamma()).Sub(n.Sub(x).Add(1).Lgamma()).Sub(normalizer)
}

// Entropy is the sum of -p·log p over all counts; TotalCount must be one number.
func (d *Binomial) Entropy() *tensor.Tensor {
	n := d.TotalCount.Detach().Flatten()
	if n.Numel() == 0 || !holds(n.Eq(n.Select(0, 0))) {
		d.none("entropy for counts that differ", "make one distribution for each count")
	}
	k := int(n.Select(0, 0).Item())
	counts := tensor.With(d.like.Dtype(), d.like.Device()).Arange(k + 1)
	for range d.batch {
		counts = counts.Unsqueeze(-1)
	}
	log := d.LogProb(counts)
	return log.Exp().Mul(log).Sum(opt.Dim(0)).Neg()
}

// NegativeBinomial is the number of successes, each of probability Probs, before TotalCount failures.
type NegativeBinomial struct {
	family
	TotalCount *tensor.Tensor
	odds
}

// NewNegativeBinomial makes negative binomial distributions of totalCount > 0 failures, and probabilities of success
// below 1.
func NewNegativeBinomial(totalCount, probs any) *NegativeBinomial {
	below := demand{"at least 0 and below 1", func(x *tensor.Tensor) *tensor.Tensor {
		return x.Ge(0).
			LogicalAnd(x.Lt(1))
	}}
	f, p := newFamily("NegativeBinomial", given{"totalCount", totalCount, nonnegative}, given{"probs", probs, below})
	f.like = p[1]
	return &NegativeBinomial{f, p[0], oddsOf(p[1])}
}

func (d *NegativeBinomial) Mean() *tensor.Tensor { return d.TotalCount.Mul(d.Logits.Exp()) }
func (d *NegativeBinomial) Variance() *tensor.Tensor {
	return d.Mean().Div(d.Logits.Neg().Sigmoid())
}
func (d *NegativeBinomial) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws rates of gamma distributions, and counts that come at them.
func (d *NegativeBinomial) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor {
		return tensor.Poisson(NewGamma(d.TotalCount, d.Logits.Neg().Exp()).Sample(shape...))
	})
}

// Rsample is an error: draws do not move with the probability.
func (d *NegativeBinomial) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is n·log(1-p) + x·log p + log Γ(n+x) - log Γ(1+x) - log Γ(n).
func (d *NegativeBinomial) LogProb(value any) *tensor.Tensor {
	x, n := d.value(value), d.TotalCount
	d.support(x, whole.holds(x), whole.words)
	weight := n.Mul(tensor.Logsigmoid(d.Logits.Neg())).Add(x.Mul(tensor.Logsigmoid(d.Logits)))
	log := n.Add(x).Lgamma().Neg().Add(x.Add(1).Lgamma()).Add(n.Lgamma())
	return weight.Sub(log.MaskedFill(n.Add(x).Eq(0), 0))
}

// Entropy is an error: there is no closed form.
func (d *NegativeBinomial) Entropy() *tensor.Tensor {
	d.none("closed form of its entropy", "the mean of -LogProb over draws estimates it")
	return nil
}
