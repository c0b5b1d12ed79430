package lapack

import (
	"slices"
	"sync"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: rotations. The iterations for eigenvalues and singular values turn neighbouring vectors by angles that come
// from a few numbers, one sweep over the vectors after the other. The vectors stand in rows, cut into strips of
// columns that the kernel holds in registers, and a strip stays in the near caches while many sweeps go over it.
// Strips are independent of each other: they are shared out to threads, and results do not depend on how.

const lanes = simd.RotateLanes

// turns is vectors, and sweeps of rotations of neighbours that wait to be applied.
type turns struct {
	count, length int       // of vectors, and of each
	elems         []float64 // lanes elements of vector i in strip s begin at (s*count+i)*lanes
	sorted        []float64 // a strip in another order
	sweeps        []turnSweep
	cs            []float64 // cosines and sines of all sweeps
}

// turnSweep turns vectors first and first+step, then first+step and first+2*step, and so on.
type turnSweep struct{ first, step, from, to int }

// mostTurns is how many cosines and sines wait: what is applied together takes about a millisecond at most.
const mostTurns = 1 << 14

// newTurns takes the first count columns of the matrix a, of rows rows that are ld elements apart, as vectors.
func newTurns(a []float64, ld, rows, count int) *turns {
	t := turnsPool.Get().(*turns)
	t.count, t.length, t.sweeps, t.cs = count, rows, t.sweeps[:0], t.cs[:0]
	gemm.Room(&t.elems, (rows+lanes-1)/lanes*lanes*count)
	t.eachStrip(func(strip []float64, from, n int) {
		gemm.Kernels[float64]().Transpose(strip, lanes, a[from*ld:], ld, n, count)
	})
	return t
}

// unturned is the n unit vectors.
func unturned(n int) *turns {
	t := turnsPool.Get().(*turns)
	t.count, t.length, t.sweeps, t.cs = n, n, t.sweeps[:0], t.cs[:0]
	clear(gemm.Room(&t.elems, (n+lanes-1)/lanes*lanes*n))
	t.eachStrip(func(strip []float64, from, m int) {
		for i := range m {
			strip[(from+i)*lanes+i] = 1
		}
	})
	return t
}

// into applies what waits and writes the vectors to rows of a, which are ld elements apart.
func (t *turns) into(a []float64, ld int) {
	t.apply()
	t.eachStrip(func(strip []float64, from, n int) {
		for i := range t.count {
			copy(a[i*ld+from:][:n], strip[i*lanes:])
		}
	})
}

// turnsPool has turns for [newTurns], and takes back those that are done with.
var turnsPool = sync.Pool{New: func() any { return new(turns) }}

// eachStrip calls f with every strip, which has elements from to from+n of the vectors.
func (t *turns) eachStrip(f func(strip []float64, from, n int)) {
	for from := 0; from < t.length; from += lanes {
		f(t.elems[from*t.count:][:t.count*lanes], from, min(lanes, t.length-from))
	}
}

// sweep begins a sweep.
func (t *turns) sweep(first, step int) {
	if t == nil {
		return
	}
	if len(t.cs) > mostTurns {
		t.apply()
	}
	t.sweeps = append(t.sweeps, turnSweep{first, step, len(t.cs), len(t.cs)})
}

// room begins a sweep of count rotations, and returns the place for their cosines and sines.
func (t *turns) room(first, step, count int) []float64 {
	if t == nil {
		return make([]float64, 2*count)
	}
	t.sweep(first, step)
	from := len(t.cs)
	t.cs = slices.Grow(t.cs, 2*count)[:from+2*count]
	t.sweeps[len(t.sweeps)-1].to = len(t.cs)
	return t.cs[from:]
}

// turn adds a rotation to the sweep: the vector x that it has come to, and the next one, y, become c·x + s·y and
// c·y - s·x.
func (t *turns) turn(c, s float64) {
	if t != nil {
		t.cs = append(t.cs, c, s)
		t.sweeps[len(t.sweeps)-1].to += 2
	}
}

// apply turns the vectors.
func (t *turns) apply() {
	strips := (t.length + lanes - 1) / lanes
	work := float64(len(t.cs)) * 4 // nanoseconds for a strip
	parallel.For(strips, parallel.Grain(work), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			strip := t.elems[i*t.count*lanes:][:t.count*lanes]
			for _, s := range t.sweeps {
				simd.RotateFloat64(strip, s.first*lanes, s.step*lanes, t.cs[s.from:s.to])
			}
		}
	})
	t.sweeps, t.cs = t.sweeps[:0], t.cs[:0]
}

// columns applies what waits and writes vector order[j] to column j of a, whose rows are ld elements apart.
func (t *turns) columns(a []float64, ld int, order []int) {
	t.apply()
	sorted := gemm.Room(&t.sorted, t.count*lanes)
	t.eachStrip(func(strip []float64, from, n int) {
		for j, i := range order {
			copy(sorted[j*lanes:][:lanes], strip[i*lanes:])
		}
		gemm.Kernels[float64]().Transpose(a[from*ld:], ld, sorted, lanes, t.count, n)
	})
}

// rows applies what waits and writes vector order[i] times sign[order[i]] to row i of a.
func (t *turns) rows(a []float64, order []int, sign []float64) {
	t.apply()
	t.eachStrip(func(strip []float64, from, n int) {
		for i, k := range order {
			row := a[i*t.length+from:][:n]
			for j, x := range strip[k*lanes:][:n] {
				row[j] = x * sign[k]
			}
		}
	})
}
