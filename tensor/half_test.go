package tensor

import (
	"math"
	"testing"
)

// halfValue reads a Half by the definition of binary16.
func halfValue(h uint16) float64 {
	sign, exp, frac := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}

func TestHalfAllValues(t *testing.T) {
	for i := range 1 << 16 {
		h := Half(i)
		want, got := halfValue(uint16(i)), float64(h.Float32())
		if math.IsNaN(want) {
			if !math.IsNaN(got) || !math.IsNaN(float64(ToHalf(h.Float32()).Float32())) {
				t.Fatalf("%#04x: %v, want NaN there and back", i, got)
			}
			continue
		}
		if got != want || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%#04x: %v, want %v", i, got, want)
		}
		if back := ToHalf(float32(want)); back != h {
			t.Fatalf("%#04x: comes back as %#04x", i, back)
		}
	}
}

// TestHalfRounds goes over the midpoints between neighbours, and the float32s beside them.
func TestHalfRounds(t *testing.T) {
	for i := range 0x7bff {
		lo, hi := halfValue(uint16(i)), halfValue(uint16(i+1))
		mid := float32((lo + hi) / 2) // exact
		even := Half(i + i&1)
		if got := ToHalf(mid); got != even {
			t.Fatalf("midpoint of %#04x: %#04x, want the even one, %#04x", i, got, even)
		}
		if got := ToHalf(math.Nextafter32(mid, 0)); got != Half(i) {
			t.Fatalf("below the midpoint of %#04x: %#04x", i, got)
		}
		if got := ToHalf(math.Nextafter32(mid, 70000)); got != Half(i+1) {
			t.Fatalf("above the midpoint of %#04x: %#04x", i, got)
		}
	}
	for _, c := range []struct {
		f    float32
		want Half
	}{{65504, 0x7bff}, {65519.99, 0x7bff}, {65520, 0x7c00}, {1e30, 0x7c00}, {-65520, 0xfc00}, {1e-9, 0}, {-1e-9, 0x8000},
		{0x1p-25, 0}, {0x1.000002p-25, 1}} {
		if got := ToHalf(c.f); got != c.want {
			t.Errorf("ToHalf(%v) = %#04x, want %#04x", c.f, got, c.want)
		}
	}
}

func TestBF16AllValues(t *testing.T) {
	for i := range 1 << 16 {
		b := BF16(i)
		f := b.Float32()
		if math.IsNaN(float64(f)) {
			if !math.IsNaN(float64(ToBF16(f).Float32())) {
				t.Fatalf("%#04x: NaN is lost", i)
			}
			continue
		}
		if back := ToBF16(f); back != b {
			t.Fatalf("%#04x: comes back as %#04x", i, back)
		}
		if i&0x7fff >= 0x7f80 {
			continue
		}
		mid := math.Float32frombits(uint32(i)<<16 | 0x8000)
		if got, even := ToBF16(mid), BF16(i+i&1); got != even {
			t.Fatalf("midpoint above %#04x: %#04x, want %#04x", i, got, even)
		}
		if got := ToBF16(math.Float32frombits(uint32(i)<<16 | 0x7fff)); got != b {
			t.Fatalf("below the midpoint of %#04x: %#04x", i, got)
		}
		if got := ToBF16(math.Float32frombits(uint32(i)<<16 | 0x8001)); got != b+1 {
			t.Fatalf("above the midpoint of %#04x: %#04x", i, got)
		}
	}
}
