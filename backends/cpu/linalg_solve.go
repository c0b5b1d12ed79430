package cpu

import (
	"fmt"
	"math"

	"gotorch/internal/gemm"
	"gotorch/internal/lapack"
	"gotorch/tensor"
)

func init() {
	for _, name := range []string{"linalg.det", "det"} {
		linalgNarrow(name, detKernel[float32], detKernel[float64], detKernel[complex128])
	}
	for _, name := range []string{"linalg.slogdet", "slogdet"} {
		linalgNarrow(name, slogdetKernel[float32], slogdetKernel[float64], slogdetKernel[complex128])
	}
	for _, name := range []string{"linalg.inv", "inverse", "linalg.inv_ex"} {
		linalgNarrow(name, invKernel[float32], invKernel[float64], invKernel[complex128])
	}
	for _, name := range []string{"linalg.solve", "linalg.solve_ex"} {
		linalgNarrow(name, solveKernel[float32], solveKernel[float64], solveKernel[complex128])
	}
	linalg("_adjugate", adjugateKernel[float64], adjugateKernel[complex128])
	linalgNarrow("linalg.solve_triangular",
		solveTriangularKernel[float32], solveTriangularKernel[float64], solveTriangularKernel[complex128])
}

// cube is about the work of a factorization.
func cube(n int) int { return n*n*n/3 + 1 }

// triangles factors a copy of each square matrix of argument 0 and calls f with the factors, their pivots, and the
// number of the first zero on the diagonal. f must not keep them.
func triangles[T factorElement](c *tensor.Call, f func(i int, lu []T, pivots []int, zero int)) {
	a := matricesOf[T](c, 0)
	defer a.release()
	n := a.rows
	eachMatrix(c, a.count, cube(n), func(i int) {
		s := linalgScratches.Get().(*linalgScratch)
		lu, pivots := copyIn(s, a.at(i)), gemm.Room(&s.pivots, n)
		f(i, lu, pivots, lapack.LU(lu, n, n, pivots))
		linalgScratches.Put(s)
	})
}

// signOf is the determinant of the permutation.
func signOf(pivots []int) float64 {
	sign := 1.0
	for i, p := range pivots {
		if p != i {
			sign = -sign
		}
	}
	return sign
}

// detKernel multiplies the diagonal of U.
func detKernel[T factorElement](c *tensor.Call) {
	out, flush := results[T](c, 0)
	n := c.Tensor(0).Size(-1)
	triangles(c, func(i int, lu []T, pivots []int, _ int) {
		out[i] = diagonalProduct(lu, n, signOf(pivots))
	})
	flush()
}

// diagonalProduct is f times the diagonal, of float32 without overflow in between.
func diagonalProduct[T factorElement](lu []T, n int, f float64) T {
	if lu, ok := any(lu).([]float32); ok {
		for j := range n {
			f *= float64(lu[j*n+j])
		}
		return lapack.FromReal[T](f)
	}
	d := lapack.FromReal[T](f)
	for j := range n {
		d *= lu[j*n+j]
	}
	return d
}

func slogdetKernel[T factorElement](c *tensor.Call) {
	sign, flushSign := results[T](c, 0)
	log, flushLog := results[float64](c, 1)
	n := c.Tensor(0).Size(-1)
	triangles(c, func(i int, lu []T, pivots []int, _ int) {
		s, l := lapack.FromReal[T](signOf(pivots)), 0.0
		for j := range n {
			d := lu[j*n+j]
			size := lapack.Abs(d)
			l += math.Log(size)
			if size == 0 {
				s = 0
			} else {
				s *= d / lapack.FromReal[T](size)
			}
		}
		sign[i], log[i] = s, l
	})
	flushSign()
	flushLog()
}

// singular is what went wrong with an inverse.
func singularText(what string) func(info int) string {
	return func(info int) string {
		return fmt.Sprintf("the diagonal element %d is zero, %s could not be completed because the input matrix is "+
			"singular", info, what)
	}
}

func invKernel[T factorElement](c *tensor.Call) {
	out, flush := results[T](c, 0)
	f := failures{info: infoOf(c)}
	n := c.Tensor(0).Size(-1)
	triangles(c, func(i int, lu []T, pivots []int, zero int) {
		f.set(i, zero)
		x := out[i*n*n : (i+1)*n*n]
		lapack.Identity(x, n, n)
		if zero == 0 || !checks(c) {
			lapack.SolveLU(lu, n, pivots, lapack.NoTrans, x, n)
		}
	})
	f.raise(c, c.Tensor(0), singularText("the inversion"))
	flush()
}

