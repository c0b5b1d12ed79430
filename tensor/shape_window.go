package tensor

import (
	"slices"
	"strings"
)

// Shape functions of operators that write into a view of a copy, and of fill_diagonal_.

func init() {
	m := map[string]Kernel{
		"as_strided_scatter": func(c *Call) {
			// The window may reach all of the storage, so all of it is copied.
			x := c.Tensor(0)
			flat := Alloc(c.Name(), []int{x.st.bytes / x.dtype.Size()}, x.dtype, x.Device())
			c.Return(FromStorage(c.Name(), flat.st, x.shape, x.stride, x.offset, x.dtype))
			c.ScatterWindow()
		},
		"fill_diagonal_": func(c *Call) {
			x := c.Tensor(0)
			if len(x.shape) < 2 {
				panic(Errorf(c.Name(), "wants a tensor of at least 2 dimensions, got shape %v", x.shape).OnArg("self"))
			}
			for _, n := range x.shape {
				if len(x.shape) > 2 && n != x.shape[0] {
					panic(Errorf(c.Name(), "all dimensions of a tensor of more than 2 must have one length, got shape %v", x.shape).
						OnArg("self"))
				}
			}
			c.mustFit(1, x.dtype)
			c.Return(x)
		},
	}
	for _, name := range []string{"select_scatter", "slice_scatter", "diagonal_scatter"} {
		m[name] = func(c *Call) {
			x := c.Tensor(0)
			c.New(x.shape, x.dtype)
			c.ScatterWindow()
		}
	}
	shapes(m)
}

// ScatterWindow is the view of result 0 that select_scatter, slice_scatter and the like write their argument src into.
// It panics with an
// *Error where src does not have its shape.
func (c *Call) ScatterWindow() *Tensor {
	name, _ := strings.CutSuffix(c.Op.Name, "_scatter")
	view := begin(ops[name])
	view.setTensor(0, c.ret[0])
	for i := 2; i < len(c.args); i++ {
		view.args[i-1] = *c.arg(i)
	}
	c.blamed(func() { view.Op.shape(view) })
	w, src := view.ret[0], c.Tensor(1)
	end(view)
	if !slices.Equal(w.shape, src.shape) {
		panic(Errorf(c.Name(), "src must have the shape of what it is written into: %v, not %v", w.shape, src.shape).
			OnArg("src"))
	}
	return w
}

// ExactOut checks the destination of opt.Out for operators that write straight into it: it has the result's dtype, no
// two of its elements are one place, and it shares none with the inputs.
func (c *Call) ExactOut(dt Dtype, inputs ...*Tensor) {
	if c.Variant != OutVariant {
		return
	}
	out := c.out[0]
	if out.dtype != dt {
		panic(Errorf(c.Name(), "the destination must be %s, not %s", dt, out.dtype).OnArg("out"))
	}
	checkWritable(c.Name(), out)
	lo, hi := out.reach()
	for _, in := range inputs {
		if l, h := in.reach(); SharesStorage(in, out) && l < hi && lo < h {
			panic(Errorf(c.Name(), "some elements of the input tensor and the written-to tensor refer to a single memory "+
				"location").WithHint("Clone() the input first"))
		}
	}
}

// reach is the range of bytes of the storage in which x's elements lie.
func (x *Tensor) reach() (lo, hi int) {
	if x.numel == 0 {
		return 0, 0
	}
	lo, hi = x.offset, x.offset
	for i, n := range x.shape {
		d := (n - 1) * x.stride[i]
		lo, hi = lo+min(d, 0), hi+max(d, 0)
	}
	size := x.dtype.Size()
	return lo * size, (hi + 1) * size
}
