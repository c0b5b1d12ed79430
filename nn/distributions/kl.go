package distributions

import (
	"math"
	"reflect"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// A pair is the types of two distributions.
type pair struct{ p, q reflect.Type }

var divergences = map[pair]func(p, q Distribution) *tensor.Tensor{}

// RegisterKl sets the divergence of distributions of type P from those of type Q, for KlDivergence; a second one for
// the same types replaces the first.
func RegisterKl[P, Q Distribution](f func(p P, q Q) *tensor.Tensor) {
	divergences[pair{reflect.TypeFor[P](), reflect.TypeFor[Q]()}] = func(p, q Distribution) *tensor.Tensor {
		return f(p.(P), q.(Q))
	}
}

// KlDivergence is the Kullback-Leibler divergence of p from q: the mean of log p(x) - log q(x) over draws x of p, in
// the broadcast batch shape. Pairs without a closed form are an error.
func KlDivergence(p, q Distribution) *tensor.Tensor {
	f := divergences[pair{reflect.TypeOf(p), reflect.TypeOf(q)}]
	if f == nil {
		panic(tensor.Errorf("distributions.KlDivergence", "no closed form is known for %s and %s", typeName(p),
			typeName(q)).WithHint("the mean of p.LogProb(x) - q.LogProb(x) over draws x of p estimates it"))
	}
	return f(p, q)
}

func typeName(d Distribution) string {
	t := reflect.TypeOf(d)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

func square(x *tensor.Tensor) *tensor.Tensor { return x.Pow(2) }

// infinityWhere is x, infinite where a condition holds.
func infinityWhere(x, cond *tensor.Tensor) *tensor.Tensor {
	list := tensor.BroadcastTensors(x, cond)
	return list[0].MaskedFill(list[1], math.Inf(1))
}

func init() {
	RegisterKl(func(p, q *Normal) *tensor.Tensor { return klNormal(p.Loc, p.Scale, q.Loc, q.Scale) })
	RegisterKl(func(p, q *LogNormal) *tensor.Tensor { return klNormal(p.Loc, p.Scale, q.Loc, q.Scale) })
	RegisterKl(func(p, q *HalfNormal) *tensor.Tensor { return KlDivergence(p.base, q.base) })
	RegisterKl(func(p, q *MultivariateNormal) *tensor.Tensor {
		if p.event[0] != q.event[0] {
			panic(tensor.Errorf("distributions.KlDivergence", "the vectors have %d and %d elements", p.event[0], q.event[0]))
		}
		spread := tensor.LinalgSolveTriangular(q.ScaleTril, p.ScaleTril, opt.Upper(false))
		trace := sumEvent(square(spread), 2)
		return q.halfLogDet().Sub(p.halfLogDet()).
			Add(trace.Add(q.distance(q.Loc.Sub(p.Loc))).Sub(float64(p.event[0])).Mul(0.5))
	})
	RegisterKl(func(p, q *Uniform) *tensor.Tensor {
		kl := q.High.Sub(q.Low).Div(p.High.Sub(p.Low)).Log()
		return infinityWhere(kl, q.Low.Gt(p.Low).LogicalOr(q.High.Lt(p.High)))
	})
	RegisterKl(func(p *Uniform, q *Normal) *tensor.Tensor {
		width := p.High.Sub(p.Low)
		center := p.High.Add(p.Low).Sub(q.Loc.Mul(2)).Div(2)
		return q.Scale.Mul(math.Sqrt(2 * math.Pi)).Div(width).Log().
			Add(square(width).Div(12).Add(square(center)).Div(square(q.Scale).Mul(2)))
	})
	RegisterKl(func(p, q *Laplace) *tensor.Tensor {
		ratio, off := p.Scale.Div(q.Scale), p.Loc.Sub(q.Loc).Abs()
		return ratio.Log().Neg().Add(off.Div(q.Scale)).Add(ratio.Mul(off.Neg().Div(p.Scale).Exp())).Sub(1)
	})
	RegisterKl(func(p *Laplace, q *Normal) *tensor.Tensor {
		v := square(q.Scale)
		ratio := square(p.Scale).Div(v)
		return ratio.Mul(2).Log().Sub(math.Log(math.Pi)).Mul(-0.5).Add(square(p.Loc).Mul(0.5).Div(v)).
			Sub(p.Loc.Mul(q.Loc).Div(v)).Add(square(q.Loc).Mul(0.5).Div(v)).Add(ratio).Sub(1)
	})
	RegisterKl(func(p, q *Cauchy) *tensor.Tensor {
		a := square(p.Scale.Add(q.Scale)).Add(square(p.Loc.Sub(q.Loc))).Log()
		return a.Sub(p.Scale.Mul(4).Mul(q.Scale).Log())
	})
	RegisterKl(func(p, q *HalfCauchy) *tensor.Tensor { return klHalfCauchy(p, q) })
	RegisterKl(func(p, q *Gumbel) *tensor.Tensor {
		ratio, to, from := p.Scale.Div(q.Scale), q.Loc.Div(q.Scale), p.Loc.Div(q.Scale)
		return ratio.Log().Neg().Sub(to).Add(from).Add(ratio.Mul(gamma)).
			Add(to.Add(ratio.Add(1).Lgamma()).Sub(from).Exp()).Sub(1 + gamma)
	})
	RegisterKl(func(p, q *Exponential) *tensor.Tensor {
		ratio := q.Rate.Div(p.Rate)
		return ratio.Log().Neg().Add(ratio).Sub(1)
	})
	RegisterKl(func(p *Exponential, q *Gamma) *tensor.Tensor {
		ratio := q.Rate.Div(p.Rate)
		return q.Concentration.Neg().Mul(ratio.Log()).Add(ratio).Add(q.Concentration.Lgamma()).
			Add(q.Concentration.Mul(gamma)).Sub(1 + gamma)
	})
	RegisterKl(func(p *Gamma, q *Exponential) *tensor.Tensor {
		return p.Entropy().Neg().Sub(q.Rate.Log()).Add(q.Rate.Mul(p.Concentration).Div(p.Rate))
	})
	RegisterKl(func(p, q *Gamma) *tensor.Tensor { return klGamma(p, q) })
	RegisterKl(func(p, q *Chi2) *tensor.Tensor { return klGamma(&p.Gamma, &q.Gamma) })
	RegisterKl(func(p, q *Pareto) *tensor.Tensor {
		scale, alpha := p.Scale.Div(q.Scale), q.Alpha.Div(p.Alpha)
		kl := q.Alpha.Mul(scale.Log()).Sub(alpha.Log()).Add(alpha).Sub(1)
		return infinityWhere(kl, p.Scale.Lt(q.Scale))
	})
	RegisterKl(func(p, q *Beta) *tensor.Tensor { return klDirichlet(p.pair, q.pair) })
	RegisterKl(klDirichlet)
	RegisterKl(func(p, q *Bernoulli) *tensor.Tensor { return klBernoulli(p.odds, q.odds) })
	RegisterKl(func(p *Bernoulli, q *Poisson) *tensor.Tensor {
		return p.Entropy().Neg().Sub(p.Probs.Mul(q.Rate.Log()).Sub(q.Rate))
	})
	RegisterKl(func(p, q *Geometric) *tensor.Tensor {
		return p.Entropy().Neg().Sub(q.Probs.Neg().Log1p().Div(p.Probs)).Sub(q.Logits)
	})
	RegisterKl(func(p, q *Poisson) *tensor.Tensor {
		return p.Rate.Mul(p.Rate.Log().Sub(q.Rate.Log())).Sub(p.Rate.Sub(q.Rate))
	})
	RegisterKl(func(p, q *Binomial) *tensor.Tensor {
		if !holds(p.TotalCount.Ge(q.TotalCount)) {
			panic(tensor.Errorf("distributions.KlDivergence", "no closed form is known where q has more trials than p"))
		}
		kl := p.TotalCount.Mul(p.Probs.Mul(p.Logits.Sub(q.Logits)).Add(p.Probs.Neg().Log1p()).Sub(q.Probs.Neg().Log1p()))
		return infinityWhere(kl, p.TotalCount.Gt(q.TotalCount))
	})
	RegisterKl(klCategorical)
	RegisterKl(func(p, q *OneHotCategorical) *tensor.Tensor { return klCategorical(p.index, q.index) })
	RegisterKl(func(p, q *Independent) *tensor.Tensor {
		if p.n != q.n {
			panic(tensor.Errorf("distributions.KlDivergence", "the events take %d and %d dimensions of their bases", p.n, q.n))
		}
		return sumEvent(KlDivergence(p.Base, q.Base), p.n)
	})
}

// klNormal is ½·(r + ((m-n)/t)² - 1 - log r), r = (s/t)².
func klNormal(m, s, n, t *tensor.Tensor) *tensor.Tensor {
	r := square(s.Div(t))
	return r.Add(square(m.Sub(n).Div(t))).Sub(1).Sub(r.Log()).Mul(0.5)
}

// klHalfCauchy is that of Cauchy distributions of one median: both densities are doubled.
func klHalfCauchy(p, q *HalfCauchy) *tensor.Tensor { return KlDivergence(p.base, q.base) }

func klGamma(p, q *Gamma) *tensor.Tensor {
	return q.Concentration.Mul(p.Rate.Div(q.Rate).Log()).Add(q.Concentration.Lgamma().Sub(p.Concentration.Lgamma())).
		Add(p.Concentration.Sub(q.Concentration).Mul(p.Concentration.Digamma())).
		Add(q.Rate.Sub(p.Rate).Mul(p.Concentration.Div(p.Rate)))
}

func klDirichlet(p, q *Dirichlet) *tensor.Tensor {
	a, b := p.Concentration, q.Concentration
	sum := total(a, true)
	return total(a, false).Lgamma().Sub(total(b, false).Lgamma()).Sub(total(a.Lgamma().Sub(b.Lgamma()), false)).
		Add(total(a.Sub(b).Mul(a.Digamma().Sub(sum.Digamma())), false))
}

// klBernoulli is Σ p·log(p/q) over both outcomes; outcomes that p never has count nothing.
func klBernoulli(p, q odds) *tensor.Tensor {
	part := func(weight, sign *tensor.Tensor, never, impossible *tensor.Tensor) *tensor.Tensor {
		t := infinityWhere(weight.Mul(sign), impossible)
		list := tensor.BroadcastTensors(t, never)
		return list[0].MaskedFill(list[1], 0)
	}
	plus := func(x *tensor.Tensor) *tensor.Tensor { return tensor.Softplus(x) }
	one := part(p.Probs, plus(q.Logits.Neg()).Sub(plus(p.Logits.Neg())), p.Probs.Eq(0), q.Probs.Eq(0))
	zero := part(p.Probs.Neg().Add(1), plus(q.Logits).Sub(plus(p.Logits)), p.Probs.Eq(1), q.Probs.Eq(1))
	return one.Add(zero)
}

// klCategorical is Σ p·(log p - log q); categories that p never has count nothing.
func klCategorical(p, q *Categorical) *tensor.Tensor {
	if p.n() != q.n() {
		panic(tensor.Errorf("distributions.KlDivergence", "there are %d and %d categories", p.n(), q.n()))
	}
	t := infinityWhere(p.Probs.Mul(p.Logits.Sub(q.Logits)), q.Probs.Eq(0))
	list := tensor.BroadcastTensors(t, p.Probs.Eq(0))
	return total(list[0].MaskedFill(list[1], 0), false)
}
