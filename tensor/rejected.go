package tensor

// Keywords of PyTorch are errors where they would have an effect in PyTorch and have none here.

// noSparse rejects sparse gradients, argument i, of which there are none.
func (c *Call) noSparse(i int) {
	if c.Bool(i) {
		name := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "sparse gradients are not supported: leave %s out", name).OnArg(name))
	}
}

// noNonBlocking rejects copies between devices that go on after the call has returned, argument i. On one device the
// keyword has no effect in PyTorch either.
func (c *Call) noNonBlocking(i int, from, to Device) {
	if from != to && c.Bool(i) && !from.AnswersLater() && !to.AnswersLater() {
		name := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "a copy from %s to %s is complete when the call returns: leave %s out", from, to, name).
			OnArg(name))
	}
}
