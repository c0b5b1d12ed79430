package cpu

import (
	"bytes"
	"unsafe"

	"gotorch/internal/cmath"
	"gotorch/internal/simd"
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

// sumKernel adds in int64, float64 or complex128; float32 as simd.SumFloat32 does, which rounds less than PyTorch.
func sumKernel(c *tensor.Call, skipNaN, mean bool) {
	switch dt := c.Ret(0).Dtype(); dt {
	case tensor.Float64:
		if skipNaN {
			sumInto[float64, float64](c, simd.NanSumFloat64, nil, true, mean)
			return
		}
		sumInto[float64, float64](c, simd.SumFloat64, simd.SumRowsFloat64, false, mean)
	case tensor.Float32, tensor.Float16, tensor.Bfloat16:
		block, rows := simd.SumFloat32, simd.SumRowsFloat32
		if skipNaN {
			block, rows = simd.NanSumFloat32, nil
		}
		if d := c.Self().Dtype(); isHalf(dt) || isHalf(d) {
			r := runsOf(c.Self(), dimsOf(c), d, false)
			switch contiguous := len(r.run) == 1 && r.innerStride == 1 && !skipNaN; {
			case isHalf(dt) && len(r.run) > 1:
				sumRows(c, block, r.inner, mean)
				return
			case d == tensor.Float16 && contiguous:
				sumHalves[tensor.Half](c, simd.SumFloat16, mean)
				return
			case d == tensor.Bfloat16 && contiguous:
				sumHalves[tensor.BF16](c, simd.SumBFloat16, mean)
				return
			}
		}
		sumInto[float32, float32](c, block, rows, skipNaN, mean)
	case tensor.Complex64, tensor.Complex128:
		out, flush := results[complex128](c, 0)
		reduce(c, dimsOf(c), false, reducer[complex128, complex128]{
			block: func(s *complex128, xs []complex128, _ int) {
				for _, v := range xs {
					*s += v
				}
			},
			merge: addStates[complex128],
			done: eachResult(func(i int, s *complex128, n int) {
				if mean {
					*s = cmath.Div(*s, complex(float64(n), 0))
				}
				out[i] = *s
			}),
		})
		flush()
	default:
		if d := c.Self().Dtype(); dt == tensor.Int64 && (d == tensor.Bool || d == tensor.Uint8) {
			sumIntegers(c, func(xs []uint8) int64 { return int64(simd.SumBytes(xs)) })
			return
		}
		sumIntegers(c, simd.SumInt64)
	}
}

// sumIntegers adds elements of A, which block does for a run, in int64.
func sumIntegers[A interface {
	integer
	tensor.Element
}](c *tensor.Call, block func(xs []A) int64) {
	out, flush := results[int64](c, 0)
	reduce(c, dimsOf(c), false, reducer[A, int64]{
		block: func(s *int64, xs []A, _ int) { *s += block(xs) },
		rows: func(acc []int64, xs []A, stride, rows, n, _ int) {
			for r := range rows {
				acc := acc[:n]
				for j, v := range xs[r*stride:][:n] {
					acc[j] += int64(v)
				}
			}
		},
		merge: addStates[int64],
		done:  func(i int, s []int64, _ int) { copy(out[i:], s) },
	})
	flush()
}

// sumHalves adds elements of a half type, without converting them to a buffer, where runs are contiguous.
func sumHalves[A tensor.Half | tensor.BF16](c *tensor.Call, block func(xs []uint16) float64, mean bool) {
	out, flush := results[float32](c, 0)
	reduce(c, dimsOf(c), false, reducer[A, float64]{
		block: func(s *float64, xs []A, _ int) {
			*s += block(slice[uint16](unsafe.Pointer(unsafe.SliceData(xs)), len(xs)))
		},
		merge: addStates[float64],
		done:  sumsOrMeans(out, mean),
	})
	flush()
}

// sumsOrMeans writes the sums of runs to out, or their means.
func sumsOrMeans[R float](out []R, mean bool) func(i int, s []float64, n int) {
	return func(i int, s []float64, n int) {
		count := 1.0
		if mean {
			count = float64(n)
		}
		for j, v := range s {
			out[i+j] = R(v / count)
		}
	}
}

// sumInto adds elements of A to results of R; rows may be nil.
func sumInto[A interface {
	float
	tensor.Element
}, R interface {
	float
	tensor.Element
}](c *tensor.Call, block func(xs []A) float64, rows func(acc []float64, xs []A, stride, rows, n int),
	skipNaN, mean bool) {
	out, flush := results[R](c, 0)
	f := reducer[A, float64]{
		block: func(s *float64, xs []A, _ int) {
			if len(xs) > 8 {
				*s += block(xs)
				return
			}
			for _, v := range xs {
				if !skipNaN || v == v {
					*s += float64(v)
				}
			}
		},
		merge: addStates[float64],
		done:  sumsOrMeans(out, mean),
	}
	if rows != nil {
		f.rows = func(acc []float64, xs []A, stride, n, width, _ int) { rows(acc, xs, stride, n, width) }
	}
	reduce(c, dimsOf(c), false, f)
	flush()
}

// rowSum is a sum of rows: those that are whole, rounded, and the one under way.
type rowSum struct{ rows, row float64 }

// sumRows adds half types over dimensions that do not lie together: each row, of inner elements, is added up and
// rounded to the half type, and so is every sum of rows, as PyTorch has it.
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
		merge: eachState(func(s, next *rowSum) {
			s.rows, s.row = round(s.rows+next.rows), s.row+next.row
		}),
		done: eachResult(func(i int, s *rowSum, n int) {
			v := s.rows
			if s.row != 0 { // a row that was cut between two parts
				v = round(v + round(s.row))
			}
			if mean {
				v /= float64(n)
			}
			out[i] = v
		}),
	})
	flush()
}

