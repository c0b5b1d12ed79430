package cpu

import (
	"unsafe"

	"gotorch/tensor"
)

// Note: buffers of kernels. The kernels of package simd are function variables. A buffer that is passed to one escapes
// to the heap, because the compiler does not know which function it calls. Memory from the heap is cold, and the
// collector has to free it. So kernels borrow small buffers from a scratch, and allocate large ones as tensors, whose
// memory is reused.

// lender lends parts of a scratch, one behind the other, for buffers without pointers. What lies in them may be
// anything.
type lender struct {
	tmp  *scratch
	used int // bytes
}

func newLender() lender { return lender{tmp: scratches.Get().(*scratch)} }

// end takes everything back.
func (l *lender) end() { scratches.Put(l.tmp) }

// lent is a buffer of n elements; one that does not fit any more lies on Go's heap.
func lent[T any](l *lender, n int) []T {
	from, size := l.used, roundUp(n*sizeOf[T](), 64)
	if size > int(unsafe.Sizeof(*l.tmp))-from {
		return make([]T, n)
	}
	l.used += size
	return slice[T](unsafe.Add(unsafe.Pointer(l.tmp), from), n)
}

// zeros is lent with zeros.
func zeros[T any](l *lender, n int) []T {
	b := lent[T](l, n)
	clear(b)
	return b
}

// largeBuffer is a buffer of n zeros whose memory comes from the cache of results.
func largeBuffer[T tensor.Element](op string, n int) []T {
	return tensor.Elems[T](tensor.Alloc(op, []int{n}, tensor.DtypeOf[T](), tensor.CPU))
}
