package cpu

import (
	"fmt"

	"gotorch/internal/gemm"
	"gotorch/internal/lapack"
	"gotorch/tensor"
)

func init() {
	for _, name := range []string{"linalg.lu_factor", "linalg.lu_factor_ex", "lu"} {
		linalgNarrow(name, luKernel[float32], luKernel[float64], luKernel[complex128])
	}
	for _, name := range []string{"linalg.cholesky", "cholesky", "linalg.cholesky_ex"} {
		linalgNarrow(name, choleskyKernel[float32], choleskyKernel[float64], choleskyKernel[complex128])
	}
	linalgNarrow("linalg.lu_solve", luSolveKernel[float32], luSolveKernel[float64], luSolveKernel[complex128])
	linalgNarrow("lu_unpack", luUnpackKernel[float32], luUnpackKernel[float64], luUnpackKernel[complex128])
	linalgNarrow("cholesky_solve",
		choleskySolveKernel[float32], choleskySolveKernel[float64], choleskySolveKernel[complex128])
	linalgNarrow("cholesky_inverse",
		choleskyInverseKernel[float32], choleskyInverseKernel[float64], choleskyInverseKernel[complex128])
}

func luKernel[T factorElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	out, flush := results[T](c, 0)
	pivots := tensor.Elems[int32](c.Ret(1))
	m, n, k := a.rows, a.cols, min(a.rows, a.cols)
	f := failures{info: infoOf(c)}
	eachMatrix(c, a.count, m*n*k/2, func(i int) {
		s := linalgScratches.Get().(*linalgScratch)
		defer linalgScratches.Put(s)
		lu, p := out[i*m*n:(i+1)*m*n], gemm.Room(&s.pivots, k)
		copy(lu, a.at(i))
		f.set(i, lapack.LU(lu, m, n, p))
		for j, row := range p {
			pivots[i*k+j] = int32(row + 1)
		}
	})
	f.raise(c, c.Tensor(0), func(info int) string {
		return fmt.Sprintf("U[%d,%d] is zero and using it on lu_solve would result in a division by zero; LinalgLu and "+
			"LinalgLuFactorEx factor such a matrix", info, info)
	})
	flush()
}

func luSolveKernel[T factorElement](c *tensor.Call) {
	left, adjoint := c.Bool(3), c.Bool(4)
	a, b := matricesOf[T](c, 0), matricesOf[T](c, 2)
	defer a.release()
	defer b.release()
	piv := contiguous(c.Name(), c.Tensor(1), tensor.Int32)
	pivots := tensor.Elems[int32](piv)
	out, flush := results[T](c, 0)
	fromA, fromB := operands(c, 0, 2)
	n, size := a.rows, b.rows*b.cols
	eachMatrix(c, len(fromA), size*n, func(i int) {
		k := fromA[i]
		p := pivotsOf(pivots, k, n, n, c.Name())
		if left {
			x, t := out[i*size:(i+1)*size], lapack.NoTrans
			if adjoint {
				t = lapack.ConjTrans
			}
			copy(x, b.at(fromB[i]))
			lapack.SolveLU(a.at(k), n, p, t, x, b.cols)
			return
		}
		// X A = B is Aᴴ Xᴴ = Bᴴ, and X Aᴴ = B is A Xᴴ = Bᴴ.
		t := lapack.ConjTrans
		if adjoint {
			t = lapack.NoTrans
		}
		transposed := make([]T, size)
		lapack.TransposeInto(transposed, b.at(fromB[i]), b.rows, b.cols, true)
		lapack.SolveLU(a.at(k), n, p, t, transposed, b.rows)
		lapack.TransposeInto(out[i*size:(i+1)*size], transposed, b.cols, b.rows, true)
	})
	flush()
}

// luUnpackKernel writes P, L and U, or those of them that are asked for.
func luUnpackKernel[T factorElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	m, n, k := a.rows, a.cols, min(a.rows, a.cols)
	p, flushP := results[T](c, 0)
	l, flushL := results[T](c, 1)
	u, flushU := results[T](c, 2)
	if c.Bool(3) {
		piv := contiguous(c.Name(), c.Tensor(1), tensor.Int32)
		pivots := tensor.Elems[int32](piv)
		eachMatrix(c, a.count, m*m, func(i int) {
			x := p[i*m*m : (i+1)*m*m]
			lapack.Identity(x, m, m)
			lapack.PermuteRows(x, m, pivotsOf(pivots, i, k, m, c.Name()), true)
		})
	}
	if c.Bool(2) {
		eachMatrix(c, a.count, m*n, func(i int) {
			lu, low, up := a.at(i), l[i*m*k:(i+1)*m*k], u[i*k*n:(i+1)*k*n]
			lapack.Identity(low, m, k)
			clear(up)
			for r := range m {
				copy(low[r*k:r*k+min(r, k)], lu[r*n:])
				if r < k {
					copy(up[r*n+r:r*n+n], lu[r*n+r:])
				}
			}
		})
	}
	flushP()
	flushL()
	flushU()
}

func choleskyKernel[T factorElement](c *tensor.Call) {
	a, upper := matricesOf[T](c, 0), c.Bool(1)
	defer a.release()
	out, flush := results[T](c, 0)
	n := a.rows
	f := failures{info: infoOf(c)}
	eachMatrix(c, a.count, cube(n)/2, func(i int) {
		l := out[i*n*n : (i+1)*n*n]
		copy(l, a.at(i))
		f.set(i, lapack.Cholesky(l, n, upper))
	})
	f.raise(c, c.Tensor(0), func(info int) string {
		return fmt.Sprintf("the factorization could not be completed because the input is not positive-definite (the "+
			"leading minor of order %d is not positive-definite)", info)
	})
	flush()
}

// solveCholesky solves L Lᴴ X = B, or Uᴴ U X = B, in place.
func solveCholesky[T factorElement](l []T, n int, upper bool, x []T, nrhs int) {
	first, second := lapack.NoTrans, lapack.ConjTrans
	if upper {
		first, second = second, first
	}
	lapack.SolveTriangular(l, n, upper, first, false, x, nrhs)
	lapack.SolveTriangular(l, n, upper, second, false, x, nrhs)
}

func choleskySolveKernel[T factorElement](c *tensor.Call) {
	b, l, upper := matricesOf[T](c, 0), matricesOf[T](c, 1), c.Bool(2)
	defer b.release()
	defer l.release()
	out, flush := results[T](c, 0)
	fromB, fromL := operands(c, 0, 1)
	size := b.rows * b.cols
	eachMatrix(c, len(fromB), size*l.rows, func(i int) {
		x := out[i*size : (i+1)*size]
		copy(x, b.at(fromB[i]))
		solveCholesky(l.at(fromL[i]), l.rows, upper, x, b.cols)
	})
	flush()
}

func choleskyInverseKernel[T factorElement](c *tensor.Call) {
	l, upper := matricesOf[T](c, 0), c.Bool(1)
	defer l.release()
	out, flush := results[T](c, 0)
	n := l.rows
	eachMatrix(c, l.count, cube(n), func(i int) {
		x := out[i*n*n : (i+1)*n*n]
		lapack.Identity(x, n, n)
		solveCholesky(l.at(i), n, upper, x, n)
	})
	flush()
}
