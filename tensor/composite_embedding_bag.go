package tensor

import (
	"slices"
)

// The body of embedding_bag: rows of a table, combined bag by bag.

func init() { composites(map[string]Kernel{"nn.functional.embedding_bag": embeddingBag}) }

func embeddingBag(c *Call) {
	ix, weight, offsets, mode, each := c.Tensor(0), c.Tensor(1), c.Tensor(2), c.Str(6), c.Tensor(8)
	bad := func(arg, format string, args ...any) {
		panic(Errorf(c.Name(), format, args...).OnArg(arg))
	}
	switch {
	case mode != "sum" && mode != "mean" && mode != "max":
		bad("mode", `mode must be "sum", "mean" or "max", not "%s"`, mode)
	case ix.dtype != Int64 && ix.dtype != Int32:
		bad("input", "expected indices of int64 or int32, got %s", ix.dtype)
	case len(weight.shape) != 2:
		bad("weight", "weight must have 2 dimensions, a row for each index, but has shape %v", weight.shape)
	case each != nil && mode != "sum":
		bad("per_sample_weights", `per_sample_weights are only for mode "sum", not "%s"`, mode)
	case each != nil && (!slices.Equal(each.shape, ix.shape) || each.dtype != weight.dtype):
		bad("per_sample_weights", "per_sample_weights must be %s of the shape %v of input, got %s of %v", weight.dtype,
			ix.shape, each.dtype, each.shape)
	case len(ix.shape) == 2 && offsets != nil:
		bad("offsets", "the rows of an input of shape %v are the bags: offsets must not be given", ix.shape)
	case len(ix.shape) == 1 && offsets == nil:
		bad("offsets", "an input of one dimension needs offsets, where each bag begins")
	case len(ix.shape) != 1 && len(ix.shape) != 2:
		bad("input", "input must have 1 or 2 dimensions, got shape %v", ix.shape)
	case offsets != nil && (len(offsets.shape) != 1 || !offsets.dtype.IsIntegral()):
		bad("offsets", "offsets must be a vector of integers, got %s of shape %v", offsets.dtype, offsets.shape)
	}
	c.noSparse(7)
	bags, lengths := bagsOf(c, ix, offsets)
	flat := ix.Reshape(-1)
	o := []Option{NewOption("norm_type", c.Float(4)), NewOption("scale_grad_by_freq", c.Bool(5))}
	if !c.IsNone(3) {
		o = append(o, NewOption("max_norm", c.Float(3)))
	}
	rows := Embedding(flat, weight, o...)
	var kept *Tensor // nil, or whether a row is none of padding_idx
	if !c.IsNone(10) {
		p := c.Int(10)
		if n := weight.shape[0]; p < -n || p >= n {
			bad("padding_idx", "padding_idx must be within the %d rows of weight, got %d", n, p)
		} else if p < 0 {
			p += n
		}
		kept = flat.Ne(p)
	}
	places := bags.Unsqueeze(1).Expand(rows.shape...)
	empty := With(weight.dtype, weight.Device()).Zeros(lengths.shape[0], weight.shape[1])
	if mode == "max" {
		if kept != nil { // rows that do not count go to a bag of their own, which is dropped
			places = Where(kept.Unsqueeze(1), places, lengths.shape[0])
		}
		all := With(weight.dtype, weight.Device()).Zeros(lengths.shape[0]+1, weight.shape[1])
		y := all.ScatterReduce(0, places, rows, "amax", NewOption("include_self", false))
		c.Return(y.Narrow(0, 0, lengths.shape[0]))
		return
	}
	if weight.dtype == Float16 || weight.dtype == Bfloat16 { // rounded once
		rows, empty = rows.To(Float32), empty.To(Float32)
	}
	if each != nil {
		rows = rows.Mul(each.Reshape(-1, 1).To(rows.dtype))
	}
	if kept != nil {
		rows = Where(kept.Unsqueeze(1), rows, 0)
	}
	y := empty.IndexAdd(0, bags, rows)
	if mode == "mean" {
		if kept != nil {
			lengths = ZerosLike(lengths).IndexAdd(0, bags, kept.To(Int64))
		}
		y = y.Div(lengths.ClampMin(1).Unsqueeze(1))
	}
	c.Return(y.To(weight.dtype))
}

// bagsOf returns the bag of each index, and how many each bag has.
func bagsOf(c *Call, ix, offsets *Tensor) (bags, lengths *Tensor) {
	on := With(Int64, ix.Device())
	if len(ix.shape) == 2 {
		n, size := ix.shape[0], ix.shape[1]
		return on.Arange(n).Unsqueeze(1).Expand(n, size).Reshape(-1), on.Full([]int{n}, size)
	}
	offsets = offsets.To(Int64)
	n := offsets.shape[0]
	if c.Bool(9) { // the last one is where the last bag ends
		if n == 0 {
			panic(Errorf(c.Name(), "include_last_offset needs at least one offset").OnArg("offsets"))
		}
		n--
	}
	starts := offsets.Narrow(0, 0, n)
	if ix.Device() == CPU && n > 0 {
		if first := starts.Select(0, 0).ItemInt(); first != 0 {
			panic(Errorf(c.Name(), "the first bag must begin at 0, but offsets begin with %d", first).OnArg("offsets"))
		}
		if last := starts.Max().ItemInt(); last > ix.shape[0] {
			panic(Errorf(c.Name(), "a bag begins at %d, behind the %d indices", last, ix.shape[0]).OnArg("offsets"))
		}
	}
	ends := Cat([]*Tensor{offsets.Narrow(0, 1, offsets.shape[0]-1), on.Full([]int{1}, ix.shape[0])}, optDim(0)).Narrow(0,
		0, n)
	places := on.Arange(ix.shape[0])
	return Searchsorted(starts.Contiguous(), places, NewOption("right", true)).Sub(1).ClampMin(0), ends.Sub(starts)
}
