package simd

import (
	"math"
	"testing"
)

// levels are those that this machine can run, portable Go first.
func levels() []Level {
	var ls []Level
	for l := Go; l <= best; l++ {
		ls = append(ls, l)
	}
	return ls
}

// eachLevel runs f as a subtest with the kernels bound to each level that this machine can run, capped by nothing.
func eachLevel(t *testing.T, f func(t *testing.T, l Level)) {
	t.Helper()
	was := Current()
	defer use(was)
	for _, l := range levels() {
		use(l)
		t.Run(l.String(), func(t *testing.T) { f(t, l) })
	}
}

// lengths are all tail lengths of the widest vectors and unrollings, and some beyond.
func lengths() []int {
	var ns []int
	for n := range 131 {
		ns = append(ns, n)
	}
	return append(ns, 255, 256, 257, 1000, 1023, 4099)
}

// specials32 are the float32 values that kernels get wrong first.
var specials32 = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)),
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-127, -0x1p-127, 0x1p-126, math.MaxFloat32,
	-math.MaxFloat32,
	0.5, -0.5, 1.5, -1.5, 2.5, 0.1, -0.1, 1e-8, -1e-8, 88.7, -88.7, 89, -104, 1 << 23, 1<<24 + 2, -(1 << 31), 3.1415927,
}

// specials64 are the float64 values that kernels get wrong first.
var specials64 = []float64{
	0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1),
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1023, -0x1p-1023, 0x1p-1022, math.MaxFloat64,
	-math.MaxFloat64,
	0.5, -0.5, 1.5, -1.5, 2.5, 0.1, -0.1, 1e-17, -1e-17, 709.7, -709.7, 710, -746, 1 << 52, 1<<53 + 2,
	-(1 << 63), math.Pi,
}

// same32 reports whether two values are the same to the bit, all NaNs being the same.
func same32(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// same64 is same32 for float64.
func same64(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
