package autograd

import "gotorch/tensor"

func init() {
	register(map[string]Formula{"nn.functional.embedding": {For: []Saves{0, Arg0}, VJP: embeddingBackward}})
}

// embeddingBackward adds every row's gradient to the row that it came from, but for those of padding_idx; with
// scale_grad_by_freq it is divided by how often the row was taken.
func embeddingBackward(c *Ctx) Grads {
	ix, shape := c.Tensor(0).Reshape(-1).To(tensor.Int64), c.Shape(1)
	g := c.Grad.Reshape(ix.Numel(), shape[1])
	if c.Bool(6) { // a sparse gradient of the rows that were taken
		if !c.IsNone(2) {
			kept := ix.Ne((c.Int(2) + shape[0]) % shape[0]).Nonzero().Reshape(-1)
			ix, g = ix.IndexSelect(0, kept), g.IndexSelect(0, kept)
		}
		return Grads{nil, tensor.Private("_sparse_coo_tensor_unsafe", ix.Unsqueeze(0), g, shape)}
	}
	if c.Bool(5) {
		counts := tensor.With(g.Dtype(), g.Device()).Zeros(shape[0]).
			IndexAdd(0, ix, tensor.With(g.Dtype(), g.Device()).Ones(ix.Numel()))
		g = g.Div(counts.IndexSelect(0, ix).Unsqueeze(1))
	}
	if !c.IsNone(2) {
		p := c.Int(2)
		if p < 0 {
			p += shape[0]
		}
		g = g.MaskedFill(ix.Eq(p).Unsqueeze(1), 0)
	}
	return Grads{nil, tensor.LiftTo(zeros(g, shape), ix).IndexAdd_(0, ix, g)}
}
