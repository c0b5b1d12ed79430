package tensor

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unsafe"

	"gotorch/internal/hugepages"
)

// Tensor is a shape, strides and an offset over a storage. The zero value is not a tensor; factories, operators and
// [New] make them.
//
// A Tensor may be read from several goroutines at once; a write needs what any shared memory needs.
type Tensor struct {
	st      *Storage
	shape   []int // both lie in dims where they fit
	stride  []int // in elements; zero, negative and overlapping strides are legal
	offset  int   // in elements
	numel   int
	dtype   Dtype
	layout  Layout
	compact bool // header, storage and elements are one object
	keys    KeySet
	view    viewState
	origin  *Origin
	ag      *Autograd
	dims    [2 * inlineDims]int
}

// inlineDims is how many dimensions lie in the header itself.
const inlineDims = 5

// Note: views. The dispatcher notes for every result of a view operator which tensor it looks into. The base is never
// itself a view. An in-place write through one view of a base gives the base a new history, which its other views take
// up when they are asked for theirs: they compare the storage's version with the one noted here.
type viewState struct {
	base    *Tensor
	version uint32
	kind    ViewKind
}

// ViewKind says how a view was made, which decides whether autograd can follow a write through it.
//
//gotorch:internal
type ViewKind uint8

// The kinds of view.
//
//gotorch:internal
const (
	NotView    ViewKind = iota
	PlainView           // the only result of its operator
	MultiView           // one of several results: split, unbind
	NoGradView          // made inside NoGrad
)

// Origin describes how a view was made, where a hook knows the position in the code (see [Hooks]). From is the origin
// of what the operator was called with, nil where that was no view, and so leads to no tensor.
//
//gotorch:internal
type Origin struct {
	Op    string // "transpose"
	Site  Site
	From  *Origin
	steps int
}

// maxOrigins is how many origins lead from one to the next: a loop may make views of views without end.
const maxOrigins = 8

// noteOrigins says of the results of a view operator, that are not src itself, what made them.
func (c *Call) noteOrigins(src *Tensor) {
	f := currentHooks().Site
	if f == nil {
		return
	}
	all := make([]Origin, len(c.ret))
	at := f()
	for i, r := range c.ret {
		if !SharesStorage(r, src) || r == src {
			continue
		}
		all[i] = Origin{Op: c.Op.Name, Site: at}
		if from := src.origin; from != nil && from.steps < maxOrigins {
			all[i].From, all[i].steps = from, from.steps+1
		}
		r.origin = &all[i]
	}
}

func itoa(i int) string { return strconv.Itoa(i) }

// newHeader makes a tensor with room for n dimensions and no storage.
func newHeader(n int, dt Dtype) *Tensor {
	x := &Tensor{dtype: dt, layout: Strided}
	hugepages.Advise(unsafe.Pointer(x), 1)
	x.makeRoom(n)
	return x
}

// makeRoom makes shape and strides of n dimensions.
func (x *Tensor) makeRoom(n int) {
	if n <= inlineDims {
		x.shape, x.stride = x.dims[:n:n], x.dims[inlineDims:inlineDims+n:inlineDims+n]
	} else {
		x.shape, x.stride = make([]int, n), make([]int, n)
	}
}

// contiguousStrides writes the strides of a row-major tensor of shape.
func contiguousStrides(stride, shape []int) {
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i] = n
		n *= max(shape[i], 1)
	}
}

// maxCount bounds the number of elements and bytes, so that sums of two cannot overflow: 2^62, or 2^30 where an int
// has 32 bits.
const maxCount = math.MaxInt/2 + 1

// maxElements is more than any memory holds: 2^42 elements, or 2^26 where an int has 32 bits.
const maxElements = maxCount >> (4 + 16*(^uint(0)>>63))

// count is the number of elements of shape; ok is false where a size is negative or the number does not fit.
func count(shape []int) (n int, ok bool) {
	n = 1
	zero := false
	for _, s := range shape {
		if s < 0 {
			return 0, false
		}
		zero = zero || s == 0
	}
	if zero {
		return 0, true
	}
	for _, s := range shape {
		if hi, lo := bits.Mul(uint(n), uint(s)); hi != 0 || lo > maxCount {
			return 0, false
		}
		n *= s
	}
	return n, true
}

// Alloc makes a contiguous tensor of zeros, for the operator op. It panics with an *Error where the shape is none or
// memory does not suffice.
//
//gotorch:internal
func Alloc(op string, shape []int, dt Dtype, d Device) *Tensor {
	return AllocStrided(op, shape, nil, dt, d)
}

// AllocStrided is Alloc with strides that fill the storage without holes; nil means contiguous.
//
//gotorch:internal
func AllocStrided(op string, shape, stride []int, dt Dtype, d Device) *Tensor {
	return allocTensor(op, shape, stride, dt, d, true, true)
}

