package cpu

import (
	"runtime"
	"slices"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{"constant_pad_nd": constantPad})
}

// constantPad writes the result row by row: a row that the input reaches is the value, a row of the input and the
// value again; others are the value alone. Very long rows are filled and then copied to.
func constantPad(c *tensor.Call) {
	op, x, pad, out := c.Name(), c.Tensor(0), c.Ints(1), c.Ret(0)
	v, _ := c.Scalar(2)
	n := x.Dim()
	before, count := make([]int, n), x.Shape() // where the input begins in the result, and how much of it is there
	from, to := x.StorageOffset(), out.StorageOffset()
	for d := range n {
		if i := 2 * (n - 1 - d); i < len(pad) {
			before[d] = max(pad[i], 0)
			count[d] += min(pad[i], 0) + min(pad[i+1], 0)
			from -= min(pad[i], 0) * x.Strides()[d]
			to += before[d] * out.Strides()[d]
		}
	}
	switch {
	case out.Numel() == 0:
	case n > 0 && slices.Min(count) <= 0:
		fillTensor(op, out, v)
	case n < 2 || out.Sizes()[n-1] > grainSize || !out.Contig():
		fillTensor(op, out, v)
		copyTensor(op, window(out, count, out.Strides(), to), window(x, count, x.Strides(), from))
	default:
		padRows(op, out, window(x, count, x.Strides(), from), before, v)
	}
}

// padRows writes out, which is row-major, with x from the indices before on and v around it: all rows of a plane that
// x reaches by one copy.
func padRows(op string, out, x *tensor.Tensor, before []int, v tensor.Scalar) {
	shape, count, stride, last, size := out.Sizes(), x.Sizes(), x.Strides(), x.Dim()-1, x.ElementSize()
	class := sizeClass(size)
	src, dst := x.Ptr(), out.Ptr()
	var value [2]uint64
	putNumber(unsafe.Pointer(&value), v, out.Dtype(), out.Dtype())
	width, height, head, body := shape[last], shape[last-1], before[last], count[last]
	parallel.For(out.Numel()/width, max(1, copyChunk/(width*size)), func(lo, hi int) {
		tensor.Interrupted(op)
		set := func(row, n int) { // n elements from a row on
			if n > 0 {
				setters[class](unsafe.Add(dst, row*width*size), unsafe.Pointer(&value), n)
			}
		}
		// side sets n elements from column col on in the rows of g.
		side := func(g *grid, row, col, n int) {
			if n > 0 {
				movers[class](grid{rows: g.rows, cols: n, dst: unsafe.Add(dst, (row*width+col)*size), dstRow: width * size,
					dstCol: size, src: unsafe.Pointer(&value)})
			}
		}
		for r := lo; r < hi; {
			inside, plane := true, 0
			for d, rest := last-2, r/height; d >= 0; d-- {
				i := rest%shape[d] - before[d]
				rest /= shape[d]
				inside = inside && uint(i) < uint(count[d])
				plane += i * stride[d]
			}
			first := r % height
			end := min(first+hi-r, height) // of the rows in this plane
			from, to := end, end           // those that x reaches
			if inside {
				from, to = min(max(first, before[last-1]), end), max(min(end, before[last-1]+count[last-1]), first)
				to = max(from, to)
			}
			set(r, (from-first)*width)
			set(r+to-first, (end-to)*width)
			if row := r + from - first; from < to {
				g := grid{rows: to - from, cols: body, dstRow: width * size, dstCol: size, srcRow: stride[last-1] * size,
					srcCol: stride[last] * size}
				g.dst = unsafe.Add(dst, (row*width+head)*size)
				g.src = unsafe.Add(src, (plane+(from-before[last-1])*stride[last-1])*size)
				side(&g, row, 0, head)
				movers[class](g)
				side(&g, row, head+body, width-head-body)
			}
			r += end - first
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(out)
}
