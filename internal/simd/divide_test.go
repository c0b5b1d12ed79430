package simd

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestMod32 compares with math.Mod: special values, neighbours of multiples, and random bits.
func TestMod32(t *testing.T) {
	check := func(a, b float32) {
		t.Helper()
		got, want := float64(Mod(a, b)), math.Mod(float64(a), float64(b))
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Errorf("the remainder of %v by %v is %v, want %v", a, b, got, want)
		}
	}
	inf := float32(math.Inf(1))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 3, -3, 0.1, 5.5, inf, -inf, float32(math.NaN()),
		math.MaxFloat32, math.SmallestNonzeroFloat32,
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

// TestMod64 compares Mod of float64 with math.Mod.
func TestMod64(t *testing.T) {
	check := func(a, b float64) {
		t.Helper()
		got, want := Mod(a, b), math.Mod(a, b)
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Errorf("the remainder of %v by %v is %v, want %v", a, b, got, want)
		}
	}
	for _, a := range specials64 {
		for _, b := range specials64 {
			check(a, b)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		check(math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64()))
		b := r.Float64()*10 - 5
		k := float64(r.Int64N(1 << 53))
		for _, a := range []float64{k * b, math.Nextafter(k*b, 1e300), math.Nextafter(k*b, -1e300),
			float64(r.IntN(1000)) * b} {
			check(a, b)
			check(-a, b)
		}
	}
}

// TestDivideLong compares the quotients and remainders of int64 where they are hardest: close to multiples, and near
// the ends.
func TestDivideLong(t *testing.T) {
	eachLevel(t, func(t *testing.T, _ Level) {
		r := rand.New(rand.NewPCG(3, 4))
		const n = 4096
		a, b, got, want := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
		for i := range a {
			b[i] = r.Int64()>>r.IntN(63) | 1
			if i%2 == 0 {
				b[i] = -b[i]
			}
			a[i] = r.Int64()/b[i]*b[i] + int64(r.IntN(3)-1)
			switch i % 16 {
			case 1:
				a[i] = math.MinInt64 + int64(r.IntN(3))
			case 2:
				b[i] = math.MinInt64 + int64(r.IntN(3))
			case 3:
				a[i], b[i] = math.MaxInt64-int64(r.IntN(3)), math.MaxInt64-int64(r.IntN(3))
			}
		}
		p := func(s []int64) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }
		for _, name := range []string{"div_trunc", "floor_divide", "fmod", "remainder"} {
			Get(name+" int64")(n, p(got), p(a), p(b), nil, nil)
			kernels[name+" int64"].portable(n, p(want), p(a), p(b), nil, nil)
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%s of %d and %d is %d, want %d", name, a[i], b[i], got[i], want[i])
				}
			}
		}
	})
}
