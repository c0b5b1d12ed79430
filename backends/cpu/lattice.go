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
	op   string
	x    *tensor.Tensor
	pre  span
	at   []int
	post span
}

// span is a list of offsets: equally spaced ones by their number and step, others one by one.
type span struct {
	n, step int
	list    []int
}

// single is the span of one place.
var single = span{n: 1, step: 1}

func (s *span) pos(i int) int {
	if s.list != nil {
		return s.list[i]
	}
	return i * s.step
}

// spanOf lists the positions of all indices of shape under strides, in row-major order.
func spanOf(shape, stride []int) span {
	n, step, even := 1, 1, true
	for d := len(shape) - 1; d >= 0; d-- {
		if shape[d] == 1 {
			continue
		}
		if n == 1 {
			step = stride[d]
		}
		even = even && stride[d] == n*step
		n *= shape[d]
	}
	if even || n == 0 {
		return span{n: n, step: step}
	}
	return span{n: n, list: positions(shape, stride)}
}

// newLattice makes a lattice of x.
func newLattice(op string, x *tensor.Tensor, pre span, at []int, post span) *lattice {
	return &lattice{op, x, pre, at, post}
}

// placesIn makes a lattice of single elements of x.
func placesIn(op string, x *tensor.Tensor, at []int) *lattice {
	return newLattice(op, x, single, at, single)
}

func (l *lattice) numel() int { return l.pre.n * len(l.at) * l.post.n }

// run reports whether the post dimensions are one run of memory.
func (l *lattice) run() bool { return l.post.list == nil && (l.post.step == 1 || l.post.n == 1) }

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

// along is spanOf for some dimensions of x.
func along(x *tensor.Tensor, dims []int) span {
	shape, stride := make([]int, len(dims)), make([]int, len(dims))
	for i, d := range dims {
		shape[i], stride[i] = x.Sizes()[d], x.Strides()[d]
	}
	return spanOf(shape, stride)
}

// aroundDim lists the positions of x's dimensions in front of d and behind it; a tensor of no dimensions has one of size 1.
func aroundDim(x *tensor.Tensor, d int) (pre, post span) {
	if x.Dim() == 0 {
		return single, single
	}
	return spanOf(x.Sizes()[:d], x.Strides()[:d]), spanOf(x.Sizes()[d+1:], x.Strides()[d+1:])
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
			panic(&tensor.Error{Op: op, Arg: "index", Msg: outOfBounds(v, dim, n), Facts: tensor.IndexFacts{Dim: dim, Size: n, Index: int(v), Wraps: wrap}})
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
	row, run := l.post.n, l.run()
	parallel.For(n/row, max(1, grainSize/row), func(lo, hi int) {
		tensor.Interrupted(l.op)
		i, j := lo/len(l.at), lo%len(l.at)
		for r := lo; r < hi; r++ {
			from := l.pre.pos(i) + l.at[j]
			switch d := dst[r*row : r*row+row]; {
			case row == 1:
				d[0] = *at[T](src, from)
			case run:
				copy(d, slice[T](unsafe.Pointer(at[T](src, from)), row))
			default:
				for k := range d {
					d[k] = *at[T](src, from+l.post.pos(k))
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
	row, run := l.post.n, l.run()
	block := len(l.at) * row
	parallel.For(l.pre.n, max(1, grainSize/block), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(l.op)
			s := src[i*block : (i+1)*block]
			for j, a := range l.at {
				to, v := l.pre.pos(i)+a, s[j*row:j*row+row]
				if run {
					copy(slice[T](unsafe.Pointer(at[T](dst, to)), row), v)
					continue
				}
				for k, e := range v {
					*at[T](dst, to+l.post.pos(k)) = e
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
	row := l.post.n
	block := len(l.at) * row
	parallel.For(l.pre.n, max(1, grainSize/block), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(l.op)
			s := src[i*block : (i+1)*block]
			for j, a := range l.at {
				to, v := l.pre.pos(i)+a, s[j*row:j*row+row]
				for k := range v {
					e := at[T](dst, to+l.post.pos(k))
					*e = f(*e, v[k])
				}
			}
		}
	})
	runtime.KeepAlive(l.x)
	runtime.KeepAlive(from)
}
