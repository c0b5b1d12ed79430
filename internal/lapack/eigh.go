package lapack

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack"

	"gotorch/internal/gemm"
)

// EigH finds the eigenvalues, ascending, of a Hermitian matrix of n rows, of which it reads the lower triangle, or the
// upper one if upper is set; with vectors, the eigenvectors replace a as its columns (xSYEV, xHEEV). ok is false where
// the iteration did not converge.
func EigH[T Field](a []T, n int, upper, vectors bool, w []float64) (ok bool) {
	if n == 0 {
		return true
	}
	switch a := any(a).(type) {
	case []float64:
		ok = eighReal(a, n, upper, vectors, w[:n])
	case []complex128:
		ok = eighComplex(a, n, upper, vectors, w[:n])
	}
	return ok
}

// turnedFrom is the number of vectors from which they are turned in batches; fewer go to gonum's LAPACK.
const turnedFrom = 16

// conqueredFrom is the number of vectors above which a matrix is divided.
const conqueredFrom = 48

func eighReal(a []float64, n int, upper, vectors bool, w []float64) (ok bool) {
	if n < turnedFrom || !vectors {
		job := lapack.EVNone
		if vectors {
			job = lapack.EVCompute
		}
		work(func(wk []float64, l int) { ok = impl.Dsyev(job, uplo(upper), n, a, n, w, wk, l) })
		return ok
	}
	scale := rescale(a, n, upper)
	if upper { // the other triangle
		for i := range n {
			for j := range i {
				a[i*n+j] = a[j*n+i]
			}
		}
	}
	scratch, pool := gemm.Take[float64]()
	defer pool.Put(scratch)
	buf := gemm.Room(&scratch.A, n*n+2*n)
	e, tau, vs := buf[:n-1], buf[n:2*n-1], buf[2*n:]
	tridiagonalize(a, n, w, e, tau, vs)
	if n > conqueredFrom {
		if !conquerSymmetric(w, e, a) {
			return false
		}
		reflectByAll(rowMajor(a, n).From(1, 0), n, false, gemm.View(vs, 1, 1, n), n-1, n-1, tau)
		for i := range w {
			w[i] *= scale
		}
		return true
	}
	q := rowMajor(a, n) // the reflectors leave the first row and column alone
	formQ(q.From(1, 1), gemm.View(vs, 1, 1, n), n-1, n-1, n-1, tau)
	clear(a[:n])
	for i := range n {
		a[i*n] = 0
	}
	a[0] = 1
	z := newTurns(a, n, n, n)
	defer turnsPool.Put(z)
	if !tridiagonalQL(w, e, z) {
		return false
	}
	order := ascending(w)
	z.columns(a, n, order)
	slices.Sort(w)
	for i := range w {
		w[i] *= scale
	}
	return true
}

// rescale divides a by a power of two where products of elements of its triangle could overflow or lose bits, and
// returns that.
func rescale(a []float64, n int, upper bool) float64 {
	most := 0.0
	for i := range n {
		row := a[i*n : i*n+i+1]
		if upper {
			row = a[i*n+i : i*n+n]
		}
		most = max(most, greatest(row))
	}
	return rescaleBy(a, most)
}

// rescaleAll is rescale for all elements.
func rescaleAll(a []float64) float64 { return rescaleBy(a, greatest(a)) }

// greatest is the greatest absolute value.
func greatest(a []float64) (most float64) {
	for _, x := range a {
		most = max(most, math.Abs(x))
	}
	return most
}

// rescaleBy divides a by a power of two near most, where that is not near 1 anyway.
func rescaleBy(a []float64, most float64) float64 {
	if most == 0 || most > 0x1p-480 && most < 0x1p480 {
		return 1
	}
	_, exp := math.Frexp(most)
	exp = max(exp, -1000) // so that the factor is a number
	f := math.Ldexp(1, -exp)
	for i := range a {
		a[i] *= f
	}
	return math.Ldexp(1, exp)
}

// eighComplex reduces to a real tridiagonal matrix by reflectors (Golub and Van Loan, 8.3.1) and leaves that to the QL
// iteration of real numbers.
func eighComplex(a []complex128, n int, upper, vectors bool, d []float64) bool {
	for i := range n { // both triangles
		a[i*n+i] = complex(real(a[i*n+i]), 0)
		for j := range i {
			if upper {
				a[i*n+j] = conj(a[j*n+i])
			} else {
				a[j*n+i] = conj(a[i*n+j])
			}
		}
	}
	e, tau := make([]float64, n), make([]complex128, n)
	vs := make([]complex128, n*n) // row i is the vector of reflector i
	p := make([]complex128, n)
	for i := range n - 1 {
		m := n - i - 1
		v := column(vs[i*n:i*n+m], a, n, i+1, i)
		tau[i] = reflector(v)
		e[i] = real(v[0])
		v[0] = 1
		if tau[i] == 0 {
			continue
		}
		// A - v wᴴ - w vᴴ, with w = p - tau/2 (pᴴ v) v and p = tau A v
		p := p[:m]
		for r := range m {
			var s complex128
			for c, x := range a[(i+1+r)*n+i+1 : (i+1+r)*n+n] {
				s += x * v[c]
			}
			p[r] = tau[i] * s
		}
		f := -0.5 * tau[i] * dotConj(p, v)
		for r := range p {
			p[r] += f * v[r]
		}
		for r := range m {
			row := a[(i+1+r)*n+i+1 : (i+1+r)*n+n]
			for c := range row {
				row[c] -= v[r]*conj(p[c]) + p[r]*conj(v[c])
			}
		}
	}
	for i := range n {
		d[i] = real(a[i*n+i])
	}
	if !vectors {
		return impl.Dsterf(n, d, e[:max(0, n-1)])
	}
	z := make([]float64, n*n)
	if !impl.Dsteqr(lapack.EVTridiag, n, d, e[:max(0, n-1)], z, n, make([]float64, max(1, 2*n-2))) {
		return false
	}
	for i, x := range z { // Q z, one reflector after the other
		a[i] = complex(x, 0)
	}
	for i := n - 2; i >= 0; i-- {
		reflectLeft(a[(i+1)*n:], n, n-i-1, n, vs[i*n:i*n+n-i-1], tau[i], p)
	}
	return true
}
