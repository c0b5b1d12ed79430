package tensor

import (
	"fmt"
	"math"
	"slices"
)

// Note: pools by windows. The pools that have no kernel of their own gather the elements of every window into a last dimension, where places
// outside of the input are marked, and reduce that. They use as much memory as all windows have elements.

func init() {
	m := map[string]Kernel{
		"nn.functional.max_pool3d":              func(c *Call) { out, _ := c.maxPool3d(); c.Return(out) },
		"nn.functional.max_pool3d_with_indices": func(c *Call) { c.Return(two(c.maxPool3d())...) },
		"nn.functional.avg_pool3d":              avgPool3dBody,
		"nn.functional.adaptive_avg_pool3d": func(c *Call) {
			w := c.adaptiveWindows(3)
			values, inside := w.gather(c.Tensor(0), 0)
			c.Return(values.Sum(optDim(-1)).Div(inside.Sum(optDim(-1))).To(c.Tensor(0).dtype))
		},
	}
	for n := 1; n <= 3; n++ {
		name := fmt.Sprintf("nn.functional.adaptive_max_pool%dd", n)
		m[name] = func(c *Call) { out, _ := c.adaptiveWindows(n).max(c.Tensor(0)); c.Return(out) }
		m[name+"_with_indices"] = func(c *Call) { c.Return(two(c.adaptiveWindows(n).max(c.Tensor(0)))...) }
		m[fmt.Sprintf("nn.functional.max_unpool%dd", n)] = func(c *Call) { c.Return(c.maxUnpool(n)) }
	}
	composites(m)
}

// windows are those of a pooling over the last dimensions, of sizes in: the coordinates of every window along each of them, which may lie
// outside of the input. All of one dimension are equally many.
type windows struct {
	in    []int
	along [][][]int
}

// slide makes the windows of a kernel that moves.
func slide(in, out, kernel, stride, padding, dilation []int) *windows {
	w := &windows{in: in}
	for d := range in {
		rows := make([][]int, out[d])
		for o := range rows {
			for k := range kernel[d] {
				rows[o] = append(rows[o], o*stride[d]-padding[d]+k*dilation[d])
			}
		}
		w.along = append(w.along, rows)
	}
	return w
}

// adaptiveWindows cuts the last n dimensions of the input into output_size, slot 1, parts, which may overlap by one.
func (c *Call) adaptiveWindows(n int) *windows {
	x := c.Tensor(0)
	in := c.spatial(x, n)
	w := &windows{in: in}
	for d, parts := range c.Pair(1, n) {
		if parts == NoInt {
			parts = in[d]
		}
		if parts < 0 {
			panic(&Error{Op: c.Name(), Arg: "output_size", Msg: fmt.Sprintf("elements of output_size must be greater than or equal to 0, but got %d", parts)})
		}
		rows, most := make([][]int, parts), 1
		for o := range rows {
			for i := o * in[d] / parts; i < ((o+1)*in[d]+parts-1)/parts; i++ {
				rows[o] = append(rows[o], i)
			}
			most = max(most, len(rows[o]))
		}
		for o := range rows {
			for len(rows[o]) < most {
				rows[o] = append(rows[o], -1)
			}
		}
		w.along = append(w.along, rows)
	}
	return w
}

// spatial gives the last n sizes of an input (N, C, ...) or (C, ...), none of which may be zero, nor the channels.
func (c *Call) spatial(x *Tensor, n int) []int {
	if k := len(x.shape); k != n+1 && k != n+2 || slices.Contains(x.shape[k-n-1:], 0) {
		Errorf(c.Name(), "expected a %dD or %dD (batch mode) tensor with optional 0 dim batch size for input, but got shape %v", n+1, n+2, x.shape)
	}
	return x.shape[len(x.shape)-n:]
}

// places lists, window by window, the flat index of each element, or -1; out are the numbers of windows and size the elements of one.
func (w *windows) places() (at []int64, out []int, size int) {
	at, size = []int64{0}, 1
	cells := 1 // windows so far
	for d, rows := range w.along {
		k := 1
		if len(rows) > 0 {
			k = len(rows[0])
		}
		next := make([]int64, 0, len(at)*len(rows)*k)
		for cell := range cells {
			for _, row := range rows {
				for _, p := range at[cell*size : (cell+1)*size] {
					for _, i := range row {
						if p < 0 || i < 0 || i >= w.in[d] {
							next = append(next, -1)
						} else {
							next = append(next, p*int64(w.in[d])+int64(i))
						}
					}
				}
			}
		}
		at, size, cells, out = next, size*k, cells*len(rows), append(out, len(rows))
	}
	return at, out, size
}

// gather gives the elements of every window in a last dimension, with fill outside of the input, and where they lie inside.
func (w *windows) gather(x *Tensor, fill float64) (values, inside *Tensor) {
	at, out, size := w.places()
	lead := x.shape[:len(x.shape)-len(w.in)]
	index := New(at, x.st.device)
	inside = index.Ge(0).Reshape(append(slices.Clone(out), size)...)
	flat := x.Reshape(append(slices.Clone(lead), volume(w.in))...)
	shape := append(append(slices.Clone(lead), out...), size)
	values = flat.IndexSelect(-1, index.ClampMin(0)).Reshape(shape...)
	return values.MaskedFill(inside.LogicalNot(), fill), inside
}

