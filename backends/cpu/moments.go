package cpu

import (
	"math"

	"gotorch/tensor"
)

// moments are of a set of numbers: how many, their mean, and how they spread.
type moments struct {
	n    float64
	mean complex128
	m2   float64 // the sum of squared distances from the mean
}

// add joins two sets by the formula of Chan, Golub and LeVeque.
func (s *moments) add(o moments) {
	if o.n == 0 {
		return
	}
	n := s.n + o.n
	d := o.mean - s.mean
	s.mean += d * complex(o.n/n, 0)
	s.m2 += o.m2 + (real(d)*real(d)+imag(d)*imag(d))*s.n*o.n/n
	s.n = n
}

func init() {
	for _, name := range []string{"var", "std", "var_mean", "std_mean"} {
		tensor.Register(name, tensor.KeyCPU, func(c *tensor.Call) { momentsKernel(c, name[0] == 's') })
	}
}

func momentsKernel(c *tensor.Call, root bool) {
	correction := 1.0
	if i := c.Op.Param("correction"); !c.IsNone(i) {
		correction = float64(c.Int(i))
	} else if !c.Bool(c.Op.Param("unbiased")) {
		correction = 0
	}
	spread, flush := results[float64](c, 0)
	mean, flushMean := []complex128(nil), func() {}
	if len(c.Results()) == 2 {
		mean, flushMean = results[complex128](c, 1)
	}
	done := func(i int, s *moments, n int) {
		v := s.m2 / math.Max(0, float64(n)-correction)
		if n == 0 {
			v = math.NaN()
			s.mean = complex(v, 0)
		}
		if root {
			v = math.Sqrt(v)
		}
		spread[i] = v
		if mean != nil {
			mean[i] = s.mean
		}
	}
	merge := func(s, next *moments) { s.add(*next) }
	if c.Self().Dtype().IsComplex() {
		reduce(c, dimsOf(c), false, reducer[complex128, moments]{block: complexMoments, merge: merge, done: done})
	} else {
		reduce(c, dimsOf(c), false, reducer[float64, moments]{block: realMoments, merge: merge, done: done})
	}
	flush()
	flushMean()
}

func realMoments(s *moments, xs []float64, _ int) {
	n := float64(len(xs))
	mean := sumBlock(xs) / n
	m2 := 0.0
	for _, v := range xs {
		m2 += (v - mean) * (v - mean)
	}
	s.add(moments{n, complex(mean, 0), m2})
}

func complexMoments(s *moments, xs []complex128, _ int) {
	n := complex(float64(len(xs)), 0)
	var mean complex128
	for _, v := range xs {
		mean += v
	}
	mean /= n
	m2 := 0.0
	for _, v := range xs {
		d := v - mean
		m2 += real(d)*real(d) + imag(d)*imag(d)
	}
	s.add(moments{real(n), mean, m2})
}
