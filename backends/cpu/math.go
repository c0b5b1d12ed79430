package cpu

import "math"

func init() {
	unary("tanh", each32(math.Tanh))
	unary("tanh", each(math.Tanh))
}

// each makes the loop of a function of one number.
func each[T any](f func(T) T) func(dst, a []T) {
	return func(dst, a []T) {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}

// each32 makes the loop over float32 of a function of float64.
func each32(f func(float64) float64) func(dst, a []float32) {
	return func(dst, a []float32) {
		for i, v := range a {
			dst[i] = float32(f(float64(v)))
		}
	}
}
