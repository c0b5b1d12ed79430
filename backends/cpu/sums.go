package cpu

import (
	"math"

	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"sum":           func(c *tensor.Call) { sumKernel(c, false, false) },
		"nansum":        func(c *tensor.Call) { sumKernel(c, true, false) },
		"mean":          func(c *tensor.Call) { sumKernel(c, false, true) },
		"prod":          prodKernel,
		"count_nonzero": countKernel,
		"all":           func(c *tensor.Call) { truthKernel(c, true) },
		"any":           func(c *tensor.Call) { truthKernel(c, false) },
		"logsumexp":     logsumexpKernel,
		"trace":         traceKernel,
	})
}

// sumKernel adds in int64, float64 or complex128, which loses nothing that the result could hold.
func sumKernel(c *tensor.Call, skipNaN, mean bool) {
	switch dt := c.Ret(0).Dtype(); dt {
	case tensor.Float64:
		if skipNaN {
			sumInto(c, nanSumBlock[float64], mean)
			return
		}
		sumInto(c, sumBlock[float64], mean)
	case tensor.Float32, tensor.Float16, tensor.Bfloat16:
		block := sumBlock[float32]
		if skipNaN {
			block = nanSumBlock[float32]
		}
		if isHalf(dt) {
			if r := runsOf(c.Self(), dimsOf(c), tensor.Float32, false); len(r.run) > 1 {
				sumRows(c, block, r.inner, mean)
				return
			}
		}
		sumInto(c, block, mean)
	case tensor.Complex64, tensor.Complex128:
		out, flush := results[complex128](c, 0)
		reduce(c, dimsOf(c), false, reducer[complex128, complex128]{
			block: func(s *complex128, xs []complex128, _ int) {
				for _, v := range xs {
					*s += v
				}
			},
			merge: func(s, next *complex128) { *s += *next },
			done: func(i int, s *complex128, n int) {
				if mean {
					*s /= complex(float64(n), 0)
				}
				out[i] = *s
			},
		})
		flush()
	default:
		out, flush := results[int64](c, 0)
		reduce(c, dimsOf(c), false, reducer[int64, int64]{
			block: func(s *int64, xs []int64, _ int) {
				for _, v := range xs {
					*s += v
				}
			},
			merge: func(s, next *int64) { *s += *next },
			done:  func(i int, s *int64, _ int) { out[i] = *s },
		})
		flush()
	}
}

func sumInto[A tensor.Element](c *tensor.Call, block func(xs []A) float64, mean bool) {
	out, flush := results[float64](c, 0)
	reduce(c, dimsOf(c), false, reducer[A, float64]{
		block: func(s *float64, xs []A, _ int) { *s += block(xs) },
		merge: func(s, next *float64) { *s += *next },
		done: func(i int, s *float64, n int) {
			if mean {
				*s /= float64(n)
			}
			out[i] = *s
		},
	})
	flush()
}

// rowSum is a sum of rows: those that are whole, rounded, and the one under way.
type rowSum struct{ rows, row float64 }

// sumRows adds half types over dimensions that do not lie together: each row, of inner elements, is added up and rounded to the half type, and so
// is every sum of rows, as PyTorch has it.
func sumRows(c *tensor.Call, block func(xs []float32) float64, inner int, mean bool) {
	out, flush := results[float64](c, 0)
	round := rounding(c.Ret(0).Dtype())
	reduce(c, dimsOf(c), false, reducer[float32, rowSum]{
		block: func(s *rowSum, xs []float32, at int) {
			for len(xs) > 0 {
				n := min(inner-at%inner, len(xs))
				s.row += block(xs[:n])
				if at += n; at%inner == 0 {
					s.rows, s.row = round(s.rows+round(s.row)), 0
				}
				xs = xs[n:]
			}
		},
		merge: func(s, next *rowSum) {
			s.rows, s.row = round(s.rows+next.rows), s.row+next.row
		},
		done: func(i int, s *rowSum, n int) {
			v := s.rows
			if s.row != 0 { // a row that was cut between two parts
				v = round(v + round(s.row))
			}
			if mean {
				v /= float64(n)
			}
			out[i] = v
		},
	})
	flush()
}

// sumBlock adds with eight accumulators: a short chain is quicker, and rounds less.
func sumBlock[T float](xs []T) float64 {
	var a [8]float64
	for len(xs) >= 8 {
		a[0] += float64(xs[0])
		a[1] += float64(xs[1])
		a[2] += float64(xs[2])
		a[3] += float64(xs[3])
		a[4] += float64(xs[4])
		a[5] += float64(xs[5])
		a[6] += float64(xs[6])
		a[7] += float64(xs[7])
		xs = xs[8:]
	}
	for i, v := range xs {
		a[i] += float64(v)
	}
	return (a[0] + a[4]) + (a[1] + a[5]) + ((a[2] + a[6]) + (a[3] + a[7]))
}

