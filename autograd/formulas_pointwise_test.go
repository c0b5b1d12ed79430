package autograd_test

import (
	"math"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Every differentiable pointwise operator and reduction against finite differences, first and second derivatives.
func TestPointwiseDerivatives(t *testing.T) {
	type T = *tensor.Tensor
	one := func(f func(x T) T) autograd.Func { return func(x []T) []T { return []T{f(x[0])} } }
	two := func(f func(a, b T) T) autograd.Func { return func(x []T) []T { return []T{f(x[0], x[1])} } }
	unit := func() T { // between -1 and 1, away from kinks
		return tensor.New([][]float64{{-0.7, 0.3, 0.45}, {0.9, -0.15, 0.62}}, opt.RequiresGrad(true))
	}
	above := func() T { return tensor.New([][]float64{{1.7, 2.3, 1.45}, {3.1, 1.2, 2.6}}, opt.RequiresGrad(true)) }
	row := func() T { return tensor.New([]float64{0.55, 1.35, 2.2}, opt.RequiresGrad(true)) }
	complexes := func() T {
		return tensor.New([]complex128{0.3 + 0.4i, -0.6 + 0.2i, 0.8 - 0.7i}, opt.RequiresGrad(true))
	}
	cases := []struct {
		name   string
		f      autograd.Func
		inputs []T
	}{
		{"exp2", one(func(x T) T { return x.Exp2() }), []T{unit()}},
		{"expm1", one(func(x T) T { return x.Expm1() }), []T{unit()}},
		{"log", one(func(x T) T { return x.Log() }), []T{above()}},
		{"log2", one(func(x T) T { return x.Log2() }), []T{above()}},
		{"log10", one(func(x T) T { return x.Log10() }), []T{above()}},
		{"log1p", one(func(x T) T { return x.Log1p() }), []T{unit()}},
		{"sqrt", one(func(x T) T { return x.Sqrt() }), []T{above()}},
		{"rsqrt", one(func(x T) T { return x.Rsqrt() }), []T{above()}},
		{"reciprocal", one(func(x T) T { return x.Reciprocal() }), []T{above()}},
		{"square", one(func(x T) T { return x.Square() }), []T{unit()}},
		{"sin", one(func(x T) T { return x.Sin() }), []T{unit()}},
		{"tan", one(func(x T) T { return x.Tan() }), []T{unit()}},
		{"asin", one(func(x T) T { return x.Asin() }), []T{unit()}},
		{"acos", one(func(x T) T { return x.Acos() }), []T{unit()}},
		{"atan", one(func(x T) T { return x.Atan() }), []T{unit()}},
		{"sinh", one(func(x T) T { return x.Sinh() }), []T{unit()}},
		{"asinh", one(func(x T) T { return x.Asinh() }), []T{unit()}},
		{"acosh", one(func(x T) T { return x.Acosh() }), []T{above()}},
		{"atanh", one(func(x T) T { return x.Atanh() }), []T{unit()}},
		{"sinc", one(func(x T) T { return x.Sinc() }), []T{unit()}},
		{"tanh", one(func(x T) T { return x.Tanh() }), []T{unit()}},
		{"sigmoid", one(func(x T) T { return x.Sigmoid() }), []T{unit()}},
		{"logit", one(func(x T) T { return x.Sigmoid().Logit() }), []T{unit()}},
		{"erf", one(func(x T) T { return x.Erf() }), []T{unit()}},
		{"erfc", one(func(x T) T { return x.Erfc() }), []T{unit()}},
		{"erfinv", one(func(x T) T { return x.Mul(0.5).Erfinv() }), []T{unit()}},
		{"lgamma", one(func(x T) T { return x.Lgamma() }), []T{above()}},
		{"polygamma", one(func(x T) T { return tensor.Polygamma(1, x) }), []T{above()}},
		{"mvlgamma", one(func(x T) T { return x.Mvlgamma(2) }), []T{above()}},
		{"i0", one(func(x T) T { return x.I0() }), []T{unit()}},
		{"abs", one(func(x T) T { return x.Abs() }), []T{unit()}},
		{"frac", one(func(x T) T { return x.Frac() }), []T{unit()}},
		{"nan_to_num", one(func(x T) T { return x.NanToNum() }), []T{unit()}},
		{"relu", one(func(x T) T { return x.Relu() }), []T{unit()}},
		{"leaky_relu", one(func(x T) T { return tensor.LeakyRelu(x) }), []T{unit()}},
		{"elu", one(func(x T) T { return tensor.Elu(x) }), []T{unit()}},
		{"selu", one(func(x T) T { return tensor.Selu(x) }), []T{unit()}},
		{"celu", one(func(x T) T { return tensor.Celu(x, opt.Alpha(1.5)) }), []T{unit()}},
		{"gelu", one(func(x T) T { return tensor.Gelu(x) }), []T{unit()}},
		{"gelu tanh", one(func(x T) T { return tensor.Gelu(x, opt.Approximate("tanh")) }), []T{unit()}},
		{"silu", one(func(x T) T { return tensor.Silu(x) }), []T{unit()}},
		{"mish", one(func(x T) T { return tensor.Mish(x) }), []T{unit()}},
		{"softplus", one(func(x T) T { return tensor.Softplus(x, opt.Beta(2)) }), []T{unit()}},
		{"softshrink", one(func(x T) T { return tensor.Softshrink(x) }), []T{unit()}},
		{"hardshrink", one(func(x T) T { return tensor.Hardshrink(x) }), []T{unit()}},
		{"hardtanh", one(func(x T) T { return tensor.Hardtanh(x, opt.MaxVal(0.5)) }), []T{unit()}},
		{"hardsigmoid", one(func(x T) T { return tensor.Hardsigmoid(x) }), []T{above()}},
		{"hardswish", one(func(x T) T { return tensor.Hardswish(x) }), []T{above()}},
		{"logsigmoid", one(func(x T) T { return tensor.Logsigmoid(x) }), []T{unit()}},
		{"softsign", one(func(x T) T { return tensor.Softsign(x) }), []T{unit()}},
		{"glu", one(func(x T) T { return tensor.Glu(x, opt.Dim(0)) }), []T{unit()}},
		{"prelu", two(func(a, b T) T { return tensor.Prelu(a, b) }), []T{unit(), row()}},

		{"div", two(func(a, b T) T { return a.Div(b) }), []T{unit(), row()}},
		{"fmod", two(func(a, b T) T { return a.Fmod(b) }), []T{above(), row()}},
		{"remainder", two(func(a, b T) T { return a.Remainder(b) }), []T{above(), row()}},
		{"pow", two(func(a, b T) T { return a.Pow(b) }), []T{above(), row()}},
		{"pow number", one(func(x T) T { return x.Pow(2.5) }), []T{above()}},
		{"pow of a number", one(func(x T) T { return tensor.Pow(1.5, x) }), []T{unit()}},
		{"addcmul", func(x []T) []T { return []T{x[0].Addcmul(x[1], x[2], opt.Value(0.5))} }, []T{unit(), row(), above()}},
		{"addcdiv", func(x []T) []T { return []T{x[0].Addcdiv(x[1], x[2], opt.Value(0.5))} }, []T{unit(), row(), above()}},
		{"lerp", func(x []T) []T { return []T{x[0].Lerp(x[1].Expand(2, 3), x[2])} }, []T{unit(), row(), above()}},
		{"lerp number", two(func(a, b T) T { return a.Lerp(b, 0.3) }), []T{unit(), above()}},
		{"maximum", two(func(a, b T) T { return a.Maximum(b) }), []T{above(), row()}},
		{"minimum", two(func(a, b T) T { return a.Minimum(b) }), []T{above(), row()}},
		{"fmax", two(func(a, b T) T { return a.Fmax(b) }), []T{above(), row()}},
		{"clamp", func(x []T) []T { return []T{x[0].Clamp(opt.Min(x[1]), opt.Max(2.4))} }, []T{above(), row()}},
		{"clamp_min", two(func(a, b T) T { return a.ClampMin(b) }), []T{above(), row()}},
		{"where", two(func(a, b T) T { return tensor.Where(a.Gt(0), a, b) }), []T{unit(), row()}},
		{"masked_fill", one(func(x T) T { return x.MaskedFill(x.Gt(0.5), 3) }), []T{unit()}},
		{"atan2", two(func(a, b T) T { return a.Atan2(b) }), []T{unit(), row()}},
		{"hypot", two(func(a, b T) T { return a.Hypot(b) }), []T{unit(), row()}},
		{"logaddexp", two(func(a, b T) T { return a.Logaddexp(b) }), []T{unit(), row()}},
		{"logaddexp2", two(func(a, b T) T { return a.Logaddexp2(b) }), []T{unit(), row()}},
		{"xlogy", two(func(a, b T) T { return a.Xlogy(b) }), []T{unit(), row()}},
		{"copysign", two(func(a, b T) T { return a.Copysign(b) }), []T{unit(), row()}},
		{"dist", two(func(a, b T) T { return a.Dist(b) }), []T{unit(), above()}},

		{"sum", one(func(x T) T { return x.Sum(opt.Dim(1)) }), []T{unit()}},
		{"nansum", one(func(x T) T { return x.Nansum(opt.Dim(0), opt.Keepdim(true)) }), []T{unit()}},
		{"mean", one(func(x T) T { return x.Mean(opt.Dim(-1), opt.Keepdim(true)) }), []T{unit()}},
		{"nanmean", one(func(x T) T { return x.Nanmean() }), []T{unit()}},
		{"prod", one(func(x T) T { return x.Prod() }), []T{unit()}},
		{"prod dim", one(func(x T) T { return x.Prod(opt.Dim(1)) }), []T{unit()}},
		{"logsumexp", one(func(x T) T { return x.Logsumexp(1) }), []T{unit()}},
		{"var", one(func(x T) T { return x.Var(opt.Dim(1)) }), []T{unit()}},
		{"std", one(func(x T) T { return x.Std(opt.Correction(0)) }), []T{unit()}},
		{"std_mean", func(x []T) []T { s, m := tensor.StdMean(x[0], opt.Dim(0)); return []T{s, m} }, []T{unit()}},
		{"norm", one(func(x T) T { return x.Norm() }), []T{unit()}},
		{"norm 3", one(func(x T) T { return x.Norm(opt.P(3), opt.Dim(1)) }), []T{unit()}},
		{"norm 1.5", one(func(x T) T { return x.Norm(opt.P(1.5), opt.Dim(0)) }), []T{unit()}},
		{"norm inf", one(func(x T) T { return tensor.LinalgVectorNorm(x, opt.Ord(math.Inf(1))) }), []T{unit()}},
		{"amax", one(func(x T) T { return x.Amax(opt.Dim(1)) }), []T{unit()}},
		{"max", one(func(x T) T { return x.Max() }), []T{unit()}},
		{"max.dim", one(func(x T) T { v, _ := x.MaxDim(0); return v }), []T{unit()}},
		{"median.dim", one(func(x T) T { v, _ := x.MedianDim(1, opt.Keepdim(true)); return v }), []T{unit()}},
		{"aminmax", func(x []T) []T { a, b := x[0].Aminmax(opt.Dim(1)); return []T{a, b} }, []T{unit()}},
		{"quantile", one(func(x T) T { return x.Quantile(tensor.New([]float64{0.2, 0.7}), opt.Dim(1)) }), []T{unit()}},
		{"cov", one(func(x T) T { return x.Cov() }), []T{unit()}},
		{"trace", one(func(x T) T { return x.Trace() }), []T{unit()}},

		{"complex exp", one(func(x T) T { return x.Exp() }), []T{complexes()}},
		{"complex abs", one(func(x T) T { return x.Abs() }), []T{complexes()}},
		{"complex angle", one(func(x T) T { return x.Angle() }), []T{complexes()}},
		{"complex sgn", one(func(x T) T { return x.Sgn() }), []T{complexes()}},
		{"complex div", two(func(a, b T) T { return a.Div(b) }), []T{complexes(), complexes()}},
		{"complex pow", two(func(a, b T) T { return a.Pow(b) }), []T{complexes(), complexes()}},
		{"complex sqrt", one(func(x T) T { return x.Sqrt() }), []T{complexes()}},
		{"complex tan", one(func(x T) T { return x.Tan() }), []T{complexes()}},
		{"complex prod", one(func(x T) T { return x.Prod() }), []T{complexes()}},
		{"complex var", one(func(x T) T { return x.Var() }), []T{complexes()}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := autograd.Gradcheck(c.f, c.inputs); err != nil {
				t.Error(err)
			}
			if err := autograd.Gradgradcheck(c.f, c.inputs); err != nil {
				t.Error("second: ", err)
			}
		})
	}
}
