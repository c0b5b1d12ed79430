package distributions

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// numbers is a tensor as testdata/record.py writes it.
type numbers struct {
	Shape []int  `json:"shape"`
	Dtype string `json:"dtype"`
	Data  []any  `json:"data"`
}

func (n *numbers) tensor() *tensor.Tensor {
	dt, _ := tensor.ParseDtype(n.Dtype)
	data := make([]float64, len(n.Data))
	for i, v := range n.Data {
		switch v {
		case "inf":
			data[i] = math.Inf(1)
		case "-inf":
			data[i] = math.Inf(-1)
		case "nan":
			data[i] = math.NaN()
		default:
			data[i] = v.(float64)
		}
	}
	return tensor.FromSlice(data).Reshape(n.Shape...).To(dt)
}

type recorded struct {
	Name         string            `json:"name"`
	Args         []json.RawMessage `json:"args"`
	Other        []json.RawMessage `json:"other"`
	Value        *numbers          `json:"value"`
	Batch        []int             `json:"batch"`
	Event        []int             `json:"event"`
	Mean         *numbers          `json:"mean"`
	Variance     *numbers          `json:"variance"`
	Stddev       *numbers          `json:"stddev"`
	Entropy      *numbers          `json:"entropy"`
	LogProb      *numbers          `json:"log_prob"`
	LogProbGrads []*numbers        `json:"log_prob_grads"`
	Cdf          *numbers          `json:"cdf"`
	Icdf         *numbers          `json:"icdf"`
	Sample       *numbers          `json:"sample"`
	Rsample      *numbers          `json:"rsample"`
	RsampleGrads []*numbers        `json:"rsample_grads"`
	Kl           *numbers          `json:"kl"`
	KlGrads      []*numbers        `json:"kl_grads"`
}

// arguments decodes those of a constructor; tensors require grad.
func arguments(t *testing.T, raw []json.RawMessage) (args []any, leaves []*tensor.Tensor) {
	for _, r := range raw {
		var n numbers
		if json.Unmarshal(r, &n) == nil && n.Dtype != "" {
			x := n.tensor().RequiresGrad_()
			args, leaves = append(args, x), append(leaves, x)
			continue
		}
		var k int
		if err := json.Unmarshal(r, &k); err != nil {
			t.Fatal(err)
		}
		args = append(args, k)
	}
	return args, leaves
}

func x(a any) *tensor.Tensor { return a.(*tensor.Tensor) }

