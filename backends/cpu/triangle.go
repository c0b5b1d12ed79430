package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
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
	op, x, y, k := c.Name(), c.Tensor(0), c.Ret(0), c.Int(1)
	if y.Numel() == 0 {
		return
	}
	fused := x != y && x.Dtype() == y.Dtype() && x.Contig() && y.Contig() &&
		!(tensor.SharesStorage(x, y) && overlap(x, y))
	if !fused {
		copySelf(c)
	}
	last, size := y.Dim()-1, y.ElementSize()
	rows, cols := y.Sizes()[last-1], y.Sizes()[last]
	outer, stride := y.Sizes()[:last-1], y.Strides()
	step := stride[last] * size
	var zero [2]uint64
	base := y.Ptr()
	parallel.For(y.Numel()/cols, max(1, copyChunk/(cols*size)), func(lo, hi int) {
		tensor.Interrupted(op)
		for r := lo; r < hi; r++ {
			from, to := min(max(r%rows+k+1, 0), cols), cols // zeros of the lower triangle
			if upper {
				from, to = 0, min(max(r%rows+k, 0), cols)
			}
			p := unsafe.Add(base, (offsetOf(outer, stride, r/rows)+r%rows*stride[last-1])*size)
			if fused {
				q := unsafe.Add(x.Ptr(), r*cols*size)
				copy(slice[byte](p, from*size), slice[byte](q, from*size))
				if to < cols {
					copy(slice[byte](unsafe.Add(p, to*size), (cols-to)*size), slice[byte](unsafe.Add(q, to*size), (cols-to)*size))
				}
			}
			switch {
			case from == to:
			case step == size:
				clear(slice[byte](unsafe.Add(p, from*size), (to-from)*size))
			default:
				copierOf(size)(unsafe.Add(p, from*step), stride[last], unsafe.Pointer(&zero), 0, to-from)
			}
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
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
	return tensor.FromStorage(op, x.Storage(), append(shape, size), append(stride, x.Strides()[a]+x.Strides()[b]),
		offset, x.Dtype())
}
