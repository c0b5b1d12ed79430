package gemm

import (
	"unsafe"

	"gotorch/internal/simd"
)

// AddDots adds to each of y the product of a row of a with x. Rows are ld elements apart and have as many elements as
// x. It runs on the calling goroutine alone.
func (w *Work[T]) AddDots(y, a []T, ld int, x []T) {
	if len(x) == 0 || len(y) == 0 {
		return
	}
	_ = a[(len(y)-1)*ld+len(x)-1]
	ks := Kernels[T]()
	size := int(unsafe.Sizeof(x[0]))
	w.Tile.RowA, w.Tile.RowB, w.Tile.K = ld*size, len(x)*size, len(x)
	w.Tile.B = unsafe.Pointer(&x[0])
	for i := 0; i < len(y); {
		w.Tile.A = unsafe.Pointer(&a[i*ld])
		rows := min(ks.MaxDots[0], len(y)-i)
		sums := w.Sums[:rows]
		if groups := min(len(y)-i, len(w.dots)) / 4; groups > 1 {
			sums = w.dots[:4*groups]
			w.Tile.Cols, w.Tile.C = groups, unsafe.Pointer(&sums[0])
			rows = 4
		} else {
			w.Tile.Cols, w.Tile.C = 1, unsafe.Pointer(&sums[0])
		}
		ks.Dots(rows, 1, &w.Tile)
		for r, s := range sums {
			y[i+r] += s
		}
		i += len(sums)
	}
	w.Tile = simd.GemmTile{}
}

// AddRows adds to y the rows of a, which are ld elements apart, times the elements of x, which are inc apart: count of
// them. It runs on the calling goroutine alone.
func (w *Work[T]) AddRows(y, a []T, ld int, x []T, inc, count int) {
	ks := Kernels[T]()
	for i := 0; i < count; {
		rows := 1
		if count-i >= 4 {
			rows = 4
		}
		for r := range rows {
			w.Sums[r] = x[(i+r)*inc]
		}
		ks.AddRows(y, a[i*ld:], ld, w.Sums[:rows])
		i += rows
	}
}
