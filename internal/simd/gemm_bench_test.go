package simd

import (
	"fmt"
	"testing"
	"unsafe"
)

// BenchmarkGemmTile: the largest tiles, for short and long sums.
func BenchmarkGemmTile(b *testing.B) {
	g := GemmFloat32
	for _, vecs := range []int{1, 2, 4} {
		for _, k := range []int{8, 64, 384} {
			rows, width := g.MaxRows[vecs], vecs*g.Lanes
			x, y, z := make([]float32, rows*(k+16)), make([]float32, k*width), make([]float32, rows*width)
			b.Run(fmt.Sprintf("%dx%dx%d", rows, width, k), func(b *testing.B) {
				t := GemmTile{A: unsafe.Pointer(&x[0]), RowA: (k + 16) * 4, ColA: 4, B: unsafe.Pointer(&y[0]), RowB: width * 4,
					C: unsafe.Pointer(&z[0]), RowC: width * 4, K: k, Cols: width}
				for b.Loop() {
					g.Tile(rows, vecs, &t)
				}
				b.ReportMetric(2*float64(rows*width*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
