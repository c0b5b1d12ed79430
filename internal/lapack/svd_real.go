package lapack

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"gotorch/internal/gemm"
)

// svdReal leaves few vectors, or none, to gonum. A matrix that is much higher than wide is replaced by its R, one
// that is much wider than high by its L.
func svdReal(a []float64, m, n int, full bool, s, u, vh []float64) (ok bool) {
	k := min(m, n)
	switch {
	case k < turnedFrom || u == nil:
		job, lu, lv := lapack.SVDNone, 1, 1
		if u != nil {
			job, lu, lv = lapack.SVDStore, k, n
			if full {
				job, lu = lapack.SVDAll, m
			}
		}
		work(func(w []float64, l int) { ok = impl.Dgesvd(job, job, m, n, a, n, s, u, lu, vh, lv, w, l) })
		return ok
	case 5*m >= 8*n:
		return svdHigh(a, m, n, full, s, u, vh)
	case 5*n >= 8*m:
		return svdWide(a, m, n, full, s, u, vh)
	}
	return svdBidiagonal(a, m, n, full, s, u, vh)
}

// svdHigh finds the left vectors of R, and those of Q R.
func svdHigh(a []float64, m, n int, full bool, s, u, vh []float64) bool {
	tau := make([]float64, n)
	QR(a, m, n, tau)
	r, x := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		copy(r[i*n+i:(i+1)*n], a[i*n+i:i*n+n])
	}
	if !svdBidiagonal(r, n, n, false, s, x, vh) {
		return false
	}
	cols := n
	if full {
		cols = m
	}
	corner(u, m, cols, x, n)
	MulQ(true, NoTrans, u, m, cols, a, n, n, tau)
	return true
}

// corner writes x, a square of k rows, into the upper left of a, a matrix of m by n that is the identity elsewhere.
func corner(a []float64, m, n int, x []float64, k int) {
	Identity(a, m, n)
	for i := range k {
		copy(a[i*n:], x[i*k:(i+1)*k])
	}
}

// svdWide finds the right vectors of L, and those of L Q.
func svdWide(a []float64, m, n int, full bool, s, u, vh []float64) bool {
	tau := make([]float64, m)
	work(func(w []float64, l int) { impl.Dgelqf(m, n, a, n, tau, w, l) })
	lower, x := make([]float64, m*m), make([]float64, m*m)
	for i := range m {
		copy(lower[i*m:], a[i*n:i*n+i+1])
	}
	if !svdBidiagonal(lower, m, m, false, s, u, x) {
		return false
	}
	rows := m
	if full {
		rows = n
	}
	corner(vh, rows, n, x, m)
	work(func(w []float64, l int) {
		impl.Dormlq(blas.Right, blas.NoTrans, rows, n, m, a, n, tau, vh, n, w, l)
	})
	return true
}

// svdBidiagonal makes the matrix bidiagonal by reflectors on both sides, and finds the singular values of that; the
// products of the reflectors are turned along.
func svdBidiagonal(a []float64, m, n int, full bool, s, u, vh []float64) bool {
	k := min(m, n)
	rows := n
	scale := rescaleAll(a[:m*n])
	scratch, pool := gemm.Take[float64]()
	defer pool.Put(scratch)
	e := make([]float64, k-1)
	tauQ, tauP := make([]float64, k), make([]float64, k)
	lefts, rights := rowMajor(a, n), rowMajor(a, n).T() // reflectors in columns, below or right of the diagonal
	if m >= n {
		us, vs := gemm.Room(&scratch.A, n*m), gemm.Room(&scratch.B, n*n)
		bidiagonalReal(a, m, n, s, e, tauQ, tauP, us, vs)
		lefts, rights = rowMajor(us, m).T(), rowMajor(vs, n).T()
	} else {
		work(func(w []float64, l int) { impl.Dgebrd(m, n, a, n, s, e, tauQ, tauP, w, l) })
	}
	cols := k
	if full {
		cols = m
	} else {
		rows = k
	}
	below, right := 0, 1 // how far reflectors are from the diagonal
	if m < n {
		below, right = 1, 0
	}
	Identity(u, m, cols)
	if k > conqueredFrom {
		c, order := conquerBidiagonal(s, e)
		if c == nil {
			return false
		}
		defer conquests.Put(c)
		sets := [2]int{1, 0} // of left vectors, and of right ones
		if m < n {
			sets = [2]int{0, 1}
		}
		c.columns(sets[0], order, u, cols)
		reflectByAll(rowMajor(u, cols).From(below, 0), cols, false, lefts.From(below, 0), m-below, k-below, tauQ)
		Identity(vh, rows, n)
		c.sorted(sets[1], order, vh, n)
		reflectByAll(rowMajor(vh, n).From(0, right), rows, true, rights.From(right, 0), n-right, k-right, tauP)
		for i := range s {
			s[i] *= scale
		}
		return true
	}
	formQ(rowMajor(u, cols).From(below, below), lefts.From(below, 0), m-below, cols-below, k-below, tauQ)
	p := gemm.Room(&scratch.C, n*rows) // its transpose is the product of the reflectors on the right
	Identity(p, n, rows)
	formQ(rowMajor(p, rows).From(right, right), rights.From(right, 0), n-right, rows-right, k-right, tauP)
	for i := k; i < rows; i++ {
		for j := range n {
			vh[i*n+j] = p[j*rows+i]
		}
	}
	left, turnP := newTurns(u, cols, m, k), newTurns(p, rows, n, k)
	defer turnsPool.Put(left)
	defer turnsPool.Put(turnP)
	if !bidiagonalQR(s, e, m < n, left, turnP) {
		return false
	}
	sign := make([]float64, k)
	for i, x := range s {
		sign[i] = math.Copysign(1, x)
		s[i] = -math.Abs(x)
	}
	order := ascending(s)
	left.columns(u, cols, order)
	turnP.rows(vh, order, sign)
	slices.Sort(s)
	for i := range s {
		s[i] *= -scale
	}
	return true
}
