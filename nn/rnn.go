package nn

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// recurrent is what RNN, LSTM and GRU share. A layer runs over a list of steps, each with as many rows as there are
// sequences that have not ended: padded input is the case in which all are of one length.
type recurrent struct {
	InputSize, HiddenSize, NumLayers int
	ProjSize                         int // of LSTM: the size of h, 0 for HiddenSize
	Dropout                          float64
	BatchFirst, Bidirectional        bool

	op      string
	bias    bool
	weights []cellWeights // a layer after the other, forward before backward
	next    func(w *cellWeights, gates *tensor.Tensor, h, c *tensor.Tensor) (hn, cn *tensor.Tensor)
}

// cellWeights are those of one layer in one direction.
type cellWeights struct{ ih, hh, bih, bhh, hr *tensor.Tensor }

func newRecurrent(op string, in, hidden, gates int, opts []tensor.Option, more ...string) (*recurrent, keywords) {
	k := read(op, opts, append(more, "num_layers", "bias", "batch_first", "dropout", "bidirectional")...)
	r := &recurrent{
		InputSize: in, HiddenSize: hidden, NumLayers: k.int("num_layers", 1), ProjSize: k.int("proj_size",
			0), Dropout: k.float("dropout", 0),
		BatchFirst: k.bool("batch_first", false), Bidirectional: k.bool("bidirectional",
			false), op: op, bias: k.bool("bias", true),
	}
	positive(op, "hidden_size", hidden)
	positive(op, "num_layers", r.NumLayers)
	if !(r.Dropout >= 0 && r.Dropout <= 1) {
		panic(tensor.Errorf(op, "dropout must be a probability, from 0 to 1, got %v", r.Dropout))
	}
	if r.ProjSize < 0 || r.ProjSize >= hidden {
		panic(tensor.Errorf(op, "proj_size must be from 0 to below the hidden size %d, got %d", hidden, r.ProjSize))
	}
	fill := uniformBias(hidden)
	for layer := range r.NumLayers {
		size := in
		if layer > 0 {
			size = r.outSize() * r.directions()
		}
		for range r.directions() {
			w := cellWeights{ih: k.trained(fill, gates*hidden, size), hh: k.trained(fill, gates*hidden, r.outSize())}
			if r.bias {
				w.bih, w.bhh = k.trained(fill, gates*hidden), k.trained(fill, gates*hidden)
			}
			if r.ProjSize > 0 {
				w.hr = k.trained(fill, r.ProjSize, hidden)
			}
			r.weights = append(r.weights, w)
		}
	}
	return r, k
}

func (r *recurrent) directions() int {
	if r.Bidirectional {
		return 2
	}
	return 1
}

// outSize is the size of h.
func (r *recurrent) outSize() int {
	if r.ProjSize > 0 {
		return r.ProjSize
	}
	return r.HiddenSize
}

// State names the weights as PyTorch does: weight_ih_l0, weight_hh_l0_reverse and so on.
func (r *recurrent) State(yield func(name string, x *tensor.Tensor) bool) {
	for i := range r.weights {
		w := &r.weights[i]
		end := fmt.Sprintf("_l%d", i/r.directions())
		if i%r.directions() == 1 {
			end += "_reverse"
		}
		for _, p := range []struct {
			name string
			x    *tensor.Tensor
		}{{"weight_ih", w.ih}, {"weight_hh", w.hh}, {"bias_ih", w.bih}, {"bias_hh", w.bhh}, {"weight_hr", w.hr}} {
			if p.x != nil && !yield(p.name+end, p.x) {
				return
			}
		}
	}
}

