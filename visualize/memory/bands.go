package memory

import (
	"slices"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: two scales. A storage of up to 64 cells is shown cell by cell. Beyond that single cells say nothing: a view is
// shown as nested blocks instead. Its dimensions are ordered by their strides, the largest first; each is a band of
// blocks, a stride apart, and a block holds what the dimensions of smaller strides reach. A band shows its first and
// last blocks and those around one element of interest, whose block the next band enlarges. Bytes between two blocks
// that no index reaches are the gap; blocks that share bytes have a negative gap.

// Band is one dimension of a view: blocks that lie a stride apart in the storage. Sizes are in bytes.
type Band struct {
	Dim    int     `json:"dim"`
	Size   int     `json:"size"`
	Stride int     `json:"stride"` // in elements
	Jump   int     `json:"jump"`   // from one block to the next: the stride in bytes
	Block  int     `json:"block"`  // from the first byte of a block to the end of its last
	Blocks []Block `json:"blocks"` // those that are shown, in the order of their addresses
}

// Block is one index of a band's dimension.
type Block struct {
	Index  int    `json:"index"`
	At     int    `json:"at"` // its lowest byte in the storage
	Value  string `json:"value,omitempty"`
	Chosen bool   `json:"chosen,omitempty"` // the element of interest lies in it
}

const (
	maxWhole  = 64 // cells of a storage that is shown cell by cell
	maxBands  = 20 // of a map; further views have a bar of the storage alone
	edgeFirst = 2  // blocks that are shown at the beginning of a dimension
	edgeInner = 3  // of the innermost one
	edgeLast  = 2
	scaleBar  = 64 // parts of the bar that shows a storage to scale
)

// Gap is how many bytes lie between two blocks; it is negative where they overlap.
func (b *Band) Gap() int { return draw.Abs(b.Jump) - b.Block }

// nested describes a lane by the bands of its dimensions; sizes of 1 have none.
func (l *Lane) nested(x *tensor.Tensor, storage int) {
	c := coverOf(l.Shape, l.Stride, l.Offset, x.ElementSize())
	l.Reach, l.ReachMost = c.bytes()
	l.Parts = c.parts(cuts(storage, x.ElementSize(), scaleBar))
	if l.Numel == 0 {
		return
	}
	size := x.ElementSize()
	var dims []int
	for _, d := range byStride(l.Shape, l.Stride) {
		if l.Shape[d] > 1 {
			dims = append(dims, d)
		}
	}
	l.Bands = make([]Band, len(dims))
	extent, low := size, 0 // of the dimensions within, and how far below their index 0 they reach
	lows := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		d := dims[i]
		l.Bands[i] = Band{Dim: d, Size: l.Shape[d], Stride: l.Stride[d], Jump: l.Stride[d] * size, Block: extent}
		lows[i] = low
		far := (l.Shape[d] - 1) * l.Stride[d] * size
		extent += draw.Abs(far)
		low += min(0, far)
	}
	base := l.Offset * size
	for i := range l.Bands {
		b := &l.Bands[i]
		inner := i == len(l.Bands)-1
		chosen := l.Index[b.Dim]
		for _, k := range shownBlocks(b.Size, chosen, inner) {
			block := Block{Index: k, At: base + k*b.Jump + lows[i], Chosen: k == chosen}
			if inner && !x.Device().Virtual() {
				index := slices.Clone(l.Index)
				index[b.Dim] = k
				block.Value = draw.ShortValue(x.At(index...))
			}
			b.Blocks = append(b.Blocks, block)
		}
		if b.Jump < 0 {
			slices.Reverse(b.Blocks)
		}
		base += chosen * b.Jump
	}
}

// shownBlocks are the indices of a dimension that are shown: those at its edges, and those around the chosen one.
func shownBlocks(size, chosen int, inner bool) (out []int) {
	first := edgeFirst
	if inner {
		first = edgeInner
	}
	for k := range min(first, size) {
		out = append(out, k)
	}
	for k := max(chosen-1, 0); k <= min(chosen+1, size-1); k++ {
		out = append(out, k)
	}
	for k := max(size-edgeLast, 0); k < size; k++ {
		out = append(out, k)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// elided is how many blocks are left out in front of the shown block k.
func (b *Band) elided(k int) int {
	if k == 0 {
		return 0
	}
	return draw.Abs(b.Blocks[k].Index-b.Blocks[k-1].Index) - 1
}

// innermost is the dimension that a loop over the indices in order walks fastest; -1 if there is one element.
func (l *Lane) innermost() int {
	for d := len(l.Shape) - 1; d >= 0; d-- {
		if l.Shape[d] > 1 {
			return d
		}
	}
	return -1
}
