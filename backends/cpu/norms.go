package cpu

import (
	"math"
	"math/cmplx"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

func init() {
	for _, name := range []string{"norm", "linalg.vector_norm"} {
		tensor.Register(name, tensor.KeyCPU, normKernel)
	}
}

// normLoops are the loops of the usual orders.
type normLoops[T float] struct {
	abs, squares func(xs []T) float64
	squaresRows  func(acc []float64, xs []T, stride, rows, n int)
	least, most  func(xs []T) T
}

// plainNorm computes the norms of orders 1, 2 and inf of real numbers; it reports whether p is one.
func plainNorm[T interface {
	float
	tensor.Element
}](c *tensor.Call, p float64) bool {
	var loops normLoops[T]
	switch l := any(&loops).(type) {
	case *normLoops[float32]:
		*l = normLoops[float32]{simd.SumAbsFloat32, simd.SumSquaresFloat32, simd.SumSquaresRowsFloat32, simd.MinFloat32,
			simd.MaxFloat32}
	case *normLoops[float64]:
		*l = normLoops[float64]{simd.SumAbsFloat64, simd.SumSquaresFloat64, simd.SumSquaresRowsFloat64, simd.MinFloat64,
			simd.MaxFloat64}
	}
	f := reducer[T, float64]{merge: addStates[float64]}
	root := func(s float64) float64 { return s }
	switch {
	case p == 1:
		f.block = func(s *float64, xs []T, _ int) { *s += loops.abs(xs) }
	case p == 2:
		f.block = func(s *float64, xs []T, _ int) { *s += loops.squares(xs) }
		f.rows = func(acc []float64, xs []T, stride, rows, n, _ int) { loops.squaresRows(acc, xs, stride, rows, n) }
		root = math.Sqrt
	case math.IsInf(p, 1):
		f.block = func(s *float64, xs []T, _ int) { *s = max(*s, -float64(loops.least(xs)), float64(loops.most(xs))) }
		f.merge = eachState(func(s, next *float64) { *s = max(*s, *next) })
	default:
		return false
	}
	out, flush := results[T](c, 0)
	f.done = eachResult(func(i int, s *float64, _ int) { out[i] = T(root(*s)) })
	reduce(c, dimsOf(c), false, f)
	flush()
	return true
}

// normKernel folds absolute values: counted, added, greatest, or the p-th root of the sum of p-th powers.
func normKernel(c *tensor.Call) {
	if c.Str(1) == "nuc" {
		nuclearKernel(c)
		return
	}
	p := 2.0
	if s, ok := c.Scalar(1); ok {
		p = s.Float()
	}
	power := func(v float64) float64 { return math.Pow(v, p) }
	start, finish := 0.0, func(s float64) float64 { return math.Pow(s, 1/p) }
	join := func(a, b float64) float64 { return a + b }
	same := func(v float64) float64 { return v }
	switch {
	case p == 2:
		power, finish = func(v float64) float64 { return v * v }, math.Sqrt
	case p == 1:
		power, finish = same, same
	case p == 0:
		finish = same
		power = func(v float64) float64 {
			if v != 0 {
				return 1
			}
			return 0
		}
	case math.IsInf(p, 1):
		power, finish, join = same, same, math.Max
	case math.IsInf(p, -1):
		start, power, finish, join = math.Inf(1), same, same, math.Min
	}
	if dt := c.Self().Dtype(); isHalf(dt) && p != 2 { // every step is rounded: powers of a few numbers overflow
		round, f, g, h := rounding(dt), power, join, finish
		power = func(v float64) float64 { return round(f(v)) }
		join = func(a, b float64) float64 { return round(g(a, b)) }
		if p != 0 && p != 1 && !math.IsInf(p, 0) {
			h = func(s float64) float64 { return math.Pow(s, round(1/p)) }
		}
		finish = h
	}
	if dt := c.Self().Dtype(); c.Ret(0).Dtype() == dt && (dt == tensor.Float32 && plainNorm[float32](c, p) ||
		dt == tensor.Float64 && plainNorm[float64](c, p)) {
		return
	}
	out, flush := results[float64](c, 0)
	merge := eachState(func(s, next *float64) { *s = join(*s, *next) })
	done := eachResult(func(i int, s *float64, _ int) { out[i] = finish(*s) })
	if c.Self().Dtype().IsComplex() {
		reduce(c, dimsOf(c), false, reducer[complex128, float64]{zero: start, merge: merge, done: done, heavy: true,
			block: func(s *float64, xs []complex128, _ int) {
				for _, v := range xs {
					*s = join(*s, power(cmplx.Abs(v)))
				}
			}})
	} else {
		reduce(c, dimsOf(c), false, reducer[float64, float64]{zero: start, merge: merge, done: done, heavy: true,
			block: func(s *float64, xs []float64, _ int) {
				for _, v := range xs {
					*s = join(*s, power(math.Abs(v)))
				}
			}})
	}
	flush()
}
