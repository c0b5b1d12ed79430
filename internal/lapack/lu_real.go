package lapack

import (
	"math"

	"gotorch/internal/gemm"
)

// luReal factors the left half of the columns, brings the right half up to date, and factors that (Toledo, Locality of
// Reference in LU Decomposition with Partial Pivoting, 1997).
func luReal[T floats](a []T, m, n int, pivots []int) {
	k := min(m, n)
	v := rowMajor(a, n)
	if max(m, n) <= strip {
		luSmall(v, m, n, pivots)
		return
	}
	s, pool := takeSolver[T]()
	defer pool.Put(s)
	f := luWork[T]{s}
	f.factor(v, m, k, pivots)
	if k < n {
		f.exchange(v.From(0, k), n-k, pivots)
		f.solve(v, k, false, true, v.From(0, k), n-k)
	}
}

type luWork[T floats] struct{ *solver[T] }

// factor is for m >= n.
func (f luWork[T]) factor(a gemm.Matrix[T], m, n int, pivots []int) {
	if n <= strip {
		if m <= strip {
			luSmall(a, m, n, pivots)
		} else {
			f.columns(a, m, n, pivots)
		}
		return
	}
	k := half(n)
	f.factor(a, m, k, pivots[:k])
	right, below := a.From(0, k), a.From(k, k)
	f.exchange(right, n-k, pivots[:k])
	f.solve(a, k, false, true, right, n-k)
	subtract(m-k, n-k, k, a.From(k, 0), right, below)
	f.factor(below, m-k, n-k, pivots[k:n])
	f.exchange(a.From(k, 0), k, pivots[k:n])
	for i := k; i < n; i++ {
		pivots[i] += k
	}
}

// exchange swaps rows of n columns as pivots say.
func (f luWork[T]) exchange(a gemm.Matrix[T], n int, pivots []int) {
	for i, p := range pivots {
		if p == i {
			continue
		}
		x, y := a.P[a.Off+i*a.RS:][:n], a.P[a.Off+p*a.RS:][:n]
		for j, v := range x {
			x[j], y[j] = y[j], v
		}
	}
}

// luSmall eliminates row by row.
func luSmall[T floats](a gemm.Matrix[T], m, n int, pivots []int) {
	for j := range min(m, n) {
		p, most := j, T(-1)
		for i := j; i < m; i++ {
			if v := abs(a.P[a.Off+i*a.RS+j]); v > most {
				p, most = i, v
			}
		}
		pivots[j] = p
		top := a.P[a.Off+j*a.RS:][:n]
		if p != j {
			other := a.P[a.Off+p*a.RS:][:n]
			for c, v := range top {
				top[c], other[c] = other[c], v
			}
		}
		if top[j] == 0 {
			continue
		}
		r := 1 / top[j]
		direct := math.IsInf(float64(r), 0)
		rest := top[j+1:]
		for i := j + 1; i < m; i++ {
			row := a.P[a.Off+i*a.RS:][:n]
			x := row[j] * r
			if direct {
				x = row[j] / top[j]
			}
			row[j] = x
			row = row[j+1:][:len(rest)]
			for c, v := range rest {
				row[c] -= x * v
			}
		}
	}
}

// columns factors a high strip in a copy of it that has its columns one after the other.
func (f luWork[T]) columns(a gemm.Matrix[T], m, n int, pivots []int) {
	ks := gemm.Kernels[T]()
	ld := m + strip
	cols := gemm.Room(&f.panel, strip*ld)
	ks.Transpose(cols, ld, a.P[a.Off:], a.RS, m, n)
	for j := range n {
		col := cols[j*ld:][:m]
		for i, p := range pivots[:j] { // what the columns before did
			col[i], col[p] = col[p], col[i]
		}
		for i := 1; i < j; i++ { // the part of U
			s := col[i]
			for k := range i {
				s -= cols[k*ld+i] * col[k]
			}
			col[i] = s
		}
		for k := range j {
			f.factors[k] = -col[k]
		}
		f.add(col[j:], cols[j:], ld, f.factors[:j])
		p := j + largest(col[j:])
		pivots[j] = p
		if p != j {
			for k := range j + 1 {
				x := cols[k*ld:]
				x[j], x[p] = x[p], x[j]
			}
		}
		if d := col[j]; d != 0 {
			divide(col[j+1:], d)
		}
	}
	ks.Transpose(a.P[a.Off:], a.RS, cols, ld, n, m)
}

// largest is the place of the first element with the greatest absolute value; NaN is greater than others.
func largest[T floats](x []T) (at int) {
	switch x := any(x).(type) {
	case []float32:
		most := uint32(0)
		for i, v := range x {
			if b := math.Float32bits(v) &^ (1 << 31); b > most {
				most, at = b, i
			}
		}
	case []float64:
		most := uint64(0)
		for i, v := range x {
			if b := math.Float64bits(v) &^ (1 << 63); b > most {
				most, at = b, i
			}
		}
	}
	return at
}

func abs[T floats](x T) T {
	if x < 0 {
		return -x
	}
	return x
}
