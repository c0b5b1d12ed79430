package tensor

// explicits registers bodies of operators that are others in a row but have a formula of their own, so that the graph
// has one node for them. The body runs at the devices' keys, on every device, and beneath Autograd: what it calls is
// not recorded.
func explicits(m map[string]Kernel) {
	for name, f := range m {
		for k := KeyMeta; k.IsDevice(); k++ {
			RegisterCalling(name, k, f)
		}
	}
}

// Private calls an operator by its full name, argument by argument in the schema's order, and gives its first result;
// nil leaves an argument at its default. It is for the operators that have no name in the Go API, which formulas are
// made of. A wrong argument panics with an *Error.
//
//gotorch:internal
func Private(name string, args ...any) *Tensor {
	o := ops[name]
	if o == nil {
		panic(Errorf(name, "there is no such operator"))
	}
	c := begin(o)
	for i, v := range args {
		if v != nil {
			c.set(i, v)
		}
	}
	return c.run1()
}
