package lapack

import (
	"gotorch/internal/gemm"
	"gotorch/tensor"
)

// hessenbergReal makes a, of n rows, Hessenberg in rows and columns lo to hi (xGEHRD). Reflector i stands below
// element (i+1, i) of a and in tau[i].
func hessenbergReal(a []float64, n, lo, hi int, tau []float64) {
	w, pool := gemm.Take[float64]()
	defer pool.Put(w)
	b, blocks := takeBlock[float64]()
	defer blocks.Put(b)
	end := hi + 1
	panel := gemm.Room(&b.columns, (2*panelWidth+1)*n)
	v, y := panel, panel[panelWidth*n:] // reflectors, and the matrix times them and their T, negative
	col := panel[2*panelWidth*n:][:n]
	var t [panelWidth * panelWidth]float64
	var products [panelWidth]float64
	sums := products[:]
	for first := lo; first < hi-1; first += panelWidth {
		count := min(panelWidth, hi-1-first)
		for k := range count {
			tensor.Interrupted(op)
			i := first + k
			for j := range end {
				col[j] = a[j*n+i]
			}
			w.AddRows(col[:end], y, n, v[i:], n, k) // from the right
			below := col[first+1 : end]
			if k > 0 { // from the left
				p := sums[:k]
				clear(p)
				w.AddDots(p, v[first+1:], n, below)
				for r := k - 1; r >= 0; r-- { // the transpose of T
					s := 0.0
					for q := range r + 1 {
						s -= t[q*panelWidth+r] * p[q]
					}
					p[r] = s
				}
				w.AddRows(below, v[first+1:], n, p, 1, k)
			}
			x := col[i+1 : end]
			tau[i] = reflect(w, x)
			for j := range end {
				a[j*n+i] = col[j]
			}
			row := v[k*n:][:n]
			clear(row[:i+1])
			copy(row[i+1:], x)
			clear(row[end:])
			row[i+1] = 1
			x = row[i+1 : end]
			out := y[k*n:][:end]
			clear(out)
			matrixVector(w, out, a[i+1:], n, x)
			p := sums[:k]
			clear(p)
			w.AddDots(p, v[i+1:], n, x)
			w.AddRows(out, y, n, p, 1, k)
			for j := range out {
				out[j] *= -tau[i]
			}
			for r := range k {
				s := 0.0
				for q := r; q < k; q++ {
					s += t[r*panelWidth+q] * p[q]
				}
				t[r*panelWidth+k] = -tau[i] * s
			}
			t[k*panelWidth+k] = tau[i]
		}
		next := first + count
		if next >= n {
			continue
		}
		// the columns behind the panel: all rows from the right, then those below from the left
		if cols := end - next; cols > 0 {
			c := rowMajor(a, n).From(0, next)
			g := gemm.Call[float64]{Op: op, M: end, N: cols, K: count, Alpha: 1, A: gemm.View(y, 0, 1, n),
				B: gemm.View(v, next, n, 1), C: c, D: c}
			g.Run()
		}
		b.take(gemm.View(v, first+1, n, 1), count, end-first-1, tau[first:])
		b.left(rowMajor(a, n).From(first+1, next), n-next, true)
	}
}

// matrixVector adds the matrix a times x to y; rows of a are ld elements apart.
func matrixVector(w *gemm.Work[float64], y, a []float64, ld int, x []float64) {
	if len(y)*len(x) < sharedVector {
		w.AddDots(y, a, ld, x)
		return
	}
	c := rowMajor(y, 1)
	gemm.Call[float64]{Op: op, M: len(y), N: 1, K: len(x), Alpha: 1, A: rowMajor(a, ld), B: rowMajor(x, 1), C: c,
		D: c}.Run()
}

// vectorMatrix adds x times the matrix a to y; rows of a are ld elements apart.
func vectorMatrix(w *gemm.Work[float64], y, a []float64, ld int, x []float64) {
	if len(y)*len(x) < sharedVector {
		w.AddRows(y, a, ld, x, 1, len(x))
		return
	}
	c := rowMajor(y, len(y))
	gemm.Call[float64]{Op: op, M: 1, N: len(y), K: len(x), Alpha: 1, A: rowMajor(x, len(x)), B: rowMajor(a, ld), C: c,
		D: c}.Run()
}

// bidiagonalReal makes a, an m by n matrix with m >= n, upper bidiagonal (xGEBRD): the diagonal is written to d,
// what is above it to e. Reflectors from the left stand in rows of us, from element i on, and in tauQ, those from
// the right in rows of vs, from element i+1 on, and in tauP. It destroys a.
func bidiagonalReal(a []float64, m, n int, d, e, tauQ, tauP, us, vs []float64) {
	w, pool := gemm.Take[float64]()
	defer pool.Put(w)
	b, blocks := takeBlock[float64]()
	defer blocks.Put(b)
	// of a panel, in turn: reflectors from the left and what those from the right are multiplied by, as long as
	// columns; what those from the left are multiplied by and reflectors from the right, as long as rows
	panel := gemm.Room(&b.w, 2*panelWidth*(m+n))
	lefts, rights := panel, panel[2*panelWidth*m:]
	var products [2 * panelWidth]float64
	for first := 0; first < n; first += panelWidth {
		count := min(panelWidth, n-first)
		for k := range count {
			tensor.Interrupted(op)
			i := first + k
			col := lefts[2*k*m+i : (2*k+1)*m]
			for j := range col {
				col[j] = a[(i+j)*n+i]
			}
			w.AddRows(col, lefts[i:], m, rights[i:], n, 2*k)
			tauQ[i] = reflect(w, col)
			d[i] = col[0]
			col[0] = 1
			copy(us[i*m+i:(i+1)*m], col)
			if i == n-1 {
				break
			}
			out := rights[2*k*n+i+1 : (2*k+1)*n]
			clear(out)
			vectorMatrix(w, out, a[i*n+i+1:], n, col)
			sums := products[:2*k]
			clear(sums)
			w.AddDots(sums, lefts[i:], m, col)
			w.AddRows(out, rights[i+1:], n, sums, 1, 2*k)
			for j := range out {
				out[j] *= -tauQ[i]
			}
			row := rights[(2*k+1)*n+i+1 : (2*k+2)*n]
			copy(row, a[i*n+i+1:(i+1)*n])
			w.AddRows(row, rights[i+1:], n, lefts[i:], m, 2*k+1)
			tauP[i] = reflect(w, row)
			e[i] = row[0]
			row[0] = 1
			copy(vs[i*n+i+1:(i+1)*n], row)
			out = lefts[(2*k+1)*m+i+1 : (2*k+2)*m]
			clear(out)
			matrixVector(w, out, a[(i+1)*n+i+1:], n, row)
			sums = products[:2*k+1]
			clear(sums)
			w.AddDots(sums, rights[i+1:], n, row)
			w.AddRows(out, lefts[i+1:], m, sums, 1, 2*k+1)
			for j := range out {
				out[j] *= -tauP[i]
			}
		}
		next := first + count
		if next >= n {
			break
		}
		c := rowMajor(a, n).From(next, next)
		gemm.Call[float64]{Op: op, M: m - next, N: n - next, K: 2 * count, Alpha: 1, A: gemm.View(lefts, next, 1, m),
			B: gemm.View(rights, next, n, 1), C: c, D: c}.Run()
	}
}
