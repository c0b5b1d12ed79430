package simd

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// bfloat is the number of 16 bits of bfloat16.
func bfloat(b uint16) float64 { return float64(math.Float32frombits(uint32(b) << 16)) }

// bitsOf rounds a number towards 0 to the bits of bfloat16.
func bitsOf(f float64) uint16 { return uint16(math.Float32bits(float32(f)) >> 16) }

// TestGemmPairs compares the micro-kernels of pairs with sums in float64: all numbers of rows, vectors and columns.
func TestGemmPairs(t *testing.T) {
	if GemmPairs == nil {
		t.Skip("the CPU has no AVX512_BF16, or may not use it")
	}
	g, rng := GemmPairs, rand.New(rand.NewPCG(1, 2))
	for _, vecs := range []int{1, 2, 4} {
		for rows := 1; rows <= g.MaxRows[vecs]; rows++ {
			for cols := 1; cols <= vecs*g.Lanes; cols++ {
				k := 1 + rng.IntN(9)
				a, b := guarded[uint16](t, 2*rows*k, false), guarded[uint16](t, 2*k*cols, false)
				for _, s := range [][]uint16{a, b} {
					for i := range s {
						s[i] = bitsOf(rng.NormFloat64())
					}
				}
				c, old := guarded[float32](t, rows*cols, false), make([]float32, rows*cols)
				for i := range c {
					c[i] = rng.Float32()
				}
				copy(old, c)
				alpha := float32(0.5)
				tile := GemmTile{A: unsafe.Pointer(&a[0]), RowA: 4 * k, ColA: 4, B: unsafe.Pointer(&b[0]), RowB: 4 * cols,
					C: unsafe.Pointer(&c[0]), RowC: 4 * cols, K: k, Cols: cols, Alpha: unsafe.Pointer(&alpha)}
				if cols%2 == 0 {
					tile.D, tile.RowD = tile.C, tile.RowC
				}
				g.Tile(rows, vecs, &tile)
				for i := range rows {
					for j := range cols {
						want := 0.0
						for q := range k {
							for part := range 2 {
								want += bfloat(a[2*(i*k+q)+part]) * bfloat(b[2*(q*cols+j)+part])
							}
						}
						want *= 0.5
						if cols%2 == 0 {
							want += float64(old[i*cols+j])
						}
						if got := float64(c[i*cols+j]); !(math.Abs(got-want) <= 1e-5) {
							t.Fatalf("%d rows, %d vectors, %d columns: (%d, %d) is %v, want %v", rows, vecs, cols, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

// TestPairRows: rows become pairs, for all lengths of tails, and nothing behind them is read or written.
func TestPairRows(t *testing.T) {
	if GemmPairs == nil {
		t.Skip("the CPU has no AVX512_BF16, or may not use it")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 131 {
		a, b, dst := guarded[uint16](t, n, false), guarded[uint16](t, n, false), guarded[float32](t, n, false)
		for i := range n {
			a[i], b[i] = uint16(rng.Uint32()), uint16(rng.Uint32())
		}
		PairRows(dst, a, b)
		for i, x := range dst {
			if got, want := math.Float32bits(x), uint32(a[i])|uint32(b[i])<<16; got != want {
				t.Fatalf("pair %d of %d is %#x, want %#x", i, n, got, want)
			}
		}
	}
}