// constructors call each constructor with arguments of a recording.
var constructors = map[string]func(a []any) Distribution{
	"Normal":                      func(a []any) Distribution { return NewNormal(a[0], a[1]) },
	"LogNormal":                   func(a []any) Distribution { return NewLogNormal(a[0], a[1]) },
	"HalfNormal":                  func(a []any) Distribution { return NewHalfNormal(a[0]) },
	"Uniform":                     func(a []any) Distribution { return NewUniform(a[0], a[1]) },
	"Laplace":                     func(a []any) Distribution { return NewLaplace(a[0], a[1]) },
	"Cauchy":                      func(a []any) Distribution { return NewCauchy(a[0], a[1]) },
	"HalfCauchy":                  func(a []any) Distribution { return NewHalfCauchy(a[0]) },
	"Gumbel":                      func(a []any) Distribution { return NewGumbel(a[0], a[1]) },
	"Exponential":                 func(a []any) Distribution { return NewExponential(a[0]) },
	"Weibull":                     func(a []any) Distribution { return NewWeibull(a[0], a[1]) },
	"Pareto":                      func(a []any) Distribution { return NewPareto(a[0], a[1]) },
	"Gamma":                       func(a []any) Distribution { return NewGamma(a[0], a[1]) },
	"Chi2":                        func(a []any) Distribution { return NewChi2(a[0]) },
	"StudentT":                    func(a []any) Distribution { return NewStudentT(a[0], a[1], a[2]) },
	"Beta":                        func(a []any) Distribution { return NewBeta(a[0], a[1]) },
	"Dirichlet":                   func(a []any) Distribution { return NewDirichlet(x(a[0])) },
	"MultivariateNormal":          func(a []any) Distribution { return NewMultivariateNormal(x(a[0]), x(a[1])) },
	"MultivariateNormalPrecision": func(a []any) Distribution { return NewMultivariateNormalPrecision(x(a[0]), x(a[1])) },
	"MultivariateNormalTril":      func(a []any) Distribution { return NewMultivariateNormalTril(x(a[0]), x(a[1])) },
	"Bernoulli":                   func(a []any) Distribution { return NewBernoulli(a[0]) },
	"BernoulliLogits":             func(a []any) Distribution { return NewBernoulliLogits(a[0]) },
	"Geometric":                   func(a []any) Distribution { return NewGeometric(a[0]) },
	"GeometricLogits":             func(a []any) Distribution { return NewGeometricLogits(a[0]) },
	"Poisson":                     func(a []any) Distribution { return NewPoisson(a[0]) },
	"Binomial":                    func(a []any) Distribution { return NewBinomial(a[0], a[1]) },
	"BinomialLogits":              func(a []any) Distribution { return NewBinomialLogits(a[0], a[1]) },
	"NegativeBinomial":            func(a []any) Distribution { return NewNegativeBinomial(a[0], a[1]) },
	"Categorical":                 func(a []any) Distribution { return NewCategorical(x(a[0])) },
	"CategoricalLogits":           func(a []any) Distribution { return NewCategoricalLogits(x(a[0])) },
	"OneHotCategorical":           func(a []any) Distribution { return NewOneHotCategorical(x(a[0])) },
	"OneHotCategoricalLogits":     func(a []any) Distribution { return NewOneHotCategoricalLogits(x(a[0])) },
	"Multinomial":                 func(a []any) Distribution { return NewMultinomial(a[0].(int), x(a[1])) },
}

