package runs

import (
	"fmt"
	"testing"

	"gotorch/tensor"
)

// What the log says of each call is what a fresh generator shows: the numbers from From to To are the ones that the
// call had.
func TestRNGDraws(t *testing.T) {
	WithDrawLog(func() {
		tensor.ManualSeed(5)
		x := tensor.Rand(7)
		tensor.With(tensor.Float64).Rand(3)
		y := tensor.Rand(4)
		v := RNG().Generators[0]
		if len(v.Draws) != 3 || v.Draws[0].To != 7 || v.Draws[1].To-v.Draws[1].From != 6 || v.Draws[2].To != 17 ||
			v.Drawn != 17 || v.Position != 17 {
			t.Fatal(RNG())
		}
		for _, c := range []struct {
			d Draw
			x *tensor.Tensor
		}{{v.Draws[0], x}, {v.Draws[2], y}} {
			tensor.NewGenerator(5).Draw(func(s *tensor.Source) {
				for range c.d.From {
					s.Uint32()
				}
				for i, want := range tensor.Data[float32](c.x) {
					if got := s.Float32(); got != want {
						t.Errorf("%s: number %d is %g, want %g", c.d.Op, i, got, want)
					}
				}
			})
		}
		before := fmt.Sprint(tensor.DefaultGenerator())
		RNG().HTML()
		if after := fmt.Sprint(tensor.DefaultGenerator()); after != before {
			t.Errorf("the view drew: %s, then %s", before, after)
		}
		for range 3 * keptDraws {
			tensor.Rand(1)
		}
		if n := len(drawLog.list); n > keptDraws {
			t.Errorf("the log holds %d draws", n)
		}
	})
}
