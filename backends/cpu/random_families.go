package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"

	"gonum.org/v1/gonum/mathext"
)

// Draws of gamma, Dirichlet and binomial distributions, and how draws move with the parameters. As PyTorch's they take
// numbers of 64 bits from the generator, one element after the other.

func init() {
	kernels(map[string]tensor.Kernel{
		"_standard_gamma": standardGamma, "_standard_gamma_grad": standardGammaGrad,
		"_sample_dirichlet": sampleDirichlet, "_dirichlet_grad": dirichletGrad,
		"binomial": binomial,
	})
}

// tiniest is the least positive normal number of a dtype, and nearlyOne the greatest number below 1.
func tiniest(dt tensor.Dtype) float64 {
	switch dt {
	case tensor.Float64:
		return 0x1p-1022
	case tensor.Float16:
		return 0x1p-14
	}
	return 0x1p-126
}

// parameters reads a floating point argument, broadcast to shape, as float64.
func parameters(c *tensor.Call, slot int, shape []int) []float64 {
	op, x := c.Name(), c.Tensor(slot)
	if !x.Dtype().IsFloatingPoint() {
		panic(tensor.Errorf(op, "expected floating point parameters, got %s", x.Dtype()).WithHint("Float() it first"))
	}
	return contig[float64](op, contiguous(op, expanded(op, x, shape), tensor.Float64))
}

// fillFrom stores numbers, each rounded to the dtype of the result.
func fillFrom(c *tensor.Call, f func(dst []float64)) {
	t := tensor.Alloc(c.Name(), c.Ret(0).Sizes(), tensor.Float64, tensor.CPU)
	f(tensor.Elems[float64](t))
	copyTensor(c.Name(), c.Ret(0), t)
	runtime.KeepAlive(t)
}

func standardGamma(c *tensor.Call) {
	alpha, least := parameters(c, 0, c.Ret(0).Sizes()), tiniest(c.Ret(0).Dtype())
	fillFrom(c, func(dst []float64) {
		generator(c, 1).Draw(func(s *tensor.Source) {
			for i, a := range alpha {
				if i%blockSize == 0 {
					tensor.Interrupted(c.Name())
				}
				dst[i] = max(least, gammaOf(s, checkedShape(c, a)))
			}
		})
	})
}

func checkedShape(c *tensor.Call, a float64) float64 {
	if !(a >= 0) || math.IsInf(a, 1) {
		panic(tensor.Errorf(c.Name(), "concentrations must be finite and not negative, got %g", a))
	}
	return a
}

// gammaOf draws from the gamma distribution of shape a and rate 1 by Marsaglia and Tsang's method ("A simple method
// for generating gamma variables", 2000). A shape below 1 is raised by 1, and the draw scaled by a power of a uniform
// number.
func gammaOf(s *tensor.Source, a float64) float64 {
	scale := 1.0
	if a < 1 {
		if a == 0 {
			return 0
		}
		scale = math.Pow(1-s.Float64(), 1/a)
		a++
	}
	d := a - 1.0/3
	k := 1 / math.Sqrt(9*d)
	for {
		x := s.Normal()
		y := 1 + k*x
		if y <= 0 {
			continue
		}
		v, u, xx := y*y*y, 1-s.Float64(), x*x
		if u < 1-0.0331*xx*xx || math.Log(u) < 0.5*xx+d*(1-v+math.Log(v)) {
			return scale * d * v
		}
	}
}

// sampleDirichlet draws a gamma number for each concentration; those of a row are divided by their sum.
func sampleDirichlet(c *tensor.Call) {
	shape, dt := c.Ret(0).Sizes(), c.Ret(0).Dtype()
	if len(shape) == 0 {
		panic(tensor.Errorf(c.Name(), "expected concentrations of at least one dimension"))
	}
	alpha, k := parameters(c, 0, shape), shape[len(shape)-1]
	least, most := tiniest(dt), 1-0x1p-53
	if dt != tensor.Float64 {
		most = 1 - 0x1p-24
	}
	fillFrom(c, func(dst []float64) {
		generator(c, 1).Draw(func(s *tensor.Source) {
			for i, a := range alpha {
				dst[i] = gammaOf(s, checkedShape(c, a))
			}
		})
		for row := dst; len(row) >= k && k > 0; row = row[k:] {
			sum := 0.0
			for _, v := range row[:k] {
				sum += v
			}
			for i, v := range row[:k] {
				row[i] = min(max(v/sum, least), most)
			}
		}
	})
}

// standardGammaGrad is dx/da where the quantile of x stays: -(dP(a, x)/da) / p(x), P being the distribution function.
func standardGammaGrad(c *tensor.Call) {
	shape := c.Ret(0).Sizes()
	alpha, x := parameters(c, 0, shape), parameters(c, 1, shape)
	fillFrom(c, func(dst []float64) {
		parallel.For(len(dst), 64, func(lo, hi int) {
			tensor.Interrupted(c.Name())
			for i := lo; i < hi; i++ {
				a, v := alpha[i], x[i]
				below := func(a float64) float64 { return mathext.GammaIncReg(a, v) }
				if v > a { // the smaller of the two tails has more digits
					below = func(a float64) float64 { return -mathext.GammaIncRegComp(a, v) }
				}
				lg, _ := math.Lgamma(a)
				dst[i] = -slopeOf(below, a) / math.Exp((a-1)*math.Log(v)-v-lg)
			}
		})
	})
}

// dirichletGrad is dx/da/(1-x) for each element of a row, which by itself has a beta distribution of a and total - a:
// the quantile stays.
func dirichletGrad(c *tensor.Call) {
	shape := c.Ret(0).Sizes()
	x, alpha, total := parameters(c, 0, shape), parameters(c, 1, shape), parameters(c, 2, shape)
	fillFrom(c, func(dst []float64) {
		parallel.For(len(dst), 64, func(lo, hi int) {
			tensor.Interrupted(c.Name())
			for i := lo; i < hi; i++ {
				v, a, b := x[i], alpha[i], total[i]-alpha[i]
				below := func(a float64) float64 { return mathext.RegIncBeta(a, b, v) }
				if v > a/(a+b) {
					below = func(a float64) float64 { return -mathext.RegIncBeta(b, a, 1-v) }
				}
				la, _ := math.Lgamma(a)
				lb, _ := math.Lgamma(b)
				lt, _ := math.Lgamma(a + b)
				density := math.Exp((a-1)*math.Log(v) + (b-1)*math.Log1p(-v) + lt - la - lb)
				dst[i] = -slopeOf(below, a) / density / (1 - v)
			}
		})
	})
}

// slopeOf is the derivative of f at a > 0 by central differences of two widths, whose errors of second order cancel.
func slopeOf(f func(float64) float64, a float64) float64 {
	h := 1e-3 * a
	wide, narrow := (f(a+h)-f(a-h))/(2*h), (f(a+h/2)-f(a-h/2))/h
	return (4*narrow - wide) / 3
}
