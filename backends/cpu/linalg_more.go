package cpu

import (
	"fmt"

	"gotorch/internal/lapack"
	"gotorch/tensor"
)

func init() {
	linalg("linalg.eig", eigKernel[float64], eigKernel[complex128])
	linalg("linalg.eigvals", eigKernel[float64], eigKernel[complex128])
	for _, name := range []string{"linalg.matrix_exp", "matrix_exp"} {
		linalgNarrow(name, expKernel[float32], expKernel[float64], expKernel[complex128])
	}
	for _, name := range []string{"linalg.ldl_factor", "linalg.ldl_factor_ex"} {
		linalg(name, ldlKernel[float64], ldlKernel[complex128])
	}
	linalg("linalg.ldl_solve", ldlSolveKernel[float64], ldlSolveKernel[complex128])
}

// eigKernel is for eigenvalues, and for vectors where there is a result for them.
func eigKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	w, flushW := results[complex128](c, 0)
	n := a.rows
	var v []complex128
	flushV := func() {}
	if len(c.Op.Rets) > 1 {
		v, flushV = results[complex128](c, 1)
	}
	iterate(c, a, 25*n*n*n, func(i int, x []T) bool {
		var vectors []complex128
		if v != nil {
			vectors = v[i*n*n : (i+1)*n*n]
		}
		return lapack.Eig(x, n, w[i*n:(i+1)*n], vectors)
	})
	flushW()
	flushV()
}

func expKernel[T factorElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	out, flush := results[T](c, 0)
	n := a.rows
	eachMatrix(c, a.count, 20*n*n*n, func(i int) {
		x := out[i*n*n : (i+1)*n*n]
		copy(x, a.at(i))
		lapack.Exp(x, n)
	})
	flush()
}

func ldlKernel[T matrixElement](c *tensor.Call) {
	a, hermitian := matricesOf[T](c, 0), c.Bool(1)
	defer a.release()
	out, flush := results[T](c, 0)
	pivots := tensor.Elems[int32](c.Ret(1))
	n := a.rows
	f := failures{info: infoOf(c)}
	eachMatrix(c, a.count, cube(n), func(i int) {
		x, p := out[i*n*n:(i+1)*n*n], make([]int, n)
		copy(x, a.at(i))
		for r := range n { // the triangle that is not read is no part of the result
			clear(x[r*n+r+1 : (r+1)*n])
		}
		f.set(i, lapack.LDL(x, n, hermitian, p))
		for j, v := range p {
			pivots[i*n+j] = int32(v)
		}
	})
	f.raise(c, c.Tensor(0), func(info int) string {
		return fmt.Sprintf("the factorization could not be completed because the block of D at [%d,%d] is zero; "+
			"LinalgLdlFactorEx factors such a matrix", info, info)
	})
	flush()
}

func ldlSolveKernel[T matrixElement](c *tensor.Call) {
	a, b, hermitian := matricesOf[T](c, 0), matricesOf[T](c, 2), c.Bool(3)
	defer a.release()
	defer b.release()
	piv := contiguous(c.Name(), c.Tensor(1), tensor.Int32)
	pivots := tensor.Elems[int32](piv)
	out, flush := results[T](c, 0)
	fromA, fromB := operands(c, 0, 2)
	n, size := a.rows, b.rows*b.cols
	eachMatrix(c, len(fromA), size*n, func(i int) {
		k, x := fromA[i], out[i*size:(i+1)*size]
		p := make([]int, n)
		for j := range p {
			p[j] = int(pivots[k*n+j])
			if two := p[j] < 0; max(p[j], -p[j]) > n || p[j] == 0 || two && j == n-1 && (n == 1 || p[j-1] >= 0) {
				panic(tensor.Errorf(c.Name(), "pivots must be the numbers of rows, from 1 to %d, those of two rows twice and "+
					"negative, got %d for row %d", n, p[j], j+1))
			}
		}
		copy(x, b.at(fromB[i]))
		lapack.SolveLDL(a.at(k), n, hermitian, p, x, b.cols)
	})
	flush()
}
