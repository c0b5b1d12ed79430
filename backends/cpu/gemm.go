package cpu

import (
	"sync"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: products of matrices. gemm works in blocks: a block of B (blockK × blockN) and a block of A (blockM × blockK) are packed into
// panels as wide as the micro-kernel's tile, in the order in which the micro-kernel reads them, and the micro-kernel then runs over
// contiguous memory whatever the strides of A and B were: transposed, strided and broadcast operands cost no copy of their own. A micro-kernel
// is a function of two panels that adds alpha times their product to a tile of C, so one in assembly needs nothing but a size of tile.
// The blocks do not depend on the number of goroutines: results repeat to the last bit.

// matrix is a view of elements: (i, j) stands at p[off+i*rs+j*cs].
type matrix[T any] struct {
	p           []T
	off, rs, cs int
}

func (m matrix[T]) t() matrix[T] { return matrix[T]{m.p, m.off, m.cs, m.rs} }

// from is m without its first i rows and j columns.
func (m matrix[T]) from(i, j int) matrix[T] {
	return matrix[T]{m.p, m.off + i*m.rs + j*m.cs, m.rs, m.cs}
}

const (
	blockK = 256  // a panel of B of this length stays in the first-level cache
	blockM = 1024 // rows of A that are packed at once
	blockN = 2048 // columns of B that are packed at once
	taskM  = 64   // rows and columns of C that are one task for a goroutine
	taskN  = 256
	tileM  = 4 // the micro-kernel's tile
	tileN  = 4

	smallProduct = 8 * 8 * 8    // below this nothing is packed
	wideProduct  = 16 * 16 * 16 // below this float32 is summed in float64, which is as fast there
	serialFlops  = 48 * 48 * 48 // below this a product is one task
)

// gemm computes c = alpha*(a @ b) + beta*c, a being m×k, b k×n and c m×n with columns one after the other. With beta 0 what c
// held does not matter.
func gemm[T number](op string, m, n, k int, alpha T, a, b matrix[T], beta T, c matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	scaleRows(m, n, beta, c)
	switch {
	case k == 0 || alpha == 0:
	case m*n*k <= wideProduct && gemmWide(m, n, k, alpha, a, b, c):
	case n == 1:
		gemv(op, m, k, alpha, a, matrix[T]{b.p, b.off, b.rs, 0}, c.p, c.off, c.rs)
	case m == 1:
		gemv(op, n, k, alpha, b.t(), matrix[T]{a.p, a.off, a.cs, 0}, c.p, c.off, 1)
	case m*n*k <= smallProduct:
		gemmSmall(m, n, k, alpha, a, b, c)
	default:
		gemmBlocked(op, m, n, k, alpha, a, b, c)
	}
}

// scaleRows is c *= beta, or c = 0.
func scaleRows[T number](m, n int, beta T, c matrix[T]) {
	if beta == 1 {
		return
	}
	for i := range m {
		row := c.p[c.off+i*c.rs:][:n]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

func gemmSmall[T number](m, n, k int, alpha T, a, b, c matrix[T]) {
	for i := range m {
		row := c.p[c.off+i*c.rs:][:n]
		for j := range row {
			var sum T
			ai, bj := a.off+i*a.rs, b.off+j*b.cs
			for range k {
				sum += a.p[ai] * b.p[bj]
				ai, bj = ai+a.cs, bj+b.rs
			}
			row[j] += alpha * sum
		}
	}
}

// gemmWide multiplies small matrices of float32 with sums in float64; it reports false for other elements.
func gemmWide[T number](m, n, k int, alpha T, a, b, c matrix[T]) bool {
	x, ok := any(a.p).([]float32)
	if !ok {
		return false
	}
	y, z, f := any(b.p).([]float32), any(c.p).([]float32), float64(any(alpha).(float32))
	for i := range m {
		row := z[c.off+i*c.rs:][:n]
		for j := range row {
			var sum float64
			ai, bj := a.off+i*a.rs, b.off+j*b.cs
			for range k {
				sum += float64(x[ai]) * float64(y[bj])
				ai, bj = ai+a.cs, bj+b.rs
			}
			row[j] = float32(float64(row[j]) + f*sum)
		}
	}
	return true
}

// panels is scratch for packed blocks of A and B.
type panels[T any] struct{ a, b []T }

var panelPools sync.Map // a pool for each element type, by a zero element

func takePanels[T any](a, b int) (*panels[T], *sync.Pool) {
	var zero T
	v, ok := panelPools.Load(any(zero))
	if !ok {
		v, _ = panelPools.LoadOrStore(any(zero), &sync.Pool{New: func() any { return new(panels[T]) }})
	}
	pool := v.(*sync.Pool)
	p := pool.Get().(*panels[T])
	if len(p.a) < a {
		p.a = make([]T, a)
	}
	if len(p.b) < b {
		p.b = make([]T, b)
	}
	return p, pool
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

func gemmBlocked[T number](op string, m, n, k int, alpha T, a, b, c matrix[T]) {
	kcMax := min(k, blockK)
	buf, pool := takePanels[T](roundUp(min(m, blockM), tileM)*kcMax, roundUp(min(n, blockN), tileN)*kcMax)
	defer pool.Put(buf)
	serial := m*n*k <= serialFlops
	grain := func(work int) int { // tasks for each goroutine's turn
		if serial {
			return work
		}
		return 1
	}
	for jc := 0; jc < n; jc += blockN {
		nc := min(blockN, n-jc)
		for pc := 0; pc < k; pc += blockK {
			kc := min(blockK, k-pc)
			tasksN := (nc + taskN - 1) / taskN
			parallel.For(tasksN, grain(tasksN), func(lo, hi int) {
				for t := lo; t < hi; t++ {
					j := t * taskN
					pack(buf.b[j*kc:], tileN, min(taskN, nc-j), kc, b.from(pc, jc+j).t())
				}
			})
			for ic := 0; ic < m; ic += blockM {
				mc := min(blockM, m-ic)
				tasksM := (mc + taskM - 1) / taskM
				parallel.For(tasksM, grain(tasksM), func(lo, hi int) {
					for t := lo; t < hi; t++ {
						i := t * taskM
						pack(buf.a[i*kc:], tileM, min(taskM, mc-i), kc, a.from(ic+i, pc))
					}
				})
				parallel.For(tasksM*tasksN, grain(tasksM*tasksN), func(lo, hi int) {
					for t := lo; t < hi; t++ {
						tensor.Interrupted(op)
						i, j := t/tasksN*taskM, t%tasksN*taskN
						tiles(min(taskM, mc-i), min(taskN, nc-j), kc, alpha, buf.a[i*kc:], buf.b[j*kc:], c.from(ic+i, jc+j))
					}
				})
			}
		}
	}
}

// pack writes rows of x, in panels of width rows, column by column; a last panel that is not full is filled up with zeros.
func pack[T any](dst []T, width, rows, kc int, x matrix[T]) {
	for i := 0; i < rows; i += width {
		w := min(width, rows-i)
		panel := dst[i*kc:][:width*kc]
		if w < width {
			clear(panel)
		}
		if w == tileM && x.cs == 1 && width == tileM {
			r0, r1 := x.p[x.off+i*x.rs:][:kc], x.p[x.off+(i+1)*x.rs:][:kc]
			r2, r3 := x.p[x.off+(i+2)*x.rs:][:kc], x.p[x.off+(i+3)*x.rs:][:kc]
			for q := range r0 {
				t := panel[4*q : 4*q+4 : 4*q+4]
				t[0], t[1], t[2], t[3] = r0[q], r1[q], r2[q], r3[q]
			}
			continue
		}
		if x.rs == 1 {
			for q := range kc {
				copy(panel[q*width:][:w], x.p[x.off+i+q*x.cs:])
			}
			continue
		}
		for r := range w {
			at := x.off + (i+r)*x.rs
			for q := r; q < len(panel); q += width {
				panel[q] = x.p[at]
				at += x.cs
			}
		}
	}
}

// tiles runs the micro-kernel over one task. Tiles at the edge go through scratch.
func tiles[T number](m, n, kc int, alpha T, a, b []T, c matrix[T]) {
	var edge [tileM * tileN]T
	for j := 0; j < n; j += tileN {
		pb := b[j*kc:][:tileN*kc]
		for i := 0; i < m; i += tileM {
			pa := a[i*kc:][:tileM*kc]
			dst := c.p[c.off+i*c.rs+j:]
			if m-i >= tileM && n-j >= tileN {
				tile4x4(pa, pb, alpha, dst, c.rs)
				continue
			}
			clear(edge[:])
			tile4x4(pa, pb, alpha, edge[:], tileN)
			for r := range min(tileM, m-i) {
				for q := range min(tileN, n-j) {
					dst[r*c.rs+q] += edge[r*tileN+q]
				}
			}
		}
	}
}

// tile4x4 is the micro-kernel: c += alpha * (a @ b) for panels of 4 rows and 4 columns.
func tile4x4[T number](a, b []T, alpha T, c []T, ld int) {
	var s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33 T
	for len(a) >= 4 && len(b) >= 4 {
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0 := b[0]
		s00 += a0 * b0
		s10 += a1 * b0
		s20 += a2 * b0
		s30 += a3 * b0
		b1 := b[1]
		s01 += a0 * b1
		s11 += a1 * b1
		s21 += a2 * b1
		s31 += a3 * b1
		b2 := b[2]
		s02 += a0 * b2
		s12 += a1 * b2
		s22 += a2 * b2
		s32 += a3 * b2
		b3 := b[3]
		s03 += a0 * b3
		s13 += a1 * b3
		s23 += a2 * b3
		s33 += a3 * b3
		a, b = a[4:], b[4:]
	}
	r0 := c[:4:4]
	r0[0] += alpha * s00
	r0[1] += alpha * s01
	r0[2] += alpha * s02
	r0[3] += alpha * s03
	r1 := c[ld:][:4:4]
	r1[0] += alpha * s10
	r1[1] += alpha * s11
	r1[2] += alpha * s12
	r1[3] += alpha * s13
	r2 := c[2*ld:][:4:4]
	r2[0] += alpha * s20
	r2[1] += alpha * s21
	r2[2] += alpha * s22
	r2[3] += alpha * s23
	r3 := c[3*ld:][:4:4]
	r3[0] += alpha * s30
	r3[1] += alpha * s31
	r3[2] += alpha * s32
	r3[3] += alpha * s33
}

// gemv adds alpha*(a @ x) to the m elements of y that begin at off with step inc; x steps by x.rs.
func gemv[T number](op string, m, k int, alpha T, a, x matrix[T], y []T, off, inc int) {
	v := make([]T, k)
	for i := range v {
		v[i] = x.p[x.off+i*x.rs]
	}
	grain := max(1, grainSize/k)
	if a.rs == 1 && a.cs != 1 { // columns lie in memory: add them up
		parallel.For(m, max(grain, 64), func(lo, hi int) {
			tensor.Interrupted(op)
			sum := make([]T, hi-lo)
			for j, xj := range v {
				addMultiple(sum, a.p[a.off+lo+j*a.cs:][:hi-lo], xj)
			}
			for i, s := range sum {
				y[off+(lo+i)*inc] += alpha * s
			}
		})
		return
	}
	parallel.For(m, grain, func(lo, hi int) {
		tensor.Interrupted(op)
		for i := lo; i < hi; i++ {
			var s T
			if a.cs == 1 {
				s = dotLoop(a.p[a.off+i*a.rs:][:k], v)
			} else {
				at := a.off + i*a.rs
				for _, xj := range v {
					s += a.p[at] * xj
					at += a.cs
				}
			}
			y[off+i*inc] += alpha * s
		}
	})
}

// addMultiple is dst += f*src.
func addMultiple[T number](dst, src []T, f T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += f * src[i]
	}
}

// dotLoop is the sum of the products, in four running sums.
func dotLoop[T number](a, b []T) T {
	var s0, s1, s2, s3 T
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}
