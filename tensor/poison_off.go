//go:build !poison

package tensor

const poison = false

func (c *Call) poison() {}
