package distributions

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// examples has one of each distribution that draws numbers with finite moments.
func examples() []Distribution {
	v := func(xs ...float64) *tensor.Tensor { return tensor.New(xs, tensor.Float64) }
	return []Distribution{
		NewNormal(v(1, -2), v(0.5, 2)), NewLogNormal(v(0, 0.5), v(0.2, 0.4)), NewHalfNormal(v(0.5, 2)),
		NewUniform(v(0, -3), v(1, 5)), NewLaplace(v(1, -2), v(0.5, 2)), NewGumbel(v(1, -2), v(0.5, 2)),
		NewExponential(v(0.5, 2)), NewWeibull(v(0.5, 2), v(1.5, 3)), NewPareto(v(0.5, 2), v(9, 12)),
		NewGamma(v(0.7, 5), v(2, 0.5)), NewChi2(v(1, 6)), NewStudentT(v(9, 20), v(1, -2), v(0.5, 2)),
		NewBeta(v(0.7, 4), v(2, 3)), NewDirichlet(v(0.7, 4, 2)), NewBernoulli(v(0.2, 0.9)),
		NewMultivariateNormal(v(1, -2), tensor.New([][]float64{{2, 0.3}, {0.3, 1}}, tensor.Float64)),
		NewGeometric(v(0.2, 0.9)), NewPoisson(v(0.5, 30)), NewBinomial(v(5, 60), v(0.2, 0.9)),
		NewNegativeBinomial(v(5, 60), v(0.2, 0.5)), NewOneHotCategorical(v(0.2, 0.5, 0.3)),
		NewMultinomial(6, v(0.2, 0.5, 0.3)), NewIndependent(NewNormal(v(1, -2), v(0.5, 2)), 1),
	}
}

// TestMoments holds the mean and variance of draws, and of -LogProb, against Mean, Variance and Entropy, within six
// standard errors.
func TestMoments(t *testing.T) {
	const n = 20000
	for _, d := range examples() {
		tensor.ManualSeed(1)
		x := d.Sample(n)
		within := func(what string, values, want *tensor.Tensor) {
			t.Helper()
			mean := values.Mean(opt.Dim(0))
			off := mean.Sub(want).Abs()
			bound := values.Std(opt.Dim(0)).Mul(6 / math.Sqrt(n)).Add(1e-9)
			if off.Le(bound).All().At() != true {
				t.Errorf("%v: the mean %s of draws is %v, want %v", d, what, mean, want)
			}
		}
		within("value", x, d.Mean())
		within("squared distance", x.Sub(d.Mean()).Square(), d.Variance())
		if d.Stddev().Square().Isclose(d.Variance()).All().At() != true {
			t.Errorf("%v: Stddev is not the root of Variance", d)
		}
		var entropy *tensor.Tensor
		if tensor.Try(func() { entropy = d.Entropy() }) == nil && !strings.HasPrefix(d.String(), "Binomial") {
			within("-LogProb", d.LogProb(x).Neg(), entropy)
		}
	}
}

// TestKlByDraws holds closed forms against means over draws.
func TestKlByDraws(t *testing.T) {
	const n = 20000
	v := func(x float64) *tensor.Tensor { return tensor.New([]float64{x}, tensor.Float64) }
	for _, c := range [][2]Distribution{
		{NewUniform(v(0), v(2)), NewNormal(v(1), v(2))},
		{NewLaplace(v(0), v(1)), NewNormal(v(1), v(2))},
		{NewExponential(v(2)), NewGamma(v(1.5), v(1))},
		{NewGamma(v(3), v(2)), NewExponential(v(1.5))},
		{NewBernoulli(v(0.3)), NewPoisson(v(0.6))},
		{NewIndependent(NewNormal(v(0), v(1)), 1), NewIndependent(NewNormal(v(1), v(2)), 1)},
	} {
		tensor.ManualSeed(2)
		p, q := c[0], c[1]
		x := p.Sample(n)
		ratio := p.LogProb(x).Sub(q.LogProb(x))
		off := ratio.Mean(opt.Dim(0)).Sub(KlDivergence(p, q)).Abs()
		if off.Gt(ratio.Std(opt.Dim(0)).Mul(6/math.Sqrt(n))).Any().At() == true {
			t.Errorf("%v from %v: %v, draws say %v", p, q, KlDivergence(p, q), ratio.Mean(opt.Dim(0)))
		}
	}
}

func TestErrors(t *testing.T) {
	x := tensor.New([]float64{0.5, 2})
	for want, f := range map[string]func(){
		"scale must be positive, got -1":                   func() { NewNormal(0, -1) },
		"scale must be positive, got NaN":                  func() { NewNormal(0, math.NaN()) },
		"probs must be between 0 and 1, got 2":             func() { NewBernoulli(x) },
		"low must be below high, got low 1 and high 1":     func() { NewUniform(1, 1) },
		"the shapes of the parameters do not broadcast":    func() { NewNormal(x, tensor.Ones(3)) },
		"argument scale is missing":                        func() { NewNormal(0, nil) },
		"loc must be floating point, got int64":            func() { NewNormal(tensor.New([]int{1}), 1) },
		"values must be not negative, got -1":              func() { NewExponential(1).LogProb(-1) },
		"values must be 0 or 1, got 0.5":                   func() { NewBernoulli(0.5).LogProb(0.5) },
		"do not broadcast with the batch shape [2]":        func() { NewNormal(x, 1).LogProb(tensor.Ones(3)) },
		"values end in the event shape [2], got shape [3]": func() { NewDirichlet(x).LogProb(tensor.Ones(3)) },
		"covariance must be positive definite": func() {
			NewMultivariateNormal(x, tensor.Ones(2,
				2))
		},
		"covariance must be a square matrix":               func() { NewMultivariateNormal(x, x) },
		"loc must be vectors of 3 elements, got shape [2]": func() { NewMultivariateNormal(x, tensor.Eye(3)) },
		"has no Rsample": func() { NewPoisson(1).Rsample() },
		"no closed form is known for Normal and Poisson": func() {
			KlDivergence(NewNormal(0, 1),
				NewPoisson(1))
		},
		"totalCount must be whole numbers that are not negative":      func() { NewBinomial(2.5, 0.5) },
		"expected 0 to 1 dimensions of the batch shape [2], got 2":    func() { NewIndependent(NewNormal(x, 1), 2) },
		"the weights of a row sum to 0, they must sum to more than 0": func() { NewCategorical(tensor.Zeros(2)) },
		"probs must have at least one dimension":                      func() { NewCategorical(tensor.New(0.5)) },
	} {
		err := tensor.Try(f)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "distributions.") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct {
		d    Distribution
		want string
	}{
		{NewNormal(0, 1), "Normal(loc: 0, scale: 1)"},
		{NewNormal(tensor.Zeros(3), 1), "Normal(loc: [3], scale: [3])"},
		{NewIndependent(NewExponential(tensor.Ones(2)), 1), "Independent(Exponential(rate: [2]))"},
		{NewMultinomial(4, tensor.Ones(2)), "Multinomial(probs: [2])"},
	} {
		if got := fmt.Sprint(c.d); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func ExampleNormal() {
	tensor.ManualSeed(0)
	loc := tensor.Zeros(2).RequiresGrad_()
	d := NewNormal(loc, 2)
	fmt.Println(d.Rsample(3).Shape(), d.LogProb(1))
	fmt.Println(KlDivergence(d, NewNormal(1, 2)))
	// Output:
	// [3 2] tensor([-1.7371, -1.7371], grad_fn=<SubBackward0>)
	// tensor([0.1250, 0.1250], grad_fn=<MulBackward0>)
}
