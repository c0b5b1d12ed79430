package visualize

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/runs"
)

func init() {
	addExamples(
		exampleView{"rng", func(s *viewtest.Session) (v View) {
			runs.WithDrawLog(func() {
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
			runs.WithDrawLog(func() {
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
			runs.WithDrawLog(func() {
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
