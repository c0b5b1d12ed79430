package lapack

import (
	"math"
	"sync"

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
	t             [reflectorStrip * reflectorStrip]T // the transpose of T
	gram          [reflectorStrip * reflectorStrip]T
	w, columns    []T // workspace: two matrices of count by the columns of what is reflected, and the vectors
	work          *gemm.Work[T]
}

var blocks32, blocks64 = sync.Pool{New: func() any { return new(block[float32]) }},
	sync.Pool{New: func() any { return new(block[float64]) }}

// takeBlock lends a block, to be put back into pool after use.
func takeBlock[T floats]() (b *block[T], pool *sync.Pool) {
	pool = &blocks64
	if _, ok := any(b).(*block[float32]); ok {
		pool = &blocks32
	}
	return pool.Get().(*block[T]), pool
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
	gram, t := b.gram[:], b.t[:]
	multiply(count, count, length, v, v.T(), b.square(&b.gram))
	w, pool := gemm.Take[T]()
	for j := range count { // row j of the transpose of T is -tau (V vⱼ)ᵀ times the rows so far
		row := t[j*reflectorStrip:][:reflectorStrip]
		clear(row)
		row[j] = tau[j]
		products := gram[j*reflectorStrip:][:j]
		for k := range products {
			products[k] *= -tau[j]
		}
		w.AddRows(row[:j], t, reflectorStrip, products, 1, j)
	}
	pool.Put(w)
}

// space is two matrices of count by cols.
func (b *block[T]) space(cols int) (x, y gemm.Matrix[T]) {
	gemm.Room(&b.w, 2*b.count*cols)
	return rowMajor(b.w, cols), rowMajor(b.w[b.count*cols:], cols)
}

// left replaces c, of length rows, by (I - Vᵀ T V) c, or with the transpose of T.
func (b *block[T]) left(c gemm.Matrix[T], cols int, trans bool) {
	if cols == 0 {
		return
	}
	x, y := b.space(cols)
	t := b.square(&b.t)
	if !trans {
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
	if !trans {
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
	if n <= narrow {
		qrSmall(a, m, n, tau)
		return
	}
	k := min(m, n)
	b, blocks := takeBlock[T]()
	defer blocks.Put(b)
	v := gemm.Room(&b.columns, reflectorStrip*m)
	ks := gemm.Kernels[T]()
	w, pool := gemm.Take[T]()
	defer pool.Put(w)
	b.work = w
	defer func() { b.work, b.v = nil, gemm.Matrix[T]{} }()
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
	w, sums := b.work, b.gram[:]
	for j := range count {
		col := v[j*rows+j:][:rows-j]
		tau[j] = reflect(w, col)
		if tau[j] == 0 || j == count-1 {
			continue
		}
		diagonal := col[0]
		col[0] = 1
		products := sums[:count-j-1]
		clear(products)
		w.AddDots(products, v[(j+1)*rows+j:], rows, col)
		for i := range products {
			products[i] *= -tau[j]
			ks.AddRows(v[(j+1+i)*rows+j:][:rows-j], col, rows, products[i:i+1])
		}
		col[0] = diagonal
	}
}

// reflect finds the reflector that leaves one element of x, writes that to x[0], and the rest of its vector, whose
// first element is 1, over the rest of x (xLARFG).
func reflect[T floats](w *gemm.Work[T], x []T) (tau T) {
	rest := x[1:]
	if len(rest) == 0 {
		return 0
	}
	w.Sums[7] = 0
	sum := w.Sums[7:8]
	w.AddDots(sum, rest, len(rest), rest)
	small, big := limits[T]()
	alpha, norm := float64(x[0]), float64(sum[0])
	if !(norm > small && norm < big && math.Abs(alpha) < math.Sqrt(big)) {
		return reflectSafely(x)
	}
	beta := -math.Copysign(math.Sqrt(alpha*alpha+norm), alpha)
	divide(rest, T(alpha-beta))
	x[0] = T(beta)
	return T((beta - alpha) / beta)
}

// limits are the sums of squares between which nothing has overflowed, nor lost bits.
func limits[T floats]() (small, big float64) {
	if _, ok := any(T(0)).(float32); ok {
		return 0x1p-100, 0x1p100
	}
	return 0x1p-900, 0x1p900
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

// qReal makes Q of the reflectors in a.
func qReal[T floats](a []T, m, n, k int, tau []T) {
	if n <= narrow {
		formSmall(a, m, n, k, tau)
		return
	}
	q := rowMajor(a, n)
	formQ(q, q, m, n, k, tau)
}

// formQ writes the first n columns of the product of k reflectors, whose vectors stand below the diagonal of a, m rows
// high, to q. They may be the same matrix.
func formQ[T floats](q, a gemm.Matrix[T], m, n, k int, tau []T) {
	b, blocks := takeBlock[T]()
	defer blocks.Put(b)
	v := gemm.Room(&b.columns, m*k)
	copyColumns(v, m, a, m, k)
	for i := range m {
		clear(q.P[q.Off+i*q.RS:][:n])
		if i < n {
			q.P[q.Off+i*q.RS+i] = 1
		}
	}
	for j := (k - 1) / reflectorStrip * reflectorStrip; j >= 0; j -= reflectorStrip {
		if k == 0 {
			break
		}
		b.take(gemm.View(v, j*m+j, m, 1), min(reflectorStrip, k-j), m-j, tau[j:])
		b.left(q.From(j, j), n-j, false)
	}
}

// reflectByAll replaces c by the product of k reflectors, whose vectors stand below the diagonal of a, m rows high,
// times c, or with right set by c times the transpose of that product. others is how many columns, or rows, c has.
func reflectByAll(c gemm.Matrix[float64], others int, right bool, a gemm.Matrix[float64], m, k int, tau []float64) {
	b, blocks := takeBlock[float64]()
	defer blocks.Put(b)
	v := gemm.Room(&b.columns, m*k)
	copyColumns(v, m, a, m, k)
	for j := (k - 1) / reflectorStrip * reflectorStrip; j >= 0 && k > 0; j -= reflectorStrip {
		b.take(gemm.View(v, j*m+j, m, 1), min(reflectorStrip, k-j), m-j, tau[j:])
		if right {
			b.right(c.From(0, j), others, true)
		} else {
			b.left(c.From(j, 0), others, false)
		}
	}
}

// mulQ is MulQ for real numbers.
func mulQ[T floats](left bool, trans bool, c []T, rows, cols int, a []T, n, k int, tau []T) {
	m := cols
	if left {
		m = rows
	}
	b, blocks := takeBlock[T]()
	defer blocks.Put(b)
	v := gemm.Room(&b.columns, reflectorStrip*m)
	strips := (k + reflectorStrip - 1) / reflectorStrip
	for i := range strips {
		if left != trans { // the last reflectors first
			i = strips - 1 - i
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
