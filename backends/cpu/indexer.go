package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: indexers. Operators that read or write by index reach their elements in one of two ways. A slice indexer has
// one index for a slice: the elements x[pre[i] + index[j]·step + post[k]], where pre and post are the dimensions
// before and behind the indexed one. An element indexer (gather, scatter) has one index for each element. The other
// side, what is read into or written from, is contiguous in the order of the indices. Several index tensors (x[i, j])
// are first added up to offsets, which are an index with step 1.

// indexer is a set of elements of a tensor.
type indexer struct {
	op    string
	x     *tensor.Tensor
	pre   span
	index []int64
	post  span
	owner *tensor.Tensor // of index
	dim   int            // what index counts, for errors
	size  int            // indices are below size,
	step  int            // so far apart in x,
	shift int            // counted from there,
	wrap  int            // and negative ones are wrap less; 0 where there are none

	shape, stride []int // of an element indexer: of the index, and of x with 0 in the indexed dimension
	lead          int   // how many of these are in front of what elements that meet differ in
}

// span is a list of offsets: equally spaced ones by their number and step, others one by one.
type span struct {
	n, step int
	list    []int
}

// single is the span of offset 0.
var single = span{n: 1, step: 1}

func (s *span) pos(i int) int {
	if s.list != nil {
		return s.list[i]
	}
	return i * s.step
}

// spanOf lists the offsets of all indices of shape under strides, in row-major order.
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

// indexed makes an indexer of x along dimension dim, of size elements with a step.
func indexed(op string, x *tensor.Tensor, pre span, index []int64, post span, dim, size, step int,
	wrap bool) *indexer {
	l := &indexer{op: op, x: x, pre: pre, index: index, post: post, dim: dim, size: size, step: step}
	if wrap {
		l.wrap = size
	}
	return l
}

// offsetsIn makes an indexer of slices of x by their offsets, which it may change.
func offsetsIn(op string, x *tensor.Tensor, pre span, at []int64, post span) *indexer {
	l := indexed(op, x, pre, at, post, 0, int(^uint(0)>>1), 1, false)
	for d, n := range x.Sizes() { // negative strides give negative offsets; an index has none
		l.shift += min(max(n-1, 0)*x.Strides()[d], 0)
	}
	if l.shift < 0 {
		for i := range at {
			at[i] -= int64(l.shift)
		}
	}
	return l
}

func (l *indexer) numel() int {
	if l.shape != nil {
		return len(l.index)
	}
	return l.pre.n * len(l.index) * l.post.n
}

// run reports whether the post dimensions are contiguous.
func (l *indexer) run() bool { return l.post.list == nil && (l.post.step == 1 || l.post.n == 1) }

// base is the address of x's first element, nil if it has none.
func (l *indexer) base() unsafe.Pointer { return l.x.Ptr() }

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

// aroundDim lists the offsets of x's dimensions before d and behind it; a tensor of no dimensions has one of size 1.
func aroundDim(x *tensor.Tensor, d int) (pre, post span) {
	if x.Dim() == 0 {
		return single, single
	}
	return spanOf(x.Sizes()[:d], x.Strides()[:d]), spanOf(x.Sizes()[d+1:], x.Strides()[d+1:])
}

// dimOf is the size and stride of dimension d; a tensor of no dimensions has one of size 1.
func dimOf(x *tensor.Tensor, d int) (size, stride int) {
	if x.Dim() == 0 {
		return 1, 1
	}
	return x.Sizes()[d], x.Strides()[d]
}

// within reports whether all indices are.
func within(index []int64, size, wrap int) bool {
	return simd.WithinInt64(index, int64(-wrap), int64(size-1))
}

// list takes the elements of index.
func (l *indexer) list(index *tensor.Tensor) {
	l.owner = contiguous(l.op, index, tensor.Int64)
	l.index = tensor.Elems[int64](l.owner)
}

// checked panics if an index is out of bounds. Operators that write call it first, so that nothing is written then.
func (l *indexer) checked() *indexer {
	parallel.For(len(l.index), 4*grainSize, func(lo, hi int) {
		if tensor.Interrupted(l.op); !within(l.index[lo:hi], l.size, l.wrap) {
			outOfBounds(l.op, l.index, l.dim, l.size, l.wrap)
		}
	})
	runtime.KeepAlive(l)
	return l
}

// outOfBounds panics for the first index that is.
func outOfBounds(op string, index []int64, dim, size, wrap int) {
	for _, v := range index {
		if !within([]int64{v}, size, wrap) {
			panic(tensor.Errorf(op, "index %d is out of bounds for dimension %d with size %d", int(v), dim, size).
				OnArg("index").WithDetails(tensor.IndexDetails{Dim: dim, Size: size, Index: int(v), Wraps: wrap != 0}))
		}
	}
}