// start is the first state: what was given, or zeros, of shape (layers·directions, batch, size).
func (r *recurrent) start(name string, given *tensor.Tensor, batch, size int, like *tensor.Tensor) *tensor.Tensor {
	n := len(r.weights)
	if given == nil {
		return tensor.With(like.Dtype(), like.Device()).Zeros(n, batch, size)
	}
	if given.Dim() != 3 || given.Size(0) != n || given.Size(1) != batch || given.Size(2) != size {
		panic(tensor.Errorf(r.op, "%s must have the shape [%d %d %d] (layers times directions, batch, size), not %v", name,
			n, batch, size, given.Shape()))
	}
	return given
}

// run passes the steps through all layers. steps[t] has the rows of the sequences that are longer than t, the longest
// first. It returns the outputs of the steps, and the last states of all layers.
func (r *recurrent) run(steps []*tensor.Tensor, h0, c0 *tensor.Tensor) (out []*tensor.Tensor, hn, cn *tensor.Tensor) {
	var hs, cs []*tensor.Tensor
	for layer := range r.NumLayers {
		if layer > 0 && r.Dropout > 0 && Training() {
			steps = r.drop(steps)
		}
		var outs [2][]*tensor.Tensor
		for d := range r.directions() {
			i := layer*r.directions() + d
			var c *tensor.Tensor
			if c0 != nil {
				c = c0.Select(0, i)
			}
			o, h, c := r.layer(&r.weights[i], steps, h0.Select(0, i), c, d == 1)
			outs[d] = o
			hs = append(hs, h)
			if c != nil {
				cs = append(cs, c)
			}
		}
		steps = outs[0]
		if r.Bidirectional {
			steps = make([]*tensor.Tensor, len(outs[0]))
			for t := range steps {
				steps[t] = tensor.Cat([]*tensor.Tensor{outs[0][t], outs[1][t]}, opt.Dim(-1))
			}
		}
	}
	if cs != nil {
		cn = tensor.Stack(cs)
	}
	return steps, tensor.Stack(hs), cn
}

// drop is the dropout between layers, drawn for all steps together as PyTorch does.
func (r *recurrent) drop(steps []*tensor.Tensor) []*tensor.Tensor {
	sizes := make([]int, len(steps))
	for t, x := range steps {
		sizes[t] = x.Size(0)
	}
	return tensor.Dropout(tensor.Cat(steps), opt.P(r.Dropout), opt.Training(true)).SplitWithSizes(sizes)
}

// layer runs one direction of one layer. Sequences that have ended keep their last state.
func (r *recurrent) layer(w *cellWeights, steps []*tensor.Tensor, h0, c0 *tensor.Tensor,
	backward bool) (out []*tensor.Tensor, hn, cn *tensor.Tensor) {
	n := len(steps)
	sizes := make([]int, n)
	for t, x := range steps {
		sizes[t] = x.Size(0)
	}
	gates := tensor.Linear(tensor.Cat(steps), w.ih, opt.Bias(w.bih)).SplitWithSizes(sizes)
	out = make([]*tensor.Tensor, n)
	rows := func(x *tensor.Tensor, from, to int) *tensor.Tensor {
		if x == nil || from == 0 && to == x.Size(0) {
			return x
		}
		return x.Narrow(0, from, to-from)
	}
	join := func(a, b *tensor.Tensor) *tensor.Tensor {
		if b == nil || b.Size(0) == 0 {
			return a
		}
		return tensor.Cat([]*tensor.Tensor{a, b})
	}
	if backward { // the longest sequences begin, the shorter ones join
		h, c := rows(h0, 0, sizes[n-1]), rows(c0, 0, sizes[n-1])
		for t := n - 1; t >= 0; t-- {
			if have := h.Size(0); sizes[t] > have {
				h = join(h, rows(h0, have, sizes[t]))
				if c != nil {
					c = join(c, rows(c0, have, sizes[t]))
				}
			}
			h, c = r.next(w, gates[t], h, c)
			out[t] = h
		}
		return out, h, c
	}
	h, c := h0, c0
	var doneH, doneC []*tensor.Tensor // the last states of those that have ended, the shortest first
	for t := range n {
		if have := h.Size(0); sizes[t] < have {
			doneH = append(doneH, rows(h, sizes[t], have))
			h = rows(h, 0, sizes[t])
			if c != nil {
				doneC = append(doneC, rows(c, sizes[t], have))
				c = rows(c, 0, sizes[t])
			}
		}
		h, c = r.next(w, gates[t], h, c)
		out[t] = h
	}
	for i := len(doneH) - 1; i >= 0; i-- {
		h = join(h, doneH[i])
		if c != nil {
			c = join(c, doneC[i])
		}
	}
	return out, h, c
}

