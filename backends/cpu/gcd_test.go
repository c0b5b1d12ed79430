package cpu

import (
	"math"
	"math/rand/v2"
	"testing"
)

func checkGCD[T integer](t *testing.T, a, b T) {
	t.Helper()
	if got, want := gcd(a, b), gcdByDivision(absInt(a), absInt(b)); got != want {
		t.Errorf("gcd(%d, %d) is %d, want %d", a, b, got, want)
	}
}

// TestGCD: differences and shifts find what divisions find, for all bytes and for long numbers.
func TestGCD(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			checkGCD(t, uint8(a), uint8(b))
			checkGCD(t, int8(a), int8(b))
		}
	}
	edges := []int64{0, 1, 2, 3, 6, 1 << 20, 1<<20 - 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 62, -1, -12}
	for _, a := range edges {
		for _, b := range edges {
			checkGCD(t, a, b)
			checkGCD(t, int32(a), int32(b))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := int64(r.Uint64()>>r.IntN(64)), int64(r.Uint64()>>r.IntN(64))
		checkGCD(t, a, b)
		common := int64(r.IntN(1 << 20))
		checkGCD(t, common*int64(r.IntN(1<<20)), common*int64(r.IntN(1<<20)))
	}
}
