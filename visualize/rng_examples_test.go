package visualize

import (
	"fmt"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// logging runs f with an empty log of draws.
func logging(f func()) {
	drawLog.Lock()
	old, on := drawLog.list, drawLog.on
	drawLog.list, drawLog.on = nil, true
	drawLog.Unlock()
	tensor.WatchDraws(logDraw)
	defer func() {
		tensor.WatchDraws(nil)
		drawLog.Lock()
		drawLog.list, drawLog.on = old, on
		drawLog.Unlock()
	}()
	f()
}

func init() {
	addExamples(
		exampleView{"rng", func(s *viewtest.Session) (v View) {
			logging(func() {
				tensor.ManualSeed(0)
				s.At("In[1]", 1, "x")
				tensor.Rand(3, 4)
				s.At("In[1]", 2, "y")
				tensor.Randn(3)
				s.At("In[2]", 1, "")
				tensor.Dropout(tensor.Ones(50))
				v = RNG()
			})
			return v
		}},
		exampleView{"rng_seeded", func(s *viewtest.Session) (v View) {
			s.Typed = []string{"<g>"}
			logging(func() {
				g := tensor.NewGenerator(7)
				x := tensor.Zeros(500)
				x.Uniform_(opt.Generator(g))
				x.Uniform_(opt.Generator(g))
				g.ManualSeed(8)
				x.Normal_(opt.Generator(g))
				g.Draw(func(s *tensor.Source) { s.Uint64() })
				for range 70 {
					x.Narrow(0, 0, 5).Uniform_(opt.Generator(g))
				}
				v = RNG(g)
			})
			return v
		}},
		exampleView{"rng_since", func(s *viewtest.Session) (v View) {
			logging(func() {
				tensor.ManualSeed(1)
				tensor.Rand(3)
				tensor.ManualSeed(2)
				v = RNG()
			})
			return v
		}},
		exampleView{"rng_new", func(s *viewtest.Session) View { return RNG(tensor.NewGenerator(1)) }},
	)
}

// What the log says of each call is what a fresh generator shows: the numbers from From to To are the ones that the call had.
func TestRNGDraws(t *testing.T) {
	logging(func() {
		tensor.ManualSeed(5)
		x := tensor.Rand(7)
		tensor.With(tensor.Float64).Rand(3)
		y := tensor.Rand(4)
		v := RNG().Generators[0]
		if len(v.Draws) != 3 || v.Draws[0].To != 7 || v.Draws[1].To-v.Draws[1].From != 6 || v.Draws[2].To != 17 || v.Drawn != 17 || v.Position != 17 {
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
