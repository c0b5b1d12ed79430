package cpu

import (
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// unsignedDtypes are the unsigned integers beside uint8, which have a few operators, as in PyTorch.
var unsignedDtypes = []tensor.Dtype{tensor.Uint16, tensor.Uint32, tensor.Uint64}

func init() {
	unsignedNumbers[uint16]()
	unsignedNumbers[uint32]()
	unsignedNumbers[uint64]()
	for _, d := range unsignedDtypes {
		for _, name := range []string{"bitwise_and", "bitwise_or", "bitwise_xor"} {
			byBytes(name, name, 2, d)
		}
		byBytes("bitwise_not", "bitwise_not", 1, d)
	}
	for _, name := range []string{"eq", "ne"} { // float8 compares as float32
		f := pointwises[name][tensor.Float32]
		define(name, []tensor.Dtype{tensor.Float8E4m3fn, tensor.Float8E5m2},
			&pointwise{out: tensor.Bool, in: f.in, loop: f.loop, isa: simd.LevelOf(name + " float32")})
	}
}

// unsignedNumbers defines arithmetic, which wraps around, and comparisons.
func unsignedNumbers[T interface {
	unsigned
	tensor.Element
}]() {
	sum := func(name string, f func(a, b, alpha T) T) {
		binaryWith(name, func(c *tensor.Call) func(dst, a, b []T) {
			s, _ := c.Scalar(2)
			alpha := numberAs[T](s)
			return pairwise(func(a, b T) T { return f(a, b, alpha) })
		})
	}
	sum("add", func(a, b, alpha T) T { return a + alpha*b })
	sum("sub", func(a, b, alpha T) T { return a - alpha*b })
	sum("rsub", func(a, b, alpha T) T { return b - alpha*a })
	binary("mul", pairwise(func(a, b T) T { return a * b }))
	binary("maximum", pairwise(func(a, b T) T { return max(a, b) }))
	binary("minimum", pairwise(func(a, b T) T { return min(a, b) }))
	for name, f := range map[string]func(a, b T) bool{
		"eq": func(a, b T) bool { return a == b }, "ne": func(a, b T) bool { return a != b },
		"lt": func(a, b T) bool { return a < b }, "le": func(a, b T) bool { return a <= b },
		"gt": func(a, b T) bool { return a > b }, "ge": func(a, b T) bool { return a >= b },
	} {
		binary(name, pairwise(f))
	}
}
