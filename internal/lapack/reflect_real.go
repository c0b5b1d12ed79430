package lapack

import (
	"math"
	"unsafe"

	"gotorch/internal/gemm"
)

// Note: reflectors. Those of a strip of columns are one product I - Vᵀ T V, whose V has their vectors as rows, one
// element after the other (Schreiber and Van Loan, A Storage-Efficient WY Representation for Products of Householder
// Transformations, 1989), so that a matrix is reflected by three products.

// reflectorStrip is how many reflectors are applied together.
const reflectorStrip = 32

// block is up to reflectorStrip reflectors.
type block[T floats] struct {
	count, length int
	v             gemm.Matrix[T]
	t             [reflectorStrip * reflectorStrip]T
	gram          [reflectorStrip * reflectorStrip]T
	w             []T // workspace: two matrices of count by the columns of what is reflected
	work          *gemm.Work[T]
}

// square is the matrix T, or what else has its size.
func (b *block[T]) square(p *[reflectorStrip * reflectorStrip]T) gemm.Matrix[T] {
	return rowMajor(p[:], reflectorStrip)
}

func multiply[T floats](m, n, k int, a, b, c gemm.Matrix[T]) {
	gemm.Call[T]{Op: op, M: m, N: n, K: k, Alpha: 1, A: a, B: b, C: c}.Run()
}

// take makes the block of count reflectors whose vectors, of length elements, stand in the columns of a below the
// diagonal, or in the rows of v, which is then written: ones and zeros are put where vectors have them.
func (b *block[T]) take(v gemm.Matrix[T], count, length int, tau []T) {
	b.count, b.length, b.v = count, length, v
	for i := range count {
		row := v.P[v.Off+i*v.RS:][:length]
		clear(row[:i])
		row[i] = 1
	}
	gram, t := &b.gram, &b.t
	multiply(count, count, length, v, v.T(), b.square(gram))
	for j := range count {
		for i := range j { // column j of T is -tau T (V vⱼ)
			s := T(0)
			for k := i; k < j; k++ {
				s += t[i*reflectorStrip+k] * gram[k*reflectorStrip+j]
			}
			t[i*reflectorStrip+j] = -tau[j] * s
		}
		t[j*reflectorStrip+j] = tau[j]
		clear(t[j*reflectorStrip : j*reflectorStrip+j])
	}
}

// space is two matrices of count by cols.
func (b *block[T]) space(cols int) (x, y gemm.Matrix[T]) {
	if n := 2 * b.count * cols; len(b.w) < n {
		b.w = make([]T, n)
	}
	return rowMajor(b.w, cols), rowMajor(b.w[b.count*cols:], cols)
}

// left replaces c, of length rows, by (I - Vᵀ T V) c, or with the transpose of T.
func (b *block[T]) left(c gemm.Matrix[T], cols int, trans bool) {
	if cols == 0 {
		return
	}
	x, y := b.space(cols)
	t := b.square(&b.t)
	if trans {
		t = t.T()
	}
	multiply(b.count, cols, b.length, b.v, c, x)
	multiply(b.count, cols, b.count, t, x, y)
	subtract(b.length, cols, b.count, b.v.T(), y, c)
}

// right replaces c, of length columns, by c (I - Vᵀ T V), or with the transpose of T.
func (b *block[T]) right(c gemm.Matrix[T], rows int, trans bool) {
	if rows == 0 {
		return
	}
	b.space(rows) // of the same size
	x, y := rowMajor(b.w, b.count), rowMajor(b.w[b.count*rows:], b.count)
	t := b.square(&b.t)
	if trans {
		t = t.T()
	}
	multiply(rows, b.count, b.length, c, b.v.T(), x)
	multiply(rows, b.count, b.count, x, t, y)
	subtract(rows, b.length, b.count, y, b.v, c)
}

// copyColumns writes columns of a, from row i and column i on, to the rows of dst.
func copyColumns[T floats](dst []T, ld int, a gemm.Matrix[T], rows, cols int) {
	if a.CS == 1 {
		gemm.Kernels[T]().Transpose(dst, ld, a.P[a.Off:], a.RS, rows, cols)
		return
	}
	for j := range cols {
		row := dst[j*ld:][:rows]
		if at := a.Off + j*a.CS; a.RS == 1 {
			copy(row, a.P[at:])
		} else {
			for i := range row {
				row[i] = a.P[at+i*a.RS]
			}
		}
	}
}

// qrReal factors a strip of columns, reflects what is on its right, and goes on.
func qrReal[T floats](a []T, m, n int, tau []T) {
	k := min(m, n)
	b := block[T]{}
	v := make([]T, reflectorStrip*m)
	ks := gemm.Kernels[T]()
	w, pool := gemm.Take[T]()
	defer pool.Put(w)
	b.work = w
	for j := 0; j < k; j += reflectorStrip {
		count, rows := min(reflectorStrip, k-j), m-j
		corner := a[j*n+j:]
		ks.Transpose(v, rows, corner, n, rows, count)
		b.strip(v, count, rows, tau[j:])
		ks.Transpose(corner, n, v, rows, count, rows)
		if right := n - j - count; right > 0 {
			b.take(rowMajor(v, rows), count, rows, tau[j:])
			b.left(rowMajor(corner[count:], n), right, true)
		}
	}
}

