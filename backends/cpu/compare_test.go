package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestIntegerPowers compares one exponent for all elements with an exponent for each, at lengths around those of
// blocks, and in place.
func TestIntegerPowers(t *testing.T) {
	for _, d := range []tensor.Dtype{tensor.Uint8, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64} {
		for _, n := range []int{1, 7, 1023, 1025, 5000} {
			x := tensor.Arange(n).Sub(n / 2).To(d)
			for e := range 10 {
				want := x.Pow(tensor.Full([]int{n}, e, opt.Dtype(d)))
				if got := x.Pow(e); !got.Equal(want) {
					t.Fatalf("%v, %d elements, to the power %d:\n%v", d, n, e, got)
				}
				if got := x.Clone().Pow_(e); !got.Equal(want) {
					t.Fatalf("%v, %d elements, to the power %d, in place", d, n, e)
				}
			}
		}
	}
}
