package autograd

import "gotorch/tensor"

// formatOf is the channels last format of x, NoFormat where it has none, or is contiguous as well.
func formatOf(x *tensor.Tensor) tensor.MemoryFormat {
	f := tensor.ChannelsLast
	if x.Dim() == 5 {
		f = tensor.ChannelsLast3d
	}
	if x.Dim() > 5 || x.IsContiguous() || !x.IsContiguous(f) {
		return tensor.NoFormat
	}
	return f
}

// anyCall is the Format of formulas whose gradients always keep it.
func anyCall(*Ctx) bool { return true }

// formatted lays gradients out as the arguments were: see [Formula.Format].
func (n *Node) formatted(c *Ctx, out Grads) Grads {
	if n.op == nil || formulaOf(n.op).Format == nil {
		return out
	}
	format := tensor.NoFormat
	for i := range n.ins() {
		if f := n.ins()[i].format; f != tensor.NoFormat {
			format = f
		}
	}
	if format == tensor.NoFormat || !formulaOf(n.op).Format(c) {
		return out
	}
	for i, g := range out {
		if g != nil && (g.Dim() == 4 && format == tensor.ChannelsLast || g.Dim() == 5 && format == tensor.ChannelsLast3d) {
			out[i] = g.Contiguous(format)
		}
	}
	return out
}
