package tensor

import (
	"math"
	"testing"
)

// reference8 rounds by looking through all 256 numbers of a format: the nearest wins, of two the one with an even
// pattern. limit is the first magnitude that is not a number of the format any more, as if it went on.
func reference8(f float64, values *[256]float32, limit float64, above uint8) uint8 {
	sign := uint8(0)
	if math.Signbit(f) {
		sign = 0x80
	}
	a := math.Abs(f)
	best, off := above, math.Abs(limit-a)
	if a > limit {
		off = 0
	}
	for i := range uint8(128) {
		v := float64(values[i])
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if d := math.Abs(v - a); d < off || d == off && i&1 == 0 {
			best, off = i, d
		}
	}
	return sign | best
}

// TestFloat8 converts every float16 and every pattern of the two formats of 8 bits, and their neighbours in float32.
func TestFloat8(t *testing.T) {
	for _, c := range []struct {
		name   string
		values *[256]float32
		limit  float64
		above  uint8
		to     func(float32) uint8
		most   float32
		tiny   float32
	}{
		{"e4m3fn", &e4m3fnValues, 480, 0x7f, func(f float32) uint8 { return uint8(ToF8E4M3FN(f)) }, 448, 0x1p-9},
		{"e5m2", &e5m2Values, 65536, 0x7c, func(f float32) uint8 { return uint8(ToF8E5M2(f)) }, 57344, 0x1p-16},
	} {
		check := func(f float32) {
			t.Helper()
			if f != f {
				if got := c.values[c.to(f)]; got == got {
					t.Fatalf("%s: NaN became %v", c.name, got)
				}
				return
			}
			if got, want := c.to(f), reference8(float64(f), c.values, c.limit, c.above); got != want {
				t.Fatalf("%s: %v became %#x, want %#x", c.name, f, got, want)
			}
		}
		for i := range 1 << 16 {
			check(Half(i).Float32())
		}
		most, tiny := float32(0), float32(math.Inf(1))
		for i, v := range c.values {
			if v == v && c.to(v) != uint8(i) {
				t.Errorf("%s: %v, the number of %#x, became %#x", c.name, v, i, c.to(v))
			}
			if v > 0 && !math.IsInf(float64(v), 0) {
				most, tiny = max(most, v), min(tiny, v)
				for j := range c.values { // the middle of two, and beside it
					mid := (v + c.values[j]) / 2
					check(mid)
					check(math.Nextafter32(mid, 1e9))
					check(-math.Nextafter32(mid, 0))
				}
			}
		}
		if most != c.most || tiny != c.tiny {
			t.Errorf("%s: the greatest number is %v and the least %v, want %v and %v", c.name, most, tiny, c.most, c.tiny)
		}
		check(float32(math.Inf(1)))
		check(float32(math.Inf(-1)))
	}
}
