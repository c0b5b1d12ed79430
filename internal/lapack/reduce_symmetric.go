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

// fullSymmetric is the number of rows up to which both triangles of a symmetric matrix are kept, so that it is
// multiplied as any other.
const fullSymmetric = 320

// tridiagonalize makes the symmetric matrix of which a, of n rows, has the lower triangle tridiagonal (xSYTRD). The
// diagonal is written to d, what is below it to e, and reflector i to row i of vs, from element i+1 on, and tau[i].
// It destroys a.
func tridiagonalize(a []float64, n int, d, e, tau, vs []float64) {
	w, pool := gemm.Take[float64]()
	defer pool.Put(w)
	b, blocks := takeBlock[float64]()
	defer blocks.Put(b)
	panel := gemm.Room(&b.w, 4*panelWidth*n)
	var products [2 * panelWidth]float64
	full := n <= fullSymmetric
	if full {
		for i := range n {
			for j, x := range a[i*n : i*n+i] {
				a[j*n+i] = x
			}
		}
	}
	for first := 0; first < n; first += panelWidth {
		count := min(panelWidth, n-first)
		// a vector v and one of the other side w, negative, in turn, and the same the other way round
		pairs, swapped := panel, panel[2*count*n:]
		for k := range count {
			tensor.Interrupted(op)
			i := first + k
			v, w2 := pairs[2*k*n+i:(2*k+1)*n], pairs[(2*k+1)*n+i:(2*k+2)*n]
			if full {
				copy(v, a[i*n+i:(i+1)*n])
			} else {
				for j := range v {
					v[j] = a[(i+j)*n+i]
				}
			}
			w.AddRows(v, pairs[i:], n, swapped[i:], n, 2*k)
			d[i] = v[0]
			v[0] = 0
			x, y := v[1:], w2[1:]
			if len(x) == 0 {
				break
			}
			tau[i] = reflect(w, x)
			e[i] = x[0]
			x[0] = 1
			copy(vs[i*n+i+1:(i+1)*n], x)
			clear(w2)
			if below := a[(i+1)*n+i+1:]; full {
				w.AddDots(y, below, n, x)
			} else {
				vectorBLAS{}.Dsymv(blas.Lower, len(x), 1, below, n, x, 1, 0, y, 1)
			}
			sums := products[:2*k]
			clear(sums)
			w.AddDots(sums, swapped[i+1:], n, x)
			w.AddRows(y, pairs[i+1:], n, sums, 1, 2*k)
			products[0] = 0
			w.AddDots(products[:1], y, n, x)
			half := tau[i] * tau[i] * products[0] / 2
			for j, f := range x {
				y[j] = half*f - tau[i]*y[j]
			}
			copy(swapped[2*k*n+i:(2*k+1)*n], w2)
			copy(swapped[(2*k+1)*n+i:(2*k+2)*n], v)
		}
		rest := n - first - count
		if rest <= 0 {
			continue
		}
		left := gemm.View(pairs, first+count, 1, n)
		right := gemm.View(swapped, first+count, n, 1)
		c := rowMajor(a, n).From(first+count, first+count)
		rows := 64
		if full {
			rows = rest
		}
		for i := 0; i < rest; i += rows {
			m := min(rows, rest-i)
			g := gemm.Call[float64]{Op: op, M: m, N: i + m, K: 2 * count, Alpha: 1, A: left.From(i, 0), B: right,
				C: c.From(i, 0), D: c.From(i, 0)}
			g.Run()
		}
	}
}
