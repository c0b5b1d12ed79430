package visualize

import (
	"gotorch/internal/streams"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// recorded is what a function that the example device watches leaves as its recording.
var recorded *streams.Recording

// stored is what the example device says of its memory, and placed where tensors lie in the first segment.
var (
	stored streams.Memory
	placed map[*tensor.Tensor]int
)

func init() {
	streams.Register(streams.Source{
		Watch: func(f func()) (r *streams.Recording, panicked any) {
			recorded = nil
			defer func() {
				if r = recorded; r == nil {
					r = new(streams.Recording)
				}
				panicked = recover()
			}()
			f()
			return
		},
		Memory: func(d tensor.Device) (streams.Memory, bool) { return stored, d.Type() == "kept" },
		Place: func(x *tensor.Tensor) (int, int, bool) {
			at, ok := placed[x]
			return 0, at, ok
		},
	})
	addExamples(
		exampleView{"timeline", func(s *viewtest.Session) View {
			steady(s)
			return Timeline(func() { recorded = overlapping() })
		}},
		exampleView{"timeline_early", func(s *viewtest.Session) View {
			steady(s)
			return Timeline(func() { recorded = tooEarly(streams.Read, false) })
		}},
		exampleView{"timeline_changed", func(s *viewtest.Session) View {
			steady(s)
			return Timeline(func() { recorded = tooEarly(streams.Write, true) })
		}},
		exampleView{"timeline_long", func(s *viewtest.Session) View {
			steady(s)
			return Timeline(func() { recorded = many(400) })
		}},
		exampleView{"timeline_error", func(s *viewtest.Session) View {
			steady(s)
			v, _ := RecordTimeline(func() {
				recorded = tooEarly(streams.Read, false)
				panic(tensor.Errorf("index_select", "index 7 is out of bounds"))
			})
			return v
		}},
		exampleView{"timeline_none", func(s *viewtest.Session) View { steady(s); return Timeline(func() {}) }},
	)
}

// span is what a lane did; line 0 is no place.
func span(lane, op, kind string, line int, asked, begin, end int64) *streams.Span {
	s := &streams.Span{Lane: lane, Op: op, Kind: kind, Asked: asked, Begin: begin, End: end}
	if line > 0 {
		s.Site = tensor.Site{Cell: "In[4]", Line: line}
	}
	return s
}

func after(s, record *streams.Span) *streams.Span { s.After = record; return s }
func early(s, back *streams.Span) *streams.Span   { s.Early = back; return s }

// overlapping is two streams, of which one waits for an event of the other.
func overlapping() *streams.Recording {
	const ms = int64(1e6)
	call := span(streams.Host, "matmul", streams.Call, 1, 10e3, 10e3, 60e3)
	run := span("async:0 default", "matmul", streams.Kernel, 1, 40e3, 70e3, 5*ms)
	sleep := span("async:0 stream 1", "sleep", streams.Sleep, 2, 80e3, 90e3, 3*ms)
	record := span("async:0 default", "record", streams.Record, 3, 100e3, 5*ms, 5*ms+2e3)
	wait := after(span("async:0 stream 1", "wait", streams.Wait, 4, 120e3, 3*ms, 5*ms+10e3), record)
	ask := span(streams.Host, "copy_", streams.Call, 5, 130e3, 130e3, 8*ms+5e3)
	back := span("async:0 stream 1", "copy_", streams.Copy, 5, 140e3, 5*ms+20e3, 8*ms)
	end := span("async:0 stream 1", "copy_", streams.Record, 0, 150e3, 8*ms, 8*ms)
	host := after(span(streams.Host, "copy_", streams.Wait, 5, 145e3, 145e3, 8*ms+4e3), end)
	return &streams.Recording{Nanos: 8*ms + 200e3,
		Spans: []*streams.Span{call, run, sleep, record, wait, ask, back, host, end}}
}

// tooEarly is a copy that the host does not wait for, and its read or write of the memory before the copy has ended.
func tooEarly(kind string, open bool) *streams.Recording {
	const ms = int64(1e6)
	ask := span(streams.Host, "copy_", streams.Call, 1, 20e3, 20e3, 90e3)
	hold := span("async:0 default", "hold", streams.Wait, 0, 10e3, 15e3, 3*ms)
	back := span("async:0 default", "copy_", streams.Copy, 1, 50e3, 3*ms, 4*ms)
	touch := early(span(streams.Host, "sum", kind, 2, ms, ms, ms+40e3), back)
	if open {
		hold.End, back.Begin, back.End = 0, 0, 0
	}
	return &streams.Recording{Spans: []*streams.Span{hold, ask, back, touch}, Nanos: 4*ms + 100e3}
}

// many are more spans than a picture holds.
func many(n int) *streams.Recording {
	r := &streams.Recording{Nanos: int64(n) * 20e3}
	for i := range n {
		at := int64(i) * 20e3
		r.Spans = append(r.Spans,
			span(streams.Host, "add", streams.Call, 1, at, at, at+3e3),
			span("async:0 default", "add", streams.Kernel, 1, at+2e3, at+5e3, at+18e3))
	}
	return r
}
