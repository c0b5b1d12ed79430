package nn

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// PackedSequence holds sequences of different lengths without padding: the first steps of all, then the second steps
// of those that have one, and so on, the longest sequence first.
type PackedSequence struct {
	Data       *tensor.Tensor
	BatchSizes []int // how many sequences have a step t
	// Sorted has the place in the batch of each sequence; nil if they were sorted already.
	Sorted []int
}

// PackPaddedSequence packs x of shape (sequence, batch, ...), or (batch, sequence, ...) with opt.BatchFirst(true),
// whose sequences have these lengths.
func PackPaddedSequence(x *tensor.Tensor, lengths []int, opts ...tensor.Option) *PackedSequence {
	k := read("nn.pack_padded_sequence", opts, "batch_first")
	if k.bool("batch_first", false) {
		x = x.Transpose(0, 1)
	}
	if x.Dim() < 2 || x.Size(1) != len(lengths) || len(lengths) == 0 {
		panic(tensor.Errorf(k.op, "there are %d lengths for an input of shape %v", len(lengths), x.Shape()))
	}
	order := make([]int, len(lengths))
	for i, n := range lengths {
		order[i] = i
		if n < 1 || n > x.Size(0) {
			panic(tensor.Errorf(k.op, "length %d of sequence %d is not from 1 to %d", n, i, x.Size(0)))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return lengths[b] - lengths[a] })
	p := &PackedSequence{Sorted: order}
	if slices.IsSorted(order) {
		p.Sorted = nil
	} else {
		x = x.IndexSelect(1, tensor.FromSlice(order))
	}
	var steps []*tensor.Tensor
	for t := range lengths[order[0]] {
		n := 0
		for n < len(order) && lengths[order[n]] > t {
			n++
		}
		p.BatchSizes = append(p.BatchSizes, n)
		steps = append(steps, x.Select(0, t).Narrow(0, 0, n))
	}
	p.Data = tensor.Cat(steps)
	return p
}

// Lengths are those of the sequences, in the order of the batch.
func (p *PackedSequence) Lengths() []int {
	out := make([]int, p.BatchSizes[0])
	for i := range out {
		n := 0
		for n < len(p.BatchSizes) && p.BatchSizes[n] > i {
			n++
		}
		out[p.place(i)] = n
	}
	return out
}

func (p *PackedSequence) place(i int) int {
	if p.Sorted == nil {
		return i
	}
	return p.Sorted[i]
}

// Pad returns the sequences of shape (sequence, batch, ...), with opt.BatchFirst(true) (batch, sequence, ...), padded
// with opt.Value (0), and their lengths.
func (p *PackedSequence) Pad(opts ...tensor.Option) (x *tensor.Tensor, lengths []int) {
	k := read("nn.pad_packed_sequence", opts, "batch_first", "value")
	value := k.float("value", 0)
	batch := p.BatchSizes[0]
	var steps []*tensor.Tensor
	for t, x := range p.Data.SplitWithSizes(p.BatchSizes) {
		if missing := batch - p.BatchSizes[t]; missing > 0 {
			shape := x.Shape()
			shape[0] = missing
			x = tensor.Cat([]*tensor.Tensor{x, tensor.Full(shape, value, x.Dtype())})
		}
		steps = append(steps, x)
	}
	x = tensor.Stack(steps)
	if p.Sorted != nil {
		x = x.IndexSelect(1, tensor.FromSlice(inverse(p.Sorted)))
	}
	if k.bool("batch_first", false) {
		x = x.Transpose(0, 1)
	}
	return x, p.Lengths()
}

func inverse(order []int) []int {
	out := make([]int, len(order))
	for i, at := range order {
		out[at] = i
	}
	return out
}

// PadSequence stacks sequences of shape (length, ...) to (longest, batch, ...), with opt.BatchFirst(true) (batch,
// longest, ...), padded with opt.Value (0).
func PadSequence(xs []*tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	k := read("nn.pad_sequence", opts, "batch_first", "value")
	if len(xs) == 0 {
		panic(tensor.Errorf(k.op, "there are no sequences"))
	}
	longest := 0
	for _, x := range xs {
		longest = max(longest, x.Size(0))
	}
	out := make([]*tensor.Tensor, len(xs))
	for i, x := range xs {
		if out[i] = x; x.Size(0) < longest {
			shape := x.Shape()
			shape[0] = longest - shape[0]
			out[i] = tensor.Cat([]*tensor.Tensor{x, tensor.Full(shape, k.float("value", 0), x.Dtype())})
		}
	}
	dim := 1
	if k.bool("batch_first", false) {
		dim = 0
	}
	return tensor.Stack(out, opt.Dim(dim))
}

// packed runs over packed sequences. States are in the order of the batch.
func (r *recurrent) packed(p *PackedSequence, h, c *tensor.Tensor, cells bool) (out *PackedSequence, hn,
	cn *tensor.Tensor) {
	if p.Data.Dim() != 2 || p.Data.Size(1) != r.InputSize {
		panic(tensor.Errorf(r.op, "the packed input of shape %v should have %d features", p.Data.Shape(), r.InputSize))
	}
	order := func(x *tensor.Tensor, by []int) *tensor.Tensor {
		if x == nil || by == nil {
			return x
		}
		return x.IndexSelect(1, tensor.FromSlice(by))
	}
	h = order(r.start("the first hidden state", h, p.BatchSizes[0], r.outSize(), p.Data), p.Sorted)
	if cells {
		c = order(r.start("the first cell state", c, p.BatchSizes[0], r.HiddenSize, p.Data), p.Sorted)
	}
	steps, hn, cn := r.run(p.Data.SplitWithSizes(p.BatchSizes), h, c)
	var back []int
	if p.Sorted != nil {
		back = inverse(p.Sorted)
	}
	return &PackedSequence{tensor.Cat(steps), p.BatchSizes, p.Sorted}, order(hn, back), order(cn, back)
}

// RunPacked is [RNN.Run] of packed sequences: each ends with its own last state.
func (r *RNN) RunPacked(p *PackedSequence, h *tensor.Tensor) (out *PackedSequence, hn *tensor.Tensor) {
	out, hn, _ = r.packed(p, h, nil, false)
	return out, hn
}

// RunPacked is [GRU.Run] of packed sequences.
func (g *GRU) RunPacked(p *PackedSequence, h *tensor.Tensor) (out *PackedSequence, hn *tensor.Tensor) {
	out, hn, _ = g.packed(p, h, nil, false)
	return out, hn
}

// RunPacked is [LSTM.Run] of packed sequences.
func (l *LSTM) RunPacked(p *PackedSequence, h, c *tensor.Tensor) (out *PackedSequence, hn, cn *tensor.Tensor) {
	return l.packed(p, h, c, true)
}