// allocTensor is AllocStrided. compact says that a tensor of few elements may be one object with them; zeroed, that
// the elements must be zero: otherwise those of a tensor on the host may be anything.
func allocTensor(op string, shape, stride []int, dt Dtype, d Device, compact, zeroed bool) *Tensor {
	n, ok := count(shape)
	if !ok || n > maxCount>>4 && n > maxCount/max(dt.Size(), 1) { // no element has more than 16 bytes
		for _, s := range shape {
			if s < 0 {
				panic(Errorf(op, "sizes must not be negative, got shape %v", shape))
			}
		}
		panic(Errorf(op, "cannot allocate shape %v of %s: more bytes than can be counted", shape, dt))
	}
	var x *Tensor
	if bytes := n * dt.Size(); compact && bytes < smallBytes && d.kind == cpuDevice && currentHooks().Storage == nil {
		x = newCompact(len(shape), dt, bytes)
	} else {
		x = newHeader(len(shape), dt)
		x.st = allocate(op, d, bytes, zeroed)
	}
	if poison && !zeroed {
		x.st.spoil()
	}
	copy(x.shape, shape)
	if stride == nil {
		contiguousStrides(x.stride, shape)
	} else {
		copy(x.stride, stride)
	}
	x.numel = n
	x.keys = 1 << d.Key()
	return x
}

// FromStorage makes a tensor that looks into st. It panics with an *Error if some element would lie outside.
//
//gotorch:internal
func FromStorage(op string, st *Storage, shape, stride []int, offset int, dt Dtype) *Tensor {
	if w, ok := st.owner.(*wrapped); ok {
		panic(Errorf(op, "the elements of a %s do not lie in the tensor itself", w.w.Name()).
			WithHint("x.Dense() is the tensor that has them"))
	}
	if s, ok := st.owner.(*sparse); ok {
		s.refuse(op)
	}
	x := newHeader(len(shape), dt)
	x.st, x.keys = st.now(), 1<<st.device.Key()
	if _, ok := x.st.owner.(*pinned); ok {
		x.keys |= pinnedKey
	}
	x.setGeometry(op, shape, stride, offset)
	return x
}

// alias is another header over x's storage with x's dtype, device and layout; the window is checked.
func (x *Tensor) alias(op string, shape, stride []int, offset int) *Tensor {
	x.mustHaveElements(op)
	y := newHeader(len(shape), x.dtype)
	y.st, y.layout, y.keys = x.st.now(), x.layout, x.keys&^(1<<KeyAutograd)
	y.setGeometry(op, shape, stride, offset)
	return y
}

func (x *Tensor) setGeometry(op string, shape, stride []int, offset int) {
	n, ok := count(shape)
	if !ok || len(shape) != len(stride) {
		panic(Errorf(op, "shape %v and stride %v do not make a tensor", shape, stride))
	}
	if n > 0 {
		lo, hi := offset, offset
		for i, s := range shape {
			if d := (s - 1) * stride[i]; d < 0 {
				lo += d
			} else {
				hi += d
			}
		}
		if size := x.st.bytes / x.dtype.Size(); lo < 0 || hi >= size {
			panic(Errorf(op, "shape %v, stride %v and offset %d reach elements %d to %d of a storage of %d", shape, stride,
				offset, lo, hi, size))
		}
	}
	copy(x.shape, shape)
	copy(x.stride, stride)
	x.offset, x.numel = offset, n
}

// Shape returns the sizes of the dimensions, in a slice of its own.
func (x *Tensor) Shape() []int { return slices.Clone(x.shape) }

// Size returns the size of dimension dim; a negative dim counts from the end.
func (x *Tensor) Size(dim int) int { return x.shape[WrapDim("size", dim, len(x.shape))] }

// Stride returns the step of each dimension, in elements, in a slice of its own.
func (x *Tensor) Stride() []int { return slices.Clone(x.stride) }

// StorageOffset is the place of the first element in the storage, in elements.
func (x *Tensor) StorageOffset() int { return x.offset }

// Dtype is the type of the elements.
func (x *Tensor) Dtype() Dtype { return x.dtype }

// Device is where the elements lie.
func (x *Tensor) Device() Device { return x.st.device }

// Layout is how the elements lie in the storage.
func (x *Tensor) Layout() Layout { return x.layout }

// Numel is the number of elements.
func (x *Tensor) Numel() int { return x.numel }

// Dim is the number of dimensions.
func (x *Tensor) Dim() int { return len(x.shape) }

// Storage is the memory that x looks into.
func (x *Tensor) Storage() *Storage { return x.st.now() }

// Version counts the writes to x's storage.
func (x *Tensor) Version() uint32 {
	if l := x.Layer(); l != nil {
		return l.Value.Version()
	}
	return x.st.now().version.Load()
}

// ElementSize is the number of bytes of one element.
func (x *Tensor) ElementSize() int { return x.dtype.Size() }

// Base is the tensor that x is a view of, nil if it is none.
func (x *Tensor) Base() *Tensor { return x.view.base }

// ViewKind says how x was made, if it is a view.
func (x *Tensor) ViewKind() ViewKind { return x.view.kind }