// padded runs over x of shape (sequence, batch, in), (batch, sequence, in) if batches are first, or (sequence, in).
func (r *recurrent) padded(x, h, c *tensor.Tensor, cells bool) (out, hn, cn *tensor.Tensor) {
	if x.Dim() != 2 && x.Dim() != 3 {
		panic(tensor.Errorf(r.op, "the input must have 3 dimensions, or 2 without a batch; its shape is %v", x.Shape()))
	}
	if x.Size(-1) != r.InputSize {
		panic(tensor.Errorf(r.op, "the input of shape %v has %d features, this layer takes %d", x.Shape(), x.Size(-1),
			r.InputSize))
	}
	single := x.Dim() == 2
	switch {
	case single:
		x = x.Unsqueeze(1)
		if h != nil {
			h = h.Unsqueeze(1)
		}
		if c != nil {
			c = c.Unsqueeze(1)
		}
	case r.BatchFirst:
		x = x.Transpose(0, 1)
	}
	if x.Size(0) == 0 {
		panic(tensor.Errorf(r.op, "the sequences have no steps"))
	}
	h = r.start("the first hidden state", h, x.Size(1), r.outSize(), x)
	if cells {
		c = r.start("the first cell state", c, x.Size(1), r.HiddenSize, x)
	}
	steps, hn, cn := r.run(x.Unbind(), h, c)
	out = tensor.Stack(steps)
	switch {
	case single:
		out, hn = out.Squeeze(1), hn.Squeeze(1)
		if cn != nil {
			cn = cn.Squeeze(1)
		}
	case r.BatchFirst:
		out = out.Transpose(0, 1)
	}
	return out, hn, cn
}

// RNN is the recurrent network h' = tanh(W·x + b + V·h + c) (Elman 1990).
type RNN struct{ *recurrent }

// NewRNN makes an RNN from in features to hidden ones. Options: opt.NumLayers (1), opt.Nonlinearity ("tanh" or
// "relu"), Bias (true), opt.BatchFirst (false), opt.Dropout (0, between layers), opt.Bidirectional (false), opt.Dtype,
// opt.Device. The initial weights are uniform on ±1/√hidden.
func NewRNN(in, hidden int, opts ...tensor.Option) *RNN {
	r, k := newRecurrent("nn.RNN", in, hidden, 1, opts, "nonlinearity")
	act := nonlinearity(k)
	r.next = func(w *cellWeights, gates, h, _ *tensor.Tensor) (*tensor.Tensor, *tensor.Tensor) {
		return act(gates.Add(tensor.Linear(h, w.hh, opt.Bias(w.bhh)))), nil
	}
	return &RNN{r}
}

func nonlinearity(k keywords) func(*tensor.Tensor) *tensor.Tensor {
	switch name := k.string("nonlinearity", "tanh"); name {
	case "tanh":
		return func(x *tensor.Tensor) *tensor.Tensor { return x.Tanh() }
	case "relu":
		return func(x *tensor.Tensor) *tensor.Tensor { return x.Relu() }
	default:
		panic(tensor.Errorf(k.op, `nonlinearity must be "tanh" or "relu", not %q`, name))
	}
}

// Forward is the outputs of all steps, from a state of zeros.
func (r *RNN) Forward(x *tensor.Tensor) *tensor.Tensor { out, _ := r.Run(x, nil); return out }

