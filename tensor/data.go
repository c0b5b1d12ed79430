package tensor

import (
	"reflect"
	"runtime"
	"unsafe"
)

// FromSlice makes a tensor over the memory of xs, without copying: writes to one are seen in the other. []int becomes
// int64. Without a shape it is a vector; one size may be -1. A shape of another number of elements panics with an
// *Error.
func FromSlice[T Element | int](xs []T, shape ...int) *Tensor { return fromSlice(xs, shape) }

// FromSliceOf is FromSlice for a slice whose type is not known before the program runs. Anything but a slice of
// elements panics with an *Error.
//
//gotorch:internal
func FromSliceOf(xs any, shape ...int) *Tensor { return fromSlice(xs, shape) }

func fromSlice(xs any, shape []int) *Tensor {
	const op = "from_slice"
	v := reflect.ValueOf(xs)
	if xs == nil || v.Kind() != reflect.Slice {
		panic(Errorf(op, "want a slice of numbers, got %s", describe(xs)))
	}
	dt := dtypeOfType(v.Type().Elem())
	if dt == NoDtype || int(v.Type().Elem().Size()) != dt.Size() {
		panic(Errorf(op, "a tensor cannot look into a %s: its elements are of no dtype", v.Type()).
			WithHint("New copies and converts"))
	}
	n := v.Len()
	if len(shape) == 0 {
		shape = []int{n}
	}
	shape = inferShape(op, shape, n)
	stride := make([]int, len(shape))
	contiguousStrides(stride, shape)
	return FromStorage(op, NewStorage(CPU, v.UnsafePointer(), n*dt.Size(), xs), shape, stride, 0, dt)
}

// Data copies the elements of x, row by row. T must be the Go type of x's dtype (int or int64 for int64); any other
// panics with an *Error.
func Data[T Element | int](x *Tensor) []T {
	const op = "data"
	checkElement[T](op, x)
	MustFit(op, float64(x.numel)*float64(unsafe.Sizeof(*new(T))))
	out := make([]T, x.numel)
	x.copyTo(op, unsafe.Pointer(unsafe.SliceData(out)))
	return out
}

// DataInto copies the elements of x, row by row, into dst, a slice of as many elements of the Go type of x's dtype.
//
//gotorch:internal
func DataInto(x *Tensor, dst any) {
	const op = "data"
	v := sliceOf(op, x, dst)
	if v.Len() != x.numel {
		panic(Errorf(op, "a slice of %d for a tensor of %d elements", v.Len(), x.numel))
	}
	x.copyTo(op, v.UnsafePointer())
}

// sliceOf reads a slice whose elements are of the Go type of x's dtype.
func sliceOf(op string, x *Tensor, slice any) reflect.Value {
	v := reflect.ValueOf(slice)
	if !v.IsValid() || v.Kind() != reflect.Slice {
		panic(Errorf(op, "want a slice, got %s", describe(slice)))
	}
	checkElementType(op, x, v.Type().Elem())
	return v
}

// DataOf is [Data] where the type is not known before the program runs: a []float32 for a float32 tensor, and so on.
//
//gotorch:internal
func DataOf(x *Tensor) any {
	switch x.dtype {
	case Bool:
		return Data[bool](x)
	case Uint8:
		return Data[uint8](x)
	case Int8:
		return Data[int8](x)
	case Int16:
		return Data[int16](x)
	case Int32:
		return Data[int32](x)
	case Int64:
		return Data[int64](x)
	case Float16:
		return Data[Half](x)
	case Bfloat16:
		return Data[BF16](x)
	case Float32:
		return Data[float32](x)
	case Float64:
		return Data[float64](x)
	case Complex64:
		return Data[complex64](x)
	case Complex32:
		return Data[ComplexHalf](x)
	case Uint16:
		return Data[uint16](x)
	case Uint32:
		return Data[uint32](x)
	case Uint64:
		return Data[uint64](x)
	case Float8E4m3fn:
		return Data[F8E4M3FN](x)
	case Float8E5m2:
		return Data[F8E5M2](x)
	}
	return Data[complex128](x)
}

// WithData lends the elements of x to f, row by row, as they lie in memory: what f writes is in x. Autograd does not
// see such writes. x must be contiguous and in the memory of the host, and T the Go type of its dtype; otherwise it
// panics with an *Error. f must not keep the slice.
func WithData[T Element | int](x *Tensor, f func([]T)) {
	const op = "with_data"
	checkElement[T](op, x)
	x.lend(op)
	f(unsafe.Slice((*T)(x.Ptr()), x.numel))
	runtime.KeepAlive(x)
}

// lend panics unless x's elements lie one after the other in the memory of the host.
func (x *Tensor) lend(op string) {
	x.noteRead(op, nil)
	SubstituteOf(x).onHost(op) // who lends may write
	if !x.Contig() {
		panic(Errorf(op, "the elements of shape %v with stride %v do not lie one after the other", x.shape, x.stride).
			WithHint("x.Contiguous() is a copy that is; Data copies"))
	}
}

