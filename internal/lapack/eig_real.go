package lapack

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/lapack"

	"gotorch/internal/gemm"
)

// bigEig is the number of rows from which eigenvalues are found here; fewer go to gonum's LAPACK.
const bigEig = 12

var schurWorks = sync.Pool{New: func() any { return new(schurWork) }}

// eigReal balances, reduces to Hessenberg form, iterates to Schur form, and finds the eigenvectors of that. Pairs of
// real vectors, which LAPACK gives for conjugate eigenvalues, are spelled as complex ones.
func eigReal(a []float64, n int, w, v []complex128) bool {
	scale := rescaleAll(a)
	balance := make([]float64, n)
	lo, hi := impl.Dgebal(lapack.PermuteScale, n, a, n, balance)
	tau := make([]float64, max(1, n-1))
	hessenbergReal(a, n, lo, hi, tau)
	s := schurWorks.Get().(*schurWork)
	defer schurWorks.Put(s)
	s.n, s.h, s.full, s.z = n, a, v != nil, nil
	defer func() { s.h, s.z = nil, nil }()
	scratch, pool := gemm.Take[float64]()
	defer pool.Put(scratch)
	if v != nil {
		s.z = gemm.Room(&scratch.A, n*n)
		Identity(s.z, n, n)
		if k := hi - lo; k > 0 {
			formQ(rowMajor(s.z, n).From(lo+1, lo+1), rowMajor(a, n).From(lo+1, lo), k, k, k, tau[lo:])
		}
	}
	s.wr, s.wi = gemm.Room(&s.wr, n), gemm.Room(&s.wi, n)
	if !s.hessenberg(lo, hi) {
		return false
	}
	for j := range n {
		w[j] = complex(s.wr[j]*scale, s.wi[j]*scale)
	}
	if v != nil {
		schurVectors(a, n, s.z)
		impl.Dgebak(lapack.PermuteScale, lapack.EVRight, n, lo, hi, balance, n, s.z, n)
		complexVectors(s.z, s.wi[:n], v)
	}
	return true
}

// hessenberg finds the eigenvalues of a Hessenberg matrix, whose rows before lo and behind hi are triangular.
func (s *schurWork) hessenberg(lo, hi int) bool {
	n := s.n
	if n < bigEig {
		job, comp := lapack.EigenvaluesOnly, lapack.SchurNone
		if s.z != nil {
			job, comp = lapack.EigenvaluesAndSchur, lapack.SchurOrig
		}
		first := 0
		work(func(wk []float64, l int) {
			first = impl.Dhseqr(job, comp, n, lo, hi, s.h, n, s.wr[:n], s.wi[:n], s.z, n, wk, l)
		})
		return first == 0
	}
	for i := range n {
		clear(s.h[i*n : i*n+max(0, i-1)])
		if i < lo || i > hi {
			s.wr[i], s.wi[i] = s.h[i*n+i], 0
		}
	}
	return s.run(lo, hi)
}

// complexVectors writes the vectors in the columns of z to v, each of norm 1. A column and the next one are the
// parts of the vector of an eigenvalue with a positive imaginary part in wi, and of that of its conjugate; the
// greatest element of it becomes real.
func complexVectors(z, wi []float64, v []complex128) {
	n := len(wi)
	norms, most, at := make([]float64, n), make([]float64, n), make([]int, n)
	scaleColumns(z, wi)
	for i := range n {
		row := z[i*n:][:n]
		for j, x := range row {
			norms[j] += x * x
			if wi[j] > 0 {
				if size := x*x + row[j+1]*row[j+1]; size > most[j] {
					most[j], at[j] = size, i
				}
			}
		}
	}
	turn := make([]complex128, n)
	for j := 0; j < n; j++ {
		if wi[j] <= 0 {
			turn[j] = complex(1/math.Sqrt(norms[j]), 0)
			continue
		}
		x := complex(z[at[j]*n+j], -z[at[j]*n+j+1])
		turn[j] = x * complex(1/(math.Sqrt(most[j])*math.Sqrt(norms[j]+norms[j+1])), 0)
		j++
	}
	for i := range n {
		row, out := z[i*n:][:n], v[i*n:][:n]
		for j := 0; j < n; j++ {
			if wi[j] <= 0 {
				out[j] = complex(row[j]*real(turn[j]), 0)
				continue
			}
			x := complex(row[j], row[j+1]) * turn[j]
			if i == at[j] {
				x = complex(real(x), 0)
			}
			out[j], out[j+1] = x, conj(x)
			j++
		}
	}
}

// scaleColumns divides columns by powers of two where squares of their elements could overflow or lose bits. Both
// of a pair are divided by the same.
func scaleColumns(z, wi []float64) {
	n := len(wi)
	most := make([]float64, n)
	for i := range n {
		for j, x := range z[i*n:][:n] {
			most[j] = max(most[j], math.Abs(x))
		}
	}
	for j := 0; j < n; j++ {
		count, size := 1, most[j]
		if wi[j] > 0 {
			count, size = 2, max(size, most[j+1])
		}
		if size > 0 && (size < 0x1p-400 || size > 0x1p400) {
			_, exp := math.Frexp(size)
			for i := range n {
				for q := range count {
					z[i*n+j+q] = math.Ldexp(z[i*n+j+q], -exp)
				}
			}
		}
		j += count - 1
	}
}
