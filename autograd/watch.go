package autograd

import "gotorch/tensor"

// Observer receives the events of a backward pass, on the goroutine that runs it. The tensors that it receives are the
// engine's own: it must not write to them, and copies what it wants to keep. A nil gradient is none, which counts as
// zero.
type Observer interface {
	// Flow: a gradient goes along an edge.
	Flow(f Flow)
	// Hook: a hook has replaced the gradient of a result of n.
	Hook(n *Node, output int, before, after *tensor.Tensor)
	// Node: the gradients of all results of n have come together, and its formula runs next.
	Node(n *Node, grads []*tensor.Tensor)
	// Leaf: the gradient of a leaf is complete. A backward pass that nobody watches would add it to the leaf's Grad.
	Leaf(n *Node, grad *tensor.Tensor)
}

// Flow is a gradient on its way along an edge of the graph, or into it where a pass begins.
type Flow struct {
	From   *Node // nil at a root
	Arg    int   // which edge of From, or which of the outputs that the pass began with
	To     Edge
	Grad   *tensor.Tensor // what goes, in the shape and dtype of what it is the gradient of
	Before *tensor.Tensor // what has come before it, nil if it is the first
	Sum    *tensor.Tensor // of both
}

// Watch runs the backward pass of outputs, with o looking on. It changes nothing: no Grad is written, tensors that
// retain theirs are left as they are, and the graph stays whole. Hooks of the caller run, for what they give decides
// what flows on; a hook that writes somewhere else does that. Options: opt.Gradient or opt.GradOutputs, as for
// [Backward].
func Watch(o Observer, outputs []*tensor.Tensor, opts ...tensor.Option) {
	s := read("backward", opts, "gradient", "grad_outputs")
	runTask(&task{keep: true, watch: o}, rootsOf("backward", outputs, s), nil, nil)
}

// watched lists the gradients that arrived at a node.
func (e *entry) watched() []*tensor.Tensor {
	out := make([]*tensor.Tensor, len(e.grads))
	for i := range e.grads {
		out[i] = e.grads[i].t
	}
	return out
}