// eachRun calls f for the runs of [lo, hi), counted in slices or elements of the other side: pos is the first of a
// run, base the offset in x that its indices are added to. The base of an element indexer grows by inner from one
// element to the next.
func (l *indexer) eachRun(lo, hi int, f func(pos, base int, index []int64)) {
	if l.shape == nil {
		n := len(l.index)
		for lo < hi {
			i, j := lo/n, lo%n
			k := min(hi-lo, n-j)
			f(lo, l.pre.pos(i)+l.shift, l.index[j:j+k])
			lo += k
		}
		return
	}
	last := len(l.shape) - 1
	n := l.shape[last]
	for lo < hi {
		col := lo % n
		k := min(hi-lo, n-col)
		f(lo, offsetOf(l.shape[:last], l.stride[:last], lo/n)+col*l.stride[last], l.index[lo:lo+k])
		lo += k
	}
}

// inner is how much the base grows from one element of a run to the next.
func (l *indexer) inner() int {
	if l.shape == nil {
		return 0
	}
	return l.stride[len(l.stride)-1]
}

// read gathers the elements into dst, which is contiguous.
func (l *indexer) read(dst *tensor.Tensor) {
	switch l.x.ElementSize() {
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
	runtime.KeepAlive(l)
	runtime.KeepAlive(dst)
}

func readAll[T any](l *indexer, to *tensor.Tensor) {
	n := l.numel()
	if n == 0 {
		l.checked()
		return
	}
	dst, src, inner := slice[T](to.Ptr(), n), l.base(), l.inner()
	row, run := l.post.n, l.run()
	if pieces := l.pieces(); pieces != nil {
		readPieces(l, dst, src, pieces)
		return
	}
	parallel.For(n/row, max(1, grainSize/row), func(lo, hi int) {
		tensor.Interrupted(l.op)
		l.eachRun(lo, hi, func(pos, base int, index []int64) {
			if !within(index, l.size, l.wrap) {
				outOfBounds(l.op, l.index, l.dim, l.size, l.wrap)
			}
			if row == 1 {
				readEach(dst[pos:], src, base, inner, index, l.step, l.wrap)
				return
			}
			if run {
				bytes := row * sizeOf[T]()
				simd.GatherRows(unsafe.Pointer(&dst[pos*row]), src, base*sizeOf[T](), index, bytes, l.step*sizeOf[T](), l.wrap)
				return
			}
			for k, v := range index {
				from := base + (int(v)+l.wrap&int(v>>63))*l.step
				d := dst[(pos+k)*row : (pos+k)*row+row]
				for e := range d {
					d[e] = *at[T](src, from+l.post.pos(e))
				}
			}
		})
	})
}

// piece is a run of indices that rise by one: count of them from position at on, the first being from.
type piece struct{ at, from, count int }

// pieces splits the indices of slices that are contiguous in x into few pieces; nil where they are not so.
func (l *indexer) pieces() []piece {
	if l.shape != nil || l.step != l.post.n || !l.run() || l.pre.n*l.post.n < 4 {
		return nil
	}
	var out []piece
	for i, v := range l.checked().index {
		from := int(v) + l.wrap&int(v>>63)
		if last := len(out) - 1; i > 0 && out[last].from+out[last].count == from {
			out[last].count++
			continue
		}
		if len(out) > i/4+4 || len(out) >= len(l.index)/4 { // random indices are known for what they are by the first few
			return nil
		}
		out = append(out, piece{i, from, 1})
	}
	return out
}

func readPieces[T any](l *indexer, dst []T, src unsafe.Pointer, pieces []piece) {
	row, n := l.post.n, len(pieces)
	each := len(l.index) * row
	parallel.For(l.pre.n*n, max(1, grainSize*n/each), func(lo, hi int) {
		tensor.Interrupted(l.op)
		for p := lo; p < hi; p++ {
			i, s := p/n, pieces[p%n]
			from := unsafe.Pointer(at[T](src, l.pre.pos(i)+l.shift+s.from*l.step))
			copy(dst[i*each+s.at*row:], slice[T](from, s.count*row))
		}
	})
}

// readEach reads elements with a step, from a base that grows.
func readEach[T any](dst []T, src unsafe.Pointer, base, inner int, index []int64, step, wrap int) {
	dst, size := dst[:len(index)], sizeOf[T]()
	if step == 1 && inner == 0 && wrap == 0 {
		k := 0
		for ; k+4 <= len(index); k += 4 { // the base alone may lie outside of x, where no pointer may point
			d, v := (*[4]T)(dst[k:]), (*[4]int64)(index[k:])
			d[0], d[1] = *(*T)(unsafe.Add(src, (base+int(v[0]))*size)), *(*T)(unsafe.Add(src, (base+int(v[1]))*size))
			d[2], d[3] = *(*T)(unsafe.Add(src, (base+int(v[2]))*size)), *(*T)(unsafe.Add(src, (base+int(v[3]))*size))
		}
		for ; k < len(index); k++ {
			dst[k] = *(*T)(unsafe.Add(src, (base+int(index[k]))*size))
		}
		return
	}
	for k, v := range index {
		dst[k] = *(*T)(unsafe.Add(src, (base+(int(v)+wrap&int(v>>63))*step)*size))
		base += inner
	}
}
