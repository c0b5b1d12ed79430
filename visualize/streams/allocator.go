package streams

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	work "gotorch/internal/streams"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// AllocatorMap is the memory of devices with a caching allocator: allocator_draw.go shows it.
type AllocatorMap struct {
	Devices []AllocatorState `json:"devices"`
}

// AllocatorState is the memory of one device.
type AllocatorState struct {
	Device   string             `json:"device"`
	Segments []AllocatorSegment `json:"segments"` // in the order in which they were taken
	Stats    AllocatorStats     `json:"stats"`
}

// AllocatorStats are what the allocator has done, in bytes and times.
type AllocatorStats struct {
	Allocated     int `json:"allocated"` // in blocks that tensors have
	PeakAllocated int `json:"peak_allocated"`
	Requested     int `json:"requested"` // of that, what tensors asked for
	Reserved      int `json:"reserved"`  // in segments
	PeakReserved  int `json:"peak_reserved"`
	Allocations   int `json:"allocations"`
	Frees         int `json:"frees"`
	Splits        int `json:"splits"`
	Coalesces     int `json:"coalesces"`
}

// AllocatorSegment is a run of memory that the allocator has taken from the system; its blocks fill it.
type AllocatorSegment struct {
	Stream string           `json:"stream"` // for which it was taken: others get no block of it
	Small  bool             `json:"small"`  // for blocks of up to 1 MiB
	Graph  bool             `json:"graph,omitempty"`
	Bytes  int              `json:"bytes"`
	Blocks []AllocatorBlock `json:"blocks"`
}

// AllocatorBlock is a part of a segment.
type AllocatorBlock struct {
	Offset int      `json:"offset"`
	Bytes  int      `json:"bytes"`
	Asked  int      `json:"asked,omitempty"` // bytes that the tensor that has it asked for
	State  string   `json:"state"`           // used, free, or waiting: freed, but a stream may still read it
	Names  []string `json:"names,omitempty"` // of tensors that lie in it
}

// The states of a block.
const (
	usedBlock    = "used"
	freeBlock    = "free"
	waitingBlock = "waiting"
)

// Allocator shows the memory of devices with a caching allocator, such as async:0: the segments that it has taken from
// the system, the blocks into which they are split, who has them, and what is lost. A device is a [tensor.Device], its
// name ("async:0"), or a tensor on it; without any, all are shown that hold something. A device without such an
// allocator panics with an *Error. Tensors that nobody refers to are freed first.
func Allocator(devices ...any) *AllocatorMap {
	const op = "allocator"
	v := new(AllocatorMap)
	if len(devices) == 0 {
		var first *AllocatorState
		for _, d := range tensor.Devices() {
			m, ok := work.MemoryOf(d)
			if !ok {
				continue
			}
			s := allocatorState(d, m)
			if first == nil {
				first = &s
			}
			if len(s.Segments) > 0 {
				v.Devices = append(v.Devices, s)
			}
		}
		if len(v.Devices) == 0 {
			if first == nil {
				panic(tensor.Errorf(op, "no device has a caching allocator").
					WithHint(`import _ "gotorch/backends/async" brings one`))
			}
			v.Devices = append(v.Devices, *first)
		}
		return v
	}
	for _, x := range devices {
		d := allocatorDevice(op, x)
		m, ok := work.MemoryOf(d)
		if !ok {
			panic(tensor.Errorf(op, "%s has no caching allocator", d).WithHint("async:0 has one"))
		}
		v.Devices = append(v.Devices, allocatorState(d, m))
	}
	return v
}

func allocatorDevice(op string, x any) tensor.Device {
	switch x := x.(type) {
	case tensor.Device:
		if x != (tensor.Device{}) {
			return x
		}
	case *tensor.Tensor:
		if x != nil {
			return x.Device()
		}
	case string:
		if d, ok := tensor.ParseDevice(x); ok && slices.Contains(tensor.Devices(), d) {
			return d
		}
		panic(tensor.Errorf(op, "there is no device %s", draw.OneLine(x, 40)))
	}
	panic(tensor.Errorf(op, "a device is a Device, its name or a tensor on it, not %T", x))
}

// allocatorState is what the allocator says, with the names of the tensors.
func allocatorState(d tensor.Device, m work.Memory) AllocatorState {
	t := m.Stats
	s := AllocatorState{Device: d.String(), Stats: AllocatorStats{Allocated: t.Allocated, PeakAllocated: t.PeakAllocated,
		Requested: t.Requested, Reserved: t.Reserved, PeakReserved: t.PeakReserved, Allocations: t.Allocations,
		Frees: t.Frees, Splits: t.Splits, Coalesces: t.Coalesces}}
	for _, g := range m.Segments {
		to := AllocatorSegment{Stream: g.Stream, Small: g.Small, Graph: g.Graph, Bytes: g.Bytes}
		for _, b := range g.Blocks {
			to.Blocks = append(to.Blocks, AllocatorBlock{Offset: b.Offset, Bytes: b.Bytes, Asked: b.Asked, State: b.State})
		}
		s.Segments = append(s.Segments, to)
	}
	for x, name := range draw.LiveNames() {
		if x.Device() != d {
			continue
		}
		at, offset, ok := work.PlaceOf(x)
		if !ok || at >= len(s.Segments) {
			continue
		}
		for i := range s.Segments[at].Blocks {
			if b := &s.Segments[at].Blocks[i]; b.Offset == offset {
				b.Names = append(b.Names, draw.Clip(draw.Tidy(name), draw.MaxName))
				slices.Sort(b.Names)
			}
		}
	}
	return s
}

