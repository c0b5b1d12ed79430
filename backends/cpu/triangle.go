package cpu

import (
	"unsafe"

	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"tril": func(c *tensor.Call) { triangle(c, false) },
		"triu": func(c *tensor.Call) { triangle(c, true) },
		"diag": func(c *tensor.Call) {
			x, y := c.Tensor(0), c.Ret(0)
			if x.Dim() == 1 {
				copyTensor(c.Name(), diagonalOf(c.Name(), y, c.Int(1), 0, 1), x)
				return
			}
			copyTensor(c.Name(), y, diagonalOf(c.Name(), x, c.Int(1), 0, 1))
		},
		"diag_embed": func(c *tensor.Call) {
			y := c.Ret(0)
			a, b := tensor.WrapDim(c.Name(), c.Int(2), y.Dim()), tensor.WrapDim(c.Name(), c.Int(3), y.Dim())
			copyTensor(c.Name(), diagonalOf(c.Name(), y, c.Int(1), a, b), c.Tensor(0))
		},
	})
}

// triangle copies self and sets what lies below (or above) the diagonal to zero, row by row.
func triangle(c *tensor.Call, upper bool) {
	y, k := c.Ret(0), c.Int(1)
	copySelf(c)
	n := y.Dim()
	rows, cols := y.Sizes()[n-2], y.Sizes()[n-1]
	zero := tensor.Alloc(c.Name(), nil, y.Dtype(), tensor.CPU)
	outer := positions(y.Sizes()[:n-2], y.Strides()[:n-2])
	for _, o := range outer {
		tensor.Interrupted(c.Name())
		for r := range rows {
			lo, hi := min(max(r+k+1, 0), cols), cols // zeros of the lower triangle
			if upper {
				lo, hi = 0, min(max(r+k, 0), cols)
			}
			if lo < hi {
				at := y.StorageOffset() + o + r*y.Strides()[n-2] + lo*y.Strides()[n-1]
				fillRun(y, at, y.Strides()[n-1], hi-lo, zero)
			}
		}
	}
}

// fillRun puts v, one element, to n places of x's storage from at on.
func fillRun(x *tensor.Tensor, at, step, n int, v *tensor.Tensor) {
	size := x.ElementSize()
	convertTable[x.Dtype()][x.Dtype()](unsafe.Add(x.Storage().Pointer(), at*size), step, v.Ptr(), 0, n)
}

// diagonalOf is a view of a diagonal of the planes of dimensions a and b, which becomes the last dimension.
func diagonalOf(op string, x *tensor.Tensor, k, a, b int) *tensor.Tensor {
	shape, stride := []int{}, []int{}
	for d := range x.Dim() {
		if d != a && d != b {
			shape, stride = append(shape, x.Sizes()[d]), append(stride, x.Strides()[d])
		}
	}
	rows, cols, offset := x.Sizes()[a], x.Sizes()[b], x.StorageOffset()
	if k >= 0 {
		cols -= k
		offset += k * x.Strides()[b]
	} else {
		rows += k
		offset -= k * x.Strides()[a]
	}
	size := max(min(rows, cols), 0)
	if size == 0 {
		offset = x.StorageOffset()
	}
	return tensor.FromStorage(op, x.Storage(), append(shape, size), append(stride, x.Strides()[a]+x.Strides()[b]), offset, x.Dtype())
}
