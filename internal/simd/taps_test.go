package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTaps compares rows of every length with the Go form: taps at both ends, none, and elements that are no numbers.
func TestTaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	eachLevel(t, func(t *testing.T, l Level) {
		for cols := 1; cols <= 130; cols++ {
			reach, taps := 1+rng.IntN(140), 1+rng.IntN(5)
			src := guarded[float32](t, reach, cols%2 == 0)
			for i := range src {
				if src[i] = rng.Float32() - 0.5; rng.IntN(40) == 0 {
					src[i] = specials32[rng.IntN(len(specials32))]
				}
			}
			list := make([]Tap, cols*taps)
			given := make([]bool, len(list))
			for i := range list {
				// taps of a block lie close together
				from := (i / taps / tapBlock * 37) % reach
				list[i] = Tap{from + rng.IntN(min(TapSpan, reach-from)), rng.Float32()}
				given[i] = rng.IntN(6) > 0
			}
			for _, weighted := range []bool{false, true} {
				of := 1
				if weighted {
					of = taps
				}
				r := NewTapRow(cols, of, reach, weighted, func(j, k int) (Tap, bool) {
					return list[j*taps+k], given[j*taps+k]
				})
				if r == nil {
					t.Fatal("taps within the span are refused")
				}
				f, plain := PickTapsFloat32, pickTaps
				if weighted {
					f, plain = SumTapsFloat32, sumTaps
				}
				got, want := guarded[float32](t, cols, false), make([]float32, cols)
				f(got, src, r)
				plain(want, src, r)
				for j := range got {
					if math.Float32bits(got[j]) != math.Float32bits(want[j]) && got[j] == got[j] {
						t.Fatalf("%d results of %d taps: result %d is %v, want %v", cols, taps, j, got[j], want[j])
					}
				}
			}
		}
	})
	far := func(j, _ int) (Tap, bool) { return Tap{At: j * TapSpan}, true }
	if NewTapRow(2, 1, 1000, false, far) != nil {
		t.Fatal("taps that lie too far apart are taken")
	}
}
