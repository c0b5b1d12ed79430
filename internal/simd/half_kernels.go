package simd

import "reflect"

// The bits of numbers of the half types, for the names of kernels.
type (
	float16  uint16
	bfloat16 uint16
)

// forHalves are the functions that have kernels for the half types, which compute in float32 and round once. Their
// parameters are float32.
var forHalves = []string{"add", "sub", "mul", "div", "maximum", "minimum", "add_scaled", "sub_scaled", "addcmul",
	"addcdiv", "scale", "neg", "abs", "sqrt", "reciprocal", "rsqrt", "square", "relu", "clamp"}

func init() {
	for _, name := range forHalves {
		half[float16](name, FromHalf, ToHalf)
		half[bfloat16](name, FromBF16, ToBF16)
	}
}

// half defines the kernel for a half type by that for float32.
func half[T ~uint16](name string, widen func(uint16) float32, narrow func(float32) uint16) {
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
}
