package tensor

import (
	"math"
	"reflect"
	"unsafe"
)

// New makes a tensor of data, which it copies: a number, or a slice or an array of numbers, nested as deep as you
// like.
//
// Slices keep their element type: []float64 is float64, []int is int64. A lone Go int or float64, and lists whose
// elements are any, follow Python's rule: bools alone are bool, ints int64, with any fraction the default dtype, with
// any complex number its complex. Options: a Dtype, a Device, opt.RequiresGrad. Lists whose lengths differ, and
// elements that are no numbers, panic with an *Error that names the place.
func New(data any, opts ...Option) *Tensor {
	const op = "tensor"
	kw := findOption(op, []string{"dtype", "device", "requires_grad", "layout"}, opts)
	r := reader{op: op}
	r.measure(reflect.ValueOf(data), 0, nil)
	dt := r.dtype()
	if d, ok := kw["dtype"].(Dtype); ok && d != NoDtype {
		dt = d
	}
	dev := DefaultDevice()
	if d, ok := kw["device"].(Device); ok && d.kind != noDevice {
		dev = d
	}
	x := Alloc(op, r.shape, dt, CPU)
	r.dt, r.size = dt, dt.Size()
	if x.numel > 0 {
		r.out = hostBytes(x.st)
		r.fill(reflect.ValueOf(data), 0)
	}
	if dev != CPU {
		x = x.moved(op, dev)
	}
	if on, _ := kw["requires_grad"].(bool); on {
		x.RequiresGrad_()
	}
	return x
}

// moved is a copy of a contiguous host tensor on d.
func (x *Tensor) moved(op string, d Device) *Tensor {
	y := Alloc(op, x.shape, x.dtype, d)
	if d.kind != metaDevice && x.numel > 0 {
		d.allocator().FromHost(y.st, 0, hostBytes(x.st)[x.offset*x.dtype.Size():][:x.numel*x.dtype.Size()])
	}
	return y
}

// reader walks nested data twice: once for the shape and the dtype, once for the elements.
type reader struct {
	op    string
	shape []int
	done  bool   // an element was seen
	typed Dtype  // of elements in slices of their own type
	loose Dtype  // of elements in lists of any, and lone numbers
	out   []byte // what is yet to be written
	dt    Dtype
	size  int
}

// goDtypes are the dtypes of Go's number types.
var goDtypes = map[reflect.Kind]Dtype{reflect.Bool: Bool, reflect.Uint8: Uint8, reflect.Int8: Int8,
	reflect.Int16: Int16, reflect.Int32: Int32,
	reflect.Int64: Int64, reflect.Int: Int64, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
	reflect.Uint:    Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64, reflect.Complex128: Complex128}

var (
	packedTypes = map[reflect.Type]Dtype{reflect.TypeFor[Half](): Float16, reflect.TypeFor[BF16](): Bfloat16,
		reflect.TypeFor[F8E4M3FN](): Float8E4m3fn, reflect.TypeFor[F8E5M2](): Float8E5m2,
		reflect.TypeFor[ComplexHalf](): Complex32}
	tensorType = reflect.TypeFor[*Tensor]()
	scalarType = reflect.TypeFor[Scalar]()
)

// dtypeOfType is the dtype of elements of a Go type, NoDtype if it is no number.
func dtypeOfType(t reflect.Type) Dtype {
	if dt, ok := packedTypes[t]; ok {
		return dt
	}
	return goDtypes[t.Kind()]
}

func (r *reader) dtype() Dtype {
	switch dt := promoteFor(r.op, r.typed, r.loose); dt {
	case NoDtype:
		return DefaultDtype()
	default:
		return dt
	}
}

// placeOf is where an element stands: data[1][0].
func placeOf(path []int) string {
	s := "data"
	for _, i := range path {
		s += "[" + itoa(i) + "]"
	}
	return s
}

