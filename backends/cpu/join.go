package cpu

import (
	"runtime"
	"slices"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Kernels that copy tensors together, or one tensor several times or in another order. Each is a number of copies
// between windows: headers over the storages of arguments and result.

func init() {
	kernels(map[string]tensor.Kernel{
		"cat": func(c *tensor.Call) {
			var ts []*tensor.Tensor
			for _, t := range c.Tensors(0) {
				if !tensor.CatSkips(t) {
					ts = append(ts, t)
				}
			}
			if len(ts) > 0 {
				catInto(c.Name(), c.Ret(0), ts, wrap(c.Int(1), ts[0].Dim()))
			}
		},
		"stack": func(c *tensor.Call) {
			ts, dst := c.Tensors(0), c.Ret(0)
			d := wrap(c.Int(1), dst.Dim())
			if dst.Contig() && alike(ts, dst.Dtype()) {
				joinRows(c.Name(), dst, ts, sizeOfDims(dst.Sizes()[:d]))
				return
			}
			views := make([]*tensor.Tensor, len(ts))
			for i, t := range ts {
				views[i] = window(t, slices.Insert(t.Shape(), d, 1), slices.Insert(t.Stride(), d, 0), t.StorageOffset())
			}
			catInto(c.Name(), dst, views, d)
		},
		"block_diag": func(c *tensor.Call) {
			dst, row, col := c.Ret(0), 0, 0
			for _, t := range c.Tensors(0) {
				rows, cols := t.BlockSize()
				tensor.Interrupted(c.Name())
				w := t.Sizes()
				copyTensor(c.Name(), window(dst, []int{rows, cols}[2-len(w):], dst.Stride()[2-len(w):],
					row*dst.Strides()[0]+col), t)
				row, col = row+rows, col+cols
			}
		},
		"repeat": func(c *tensor.Call) {
			x, dst := c.Tensor(0), c.Ret(0)
			n, shift := dst.Dim(), dst.Dim()-x.Dim()
			shape, stride, from := make([]int, 2*n), make([]int, 2*n), make([]int, 2*n)
			for i, r := range c.Ints(1) { // every dimension is two: which copy, and where in it
				shape[2*i], shape[2*i+1] = r, 1
				step := dst.Strides()[i]
				if i >= shift {
					shape[2*i+1], from[2*i+1] = x.Sizes()[i-shift], x.Strides()[i-shift]
				}
				stride[2*i], stride[2*i+1] = step*shape[2*i+1], step
			}
			copyTensor(c.Name(), window(dst, shape, stride, 0), window(x, shape, from, x.StorageOffset()))
		},
		"flip": func(c *tensor.Call) {
			x := c.Tensor(0)
			dims := make([]int, len(c.Ints(1)))
			for i, d := range c.Ints(1) {
				dims[i] = wrap(d, x.Dim())
			}
			copyTensor(c.Name(), c.Ret(0), flipped(x, dims...))
		},
		"rot90": func(c *tensor.Call) {
			x := c.Tensor(0)
			a, b := wrap(c.Ints(2)[0], x.Dim()), wrap(c.Ints(2)[1], x.Dim())
			switch k := c.Int(1) & 3; k {
			case 1:
				x = swapped(flipped(x, b), a, b)
			case 2:
				x = flipped(x, a, b)
			case 3:
				x = swapped(flipped(x, a), a, b)
			}
			copyTensor(c.Name(), c.Ret(0), x)
		},
		"roll": func(c *tensor.Call) {
			x, dst, shifts := c.Tensor(0), c.Ret(0), c.Ints(1)
			dims := make([]int, len(c.Ints(2)))
			for i, d := range c.Ints(2) {
				dims[i] = wrap(d, x.Dim())
			}
			if x.Numel() == 0 {
				return
			}
			if len(dims) == 0 || x.Dim() == 0 {
				flat := contiguous(c.Name(), x, x.Dtype())
				n := []int{x.Numel()}
				x, dst = window(flat, n, []int{1}, flat.StorageOffset()), window(dst, n, []int{1}, dst.StorageOffset())
				dims = make([]int, len(shifts))
			}
			rollInto(c.Name(), dst, x, shifts, dims)
			runtime.KeepAlive(x)
		},
	})
}

// wrap turns a dimension that may count from the end into one from 0. The shape function has checked it.
func wrap(d, n int) int {
	if d < 0 {
		d += max(n, 1)
	}
	return d
}

// window is another header over x's storage.
func window(x *tensor.Tensor, shape, stride []int, offset int) *tensor.Tensor {
	return tensor.FromStorage("window", x.Storage(), shape, stride, offset, x.Dtype())
}

// narrowed is the window of size indices from start along d.
func narrowed(x *tensor.Tensor, d, start, size int) *tensor.Tensor {
	shape := x.Shape()
	shape[d] = size
	return window(x, shape, x.Strides(), x.StorageOffset()+start*x.Strides()[d])
}

func flipped(x *tensor.Tensor, dims ...int) *tensor.Tensor {
	stride, offset := x.Stride(), x.StorageOffset()
	for _, d := range dims {
		if x.Dim() > 0 {
			offset += max(x.Sizes()[d]-1, 0) * stride[d]
			stride[d] = -stride[d]
		}
	}
	return window(x, x.Sizes(), stride, offset)
}

func swapped(x *tensor.Tensor, a, b int) *tensor.Tensor {
	shape, stride := x.Shape(), x.Stride()
	shape[a], shape[b] = shape[b], shape[a]
	stride[a], stride[b] = stride[b], stride[a]
	return window(x, shape, stride, x.StorageOffset())
}

// catInto copies ts one after the other along d.
func catInto(op string, dst *tensor.Tensor, ts []*tensor.Tensor, d int) {
	if dst.Contig() && alike(ts, dst.Dtype()) {
		joinRows(op, dst, ts, sizeOfDims(dst.Sizes()[:d]))
		return
	}
	at := 0
	for _, t := range ts {
		size := t.Sizes()[d]
		copyTensor(op, narrowed(dst, d, at, size), t)
		at += size
	}
}

func sizeOfDims(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// alike reports whether all of ts are row-major and of dtype dt.
func alike(ts []*tensor.Tensor, dt tensor.Dtype) bool {
	for _, t := range ts {
		if t.Dtype() != dt || !t.Contig() {
			return false
		}
	}
	return true
}

// joinRows lays rows of plain memory side by side: each of dst's rows is a row of every tensor.
func joinRows(op string, dst *tensor.Tensor, ts []*tensor.Tensor, rows int) {
	if dst.Numel() == 0 {
		return
	}
	size, out := dst.ElementSize(), dst.Ptr()
	width := dst.Numel() / rows * size
	if width >= 2*copyChunk { // parts of rows
		parts := (width + copyChunk - 1) / copyChunk
		parallel.For(rows*parts, 1, func(lo, hi int) {
			tensor.Interrupted(op)
			for ; lo < hi; lo++ {
				row, from := lo/parts, lo%parts*copyChunk
				to, at := min(from+copyChunk, width), 0
				for _, t := range ts {
					n := t.Numel() / rows * size
					if a, b := max(from, at), min(to, at+n); a < b {
						copy(slice[byte](unsafe.Add(out, row*width+a), b-a), slice[byte](unsafe.Add(t.Ptr(), row*n+a-at), b-a))
					}
					if at += n; at >= to {
						break
					}
				}
			}
		})
	} else {
		parallel.For(rows, max(1, copyChunk/width), func(lo, hi int) {
			tensor.Interrupted(op)
			g, at := grid{rows: hi - lo, dstRow: width}, lo*width
			for _, t := range ts {
				n := t.Numel() / rows * size
				if n > 0 {
					g.dst, g.src, g.srcRow = unsafe.Add(out, at), unsafe.Add(t.Ptr(), lo*n), n
					copyRuns(&g, n)
				}
				at += n
			}
		})
	}
	runtime.KeepAlive(ts)
	runtime.KeepAlive(dst)
}

// rollInto shifts along dims[0], and each of the two pieces along the rest.
func rollInto(op string, dst, src *tensor.Tensor, shifts, dims []int) {
	if len(dims) == 0 {
		copyTensor(op, dst, src)
		return
	}
	d := dims[0]
	n := src.Sizes()[d]
	k := shifts[0] % n
	for i := 1; i < len(dims); i++ {
		if dims[i] == d { // a second shift along the same dimension adds up
			k += shifts[i] % n
		}
	}
	k = (k%n + n) % n
	var restShifts, rest []int
	for i := 1; i < len(dims); i++ {
		if dims[i] != d {
			restShifts, rest = append(restShifts, shifts[i]), append(rest, dims[i])
		}
	}
	rollInto(op, narrowed(dst, d, k, n-k), narrowed(src, d, 0, n-k), restShifts, rest)
	if k > 0 {
		rollInto(op, narrowed(dst, d, 0, k), narrowed(src, d, n-k, k), restShifts, rest)
	}
}
