package cpu

import (
	"math"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: extremes. NaN beats every number; of equal elements the first one counts. Where a place is wanted, the extreme
// of a block is found first, and its place only if it beats what came before: two fast loops in place of one with a
// branch.

// extremeLoops are the loops for the greatest or the least elements of a type.
type extremeLoops[T ranked] struct {
	worst T // loses against every element but itself
	pair  func(a, b T) T
	run   func(xs []T) T
	rows  func(acc, xs []T, stride, rows, n int)
	index func(xs []T, v T) int
	// places is rows that also sets where to the number of the row, counted from at on, where acc changes.
	places func(acc []T, where []int64, xs []T, stride, rows, n, at int)
}

func extremeLoopsOf[T ranked](greatest bool) (l extremeLoops[T]) {
	if greatest {
		l = extremeLoops[T]{0, func(a, b T) T { return max(a, b) }, greatestOf[T], greatestRows[T], indexOf[T],
			greatestPlaces[T]}
	} else {
		l = extremeLoops[T]{0, func(a, b T) T { return min(a, b) }, leastOf[T], leastRows[T], indexOf[T], leastPlaces[T]}
	}
	switch f := any(&l).(type) {
	case *extremeLoops[float32]:
		f.index = simd.IndexFloat32
		if greatest {
			f.worst, f.run, f.rows, f.places = float32(math.Inf(-1)), simd.MaxFloat32, simd.MaxRowsFloat32,
				places32(simd.ArgMaxRowsFloat32)
		} else {
			f.worst, f.run, f.rows, f.places = float32(math.Inf(1)), simd.MinFloat32, simd.MinRowsFloat32,
				places32(simd.ArgMinRowsFloat32)
		}
	case *extremeLoops[float64]:
		f.index = simd.IndexFloat64
		if greatest {
			f.worst, f.run, f.rows, f.places = math.Inf(-1), simd.MaxFloat64, simd.MaxRowsFloat64, simd.ArgMaxRowsFloat64
		} else {
			f.worst, f.run, f.rows, f.places = math.Inf(1), simd.MinFloat64, simd.MinRowsFloat64, simd.ArgMinRowsFloat64
		}
	case *extremeLoops[int64]:
		if f.run = simd.MinInt64; greatest {
			f.run = simd.MaxInt64
		}
	case *extremeLoops[int32]:
		if f.run = simd.MinInt32; greatest {
			f.run = simd.MaxInt32
		}
	}
	if d := tensor.DtypeOf[T](); !d.IsFloatingPoint() {
		which := 1
		if greatest {
			which = 0
		}
		l.worst = T(limits[d][which])
	}
	return l
}

// places32 adapts a kernel that numbers rows in int32.
func places32(f func(acc []float32, where []int32, xs []float32, stride, rows, n,
	at int)) func(acc []float32, where []int64, xs []float32, stride, rows, n, at int) {
	return func(acc []float32, where []int64, xs []float32, stride, rows, n, at int) {
		l := newLender()
		defer l.end()
		narrow := lent[int32](&l, len(where))
		for rows > 0 { // numbers fit although at may not
			k := min(rows, 1<<20)
			for i := range narrow {
				narrow[i] = -1
			}
			f(acc, narrow, xs, stride, k, n, 0)
			for i, j := range narrow {
				if j >= 0 {
					where[i] = int64(at) + int64(j)
				}
			}
			at += k
			if rows -= k; rows > 0 {
				xs = xs[k*stride:]
			}
		}
	}
}

// findExtremes folds self to its greatest or least elements.
func findExtremes[T ranked](c *tensor.Call, l *extremeLoops[T], out []T) {
	reduce(c, dimsOf(c), false, reducer[T, T]{
		zero:  l.worst,
		block: func(s *T, xs []T, _ int) { *s = l.pair(*s, l.run(xs)) },
		rows:  func(acc, xs []T, stride, rows, n, _ int) { l.rows(acc, xs, stride, rows, n) },
		merge: eachState(func(s, next *T) { *s = l.pair(*s, *next) }),
		done:  func(i int, s []T, _ int) { copy(out[i:], s) },
	})
}

// extreme is the greatest or least element so far and its place; before the first, some is false.
type extreme[T any] struct {
	v    T
	at   int
	some bool
}

// findPlaces folds self to its greatest or least elements and their places.
func findPlaces[T ranked](c *tensor.Call, l *extremeLoops[T], done func(i int, e *extreme[T])) {
	take := func(s *extreme[T], v T, at int) { s.v, s.at, s.some = v, at, true }
	// better reports whether v takes the place of e's.
	better := func(e *extreme[T], v T) bool {
		return !e.some || e.v == e.v && v != e.v && (v != v || l.pair(v, e.v) == v)
	}
	reduce(c, dimsOf(c), true, reducer[T, extreme[T]]{
		block: func(s *extreme[T], xs []T, at int) {
			for len(xs) > 0 {
				part := xs[:min(len(xs), 4*blockLen)]
				if v := l.run(part); better(s, v) {
					take(s, v, at+l.index(part, v))
				}
				xs, at = xs[len(part):], at+len(part)
			}
		},
		rows: func(acc []extreme[T], xs []T, stride, rows, n, at int) {
			width := simd.RowLen(n)
			buf := newLender()
			defer buf.end()
			values, where := zeros[T](&buf, width), zeros[int64](&buf, width)
			for j := range n {
				if !acc[j].some {
					take(&acc[j], xs[j], at)
				}
				values[j], where[j] = acc[j].v, int64(acc[j].at)
			}
			l.places(values, where, xs, stride, rows, n, at)
			for j := range n {
				acc[j].v, acc[j].at = values[j], int(where[j])
			}
		},
		merge: eachState(func(s, next *extreme[T]) {
			if next.some && better(s, next.v) {
				*s = *next
			}
		}),
		done: eachResult(func(i int, s *extreme[T], _ int) { done(i, s) }),
	})
}

// The loops of integers: without branches in their bodies.

func greatestOf[T ranked](xs []T) T {
	a, b := xs[0], xs[0]
	for ; len(xs) >= 2; xs = xs[2:] {
		a, b = max(a, xs[0]), max(b, xs[1])
	}
	for _, v := range xs {
		a = max(a, v)
	}
	return max(a, b)
}

func leastOf[T ranked](xs []T) T {
	a, b := xs[0], xs[0]
	for ; len(xs) >= 2; xs = xs[2:] {
		a, b = min(a, xs[0]), min(b, xs[1])
	}
	for _, v := range xs {
		a = min(a, v)
	}
	return min(a, b)
}

func greatestRows[T ranked](acc, xs []T, stride, rows, n int) {
	for r := range rows {
		acc := acc[:n]
		for j, v := range xs[r*stride:][:n] {
			acc[j] = max(acc[j], v)
		}
	}
}

func leastRows[T ranked](acc, xs []T, stride, rows, n int) {
	for r := range rows {
		acc := acc[:n]
		for j, v := range xs[r*stride:][:n] {
			acc[j] = min(acc[j], v)
		}
	}
}

func greatestPlaces[T ranked](acc []T, where []int64, xs []T, stride, rows, n, at int) {
	for r := range rows {
		acc, where := acc[:n], where[:n]
		for j, v := range xs[r*stride:][:n] {
			if v > acc[j] {
				acc[j], where[j] = v, int64(at+r)
			}
		}
	}
}

func leastPlaces[T ranked](acc []T, where []int64, xs []T, stride, rows, n, at int) {
	for r := range rows {
		acc, where := acc[:n], where[:n]
		for j, v := range xs[r*stride:][:n] {
			if v < acc[j] {
				acc[j], where[j] = v, int64(at+r)
			}
		}
	}
}

func indexOf[T ranked](xs []T, v T) int {
	for i, w := range xs {
		if w == v {
			return i
		}
	}
	return -1
}
