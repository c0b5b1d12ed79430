package shapes

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

func init() {
	Explains(func(e *tensor.Error, f tensor.BroadcastDetails) draw.View {
		names := []string{"result"}
		if len(f.Operands) > 0 || len(f.Shapes) > 1 {
			names = operandNames(e.Op, f.Shapes, f.Operands, lettered(len(f.Shapes)))
		}
		target := ""
		if x := f.Written.Value(); x != nil {
			if target = draw.Clip(draw.LiveNames()[x], draw.MaxName); target == "" {
				target = "the tensor written to"
			}
		}
		b := broadcasting(e.Op, target, names, f.Shapes, nil, f.Into)
		if len(b.Clashes) == 0 {
			return nil
		}
		if f.Into == nil {
			b.advise()
		}
		return b
	})
	Explains(func(e *tensor.Error, f tensor.JoinDetails) draw.View {
		return joining(e.Op, operandNames(e.Op, f.Shapes, f.Operands, lettered(len(f.Shapes))), f.Shapes, f.Dim)
	})
}

// lettered are names for operands of which nobody knows what they are called, as PyTorch's message calls them.
func lettered(n int) []string {
	out := make([]string, n)
	for i := range out {
		if out[i] = string(rune('a' + i%26)); n > 26 {
			out[i] = fmt.Sprintf("tensor %d", i)
		}
	}
	return out
}

// joining shows shapes that are put in a row along dim, or stacked where dim is -1.
func joining(op string, names []string, shapes [][]int, dim int) *Broadcasting {
	b := &Broadcasting{Op: op, Last: "joined", Free: dim, Dims: len(shapes[0])}
	for _, s := range shapes {
		if len(s) != len(shapes[0]) {
			b.Dims = max(b.Dims, len(s))
		}
	}
	b.align(names, shapes, nil, func(d int) int { return sizeAt(shapes[0], d, b.Dims) })
	b.strict(shapes)
	b.shorten()
	return b
}

// strict takes sizes of 1, and dimensions that are missing, for what they are: nothing is broadcast.
func (b *Broadcasting) strict(shapes [][]int) {
	b.Clashes = nil
	for d := range b.Dims {
		if d == b.Free {
			total := 0
			for _, s := range shapes {
				total += sizeAt(s, d, b.Dims)
			}
			b.Result[d] = total
			continue
		}
		var says string
		for i := range b.Operands {
			c := &b.Operands[i].Cells[d]
			if first := b.Operands[0].Cells[d]; c.Size != first.Size || c.Missing != first.Missing {
				c.Clash = true
				b.Operands[0].Cells[d].Clash = true
				says = fmt.Sprintf("dim %d: %s has %s, %s has %s", d, b.Operands[0].Name, first.have(),
					b.Operands[i].Name, c.have())
			} else {
				c.To = c.Size
			}
		}
		if says != "" {
			b.Result[d] = -1
			b.Clashes = append(b.Clashes, BroadcastClash{d, says})
		}
	}
}

func (c BroadcastCell) have() string {
	if c.Missing {
		return "none"
	}
	return fmt.Sprint(c.Size)
}
