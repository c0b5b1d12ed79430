package nn_test

import (
	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// all makes a row of a module that is called otherwise than by Forward of one input.
func all(m any, call func(xs []T) []T) made { return made{m, call} }

func init() {
	small := []tensor.Option{opt.DimFeedforward(16), opt.Dropout(0)}
	for name, row := range map[string]func() made{
		"rnn": func() made {
			r := nn.NewRNN(3, 4, opt.NumLayers(2))
			return all(r, func(xs []T) []T { y, h := r.Run(xs[0], nil); return []T{y, h} })
		},
		"rnn_relu_single": func() made {
			r := nn.NewRNN(3, 4, opt.Nonlinearity("relu"), opt.Bidirectional(true))
			return all(r, func(xs []T) []T { y, h := r.Run(xs[0], nil); return []T{y, h} })
		},
		"lstm": func() made {
			r := nn.NewLSTM(3, 4)
			return all(r, func(xs []T) []T { y, h, c := r.Run(xs[0], nil, nil); return []T{y, h, c} })
		},
		"lstm_deep": func() made {
			r := nn.NewLSTM(3, 4, opt.NumLayers(2), opt.Bidirectional(true), opt.BatchFirst(true))
			return all(r, func(xs []T) []T { y, h, c := r.Run(xs[0], nil, nil); return []T{y, h, c} })
		},
		"lstm_proj": func() made {
			r := nn.NewLSTM(3, 4, opt.ProjSize(2), opt.NumLayers(2))
			return all(r, func(xs []T) []T { y, h, c := r.Run(xs[0], nil, nil); return []T{y, h, c} })
		},
		"gru": func() made {
			r := nn.NewGRU(3, 4, nn.Bias(false))
			return all(r, func(xs []T) []T { y, h := r.Run(xs[0], nil); return []T{y, h} })
		},
		"gru_deep": func() made {
			r := nn.NewGRU(3, 4, opt.NumLayers(2), opt.Bidirectional(true))
			return all(r, func(xs []T) []T { y, h := r.Run(xs[0], nil); return []T{y, h} })
		},
		"rnn_cell": func() made {
			r := nn.NewRNNCell(3, 4)
			return all(r, func(xs []T) []T { return []T{r.Step(xs[0], xs[1])} })
		},
		"gru_cell": func() made {
			r := nn.NewGRUCell(3, 4)
			return all(r, func(xs []T) []T { return []T{r.Step(xs[0], xs[1])} })
		},
		"lstm_cell": func() made {
			r := nn.NewLSTMCell(3, 4)
			return all(r, func(xs []T) []T { h, c := r.Step(xs[0], nil, nil); return []T{h, c} })
		},
		"attention": func() made { return attention(nn.NewMultiheadAttention(8, 2)) },
		"attention_batch_first": func() made {
			return attention(nn.NewMultiheadAttention(8, 4, opt.BatchFirst(true), nn.Bias(false)))
		},
		"attention_kv": func() made {
			return attention(nn.NewMultiheadAttention(6, 2, opt.Kdim(4), opt.Vdim(5), opt.AddBiasKv(true),
				opt.AddZeroAttn(true)))
		},
		"encoder_layer": func() made { return one(nn.NewTransformerEncoderLayer(8, 2, small...)) },
		"encoder_layer_first": func() made {
			return one(nn.NewTransformerEncoderLayer(8, 2, append(small, opt.NormFirst(true), opt.BatchFirst(true),
				opt.Activation("gelu"))...))
		},
		"decoder_layer": func() made {
			d := nn.NewTransformerDecoderLayer(8, 2, small...)
			return all(d, func(xs []T) []T { return []T{d.Decode(xs[0], xs[1], nil, nil)} })
		},
		"encoder": func() made {
			return one(nn.NewTransformerEncoder(nn.NewTransformerEncoderLayer(8, 2, small...), 2, nn.NewLayerNorm(8)))
		},
		"transformer": func() made {
			m := nn.NewTransformer(8, 2, 1, 1, small...)
			return all(m, func(xs []T) []T { return []T{m.Run(xs[0], xs[1])} })
		},
	} {
		modules[name] = row
	}
}

func attention(m *nn.MultiheadAttention) made {
	return all(m, func(xs []T) []T { y, w := m.Attend(xs[0], xs[1], xs[2]); return []T{y, w} })
}
