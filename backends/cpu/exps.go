package cpu

import (
	"math"
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// exponentials are the loops that softmax and logsumexp consist of. Slices of one call have the same length; sums are
// in float64.
type exponentials[T float] struct {
	max     func(x []T) T
	maxRows func(acc, x []T, stride, rows, n int)

	sum   func(dst, x []T, m T) float64 // sets dst to exp(x - m) and adds that up
	total func(x []T, m T) float64      // adds up exp(x - m)
	scale func(dst, x []T, f T)         // sets dst to x * f
	shift func(dst, x []T, p, q T)      // sets dst to x - p - q

	expRow   func(dst, x, m []T)    // sets dst to exp(x - m)
	shiftRow func(dst, x, p, q []T) // sets dst to x - p - q
	mulRow   func(dst, x, y []T)
	sumRows  func(acc []float64, x []T, stride, rows, n int)
}

var exps32 = &exponentials[float32]{
	max: simd.MaxFloat32, maxRows: simd.MaxRowsFloat32,
	sum: simd.ExpSumFloat32, total: simd.ExpTotalFloat32, scale: simd.ScaleFloat32, shift: simd.ShiftFloat32,
	expRow: simd.ExpRowFloat32, shiftRow: simd.ShiftRowFloat32, mulRow: mulFloat32, sumRows: simd.SumRowsFloat32,
}

var exps64 = &exponentials[float64]{
	max: simd.MaxFloat64, maxRows: simd.MaxRowsFloat64,
	sum: expSum64, total: expTotal64, scale: scaleBy64, shift: shiftBy64,
	expRow: expRow64, shiftRow: shiftRow64, mulRow: mulFloat64, sumRows: simd.SumRowsFloat64,
}

var (
	subFloat64 = kernelOfTwo[float64]("sub float64")
	exp64      = simd.Get("exp float64")
)

// expInPlace64 replaces elements by their exponentials.
func expInPlace64(x []float64) {
	if len(x) > 0 {
		exp64(len(x), bytesOf(x), bytesOf(x), nil, nil, nil)
	}
}

func expSum64(dst, x []float64, m float64) (sum float64) {
	for len(x) > 0 {
		n := min(len(x), blockLen)
		for i, v := range x[:n] {
			dst[i] = v - m
		}
		expInPlace64(dst[:n])
		sum += simd.SumFloat64(dst[:n])
		dst, x = dst[n:], x[n:]
	}
	return sum
}

func expTotal64(x []float64, m float64) (sum float64) {
	tmp := scratches.Get().(*scratch)
	buf := slice[float64](unsafe.Pointer(tmp), blockLen)
	for len(x) > 0 {
		n := min(len(x), blockLen)
		sum += expSum64(buf[:n], x[:n], m)
		x = x[n:]
	}
	scratches.Put(tmp)
	return sum
}

func scaleBy64(dst, x []float64, f float64) {
	for i, v := range x {
		dst[i] = v * f
	}
}

func shiftBy64(dst, x []float64, p, q float64) {
	for i, v := range x {
		dst[i] = v - p - q
	}
}

func expRow64(dst, x, m []float64) {
	subFloat64(dst, x, m)
	expInPlace64(dst)
}

func shiftRow64(dst, x, p, q []float64) {
	subFloat64(dst, x, p)
	subFloat64(dst, dst, q)
}

// logsumexpKernel adds up exponentials relative to the greatest element so far: of float32 for the half types.
func logsumexpKernel(c *tensor.Call) {
	if c.Ret(0).Dtype() == tensor.Float64 {
		logsumexp(c, exps64)
	} else {
		logsumexp(c, exps32)
	}
}

// expState is a sum of exponentials: exp(max) * sum. An infinite max stands for itself, and has the sum 0 or 1.
type expState struct{ max, sum float64 }

// join adds what another state has.
func (s *expState) join(m, sum float64) {
	switch {
	case sum == 0:
	case s.sum == 0:
		s.max, s.sum = m, sum
	case m > s.max || m != m:
		s.sum = s.sum*expOf(s.max, m) + sum
		s.max = m
	default:
		s.sum += sum * expOf(m, s.max)
	}
}

// expOf is exp(v - m); equal infinities do not differ.
func expOf(v, m float64) float64 {
	if v == m {
		return 1
	}
	return math.Exp(v - m)
}

func logsumexp[T interface {
	float
	tensor.Element
}](c *tensor.Call, f *exponentials[T]) {
	const block = 16 // rows whose exponentials stay in the first-level cache until they are added
	out, flush := results[float64](c, 0)
	add := func(s *expState, m T, total func() float64) {
		switch {
		case math.IsInf(float64(m), 1):
			s.join(math.Inf(1), 1)
		case !math.IsInf(float64(m), -1):
			s.join(float64(m), total())
		}
	}
	reduce(c, dimsOf(c), false, reducer[T, expState]{
		block: func(s *expState, xs []T, _ int) {
			m := f.max(xs)
			add(s, m, func() float64 { return f.total(xs, m) })
		},
		rows: func(acc []expState, xs []T, stride, rows, n, _ int) {
			l := newLender()
			defer l.end()
			room := simd.RowLen(n)
			most, sums, spare := zeros[T](&l, room), lent[float64](&l, room), lent[T](&l, block*n)
			for len(xs) > 0 && rows > 0 {
				// rows that are seen at a time: their greatest elements are joined once
				count := min(rows, 16*block)
				copy(most, xs[:n])
				f.maxRows(most, xs, stride, count, n)
				clear(sums)
				for j, m := range most[:n] {
					if math.IsInf(float64(m), 0) {
						most[j] = 0
					}
				}
				for r := 0; r < count; r += block {
					k := min(block, count-r)
					e := spare[:k*n]
					for i := range k {
						f.expRow(e[i*n:][:n], xs[(r+i)*stride:][:n], most[:n])
					}
					f.sumRows(sums, e, n, k, n)
				}
				for j := range acc[:n] {
					if math.IsInf(sums[j], 1) {
						acc[j].join(sums[j], 1)
						continue
					}
					acc[j].join(float64(most[j]), sums[j])
				}
				rows -= count
				if rows > 0 {
					xs = xs[count*stride:]
				}
			}
		},
		merge: eachState(func(s, next *expState) { s.join(next.max, next.sum) }),
		done: eachResult(func(i int, s *expState, n int) {
			out[i] = math.Log(s.sum) + s.max
			if s.sum == 0 {
				out[i] = math.Inf(-1)
			}
		}),
	})
	flush()
}
