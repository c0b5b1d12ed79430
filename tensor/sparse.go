package tensor

// noSparse refuses sparse gradients, argument i, of which there are none.
func (c *Call) noSparse(i int) {
	if c.Bool(i) {
		name := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "sparse gradients are not supported: leave %s out", name).OnArg(name))
	}
}
