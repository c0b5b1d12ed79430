package cpu

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMod32 compares with math.Mod: special values, neighbours of multiples, and random bits.
func TestMod32(t *testing.T) {
	check := func(a, b float32) {
		t.Helper()
		got, want := mod32(float64(a), float64(b)), math.Mod(float64(a), float64(b))
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Errorf("the remainder of %v by %v is %v, want %v", a, b, got, want)
		}
	}
	inf := float32(math.Inf(1))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 3, -3, 0.1, 5.5, inf, -inf, float32(math.NaN()), math.MaxFloat32, math.SmallestNonzeroFloat32,
		0x1p-126, 1 << 24, 0x1p100}
	for _, a := range special {
		for _, b := range special {
			check(a, b)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		check(math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()))
		b := r.Float32()*10 - 5
		k := float32(r.IntN(1 << 20))
		for _, a := range []float32{k * b, math.Nextafter32(k*b, inf), math.Nextafter32(k*b, -inf)} {
			check(a, b)
			check(-a, b)
		}
	}
}
