package lapack

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/cblas128"

	"gotorch/internal/gemm"
)

// Note: real matrices. LU, Cholesky and triangular systems of real numbers divide a matrix in two, and halves again:
// what is between the halves is a product of matrices, which package gemm computes in blocks and on several threads.
// At the bottom are strips of a few columns, whose operations are sums of multiples of rows.

// floats is the real numbers that matrices are made of.
type floats interface{ float32 | float64 }

const (
	strip = 16       // rows or columns that are no longer divided
	op    = "linalg" // what an interruption names
)

// half is where n rows are divided: at a multiple of a strip.
func half(n int) int { return (n/2 + strip - 1) / strip * strip }

// rowMajor is a matrix whose rows are ld elements apart.
func rowMajor[T floats](a []T, ld int) gemm.Matrix[T] { return gemm.View(a, 0, ld, 1) }

// subtract is c -= a @ b, with a of m by k.
func subtract[T floats](m, n, k int, a, b, c gemm.Matrix[T]) {
	gemm.Call[T]{Op: op, M: m, N: n, K: k, Alpha: -1, A: a, B: b, C: c, D: c}.Run()
}

// SolveTriangular solves op(A) X = B, where A is the upper or lower triangle of an n by n matrix, with ones on its
// diagonal if unit is set, and writes X over the n by nrhs matrix b (xTRSM).
func SolveTriangular[T Number](a []T, n int, upper bool, trans Trans, unit bool, b []T, nrhs int) {
	if n == 0 || nrhs == 0 {
		return
	}
	switch a := any(a).(type) {
	case []float32:
		solveReal(a, n, upper, trans, unit, any(b).([]float32), nrhs)
	case []float64:
		solveReal(a, n, upper, trans, unit, any(b).([]float64), nrhs)
	case []complex128:
		diag := blas.NonUnit
		if unit {
			diag = blas.Unit
		}
		cblas128.Implementation().Ztrsm(blas.Left, uplo(upper), blas.Transpose(trans), diag, n, nrhs, 1, a, n,
			any(b).([]complex128), nrhs)
	}
}

func solveReal[T floats](a []T, n int, upper bool, trans Trans, unit bool, b []T, nrhs int) {
	m := rowMajor(a, n)
	if trans != NoTrans {
		m, upper = m.T(), !upper
	}
	s, pool := takeSolver[T]()
	s.solve(m, n, upper, unit, rowMajor(b, nrhs), nrhs)
	pool.Put(s)
}

// solver is what the strips of triangular systems need.
type solver[T floats] struct {
	addRows func(y, w []T, rowW int, x []T)
	factors [strip]T
	panel   []T // a strip whose columns lie one after the other
}

var solvers32, solvers64 = sync.Pool{New: func() any { return newSolver[float32]() }},
	sync.Pool{New: func() any { return newSolver[float64]() }}

func newSolver[T floats]() *solver[T] { return &solver[T]{addRows: gemm.Kernels[T]().AddRows} }

// takeSolver lends a solver, to be put back into pool after use.
func takeSolver[T floats]() (s *solver[T], pool *sync.Pool) {
	pool = &solvers64
	if _, ok := any(s).(*solver[float32]); ok {
		pool = &solvers32
	}
	return pool.Get().(*solver[T]), pool
}

// solve writes X with A X = B over the n by nrhs matrix b, whose columns lie one after the other.
func (s *solver[T]) solve(a gemm.Matrix[T], n int, upper, unit bool, b gemm.Matrix[T], nrhs int) {
	if n > strip {
		k := half(n)
		other := b.From(k, 0)
		if upper {
			s.solve(a.From(k, k), n-k, upper, unit, other, nrhs)
			subtract(k, nrhs, n-k, a.From(0, k), other, b)
			s.solve(a, k, upper, unit, b, nrhs)
		} else {
			s.solve(a, k, upper, unit, b, nrhs)
			subtract(n-k, nrhs, k, a.From(k, 0), b, other)
			s.solve(a.From(k, k), n-k, upper, unit, other, nrhs)
		}
		return
	}
	for step := range n {
		i, lo, hi := step, 0, step // the rows that are known
		if upper {
			i = n - 1 - step
			lo, hi = i+1, n
		}
		row := b.P[b.Off+i*b.RS:][:nrhs]
		at := a.Off + i*a.RS
		if nrhs < 8 {
			for k := lo; k < hi; k++ {
				f := a.P[at+k*a.CS]
				for j, x := range b.P[b.Off+k*b.RS:][:nrhs] {
					row[j] -= f * x
				}
			}
		} else {
			for k := lo; k < hi; k++ {
				s.factors[k-lo] = -a.P[at+k*a.CS]
			}
			s.add(row, b.P[b.Off+lo*b.RS:], b.RS, s.factors[:hi-lo])
		}
		if !unit {
			divide(row, a.P[at+i*a.CS])
		}
	}
}

// add is y += sum of x[i] times row i of w.
func (s *solver[T]) add(y, w []T, rowW int, x []T) {
	for len(x) >= 4 {
		s.addRows(y, w, rowW, x[:4])
		if x = x[4:]; len(x) > 0 {
			w = w[4*rowW:]
		}
	}
	for i := range x {
		s.addRows(y, w[i*rowW:], rowW, x[i:i+1])
	}
}

// divide is row /= d, by its reciprocal where that is a number.
func divide[T floats](row []T, d T) {
	if r := 1 / d; len(row) > 1 && d != 0 && !math.IsInf(float64(r), 0) {
		for i := range row {
			row[i] *= r
		}
		return
	}
	for i := range row {
		row[i] /= d
	}
}
