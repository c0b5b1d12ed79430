package cpu

import "gotorch/tensor"

// combiners has, for each way to combine an element with what is there and for each dtype, the function that does it at all places of a lattice.
var combiners = map[string]*[numDtypes]func(l *lattice, src *tensor.Tensor){}

func init() {
	combineReals[uint8]()
	combineReals[int8]()
	combineReals[int16]()
	combineReals[int32]()
	combineReals[int64]()
	combineReals[float32]()
	combineReals[float64]()
	combineNumbers[complex64]()
	combineNumbers[complex128]()
	combineHalf(tensor.Half.Float32, tensor.ToHalf)
	combineHalf(tensor.BF16.Float32, tensor.ToBF16)
	combiner("add", func(a, b bool) bool { return a || b })
	combiner("multiply", func(a, b bool) bool { return a && b })
	combiner("amax", func(a, b bool) bool { return a || b })
	combiner("amin", func(a, b bool) bool { return a && b })
}

func combiner[T tensor.Element](name string, f func(a, b T) T) {
	t := combiners[name]
	if t == nil {
		t = new([numDtypes]func(*lattice, *tensor.Tensor))
		combiners[name] = t
	}
	t[tensor.DtypeOf[T]()] = func(l *lattice, src *tensor.Tensor) { combine(l, src, f) }
}

func combineNumbers[T interface {
	number
	tensor.Element
}]() {
	combiner("add", func(a, b T) T { return a + b })
	combiner("multiply", func(a, b T) T { return a * b })
}

func combineReals[T interface {
	realNumber
	tensor.Element
}]() {
	combineNumbers[T]()
	combiner("amax", greater[T])
	combiner("amin", lesser[T])
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

// greater and lesser give NaN where either is.
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

// combineAt combines src with the places of l.
func (l *lattice) combineAt(how string, src *tensor.Tensor) {
	t := combiners[how]
	if t == nil || t[l.x.Dtype()] == nil {
		tensor.Errorf(l.op, "%s is not implemented for %s", how, l.x.Dtype())
	}
	t[l.x.Dtype()](l, src)
}
