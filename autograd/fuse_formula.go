package autograd

import (
	"math"
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: formulas as loops. The formula of a pointwise operator is itself a chain of pointwise operators over what it
// saved and the gradient: x and g give (1 - y*y) * g. Where nothing is recorded it runs fused, block by block, with
// exactly the values of the plain calls. A formula that is more than that, or one operator alone, runs as it is
// written.

// maxUnfused is how often a formula is tried that never was a loop.
const maxUnfused = 4

// fusedLeast is the number of elements from which a formula is fused.
const fusedLeast = 1 << 14

// fusedVJP runs the formula of a pointwise operator as one loop; ok is false where that cannot be done.
func (n *Node) fusedVJP(c *Ctx) (grads Grads, ok bool) {
	if n.op == nil || n.op.Class() != opdef.Pointwise || len(n.saved) == 0 || len(n.outs()) != 1 ||
		c.Grad.Numel() < fusedLeast || c.Grad.Device() != tensor.CPU || !tensor.Excluded(tensor.KeyAutograd) {
		return nil, false // on the meta device it is part of a loop that is being recorded
	}
	f := n.formula()
	if f.unfused == nil || f.unfused.Load() >= maxUnfused {
		return nil, false
	}
	args := make([]*tensor.Tensor, 0, len(n.saved)+1)
	for i := range n.saved {
		args = append(args, n.open(&n.saved[i]).Detach())
	}
	args = append(args, c.Grad.Detach())
	var which []int
	ins := len(n.ins())
	list, ok := tensor.RunFused(args, false, func(xs []*tensor.Tensor) (out []*tensor.Tensor) {
		m := &Node{op: n.op, kept: n.kept, inWay: n.inWay, next: n.next, dims: n.dims, metas: n.metas, numIns: n.numIns}
		for i, s := range n.saved {
			m.saved = append(m.saved, saved{xs[i], xs[i].Version(), s.item, s.which, false})
		}
		g := xs[len(xs)-1]
		d := &Ctx{n: m, Grad: g, grads: []arriving{{t: g}}, needs: c.needs}
		for i, t := range m.formula().VJP(d) {
			if t != nil && i < ins && d.needsEdge(i) {
				which, out = append(which, i), append(out, t)
			}
		}
		return out
	})
	if !ok {
		f.unfused.Add(1)
		return nil, false
	}
	f.unfused.Store(math.MinInt32)
	grads = make(Grads, ins)
	for i, k := range which {
		grads[k] = list[i]
	}
	return grads, true
}

// inLoop is f, a chain of pointwise operators of x alone. Where nothing is recorded it runs as one loop, with the
// values of the plain calls.
func inLoop(f func(x ...*tensor.Tensor) *tensor.Tensor, x ...*tensor.Tensor) *tensor.Tensor {
	if tensor.Excluded(tensor.KeyAutograd) {
		x = oneValue(x)
		out, ok := tensor.RunFused(x, false,
			func(fakes []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{f(fakes...)} })
		if ok {
			return out[0]
		}
	}
	return f(x...)
}

// oneValue replaces those of xs that have one value everywhere, as gradients of sums have, by an element of them where
// another has their shape.
func oneValue(xs []*tensor.Tensor) []*tensor.Tensor {
	whole := func(x *tensor.Tensor) bool {
		return slices.ContainsFunc(x.Strides(), func(s int) bool { return s != 0 })
	}
	out := slices.Clone(xs)
	for i, x := range xs {
		like := func(y *tensor.Tensor) bool { return whole(y) && slices.Equal(x.Shape(), y.Shape()) }
		if x.Numel() > 1 && x.IsPlain() && x.Device() == tensor.CPU && !whole(x) && slices.ContainsFunc(xs, like) {
			for d := range x.Dim() {
				out[i] = out[i].Narrow(d, 0, 1)
			}
		}
	}
	return out
}
