package cpu

import "gotorch/tensor"

type complexNumber interface{ complex64 | complex128 }

type number interface{ realNumber | complexNumber }

func init() {
	numbers[uint8]()
	numbers[int8]()
	numbers[int16]()
	numbers[int32]()
	numbers[int64]()
	numbers[float32]()
	numbers[float64]()
	numbers[complex64]()
	numbers[complex128]()
	binary("add", orBool)
	binary("mul", andBool)
}

// numbers defines arithmetic on T.
func numbers[T interface {
	number
	tensor.Element
}]() {
	binaryWith("add", func(c *tensor.Call) func(dst, a, b []T) {
		if alpha, is1 := scalarArg[T](c, 2); !is1 {
			return func(dst, a, b []T) { addScaled(dst, a, b, alpha) }
		}
		return addLoop[T]
	})
	binary("mul", mulLoop[T])
}

// scalarArg reads a number like alpha as T; is1 reports that it is 1, and changes nothing.
func scalarArg[T tensor.Element](c *tensor.Call, i int) (v T, is1 bool) {
	s, _ := c.Scalar(i)
	if s.IsInt() && s.Int() == 1 {
		return v, true
	}
	return numberAs[T](s), false
}

func addLoop[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func addScaled[T number](dst, a, b []T, alpha T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + alpha*b[i]
	}
}

func mulLoop[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func orBool(dst, a, b []bool) {
	for i := range dst {
		dst[i] = a[i] || b[i]
	}
}

func andBool(dst, a, b []bool) {
	for i := range dst {
		dst[i] = a[i] && b[i]
	}
}
