package visualize

import (
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"explore", func(s *viewtest.Session) View { return Explore(s.Name("x", viewtest.Floats(3, 4))) }},
		exampleView{"explore_vector", func(s *viewtest.Session) View {
			s.Typed = []string{"x[::-1]"}
			return Explore(viewtest.Window(tensor.Arange(8), []int{8}, []int{-1}, 7))
		}},
		exampleView{"explore_large", func(s *viewtest.Session) View {
			s.Typed = []string{"x[40:] * <2>"}
			return Explore(tensor.Arange(1000).View(100, 10).Narrow(0, 40, 20))
		}},
		exampleView{"explore_image", func(s *viewtest.Session) View {
			return Explore(s.Name("img", tensor.Arange(3*224*224).View(3, 224, 224)))
		}},
		exampleView{"explore_scalar", func(s *viewtest.Session) View {
			return Explore(viewtest.Window(tensor.Arange(3), nil, nil, 1))
		}},
		exampleView{"explore_meta", func(s *viewtest.Session) View {
			return Explore(tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta)).Expand(1<<40).Contiguous().
				View(1<<20, 1<<20))
		}},
		exampleView{"explore_empty", func(s *viewtest.Session) View { return Explore(tensor.Ones(0, 3)) }},
	)
}

// TestExploreFrames: each frame has the geometry of the expression that it is called by.
func TestExploreFrames(t *testing.T) {
	viewtest.NewSession(t).Typed = []string{"x"}
	x := viewtest.Floats(3, 5)
	want := map[string]*tensor.Tensor{
		"x": x, "x.T()": x.T(), "x[:, ::-1]": viewtest.Window(x, []int{3, 5}, []int{5, -1}, 4),
		"x[:, ::2]": x.Slice(opt.Dim(1), opt.Step(2)), "x[:, 1]": x.Select(1, 1),
		"x.Unfold(-1, 3, 1)": x.Unfold(-1, 3, 1), "x.Diagonal()": x.Diagonal(),
		"x[:1].Expand(3, 5)": x.Narrow(0, 0, 1).Expand(3, 5),
		"storage":            x.Flatten(),
	}
	e := Explore(x)
	for _, f := range e.Frames {
		w := want[f.Title]
		if w == nil {
			t.Errorf("%s is not expected", f.Title)
			continue
		}
		if !slices.Equal(f.Shape, w.Shape()) || !slices.Equal(f.Stride, w.Stride()) || f.Offset != w.StorageOffset() {
			t.Errorf("%s: shape %v stride %v offset %d, want %v %v %d", f.Title, f.Shape, f.Stride, f.Offset, w.Shape(),
				w.Stride(), w.StorageOffset())
		}
		delete(want, f.Title)
	}
	if len(want) > 0 {
		t.Errorf("no frames of %v", want)
	}
}
