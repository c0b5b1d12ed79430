package visualize

import (
	"time"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/runs"
)

// steady makes the clock count a microsecond each time it is read.
func steady(s *viewtest.Session) {
	SetClock(time.Microsecond)
	runs.SetMachine(&Machine{BytesPerSecond: 12.5e9, FlopsPerSecond: 900e9, Instructions: "avx512", Workers: 2,
		Streamed: 24 << 20, Nanos: 55e6})
	s.T.Cleanup(func() { SetClock(0) })
}

func init() {
	addExamples(
		exampleView{"flame", func(s *viewtest.Session) View {
			steady(s)
			x, w := s.Name("x", viewtest.Floats(16, 8)), s.Leaf("w", 1, 8, 4)
			return Flame(func() {
				for range 10 {
					s.At("In[2]", 1, "h")
					h := x.Matmul(w).Relu()
					s.At("In[2]", 2, "loss")
					loss := h.Square().Mean()
					s.At("In[2]", 3, "")
					loss.Backward()
				}
			})
		}},
		exampleView{"flame_workers", func(s *viewtest.Session) View {
			steady(s)
			t := &Trace{Nanos: 4e6, Recording: 12e3, Calls: []*TracedCall{
				{Op: "mm", Cell: "In[3]", Line: 1, Steps: []Step{{Key: "CPU", Kind: "kernel"}}, Start: 1e5, Nanos: 3e6,
					Kernel: 29e5, Moved: 12 << 20, Flops: 2 << 30,
					Inputs:  []Sized{{Dtype: "float32", Shape: []int{1024, 1024}}, {Dtype: "float32", Shape: []int{1024, 1024}}},
					Outputs: []Sized{{Dtype: "float32", Shape: []int{1024, 1024}}}},
				{Op: "add_", Cell: "In[3]", Line: 2, Steps: []Step{{Key: "CPU", Kind: "kernel"}}, Start: 32e5, Nanos: 7e5,
					Kernel: 68e4, Moved: 8 << 20, Flops: 1 << 20,
					Inputs:  []Sized{{Dtype: "float32", Shape: []int{1024, 1024}}, {Dtype: "float32", Shape: []int{}}},
					Outputs: []Sized{{Dtype: "float32", Shape: []int{1024, 1024}}}},
			}, Spans: []Span{{Worker: 0, Start: 2e5, Nanos: 28e5, Chunks: 40, Call: 0},
				{Worker: 1, Start: 3e5, Nanos: 26e5, Chunks: 38, Call: 0},
				{Worker: 2, Start: 15e5, Nanos: 1e6, Chunks: 18, Call: 0},
				{Worker: 0, Start: 33e5, Nanos: 6e5, Chunks: 20, Call: 1},
				{Worker: 1, Start: 33e5, Nanos: 2e5, Chunks: 8, Call: 1}}}
			v := t.Timing()
			v.Machine = Peak()
			return v
		}},
		exampleView{"flame_error", func(s *viewtest.Session) View {
			steady(s)
			v, _ := RecordFlame(func() { viewtest.Floats(2, 3).Exp().Add(viewtest.Floats(4)) })
			return v
		}},
		exampleView{"flame_none", func(s *viewtest.Session) View { steady(s); return Flame(func() {}) }},
	)
	anyTensorViews["flame"] = func(x *tensor.Tensor) View { return Flame(func() { x.Detach() }) }
}
