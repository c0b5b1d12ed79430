package cpu

import (
	"sync/atomic"

	"gotorch/internal/lapack"
	"gotorch/tensor"
)

func init() { linalg("linalg.lstsq", lstsqKernel[float64], lstsqKernel[complex128]) }

// lstsqKernel solves by QR where full rank is promised (gels), and by singular values else: of those that are not
// above rcond times the greatest the solution has no part, so that it is the least one.
func lstsqKernel[T matrixElement](c *tensor.Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	driver := c.Str(3)
	if driver == "" {
		driver = "gelsy"
	}
	a := matricesOf[T](c, 0)
	defer a.release()
	right := y
	if tensor.LstsqVector(x, y) {
		right = y.View(append(y.Shape(), 1)...)
	}
	b := matricesIn[T](c, right)
	defer b.release()
	m, n, k, nrhs := a.rows, a.cols, min(a.rows, a.cols), b.cols
	out, flush := results[T](c, 0)
	res, flushRes := results[float64](c, 1)
	sing, flushSing := results[float64](c, 3)
	ranks := tensor.Elems[int64](c.Ret(2))
	count := 1
	shape := c.Ret(0).Sizes()
	shape = shape[:len(shape)-1]
	if !tensor.LstsqVector(x, y) {
		shape = shape[:len(shape)-1]
	}
	for _, s := range shape {
		count *= s
	}
	rcond := float64(max(m, n)) * 0x1p-52
	if x.Dtype().ToReal() == tensor.Float32 {
		rcond = float64(max(m, n)) * 0x1p-23
	}
	if !c.IsNone(2) {
		rcond = c.Float(2)
	}
	fromA, fromB := broadcast(batchShape(x), shape), broadcast(batchShape(right), shape)
	var f failures
	var deficient atomic.Bool
	eachMatrix(c, count, 10*m*n*k, func(i int) {
		ai, bi := a.at(fromA[i]), b.at(fromB[i])
		sol := out[i*n*nrhs : (i+1)*n*nrhs]
		zero, condition := 0, 0.0
		if driver == "gels" || driver == "gelsy" {
			zero, condition = fullRank(sol, ai, bi, m, n, nrhs)
		}
		switch {
		case driver == "gels":
			f.set(i, zero)
		case driver == "gelsy" && zero == 0 && float64(k)*condition*rcond < 1: // no singular value counts as zero
			ranks[i] = int64(k)
		default:
			s := make([]float64, k)
			rank, ok := leastSquares(sol, ai, bi, m, n, nrhs, rcond, s)
			switch {
			case !lapack.Finite(ai):
				f.set(i, notFinite)
			case !ok:
				f.set(i, notConverged)
			}
			ranks[i] = int64(rank)
			if rank < n {
				deficient.Store(true)
			}
			if len(sing) > 0 {
				copy(sing[i*k:], s)
			}
		}
		if len(res) > 0 {
			residuals(res[i*nrhs:(i+1)*nrhs], sol, ai, bi, m, n, nrhs)
		}
	})
	f.raise(c, x, func(info int) string {
		if driver != "gels" {
			return noSpectrum(info)
		}
		return "the least squares solution could not be computed because the input matrix does not have full rank"
	})
	flush()
	flushRes()
	flushSing()
	if deficient.Load() && len(res) > 0 { // there are residuals of full rank alone
		c.Return(c.Ret(0), tensor.Alloc(c.Name(), []int{0}, c.Ret(1).Dtype(), tensor.CPU), c.Ret(2), c.Ret(3))
	}
}

// fullRank solves by QR of a high matrix, or finds the least solution by that of the adjoint of a wide one. It returns
// the number of the first zero on the diagonal of R, or 0, and the condition number of R in the 1-norm, from which
// that of singular values differs by a factor of at most k.
func fullRank[T matrixElement](x, a, b []T, m, n, nrhs int) (zero int, condition float64) {
	k := min(m, n)
	all := make([]T, m*n+k+2*k*k+max(m, n)*nrhs)
	part := func(n int) (p []T) { p, all = all[:n:n], all[n:]; return p }
	f, tau, r, inverse, y := part(m*n), part(k), part(k*k), part(k*k), part(max(m, n)*nrhs)
	rows, cols := m, n
	if m >= n {
		copy(f, a)
	} else {
		rows, cols = n, m
		lapack.TransposeInto(f, a, m, n, true)
	}
	lapack.QR(f, rows, cols, tau)
	for i := range k {
		copy(r[i*k+i:(i+1)*k], f[i*cols+i:i*cols+k])
		if lapack.Abs(r[i*k+i]) == 0 {
			return i + 1, 0
		}
	}
	copy(y, b)
	if m >= n {
		lapack.MulQ(true, lapack.ConjTrans, y, m, nrhs, f, cols, k, tau)
		lapack.SolveTriangular(r, k, true, lapack.NoTrans, false, y[:k*nrhs], nrhs)
	} else {
		lapack.SolveTriangular(r, k, true, lapack.ConjTrans, false, y[:k*nrhs], nrhs)
		lapack.MulQ(true, lapack.NoTrans, y, n, nrhs, f, cols, k, tau)
	}
	copy(x, y)
	lapack.Identity(inverse, k, k)
	lapack.SolveTriangular(r, k, true, lapack.NoTrans, false, inverse, k)
	return 0, columnNorm(r, k) * columnNorm(inverse, k)
}

// columnNorm is the 1-norm of a matrix of k rows and columns.
func columnNorm[T matrixElement](a []T, k int) float64 {
	sums, most := make([]float64, k), 0.0
	for i, x := range a {
		sums[i%k] += lapack.Abs(x)
	}
	for _, s := range sums {
		most = max(most, s)
	}
	return most
}

// leastSquares is V S⁺ Uᴴ b; it gives the rank, and in s the singular values.
func leastSquares[T matrixElement](x, a, b []T, m, n, nrhs int, rcond float64, s []float64) (rank int, ok bool) {
	k := min(m, n)
	if !lapack.Finite(a) {
		return 0, false
	}
	u, vh := make([]T, m*k), make([]T, k*n)
	if !lapack.SVD(append([]T(nil), a...), m, n, false, s, u, vh) {
		return 0, false
	}
	y := make([]T, k*nrhs)
	lapack.Mul(y, lapack.ConjTrans, lapack.NoTrans, k, nrhs, m, u, b)
	for i := range k {
		if s[i] > rcond*s[0] {
			rank++
		}
		for j := range nrhs {
			if s[i] > rcond*s[0] {
				y[i*nrhs+j] /= lapack.FromReal[T](s[i])
			} else {
				y[i*nrhs+j] = 0
			}
		}
	}
	lapack.Mul(x, lapack.ConjTrans, lapack.NoTrans, n, nrhs, k, vh, y)
	return rank, true
}

// residuals are the sums of |a x - b|² over the rows.
func residuals[T matrixElement](out []float64, x, a, b []T, m, n, nrhs int) {
	y := make([]T, m*nrhs)
	lapack.Mul(y, lapack.NoTrans, lapack.NoTrans, m, nrhs, n, a, x)
	clear(out)
	for i := range m {
		for j := range nrhs {
			d := lapack.Abs(y[i*nrhs+j] - b[i*nrhs+j])
			out[j] += d * d
		}
	}
}
