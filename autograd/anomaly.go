package autograd

import (
	"gotorch/tensor"
)

// DetectAnomaly runs f. Backward passes meanwhile look at every gradient that a node computes; at the first that has
// NaN or an infinity they panic with an *Error that names the node, the argument, and the cell and line of the call
// that made the node. Looking takes time: it is for finding faults.
func DetectAnomaly(f func()) { withModes(func(m *modes) { m.anomaly = true }, f) }

// check panics at the first gradient in out, those of n's arguments, that is not finite.
func (k *task) check(n *Node, arrived []arriving, out Grads) {
	for i, g := range out {
		if g == nil || i >= len(n.Next()) || !k.leads(n.Next()[i].Node) {
			continue
		}
		bad, count := notFinite(g)
		if count == 0 {
			continue
		}
		name := n.argName(i)
		from := ""
		for _, a := range arrived {
			if a.t == nil {
				continue
			}
			if what, count := notFinite(a.t); count > 0 {
				from = "; the gradient that arrived at it has " + what + " already: the pass began with it"
			}
		}
		e := tensor.Errorf("backward", "%s gives %s in %d of the %d elements of the gradient of %s%s", n.describe(),
			bad,
			count, g.Numel(), name, from)
		if from == "" {
			e = e.WithHint("look at the arguments of this call: %graph and %backward show them")
		}
		panic(e)
	}
}

// argName is the name of the argument that edge i belongs to.
func (n *Node) argName(i int) string {
	if n.copies() != nil || n.op == nil {
		return ordinal(i)
	}
	slot := int(n.ins()[i].slot)
	return n.op.Params[slot].Name
}

func ordinal(i int) string {
	if i == 0 {
		return "the first input"
	}
	return "a later input"
}

// notFinite says what of g is not finite, and counts it.
func notFinite(g *tensor.Tensor) (what string, count int) {
	g = innermostValue(g)
	if !g.Dtype().IsDifferentiable() || g.Device() == tensor.Meta || g.Numel() == 0 {
		return "", 0
	}
	NoGrad(func() {
		g = g.Detach()
		nan := g.Isnan().Sum().ItemInt()
		inf := g.Isinf().Sum().ItemInt()
		switch count = int(nan + inf); {
		case nan > 0 && inf > 0:
			what = "NaN and infinity"
		case nan > 0:
			what = "NaN"
		case inf > 0:
			what = "infinity"
		}
	})
	return what, count
}
