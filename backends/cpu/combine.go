package cpu

import (
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// combiners has, for each way to combine an element with what is there and for each dtype, what does so.
var combiners = map[string]*[numDtypes]writer{}

func init() {
	combineReals[uint8, uint8]()
	combineReals[int8, uint8]()
	combineReals[int16, uint16]()
	combineReals[int32, uint32]()
	combineReals[int64, uint64]()
	combineReals[float32, uint32]()
	combineReals[float64, uint64]()
	combiners["add"][tensor.Float32].rows = simd.AddRows[float32]
	combiners["add"][tensor.Float64].rows = simd.AddRows[float64]
	combineNumbers[complex64]()
	combineNumbers[complex128]()
	combineHalf(tensor.Half.Float32, tensor.ToHalf)
	combineHalf(tensor.BF16.Float32, tensor.ToBF16)
	combiner("add", func(a, b bool) bool { return a || b })
	combiner("multiply", func(a, b bool) bool { return a && b })
	combiner("amax", func(a, b bool) bool { return a || b })
	combiner("amin", func(a, b bool) bool { return a && b })
}

func setCombiner[T tensor.Element](name string, w writer) {
	t := combiners[name]
	if t == nil {
		t = new([numDtypes]writer)
		combiners[name] = t
	}
	t[tensor.DtypeOf[T]()] = w
}

// combiner registers a function of what is there and the element of the source.
func combiner[T tensor.Element](name string, f func(a, b T) T) {
	setCombiner[T](name, writer{
		each: func(dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer) {
			s := slice[T](src, len(index))
			for k, v := range index {
				e := at[T](dst, base+(int(v)+wrap&int(v>>63))*step)
				*e = f(*e, s[k])
				base += inner
			}
		},
		row: func(dst, src unsafe.Pointer, n int) {
			d, s := slice[T](dst, n), slice[T](src, n)
			for k := range d {
				d[k] = f(d[k], s[k])
			}
		},
	})
}

func combineNumbers[T interface {
	number
	tensor.Element
}]() {
	row := func(dst, src unsafe.Pointer, n int) {
		d, s := slice[T](dst, n), slice[T](src, n)
		for k := range d {
			d[k] += s[k]
		}
	}
	if f := simd.Get("add " + tensor.DtypeOf[T]().String()); f != nil {
		row = func(dst, src unsafe.Pointer, n int) { f(n, (*byte)(dst), (*byte)(dst), (*byte)(src), nil, nil) }
	}
	setCombiner[T]("add", writer{each: addEach[T], row: row})
	combiner("multiply", func(a, b T) T { return a * b })
}

// addEach is the writer of sums of single elements.
func addEach[T number](dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer) {
	s, size := slice[T](src, len(index))[:len(index)], sizeOf[T]()
	if step == 1 && inner == 0 && wrap == 0 {
		k := 0
		for ; k+4 <= len(index); k += 4 { // the base alone may lie outside of dst, where no pointer may point
			e, v := (*[4]T)(s[k:]), (*[4]int64)(index[k:])
			*(*T)(unsafe.Add(dst, (base+int(v[0]))*size)) += e[0]
			*(*T)(unsafe.Add(dst, (base+int(v[1]))*size)) += e[1]
			*(*T)(unsafe.Add(dst, (base+int(v[2]))*size)) += e[2]
			*(*T)(unsafe.Add(dst, (base+int(v[3]))*size)) += e[3]
		}
		for ; k < len(index); k++ {
			*(*T)(unsafe.Add(dst, (base+int(index[k]))*size)) += s[k]
		}
		return
	}
	for k, v := range index {
		*(*T)(unsafe.Add(dst, (base+(int(v)+wrap&int(v>>63))*step)*size)) += s[k]
		base += inner
	}
}

// extremeEach makes the writer of greatest (or least) single elements, NaN where either is. U has T's bits: a choice
// between integers is made without a branch.
func extremeEach[T realNumber, U uint8 | uint16 | uint32 | uint64](
	least bool) func(dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer) {
	return func(dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer) {
		s, size := slice[T](src, len(index))[:len(index)], sizeOf[T]()
		for k, v := range index {
			p := unsafe.Add(dst, (base+(int(v)+wrap&int(v>>63))*step)*size)
			a, b := *(*T)(p), s[k]
			result, other := *(*U)(p), *(*U)(unsafe.Pointer(&s[k]))
			if least {
				if b < a {
					result = other
				}
			} else if b > a {
				result = other
			}
			if b != b {
				result = other
			}
			*(*U)(p) = result
			base += inner
		}
	}
}

func combineReals[T interface {
	realNumber
	tensor.Element
}, U uint8 | uint16 | uint32 | uint64]() {
	combineNumbers[T]()
	combiner("amax", greater[T])
	combiner("amin", lesser[T])
	dt := tensor.DtypeOf[T]()
	combiners["amax"][dt].each, combiners["amin"][dt].each = extremeEach[T, U](false), extremeEach[T, U](true)
}

// combineHalf computes in float32 and rounds each time.
func combineHalf[T tensor.Element](wide func(T) float32, narrow func(float32) T) {
	for name, f := range map[string]func(a, b float32) float32{
		"add":      func(a, b float32) float32 { return a + b },
		"multiply": func(a, b float32) float32 { return a * b },
		"amax":     greater[float32],
		"amin":     lesser[float32],
	} {
		combiner(name, func(a, b T) T { return narrow(f(wide(a), wide(b))) })
	}
}

// greater and lesser are NaN where either is.
func greater[T realNumber](a, b T) T {
	if a != a || a > b {
		return a
	}
	return b
}

func lesser[T realNumber](a, b T) T {
	if a != a || a < b {
		return a
	}
	return b
}
