package cpu

import (
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: products of matrices. A micro-kernel of package simd computes a tile of C, a few rows of a few vectors: it
// takes one element of A at a time, at any steps, and a row of B whose elements lie one after the other. Small
// products run it over A and B where they are (gemm_small.go). Large ones copy a block of A, and a block of B as
// panels as wide as a tile, so that the micro-kernel reads them from near caches in order (gemm_blocked.go). Products
// by a vector or by a few rows are bound by reading the matrix, and go over it once (gemm_vector.go, which also has
// products of integers). Every element of C is a sum in the order of k that does not depend on how the product is
// shared out, so results repeat to the last bit for any number of goroutines.

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

func (m matrix[T]) at(i, j int) unsafe.Pointer { return unsafe.Pointer(&m.p[m.off+i*m.rs+j*m.cs]) }

const (
	smallProduct  = 512 * 512 * 512 // up to this many products nothing is copied
	smallSide     = 512             // and where c has no more rows or no more columns than this
	serialProduct = 100 * 100 * 100 // up to this a product is one task
	batchGrain    = 1 << 19         // products of a batch that are one task
	taskProduct   = 1 << 21         // products between two looks for an interruption: 1 ms or less of a task
)

// gemmCall is a product: c = alpha*(a @ b) + d, a being m×k, b k×n, and c m×n with columns one after the other. A d
// without elements adds nothing; it may be c, or have steps of 0.
type gemmCall[T number] struct {
	op         string
	m, n, k    int
	alpha      T
	a, b, c, d matrix[T]
	serial     bool // runs on the calling goroutine alone
}

// gemm computes c = alpha*(a @ b) + beta*c. With beta 0 what c held does not matter.
func gemm[T number](op string, m, n, k int, alpha T, a, b matrix[T], beta T, c matrix[T]) {
	g := gemmCall[T]{op: op, m: m, n: n, k: k, alpha: alpha, a: a, b: b, c: c}
	if beta != 0 {
		scaleRows(m, n, beta, c)
		g.d = c
	}
	g.run()
}

// run computes the product. The call is copied to where it may be pointed to.
func (g gemmCall[T]) run() {
	w, pool := takeWork[T]()
	w.call = g
	w.call.compute(w)
	w.call = gemmCall[T]{}
	w.tile = simd.GemmTile{}
	pool.Put(w)
}

func (g *gemmCall[T]) compute(w *gemmWork[T]) {
	if g.m == 0 || g.n == 0 {
		return
	}
	if g.k == 0 || g.alpha == 0 {
		g.fill()
		return
	}
	if g.d.p != nil && g.d.cs != 1 && g.d.cs != 0 && g.n > 1 { // the kernels add rows of d, or one element to a row
		g.fill()
		g.d = g.c
	}
	ks := kernelsOf[T]()
	products := g.m * g.n * g.k
	switch {
	case g.dots(w):
	case (g.m == 1 || g.n == 1) && g.columns(w):
	case ks.Rows && g.n >= 4*ks.Lanes && g.k >= 4:
		g.rowSums()
	case products <= smallProduct && min(g.m, g.n) <= smallSide || g.m <= 8 ||
		g.m <= 5*ks.MaxRows[2] && g.k <= 256 && g.b.cs == 1:
		g.small(w)
	default:
		g.blocked()
	}
}

// fill sets c to d, or to 0.
func (g *gemmCall[T]) fill() {
	for i := range g.m {
		row := g.c.p[g.c.off+i*g.c.rs:][:g.n]
		if g.d.p == nil {
			clear(row)
			continue
		}
		at := g.d.off + i*g.d.rs
		for j := range row {
			row[j] = g.d.p[at]
			at += g.d.cs
		}
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

// share runs f for every one of n tasks, on several goroutines but where the call is serial.
func (g *gemmCall[T]) share(n int, f func(w *gemmWork[T], task int)) {
	body := func(lo, hi int) {
		w, pool := takeWork[T]()
		defer pool.Put(w)
		for i := lo; i < hi; i++ {
			tensor.Interrupted(g.op)
			f(w, i)
		}
	}
	if g.serial {
		body(0, n)
		return
	}
	parallel.For(n, 1, body)
}

// aim sets what the tiles of the call have in common.
func (g *gemmCall[T]) aim(w *gemmWork[T]) *simd.GemmTile {
	size := int(unsafe.Sizeof(g.alpha))
	w.tile = simd.GemmTile{RowA: g.a.rs * size, ColA: g.a.cs * size, RowC: g.c.rs * size}
	if g.alpha != 1 {
		w.alpha = g.alpha
		w.tile.Alpha = unsafe.Pointer(&w.alpha)
	}
	return &w.tile
}

// add sets what the tile of c at (i, j) adds: d, or after the first block of k what c holds.
func (g *gemmCall[T]) add(t *simd.GemmTile, first bool, i, j int) {
	size := int(unsafe.Sizeof(g.alpha))
	switch {
	case !first:
		t.D, t.RowD, t.Each = t.C, t.RowC, 0
	case g.d.p == nil:
		t.D = nil
	default:
		t.D, t.RowD, t.Each = g.d.at(i, j), g.d.rs*size, 0
		if g.d.cs != 1 {
			t.Each = 1
		}
	}
}

// vectors is how many vectors a tile over count columns has, for products of m rows.
func vectors[T number](ks *simd.GemmKernels[T], m, count int) int {
	switch {
	case count <= ks.Lanes:
		return 1
	case count > 2*ks.Lanes && m <= ks.MaxRows[4]:
		return 4
	}
	return 2
}
