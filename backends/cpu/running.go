package cpu

import (
	"runtime"

	"gotorch/tensor"
)

// Running maxima and minima. The key of an element (see keys) orders it, NaN last: a maximum stays at the first NaN's value and moves to
// the place of the latest of equals.

func init() {
	kernels(map[string]tensor.Kernel{
		"cummax": func(c *tensor.Call) { runningExtreme(c, false) },
		"cummin": func(c *tensor.Call) { runningExtreme(c, true) },
	})
}

func runningExtreme(c *tensor.Call, least bool) {
	op, x := c.Name(), c.Tensor(0)
	d := tensor.WrapDim(op, c.Int(1), x.Dim())
	l := lanesOf(x, d)
	k := keysOf(op, x)
	values, indices := c.Ret(0), c.Ret(1)
	at, from := tensor.Elems[int64](indices), make([]int, x.Numel())
	nan := nanKey(x.Dtype())
	l.each(op, func(start int) {
		best := -1
		for i, p := 0, start; i < l.n; i, p = i+1, p+l.step {
			switch {
			case best < 0 || k[p] == nan:
				best = i
			default:
				b := k[start+best*l.step]
				if b != nan && (!least && k[p] >= b || least && k[p] <= b) {
					best = i
				}
			}
			at[p], from[p] = int64(best), start+best*l.step
		}
	})
	placesIn(op, contiguous(op, x, x.Dtype()), from).read(values)
	runtime.KeepAlive(indices)
}