var (
	mulFloat32 = kernelOfTwo[float32]("mul float32")
	mulFloat64 = kernelOfTwo[float64]("mul float64")
	mulInt64   = kernelOfTwo[int64]("mul int64")
)

// kernelOfTwo is a pointwise kernel of two inputs as a function of slices.
func kernelOfTwo[T any](name string) func(dst, a, b []T) {
	f := simd.Get(name)
	return func(dst, a, b []T) {
		if n := len(dst); n > 0 {
			f(n, bytesOf(dst), bytesOf(a[:n]), bytesOf(b[:n]), nil, nil)
		}
	}
}

func bytesOf[T any](s []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }

func prodKernel(c *tensor.Call) {
	switch dt := c.Ret(0).Dtype(); dt {
	case tensor.Float64:
		prodInto(c, mulFloat64, simd.ProdFloat64)
	case tensor.Float32, tensor.Float16, tensor.Bfloat16:
		prodInto(c, mulFloat32, simd.ProdFloat32)
	case tensor.Complex64, tensor.Complex128:
		prodInto(c, mulLoop[complex128], productOf[complex128])
	default:
		prodInto(c, mulInt64, productOf[int64])
	}
}

// productOf multiplies with four products side by side.
func productOf[T number](xs []T) T {
	a, b, c, d := T(1), T(1), T(1), T(1)
	for ; len(xs) >= 4; xs = xs[4:] {
		a *= xs[0]
		b *= xs[1]
		c *= xs[2]
		d *= xs[3]
	}
	for _, v := range xs {
		a *= v
	}
	return a * b * (c * d)
}

// prodInto multiplies: mul rows element by element, block runs.
func prodInto[T interface {
	number
	tensor.Element
}](c *tensor.Call, mul func(dst, a, b []T), block func(xs []T) T) {
	out, flush := results[T](c, 0)
	reduce(c, dimsOf(c), false, reducer[T, T]{
		zero:  1,
		block: func(s *T, xs []T, _ int) { *s *= block(xs) },
		rows: func(acc, xs []T, stride, rows, n, _ int) {
			for r := range rows {
				mul(acc[:n], acc[:n], xs[r*stride:][:n])
			}
		},
		merge: func(s, next []T) { mul(s, s, next) },
		done:  func(i int, s []T, _ int) { copy(out[i:], s) },
	})
	flush()
}

// truths is the memory of bools as bytes, each 0 or 1.
func truths(xs []bool) []byte {
	return slice[byte](unsafe.Pointer(unsafe.SliceData(xs)), len(xs))
}

func countKernel(c *tensor.Call) {
	switch c.Self().Dtype() {
	case tensor.Float32:
		countFloats(c, simd.CountNonzeroFloat32)
		return
	case tensor.Float64:
		countFloats(c, simd.CountNonzeroFloat64)
		return
	}
	out, flush := results[int64](c, 0)
	reduce(c, dimsOf(c), false, reducer[bool, int64]{
		block: func(s *int64, xs []bool, _ int) { *s += int64(simd.SumBytes(truths(xs))) },
		rows: func(acc []int64, xs []bool, stride, rows, n, _ int) {
			for r := range rows {
				acc := acc[:n]
				for j, v := range truths(xs[r*stride:][:n]) {
					acc[j] += int64(v)
				}
			}
		},
		merge: addStates[int64],
		done:  func(i int, s []int64, _ int) { copy(out[i:], s) },
	})
	flush()
}

func countFloats[T interface {
	float
	tensor.Element
}](c *tensor.Call, block func(xs []T) int) {
	out, flush := results[int64](c, 0)
	reduce(c, dimsOf(c), false, reducer[T, int64]{
		block: func(s *int64, xs []T, _ int) { *s += int64(block(xs)) },
		merge: addStates[int64],
		done:  func(i int, s []int64, _ int) { copy(out[i:], s) },
	})
	flush()
}

// truthKernel looks for an element that settles the question: a false one for all, a true one for any.
func truthKernel(c *tensor.Call, all bool) {
	out, flush := results[bool](c, 0)
	settles := byte(1)
	if all {
		settles = 0
	}
	reduce(c, dimsOf(c), false, reducer[bool, uint8]{
		block: func(settled *uint8, xs []bool, _ int) {
			if *settled == 0 && bytes.IndexByte(truths(xs), settles) >= 0 {
				*settled = 1
			}
		},
		rows: func(acc []uint8, xs []bool, stride, rows, n, _ int) {
			flip := settles ^ 1
			for r := range rows {
				acc := acc[:n]
				for j, v := range truths(xs[r*stride:][:n]) {
					acc[j] |= v ^ flip
				}
			}
		},
		merge: eachState(func(s, next *uint8) { *s |= *next }),
		done:  eachResult(func(i int, s *uint8, _ int) { out[i] = (*s == 1) != all }),
	})
	flush()
}

func traceKernel(c *tensor.Call) {
	x := c.Self()
	n := min(x.Sizes()[0], x.Sizes()[1])
	diagonal := tensor.FromStorage(c.Name(), x.Storage(), []int{n}, []int{x.Strides()[0] + x.Strides()[1]},
		x.StorageOffset(), x.Dtype())
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