// strip factors columns that stand in the rows of v.
func (b *block[T]) strip(v []T, count, rows int, tau []T) {
	ks := gemm.Kernels[T]()
	size := int(unsafe.Sizeof(v[0]))
	w := b.work
	for j := range count {
		col := v[j*rows+j:][:rows-j]
		tau[j] = reflect(w, col)
		if tau[j] == 0 || j == count-1 {
			continue
		}
		diagonal := col[0]
		col[0] = 1
		w.Tile.B, w.Tile.K, w.Tile.RowA, w.Tile.RowB = unsafe.Pointer(&col[0]), len(col), rows*size, rows*size
		w.Tile.C = unsafe.Pointer(&w.Sums[0])
		for c := j + 1; c < count; c += ks.MaxDots[0] {
			few := min(ks.MaxDots[0], count-c)
			w.Tile.A = unsafe.Pointer(&v[c*rows+j])
			ks.Dots(few, 1, &w.Tile)
			for i := range few {
				w.Sums[i] *= -tau[j]
				ks.AddRows(v[(c+i)*rows+j:][:rows-j], col, rows, w.Sums[i:i+1])
			}
		}
		col[0] = diagonal
	}
	w.Tile.A, w.Tile.B, w.Tile.C = nil, nil, nil
}

// reflect finds the reflector that leaves one element of x, writes that to x[0], and the rest of its vector, whose
// first element is 1, over the rest of x (xLARFG).
func reflect[T floats](w *gemm.Work[T], x []T) (tau T) {
	rest := x[1:]
	if len(rest) == 0 {
		return 0
	}
	small, big := 0x1p-900, 0x1p900
	if unsafe.Sizeof(tau) == 4 {
		small, big = 0x1p-100, 0x1p100
	}
	w.Tile.A, w.Tile.B, w.Tile.C = unsafe.Pointer(&rest[0]), unsafe.Pointer(&rest[0]), unsafe.Pointer(&w.Sums[0])
	w.Tile.K = len(rest)
	gemm.Kernels[T]().Dots(1, 1, &w.Tile)
	alpha, norm := float64(x[0]), float64(w.Sums[0])
	if !(norm > small && norm < big && math.Abs(alpha) < math.Sqrt(big)) {
		return reflectSafely(x)
	}
	beta := -math.Copysign(math.Sqrt(alpha*alpha+norm), alpha)
	divide(rest, T(alpha-beta))
	x[0] = T(beta)
	return T((beta - alpha) / beta)
}

// reflectSafely is reflect for numbers whose squares are too large or too small.
func reflectSafely[T floats](x []T) (tau T) {
	most := 0.0
	for _, v := range x[1:] {
		if v := math.Abs(float64(v)); !(v <= most) {
			most = v
		}
	}
	if most == 0 {
		return 0
	}
	most = max(most, math.Abs(float64(x[0])))
	_, exp := math.Frexp(most)
	scaled, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		scaled[i] = math.Ldexp(float64(v), -exp)
		if i > 0 {
			sum += scaled[i] * scaled[i]
		}
	}
	alpha := scaled[0]
	beta := -math.Copysign(math.Sqrt(alpha*alpha+sum), alpha)
	for i, v := range scaled[1:] {
		x[i+1] = T(v / (alpha - beta))
	}
	x[0] = T(math.Ldexp(beta, exp))
	return T((beta - alpha) / beta)
}

// formQ writes the first n columns of the product of k reflectors, whose vectors stand below the diagonal of a, m rows
// high, to q. They may be the same matrix.
func formQ[T floats](q, a gemm.Matrix[T], m, n, k int, tau []T) {
	v := make([]T, m*k)
	copyColumns(v, m, a, m, k)
	for i := range m {
		clear(q.P[q.Off+i*q.RS:][:n])
		if i < n {
			q.P[q.Off+i*q.RS+i] = 1
		}
	}
	b := block[T]{}
	for j := (k - 1) / reflectorStrip * reflectorStrip; j >= 0; j -= reflectorStrip {
		if k == 0 {
			break
		}
		b.take(gemm.View(v, j*m+j, m, 1), min(reflectorStrip, k-j), m-j, tau[j:])
		b.left(q.From(j, j), n-j, false)
	}
}

// mulQ is MulQ for real numbers.
func mulQ[T floats](left bool, trans bool, c []T, rows, cols int, a []T, n, k int, tau []T) {
	m := cols
	if left {
		m = rows
	}
	b := block[T]{}
	v := make([]T, reflectorStrip*m)
	blocks := (k + reflectorStrip - 1) / reflectorStrip
	for i := range blocks {
		if left != trans { // the last reflectors first
			i = blocks - 1 - i
		}
		j := i * reflectorStrip
		count := min(reflectorStrip, k-j)
		gemm.Kernels[T]().Transpose(v, m-j, a[j*n+j:], n, m-j, count)
		b.take(rowMajor(v, m-j), count, m-j, tau[j:])
		if left {
			b.left(rowMajor(c[j*cols:], cols), cols, trans)
		} else {
			b.right(rowMajor(c[j:], cols), rows, trans)
		}
	}
}
