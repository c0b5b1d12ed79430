package tensor

import (
	"slices"
)

// Bodies of differences, integrals and diagonals of all elements.

func init() {
	composites(map[string]Kernel{
		"diff": func(c *Call) {
			x, n := c.Tensor(0), c.Int(1)
			if len(x.shape) == 0 {
				panic(Errorf(c.Name(), "wants a tensor of at least one dimension, got one of none").OnArg("self"))
			}
			if n < 0 {
				panic(Errorf(c.Name(), "the order n must not be negative, got %d", n).OnArg("n"))
			}
			d := c.wrapDim(2, c.Int(2), len(x.shape))
			var parts []*Tensor
			if p := c.Tensor(3); p != nil {
				parts = append(parts, diffEnd(c, "prepend", d, p))
			}
			parts = append(parts, x)
			if a := c.Tensor(4); a != nil {
				parts = append(parts, diffEnd(c, "append", d, a))
			}
			if len(parts) > 1 && n > 0 {
				x = Cat(parts, optDim(d))
			}
			if n == 0 {
				c.Return(x.Clone())
				return
			}
			for i := 0; i < n; i++ {
				size := x.shape[d]
				if size == 0 {
					break
				}
				a, b := x.Narrow(d, 1, size-1), x.Narrow(d, 0, size-1)
				if x.dtype == Bool {
					x = a.LogicalXor(b)
				} else {
					x = a.Sub(b)
				}
			}
			c.Return(x)
		},
		"diagflat":  func(c *Call) { c.Return(c.Tensor(0).Reshape(-1).Diag(optDiagonal(c.Int(1)))) },
		"trapezoid": trapezoid,
		"trapz":     trapezoid,
		"cumulative_trapezoid": func(c *Call) {
			y, x := c.Tensor(0), c.Tensor(1)
			d := integralDim(c, "cumulative_trapezoid")
			if len(y.shape) == 0 {
				panic(Errorf(c.Name(), "y must have at least one dimension").OnArg("y"))
			}
			n := max(y.shape[d], 1)
			pairs := y.Narrow(d, 0, min(n-1, y.shape[d])).Add(y.Slice(optDim(d), optStart(1)))
			if x == nil {
				c.Return(pairs.Cumsum(d).Mul(stepOf(c)).Div(2.0))
				return
			}
			c.Return(pairs.Mul(trapezoidSteps(c, x, y, d)).Cumsum(d - len(y.shape)).Div(2.0))
		},
	})
}

// diffEnd checks what is put before or behind self: its dimensions other than d are those of self.
func diffEnd(c *Call, name string, d int, t *Tensor) *Tensor {
	x := c.Tensor(0)
	if len(t.shape) != len(x.shape) {
		panic(Errorf(c.Name(), "%s must have self's number of dimensions, %d, not %d", name, len(x.shape), len(t.shape)).
			OnArg(name))
	}
	for i, n := range t.shape {
		if i != d && n != x.shape[i] {
			panic(Errorf(c.Name(), "%s must have self's size at dimension %d: shapes %v and %v", name, i, t.shape, x.shape).
				OnArg(name))
		}
	}
	return t
}

// trapezoidSteps are the distances between neighbours of x, to be multiplied with sums of neighbours of y along d.
func trapezoidSteps(c *Call, x, y *Tensor, d int) *Tensor {
	if len(x.shape) == 0 {
		panic(Errorf(c.Name(), "x must have at least one dimension").OnArg("x"))
	}
	if len(x.shape) == 1 {
		if x.shape[0] != y.shape[d] {
			panic(Errorf(c.Name(), "there must be one x for each y: %d and %d", x.shape[0], y.shape[d]).OnArg("x"))
		}
		shape := make([]int, len(y.shape))
		for i := range shape {
			shape[i] = 1
		}
		shape[d] = x.shape[0]
		x = x.View(shape...)
	}
	if len(x.shape) < len(y.shape) {
		shape := slices.Repeat([]int{1}, len(y.shape)-len(x.shape))
		x = x.View(append(shape, x.shape...)...)
	}
	d -= len(y.shape) // x may have more dimensions
	n := x.Size(d)
	return x.Narrow(d, 1, n-1).Sub(x.Narrow(d, 0, n-1))
}

// integralDim checks the arguments of an integral and returns the dimension.
func integralDim(c *Call, op string) int {
	y, x := c.Tensor(0), c.Tensor(1)
	if y.dtype == Bool || x != nil && x.dtype == Bool {
		panic(Errorf(op, "received a bool tensor, of which no integral is taken"))
	}
	if x != nil && !c.IsNone(2) {
		panic(Errorf(op, "x and dx cannot both be given"))
	}
	return WrapDim(op, c.Int(3), len(y.shape))
}

// stepOf is dx, 1 if it was not given.
func stepOf(c *Call) Number {
	if s, ok := c.Scalar(2); ok {
		return s.Any()
	}
	return 1.0
}

func trapezoid(c *Call) {
	y, x := c.Tensor(0), c.Tensor(1)
	d := integralDim(c, c.Name())
	if len(y.shape) == 0 || y.shape[d] == 0 {
		shape := y.Shape()
		if len(shape) > 0 {
			shape = slices.Delete(shape, d, d+1)
		}
		c.Return(With(y.dtype, y.Device()).Zeros(shape...))
		return
	}
	n := y.shape[d]
	if x == nil { // the ends count half
		ends := y.Select(d, 0).Add(y.Select(d, -1)).Mul(0.5)
		c.Return(y.Sum(optDim(d)).Sub(ends).Mul(stepOf(c)))
		return
	}
	pairs := y.Narrow(d, 0, n-1).Add(y.Narrow(d, 1, n-1))
	c.Return(pairs.Mul(trapezoidSteps(c, x, y, d)).Sum(optDim(d - len(y.shape))).Div(2.0))
}
