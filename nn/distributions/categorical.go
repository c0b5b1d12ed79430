package distributions

import (
	"math"
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Categorical is the distribution of an index from 0 to n-1 with the probabilities Probs, the last dimension. Logits
// are their logarithms.
type Categorical struct {
	family
	Probs, Logits *tensor.Tensor
}

// NewCategorical makes categorical distributions; weights that are not negative are divided by their sums.
func NewCategorical(probs *tensor.Tensor) *Categorical { return categorical("Categorical", probs) }

// NewCategoricalLogits takes logarithms of weights.
func NewCategoricalLogits(logits *tensor.Tensor) *Categorical {
	return categoricalLogits("Categorical", logits)
}

func categorical(name string, probs *tensor.Tensor) *Categorical {
	f, p := newFamily(name, given{"probs", probs, simplex})
	f.split("probs")
	sum := total(p[0], true)
	if ok := sum.Gt(0); !holds(ok) {
		panic(tensor.Errorf("distributions."+name, "the weights of a row sum to %s, they must sum to more than 0",
			worst(sum, ok)))
	}
	q := p[0].Div(sum)
	return &Categorical{f.index(), q, clampedProbs(q).Log()}
}

func categoricalLogits(name string, logits *tensor.Tensor) *Categorical {
	f, p := newFamily(name, given{"logits", logits, anyReal})
	f.split("logits")
	log := p[0].Sub(p[0].Logsumexp([]int{-1}, opt.Keepdim(true)))
	return &Categorical{f.index(), log.Softmax(opt.Dim(-1)), log}
}

// index is the family whose events are numbers.
func (f family) index() family {
	f.event = nil
	return f
}

func (d *Categorical) n() int { return d.Probs.Size(-1) }

// Mean is NaN: an index has none.
func (d *Categorical) Mean() *tensor.Tensor {
	return tensor.With(d.like.Dtype(), d.like.Device()).Full(d.batch, math.NaN())
}

// Variance is NaN: an index has none.
func (d *Categorical) Variance() *tensor.Tensor { return d.Mean() }
func (d *Categorical) Stddev() *tensor.Tensor   { return d.Mean() }

// Sample draws indices, as int64.
func (d *Categorical) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor {
		count := 1
		for _, s := range shape {
			count *= s
		}
		rows := d.Probs.Reshape(-1, d.n())
		if count == 0 || rows.Size(0) == 0 {
			return tensor.With(tensor.Int64, d.like.Device()).Zeros(d.shape(shape)...)
		}
		return rows.Multinomial(count, opt.Replacement(true)).T().Reshape(d.shape(shape)...)
	})
}

// Rsample is an error: draws do not move with the probabilities.
func (d *Categorical) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is the logarithm of the probability of an index.
func (d *Categorical) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Ge(0).LogicalAnd(x.Lt(d.n())).LogicalAnd(x.Eq(x.To(tensor.Int64))),
		"indices below the number of categories")
	index := x.To(tensor.Int64).Unsqueeze(-1)
	outer := tensor.BroadcastShapes(index.Shape()[:index.Dim()-1], d.batch)
	index = index.Expand(append(slices.Clone(outer), 1)...)
	return d.Logits.Expand(append(outer, d.n())...).Gather(-1, index).Squeeze(-1)
}

// Entropy is -Σ p·log p.
func (d *Categorical) Entropy() *tensor.Tensor {
	return total(tensor.Maximum(d.Logits, tensor.FullLike(d.Logits.Detach(), tensor.Finfo(d.like.Dtype()).Min)).
		Mul(d.Probs), false).Neg()
}

// OneHotCategorical is Categorical whose draws are vectors with a 1 in one place.
type OneHotCategorical struct {
	family
	Probs, Logits *tensor.Tensor
	index         *Categorical
}

// NewOneHotCategorical makes one-hot categorical distributions; weights are divided by their sums.
func NewOneHotCategorical(probs *tensor.Tensor) *OneHotCategorical {
	return oneHot(categorical("OneHotCategorical", probs))
}

// NewOneHotCategoricalLogits takes logarithms of weights.
func NewOneHotCategoricalLogits(logits *tensor.Tensor) *OneHotCategorical {
	return oneHot(categoricalLogits("OneHotCategorical", logits))
}

func oneHot(c *Categorical) *OneHotCategorical {
	f := c.family
	f.event = []int{c.n()}
	return &OneHotCategorical{f, c.Probs, c.Logits, c}
}

func (d *OneHotCategorical) Mean() *tensor.Tensor     { return d.Probs }
func (d *OneHotCategorical) Variance() *tensor.Tensor { return d.Probs.Mul(d.Probs.Neg().Add(1)) }
func (d *OneHotCategorical) Stddev() *tensor.Tensor   { return d.Variance().Sqrt() }

// Sample draws vectors of zeros and a one, in the dtype of the parameter.
func (d *OneHotCategorical) Sample(shape ...int) *tensor.Tensor {
	return tensor.OneHot(d.index.Sample(shape...), opt.NumClasses(d.index.n())).To(d.like.Dtype())
}

