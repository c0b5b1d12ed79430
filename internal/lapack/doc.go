// Package lapack has the dense factorizations that linear algebra on tensors is made of: LU, Cholesky, QR, LDL,
// singular values, eigenvalues and the exponential, of real and of complex matrices.
//
// A matrix is a slice of its elements row by row, without gaps. Real matrices are factored here by blocks,
// whose products are those of package gemm (triangular.go, reflect_real.go), by dividing and conquering
// (conquer.go) and by rotations in strips (turns.go), with what is left done by gonum's LAPACK over the vector and
// matrix operations of blas.go.
// Complex matrices, which gonum has no LAPACK for, are factored here after Golub and Van Loan, Matrix
// Computations (4th edition), and the descriptions of the LAPACK routines, with LAPACK's conventions for signs,
// phases and packed forms; each function names the routine that it corresponds to. Functions overwrite the
// matrices that they are given where they say so, and work on one matrix: callers run over batches.
package lapack

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/cblas128"
	"gonum.org/v1/gonum/lapack/gonum"

	"gotorch/internal/gemm"
)

// Field is the numbers that matrices of all factorizations are made of.
type Field interface{ float64 | complex128 }

// Number adds those for which there are LU, Cholesky and the exponential.
type Number interface{ float32 | Field }

// Trans says which form of a matrix is meant.
type Trans byte

// The forms: the matrix, its transpose, its conjugate transpose.
const (
	NoTrans   = Trans(blas.NoTrans)
	Transpose = Trans(blas.Trans)
	ConjTrans = Trans(blas.ConjTrans)
)

var impl gonum.Implementation

// work calls f, which asks for workspace as LAPACK does: first with lwork -1, for the length to be written into
// work[0].
func work(f func(work []float64, lwork int)) {
	w, pool := gemm.Take[float64]()
	defer pool.Put(w)
	size := gemm.Room(&w.A, 1)
	f(size, -1)
	n := max(1, int(size[0]))
	f(gemm.Room(&w.A, n), n)
}

// Abs is the absolute value.
func Abs[T Number](x T) float64 {
	switch x := any(x).(type) {
	case float32:
		return math.Abs(float64(x))
	case float64:
		return math.Abs(x)
	case complex128:
		return cmplx.Abs(x)
	}
	panic("unreachable")
}

// abs1 is |re| + |im|, by which LAPACK compares complex numbers.
func abs1[T Number](x T) float64 {
	switch x := any(x).(type) {
	case float32:
		return math.Abs(float64(x))
	case float64:
		return math.Abs(x)
	case complex128:
		return math.Abs(real(x)) + math.Abs(imag(x))
	}
	panic("unreachable")
}

// Conj is the complex conjugate, of a real number itself.
func Conj[T Number](x T) T {
	if z, ok := any(x).(complex128); ok {
		return any(cmplx.Conj(z)).(T)
	}
	return x
}

// Real is the real part.
func Real[T Number](x T) float64 {
	switch x := any(x).(type) {
	case float32:
		return float64(x)
	case float64:
		return x
	case complex128:
		return real(x)
	}
	panic("unreachable")
}

// FromReal is x as a T.
func FromReal[T Number](x float64) (y T) {
	switch y := any(&y).(type) {
	case *float32:
		*y = float32(x)
	case *float64:
		*y = x
	case *complex128:
		*y = complex(x, 0)
	}
	return y
}

// Finite reports whether no element is infinite or NaN.
func Finite[T Number](a []T) bool {
	for _, x := range a {
		if r := abs1(x); math.IsNaN(r) || math.IsInf(r, 0) {
			return false
		}
	}
	return true
}

// Identity writes the identity into the m by n matrix a.
func Identity[T Number](a []T, m, n int) {
	clear(a[:m*n])
	for i := range min(m, n) {
		a[i*n+i] = 1
	}
}

// TransposeInto writes the transpose of the m by n matrix a into b, conjugated if conj is set.
func TransposeInto[T Number](b, a []T, m, n int, conj bool) {
	for i := range m {
		for j := range n {
			x := a[i*n+j]
			if conj {
				x = Conj(x)
			}
			b[j*m+i] = x
		}
	}
}

// Mul writes a @ b into c, of m by k and k by n matrices in the forms that ta and tb say.
func Mul[T Number](c []T, ta, tb Trans, m, n, k int, a, b []T) {
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		clear(c[:m*n])
		return
	}
	switch c := any(c).(type) {
	case []float32:
		mulReal(c, ta, tb, m, n, k, any(a).([]float32), any(b).([]float32))
	case []float64:
		mulReal(c, ta, tb, m, n, k, any(a).([]float64), any(b).([]float64))
	case []complex128:
		la, lb := k, n
		if ta != NoTrans {
			la = m
		}
		if tb != NoTrans {
			lb = k
		}
		cblas128.Implementation().Zgemm(blas.Transpose(ta), blas.Transpose(tb), m, n, k, 1, any(a).([]complex128), la,
			any(b).([]complex128), lb, 0, c, n)
	}
}

func mulReal[T floats](c []T, ta, tb Trans, m, n, k int, a, b []T) {
	x, y := rowMajor(a, k), rowMajor(b, n)
	if ta != NoTrans {
		x = rowMajor(a, m).T()
	}
	if tb != NoTrans {
		y = rowMajor(b, k).T()
	}
	gemm.Call[T]{Op: op, M: m, N: n, K: k, Alpha: 1, A: x, B: y, C: rowMajor(c, n)}.Run()
}

// uplo is BLAS's name of a triangle.
func uplo(upper bool) blas.Uplo {
	if upper {
		return blas.Upper
	}
	return blas.Lower
}
