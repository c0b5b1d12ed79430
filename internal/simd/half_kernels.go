package simd

import (
	"math"
	"reflect"
)

// The bits of numbers of the half types, for the names of kernels.
type (
	float16  uint16
	bfloat16 uint16
)

// forHalves are the functions that have kernels for the half types, which compute in float32 and round once. Their
// parameters are float32; those of clamp are numbers of the half type.
var forHalves = []string{"add", "sub", "mul", "div", "maximum", "minimum", "add_scaled", "sub_scaled", "addcmul",
	"addcdiv", "scale", "sqrt", "reciprocal", "square", "relu", "clamp", "floor", "ceil", "trunc", "frac", "leaky_relu",
	"threshold", "hardshrink", "softshrink", "hardsigmoid", "hardswish"}

// halfFunctions are those that are not exact in float32.
var halfFunctions = []string{"exp", "log", "log2", "log10", "log1p", "sigmoid", "silu", "erf", "gelu"}

func init() {
	halfArith[float16](FromHalf, ToHalf)
	halfArith[bfloat16](FromBF16, ToBF16)
}

// halfMath defines those of halfFunctions, after their kernels for float32.
func halfMath() {
	for _, name := range halfFunctions { // off where the float32 lies between two numbers of the half type
		half[float16](name, FromHalf, ToHalf).ULP = 1
		half[bfloat16](name, FromBF16, ToBF16).ULP = 1
	}
}

// halfArith defines the exact kernels of a half type.
func halfArith[T ~uint16](widen func(uint16) float32, narrow func(float32) uint16) {
	t := reflect.TypeFor[T]().Name()
	for _, name := range forHalves {
		half[T](name, widen, narrow)
	}
	define1("neg "+t, each1(func(v T) T { return v ^ 1<<15 }))
	define1("abs "+t, each1(func(v T) T { return v &^ (1 << 15) }))
	define1("rsqrt "+t, each1(func(v T) T { // PyTorch rounds the root too
		root := widen(narrow(float32(math.Sqrt(float64(widen(uint16(v)))))))
		return T(narrow(1 / root))
	}))
}

// half defines the kernel for a half type by that for float32.
func half[T ~uint16](name string, widen func(uint16) float32, narrow func(float32) uint16) *Kernel {
	wide := kernels[name+" float32"]
	t := reflect.TypeFor[T]()
	in := make([]reflect.Type, len(wide.In))
	for i := range in {
		in[i] = t
	}
	k := define(name+" "+t.Name(), 0, t, func(n int, dst, a, b, c, p *byte) {
		const block = 128
		var buf [4][block]float32
		for i := 0; i < n; i += block {
			m := min(block, n-i)
			for j, x := range []*byte{a, b, c}[:len(in)] {
				for l, h := range view[uint16](x, n)[i:][:m] {
					buf[j+1][l] = widen(h)
				}
			}
			wide.portable(m, bytesOf(buf[0][:]), bytesOf(buf[1][:]), bytesOf(buf[2][:]), bytesOf(buf[3][:]), p)
			for l, f := range buf[0][:m] {
				view[uint16](dst, n)[i+l] = narrow(f)
			}
		}
	}, in...)
	k.params = wide.params
	return k
}
