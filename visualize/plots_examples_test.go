package visualize

import (
	"math"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// series makes a tensor of n numbers.
func series(n int, f func(i int) float64) *tensor.Tensor {
	v := make([]float64, n)
	for i := range v {
		v[i] = f(i)
	}
	return tensor.FromSlice(v, n)
}

// curve is a loss that falls, with noise.
func curve(n int, floor float64) *tensor.Tensor {
	return series(n, func(i int) float64 {
		return (2*math.Exp(-6*float64(i)/float64(n)) + floor) * (1 + 0.2*(viewtest.Noise(i+int(1000*floor))-0.5))
	})
}

// spirals are points on two spirals, with a class for each.
func spirals(n int) (points, labels *tensor.Tensor) {
	p, l := make([]float32, 0, 4*n), make([]int64, 0, 2*n)
	for class := range int64(2) {
		for i := range n {
			r, a := float64(i)/float64(n), 4*float64(i)/float64(n)+math.Pi*float64(class)+0.3*viewtest.Noise(i)
			p, l = append(p, float32(r*math.Cos(a)), float32(r*math.Sin(a))), append(l, class)
		}
	}
	return tensor.FromSlice(p, 2*n, 2), tensor.FromSlice(l, 2*n)
}

func init() {
	addExamples(
		exampleView{"plot", func(s *viewtest.Session) View {
			return Plot(s.Name("loss", curve(200, 0.05)), Title("training"), XLabel("step"))
		}},
		exampleView{"plot_few", func(s *viewtest.Session) View {
			return Plot([]int{1, 2, 3, 4, 5}, []float64{1, 4, math.NaN(), 16, 25})
		}},
		exampleView{"plot_several", func(s *viewtest.Session) View {
			return Plot(curve(300, 0.02), "training", curve(300, 0.1), "validation", curve(300, 0.4), "<b>&\"", LogY(),
				XLabel("step"), YLabel("loss"))
		}},
		exampleView{"plot_many", func(s *viewtest.Session) View {
			x := series(1000000, func(i int) float64 { return math.Sin(float64(i)/1e5) + viewtest.Noise(i)/3 })
			return Plot(s.Name("x", x))
		}},
		exampleView{"plot_gaps", func(s *viewtest.Session) View {
			x := series(60, func(i int) float64 {
				switch {
				case i == 20 || i == 22:
					return math.Inf(1)
				case i > 35 && i < 45:
					return math.NaN()
				}
				return math.Cos(float64(i) / 8)
			})
			return Plot(s.Name("x", x), YRange(-0.8, 1.2))
		}},
		exampleView{"plot_circle", func(s *viewtest.Session) View {
			t := series(400, func(i int) float64 { return float64(i) / 400 * 2 * math.Pi })
			s.Typed = []string{"t.Cos()", "t.Sin().Mul(2)"}
			return Plot(t.Cos(), t.Sin().Mul(2).RequiresGrad_())
		}},
		exampleView{"plot_columns", func(s *viewtest.Session) View {
			return Plot(s.Name("h", tensor.FromSlice([]float32{0, 1, 2, 1, 2, 4, 2, 4, 8}, 3, 3)), Labels("a", "b"))
		}},
		exampleView{"scatter", func(s *viewtest.Session) View {
			x := series(300, func(i int) float64 { return viewtest.Noise(i) * 10 })
			return Scatter(s.Name("x", x),
				s.Name("y", x.Mul(2).Add(series(300, func(i int) float64 { return viewtest.Noise(i+7) * 5 }))))
		}},
		exampleView{"scatter_groups", func(s *viewtest.Session) View {
			p, l := spirals(150)
			return Scatter(s.Name("points", p), Groups(l), Labels("first", "second"), Title("two spirals"))
		}},
		exampleView{"scatter_cloud", func(s *viewtest.Session) View {
			x := series(200000, func(i int) float64 {
				return viewtest.Noise(i) + viewtest.Noise(i+1000003) + viewtest.Noise(i+5000001)
			})
			return Scatter(x, series(200000, func(i int) float64 { return viewtest.Noise(i+77) + viewtest.Noise(i+99) }))
		}},
		exampleView{"hist", func(s *viewtest.Session) View {
			return Hist(s.Name("w", series(5000, func(i int) float64 {
				return viewtest.Noise(i) + viewtest.Noise(3*i+1) + viewtest.Noise(7*i+2) - 1.5
			})))
		}},
		exampleView{"hist_two", func(s *viewtest.Session) View {
			a := series(2000, func(i int) float64 { return viewtest.Noise(i) + viewtest.Noise(3*i+1) })
			return Hist(a, "before", a.Mul(0.5).Add(1), "after", Bins(40), LogY())
		}},
		exampleView{"hist_labels", func(s *viewtest.Session) View {
			return Hist(tensor.FromSlice([]int64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}, 11), XLabel("digit"))
		}},
		exampleView{"hist_strange", func(s *viewtest.Session) View {
			return Hist([]float32{1, float32(math.NaN()), float32(math.Inf(-1)), 1, 1}, Title("one value"))
		}},
	)
}

func init() {
	addExamples(
		exampleView{"heatmap", func(s *viewtest.Session) View {
			return Heatmap(tensor.FromSlice([]float32{50, 2, 1, 4, 41, 7, 0, 9, 46}, 3, 3), Labels("cat", "dog", "<bird>"),
				XLabel("predicted"), YLabel("true"))
		}},
		exampleView{"heatmap_signs", func(s *viewtest.Session) View {
			x := series(32, func(i int) float64 { return math.Sin(float64(i)) }).View(4, 8)
			return Heatmap(s.Name("w", x))
		}},
		exampleView{"heatmap_special", func(s *viewtest.Session) View {
			return Heatmap([][]float64{{1, math.NaN(), 3}, {math.Inf(-1), 0.5, 0.25}}, Title("a & b"))
		}},
		exampleView{"heatmap_middle", func(s *viewtest.Session) View {
			return Heatmap(series(600, func(i int) float64 { return float64(i%30) * float64(i/30) }).View(20, 30))
		}},
		exampleView{"heatmap_large", func(s *viewtest.Session) View {
			return Heatmap(series(250000, func(i int) float64 {
				return math.Sin(float64(i%500)/40) * math.Cos(float64(i/500)/60)
			}).View(500, 500), Colormap("viridis"))
		}},
		exampleView{"heatmap_row", func(s *viewtest.Session) View { return Heatmap([]bool{true, false, true}) }},
	)
}

func init() {
	addExamples(
		exampleView{"imagegrid", func(s *viewtest.Session) View {
			x := series(6*3*12*16, func(i int) float64 {
				return math.Abs(math.Sin(float64(i%(12*16)) / float64(9+i/(12*16))))
			}).View(6, 3, 12, 16)
			return ImageGrid(s.Name("x", x), Columns(3), Labels("cat", "a very long name indeed", "<b>"), Title("first & last"))
		}},
		exampleView{"imagegrid_grey", func(s *viewtest.Session) View {
			x := series(10*8*8, func(i int) float64 { return float64(i%64) - float64(i/64) })
			return ImageGrid(x.View(10, 8, 8), Range(-10, 64), Padding(1))
		}},
	)
}
