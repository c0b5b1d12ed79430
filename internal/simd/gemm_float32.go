package simd

import (
	"runtime"
	"unsafe"
)

// gemmFloat32 returns the portable micro-kernels of float32. Machines whose Go compiler fuses x*y + z to one
// instruction use the kernels of every type. Others add up in float64: in float32 each product would be rounded too,
// and results would be further off than those of the vector kernels.
func gemmFloat32() *GemmKernels[float32] {
	g := GemmGo[float32]()
	switch runtime.GOARCH {
	case "arm64", "loong64", "ppc64", "ppc64le", "riscv64", "s390x":
		return g
	}
	g.portableTile = func(t *GemmTile, rows int, indirect bool) {
		tileGo(t, rows, indirect, tileSums[float32]{blockFloat32, indirectFloat32, columnFloat32})
	}
	g.portableDots = func(t *GemmTile, rows, cols int) { dotsGo(t, rows, cols, dotFloat32) }
	g.portableAdd = addRowsFloat32
	return g
}

// load64 reads a float32 at an offset.
func load64(p unsafe.Pointer, off int) float64 { return float64(load[float32](p, off)) }

// blockFloat32 is blockGo with sums in float64.
func blockFloat32(t *GemmTile, a0, a1, b int) [8]float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	pa, pb, colA, rowB := t.A, t.B, t.ColA, t.RowB
	for range t.K {
		x, y := load64(pa, a0), load64(pa, a1)
		b0 := load64(pb, b)
		s0 += x * b0
		s4 += y * b0
		b1 := load64(pb, b+4)
		s1 += x * b1
		s5 += y * b1
		b2 := load64(pb, b+8)
		s2 += x * b2
		s6 += y * b2
		b3 := load64(pb, b+12)
		s3 += x * b3
		s7 += y * b3
		a0, a1, b = a0+colA, a1+colA, b+rowB
	}
	return rounded(s0, s1, s2, s3, s4, s5, s6, s7)
}

func rounded(s0, s1, s2, s3, s4, s5, s6, s7 float64) [8]float32 {
	return [8]float32{float32(s0), float32(s1), float32(s2), float32(s3), float32(s4), float32(s5),
		float32(s6), float32(s7)}
}

// indirectFloat32 is indirectGo with sums in float64.
func indirectFloat32(t *GemmTile, a0, a1, b int) [8]float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	offA, offB := unsafe.Slice(t.OffA, t.K), unsafe.Slice(t.OffB, t.K)
	pa, pb := t.A, t.B
	for k, oa := range offA {
		x, y := load64(pa, a0+int(oa)), load64(pa, a1+int(oa))
		at := b + int(offB[k])
		b0, b1, b2, b3 := load64(pb, at), load64(pb, at+4), load64(pb, at+8), load64(pb, at+12)
		s0 += x * b0
		s4 += y * b0
		s1 += x * b1
		s5 += y * b1
		s2 += x * b2
		s6 += y * b2
		s3 += x * b3
		s7 += y * b3
	}
	return rounded(s0, s1, s2, s3, s4, s5, s6, s7)
}

// columnFloat32 is columnGo with sums in float64.
func columnFloat32(t *GemmTile, a0, a1, b int, indirect bool) (float32, float32) {
	var s0, s1 float64
	for k := range t.K {
		oa, ob := t.offsets(k, indirect)
		v := load64(t.B, b+ob)
		s0 += load64(t.A, a0+oa) * v
		s1 += load64(t.A, a1+oa) * v
	}
	return float32(s0), float32(s1)
}

// dotFloat32 is dotGo with sums in float64.
func dotFloat32(a, b []float32) float32 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float64(a[0]) * float64(b[0])
		s1 += float64(a[1]) * float64(b[1])
		s2 += float64(a[2]) * float64(b[2])
		s3 += float64(a[3]) * float64(b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += float64(a[i]) * float64(b[i])
	}
	return float32((s0 + s1) + (s2 + s3))
}

// addRowsFloat32 is addRowsGo with sums in float64.
func addRowsFloat32(y, w unsafe.Pointer, rowW int, x unsafe.Pointer, rows, n int) {
	dst, f := unsafe.Slice((*float32)(y), n), unsafe.Slice((*float32)(x), rows)
	for i := range dst {
		s := float64(dst[i])
		for q, v := range f {
			s += float64(v) * load64(w, q*rowW+4*i)
		}
		dst[i] = float32(s)
	}
}
