package nn_test

import (
	"math"
	"testing"

	"gotorch/nn"
	"gotorch/nn/internal/recorded"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestConfigurations holds modules against PyTorch in further configurations: nn/testdata/record_configs.py.
func TestConfigurations(t *testing.T) {
	var all struct{ Modules map[string]*moduleCase }
	recorded.Read(t, "testdata/configs.json.gz", &all)
	checkModules(t, all.Modules, configurations)
}

// causal hides what comes later, padded the last positions of all but the first sequence.
func causal(n int) T { return tensor.Full([]int{n, n}, math.Inf(-1)).Triu(opt.Diagonal(1)) }

func padded(batch, n int) T {
	rows := make([][]bool, batch)
	for i := range rows {
		rows[i] = make([]bool, n)
		for j := range n {
			rows[i][j] = j >= n-i
		}
	}
	return tensor.New(rows)
}

var packedLengths = []int{3, 5, 1, 5}

var layerOptions = []tensor.Option{opt.DimFeedforward(16), opt.Dropout(0)}

func encoderCase(heads int, opts, masks []tensor.Option) made {
	l := nn.NewTransformerEncoderLayer(8, heads, append(opts, layerOptions...)...)
	return made{l, func(xs []T) []T { return []T{l.Encode(xs[0], masks...)} }}
}

func decoderCase(opts, masks, memory []tensor.Option) made {
	l := nn.NewTransformerDecoderLayer(8, 2, append(opts, layerOptions...)...)
	return made{l, func(xs []T) []T { return []T{l.Decode(xs[0], xs[1], masks, memory)} }}
}

var configurations = map[string]func() made{
	"conv1d_dilated": func() made {
		return one(nn.NewConv1d(4, 4, 3, opt.Dilation(2), opt.Padding(2), opt.Groups(4)))
	},
	"conv2d_replicate": func() made {
		return one(nn.NewConv2d(4, 6, 3, opt.Stride(2), opt.Padding([]int{1, 2}), opt.Groups(2),
			opt.PaddingMode("replicate")))
	},
	"conv2d_circular": func() made { return one(nn.NewConv2d(2, 2, 3, opt.Padding(1), opt.PaddingMode("circular"))) },
	"conv2d_valid":    func() made { return one(nn.NewConv2d(2, 2, []int{1, 3}, opt.Padding("valid"), nn.Bias(false))) },
	"conv3d_reflect": func() made {
		return one(nn.NewConv3d(1, 2, []int{3, 2, 3}, opt.Padding([]int{1, 0, 1}), opt.PaddingMode("reflect")))
	},
	"conv_transpose1d_dilated": func() made {
		return one(nn.NewConvTranspose1d(4, 6, 3, opt.Groups(2), opt.Dilation(2), opt.Padding(1)))
	},
	"conv_transpose2d_output": func() made {
		return one(nn.NewConvTranspose2d(2, 3, []int{3, 2}, opt.Stride(2, 3), opt.Padding([]int{1, 0}),
			opt.OutputPadding(1, 2)))
	},
	"conv_transpose3d_groups": func() made {
		return one(nn.NewConvTranspose3d(4, 4, 2, opt.Stride(1, 2, 2), opt.Groups(2)))
	},
	"max_pool1d_ceil": func() made {
		return one(nn.NewMaxPool1d(3, opt.Stride(2), opt.CeilMode(true), opt.Dilation(2)))
	},
	"max_pool2d_mixed": func() made {
		return one(nn.NewMaxPool2d([]int{3, 2}, opt.Stride(2, 1), opt.Padding([]int{1, 0}),
			opt.Dilation(1, 2), opt.CeilMode(true)))
	},
	"avg_pool1d_ceil": func() made {
		return one(nn.NewAvgPool1d(3, opt.Stride(2), opt.Padding(1), opt.CeilMode(true), opt.CountIncludePad(false)))
	},
	"avg_pool2d_ceil": func() made {
		return one(nn.NewAvgPool2d([]int{2, 3}, opt.Stride(2), opt.Padding([]int{0, 1}), opt.CeilMode(true)))
	},
	"adaptive_avg_pool1d": func() made { return one(nn.NewAdaptiveAvgPool1d(3)) },
	"adaptive_avg_pool3d": func() made { return one(nn.NewAdaptiveAvgPool3d([]int{2, 1, 3})) },
	"adaptive_max_pool2d": func() made { return one(nn.NewAdaptiveMaxPool2d([]int{3, 2})) },
	"layer_norm_plain": func() made {
		return one(nn.NewLayerNorm(4, opt.Eps(1e-3), opt.ElementwiseAffine(false)))
	},
	"group_norm_plain":           func() made { return one(nn.NewGroupNorm(4, 4, opt.Eps(1e-2), opt.Affine(false))) },
	"batch_norm1d_momentum":      func() made { return one(nn.NewBatchNorm1d(3, opt.Momentum(0.3), opt.Affine(false))) },
	"embedding_norm1":            func() made { return one(nn.NewEmbedding(7, 3, opt.MaxNorm(1.5), opt.NormType(1))) },
	"embedding_bag_mean_padding": func() made { return one(nn.NewEmbeddingBag(5, 3, opt.PaddingIdx(1))) },
	"embedding_bag_max_norm": func() made {
		return one(nn.NewEmbeddingBag(7, 3, opt.Mode("sum"), opt.MaxNorm(1)))
	},
	"rnn_bidirectional": func() made {
		r := nn.NewRNN(3, 4, opt.NumLayers(2), nn.Bias(false), opt.Bidirectional(true), opt.BatchFirst(true))
		return made{r, func(xs []T) []T { y, h := r.Run(xs[0], nil); return []T{y, h} }}
	},
	"lstm_nobias": func() made {
		r := nn.NewLSTM(3, 4, opt.NumLayers(2), nn.Bias(false), opt.Bidirectional(true))
		return made{r, func(xs []T) []T { y, h, c := r.Run(xs[0], nil, nil); return []T{y, h, c} }}
	},
	"lstm_proj_bidirectional": func() made {
		r := nn.NewLSTM(3, 4, opt.ProjSize(2), opt.Bidirectional(true), opt.BatchFirst(true))
		return made{r, func(xs []T) []T { y, h, c := r.Run(xs[0], nil, nil); return []T{y, h, c} }}
	},
	"gru_batch_first": func() made {
		r := nn.NewGRU(3, 4, opt.NumLayers(3), opt.BatchFirst(true))
		return made{r, func(xs []T) []T { y, h := r.Run(xs[0], nil); return []T{y, h} }}
	},
	"gru_given": func() made {
		r := nn.NewGRU(3, 4, opt.NumLayers(2))
		return made{r, func(xs []T) []T { y, h := r.Run(xs[0], xs[1]); return []T{y, h} }}
	},
	"lstm_given": func() made {
		r := nn.NewLSTM(3, 4)
		return made{r, func(xs []T) []T { y, h, c := r.Run(xs[0], xs[1], xs[2]); return []T{y, h, c} }}
	},
	"rnn_packed": func() made {
		r := nn.NewRNN(3, 4, opt.NumLayers(2))
		return made{r, func(xs []T) []T {
			p, h := r.RunPacked(nn.PackPaddedSequence(xs[0], packedLengths), nil)
			y, _ := p.Pad()
			return []T{y, h}
		}}
	},
	"lstm_packed": func() made {
		r := nn.NewLSTM(3, 4, opt.Bidirectional(true), opt.BatchFirst(true))
		return made{r, func(xs []T) []T {
			p, h, c := r.RunPacked(nn.PackPaddedSequence(xs[0], packedLengths, opt.BatchFirst(true)), nil, nil)
			y, _ := p.Pad(opt.BatchFirst(true))
			return []T{y, h, c}
		}}
	},
	"gru_packed": func() made {
		r := nn.NewGRU(3, 4, opt.NumLayers(2), opt.Bidirectional(true))
		return made{r, func(xs []T) []T {
			p, h := r.RunPacked(nn.PackPaddedSequence(xs[0], packedLengths), nil)
			y, _ := p.Pad()
			return []T{y, h}
		}}
	},
	"attention_causal": func() made {
		m := nn.NewMultiheadAttention(8, 2)
		return made{m, func(xs []T) []T {
			y, w := m.Attend(xs[0], xs[0], xs[0], opt.AttnMask(causal(4)))
			return []T{y, w}
		}}
	},
	"attention_padding": func() made {
		m := nn.NewMultiheadAttention(8, 2, opt.BatchFirst(true))
		return made{m, func(xs []T) []T {
			y, w := m.Attend(xs[0], xs[1], xs[1], opt.KeyPaddingMask(padded(3, 5)), opt.AverageAttnWeights(false))
			return []T{y, w}
		}}
	},
	"attention_both": func() made {
		m := nn.NewMultiheadAttention(8, 4)
		later := tensor.Ones(5, 5).Triu(opt.Diagonal(1)).To(tensor.Bool)
		return made{m, func(xs []T) []T {
			y, w := m.Attend(xs[0], xs[0], xs[0], opt.KeyPaddingMask(padded(3, 5)), opt.AttnMask(later))
			return []T{y, w}
		}}
	},
	"encoder_masks": func() made {
		return encoderCase(2, []tensor.Option{opt.BatchFirst(true)},
			[]tensor.Option{opt.AttnMask(causal(5)), opt.KeyPaddingMask(padded(3, 5))})
	},
	"encoder_first_relu": func() made {
		return encoderCase(4, []tensor.Option{opt.NormFirst(true), opt.LayerNormEps(1e-3)}, nil)
	},
	"decoder_masks": func() made {
		return decoderCase([]tensor.Option{opt.BatchFirst(true)}, []tensor.Option{opt.AttnMask(causal(4))},
			[]tensor.Option{opt.KeyPaddingMask(padded(2, 5))})
	},
	"decoder_first": func() made {
		return decoderCase([]tensor.Option{opt.NormFirst(true), opt.Activation("gelu")},
			[]tensor.Option{opt.AttnMask(causal(4))}, nil)
	},
}
