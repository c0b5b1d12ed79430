package cpu

import (
	"gotorch/internal/simd"
	"gotorch/tensor"
)

func init() {
	for d := tensor.Bool; d < tensor.Dtype(numDtypes); d++ {
		choose(d)
	}
}

// choose defines where and masked_fill, which look at no element's value.
func choose(d tensor.Dtype) {
	var f loop
	isa := simd.Go
	if bits := 8 * d.Size(); bits <= 64 {
		name := "where int" + itoa(bits)
		f, isa = simd.Get(name), simd.LevelOf(name)
	} else {
		f = func(n int, dst, c, a, b, _ *byte) {
			from := [2][]complex128{elems[complex128](b, n), elems[complex128](a, n)}
			for i, one := range elems[uint8](c, n) {
				elems[complex128](dst, n)[i] = from[one][i]
			}
		}
	}
	define("where", []tensor.Dtype{d},
		&pointwise{out: d, in: [maxInputs]tensor.Dtype{tensor.Bool, d, d}, loop: f, isa: isa})
	define("masked_fill", []tensor.Dtype{d}, &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, tensor.Bool, d}, isa: isa,
		loop: func(n int, dst, a, b, c, _ *byte) { f(n, dst, b, c, a, nil) }})
}
