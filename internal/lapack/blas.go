package lapack

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"gotorch/internal/gemm"
	"gotorch/tensor"
)

// Note: gonum's LAPACK takes its operations on vectors and matrices from a BLAS, which may be another than gonum's.
// The one here computes what takes most of the time with package gemm, and leaves the rest, and what is small, to
// gonum's own.

func init() { blas64.Use(vectorBLAS{}) }

// vectorBLAS is a BLAS of float64.
type vectorBLAS struct{ gonum.Implementation }

const (
	smallVector  = 256     // elements of a matrix up to which gonum's loops are as fast
	sharedVector = 1 << 18 // elements from which a product by a vector is shared out
	triangle     = 256     // rows up to which a triangular matrix is multiplied as a full one
	symBlock     = 32      // rows of a symmetric matrix at a time
)

// operand is a matrix in the form that t says.
func operand(t blas.Transpose, a []float64, lda int) gemm.Matrix[float64] {
	if t == blas.NoTrans {
		return rowMajor(a, lda)
	}
	return rowMajor(a, lda).T()
}

// Dgemm is c = alpha * op(a) op(b) + beta * c.
func (v vectorBLAS) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int,
	b []float64, ldb int, beta float64, c []float64, ldc int) {
	if m == 0 || n == 0 {
		return
	}
	tensor.Interrupted(op)
	gemm.Mul(op, m, n, k, alpha, operand(ta, a, lda), operand(tb, b, ldb), beta, rowMajor(c, ldc))
}

// Dgemv is y = alpha * op(a) x + beta * y.
func (v vectorBLAS) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	switch {
	case m*n <= smallVector || incX < 0 || incY < 0:
		v.Implementation.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	case m*n >= sharedVector:
		if t != blas.NoTrans {
			m, n = n, m
		}
		gemm.Mul(op, m, 1, n, alpha, operand(t, a, lda), rowMajor(x, incX), beta, rowMajor(y, incY))
		return
	}
	tensor.Interrupted(op)
	w, pool := gemm.Take[float64]()
	if t == blas.NoTrans {
		xs := gathered(&w.A, x, incX, n)
		sums := gemm.Room(&w.B, m+8)[:m]
		clear(sums)
		w.AddDots(sums, a, lda, xs)
		put(y, incY, sums, alpha, beta)
	} else {
		sums := gemm.Room(&w.B, n+8)[:n]
		clear(sums)
		w.AddRows(sums, a, lda, x, incX, m)
		put(y, incY, sums, alpha, beta)
	}
	pool.Put(w)
}

// gathered is n elements of x, one after the other.
func gathered(buf *[]float64, x []float64, inc, n int) []float64 {
	if inc == 1 {
		return x[:n]
	}
	xs := gemm.Room(buf, n)
	for i := range xs {
		xs[i] = x[i*inc]
	}
	return xs
}

// put is y = alpha * sums + beta * y.
func put(y []float64, inc int, sums []float64, alpha, beta float64) {
	for i, s := range sums {
		if beta == 0 {
			y[i*inc] = alpha * s
		} else {
			y[i*inc] = alpha*s + beta*y[i*inc]
		}
	}
}

// Dger is a += alpha * x yᵀ.
func (v vectorBLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if n < 32 || incX < 0 || incY != 1 {
		v.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	tensor.Interrupted(op)
	w, pool := gemm.Take[float64]()
	ks := gemm.Kernels[float64]()
	for i := range m {
		w.Sums[0] = alpha * x[i*incX]
		ks.AddRows(a[i*lda:][:n], y, n, w.Sums[:1])
	}
	pool.Put(w)
}

// Dsymv is y = alpha * a x + beta * y for a symmetric matrix of which one triangle is read.
func (v vectorBLAS) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if n*n <= 4*smallVector || incX < 0 || incY < 0 {
		v.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	tensor.Interrupted(op)
	w, pool := gemm.Take[float64]()
	defer pool.Put(w)
	xs := gathered(&w.A, x, incX, n)
	buf := gemm.Room(&w.B, symBlock*symBlock+n)
	ys, full := buf[:n], buf[n:]
	clear(ys)
	for lo := 0; lo < n; lo += symBlock {
		hi := min(n, lo+symBlock)
		rows := hi - lo
		d := a[lo*lda+lo:]
		for i := range rows {
			if ul == blas.Lower {
				row := full[i*symBlock:][:i+1]
				copy(row, d[i*lda:])
				for j, e := range row {
					full[j*symBlock+i] = e
				}
				continue
			}
			row := full[i*symBlock+i:][:rows-i]
			copy(row, d[i*lda+i:])
			for j, e := range row {
				full[(i+j)*symBlock+i] = e
			}
		}
		w.AddDots(ys[lo:hi], full, symBlock, xs[lo:hi])
		if ul == blas.Lower && lo > 0 {
			block := a[lo*lda:]
			w.AddDots(ys[lo:hi], block, lda, xs[:lo])
			w.AddRows(ys[:lo], block, lda, xs[lo:], 1, rows)
		}
		if ul == blas.Upper && hi < n {
			block := a[lo*lda+hi:]
			w.AddDots(ys[lo:hi], block, lda, xs[hi:])
			w.AddRows(ys[hi:], block, lda, xs[lo:], 1, rows)
		}
	}
	put(y, incY, ys, alpha, beta)
}

// Dsyr2k is c = alpha * (a bᵀ + b aᵀ) + beta * c, or the same of their transposes, in one triangle.
func (v vectorBLAS) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	x, y := operand(t, a, lda), operand(t, b, ldb)
	v.triangleOf(ul, n, beta, c, ldc, func(i, rows, j, cols int, beta float64, c gemm.Matrix[float64]) {
		gemm.Mul(op, rows, cols, k, alpha, x.From(i, 0), y.From(j, 0).T(), beta, c)
		gemm.Mul(op, rows, cols, k, alpha, y.From(i, 0), x.From(j, 0).T(), 1, c)
	})
}

