package nn

import (
	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TransformerEncoderLayer is self-attention and a network of two layers, each with a residual and a LayerNorm
// (Vaswani et al. 2017).
type TransformerEncoderLayer struct {
	SelfAttn         *MultiheadAttention
	Linear1, Linear2 *Linear
	Norm1, Norm2     *LayerNorm
	Drop             Dropout
	NormFirst        bool
	Activation       Func
}

// transformerOptions are what the constructors of the layers read.
type transformerOptions struct {
	keywords
	attention []tensor.Option // for attention
	layer     []tensor.Option // for other layers
	drop      float64
	act       Func
}

func readTransformer(op string, opts []tensor.Option, more ...string) transformerOptions {
	k := read(op, opts, append(more, "dim_feedforward", "dropout", "activation", "layer_norm_eps", "batch_first",
		"norm_first")...)
	t := transformerOptions{keywords: k, drop: k.float("dropout", 0.1)}
	for _, name := range factoryKeywords {
		if o, ok := k.m[name].(tensor.Option); ok {
			t.layer = append(t.layer, o)
		}
	}
	t.attention = append([]tensor.Option{opt.Dropout(t.drop), opt.BatchFirst(k.bool("batch_first", false))}, t.layer...)
	switch name := k.string("activation", "relu"); name {
	case "relu":
		t.act = ReLU
	case "gelu":
		t.act = GELU
	default:
		panic(tensor.Errorf(op, `activation must be "relu" or "gelu", not %q; another one is put into the field Activation`,
			name))
	}
	return t
}

func (t *transformerOptions) norm(model int) *LayerNorm {
	return NewLayerNorm(model, append([]tensor.Option{opt.Eps(t.float("layer_norm_eps", 1e-5))}, t.layer...)...)
}

// NewTransformerEncoderLayer makes a layer of model features and so many heads. Options: opt.DimFeedforward (2048),
// opt.Dropout (0.1), opt.Activation ("relu" or "gelu"), opt.LayerNormEps (1e-5), opt.BatchFirst (false), opt.NormFirst
// (false), opt.Dtype, opt.Device.
func NewTransformerEncoderLayer(model, heads int, opts ...tensor.Option) *TransformerEncoderLayer {
	t := readTransformer("nn.TransformerEncoderLayer", opts)
	wide := t.int("dim_feedforward", 2048)
	return &TransformerEncoderLayer{
		SelfAttn: NewMultiheadAttention(model, heads, t.attention...),
		Linear1:  NewLinear(model, wide, t.layer...), Linear2: NewLinear(wide, model, t.layer...),
		Norm1: t.norm(model), Norm2: t.norm(model),
		Drop: NewDropout(t.drop), NormFirst: t.bool("norm_first", false), Activation: t.act,
	}
}

// Forward maps (sequence, batch, model) to the same shape; with BatchFirst (batch, sequence, model).
func (l *TransformerEncoderLayer) Forward(x *tensor.Tensor) *tensor.Tensor { return l.Encode(x) }

// Encode is Forward with masks: opt.AttnMask and opt.KeyPaddingMask, as for [MultiheadAttention.Attend].
func (l *TransformerEncoderLayer) Encode(x *tensor.Tensor, masks ...tensor.Option) *tensor.Tensor {
	attend := func(x *tensor.Tensor) *tensor.Tensor { return attention(l.SelfAttn, x, x, masks) }
	feed := func(x *tensor.Tensor) *tensor.Tensor {
		return l.Linear2.Forward(l.Drop.Forward(l.Activation.Forward(l.Linear1.Forward(x))))
	}
	x = residual(x, attend, l.Norm1, l.Drop, l.NormFirst)
	return residual(x, feed, l.Norm2, l.Drop, l.NormFirst)
}

func attention(m *MultiheadAttention, x, memory *tensor.Tensor, masks []tensor.Option) *tensor.Tensor {
	y, _ := m.Attend(x, memory, memory, append([]tensor.Option{opt.NeedWeights(false)}, masks...)...)
	return y
}

// residual is x + f(norm(x)), or norm(x + f(x)).
func residual(x *tensor.Tensor, f func(*tensor.Tensor) *tensor.Tensor, norm *LayerNorm, drop Dropout,
	first bool) *tensor.Tensor {
	if first {
		return x.Add(drop.Forward(f(norm.Forward(x))))
	}
	return norm.Forward(x.Add(drop.Forward(f(x))))
}

// TransformerDecoderLayer is self-attention, attention to a memory, and a network of two layers.
type TransformerDecoderLayer struct {
	SelfAttn, MultiheadAttn *MultiheadAttention
	Linear1, Linear2        *Linear
	Norm1, Norm2, Norm3     *LayerNorm
	Drop                    Dropout
	NormFirst               bool
	Activation              Func
}

// NewTransformerDecoderLayer makes a layer, with the options of [NewTransformerEncoderLayer].
func NewTransformerDecoderLayer(model, heads int, opts ...tensor.Option) *TransformerDecoderLayer {
	t := readTransformer("nn.TransformerDecoderLayer", opts)
	wide := t.int("dim_feedforward", 2048)
	return &TransformerDecoderLayer{
		SelfAttn: NewMultiheadAttention(model, heads, t.attention...), MultiheadAttn: NewMultiheadAttention(model,
			heads, t.attention...),
		Linear1: NewLinear(model, wide, t.layer...), Linear2: NewLinear(wide, model, t.layer...),
		Norm1: t.norm(model), Norm2: t.norm(model), Norm3: t.norm(model),
		Drop: NewDropout(t.drop), NormFirst: t.bool("norm_first", false), Activation: t.act,
	}
}

// Decode maps the target and the memory, both (sequence, batch, model), to the shape of the target. masks are those of
// the target's self-attention, memoryMasks those of its attention to the memory.
func (l *TransformerDecoderLayer) Decode(x, memory *tensor.Tensor, masks, memoryMasks []tensor.Option) *tensor.Tensor {
	self := func(x *tensor.Tensor) *tensor.Tensor { return attention(l.SelfAttn, x, x, masks) }
	cross := func(x *tensor.Tensor) *tensor.Tensor {
		return attention(l.MultiheadAttn, x, memory, memoryMasks)
	}
	feed := func(x *tensor.Tensor) *tensor.Tensor {
		return l.Linear2.Forward(l.Drop.Forward(l.Activation.Forward(l.Linear1.Forward(x))))
	}
	x = residual(x, self, l.Norm1, l.Drop, l.NormFirst)
	x = residual(x, cross, l.Norm2, l.Drop, l.NormFirst)
	return residual(x, feed, l.Norm3, l.Drop, l.NormFirst)
}

// TransformerEncoder is encoder layers one after the other, and a norm, which may be nil.
type TransformerEncoder struct {
	Layers []*TransformerEncoderLayer
	Norm   *LayerNorm
}

// NewTransformerEncoder makes n copies of a layer, which begin with the same weights, as in PyTorch, and a norm after
// them if one is given.
func NewTransformerEncoder(layer *TransformerEncoderLayer, n int, norm ...*LayerNorm) *TransformerEncoder {
	e := &TransformerEncoder{Norm: lastNorm("nn.TransformerEncoder", norm)}
	for range n {
		e.Layers = append(e.Layers, clone(layer))
	}
	return e
}

// Forward passes x through all layers.
func (e *TransformerEncoder) Forward(x *tensor.Tensor) *tensor.Tensor { return e.Encode(x) }

// Encode is Forward with masks.
func (e *TransformerEncoder) Encode(x *tensor.Tensor, masks ...tensor.Option) *tensor.Tensor {
	for _, l := range e.Layers {
		x = l.Encode(x, masks...)
	}
	if e.Norm != nil {
		x = e.Norm.Forward(x)
	}
	return x
}

// lastNorm is the norm after all layers: one at most.
func lastNorm(op string, norm []*LayerNorm) *LayerNorm {
	switch len(norm) {
	case 0:
		return nil
	case 1:
		return norm[0]
	}
	panic(tensor.Errorf(op, "%d norms were given, it has one at most", len(norm)).OnArg("norm"))
}

// TransformerDecoder is decoder layers one after the other, and a norm, which may be nil.
type TransformerDecoder struct {
	Layers []*TransformerDecoderLayer
	Norm   *LayerNorm
}

// NewTransformerDecoder makes n copies of a layer, which begin with the same weights, as in PyTorch, and a norm after
// them if one is given.
func NewTransformerDecoder(layer *TransformerDecoderLayer, n int, norm ...*LayerNorm) *TransformerDecoder {
	d := &TransformerDecoder{Norm: lastNorm("nn.TransformerDecoder", norm)}
	for range n {
		d.Layers = append(d.Layers, clone(layer))
	}
	return d
}

// Decode passes x and the memory through all layers.
func (d *TransformerDecoder) Decode(x, memory *tensor.Tensor, masks, memoryMasks []tensor.Option) *tensor.Tensor {
	for _, l := range d.Layers {
		x = l.Decode(x, memory, masks, memoryMasks)
	}
	if d.Norm != nil {
		x = d.Norm.Forward(x)
	}
	return x
}

// Transformer is an encoder and a decoder that attends to what it made.
type Transformer struct {
	Encoder *TransformerEncoder
	Decoder *TransformerDecoder
}

// NewTransformer makes a transformer of model features, heads, and so many layers in the encoder and in the decoder,
// with the options of [NewTransformerEncoderLayer]. Its matrices begin with Xavier's uniform draws.
func NewTransformer(model, heads, encoderLayers, decoderLayers int, opts ...tensor.Option) *Transformer {
	o := readTransformer("nn.Transformer", opts)
	t := &Transformer{Encoder: NewTransformerEncoder(NewTransformerEncoderLayer(model, heads, opts...),
		encoderLayers, o.norm(model))}
	t.Decoder = NewTransformerDecoder(NewTransformerDecoderLayer(model, heads, opts...), decoderLayers, o.norm(model))
	for _, p := range Params(t) {
		if p.Tensor.Dim() > 1 {
			inits.XavierUniform_(p.Tensor)
		}
	}
	return t
}

// Run maps a source and a target, (sequence, batch, model) each, to the shape of the target. masks are those of the
// target's self-attention.
func (t *Transformer) Run(source, target *tensor.Tensor, masks ...tensor.Option) *tensor.Tensor {
	return t.Decoder.Decode(target, t.Encoder.Forward(source), masks, nil)
}
