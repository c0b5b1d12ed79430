package nn

import (
	"gotorch/autograd"
	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Embedding looks rows of Weight (number, features) up by their index.
type Embedding struct {
	Weight     *tensor.Tensor
	PaddingIdx int     // a row that is not trained; -1 for none
	MaxNorm    float64 // rows that are longer are shortened in place; 0 for no limit
	NormType   float64
	Sparse     bool // the gradient of Weight is sparse: the rows that were taken
}

// NewEmbedding makes an Embedding of num rows; the initial weights are normal draws. Options: opt.PaddingIdx (a
// negative one counts from the end), opt.MaxNorm, opt.NormType (2), opt.Sparse (false), opt.Dtype, opt.Device.
func NewEmbedding(num, features int, opts ...tensor.Option) *Embedding {
	k := read("nn.Embedding", opts, "padding_idx", "max_norm", "norm_type", "sparse")
	e := &Embedding{PaddingIdx: -1, MaxNorm: k.float("max_norm", 0), NormType: k.float("norm_type", 2),
		Sparse: k.bool("sparse", false)}
	e.Weight, e.PaddingIdx = embeddingWeight(k, num, features)
	return e
}

func embeddingWeight(k keywords, num, features int) (*tensor.Tensor, int) {
	pad := -1
	if v, ok := k.m["padding_idx"].(int); ok {
		if pad = v; pad < 0 {
			pad += num
		}
		if pad < 0 || pad >= num {
			panic(tensor.Errorf(k.op, "padding_idx %d is not among the %d rows", v, num))
		}
	}
	return k.trained(func(w *tensor.Tensor) {
		inits.Normal_(w, 0, 1)
		if pad >= 0 {
			w.Index(pad).Zero_()
		}
	}, num, features), pad
}

// Forward maps indices of shape (...) to (..., features).
func (e *Embedding) Forward(index *tensor.Tensor) *tensor.Tensor {
	opts := []tensor.Option{opt.NormType(max(e.NormType, 0))}
	if e.PaddingIdx >= 0 {
		opts = append(opts, opt.PaddingIdx(e.PaddingIdx))
	}
	if e.MaxNorm > 0 {
		opts = append(opts, opt.MaxNorm(e.MaxNorm))
	}
	if e.Sparse {
		opts = append(opts, opt.Sparse(true))
	}
	return tensor.Embedding(index, e.Weight, opts...)
}

// EmbeddingBag is the sum, mean or maximum of rows of Weight (number, features), bag by bag.
type EmbeddingBag struct {
	Weight            *tensor.Tensor
	Mode              string // sum, mean or max
	PaddingIdx        int    // a row that counts for nothing; -1 for none
	MaxNorm, NormType float64
	includeLast       bool
}

// NewEmbeddingBag makes an EmbeddingBag of num rows; the initial weights are normal draws. Options: opt.Mode ("mean"),
// opt.PaddingIdx, opt.MaxNorm, opt.NormType (2), opt.IncludeLastOffset, opt.Dtype, opt.Device.
func NewEmbeddingBag(num, features int, opts ...tensor.Option) *EmbeddingBag {
	k := read("nn.EmbeddingBag", opts, "mode", "padding_idx", "max_norm", "norm_type", "include_last_offset")
	e := &EmbeddingBag{Mode: k.string("mode", "mean"), MaxNorm: k.float("max_norm", 0),
		NormType: k.float("norm_type", 2), includeLast: k.bool("include_last_offset", false)}
	if e.Mode != "sum" && e.Mode != "mean" && e.Mode != "max" {
		panic(tensor.Errorf(k.op, `mode must be "sum", "mean" or "max", not %q`, e.Mode))
	}
	e.Weight, e.PaddingIdx = embeddingWeight(k, num, features)
	return e
}

// Forward maps indices (bags, length) to (bags, features).
func (e *EmbeddingBag) Forward(index *tensor.Tensor) *tensor.Tensor {
	if index.Dim() != 2 {
		panic(tensor.Errorf("nn.EmbeddingBag", "the indices must have the shape (bags, length), not %v", index.Shape()).
			WithHint("ForwardOffsets takes a list of indices and where the bags begin"))
	}
	offsets := make([]int, index.Size(0))
	for i := range offsets {
		offsets[i] = i * index.Size(1)
	}
	return e.bags(index.Reshape(-1), offsets, nil)
}

// ForwardOffsets maps a list of indices, and the place of the first of each bag, to (bags, features). weights, which
// only a sum can have, scales the row of each index; it may be nil.
func (e *EmbeddingBag) ForwardOffsets(index, offsets, weights *tensor.Tensor) *tensor.Tensor {
	const op = "nn.EmbeddingBag"
	if index.Dim() != 1 || offsets.Dim() != 1 {
		panic(tensor.Errorf(op, "indices and offsets must be lists, their shapes are %v and %v", index.Shape(),
			offsets.Shape()))
	}
	starts := tensor.Data[int64](offsets.To(tensor.Int64))
	if e.includeLast && len(starts) > 0 {
		starts = starts[:len(starts)-1]
	}
	at := make([]int, len(starts))
	for i, s := range starts {
		at[i] = int(s)
		switch {
		case i == 0 && s != 0:
			panic(tensor.Errorf(op, "the first offset must be 0, it is %d", s))
		case i > 0 && s < starts[i-1], int(s) > index.Numel():
			panic(tensor.Errorf(op, "offsets must rise, up to the %d indices; offset %d is %d", index.Numel(), i, s))
		}
	}
	if weights != nil && e.Mode != "sum" {
		panic(tensor.Errorf(op, `weights need the mode "sum", not %q`, e.Mode))
	}
	return e.bags(index, at, weights)
}

// bags reduces the rows of index[offsets[i]:offsets[i+1]] for each i.
func (e *EmbeddingBag) bags(index *tensor.Tensor, offsets []int, weights *tensor.Tensor) *tensor.Tensor {
	n, features := index.Numel(), e.Weight.Size(1)
	rows := (&Embedding{Weight: e.Weight, PaddingIdx: e.PaddingIdx, MaxNorm: e.MaxNorm,
		NormType: e.NormType}).Forward(index)
	bag, count := make([]int64, n), make([]int, len(offsets))
	var keep []bool
	if e.PaddingIdx >= 0 {
		autograd.NoGrad(func() { keep = tensor.Data[bool](index.Ne(e.PaddingIdx)) })
	}
	for b, start := range offsets {
		end := n
		if b+1 < len(offsets) {
			end = offsets[b+1]
		}
		for i := start; i < end; i++ {
			bag[i] = int64(b)
			if keep == nil || keep[i] {
				count[b]++
			}
		}
	}
	if keep != nil {
		var kept []int64
		var into []int64
		for i, k := range keep {
			if k {
				kept, into = append(kept, int64(i)), append(into, bag[i])
			}
		}
		if kept == nil {
			return tensor.With(e.Weight.Dtype()).Zeros(len(offsets), features)
		}
		rows, bag = rows.IndexSelect(0, tensor.FromSlice(kept)), into
		if weights != nil {
			weights = weights.IndexSelect(0, tensor.FromSlice(kept))
		}
	}
	if weights != nil {
		rows = rows.Mul(weights.Unsqueeze(1))
	}
	out := tensor.With(rows.Dtype()).Zeros(len(offsets), features)
	to := tensor.FromSlice(bag)
	if e.Mode == "max" {
		return out.ScatterReduce(0, to.Unsqueeze(1).Expand(len(bag), features), rows, "amax", opt.IncludeSelf(false))
	}
	out = out.IndexAdd(0, to, rows)
	if e.Mode == "mean" {
		per := make([]float64, len(count))
		for i, c := range count {
			per[i] = float64(max(c, 1))
		}
		out = out.Div(tensor.FromSlice(per).To(rows.Dtype()).Unsqueeze(1))
	}
	return out
}