func nanSumBlock[T float](xs []T) (s float64) {
	for _, v := range xs {
		if v == v {
			s += float64(v)
		}
	}
	return s
}

func prodKernel(c *tensor.Call) {
	switch dt := c.Ret(0).Dtype(); dt {
	case tensor.Float64:
		prodInto[float64](c)
	case tensor.Float32, tensor.Float16, tensor.Bfloat16:
		prodInto[float32](c)
	case tensor.Complex64, tensor.Complex128:
		prodInto[complex128](c)
	default:
		prodInto[int64](c)
	}
}

func prodInto[T interface {
	number
	tensor.Element
}](c *tensor.Call) {
	out, flush := results[T](c, 0)
	reduce(c, dimsOf(c), false, reducer[T, T]{
		zero: 1,
		block: func(s *T, xs []T, _ int) {
			p := *s
			for _, v := range xs {
				p *= v
			}
			*s = p
		},
		merge: func(s, next *T) { *s *= *next },
		done:  func(i int, s *T, _ int) { out[i] = *s },
	})
	flush()
}

func countKernel(c *tensor.Call) {
	out, flush := results[int64](c, 0)
	reduce(c, dimsOf(c), false, reducer[bool, int64]{
		block: func(s *int64, xs []bool, _ int) {
			for _, v := range xs {
				if v {
					*s++
				}
			}
		},
		merge: func(s, next *int64) { *s += *next },
		done:  func(i int, s *int64, _ int) { out[i] = *s },
	})
	flush()
}

// truthKernel looks for an element that settles the question: a false one for all, a true one for any.
func truthKernel(c *tensor.Call, all bool) {
	out, flush := results[bool](c, 0)
	reduce(c, dimsOf(c), false, reducer[bool, bool]{
		block: func(settled *bool, xs []bool, _ int) {
			if *settled {
				return
			}
			for _, v := range xs {
				if v != all {
					*settled = true
					return
				}
			}
		},
		merge: func(s, next *bool) { *s = *s || *next },
		done:  func(i int, s *bool, _ int) { out[i] = *s != all },
	})
	flush()
}

// logsumexpKernel keeps the greatest element so far and the sum of exponentials relative to it.
func logsumexpKernel(c *tensor.Call) {
	type state struct{ max, sum float64 }
	out, flush := results[float64](c, 0)
	merge := func(s *state, m, sum float64) {
		switch {
		case sum == 0:
		case s.sum == 0:
			s.max, s.sum = m, sum
		case m > s.max || m != m:
			s.sum = s.sum*scale(s.max, m) + sum
			s.max = m
		default:
			s.sum += sum * scale(m, s.max)
		}
	}
	reduce(c, dimsOf(c), false, reducer[float64, state]{
		block: func(s *state, xs []float64, _ int) {
			m := math.Inf(-1)
			for _, v := range xs {
				if v > m || v != v {
					m = v
				}
			}
			sum := 0.0
			for _, v := range xs {
				sum += scale(v, m)
			}
			merge(s, m, sum)
		},
		merge: func(s, next *state) { merge(s, next.max, next.sum) },
		done: func(i int, s *state, n int) {
			out[i] = math.Log(s.sum) + s.max
			if n == 0 || math.IsInf(s.max, -1) {
				out[i] = math.Inf(-1)
			}
		},
	})
	flush()
}

// scale is exp(v - m); equal infinities do not differ.
func scale(v, m float64) float64 {
	if v == m {
		return 1
	}
	return math.Exp(v - m)
}

func traceKernel(c *tensor.Call) {
	x := c.Self()
	n := min(x.Sizes()[0], x.Sizes()[1])
	diagonal := tensor.FromStorage(c.Name(), x.Storage(), []int{n}, []int{x.Strides()[0] + x.Strides()[1]}, x.StorageOffset(), x.Dtype())
	var sum complex128
	var isum int64
	if x.Dtype().IsDifferentiable() {
		for _, v := range contig[complex128](c.Name(), diagonal) {
			sum += v
		}
	} else {
		for _, v := range contig[int64](c.Name(), diagonal) {
			isum += v
		}
		out, flush := results[int64](c, 0)
		out[0] = isum
		flush()
		return
	}
	out, flush := results[complex128](c, 0)
	out[0] = sum
	flush()
}