func recordings(t *testing.T) (rows []recorded) {
	f, err := os.Open("testdata/recorded.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestRecorded holds every distribution against what PyTorch 1.13 recorded: draws of the same seed, densities,
// moments, entropies, and the gradients of draws and densities.
func TestRecorded(t *testing.T) {
	for _, r := range recordings(t) {
		if r.Kl != nil {
			continue
		}
		dtype := r.Value.Dtype
		t.Run(r.Name+"/"+dtype, func(t *testing.T) {
			args, leaves := arguments(t, r.Args)
			d := constructors[r.Name](args)
			if !slices.Equal(d.BatchShape(), r.Batch) || !slices.Equal(d.EventShape(), r.Event) {
				t.Errorf("shapes %v %v, want %v %v", d.BatchShape(), d.EventShape(), r.Batch, r.Event)
			}
			value := r.Value.tensor()
			compare(t, "log_prob", func() *tensor.Tensor { return d.LogProb(value) }, r.LogProb, 1)
			gradients(t, "log_prob", d.LogProb(value).Sum(), leaves, r.LogProbGrads, 1)
			compare(t, "mean", d.Mean, r.Mean, 1)
			compare(t, "variance", d.Variance, r.Variance, 1)
			compare(t, "stddev", d.Stddev, r.Stddev, 1)
			compare(t, "entropy", d.Entropy, r.Entropy, 1)
			if c, ok := d.(interface {
				Cdf(any) *tensor.Tensor
				Icdf(any) *tensor.Tensor
			}); ok {
				compare(t, "cdf", func() *tensor.Tensor { return c.Cdf(value) }, r.Cdf, 1)
				third := tensor.FullLike(value, 0.3)
				compare(t, "icdf", func() *tensor.Tensor { return c.Icdf(third) }, r.Icdf, 1)
			} else if r.Cdf != nil {
				t.Error("no Cdf")
			}
			tensor.ManualSeed(7)
			compare(t, "sample", func() *tensor.Tensor { return d.Sample(2, 4) }, r.Sample, 1)
			tensor.ManualSeed(7)
			compare(t, "rsample", func() *tensor.Tensor { return d.Rsample(2, 4) }, r.Rsample, 1)
			if r.Rsample == nil {
				return
			}
			tensor.ManualSeed(7)
			y := d.Rsample(2, 4)
			weight := tensor.Linspace(-1, 1, y.Numel(), y.Dtype()).Reshape(y.Shape()...)
			slack := 1.0
			if slices.Contains([]string{"Gamma", "Chi2", "Beta", "Dirichlet", "StudentT"}, r.Name) {
				slack = 2e-3 / tolerance(r.Rsample.Dtype) // PyTorch approximates how these draws move
			}
			gradients(t, "rsample", y.Mul(weight).Sum(), leaves, r.RsampleGrads, slack)
		})
	}
}

// TestRecordedKl holds divergences and their gradients against the recorded ones.
func TestRecordedKl(t *testing.T) {
	for _, r := range recordings(t) {
		if r.Kl == nil {
			continue
		}
		t.Run(r.Name+"/"+r.Kl.Dtype, func(t *testing.T) {
			a, leaves := arguments(t, r.Args)
			b, more := arguments(t, r.Other)
			first, last, cross := strings.Cut(r.Name, "/")
			if !cross {
				last = first
			}
			kl := KlDivergence(constructors[first](a), constructors[last](b))
			compare(t, "kl", func() *tensor.Tensor { return kl }, r.Kl, 1)
			sum := kl.MaskedSelect(kl.Isfinite()).Sum()
			if sum.RequiresGrad() {
				gradients(t, "kl", sum, append(leaves, more...), r.KlGrads, 1)
			}
		})
	}
}

func tolerance(dtype string) float64 {
	if dtype == "float64" {
		return 1e-7
	}
	return 2e-5
}

func compare(t *testing.T, what string, f func() *tensor.Tensor, want *numbers, slack float64) {
	t.Helper()
	var got *tensor.Tensor
	err := tensor.Try(func() { got = f() })
	switch {
	case err != nil && want == nil:
		return
	case err != nil:
		t.Errorf("%s: %v", what, err)
		return
	case want == nil:
		return // more than PyTorch has
	}
	w := want.tensor()
	if !slices.Equal(got.Shape(), w.Shape()) || got.Dtype() != w.Dtype() {
		t.Errorf("%s: %s%v, want %s%v", what, got.Dtype(), got.Shape(), w.Dtype(), w.Shape())
		return
	}
	rel := tolerance(want.Dtype) * slack
	abs := rel / 10
	if finite := w.MaskedSelect(w.Isfinite()); finite.Numel() > 0 { // rounding is relative to the largest number
		abs = max(abs, rel*finite.Abs().Max().To(tensor.Float64).Item())
	}
	close := got.Detach().Isclose(w, opt.Rtol(rel), opt.Atol(abs), opt.EqualNan(true))
	if close.All().At() != true {
		t.Errorf("%s:\n%v\nwant\n%v", what, got.Detach(), w)
	}
}

func gradients(t *testing.T, what string, y *tensor.Tensor, leaves []*tensor.Tensor, want []*numbers, slack float64) {
	t.Helper()
	if !y.RequiresGrad() {
		t.Errorf("%s has no gradient", what)
		return
	}
	for i, g := range autograd.Grad([]*tensor.Tensor{y}, leaves, opt.AllowUnused(true), opt.RetainGraph(true)) {
		if want[i] == nil || g == nil {
			if g != nil && g.CountNonzero().Item() != 0 || want[i] != nil && want[i].tensor().CountNonzero().Item() != 0 {
				t.Errorf("%s: gradient %d is %v, want %v", what, i, g, want[i])
			}
			continue
		}
		compare(t, what+" gradient", func() *tensor.Tensor { return g }, want[i], slack)
	}
}
