package cpu

import (
	"math"

	"gotorch/tensor"
)

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
	integerDivision[uint8]()
	integerDivision[int8]()
	integerDivision[int16]()
	integerDivision[int32]()
	integerDivision[int64]()
	floatDivision[float32]()
	floatDivision[float64]()
	complexDivision[complex64]()
	complexDivision[complex128]()
	binary("add", orBool)
	binary("mul", andBool)
}

// numbers defines what every type of number has.
func numbers[T interface {
	number
	tensor.Element
}]() {
	scaled("add", addLoop[T], addScaled[T])
	scaled("sub", subLoop[T], subScaled[T])
	scaled("rsub", func(dst, a, b []T) { subLoop(dst, b, a) }, func(dst, a, b []T, alpha T) { subScaled(dst, b, a, alpha) })
	binary("mul", mulLoop[T])
	ternaryWith("addcmul", func(c *tensor.Call) func(dst, self, a, b []T) {
		v := numberArg[T](c, 3)
		return func(dst, self, a, b []T) {
			for i := range dst {
				dst[i] = self[i] + v*a[i]*b[i]
			}
		}
	})
	unary("neg", func(dst, a []T) {
		for i, v := range a {
			dst[i] = -v
		}
	})
}

// scaled defines an operator with an alpha, which is 1 nearly always.
func scaled[T tensor.Element](name string, plain func(dst, a, b []T), loop func(dst, a, b []T, alpha T)) {
	binaryWith(name, func(c *tensor.Call) func(dst, a, b []T) {
		s, _ := c.Scalar(2)
		if s.IsInt() && s.Int() == 1 {
			return plain
		}
		alpha := numberAs[T](s)
		return func(dst, a, b []T) { loop(dst, a, b, alpha) }
	})
}

// numberArg reads argument i as T.
func numberArg[T tensor.Element](c *tensor.Call, i int) T {
	s, _ := c.Scalar(i)
	return numberAs[T](s)
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

func subLoop[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func subScaled[T number](dst, a, b []T, alpha T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - alpha*b[i]
	}
}

func mulLoop[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func divLoop[T float | complexNumber](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
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

// integerDivision defines divisions that round, and their remainders. A divisor of zero is an error.
func integerDivision[T interface {
	integer
	tensor.Element
}]() {
	pairs := func(f func(a, b T) T) func(c *tensor.Call) func(dst, a, b []T) {
		return func(c *tensor.Call) func(dst, a, b []T) {
			return func(dst, a, b []T) {
				for i := range dst {
					if b[i] == 0 {
						tensor.Errorf(c.Name(), "ZeroDivisionError: an integer was divided by zero")
					}
					dst[i] = f(a[i], b[i])
				}
			}
		}
	}
	trunc := pairs(func(a, b T) T { return a / b })
	floor := pairs(floorDivInt[T])
	binaryWith("floor_divide", floor)
	binaryWith("div", func(c *tensor.Call) func(dst, a, b []T) {
		if c.Str(2) == "trunc" {
			return trunc(c)
		}
		return floor(c)
	})
	binaryWith("fmod", pairs(func(a, b T) T { return a % b }))
	binaryWith("remainder", pairs(func(a, b T) T {
		m := a % b
		if m != 0 && (m < 0) != (b < 0) {
			m += b
		}
		return m
	}))
}

func floorDivInt[T integer](a, b T) T {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floatDivision[T interface {
	float
	tensor.Element
}]() {
	floor := pairwise(func(a, b T) T { return T(floorDiv(float64(a), float64(b))) })
	trunc := pairwise(func(a, b T) T { return T(math.Trunc(float64(a / b))) })
	binary("floor_divide", floor)
	binaryWith("div", func(c *tensor.Call) func(dst, a, b []T) {
		switch c.Str(2) {
		case "trunc":
			return trunc
		case "floor":
			return floor
		}
		return divLoop[T]
	})
	binary("fmod", pairwise(func(a, b T) T { return T(math.Mod(float64(a), float64(b))) }))
	binary("remainder", pairwise(func(a, b T) T {
		m := T(math.Mod(float64(a), float64(b)))
		if m != 0 && (m < 0) != (b < 0) {
			m += b
		}
		return m
	}))
	dividing[T]()
}

// floorDiv rounds a/b down as Python does: the exact remainder decides, not the rounded quotient.
func floorDiv(a, b float64) float64 {
	if b == 0 {
		return a / b
	}
	m := math.Mod(a, b)
	q := (a - m) / b
	if m != 0 && (m < 0) != (b < 0) {
		q--
	}
	if q == 0 {
		return math.Copysign(0, a/b)
	}
	f := math.Floor(q)
	if q-f > 0.5 {
		f++
	}
	return f
}

func complexDivision[T interface {
	complexNumber
	tensor.Element
}]() {
	binary("div", divLoop[T])
	dividing[T]()
}

// dividing defines what floating point and complex numbers share.
func dividing[T interface {
	float | complexNumber
	tensor.Element
}]() {
	ternaryWith("addcdiv", func(c *tensor.Call) func(dst, self, a, b []T) {
		v := numberArg[T](c, 3)
		return func(dst, self, a, b []T) {
			for i := range dst {
				dst[i] = self[i] + v*a[i]/b[i]
			}
		}
	})
	unary("reciprocal", func(dst, a []T) {
		for i, v := range a {
			dst[i] = 1 / v
		}
	})
}

// pairwise makes the loop of a function of two numbers.
func pairwise[T, R any](f func(a, b T) R) func(dst []R, a, b []T) {
	return func(dst []R, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = f(a[i], b[i])
		}
	}
}
