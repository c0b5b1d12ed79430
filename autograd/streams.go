package autograd

import "gotorch/tensor"

// Note: streams. On a device that answers later the backward of an operator runs on the stream of its forward call,
// as in PyTorch. A stream that takes a gradient which another has computed waits for it; in the end the stream of the
// caller waits for those that filled gradients of leaves. All this costs nothing where every call was made outside of
// any stream's scope.

// lanes are the streams of a pass.
type lanes struct {
	home  any // the caller's
	wrote []lane
}

// lane is a gradient of a leaf, and the stream that it was asked of.
type lane struct {
	g      *tensor.Tensor
	stream any
}

// stream is that of the forward call, nil for the default stream.
func (n *Node) stream() any {
	if n.more == nil {
		return nil
	}
	return n.more.stream
}

// currentStream is that of the running goroutine's scope.
func currentStream() any {
	if s := tensor.CurrentScope(); s != nil {
		return s.Stream
	}
	return nil
}

// findLanes is nil where all nodes, and the caller, are of default streams.
func (k *task) findLanes() *lanes {
	l := &lanes{home: currentStream()}
	if l.home != nil {
		return l
	}
	for _, e := range k.list {
		if e.n.stream() != nil {
			return l
		}
	}
	return nil
}

// step runs a node on its stream.
func (l *lanes) step(k *task, e *entry) {
	s := e.n.stream()
	for _, g := range e.grads {
		if g.t != nil {
			tensor.OrderStreams(g.t, g.from, s)
		}
	}
	if e.n.Leaf() != nil && e.grads[0].t != nil {
		l.wrote = append(l.wrote, lane{e.grads[0].t, s})
	}
	for _, c := range e.capture {
		if g := e.grads[c.output].t; g != nil {
			l.wrote = append(l.wrote, lane{g, s})
		}
	}
	tensor.InScope(func(scope *tensor.Scope) { scope.Stream = s }, func() { k.step(e) })
}

// join makes the caller's stream wait for the gradients.
func (l *lanes) join() {
	if l == nil {
		return
	}
	for _, w := range l.wrote {
		tensor.OrderStreams(w.g, w.stream, l.home)
	}
}
