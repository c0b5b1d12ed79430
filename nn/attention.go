package nn

import (
	"math"

	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// MultiheadAttention is softmax(QKᵀ/√d)·V in several heads (Vaswani et al. 2017). Where queries, keys and values have
// the same size, their weights stand in InProjWeight (3·embed, embed), one below the other; otherwise in three.
type MultiheadAttention struct {
	QProjWeight, KProjWeight, VProjWeight *tensor.Tensor
	InProjWeight, InProjBias              *tensor.Tensor
	BiasK, BiasV                          *tensor.Tensor
	OutProj                               *Linear
	Heads                                 int
	Dropout                               float64
	BatchFirst, AddZeroAttn               bool
}

// NewMultiheadAttention makes attention of embed features in so many heads. Options: opt.Dropout (0), Bias (true),
// opt.AddBiasKv (false), opt.AddZeroAttn (false), opt.Kdim and opt.Vdim (embed), opt.BatchFirst (false), opt.Dtype,
// opt.Device.
func NewMultiheadAttention(embed, heads int, opts ...tensor.Option) *MultiheadAttention {
	k := read("nn.MultiheadAttention", opts, "dropout", "bias", "add_bias_kv", "add_zero_attn", "kdim", "vdim",
		"batch_first")
	positive(k.op, "num_heads", heads)
	if embed%heads != 0 {
		panic(tensor.Errorf(k.op, "%d features cannot be divided among %d heads", embed, heads))
	}
	m := &MultiheadAttention{
		Heads: heads, Dropout: k.float("dropout", 0), BatchFirst: k.bool("batch_first",
			false), AddZeroAttn: k.bool("add_zero_attn", false),
	}
	kdim, vdim, bias := k.int("kdim", embed), k.int("vdim", embed), k.bool("bias", true)
	// the order of draws is PyTorch's: the output first
	m.OutProj = &Linear{Weight: k.trained(kaiming, embed, embed)}
	if bias {
		m.OutProj.Bias = k.trained(uniformBias(embed), embed)
	}
	xavier := func(x *tensor.Tensor) { inits.XavierUniform_(x) }
	if kdim == embed && vdim == embed {
		m.InProjWeight = k.trained(xavier, 3*embed, embed)
	} else {
		m.QProjWeight = k.trained(xavier, embed, embed)
		m.KProjWeight = k.trained(xavier, embed, kdim)
		m.VProjWeight = k.trained(xavier, embed, vdim)
	}
	if bias {
		m.InProjBias = k.trained(zeros, 3*embed)
		inits.Zeros_(m.OutProj.Bias)
	}
	if k.bool("add_bias_kv", false) {
		normal := func(x *tensor.Tensor) { inits.XavierNormal_(x) }
		m.BiasK, m.BiasV = k.trained(normal, 1, 1, embed), k.trained(normal, 1, 1, embed)
	}
	return m
}

// Forward is self-attention: x attends to itself.
func (m *MultiheadAttention) Forward(x *tensor.Tensor) *tensor.Tensor {
	y, _ := m.Attend(x, x, x, opt.NeedWeights(false))
	return y
}

// Attend maps queries (target, batch, embed), keys (source, batch, kdim) and values (source, batch, vdim) to the
// output, shaped as the queries, and the weights (batch, target, source). With BatchFirst the batch is first in all of
// them; without a batch they have two dimensions. Options: opt.KeyPaddingMask (batch, source), true or -Inf where a
// key does not count; opt.AttnMask (target, source) or (batch·heads, target, source), true where attention is not
// allowed or what is added; opt.NeedWeights (true); opt.AverageAttnWeights (true: over the heads).
func (m *MultiheadAttention) Attend(query, key, value *tensor.Tensor, opts ...tensor.Option) (out,
	weights *tensor.Tensor) {
	k := read("nn.MultiheadAttention", opts, "key_padding_mask", "attn_mask", "need_weights", "average_attn_weights")
	padding, _ := k.m["key_padding_mask"].(*tensor.Tensor)
	mask, _ := k.m["attn_mask"].(*tensor.Tensor)
	single := query.Dim() == 2
	switch {
	case query.Dim() != key.Dim() || key.Dim() != value.Dim() || query.Dim() != 2 && query.Dim() != 3:
		panic(tensor.Errorf(k.op, "queries, keys and values must all have 3 dimensions, or 2 without a batch; their "+
			"shapes are %v, %v and %v", query.Shape(), key.Shape(), value.Shape()))
	case single:
		query, key, value = query.Unsqueeze(1), key.Unsqueeze(1), value.Unsqueeze(1)
		if padding != nil {
			padding = padding.Unsqueeze(0)
		}
	case m.BatchFirst:
		query, key, value = query.Transpose(0, 1), key.Transpose(0, 1), value.Transpose(0, 1)
	}
	embed := m.OutProj.Weight.Size(0)
	if query.Size(2) != embed {
		panic(tensor.Errorf(k.op, "the queries have %d features, this layer takes %d", query.Size(2), embed))
	}
	if key.Size(0) != value.Size(0) || key.Size(1) != value.Size(1) || key.Size(1) != query.Size(1) {
		panic(tensor.Errorf(k.op, "the sizes of queries %v, keys %v and values %v do not fit", query.Shape(), key.Shape(),
			value.Shape()))
	}
	q, ks, v := m.project(query, key, value)
	target, batch := q.Size(0), q.Size(1)
	add := floatMask(k.op, "attn_mask", mask, q)
	pad := floatMask(k.op, "key_padding_mask", padding, q)
	extra := 0
	if m.BiasK != nil {
		ks = tensor.Cat([]*tensor.Tensor{ks, m.BiasK.Expand(1, batch, embed)})
		v = tensor.Cat([]*tensor.Tensor{v, m.BiasV.Expand(1, batch, embed)})
		extra++
	}
	size := embed / m.Heads
	heads := func(x *tensor.Tensor) *tensor.Tensor {
		return x.Reshape(x.Size(0), batch*m.Heads, size).Transpose(0, 1)
	}
	q, ks, v = heads(q), heads(ks), heads(v)
	if m.AddZeroAttn {
		zero := tensor.With(q.Dtype()).Zeros(batch*m.Heads, 1, size)
		ks, v = tensor.Cat([]*tensor.Tensor{ks, zero}, opt.Dim(1)), tensor.Cat([]*tensor.Tensor{v, zero}, opt.Dim(1))
		extra++
	}
	scores := q.Mul(1 / math.Sqrt(float64(size))).Bmm(ks.Transpose(1, 2))
	source := ks.Size(1)
	if add != nil {
		scores = scores.Add(tensor.Pad(add, []int{0, extra}))
	}
	if pad != nil {
		pad = tensor.Pad(pad, []int{0, extra}).View(batch, 1, 1, source).Expand(batch, m.Heads, 1, source)
		scores = scores.Add(pad.Reshape(batch*m.Heads, 1, source))
	}
	p := scores.Softmax(opt.Dim(-1))
	p = tensor.Dropout(p, opt.P(m.Dropout), opt.Training(Training()))
	out = m.OutProj.Forward(p.Bmm(v).Transpose(0, 1).Reshape(target, batch, embed))
	if k.bool("need_weights", true) {
		weights = p.View(batch, m.Heads, target, source)
		if k.bool("average_attn_weights", true) {
			weights = weights.Mean(opt.Dim(1))
		}
	}
	switch {
	case single:
		out = out.Squeeze(1)
		if weights != nil {
			weights = weights.Squeeze(0)
		}
	case m.BatchFirst:
		out = out.Transpose(0, 1)
	}
	return out, weights
}

// project applies the input weights.
func (m *MultiheadAttention) project(query, key, value *tensor.Tensor) (q, k, v *tensor.Tensor) {
	if m.InProjWeight != nil && query == key && key == value {
		out := tensor.Linear(query, m.InProjWeight, opt.Bias(m.InProjBias)).Chunk(3, opt.Dim(-1))
		return out[0], out[1], out[2]
	}
	w, b := [3]*tensor.Tensor{m.QProjWeight, m.KProjWeight, m.VProjWeight}, [3]*tensor.Tensor{}
	if m.InProjBias != nil {
		copy(b[:], m.InProjBias.Chunk(3))
	}
	if m.InProjWeight != nil {
		copy(w[:], m.InProjWeight.Chunk(3))
	}
	return tensor.Linear(query, w[0], opt.Bias(b[0])), tensor.Linear(key, w[1],
		opt.Bias(b[1])), tensor.Linear(value, w[2], opt.Bias(b[2]))
}

// floatMask turns true into -Inf, and leaves what is to be added.
func floatMask(op, name string, mask, like *tensor.Tensor) *tensor.Tensor {
	switch {
	case mask == nil:
		return nil
	case mask.Dtype() == tensor.Bool:
		return tensor.With(like.Dtype(), like.Device()).Zeros(mask.Shape()...).MaskedFill(mask, math.Inf(-1))
	case mask.Dtype().IsFloatingPoint():
		return mask
	}
	panic(tensor.Errorf(op, "%s must be bool or of floating point numbers, not %s", name, mask.Dtype()))
}

// CausalMask is -Inf above the diagonal of an n by n matrix and 0 elsewhere: no step attends to a later one.
func CausalMask(n int) *tensor.Tensor {
	return tensor.Full([]int{n, n}, math.Inf(-1)).Triu(opt.Diagonal(1))
}
