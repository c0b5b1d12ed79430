package streams

import (
	"fmt"

	"gotorch/internal/bytesize"
)

// Memory is what a caching allocator holds.
type Memory struct {
	Segments []Segment
	Stats    Stats
}

// Segment is a run of memory that the allocator has taken from the system; Blocks fill it.
type Segment struct {
	Stream string  `json:"stream"`
	Small  bool    `json:"small"`
	Graph  bool    `json:"graph,omitempty"` // of a captured graph
	Bytes  int     `json:"bytes"`
	Blocks []Block `json:"blocks"`
}

// Block is a part of a segment.
type Block struct {
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"`
	Asked  int    `json:"asked,omitempty"` // by the tensor that has it
	State  string `json:"state"`           // used, free, or waiting: freed, but a stream uses it
}

// Stats are what a device's allocator has done. Bytes of blocks are multiples of 512; Requested is what tensors asked
// for.
type Stats struct {
	Allocated, PeakAllocated int // bytes in blocks that tensors have, now and at most
	Reserved, PeakReserved   int // bytes in segments
	Requested                int
	Segments                 int
	Allocations, Frees       int
	Splits, Coalesces        int
}

// String is a line for each number.
func (s Stats) String() string {
	return fmt.Sprintf("allocated %s (at most %s), of which %s were asked for\n"+
		"reserved  %s (at most %s) in %s\n"+
		"%d allocations, %d frees, %d splits, %d coalesced", bytesize.Text(s.Allocated), bytesize.Text(s.PeakAllocated),
		bytesize.Text(s.Requested), bytesize.Text(s.Reserved), bytesize.Text(s.PeakReserved), segments(s.Segments),
		s.Allocations, s.Frees, s.Splits, s.Coalesces)
}

func segments(n int) string {
	if n == 1 {
		return "1 segment"
	}
	return fmt.Sprintf("%d segments", n)
}
