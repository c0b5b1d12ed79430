package distributions

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Distributions of shares: Dirichlet, whose draws sum to 1, and Beta, the share of one of two.

// Dirichlet is the distribution of shares with a Concentration for each; the last dimension is that of the shares.
type Dirichlet struct {
	family
	Concentration *tensor.Tensor
}

// NewDirichlet makes Dirichlet distributions of concentrations > 0 of shape (batch…, n).
func NewDirichlet(concentration *tensor.Tensor) *Dirichlet {
	f, p := newFamily("Dirichlet", given{"concentration", concentration, positive})
	f.split("concentration")
	return &Dirichlet{f, p[0]}
}

// split makes the last dimension of the only parameter the event.
func (f *family) split(name string) {
	n := len(f.batch)
	if n == 0 {
		panic(tensor.Errorf("distributions."+f.name, "%s must have at least one dimension", name).
			WithHint("a vector is one distribution"))
	}
	f.batch, f.event = f.batch[:n-1], f.batch[n-1:]
}

func (d *Dirichlet) Mean() *tensor.Tensor { return d.Concentration.Div(total(d.Concentration, true)) }
func (d *Dirichlet) Variance() *tensor.Tensor {
	sum := total(d.Concentration, true)
	return d.Concentration.Mul(sum.Sub(d.Concentration)).Div(sum.Pow(2).Mul(sum.Add(1)))
}
func (d *Dirichlet) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *Dirichlet) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample draws gamma numbers and divides them by their sum.
func (d *Dirichlet) Rsample(shape ...int) *tensor.Tensor {
	return tensor.Private("_sample_dirichlet", d.expand(d.Concentration, shape))
}

// LogProb is Σ (α-1)·log x + log Γ(Σ α) - Σ log Γ(α).
func (d *Dirichlet) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(0).LogicalAnd(total(x, true).Sub(1).Abs().Lt(1e-6)), "shares that sum to 1")
	return d.density(x)
}

func (d *Dirichlet) density(x *tensor.Tensor) *tensor.Tensor {
	return total(d.Concentration.Sub(1).Xlogy(x), false).Add(total(d.Concentration, false).Lgamma()).
		Sub(total(d.Concentration.Lgamma(), false))
}

// Entropy is the expected value of -LogProb.
func (d *Dirichlet) Entropy() *tensor.Tensor {
	k, sum := float64(d.event[0]), total(d.Concentration, false)
	return total(d.Concentration.Lgamma(), false).Sub(sum.Lgamma()).Sub(sum.Neg().Add(k).Mul(sum.Digamma())).
		Sub(total(d.Concentration.Sub(1).Mul(d.Concentration.Digamma()), false))
}

// Beta is the beta distribution: density ∝ x^(c1-1)·(1-x)^(c0-1).
type Beta struct {
	family
	Concentration1, Concentration0 *tensor.Tensor
	pair                           *Dirichlet
}

// NewBeta makes beta distributions of concentrations > 0 at 1 and at 0.
func NewBeta(concentration1, concentration0 any) *Beta {
	f, p := newFamily("Beta", given{"concentration1", concentration1, positive}, given{"concentration0", concentration0,
		positive})
	return &Beta{f, p[0], p[1], NewDirichlet(tensor.Stack(p, opt.Dim(-1)))}
}

func (d *Beta) Mean() *tensor.Tensor {
	return d.Concentration1.Div(d.Concentration1.Add(d.Concentration0))
}
func (d *Beta) Variance() *tensor.Tensor {
	sum := d.Concentration1.Add(d.Concentration0)
	return d.Concentration1.Mul(d.Concentration0).Div(sum.Pow(2).Mul(sum.Add(1)))
}
func (d *Beta) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// Sample draws without a gradient.
func (d *Beta) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is the first share of a Dirichlet draw of two.
func (d *Beta) Rsample(shape ...int) *tensor.Tensor { return d.pair.Rsample(shape...).Select(-1, 0) }

// LogProb is the logarithm of the density.
func (d *Beta) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, unit.holds(x), unit.words)
	return d.pair.density(tensor.Stack([]*tensor.Tensor{x, x.Neg().Add(1)}, opt.Dim(-1)))
}

// Entropy is the expected value of -LogProb.
func (d *Beta) Entropy() *tensor.Tensor { return d.pair.Entropy() }
