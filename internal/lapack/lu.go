package lapack

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/cblas128"
)

// luBlock is the number of columns that are factored before the rest of a complex matrix is brought up to date.
const luBlock = 32

// LU factors the m by n matrix a into P L U in place, with row interchanges: L has ones on its diagonal and stands
// below it, U above (xGETRF). Row i was exchanged with row pivots[i], in turn, for i below min(m, n). It returns the
// number, counted from 1, of the first diagonal element of U that is zero, or 0.
func LU[T Number](a []T, m, n int, pivots []int) (zero int) {
	k := min(m, n)
	if k == 0 {
		return 0
	}
	switch a := any(a).(type) {
	case []float32:
		luReal(a, m, n, pivots[:k])
	case []float64:
		luReal(a, m, n, pivots[:k])
	case []complex128:
		luComplex(a, m, n, pivots)
	}
	for i := range k {
		if a[i*n+i] == 0 {
			return i + 1
		}
	}
	return 0
}

// luComplex is right-looking elimination by blocks of columns (Golub and Van Loan, 3.4 and 3.2.11).
func luComplex(a []complex128, m, n int, pivots []int) {
	bl := cblas128.Implementation()
	k := min(m, n)
	for j0 := 0; j0 < k; j0 += luBlock {
		j1 := min(j0+luBlock, k)
		for j := j0; j < j1; j++ {
			p, most := j, -1.0
			for i := j; i < m; i++ {
				if v := abs1(a[i*n+j]); v > most {
					p, most = i, v
				}
			}
			pivots[j] = p
			if p != j {
				swapRows(a, n, j, p)
			}
			d := a[j*n+j]
			if d == 0 {
				continue
			}
			d = 1 / d
			for i := j + 1; i < m; i++ {
				f := a[i*n+j] * d
				a[i*n+j] = f
				if f != 0 {
					bl.Zaxpy(j1-j-1, -f, a[j*n+j+1:], 1, a[i*n+j+1:], 1)
				}
			}
		}
		if j1 == n {
			break
		}
		bl.Ztrsm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, j1-j0, n-j1, 1, a[j0*n+j0:], n, a[j0*n+j1:], n)
		if j1 < m {
			bl.Zgemm(blas.NoTrans, blas.NoTrans, m-j1, n-j1, j1-j0, -1, a[j1*n+j0:], n, a[j0*n+j1:], n, 1, a[j1*n+j1:], n)
		}
	}
}

func swapRows[T any](a []T, n, i, j int) {
	x, y := a[i*n:i*n+n], a[j*n:j*n+n]
	for k := range x {
		x[k], y[k] = y[k], x[k]
	}
}

// PermuteRows exchanges the rows of the matrix b, of n columns, as pivots say; backward, in the opposite order.
func PermuteRows[T any](b []T, n int, pivots []int, backward bool) {
	for i := range pivots {
		if backward {
			i = len(pivots) - 1 - i
		}
		if p := pivots[i]; p != i {
			swapRows(b, n, i, p)
		}
	}
}

// SolveLU solves op(A) X = B for an n by n matrix that LU factored, and writes X over the n by nrhs matrix b (xGETRS).
func SolveLU[T Number](lu []T, n int, pivots []int, trans Trans, b []T, nrhs int) {
	if trans == NoTrans {
		PermuteRows(b, nrhs, pivots, false)
		SolveTriangular(lu, n, false, NoTrans, true, b, nrhs)
		SolveTriangular(lu, n, true, NoTrans, false, b, nrhs)
		return
	}
	SolveTriangular(lu, n, true, trans, false, b, nrhs)
	SolveTriangular(lu, n, false, trans, true, b, nrhs)
	PermuteRows(b, nrhs, pivots, true)
}
