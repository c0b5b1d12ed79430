package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: lattices. Every operator that reads or writes by index reaches the elements x[pre[i] + at[j] + post[k]]: the dimensions in front
// of those that are indexed, the places that the indices name, and the dimensions behind. The other side, what is read into or written
// from, is contiguous in the order i, j, k. Index select, gather, scatter, take, masks and advanced indexing differ only in their lists.

// lattice is a set of places in a tensor.
type lattice struct {
	op            string
	x             *tensor.Tensor
	pre, at, post []int
	run           bool // post steps by 1
}

// newLattice makes a lattice of x; pre and post may be nil for a single place.
func newLattice(op string, x *tensor.Tensor, pre, at, post []int) *lattice {
	l := &lattice{op: op, x: x, pre: pre, at: at, post: post, run: true}
	if l.pre == nil {
		l.pre = []int{0}
	}
	if l.post == nil {
		l.post = []int{0}
	}
	for i, p := range l.post {
		l.run = l.run && p == i
	}
	return l
}

func (l *lattice) numel() int { return len(l.pre) * len(l.at) * len(l.post) }

// base is the address of x's first element.
func (l *lattice) base() unsafe.Pointer {
	return unsafe.Add(l.x.Storage().Pointer(), l.x.StorageOffset()*l.x.ElementSize())
}

// positions lists the offsets of all indices of shape under strides, in row-major order.
func positions(shape, stride []int) []int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	out := make([]int, 0, n)
	if n == 0 {
		return out
	}
	out = append(out, 0)
	for d, s := range shape { // each dimension multiplies what is there
		have := len(out)
		out = out[:have*s]
		for i := have - 1; i >= 0; i-- {
			at := out[i]
			for j := s - 1; j >= 0; j-- {
				out[i*s+j] = at + j*stride[d]
			}
		}
	}
	return out
}

// along is positions for some dimensions of x.
func along(x *tensor.Tensor, dims []int) []int {
	shape, stride := make([]int, len(dims)), make([]int, len(dims))
	for i, d := range dims {
		shape[i], stride[i] = x.Sizes()[d], x.Strides()[d]
	}
	return positions(shape, stride)
}

// aroundDim lists the positions of x's dimensions in front of d and behind it; a tensor of no dimensions has one of size 1.
func aroundDim(x *tensor.Tensor, d int) (pre, post []int) {
	if x.Dim() == 0 {
		return nil, nil
	}
	return positions(x.Sizes()[:d], x.Strides()[:d]), positions(x.Sizes()[d+1:], x.Strides()[d+1:])
}

// dimOf gives the size and stride of dimension d; a tensor of no dimensions has one of size 1.
func dimOf(x *tensor.Tensor, d int) (size, stride int) {
	if x.Dim() == 0 {
		return 1, 1
	}
	return x.Sizes()[d], x.Strides()[d]
}

// addIndex adds the places that index names in a dimension of n elements to at. Negative indices count from the end where wrap says so.
func addIndex(op string, at []int, index []int64, dim, n, stride int, wrap bool) {
	for i, v := range index {
		j := int(v)
		if wrap && j < 0 {
			j += n
		}
		if uint(j) >= uint(n) {
			panic(&tensor.Error{Op: op, Arg: "index", Msg: outOfBounds(v, dim, n)})
		}
		at[i] += j * stride
	}
}

func outOfBounds(i int64, dim, n int) string {
	return "index " + itoa(int(i)) + " is out of bounds for dimension " + itoa(dim) + " with size " + itoa(n)
}

// read gathers the places into dst, which is contiguous.
func (l *lattice) read(dst *tensor.Tensor) {
	size := l.x.ElementSize()
	switch size {
	case 1:
		readAll[uint8](l, dst)
	case 2:
		readAll[uint16](l, dst)
	case 4:
		readAll[uint32](l, dst)
	case 8:
		readAll[uint64](l, dst)
	default:
		readAll[[2]uint64](l, dst)
	}
	runtime.KeepAlive(l.x)
	runtime.KeepAlive(dst)
}

func readAll[T any](l *lattice, to *tensor.Tensor) {
	n := l.numel()
	if n == 0 {
		return
	}
	dst, src := slice[T](to.Ptr(), n), l.base()
	row := len(l.post)
	parallel.For(n/row, max(1, grainSize/row), func(lo, hi int) {
		tensor.Interrupted(l.op)
		i, j := lo/len(l.at), lo%len(l.at)
		for r := lo; r < hi; r++ {
			from := l.pre[i] + l.at[j]
			switch d := dst[r*row : r*row+row]; {
			case row == 1:
				d[0] = *at[T](src, from+l.post[0])
			case l.run:
				copy(d, slice[T](unsafe.Pointer(at[T](src, from)), row))
			default:
				for k, p := range l.post {
					d[k] = *at[T](src, from+p)
				}
			}
			if j++; j == len(l.at) {
				i, j = i+1, 0
			}
		}
	})
}

// write scatters the elements of src, which is contiguous and of x's dtype, to the places; the last of those that meet stays.
func (l *lattice) write(src *tensor.Tensor) {
	switch l.x.ElementSize() {
	case 1:
		writeAll[uint8](l, src)
	case 2:
		writeAll[uint16](l, src)
	case 4:
		writeAll[uint32](l, src)
	case 8:
		writeAll[uint64](l, src)
	default:
		writeAll[[2]uint64](l, src)
	}
	runtime.KeepAlive(l.x)
	runtime.KeepAlive(src)
}

func writeAll[T any](l *lattice, from *tensor.Tensor) {
	n := l.numel()
	if n == 0 {
		return
	}
	src, dst := slice[T](from.Ptr(), n), l.base()
	row, block := len(l.post), len(l.at)*len(l.post)
	parallel.For(len(l.pre), max(1, grainSize/block), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(l.op)
			s := src[i*block : (i+1)*block]
			for j, a := range l.at {
				to, v := l.pre[i]+a, s[j*row:j*row+row]
				if l.run {
					copy(slice[T](unsafe.Pointer(at[T](dst, to)), row), v)
					continue
				}
				for k, p := range l.post {
					*at[T](dst, to+p) = v[k]
				}
			}
		}
	})
}

// combine puts f(what is there, element of src) to the places, one after the other. x and src are of T.
func combine[T any](l *lattice, from *tensor.Tensor, f func(a, b T) T) {
	n := l.numel()
	if n == 0 {
		return
	}
	src, dst := slice[T](from.Ptr(), n), l.base()
	row, block := len(l.post), len(l.at)*len(l.post)
	parallel.For(len(l.pre), max(1, grainSize/block), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(l.op)
			s := src[i*block : (i+1)*block]
			for j, a := range l.at {
				to, v := l.pre[i]+a, s[j*row:j*row+row]
				for k, p := range l.post {
					e := at[T](dst, to+p)
					*e = f(*e, v[k])
				}
			}
		}
	})
	runtime.KeepAlive(l.x)
	runtime.KeepAlive(from)
}