// Run maps x of shape (sequence, batch, in) and the first state (layers·directions, batch, hidden), nil for zeros, to
// the outputs (sequence, batch, directions·hidden) and the last state. If batches are first they are in x and out.
func (r *RNN) Run(x, h *tensor.Tensor) (out, hn *tensor.Tensor) {
	out, hn, _ = r.padded(x, h, nil, false)
	return out, hn
}

// GRU is the network of gated recurrent units (Cho et al. 2014).
type GRU struct{ *recurrent }

// NewGRU makes a GRU, with the options of [NewRNN] but opt.Nonlinearity.
func NewGRU(in, hidden int, opts ...tensor.Option) *GRU {
	r, _ := newRecurrent("nn.GRU", in, hidden, 3, opts)
	r.next = func(w *cellWeights, gates, h, _ *tensor.Tensor) (*tensor.Tensor, *tensor.Tensor) {
		return gruStep(gates, h, w.hh, w.bhh), nil
	}
	return &GRU{r}
}

// gruStep is h' = (1-z)·n + z·h, with the reset gate r, the update gate z and the new state n.
func gruStep(gates, h, hh, bhh *tensor.Tensor) *tensor.Tensor {
	a, b := gates.Chunk(3, opt.Dim(-1)), tensor.Linear(h, hh, opt.Bias(bhh)).Chunk(3, opt.Dim(-1))
	reset, update := a[0].Add(b[0]).Sigmoid(), a[1].Add(b[1]).Sigmoid()
	n := a[2].Add(reset.Mul(b[2])).Tanh()
	return n.Add(update.Mul(h.Sub(n)))
}

// Forward is the outputs of all steps, from a state of zeros.
func (g *GRU) Forward(x *tensor.Tensor) *tensor.Tensor { out, _ := g.Run(x, nil); return out }

// Run is as [RNN.Run].
func (g *GRU) Run(x, h *tensor.Tensor) (out, hn *tensor.Tensor) {
	out, hn, _ = g.padded(x, h, nil, false)
	return out, hn
}

// LSTM is the network of long short-term memory (Hochreiter and Schmidhuber 1997).
type LSTM struct{ *recurrent }

// NewLSTM makes an LSTM, with the options of [NewRNN] but opt.Nonlinearity, and opt.ProjSize (0: none), the size to
// which h is projected.
func NewLSTM(in, hidden int, opts ...tensor.Option) *LSTM {
	r, _ := newRecurrent("nn.LSTM", in, hidden, 4, opts, "proj_size")
	r.next = func(w *cellWeights, gates, h, c *tensor.Tensor) (*tensor.Tensor, *tensor.Tensor) {
		h, c = lstmStep(gates, h, c, w.hh, w.bhh)
		if w.hr != nil {
			h = tensor.Linear(h, w.hr)
		}
		return h, c
	}
	return &LSTM{r}
}

// lstmStep is c' = f·c + i·g and h' = o·tanh(c'), with the gates i, f, g and o.
func lstmStep(gates, h, c, hh, bhh *tensor.Tensor) (hn, cn *tensor.Tensor) {
	g := gates.Add(tensor.Linear(h, hh, opt.Bias(bhh))).Chunk(4, opt.Dim(-1))
	cn = g[1].Sigmoid().Mul(c).Add(g[0].Sigmoid().Mul(g[2].Tanh()))
	return g[3].Sigmoid().Mul(cn.Tanh()), cn
}

// Forward is the outputs of all steps, from states of zeros.
func (l *LSTM) Forward(x *tensor.Tensor) *tensor.Tensor { out, _, _ := l.Run(x, nil, nil); return out }

// Run maps x and the first hidden and cell states, nil for zeros, to the outputs and the last states; shapes are as
// for [RNN.Run].
func (l *LSTM) Run(x, h, c *tensor.Tensor) (out, hn, cn *tensor.Tensor) {
	return l.padded(x, h, c, true)
}