// Origin describes the operator that made x a view; nil where it is none, or where it was made outside of a session.
func (x *Tensor) Origin() *Origin { return x.origin }

// Sizes and Strides lend x's own slices to kernels and views, which must not change them.
func (x *Tensor) Sizes() []int   { return x.shape }
func (x *Tensor) Strides() []int { return x.stride }

// IsContiguous reports whether the elements lie in row-major order without holes; with opt.MemoryFormat in that
// format's order.
func (x *Tensor) IsContiguous(opts ...Option) bool {
	return isContiguous(x.shape, x.stride, formatOption("is_contiguous", opts))
}

func isContiguous(shape, stride []int, f MemoryFormat) bool {
	order := formatOrder(len(shape), f)
	if order == nil && (f == ChannelsLast || f == ChannelsLast3d) {
		return false
	}
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		d := i
		if order != nil {
			d = order[i]
		}
		switch {
		case shape[d] == 0 && order == nil:
			return true
		case shape[d] != 1 && stride[d] != n:
			// a later dimension may be empty, and then everything is contiguous
			return order == nil && slices.Contains(shape, 0)
		}
		n *= shape[d]
	}
	return true
}

// formatOrder lists the dimensions from the slowest to the fastest, nil for row-major or where the format has another
// number of dimensions.
func formatOrder(dims int, f MemoryFormat) []int {
	switch {
	case f == ChannelsLast && dims == 4:
		return []int{0, 2, 3, 1}
	case f == ChannelsLast3d && dims == 5:
		return []int{0, 2, 3, 4, 1}
	}
	return nil
}

// Contig reports whether x is row-major without holes.
func (x *Tensor) Contig() bool { return isContiguous(x.shape, x.stride, NoFormat) }

// Ptr is the address of x's first element, nil where there is none or the host cannot read it. The caller keeps x
// alive (runtime.KeepAlive).
func (x *Tensor) Ptr() unsafe.Pointer {
	// the place of no element may lie behind the storage, where no pointer may point
	if x.st.data == nil || x.numel == 0 {
		x.mustNotBeFreed("ptr")
		return nil
	}
	return unsafe.Add(x.st.data, x.offset*x.dtype.Size())
}

// Elems lends the elements of a contiguous tensor as a slice, for kernels. T must be the Go type of x's dtype (see
// [Element]).
//
//gotorch:internal
func Elems[T Element](x *Tensor) []T {
	if x.numel == 0 {
		return nil
	}
	return unsafe.Slice((*T)(x.Ptr()), x.numel)
}

// StorageElems lends the whole storage of x as a slice, for kernels that walk strides: x's first element is at
// StorageOffset().
//
//gotorch:internal
func StorageElems[T Element](x *Tensor) []T {
	n := x.st.bytes / x.dtype.Size()
	if n == 0 || x.st.data == nil {
		x.mustNotBeFreed("elems")
		return nil
	}
	return unsafe.Slice((*T)(x.st.data), n)
}

// Element is the set of Go types of elements, one for each dtype.
//
//gotorch:internal
type Element interface {
	bool | uint8 | int8 | int16 | int32 | int64 | Half | BF16 | float32 | float64 | complex64 | complex128 |
		uint16 | uint32 | uint64 | F8E4M3FN | F8E5M2 | ComplexHalf
}

// DtypeOf is the dtype whose elements are T.
//
//gotorch:internal
func DtypeOf[T Element]() Dtype {
	var z T
	switch any(z).(type) {
	case bool:
		return Bool
	case uint8:
		return Uint8
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case Half:
		return Float16
	case BF16:
		return Bfloat16
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	case ComplexHalf:
		return Complex32
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case F8E4M3FN:
		return Float8E4m3fn
	case F8E5M2:
		return Float8E5m2
	}
	return Complex128
}

// Is reports whether x and y share a storage: whether a write to one can be seen in the other.
func SharesStorage(x, y *Tensor) bool { return x.st == y.st || x.st.now() == y.st.now() }

// WrapDim turns a dimension that may count from the end into one from 0, and panics with an *Error if there is none
// such. A tensor of no dimensions is taken to have one, as in PyTorch.
//
//gotorch:internal
func WrapDim(op string, dim, dims int) int {
	n := max(dims, 1)
	if dim < -n || dim >= n {
		panic(Errorf(op, "dimension %d is out of range: a tensor of %s has %d to %d", dim, plural(dims, "dimension"), -n,
			n-1).OnArg("dim").WithDetails(DimDetails{dims, dim}))
	}
	if dim < 0 {
		dim += n
	}
	return dim
}

// wrapDim is WrapDim of a dimension that argument i has.
func (c *Call) wrapDim(i, dim, dims int) int {
	n := max(dims, 1)
	if dim < -n || dim >= n {
		defer func() {
			e := recover().(*Error)
			panic(e.OnArg(c.Op.Params[i].Name))
		}()
	}
	return WrapDim(c.Name(), dim, dims)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}