// WithDataOf is [WithData] where the type is not known before the program runs: f gets a slice of the type of like,
// which may be nil.
//
//gotorch:internal
func WithDataOf(x *Tensor, like any, f func(data any)) {
	const op = "with_data"
	t := sliceOf(op, x, like).Type()
	x.lend(op)
	f(reflect.SliceAt(t.Elem(), x.Ptr(), x.numel).Convert(t).Interface())
	runtime.KeepAlive(x)
}

// checkElement panics unless T is the Go type of x's dtype.
func checkElement[T Element | int](op string, x *Tensor) {
	checkElementType(op, x, reflect.TypeFor[T]())
}

func checkElementType(op string, x *Tensor, t reflect.Type) {
	if dtypeOfType(t) != x.dtype || int(t.Size()) != x.dtype.Size() {
		panic(Errorf(op, "the elements of a %s tensor are not of the Go type %s", x.dtype, t).WithHint("x.To converts"))
	}
}

// onHost panics unless the host can read x.
func (x *Tensor) onHost(op string) {
	switch {
	case x.keys&layered != 0:
		x.visible(op)
	case x.keys&(1<<KeySparse) != 0:
		x.mustHaveElements(op)
	case x.keys&opaque != 0:
		panic(Errorf(op, "the elements of a %s do not lie in the tensor itself", x.Wrapper().Name()).
			WithHint("x.Dense() is the tensor that has them"))
	case x.st.device.kind == metaDevice:
		panic(Errorf(op, "the values of a meta tensor cannot be read").WithHint("a meta tensor has a shape and no values"))
	case x.st.device == freed:
		panic(usedFreed(op))
	case x.st.data == nil && x.st.bytes > 0:
		panic(Errorf(op, "the elements lie on %s", x.Device()).WithHint("x.Cpu() is a copy that can be read"))
	}
}

// copyTo writes the elements, row by row, to dst.
func (x *Tensor) copyTo(op string, dst unsafe.Pointer) {
	x.mustHaveElements(op)
	if x.numel == 0 {
		return
	}
	x = x.Dense()
	x.noteRead(op, nil)
	x = x.readable()
	size := x.dtype.Size()
	src := x.st
	if src.device.kind == metaDevice {
		x.onHost(op)
	}
	x.visible(op)
	if src.data == nil { // a device's: all of the storage
		buf := make([]byte, src.bytes)
		src.device.allocator().ToHost(buf, src, 0)
		src = NewStorage(CPU, unsafe.Pointer(unsafe.SliceData(buf)), len(buf), buf)
	}
	defer x.locked(op)()
	bytes := func(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n*size) }
	if x.Contig() {
		copy(bytes(dst, x.numel), bytes(unsafe.Add(src.data, x.offset*size), x.numel))
	} else {
		out, i := bytes(dst, x.numel), 0
		x.offsets(func(at int) bool {
			i += copy(out[i:], bytes(unsafe.Add(src.data, at*size), 1))
			return true
		})
	}
	runtime.KeepAlive(x)
	runtime.KeepAlive(src)
}

// Tolist returns the elements as nested []any of bool, int64, float64 or complex128; a tensor of no dimensions is the
// number itself.
func (x *Tensor) Tolist() any {
	x.mustHaveElements("tolist")
	mustFit("tolist", 4*float64(x.numel)) // two words for each, twice
	all := make([]any, 0, x.numel)
	for s := range x.scalars("tolist") {
		all = append(all, s.Any())
	}
	var nest func(d int) any
	nest = func(d int) any {
		if d == len(x.shape) {
			v := all[0]
			all = all[1:]
			return v
		}
		out := make([]any, x.shape[d])
		for i := range out {
			out[i] = nest(d + 1)
		}
		return out
	}
	return nest(0)
}

var setNote = &Write{Op: "set"}

// Set writes the number v, converted, to the element at index, one int for each dimension; autograd sees the write. It
// returns x.
func (x *Tensor) Set(v Number, index ...int) *Tensor {
	const op = "set"
	x.mustHaveElements(op)
	if len(index) != len(x.shape) {
		panic(Errorf(op, "%d indices for a tensor of shape %v", len(index), x.shape))
	}
	s, ok := ScalarOf(v)
	if !ok {
		panic(Errorf(op, "the value must be a number, not %s", describe(v)))
	}
	if !holds(x.dtype, s) {
		panic(Errorf(op, "value %v cannot be converted to %s without overflow", s.Any(), x.dtype))
	}
	if x.st.data != nil && !x.IsPinned() && !x.RequiresGrad() && CurrentScope() == nil { // nobody watches
		at := x.place(op, index)
		writeElement(x.dtype, unsafe.Add(x.st.data, at*x.dtype.Size()), s)
		x.st.now().wrote(setNote)
		return x
	}
	y := x
	for _, i := range index {
		y = y.Select(0, i)
	}
	y.Fill_(v)
	return x
}