func isList(v reflect.Value) bool { return v.Kind() == reflect.Slice || v.Kind() == reflect.Array }

// element unwraps interfaces and pointers to arrays.
func element(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.Type() != tensorType && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// measure finds shape and dtype.
func (r *reader) measure(v reflect.Value, depth int, path []int) {
	loose := depth == 0 || v.Kind() == reflect.Interface
	v = element(v)
	switch {
	case !v.IsValid():
		r.bad(path, "nil")
	case isList(v):
		r.list(v, depth, path)
		return
	case v.Type() == tensorType && !v.IsNil():
		r.tensor(v.Interface().(*Tensor), depth, path)
		return
	}
	dt := dtypeOfType(v.Type())
	if v.Type() == scalarType {
		dt = v.Interface().(Scalar).Dtype()
	}
	if dt == NoDtype {
		r.bad(path, describe(v.Interface()))
	}
	r.leaf(depth, path)
	if loose { // Python's numbers
		switch v.Kind() {
		case reflect.Uint16:
			dt = Int32
		case reflect.Uint32, reflect.Uint64, reflect.Uint:
			dt = Int64
		case reflect.Float64:
			dt = DefaultDtype()
		case reflect.Complex128:
			dt = DefaultDtype().ToComplex()
		}
		r.loose = promoteFor(r.op, r.loose, dt)
	} else {
		r.typed = promoteFor(r.op, r.typed, dt)
	}
}

func (r *reader) bad(path []int, what string) {
	panic(Errorf(r.op, "%s is %s: want numbers, or nested lists of numbers", placeOf(path), what).OnArg("data"))
}

// leaf notes an element at a depth.
func (r *reader) leaf(depth int, path []int) {
	if depth < len(r.shape) {
		panic(Errorf(r.op, "%s is a number, where a list of %d is expected: the lists are not of one depth", placeOf(path),
			r.shape[depth]))
	}
	r.done = true
}

func (r *reader) list(v reflect.Value, depth int, path []int) {
	n := v.Len()
	if depth > 64 {
		panic(Errorf(r.op, "%s: lists nested deeper than 64", placeOf(path)))
	}
	switch {
	case depth < len(r.shape) && r.shape[depth] != n:
		panic(Errorf(r.op, "expected a list of length %d at dim %d, but %s has length %d", r.shape[depth], depth,
			placeOf(path), n))
	case depth == len(r.shape) && r.done:
		panic(Errorf(r.op, "%s is a list, where a number is expected: the lists are not of one depth", placeOf(path)))
	case depth == len(r.shape):
		r.shape = append(r.shape, n)
	}
	elem := v.Type().Elem()
	if dt := dtypeOfType(elem); dt != NoDtype { // elements of one type: no need to look at each
		if n > 0 || depth+1 == len(r.shape) {
			if depth+1 < len(r.shape) {
				panic(Errorf(r.op, "%s holds numbers, where lists of %d are expected: the lists are not of one depth",
					placeOf(path), r.shape[depth+1]))
			}
			r.done = true
		}
		r.typed = promoteFor(r.op, r.typed, dt)
		return
	}
	if n == 0 { // nothing may follow below an empty list, but what its type says: [][]float64{} has elements of float64
		for t := elem; t.Kind() == reflect.Slice || t.Kind() == reflect.Array; {
			if t = t.Elem(); dtypeOfType(t) != NoDtype {
				r.typed = promoteFor(r.op, r.typed, dtypeOfType(t))
			}
		}
		r.done = r.done || depth+1 == len(r.shape)
		return
	}
	for i := range n {
		r.measure(v.Index(i), depth+1, append(path[:len(path):len(path)], i))
	}
}

// tensor takes a tensor as an element: one of no dimensions is a number.
func (r *reader) tensor(t *Tensor, depth int, path []int) {
	if len(t.shape) > 0 && depth > 0 {
		panic(Errorf(r.op, "%s is %s: only tensors of no dimensions can stand for a number", placeOf(path), describe(t)).
			OnArg("data").WithHint("Stack joins tensors"))
	}
	if depth == 0 {
		r.shape, r.done = t.Shape(), true
	} else {
		r.leaf(depth, path)
	}
	r.typed = promoteFor(r.op, r.typed, t.dtype)
}

// fill writes the elements one after the other.
func (r *reader) fill(v reflect.Value, depth int) {
	v = element(v)
	if isList(v) {
		n := v.Len()
		if dt := dtypeOfType(v.Type().Elem()); dt == r.dt && depth+1 == len(r.shape) &&
			v.Type().Elem().Size() == uintptr(r.size) && v.Kind() == reflect.Slice {
			if n > 0 {
				r.out = r.out[copy(r.out, unsafe.Slice((*byte)(v.UnsafePointer()), n*r.size)):]
			}
			return
		}
		for i := range n {
			r.fill(v.Index(i), depth+1)
		}
		return
	}
	if v.Type() == tensorType {
		for i := range v.Interface().(*Tensor).scalars(r.op) {
			r.put(i)
		}
		return
	}
	r.put(scalarOfValue(r.op, v))
}

// scalarOfValue reads a number of any Go type, named ones included.
func scalarOfValue(op string, v reflect.Value) Scalar {
	if s, ok := ScalarOf(v.Interface()); ok {
		return s
	}
	switch {
	case v.CanInt():
		return IntScalar(v.Int())
	case v.CanUint():
		return uintScalar(v.Uint())
	case v.CanFloat():
		return FloatScalar(v.Float())
	case v.CanComplex():
		s, _ := ScalarOf(v.Complex())
		return s
	}
	return boolScalar(v.Bool())
}

// put writes the next element.
func (r *reader) put(s Scalar) {
	if s.IsComplex() && !r.dt.IsComplex() && r.dt != Bool {
		panic(Errorf(r.op, "the complex number %v cannot become %s", s.Any(), r.dt))
	}
	if r.dt.IsIntegral() && !fits(r.dt, s) {
		panic(Errorf(r.op, "value %v cannot be converted to %s without overflow", s.Any(), r.dt))
	}
	writeElement(r.dt, unsafe.Pointer(unsafe.SliceData(r.out)), s)
	r.out = r.out[r.size:]
}

// fits reports whether s, truncated, is in the range of the integer dtype dt.
func fits(dt Dtype, s Scalar) bool {
	if s.IsFloat() && !(math.Abs(s.Float()) < 1<<63) {
		return dt == Uint64 && s.Float() >= 1<<63 && s.Float() < 1<<64
	}
	i := s.Int()
	switch {
	case dt == Uint8:
		return i >= 0 && i <= math.MaxUint8 || i < 0 && i >= math.MinInt8 // -1 is 255, as in PyTorch
	case dt == Uint64:
		return s.IsBig() || i >= 0
	case s.IsBig():
		return false
	case dt.isUnsigned():
		return i >= 0 && i>>(8*dt.Size()) == 0
	}
	bits := 8*dt.Size() - 1
	return i>>bits == 0 || i>>bits == -1
}

// scalars walks the elements row by row.
func (x *Tensor) scalars(op string) func(yield func(Scalar) bool) {
	return func(yield func(Scalar) bool) {
		x = x.Dense()
		x.offsets(func(at int) bool { return yield(x.read(op, at)) })
	}
}

// offsets walks the places of the elements in the storage, row by row.
func (x *Tensor) offsets(yield func(at int) bool) {
	if x.numel == 0 {
		return
	}
	index, at := make([]int, len(x.shape)), x.offset
	for {
		if !yield(at) {
			return
		}
		d := len(index) - 1
		for ; d >= 0; d-- {
			index[d]++
			at += x.stride[d]
			if index[d] < x.shape[d] {
				break
			}
			at -= index[d] * x.stride[d]
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}
