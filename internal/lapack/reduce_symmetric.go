package lapack

import (
	"gonum.org/v1/gonum/blas"

	"gotorch/internal/gemm"
	"gotorch/tensor"
)

// Note: reductions. Reflectors on both sides make a matrix tridiagonal, bidiagonal or Hessenberg, one column at a
// time. A panel of them changes only what the next column needs: the rest is changed once, by products of matrices,
// and is read as it was in between, with what is missing put right (Dongarra, Sorensen and Hammarling, Block
// Reduction of Matrices to Condensed Forms, 1989). All vectors of a panel stand in rows, one element after the
// other.

// panelWidth is how many reflectors a panel has.
const panelWidth = 32

// tridiagonalize makes the symmetric matrix of which a, of n rows, has the lower triangle tridiagonal (xSYTRD). The
// diagonal is written to d, what is below it to e, and reflector i to row i of vs, from element i+1 on, and tau[i].
// It destroys the triangle.
func tridiagonalize(a []float64, n int, d, e, tau, vs []float64) {
	w, pool := gemm.Take[float64]()
	defer pool.Put(w)
	b, blocks := takeBlock[float64]()
	defer blocks.Put(b)
	panel := gemm.Room(&b.w, 3*panelWidth*n)
	var products [2 * panelWidth]float64
	sums := products[:]
	for first := 0; first < n; first += panelWidth {
		count := min(panelWidth, n-first)
		// vectors v, then those of the other side w, negative, then v again
		v, other := panel, panel[count*n:]
		for k := range count {
			tensor.Interrupted(op)
			i := first + k
			col := v[k*n+i : (k+1)*n]
			for j := range col {
				col[j] = a[(i+j)*n+i]
			}
			w.AddRows(col, v[i:], n, other[i:], n, k)
			w.AddRows(col, other[i:], n, v[i:], n, k)
			d[i] = col[0]
			col[0] = 0
			x := col[1:]
			if len(x) == 0 {
				break
			}
			tau[i] = reflect(w, x)
			e[i] = x[0]
			x[0] = 1
			copy(vs[i*n+i+1:(i+1)*n], x)
			y := other[k*n+i+1 : (k+1)*n]
			vectorBLAS{}.Dsymv(blas.Lower, len(x), 1, a[(i+1)*n+i+1:], n, x, 1, 0, y, 1)
			if k > 0 {
				p, q := sums[:k], sums[panelWidth:panelWidth+k]
				clear(sums[:2*panelWidth])
				w.AddDots(p, other[i+1:], n, x)
				w.AddDots(q, v[i+1:], n, x)
				w.AddRows(y, v[i+1:], n, p, 1, k)
				w.AddRows(y, other[i+1:], n, q, 1, k)
			}
			sums[0] = 0
			w.AddDots(sums[:1], y, n, x)
			half := tau[i] * tau[i] * sums[0] / 2
			for j, f := range x {
				y[j] = half*f - tau[i]*y[j]
			}
		}
		rest := n - first - count
		if rest <= 0 {
			continue
		}
		copy(panel[2*count*n:], v[:count*n])
		left := gemm.View(panel, first+count, 1, n)
		right := gemm.View(panel, count*n+first+count, n, 1)
		c := rowMajor(a, n).From(first+count, first+count)
		const rows = 64
		for i := 0; i < rest; i += rows {
			m := min(rows, rest-i)
			g := gemm.Call[float64]{Op: op, M: m, N: i + m, K: 2 * count, Alpha: 1, A: left.From(i, 0), B: right,
				C: c.From(i, 0), D: c.From(i, 0)}
			g.Run()
		}
	}
}
