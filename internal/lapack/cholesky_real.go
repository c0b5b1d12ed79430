package lapack

import (
	"math"

	"gotorch/internal/gemm"
)

// choleskyReal factors the lower triangle. An upper one is turned over before and after.
func choleskyReal[T floats](a []T, n int, upper bool) (minor int) {
	if !upper && n <= 2*strip {
		return choleskySmall(rowMajor(a, n), n)
	}
	s, pool := takeSolver[T]()
	defer pool.Put(s)
	c := choleskyWork[T]{s}
	if !upper {
		return c.factor(rowMajor(a, n), n)
	}
	l := make([]T, n*n)
	TransposeInto(l, a, n, n, false)
	minor = c.factor(rowMajor(l, n), n)
	TransposeInto(a, l, n, n, false)
	return minor
}

type choleskyWork[T floats] struct{ *solver[T] }

// factor factors the left half of the columns, takes it from the triangle on the right, and factors that. It stops at
// the first minor that is not positive.
func (c choleskyWork[T]) factor(a gemm.Matrix[T], n int) (minor int) {
	if n <= 2*strip {
		return choleskySmall(a, n)
	}
	k := half(n)
	if minor = c.factor(a, k); minor > 0 {
		return minor
	}
	below, right := a.From(k, 0), a.From(k, k)
	c.solveRight(a, k, below, n-k)
	for i := 0; i < n-k; { // what is below the diagonal, by blocks of rows
		rows := min(n-k-i, 4*strip)
		subtract(rows, i, k, below.From(i, 0), below.T(), right.From(i, 0))
		diagonal := right.From(i, i)
		x := below.From(i, 0)
		for j := 0; j < rows; j += strip {
			subtract(min(strip, rows-j), min(rows, j+strip), k, x.From(j, 0), x.T(), diagonal.From(j, 0))
		}
		i += rows
	}
	if minor = c.factor(right, n-k); minor > 0 {
		return minor + k
	}
	return 0
}

// solveRight writes X with X Lᵀ = B over b, m by n, where L is the lower triangle of l.
func (c choleskyWork[T]) solveRight(l gemm.Matrix[T], n int, b gemm.Matrix[T], m int) {
	if n > 2*strip {
		k := half(n)
		c.solveRight(l, k, b, m)
		subtract(m, n-k, k, b, l.From(k, 0).T(), b.From(0, k))
		c.solveRight(l.From(k, k), n-k, b.From(0, k), m)
		return
	}
	ks := gemm.Kernels[T]()
	ld := m + strip
	panel := gemm.Room(&c.panel, n*ld)
	ks.Transpose(panel, ld, b.P[b.Off:], b.RS, m, n)
	c.solve(l, n, false, false, rowMajor(panel, ld), m)
	ks.Transpose(b.P[b.Off:], b.RS, panel, ld, n, m)
}

// choleskySmall finds L row by row (Golub and Van Loan, 4.2.5, in the order of rows).
func choleskySmall[T floats](a gemm.Matrix[T], n int) (minor int) {
	var inverse [2 * strip]T
	for i := range n {
		row := a.P[a.Off+i*a.RS:][:i+1]
		d := row[i]
		for j := range i {
			s := row[j]
			for k, x := range a.P[a.Off+j*a.RS:][:j] {
				s -= x * row[k]
			}
			s *= inverse[j]
			row[j] = s
			d -= s * s
		}
		if !(d > 0) {
			return i + 1
		}
		row[i] = T(math.Sqrt(float64(d)))
		inverse[i] = 1 / row[i]
	}
	return 0
}
