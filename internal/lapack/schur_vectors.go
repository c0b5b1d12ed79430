package lapack

import (
	"math"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// schurVectors replaces z, whose columns are those of Q in Q T Qᵀ, by the eigenvectors of that matrix (xTREVC3). T
// is a Schur form of n rows. The vector of an eigenvalue with a positive imaginary part has its parts in two
// columns.
func schurVectors(t []float64, n int, z []float64) {
	scratch, pool := gemm.Take[float64]()
	defer pool.Put(scratch)
	x, old := gemm.Room(&scratch.A, n*n), gemm.Room(&scratch.B, n*n)
	clear(x) // the eigenvectors of T, or their parts, row by row
	parallel.For(n, parallel.Grain(0.1*float64(n)*float64(n)), func(lo, hi int) {
		w, pool := gemm.Take[float64]()
		defer pool.Put(w)
		for k := lo; k < hi; k++ {
			tensor.Interrupted(op)
			switch {
			case k+1 < n && t[(k+1)*n+k] != 0:
				quasiVector(w, t, n, k+1, x[k*n:], 2)
			case k == 0 || t[k*n+k-1] == 0:
				quasiVector(w, t, n, k, x[k*n:], 1)
			}
		}
	})
	copy(old, z)
	const block = 64
	for k := 0; k < n; k += block {
		cols := min(block, n-k)
		multiply(n, cols, k+cols, rowMajor(old, n), gemm.View(x, k*n, 1, n), rowMajor(z, n).From(0, k))
	}
}

// quasiVector solves for the eigenvector that belongs to row k of t, from below. It has parts parts, which are
// written to rows of x; with two, the eigenvalues are those of rows k-1 and k.
func quasiVector(w *gemm.Work[float64], t []float64, n, k int, x []float64, parts int) {
	const big, small = 0x1p200, 0x1p-200
	wr, wi := t[k*n+k], 0.0
	last := k
	if parts == 1 {
		x[k] = 1
	} else {
		above, below := t[(k-1)*n+k], t[k*n+k-1]
		wi = math.Sqrt(math.Abs(above)) * math.Sqrt(math.Abs(below))
		if math.Abs(above) >= math.Abs(below) {
			x[k-1], x[n+k] = 1, wi/above
		} else {
			x[k-1], x[n+k] = -wi/below, 1
		}
		last = k - 1
	}
	least := max(2*epsilon*(math.Abs(wr)+math.Abs(wi)), tiny/epsilon*float64(n))
	var sums, b, y [4]float64
	for i := last - 1; i >= 0; {
		rows := 1
		if i > 0 && t[i*n+i-1] != 0 {
			rows = 2
		}
		i -= rows - 1
		behind := i + rows
		clear(sums[:])
		for r := range rows {
			w.AddDots(sums[r*parts:(r+1)*parts], x[behind:], n, t[(i+r)*n+behind:(i+r)*n+k+1])
		}
		for r := range sums {
			b[r] = -sums[r]
		}
		d := t[i*n+i] - wr
		size := math.Abs(d) + math.Abs(wi)
		switch {
		case rows == 1 && parts == 1 && size > max(least, small):
			y[0] = b[0] / d
		case rows == 1 && parts == 2 && size > max(2*least, small) && size < big:
			f := 1 / (d*d + wi*wi) // (b0 + i b1) / (d - i wi)
			y[0], y[1] = (b[0]*d-b[1]*wi)*f, (b[1]*d+b[0]*wi)*f
		default:
			scale, _, _ := impl.Dlaln2(false, rows, parts, least, 1, t[i*n+i:], n, 1, 1, b[:], parts, wr, wi, y[:], parts)
			if scale != 1 {
				scaleRows(x, n, behind, k+1, parts, scale)
			}
		}
		most := 0.0
		for r := range rows {
			for p := range parts {
				x[p*n+i+r] = y[r*parts+p]
				most = max(most, math.Abs(y[r*parts+p]))
			}
		}
		if most > big {
			scaleRows(x, n, i, k+1, parts, 1/most)
		}
		i--
	}
}

// scaleRows multiplies elements from to to of rows.
func scaleRows(x []float64, n, from, to, rows int, f float64) {
	for r := range rows {
		row := x[r*n+from : r*n+to]
		for j := range row {
			row[j] *= f
		}
	}
}
