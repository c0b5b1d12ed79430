package visualize

import (
	"gotorch/internal/streams"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	// kept shows the memory of a device whose allocator says m.
	kept := func(s *viewtest.Session, m streams.Memory, names ...string) View {
		d := tensor.RegisterDevice("kept", nil, host{})(0)
		s.T.Cleanup(d.Unregister)
		stored, placed = m, map[*tensor.Tensor]int{}
		for i, name := range names {
			x := s.Name(name, tensor.Ones(2).To(d))
			placed[x] = m.Segments[0].Blocks[2*i].Offset
		}
		s.T.Cleanup(func() { stored, placed = streams.Memory{}, nil })
		return Allocator(d)
	}
	addExamples(
		exampleView{"allocator", func(s *viewtest.Session) View {
			return kept(s, streams.Memory{
				Segments: []streams.Segment{
					{Stream: "kept:0 default", Small: true, Bytes: 2 << 20, Blocks: []streams.Block{
						{Offset: 0, Bytes: 4096, Asked: 4000, State: "used"},
						{Offset: 4096, Bytes: 1536, State: "free"},
						{Offset: 5632, Bytes: 4096, Asked: 2100, State: "used"},
						{Offset: 9728, Bytes: 512, Asked: 4, State: "waiting"},
						{Offset: 10240, Bytes: 2<<20 - 10240, State: "free"},
					}},
					{Stream: "kept:0 stream 1", Bytes: 20 << 20, Blocks: []streams.Block{
						{Offset: 0, Bytes: 12 << 20, Asked: 12<<20 - 100, State: "used"},
						{Offset: 12 << 20, Bytes: 8 << 20, State: "free"},
					}},
				},
				Stats: streams.Stats{Allocated: 12<<20 + 8704, PeakAllocated: 14 << 20, Requested: 12<<20 + 6004,
					Reserved: 22 << 20, PeakReserved: 22 << 20, Segments: 2, Allocations: 6, Frees: 2, Splits: 5, Coalesces: 1},
			}, "x", "y")
		}},
		exampleView{"allocator_many", func(s *viewtest.Session) View {
			var m streams.Memory
			for range 40 {
				g := streams.Segment{Stream: "kept:0 default", Small: true, Bytes: 2 << 20}
				for at := 0; at < 2<<20; at += 4096 {
					g.Blocks = append(g.Blocks, streams.Block{Offset: at, Bytes: 2048, Asked: 2000, State: "used"},
						streams.Block{Offset: at + 2048, Bytes: 2048, State: "free"})
				}
				m.Segments = append(m.Segments, g)
			}
			m.Stats = streams.Stats{Allocated: 40 << 20, PeakAllocated: 40 << 20, Requested: 40 * 512 * 2000,
				Reserved: 80 << 20, PeakReserved: 80 << 20, Segments: 40, Allocations: 40 * 1024, Frees: 40 * 512}
			return kept(s, m)
		}},
		exampleView{"allocator_graph", func(s *viewtest.Session) View {
			return kept(s, streams.Memory{
				Segments: []streams.Segment{{Stream: "kept:0 default", Graph: true, Small: true, Bytes: 2 << 20,
					Blocks: []streams.Block{{Bytes: 2 << 20, Asked: 2 << 20, State: "used"}}}},
				Stats: streams.Stats{Allocated: 2 << 20, PeakAllocated: 2 << 20, Requested: 2 << 20, Reserved: 2 << 20,
					PeakReserved: 2 << 20, Segments: 1, Allocations: 1},
			})
		}},
		exampleView{"allocator_none", func(s *viewtest.Session) View { return kept(s, streams.Memory{}) }},
	)
}