// cell is what the cells share: the weights of one step.
type cell struct{ WeightIh, WeightHh, BiasIh, BiasHh *tensor.Tensor }

func newCell(op string, in, hidden, gates int, opts []tensor.Option, more ...string) (*cell, keywords) {
	k := read(op, opts, append(more, "bias")...)
	positive(op, "hidden_size", hidden)
	fill := uniformBias(hidden)
	c := &cell{WeightIh: k.trained(fill, gates*hidden, in), WeightHh: k.trained(fill, gates*hidden, hidden)}
	if k.bool("bias", true) {
		c.BiasIh, c.BiasHh = k.trained(fill, gates*hidden), k.trained(fill, gates*hidden)
	}
	return c, k
}

// State names the weights.
func (c *cell) State(yield func(name string, x *tensor.Tensor) bool) {
	_ = yield("weight_ih", c.WeightIh) && yield("weight_hh", c.WeightHh) &&
		(c.BiasIh == nil || yield("bias_ih", c.BiasIh) && yield("bias_hh", c.BiasHh))
}

// gates is what comes of the input; zeros stands for a state that is nil.
func (c *cell) gates(x *tensor.Tensor) *tensor.Tensor {
	return tensor.Linear(x, c.WeightIh, opt.Bias(c.BiasIh))
}

func (c *cell) zeros(h, x *tensor.Tensor) *tensor.Tensor {
	if h != nil {
		return h
	}
	shape := x.Shape()
	shape[len(shape)-1] = c.WeightHh.Size(1)
	return tensor.With(x.Dtype(), x.Device()).Zeros(shape...)
}

// RNNCell is one step of an [RNN].
type RNNCell struct {
	*cell
	act func(*tensor.Tensor) *tensor.Tensor
}

// NewRNNCell makes an RNNCell. Options: opt.Nonlinearity ("tanh" or "relu"), Bias, opt.Dtype, opt.Device.
func NewRNNCell(in, hidden int, opts ...tensor.Option) *RNNCell {
	c, k := newCell("nn.RNNCell", in, hidden, 1, opts, "nonlinearity")
	return &RNNCell{c, nonlinearity(k)}
}

// Step maps (batch, in) and the state (batch, hidden), nil for zeros, to the next state.
func (c *RNNCell) Step(x, h *tensor.Tensor) *tensor.Tensor {
	return c.act(c.gates(x).Add(tensor.Linear(c.zeros(h, x), c.WeightHh, opt.Bias(c.BiasHh))))
}

// GRUCell is one step of a [GRU].
type GRUCell struct{ *cell }

// NewGRUCell makes a GRUCell. Options: Bias, opt.Dtype, opt.Device.
func NewGRUCell(in, hidden int, opts ...tensor.Option) *GRUCell {
	c, _ := newCell("nn.GRUCell", in, hidden, 3, opts)
	return &GRUCell{c}
}

// Step is as [RNNCell.Step].
func (c *GRUCell) Step(x, h *tensor.Tensor) *tensor.Tensor {
	return gruStep(c.gates(x), c.zeros(h, x), c.WeightHh, c.BiasHh)
}

// LSTMCell is one step of an [LSTM].
type LSTMCell struct{ *cell }

// NewLSTMCell makes an LSTMCell. Options: Bias, opt.Dtype, opt.Device.
func NewLSTMCell(in, hidden int, opts ...tensor.Option) *LSTMCell {
	c, _ := newCell("nn.LSTMCell", in, hidden, 4, opts)
	return &LSTMCell{c}
}

// Step maps (batch, in) and the hidden and cell states, nil for zeros, to the next ones.
func (c *LSTMCell) Step(x, h, cell *tensor.Tensor) (hn, cn *tensor.Tensor) {
	return lstmStep(c.gates(x), c.zeros(h, x), c.zeros(cell, x), c.WeightHh, c.BiasHh)
}