// Rsample is an error: draws do not move with the probabilities.
func (d *OneHotCategorical) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is the logarithm of the probability of the place of the 1.
func (d *OneHotCategorical) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, x.Eq(0).LogicalOr(x.Eq(1)).LogicalAnd(total(x, true).Eq(1)), "vectors of zeros and a one")
	return d.index.LogProb(x.Argmax(opt.Dim(-1)))
}

// Entropy is that of Categorical.
func (d *OneHotCategorical) Entropy() *tensor.Tensor { return d.index.Entropy() }

// Multinomial is the distribution of how often each category comes in TotalCount draws.
type Multinomial struct {
	family
	TotalCount    int
	Probs, Logits *tensor.Tensor
	index         *Categorical
}

// NewMultinomial makes multinomial distributions of totalCount draws; weights are divided by their sums.
func NewMultinomial(totalCount int, probs *tensor.Tensor) *Multinomial {
	if totalCount < 0 {
		panic(tensor.Errorf("distributions.Multinomial", "totalCount must not be negative, got %d", totalCount))
	}
	c := categorical("Multinomial", probs)
	f := c.family
	f.event = []int{c.n()}
	return &Multinomial{f, totalCount, c.Probs, c.Logits, c}
}

func (d *Multinomial) Mean() *tensor.Tensor     { return d.Probs.Mul(d.TotalCount) }
func (d *Multinomial) Variance() *tensor.Tensor { return d.Mean().Mul(d.Probs.Neg().Add(1)) }
func (d *Multinomial) Stddev() *tensor.Tensor   { return d.Variance().Sqrt() }

// Sample counts categorical draws, in the dtype of the parameter.
func (d *Multinomial) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor {
		draws := d.index.Sample(append([]int{d.TotalCount}, shape...)...)
		order := make([]int, 0, draws.Dim())
		for i := 1; i < draws.Dim(); i++ {
			order = append(order, i)
		}
		draws = draws.Permute(append(order, 0)...)
		ones := draws.Mul(0).Add(1).To(d.like.Dtype())
		return d.empty(shape).ScatterAdd_(-1, draws, ones)
	})
}

// Rsample is an error: draws do not move with the probabilities.
func (d *Multinomial) Rsample(shape ...int) *tensor.Tensor { return d.discrete() }

// LogProb is log n! - Σ log x! + Σ x·log p.
func (d *Multinomial) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	d.support(x, whole.holds(x).LogicalAnd(total(x, true).Eq(d.TotalCount)), "counts that sum to totalCount")
	logits := d.Logits.MaskedFill(x.Eq(0).LogicalAnd(d.Logits.Isinf()), 0)
	return total(x, false).Add(1).Lgamma().Sub(total(x.Add(1).Lgamma(), false)).Add(total(logits.Mul(x), false))
}

// Entropy is n times that of Categorical, less log n!, plus the expected Σ log x!.
func (d *Multinomial) Entropy() *tensor.Tensor {
	n := float64(d.TotalCount)
	lg, _ := math.Lgamma(n + 1)
	out := d.index.Entropy().Mul(n).Sub(lg)
	counts := NewBinomial(d.TotalCount, d.Probs)
	for k := 1; k <= d.TotalCount; k++ {
		weight, _ := math.Lgamma(float64(k) + 1)
		out = out.Add(total(counts.LogProb(float64(k)).Exp(), false).Mul(weight))
	}
	return out
}

// Independent takes the last dimensions of the batch for parts of the event: densities are multiplied over them.
type Independent struct {
	family
	Base Distribution
	n    int
}

// NewIndependent reinterprets the last n dimensions of the batch shape of base.
func NewIndependent(base Distribution, n int) *Independent {
	batch := base.BatchShape()
	if n < 0 || n > len(batch) {
		panic(tensor.Errorf("distributions.Independent", "expected 0 to %d dimensions of the batch shape %v, got %d",
			len(batch), batch, n))
	}
	at := len(batch) - n
	f := family{name: "Independent", batch: batch[:at], event: slices.Concat(batch[at:], base.EventShape())}
	return &Independent{f, base, n}
}

func (d *Independent) Mean() *tensor.Tensor                { return d.Base.Mean() }
func (d *Independent) Variance() *tensor.Tensor            { return d.Base.Variance() }
func (d *Independent) Stddev() *tensor.Tensor              { return d.Base.Stddev() }
func (d *Independent) Sample(shape ...int) *tensor.Tensor  { return d.Base.Sample(shape...) }
func (d *Independent) Rsample(shape ...int) *tensor.Tensor { return d.Base.Rsample(shape...) }

// LogProb is the sum of those of the parts.
func (d *Independent) LogProb(value any) *tensor.Tensor { return sumEvent(d.Base.LogProb(value), d.n) }

// Entropy is the sum of those of the parts.
func (d *Independent) Entropy() *tensor.Tensor { return sumEvent(d.Base.Entropy(), d.n) }

// String shows the base.
func (d *Independent) String() string { return "Independent(" + d.Base.String() + ")" }
