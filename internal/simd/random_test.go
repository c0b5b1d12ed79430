package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// mtSeeded is the state that a seed gives.
func mtSeeded(seed uint32) *MTState {
	var s MTState
	s[0] = seed
	for i := 1; i < len(s); i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	return &s
}

// TestMT compares with the numbers that Matsumoto and Nishimura's reference implementation prints: the 10000th draw
// after the default seed, and, word by word, with the recurrence as it is written.
func TestMT(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		got, want := mtSeeded(5489), mtSeeded(5489)
		for range 17 {
			MTNext(got)
			for i := range want {
				y := want[i]&0x80000000 | want[(i+1)%624]&0x7fffffff
				v := want[(i+mtMiddle)%624] ^ y>>1
				if y&1 != 0 {
					v ^= 0x9908b0df
				}
				want[i] = v
			}
			if *got != *want {
				t.Fatal("the states differ")
			}
		}
		var draws MTState
		MTTemper(draws[:], got[:])
		if d := draws[9999%624]; d != 4123659995 {
			t.Errorf("draw 10000 is %d, want 4123659995", d)
		}
		for i, n := range lengths() {
			a, dst, expected := guarded[uint32](t, n, i%2 == 1), guarded[uint32](t, n, i%2 == 1), make([]uint32, n)
			for j := range a {
				a[j] = rand.Uint32()
			}
			MTTemper(dst, a)
			mtTemper(expected, a)
			if !slices.Equal(dst, expected) {
				t.Fatalf("tempering of %d words differs", n)
			}
		}
	})
}

func TestUniform(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			draws := guarded[uint32](t, 2*n, i%2 == 1)
			for j := range draws {
				draws[j] = rand.Uint32() | -uint32(j&1)>>uint(j%32)
			}
			if n > 3 {
				draws[0], draws[1], draws[2], draws[3] = 0, 0, math.MaxUint32, math.MaxUint32
			}
			got, want := guarded[float32](t, n, i%2 == 1), make([]float32, n)
			UniformFloat32(got, draws[:n], 1.7, -0.3)
			uniformFloat32(want, draws[:n], 1.7, -0.3)
			if !slices.Equal(got, want) {
				t.Fatalf("%d float32 differ", n)
			}
			got64, want64 := guarded[float64](t, n, i%2 == 1), make([]float64, n)
			UniformFloat64(got64, draws, 1.7, -0.3)
			uniformFloat64(want64, draws, 1.7, -0.3)
			if !slices.Equal(got64, want64) {
				t.Fatalf("%d float64 differ", n)
			}
		}
	})
}

// TestBoxMuller compares the kernels to the bit: in float32 for radii and angles of all 24-bit fractions (sampled in
// short tests), in float64 for random ones.
func TestBoxMuller(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 61
	}
	eachLevel(t, func(t *testing.T, l Level) {
		if l == Go {
			return
		}
		const n = 1 << 12
		x := guarded[float32](t, n, false)
		want := make([]float32, n)
		for at := 0; at < 1<<24; at += n / 2 * step {
			for j := range x { // radii grow, angles too
				x[j] = float32(min(at+(j/16*8+j%8)*step, 1<<24-1)) * 0x1p-24
			}
			copy(want, x)
			BoxMullerFloat32(x, 0.5, 2)
			boxMullerFloat32(want, 0.5, 2)
			for j := range x {
				if !same32(x[j], want[j]) {
					t.Fatalf("float32 %d of group at %d is %v, want %v", j, at, x[j], want[j])
				}
			}
		}
		y, want64 := guarded[float64](t, n, false), make([]float64, n)
		for range 20 {
			for j := range y {
				y[j] = float64(rand.Uint64()>>11) * 0x1p-53
			}
			y[0], y[8], y[1], y[9] = 0, 0, 1-0x1p-53, 1-0x1p-53
			y[2], y[10], y[3], y[11] = 0x1p-53, 0.125, 0.5, 0.25
			copy(want64, y)
			BoxMullerFloat64(y, 0.5, 2)
			boxMullerFloat64(want64, 0.5, 2)
			for j := range y {
				if !same64(y[j], want64[j]) {
					t.Fatalf("float64 %d is %v, want %v", j, y[j], want64[j])
				}
			}
		}
		for i, n := range lengths() {
			a, dst, expected := guarded[float64](t, n, i%2 == 1), guarded[float64](t, n, i%2 == 1), make([]float64, n)
			for j := range a {
				a[j] = float64(rand.Uint64()>>11) * 0x1p-53
			}
			Log1mFloat64(dst, a)
			log1mFloat64(expected, a)
			if !slices.Equal(dst, expected) {
				t.Fatalf("%d logarithms differ", n)
			}
		}
	})
}