// max is the greatest element of every window and its flat index in the input.
func (w *windows) max(x *Tensor) (out, indices *Tensor) {
	values, _ := w.gather(x, math.Inf(-1))
	out, which := values.MaxDim(-1)
	at, shape, size := w.places()
	table := New(at, x.st.device).Reshape(append(shape, size)...)
	return out, table.Expand(values.shape...).Gather(-1, which.Unsqueeze(-1)).Squeeze(-1)
}

func volume(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// window3d reads kernel_size, stride and padding from slots 1 to 3.
func (c *Call) window3d() (kernel, stride, padding []int) {
	kernel, stride, padding = c.Pair(1, 3), c.Pair(2, 3), c.Pair(3, 3)
	if len(stride) == 0 {
		stride = kernel
	}
	return kernel, stride, padding
}

func (c *Call) maxPool3d() (out, indices *Tensor) {
	x := c.Tensor(0)
	kernel, stride, padding := c.window3d()
	in := c.spatial(x, 3)
	shape := checkWindow(c, x.shape, kernel, stride, padding, c.Pair(4, 3), 3, c.Bool(5))
	return slide(in, shape[len(shape)-3:], kernel, stride, padding, c.Pair(4, 3)).max(x)
}

func avgPool3dBody(c *Call) {
	x := c.Tensor(0)
	kernel, stride, padding := c.window3d()
	if !c.IsNone(6) && c.Int(6) == 0 {
		panic(&Error{Op: c.Name(), Arg: "divisor_override", Msg: "the divisor must not be zero"})
	}
	in := c.spatial(x, 3)
	shape := checkWindow(c, x.shape, kernel, stride, padding, []int{1, 1, 1}, 3, c.Bool(4))
	out := shape[len(shape)-3:]
	values, inside := slide(in, out, kernel, stride, padding, []int{1, 1, 1}).gather(x, 0)
	sum := values.Sum(optDim(-1))
	var divisor Operand = inside.Sum(optDim(-1))
	switch {
	case !c.IsNone(6):
		divisor = c.Int(6)
	case c.Bool(5): // the padding counts, but not what lies beyond it
		padded := make([]int, 3)
		for d := range padded {
			padded[d] = in[d] + 2*padding[d]
		}
		_, counted := slide(padded, out, kernel, stride, []int{0, 0, 0}, []int{1, 1, 1}).gather(With(Bool, x.st.device).Empty(padded...), 0)
		divisor = counted.Sum(optDim(-1))
	}
	if !x.dtype.IsDifferentiable() {
		c.Return(Div(sum, divisor, optRoundingMode("trunc")).To(x.dtype))
		return
	}
	c.Return(Div(sum, divisor))
}

// maxUnpool puts the elements of the input where indices, slot 1, say that a max pool over n dimensions found them.
func (c *Call) maxUnpool(n int) *Tensor {
	x, indices := c.Tensor(0), c.Tensor(1)
	in := c.spatial(x, n)
	if !slices.Equal(x.shape, indices.shape) {
		panic(&Error{Op: c.Name(), Arg: "indices", Msg: fmt.Sprintf("expected shape of indices to be same as that of the input %v, but got %v", x.shape, indices.shape)})
	}
	kernel, stride, padding := c.Pair(2, n), c.Pair(3, n), c.Pair(4, n)
	if len(stride) == 0 {
		stride = kernel
	}
	size := make([]int, n)
	for d := range size {
		size[d] = (in[d]-1)*stride[d] + kernel[d] - 2*padding[d]
	}
	if want := c.Ints(5); !c.IsNone(5) {
		if len(want) == n+2 || len(want) == len(x.shape) {
			want = want[len(want)-n:]
		}
		if len(want) != n {
			panic(&Error{Op: c.Name(), Arg: "output_size", Msg: fmt.Sprintf("output_size should be a sequence containing %d or %d elements, but it has a length of %d", n, n+2, len(want))})
		}
		for d := range size {
			if want[d] <= size[d]-stride[d] || want[d] >= size[d]+stride[d] {
				panic(&Error{Op: c.Name(), Arg: "output_size", Msg: fmt.Sprintf("invalid output_size %v: dimension %d must be between %d and %d", want, d, size[d]-stride[d], size[d]+stride[d])})
			}
		}
		size = want
	}
	lead := x.shape[:len(x.shape)-n]
	flat := append(slices.Clone(lead), volume(in))
	zeros := With(x.dtype, x.st.device).Zeros(append(slices.Clone(lead), volume(size))...)
	out := zeros.Scatter(-1, indices.Reshape(flat...), x.Reshape(flat...))
	return out.Reshape(append(slices.Clone(lead), size...)...)
}
