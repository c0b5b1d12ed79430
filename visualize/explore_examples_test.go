package visualize

import (
	"math/rand/v2"
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
		exampleView{"explore_scalar", func(s *viewtest.Session) View { return Explore(viewtest.Window(tensor.Arange(3), nil, nil, 1)) }},
		exampleView{"explore_meta", func(s *viewtest.Session) View {
			return Explore(tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta)).Expand(1<<40).Contiguous().View(1<<20, 1<<20))
		}},
		exampleView{"explore_empty", func(s *viewtest.Session) View { return Explore(tensor.Ones(0, 3)) }},
	)
}

// TestExploreFrames: each frame has the geometry of the expression that it is called by.
func TestExploreFrames(t *testing.T) {
	viewtest.NewSession(t).Typed = []string{"x"}
	x := viewtest.Floats(3, 5)
	want := map[string]*tensor.Tensor{
		"x": x, "x.T()": x.T(), "x[:, ::-1]": viewtest.Window(x, []int{3, 5}, []int{5, -1}, 4), "x[:, ::2]": x.Slice(opt.Dim(1), opt.Step(2)), "x[:, 1]": x.Select(1, 1),
		"x.Unfold(-1, 3, 1)": x.Unfold(-1, 3, 1), "x.Diagonal()": x.Diagonal(), "x[:1].Expand(3, 5)": x.Narrow(0, 0, 1).Expand(3, 5),
		"storage": x.Flatten(),
	}
	e := Explore(x)
	for _, f := range e.Frames {
		w := want[f.Title]
		if w == nil {
			t.Errorf("%s is not expected", f.Title)
			continue
		}
		if !slices.Equal(f.Shape, w.Shape()) || !slices.Equal(f.Stride, w.Stride()) || f.Offset != w.StorageOffset() {
			t.Errorf("%s: shape %v stride %v offset %d, want %v %v %d", f.Title, f.Shape, f.Stride, f.Offset, w.Shape(), w.Stride(), w.StorageOffset())
		}
		delete(want, f.Title)
	}
	if len(want) > 0 {
		t.Errorf("no frames of %v", want)
	}
}

// TestExploreLimits moves one slider after the other, to anywhere within its limits, and to just beyond: what is within stays inside of the
// storage, and what is beyond does not.
func TestExploreLimits(t *testing.T) {
	viewtest.NewSession(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rank := r.IntN(5)
		f := ExploreFrame{Offset: r.IntN(24)}
		for range rank {
			f.Shape, f.Stride = append(f.Shape, 1), append(f.Stride, r.IntN(17)-8)
		}
		n := 24
		inside := func() bool { lo, hi := f.reach(); return lo >= 0 && hi < n }
		try := func(at *int, ends [2]int, hard bool) {
			was := *at
			if ends[0] > was || ends[1] < was {
				t.Fatalf("%v: where it stands, %d, is not within its own limits %v", f, was, ends)
			}
			for _, v := range ends {
				if *at = v; !inside() {
					t.Fatalf("%v leaves the storage within limits %v", f, ends)
				}
			}
			if *at = ends[1] + 1; hard && inside() {
				t.Fatalf("%v is inside beyond the limit %v", f, ends)
			}
			*at = was
			*at = ends[0] + r.IntN(ends[1]-ends[0]+1)
		}
		for range 20 {
			try(&f.Offset, f.offsets(n), true)
			if rank == 0 {
				continue
			}
			d := r.IntN(rank)
			try(&f.Shape[d], f.limitsOf(d, n).size, f.Stride[d] != 0)
			ends := f.limitsOf(d, n).stride
			try(&f.Stride[d], ends, ends[1] < maxStride)
			if _, hi := f.reach(); hi < n {
				n = hi + 1 + r.IntN(24-hi)
			}
		}
	}
}
