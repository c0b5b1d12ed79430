package autograd

import (
	"slices"

	"gotorch/tensor/opt"
)

// Joining: every tensor gets back the part of the gradient where its elements went, added up where they went several
// times.

func init() {
	register(map[string]Formula{
		"cat": {Batch: joinBatch(0), VJP: func(c *Ctx) Grads {
			shapes := c.Shapes(0)
			out, at := make(Grads, len(shapes)), 0
			for i, s := range shapes {
				if len(s) == 1 && s[0] == 0 { // passed over
					out[i] = c.Grad.NewZeros(s)
					continue
				}
				d := c.Int(1)
				if d < 0 {
					d += len(s)
				}
				if c.NeedsItem(0, i) {
					out[i] = c.Grad.Narrow(d, at, s[d])
				}
				at += s[d]
			}
			return out
		}},
		"stack": {Batch: joinBatch(1), VJP: func(c *Ctx) Grads { return c.Grad.Unbind(opt.Dim(c.Int(1))) }},
		"block_diag": {VJP: func(c *Ctx) Grads {
			shapes := c.Shapes(0)
			out, row, col := make(Grads, len(shapes)), 0, 0
			for i, s := range shapes {
				rows, cols := 1, 1
				switch len(s) {
				case 1:
					cols = s[0]
				case 2:
					rows, cols = s[0], s[1]
				}
				out[i] = c.Grad.Narrow(0, row, rows).Narrow(1, col, cols).Reshape(s...)
				row, col = row+rows, col+cols
			}
			return out
		}},
		"repeat": {JVP: linear, VJP: repeatBackward},
		"flip": {JVP: linear, Batch: shiftDims("dims"), VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Flip(c.Ints(1)...)}
		}},
		"roll": {JVP: linear, VJP: func(c *Ctx) Grads {
			shifts, dims := slices.Clone(c.Ints(1)), slices.Clone(c.Ints(2))
			for i := range shifts {
				shifts[i] = -shifts[i]
			}
			slices.Reverse(shifts)
			slices.Reverse(dims)
			return Grads{c.Grad.Roll(shifts, dims...)}
		}},
		"rot90": {VJP: func(c *Ctx) Grads { return Grads{c.Grad.Rot90(opt.K(-c.Int(1)), opt.Dims(c.Ints(2)...))} }},
	})
}

// repeatBackward sees every dimension as two, which copy and where in it, and adds up the copies.
func repeatBackward(c *Ctx) Grads {
	shape, repeats := c.Shape(0), c.Ints(1)
	shift := len(repeats) - len(shape)
	if slices.Contains(repeats, 0) {
		return Grads{c.Grad.NewZeros(shape)}
	}
	var split, sum []int
	for i, r := range repeats {
		if r != 1 || i < shift {
			sum = append(sum, len(split))
			split = append(split, r)
		}
		if i >= shift {
			split = append(split, shape[i-shift])
		}
	}
	g := c.Grad.Reshape(split...)
	if len(sum) > 0 {
		g = g.Sum(opt.Dim(sum...))
	}
	return Grads{g}
}
