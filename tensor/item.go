package tensor

import "unsafe"

// scalar reads the element of a tensor of one element, on the host.
func (x *Tensor) scalar() Scalar {
	return readElement(x.dtype, x.Ptr())
}

// readElement reads one element of dt at p.
func readElement(dt Dtype, p unsafe.Pointer) Scalar {
	switch dt {
	case Bool:
		return boolScalar(*(*uint8)(p) != 0)
	case Uint8:
		return IntScalar(int64(*(*uint8)(p)))
	case Int8:
		return IntScalar(int64(*(*int8)(p)))
	case Int16:
		return IntScalar(int64(*(*int16)(p)))
	case Int32:
		return IntScalar(int64(*(*int32)(p)))
	case Int64:
		return IntScalar(*(*int64)(p))
	case Float16:
		return FloatScalar(float64((*(*Half)(p)).Float32()))
	case Bfloat16:
		return FloatScalar(float64((*(*BF16)(p)).Float32()))
	case Float32:
		return FloatScalar(float64(*(*float32)(p)))
	case Float64:
		return FloatScalar(*(*float64)(p))
	case Uint16:
		return IntScalar(int64(*(*uint16)(p)))
	case Uint32:
		return IntScalar(int64(*(*uint32)(p)))
	case Uint64:
		return uintScalar(*(*uint64)(p))
	case Float8E4m3fn:
		return FloatScalar(float64((*(*F8E4M3FN)(p)).Float32()))
	case Float8E5m2:
		return FloatScalar(float64((*(*F8E5M2)(p)).Float32()))
	case Complex32:
		c := *(*ComplexHalf)(p)
		return Scalar{kind: complexNumber, f: float64(c.Re.Float32()), im: float64(c.Im.Float32())}
	case Complex64:
		c := *(*complex64)(p)
		return Scalar{kind: complexNumber, f: float64(real(c)), im: float64(imag(c))}
	default:
		c := *(*complex128)(p)
		return Scalar{kind: complexNumber, f: real(c), im: imag(c)}
	}
}

// writeElement writes s as one element of dt at p, converted as PyTorch converts.
func writeElement(dt Dtype, p unsafe.Pointer, s Scalar) {
	switch dt {
	case Bool:
		*(*bool)(p) = s.Bool()
	case Uint8:
		*(*uint8)(p) = uint8(s.Int())
	case Int8:
		*(*int8)(p) = int8(s.Int())
	case Int16:
		*(*int16)(p) = int16(s.Int())
	case Int32:
		*(*int32)(p) = int32(s.Int())
	case Int64:
		*(*int64)(p) = s.Int()
	case Float16:
		*(*Half)(p) = ToHalf(float32(s.Float()))
	case Bfloat16:
		*(*BF16)(p) = ToBF16(float32(s.Float()))
	case Float32:
		*(*float32)(p) = float32(s.Float())
	case Float64:
		*(*float64)(p) = s.Float()
	case Uint16:
		*(*uint16)(p) = uint16(s.Int())
	case Uint32:
		*(*uint32)(p) = uint32(s.Int())
	case Uint64:
		*(*uint64)(p) = s.Uint()
	case Float8E4m3fn:
		*(*F8E4M3FN)(p) = ToF8E4M3FN(float32(s.Float()))
	case Float8E5m2:
		*(*F8E5M2)(p) = ToF8E5M2(float32(s.Float()))
	case Complex32:
		*(*ComplexHalf)(p) = ComplexHalf{ToHalf(float32(s.Float())), ToHalf(float32(s.im))}
	case Complex64:
		*(*complex64)(p) = complex64(s.Complex())
	case Complex128:
		*(*complex128)(p) = s.Complex()
	}
}

// At reads the element at index, one number for each dimension, as a bool, int64, float64 or complex128. A tensor on a
// device is read through the host.
func (x *Tensor) At(index ...int) any {
	x.mustHaveElements("at")
	x = x.Dense()
	s := x.at("at", index)
	x.noteRead("at", index)
	return s.Any()
}

func (x *Tensor) at(op string, index []int) Scalar { return x.read(op, x.place(op, index)) }

// place finds where in the storage the element at index lies.
func (x *Tensor) place(op string, index []int) int {
	if len(index) != len(x.shape) {
		panic(Errorf(op, "%d indices for a tensor of shape %v", len(index), x.shape))
	}
	at := x.offset
	for d, i := range index {
		n := x.shape[d]
		if i < -n || i >= n {
			panic(Errorf(op, "index %d is out of range for dimension %d of size %d", i, d, n).
				WithDetails(indexDetails(x, d, i)))
		}
		if i < 0 {
			i += n
		}
		at += i * x.stride[d]
	}
	return at
}

// read reads element at of the storage.
func (x *Tensor) read(op string, at int) Scalar {
	x = x.readable()
	size := x.dtype.Size()
	switch {
	case x.keys&pinnedKey != 0:
		defer x.locked(op)()
		return readElement(x.dtype, unsafe.Add(x.st.data, at*size))
	case x.st.data != nil:
		return readElement(x.dtype, unsafe.Add(x.st.data, at*size))
	case x.st.device.kind == metaDevice:
		panic(Errorf(op, "the values of a meta tensor cannot be read").WithHint("a meta tensor has a shape and no values"))
	}
	x.visible(op)
	var buf [2]uint64
	b := unsafe.Slice((*byte)(unsafe.Pointer(&buf)), size)
	x.st.device.allocator().ToHost(b, x.st, at*size)
	return readElement(x.dtype, unsafe.Pointer(&buf))
}

// ItemScalar is the only element of x. A tensor of another number of elements is an error.
func (x *Tensor) ItemScalar() Scalar {
	x.mustHaveElements("item")
	x = x.Dense()
	if x.numel != 1 {
		panic(Errorf("item", "a tensor with %d elements (shape %v) cannot be converted to one number", x.numel, x.shape))
	}
	x.noteRead("item", nil)
	return x.read("item", x.offset)
}

// Item is the only element of x as a float64; the real part of a complex one.
func (x *Tensor) Item() float64 { return x.ItemScalar().Float() }

// ItemInt is the only element of x as an int, truncated.
func (x *Tensor) ItemInt() int { return int(x.ItemScalar().Int()) }

// ItemBool reports whether the only element of x is not zero.
func (x *Tensor) ItemBool() bool { return x.ItemScalar().Bool() }

// ItemComplex is the only element of x as a complex128.
func (x *Tensor) ItemComplex() complex128 { return x.ItemScalar().Complex() }
