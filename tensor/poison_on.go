//go:build poison

package tensor

// poison: calls are spoiled when they return, so that a test finds code that keeps one.
const poison = true

func (c *Call) poison() {
	c.Op = &Op{Full: "a call that has returned"}
	c.args, c.ret, c.out = nil, nil, nil
}
