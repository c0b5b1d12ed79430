// Package gemm multiplies matrices.
//
// A micro-kernel of package simd computes a tile of C, a few rows of a few vectors: it takes one element of A
// at a time, at any steps, and a row of B whose elements lie one after the other. Small products run it over A
// and B where they are (small.go). Large ones copy a block of A, and a block of B as panels as wide as a tile,
// so that the micro-kernel reads them from near caches in order (blocked.go). Products by a vector or by a few
// rows are bound by reading the matrix, and go over it once (vector.go, which also has products of integers).
// Every element of C is a sum in the order of k that does not depend on how the product is shared out, so
// results repeat to the last bit for any number of goroutines.
package gemm

import (
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Number is an element of a matrix.
type Number = simd.GemmNumber

// Matrix is a view of elements: (i, j) stands at P[Off+i*RS+j*CS].
type Matrix[T any] struct {
	P           []T
	Off, RS, CS int
}

// View is the matrix whose elements (i, j) stand at p[off+i*rs+j*cs].
func View[T any](p []T, off, rs, cs int) Matrix[T] { return Matrix[T]{p, off, rs, cs} }

// T is the transpose.
func (m Matrix[T]) T() Matrix[T] { return Matrix[T]{m.P, m.Off, m.CS, m.RS} }

// From is m without its first i rows and j columns.
func (m Matrix[T]) From(i, j int) Matrix[T] {
	return Matrix[T]{m.P, m.Off + i*m.RS + j*m.CS, m.RS, m.CS}
}

func (m Matrix[T]) at(i, j int) unsafe.Pointer { return unsafe.Pointer(&m.P[m.Off+i*m.RS+j*m.CS]) }

const (
	smallProduct  = 512 * 512 * 512 // up to this many products nothing is copied
	smallSide     = 512             // and where c has no more rows or no more columns than this
	SerialProduct = 100 * 100 * 100 // up to this a product is one task
	BatchGrain    = 1 << 19         // products of a batch that are one task
	taskProduct   = 1 << 21         // products between two looks for an interruption: 1 ms or less of a task
)

// Call is a product: C = Alpha*(A @ B) + D, A being M×K, B K×N, and C M×N with columns one after the other. A D
// without elements adds nothing; it may be C, or have steps of 0. Op is the operator that an interruption names.
type Call[T Number] struct {
	Op         string
	M, N, K    int
	Alpha      T
	A, B, C, D Matrix[T]
	Serial     bool // runs on the calling goroutine alone
	Pairs      bool // T is float32, A and B have pairs of bfloat16 numbers for [simd.GemmPairs], K counts pairs
}

// kernels are the micro-kernels of the call.
func (g *Call[T]) kernels() *simd.GemmKernels[T] {
	if g.Pairs {
		return any(simd.GemmPairs).(*simd.GemmKernels[T])
	}
	return Kernels[T]()
}

// Mul computes c = alpha*(a @ b) + beta*c. With beta 0 what c held does not matter.
func Mul[T Number](op string, m, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	g := Call[T]{Op: op, M: m, N: n, K: k, Alpha: alpha, A: a, B: b, C: c}
	if beta != 0 {
		ScaleRows(m, n, beta, c)
		g.D = c
	}
	g.Run()
}

// Run computes the product. The call is copied to where it may be pointed to.
func (g Call[T]) Run() {
	w, pool := Take[T]()
	w.call = g
	w.call.compute(w)
	w.call = Call[T]{}
	w.Tile = simd.GemmTile{}
	pool.Put(w)
}

func (g *Call[T]) compute(w *Work[T]) {
	if g.M == 0 || g.N == 0 {
		return
	}
	if g.K == 0 || g.Alpha == 0 {
		g.fill()
		return
	}
	if g.D.P != nil && g.D.CS != 1 && g.D.CS != 0 && g.N > 1 { // the kernels add rows of d, or one element to a row
		g.fill()
		g.D = g.C
	}
	ks := g.kernels()
	products := g.M * g.N * g.K
	switch {
	case !g.Pairs && g.dots(w):
	case !g.Pairs && (g.M == 1 || g.N == 1) && g.columns(w):
	case ks.Rows && g.N >= 4*ks.Lanes && g.K >= 4:
		g.rowSums()
	case products <= smallProduct && min(g.M, g.N) <= smallSide || g.M <= 8 ||
		g.M <= 5*ks.MaxRows[2] && g.K <= 256 && g.B.CS == 1:
		g.small(w)
	default:
		g.blocked()
	}
}

// fill sets c to d, or to 0.
func (g *Call[T]) fill() {
	for i := range g.M {
		row := g.C.P[g.C.Off+i*g.C.RS:][:g.N]
		if g.D.P == nil {
			clear(row)
			continue
		}
		at := g.D.Off + i*g.D.RS
		for j := range row {
			row[j] = g.D.P[at]
			at += g.D.CS
		}
	}
}

// ScaleRows is c *= beta, or c = 0.
func ScaleRows[T Number](m, n int, beta T, c Matrix[T]) {
	if beta == 1 {
		return
	}
	for i := range m {
		row := c.P[c.Off+i*c.RS:][:n]
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
func (g *Call[T]) share(n int, f func(w *Work[T], task int)) {
	body := func(lo, hi int) {
		w, pool := Take[T]()
		defer pool.Put(w)
		for i := lo; i < hi; i++ {
			tensor.Interrupted(g.Op)
			f(w, i)
		}
	}
	if g.Serial {
		body(0, n)
		return
	}
	parallel.For(n, 1, body)
}

// aim sets what the tiles of the call have in common.
func (g *Call[T]) aim(w *Work[T]) *simd.GemmTile {
	size := int(unsafe.Sizeof(g.Alpha))
	w.Tile = simd.GemmTile{RowA: g.A.RS * size, ColA: g.A.CS * size, RowC: g.C.RS * size}
	if g.Alpha != 1 {
		w.alpha = g.Alpha
		w.Tile.Alpha = unsafe.Pointer(&w.alpha)
	}
	return &w.Tile
}

// add sets what the tile of c at (i, j) adds: d, or after the first block of k what c holds.
func (g *Call[T]) add(t *simd.GemmTile, first bool, i, j int) {
	size := int(unsafe.Sizeof(g.Alpha))
	switch {
	case !first:
		t.D, t.RowD, t.Each = t.C, t.RowC, 0
	case g.D.P == nil:
		t.D = nil
	default:
		t.D, t.RowD, t.Each = g.D.at(i, j), g.D.RS*size, 0
		if g.D.CS != 1 {
			t.Each = 1
		}
	}
}

// Vectors is how many vectors a tile over count columns has, for products of m rows.
func Vectors[T Number](ks *simd.GemmKernels[T], m, count int) int {
	switch {
	case count <= ks.Lanes:
		return 1
	case count > 2*ks.Lanes && m <= ks.MaxRows[4]:
		return 4
	}
	return 2
}
