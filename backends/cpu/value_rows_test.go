package cpu_test

import (
	"slices"
	"testing"

	"gotorch/tensor"
)

// TestValueRows compares operators of rows and one value for each, or for all of a plane, with the same operands
// written out.
func TestValueRows(t *testing.T) {
	ops := map[string]func(x, y *tensor.Tensor) *tensor.Tensor{
		"add":  func(x, y *tensor.Tensor) *tensor.Tensor { return x.Add(y) },
		"sub":  func(x, y *tensor.Tensor) *tensor.Tensor { return x.Sub(y) },
		"rsub": func(x, y *tensor.Tensor) *tensor.Tensor { return tensor.Rsub(x, y) },
		"mul":  func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(y) },
		"div":  func(x, y *tensor.Tensor) *tensor.Tensor { return x.Div(y) },
	}
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Int32, tensor.Bfloat16} {
		for _, n := range []int{1, 2, 3, 17, 32, 70, 1030} {
			for _, shapes := range [][2][]int{
				{{5, 7, 1}, {5, 1, n}}, {{7, 1}, {3, 7, n}}, {{3, 1, n}, {3, 4, n}}, {{9, 1, 1, 1}, {9, 2, 3, n}},
			} {
				x, y := counting(dt, shapes[0], contiguous(shapes[0]), 1), counting(dt, shapes[1], contiguous(shapes[1]), 3)
				both := tensor.BroadcastTensors(x, y)
				u, v := both[0].Clone().Contiguous(), both[1].Clone().Contiguous()
				for name, op := range ops {
					for _, args := range [][4]*tensor.Tensor{{x, y, u, v}, {y, x, v, u}} {
						if got, want := op(args[0], args[1]), op(args[2], args[3]); !tensor.Equal(got, want) {
							t.Fatalf("%s of %v, shapes %v and %v: %v, want %v", name, dt, args[0].Shape(), args[1].Shape(), got, want)
						}
					}
				}
			}
		}
	}
}

// contiguous are the strides of a row-major tensor.
func contiguous(shape []int) []int {
	strides, n := make([]int, len(shape)), 1
	for d, s := range slices.Backward(shape) {
		strides[d], n = n, n*s
	}
	return strides
}
