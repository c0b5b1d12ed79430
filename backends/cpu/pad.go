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

// constantPad writes the result row by row: a row that the input reaches is the value, a row of the input and the value again; others are
// the value alone. Very long rows are filled and then copied to.
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

// padRows writes out, which is row-major, with x from the indices before on and v around it.
func padRows(op string, out, x *tensor.Tensor, before []int, v tensor.Scalar) {
	shape, count, stride, last, size := out.Sizes(), x.Sizes(), x.Strides(), x.Dim()-1, x.ElementSize()
	move := convertTable[out.Dtype()][out.Dtype()]
	src, dst := x.Ptr(), out.Ptr()
	var value [2]uint64
	putNumber(unsafe.Pointer(&value), v, out.Dtype(), out.Dtype())
	width, head, body := shape[last], before[last], count[last]
	parallel.For(out.Numel()/width, max(1, grainSize/width), func(lo, hi int) {
		tensor.Interrupted(op)
		fill := func(at, n int) {
			if n > 0 {
				move(unsafe.Add(dst, at*size), 1, unsafe.Pointer(&value), 0, n)
			}
		}
		for r := lo; r < hi; {
			// the rows of a plane
			inside, plane := true, 0
			for d, rest := last-2, r/shape[last-1]; d >= 0; d-- {
				i := rest%shape[d] - before[d]
				rest /= shape[d]
				inside = inside && uint(i) < uint(count[d])
				plane += i * stride[d]
			}
			for i := r%shape[last-1] - before[last-1]; i < shape[last-1]-before[last-1] && r < hi; i, r = i+1, r+1 {
				at := r * width
				if !inside || uint(i) >= uint(count[last-1]) {
					fill(at, width)
					continue
				}
				fill(at, head)
				move(unsafe.Add(dst, (at+head)*size), 1, unsafe.Add(src, (plane+i*stride[last-1])*size), stride[last], body)
				fill(at+head+body, width-head-body)
			}
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(out)
}