// free are the bytes of free blocks, how many there are, and the largest.
func (s *AllocatorState) free() (bytes, blocks, largest int) {
	for _, g := range s.Segments {
		for _, b := range g.Blocks {
			if b.State == freeBlock {
				bytes, blocks, largest = bytes+b.Bytes, blocks+1, max(largest, b.Bytes)
			}
		}
	}
	return bytes, blocks, largest
}

// waiting are the bytes that were freed and that a stream may still read.
func (s *AllocatorState) waiting() (bytes int) {
	for _, g := range s.Segments {
		for _, b := range g.Blocks {
			if b.State == waitingBlock {
				bytes += b.Bytes
			}
		}
	}
	return bytes
}

// head are the totals, in lines.
func (s *AllocatorState) head() []string {
	t := s.Stats
	lines := []string{fmt.Sprintf("allocated %s (at most %s), of which tensors asked for %s",
		bytesize.Text(t.Allocated), bytesize.Text(t.PeakAllocated), bytesize.Text(t.Requested)),
		fmt.Sprintf("reserved %s (at most %s) in %s", bytesize.Text(t.Reserved), bytesize.Text(t.PeakReserved),
			draw.Counted(len(s.Segments), "segment"))}
	if free, n, largest := s.free(); n > 0 {
		lines[1] += fmt.Sprintf("; free %s in %s", bytesize.Text(free), draw.Counted(n, "block"))
		if n > 1 {
			lines = append(lines, fmt.Sprintf("the largest free block has %s: fragmentation %s", bytesize.Text(largest),
				partText(free-largest, free)))
		}
	}
	return append(lines, fmt.Sprintf("%s, %s, %s, %d coalesced", draw.Counted(t.Allocations, "allocation"),
		draw.Counted(t.Frees, "free"), draw.Counted(t.Splits, "split"), t.Coalesces))
}

// partText is a part of a whole.
func partText(part, whole int) string {
	if whole <= 0 {
		return "0 %"
	}
	if p := 100 * float64(part) / float64(whole); p > 0 && p < 1 {
		return "<1 %"
	} else {
		return fmt.Sprintf("%.0f %%", p)
	}
}

// title says what a segment is.
func (g *AllocatorSegment) title(i int) string {
	kind := "large blocks"
	switch {
	case g.Graph:
		kind = "for CaptureGraph"
	case g.Small:
		kind = "small blocks"
	}
	return fmt.Sprintf("segment %d   %s   %s   of %s", i+1, bytesize.Text(g.Bytes), kind, g.Stream)
}

// reach is where the last block ends that is not free, or the whole where a closer look shows no more.
func (g *AllocatorSegment) reach() int {
	end := 0
	for _, b := range g.Blocks {
		if b.State != freeBlock {
			end = b.Offset + b.Bytes
		}
	}
	if end == 0 || end > g.Bytes/3 {
		return g.Bytes
	}
	return end
}

// label is the names of the block's tensors, or its state.
func (b *AllocatorBlock) label() string {
	if len(b.Names) > 0 {
		return draw.And(b.Names, 3)
	}
	return b.State
}

// tip tells all about a block.
func (b *AllocatorBlock) tip() string {
	text := fmt.Sprintf("%s: %s from +%d to +%d", b.label(), bytesize.Text(b.Bytes), b.Offset, b.Offset+b.Bytes)
	switch b.State {
	case usedBlock:
		text += fmt.Sprintf("\n%d of %d bytes were asked for", b.Asked, b.Bytes)
	case waitingBlock:
		text += "\nfreed, but a stream that was recorded may still read it"
	}
	return text
}

// Caption says what is free and why it may not do.
func (v *AllocatorMap) Caption() string {
	if len(v.Devices) == 0 {
		return ""
	}
	s := &v.Devices[0]
	t := s.Stats
	if t.Reserved == 0 {
		return fmt.Sprintf("The allocator of %s has taken nothing from the system.", s.Device)
	}
	text := fmt.Sprintf("Of the %s that the allocator of %s has taken from the system, tensors have %s",
		bytesize.Text(t.Reserved), s.Device, bytesize.Text(t.Allocated))
	if lost := t.Allocated - t.Requested; lost > 0 {
		text += fmt.Sprintf(", %s of it lost to rounding", bytesize.Text(lost))
	}
	free, n, largest := s.free()
	switch {
	case n > 1:
		text += fmt.Sprintf("; %s are free in %s, but a tensor of more than %s needs a new segment", bytesize.Text(free),
			draw.InWords(n, "block"), bytesize.Text(largest))
	case n == 1:
		text += fmt.Sprintf("; %s are free in one block", bytesize.Text(free))
	}
	if w := s.waiting(); w > 0 {
		text += fmt.Sprintf("; %s wait for a stream that may still read them", bytesize.Text(w))
	}
	return text + "."
}

func (v *AllocatorMap) title() string {
	var names []string
	for _, s := range v.Devices {
		names = append(names, s.Device)
	}
	return "allocator of " + strings.Join(names, ", ")
}