// Dsyrk is c = alpha * a aᵀ + beta * c, or of its transpose, in one triangle.
func (v vectorBLAS) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	x := operand(t, a, lda)
	v.triangleOf(ul, n, beta, c, ldc, func(i, rows, j, cols int, beta float64, c gemm.Matrix[float64]) {
		gemm.Mul(op, rows, cols, k, alpha, x.From(i, 0), x.From(j, 0).T(), beta, c)
	})
}

// triangleOf updates a triangle of c by blocks of rows. The blocks on its diagonal are computed apart, as only half of
// them is written.
func (v vectorBLAS) triangleOf(ul blas.Uplo, n int, beta float64, c []float64, ldc int,
	update func(i, rows, j, cols int, beta float64, c gemm.Matrix[float64])) {
	const block = 64
	var d [block * block]float64
	m := rowMajor(c, ldc)
	for lo := 0; lo < n; lo += block {
		rows := min(n, lo+block) - lo
		update(lo, rows, lo, rows, 0, rowMajor(d[:], rows))
		for i := range rows {
			from, to := 0, i+1
			if ul == blas.Upper {
				from, to = i, rows
			}
			row := c[(lo+i)*ldc+lo:][:rows]
			for j := from; j < to; j++ {
				if beta == 0 {
					row[j] = d[i*rows+j]
				} else {
					row[j] = beta*row[j] + d[i*rows+j]
				}
			}
		}
		if ul == blas.Lower && lo > 0 {
			update(lo, rows, 0, lo, beta, m.From(lo, 0))
		}
		if hi := lo + rows; ul == blas.Upper && hi < n {
			update(lo, rows, hi, n-hi, beta, m.From(lo, hi))
		}
	}
}

// Dtrmm is b = alpha * op(a) b, or alpha * b op(a), for a triangle a.
func (v vectorBLAS) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	k := m
	if s == blas.Right {
		k = n
	}
	if k > triangle || m*n <= smallVector || alpha == 0 {
		v.Implementation.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	scratch, pool := gemm.Take[float64]()
	defer pool.Put(scratch)
	buf := gemm.Room(&scratch.A, k*k+m*n)
	full, was := buf[:k*k], buf[k*k:]
	clear(full)
	for i := range k {
		if ul == blas.Upper {
			copy(full[i*k+i:(i+1)*k], a[i*lda+i:])
		} else {
			copy(full[i*k:i*k+i+1], a[i*lda:])
		}
		if d == blas.Unit {
			full[i*k+i] = 1
		}
	}
	for i := range m {
		copy(was[i*n:(i+1)*n], b[i*ldb:])
	}
	if s == blas.Left {
		gemm.Mul(op, m, n, k, alpha, operand(t, full, k), rowMajor(was, n), 0, rowMajor(b, ldb))
	} else {
		gemm.Mul(op, m, n, k, alpha, rowMajor(was, n), operand(t, full, k), 0, rowMajor(b, ldb))
	}
}

// Dtrsm solves op(a) x = alpha * b, or x op(a) = alpha * b, for a triangle a, and writes x over b.
func (v vectorBLAS) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	if s != blas.Left || alpha != 1 || m*n <= smallVector {
		v.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	upper := (ul == blas.Upper) == (t == blas.NoTrans)
	solver, pool := takeSolver[float64]()
	solver.solve(operand(t, a, lda), m, upper, d == blas.Unit, rowMajor(b, ldb), n)
	pool.Put(solver)
}