// adjugateKernel takes the inverse times the determinant. Where the last pivot is zero, or only rounding, the two
// cancel, so that it may be any small number: that is right for a matrix whose rank is one less than its size, and for
// one of lower rank the adjugate, zero, comes out as small as rounding.
func adjugateKernel[T factorElement](c *tensor.Call) {
	out, flush := results[T](c, 0)
	n := c.Tensor(0).Size(-1)
	triangles(c, func(i int, lu []T, pivots []int, _ int) {
		most := 0.0
		for j := range n {
			most = max(most, lapack.Abs(lu[j*n+j]))
		}
		if most == 0 {
			most = 1
		}
		d := lapack.FromReal[T](signOf(pivots))
		for j := range n {
			if lapack.Abs(lu[j*n+j]) == 0 {
				lu[j*n+j] = lapack.FromReal[T](most * 0x1p-52)
			}
			d *= lu[j*n+j]
		}
		x := out[i*n*n : (i+1)*n*n]
		lapack.Identity(x, n, n)
		lapack.SolveLU(lu, n, pivots, lapack.NoTrans, x, n)
		for k := range x {
			x[k] *= d
		}
	})
	flush()
}

// solveKernel factors each A once, however many B there are for it.
func solveKernel[T factorElement](c *tensor.Call) {
	a, b, left := c.Tensor(0), c.Tensor(1), c.Bool(2)
	vector := tensor.VectorRightSide(a, b)
	y := c.Ret(0)
	shape, batchB := y.Sizes(), b.Sizes()
	rows, cols := 0, 1
	if vector {
		rows, shape, batchB = shape[len(shape)-1], shape[:len(shape)-1], batchB[:len(batchB)-1]
	} else {
		d := len(shape)
		rows, cols, shape, batchB = shape[d-2], shape[d-1], shape[:d-2], batchB[:len(batchB)-2]
	}
	n, count := a.Size(-1), 1
	for _, s := range batchShape(a) {
		count *= s
	}
	tensor.MustFit(c.Name(), float64(count)*float64(n)*float64(n)*float64(a.Dtype().Size()))
	factors, pivots := make([]T, count*n*n), make([]int, count*n)
	f := failures{info: infoOf(c)}
	triangles(c, func(i int, lu []T, p []int, zero int) {
		copy(factors[i*n*n:], lu)
		copy(pivots[i*n:], p)
		f.set(i, zero)
	})
	f.raise(c, a, func(int) string { return "the solver failed because the input matrix is singular" })
	out, flush := results[T](c, 0)
	elems := contiguous(c.Name(), b, tensor.DtypeOf[T]())
	right := batch[T]{elems: tensor.Elems[T](elems), rows: rows, cols: cols, keep: elems}
	defer right.release()
	fromA, fromB := broadcast(batchShape(a), shape), broadcast(batchB, shape)
	eachMatrix(c, len(fromA), rows*cols*n, func(i int) {
		k := fromA[i]
		solveOne(out[i*rows*cols:(i+1)*rows*cols], right.at(fromB[i]), rows, cols, left, func(x []T, nrhs int, trans bool) {
			t := lapack.NoTrans
			if trans {
				t = lapack.Transpose
			}
			lapack.SolveLU(factors[k*n*n:(k+1)*n*n], n, pivots[k*n:(k+1)*n], t, x, nrhs)
		})
	})
	flush()
}

// solveOne writes the solution for the right side b into x; solve overwrites a matrix of right sides, of the system
// itself or of its transpose. X A = B is solved as the transpose of Aᵀ Xᵀ = Bᵀ.
func solveOne[T factorElement](x, b []T, rows, cols int, left bool, solve func(x []T, nrhs int, trans bool)) {
	if left {
		copy(x, b)
		solve(x, cols, false)
		return
	}
	transposed := make([]T, rows*cols)
	lapack.TransposeInto(transposed, b, rows, cols, false)
	solve(transposed, rows, true)
	lapack.TransposeInto(x, transposed, cols, rows, false)
}

func solveTriangularKernel[T factorElement](c *tensor.Call) {
	upper, left, unit := c.Bool(2), c.Bool(3), c.Bool(4)
	a, b := matricesOf[T](c, 0), matricesOf[T](c, 1)
	defer a.release()
	defer b.release()
	out, flush := results[T](c, 0)
	fromA, fromB := operands(c, 0, 1)
	n, size := a.rows, b.rows*b.cols
	eachMatrix(c, len(fromA), size*n/2, func(i int) {
		m := a.at(fromA[i])
		solveOne(out[i*size:(i+1)*size], b.at(fromB[i]), b.rows, b.cols, left, func(x []T, nrhs int, trans bool) {
			t := lapack.NoTrans
			if trans {
				t = lapack.Transpose
			}
			lapack.SolveTriangular(m, n, upper, t, unit, x, nrhs)
		})
	})
	flush()
}
