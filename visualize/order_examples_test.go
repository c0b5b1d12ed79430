package visualize

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"order", func(s *viewtest.Session) View { return Order(s.Name("x", viewtest.Floats(12, 16))) }},
		exampleView{"order_layouts", func(s *viewtest.Session) View {
			x := viewtest.Floats(1, 3, 4, 4)
			s.Typed = []string{"x", "x.Contiguous(channels_last)"}
			return Order(x, x.Contiguous(opt.MemoryFormat(tensor.ChannelsLast)))
		}},
		exampleView{"order_views", func(s *viewtest.Session) View {
			x := tensor.Arange(16).To(tensor.Int8)
			s.Typed = []string{"backwards", "expanded", "nothing"}
			return Order(viewtest.Window(x, []int{8}, []int{-2}, 15), viewtest.Window(x, []int{3, 4}, []int{0, 4}, 1),
				viewtest.Window(x, []int{0, 2}, []int{2, 1}, 0))
		}},
		exampleView{"order_long", func(s *viewtest.Session) View {
			s.Typed = []string{"<x>"}
			return Order(tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta)).Expand(1<<20, 1<<10).Contiguous())
		}},
	)
	anyTensorViews["order"] = func(x *tensor.Tensor) View { return Order(x) }
}

// TestOrderCounts holds the counts against what is known of walks through a matrix whose rows are one line each.
func TestOrderCounts(t *testing.T) {
	viewtest.NewSession(t)
	m := Order(viewtest.Floats(16, 16))
	rows, columns := &m.Walks[0], &m.Walks[1]
	if rows.Fetched[0] != 16 || rows.Fetched[1] != 16 || rows.Jumps != 0 || rows.Used != 1024 || rows.Touched != 16 {
		t.Errorf("rows: %+v", rows)
	}
	if columns.Fetched[0] != 256 || columns.Fetched[1] != 16 || columns.Jumps != 15 {
		t.Errorf("columns: fetched %v, %d jumps", columns.Fetched, columns.Jumps)
	}
	if h := columns.Hops[0]; h != (Hop{Bytes: 64, Times: 240}) {
		t.Errorf("columns step by %+v", columns.Hops)
	}
	if c := columns.Lines[2].Cells; c[0] != "3" || c[1] != "19" {
		t.Errorf("the third line is touched by %v", c)
	}
	// as many lines as fit are fetched once, one more and each is fetched every time
	for n, want := range map[int]int{8: 8, 9: 9 * 16} {
		if got := Order(viewtest.Floats(n, 16)).Walks[1].Fetched[0]; got != want {
			t.Errorf("columns of %d rows: %d lines fetched, want %d", n, got, want)
		}
	}
	expanded := Order(viewtest.Floats(1).Expand(100)).Walks[0]
	if expanded.Fetched[0] != 1 || expanded.Used != 4 || expanded.Lines[0].Cells[0] != "1×100" {
		t.Errorf("one element a hundred times: %+v", expanded)
	}
}
