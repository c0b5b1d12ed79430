package cpu

import (
	"math"

	"gotorch/internal/simd"
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
	merge := eachState(func(s, next *moments) { s.add(*next) })
	if c.Self().Dtype().IsComplex() {
		reduce(c, dimsOf(c), false,
			reducer[complex128, moments]{block: complexMoments, merge: merge, done: eachResult(done)})
	} else if c.Self().Dtype() == tensor.Float64 {
		reduce(c, dimsOf(c), false, reducer[float64, moments]{block: realMoments(simd.SumFloat64, simd.SumDeviationsFloat64),
			rows: momentsOfRows(simd.SumRowsFloat64, simd.SumDeviationsRowsFloat64), merge: merge, done: eachResult(done)})
	} else {
		reduce(c, dimsOf(c), false, reducer[float32, moments]{block: realMoments(simd.SumFloat32, simd.SumDeviationsFloat32),
			rows: momentsOfRows(simd.SumRowsFloat32, simd.SumDeviationsRowsFloat32), merge: merge, done: eachResult(done)})
	}
	flush()
	flushMean()
}

// realMoments adds the moments of blocks that stay in the first-level cache between the two walks.
func realMoments[T float](sum func([]T) float64,
	deviations func([]T, float64) float64) func(s *moments, xs []T, _ int) {
	return func(s *moments, xs []T, _ int) {
		for len(xs) > 0 {
			part := xs[:min(len(xs), 4*blockLen)]
			n := float64(len(part))
			mean := sum(part) / n
			s.add(moments{n, complex(mean, 0), deviations(part, mean)})
			xs = xs[len(part):]
		}
	}
}

// momentsOfRows is realMoments for runs that lie side by side.
func momentsOfRows[T float](sum func(acc []float64, xs []T, stride, rows, n int),
	deviations func(acc, c []float64, xs []T, stride, rows, n int)) func(acc []moments, xs []T, stride, rows, n, _ int) {
	return func(acc []moments, xs []T, stride, rows, n, _ int) {
		l := newLender()
		defer l.end()
		width := simd.RowLen(n)
		means, m2 := lent[float64](&l, width), lent[float64](&l, width)
		for rows > 0 {
			k := min(rows, max(64, 32*blockLen/n)) // they stay in the second-level cache
			clear(means)
			clear(m2)
			sum(means, xs, stride, k, n)
			for j := range means[:n] {
				means[j] /= float64(k)
			}
			deviations(m2, means, xs, stride, k, n)
			for j := range acc[:n] {
				acc[j].add(moments{float64(k), complex(means[j], 0), m2[j]})
			}
			if rows -= k; rows > 0 {
				xs = xs[k*stride:]
			}
		}
	}
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
