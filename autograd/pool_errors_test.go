package autograd_test

import (
	"errors"
	"testing"

	_ "gotorch/backends/cpu"
	"gotorch/tensor"
)

// TestPrivateGradients: the operators that formulas are made of reject what does not fit together, as all others do.
func TestPrivateGradients(t *testing.T) {
	two, window := []int{2, 2}, []int{2, 2}
	conv := func(x, g *tensor.Tensor, size []int, groups int) []any {
		return []any{x, g, size, []int{1, 1}, []int{0, 0}, []int{1, 1}, groups}
	}
	for name, calls := range map[string][][]any{
		"_avg_pool2d_backward": {
			{tensor.Ones(), []int{}, window}, {tensor.Ones(3), []int{6}, window}, {tensor.Ones(2, 2), []int{4, 4}, window},
			{tensor.Ones(1, 2, 2), []int{1, 9, 9}, window}, {tensor.Ones(1, 2, 2), []int{1, -4, 4}, window},
			{tensor.Ones(1, 2, 2), []int{1, 4, 4}, []int{0, 0}},
			{tensor.Ones(1, 2, 2), []int{1, 4, 4}, window, window, []int{0, 0}, false, true, 0},
		},
		"_adaptive_avg_pool2d_backward": {
			{tensor.Ones(), []int{}}, {tensor.Ones(3), []int{6}}, {tensor.Ones(2, 2), two},
			{tensor.Ones(2, 2, 2), []int{3, 4, 4}}, {tensor.Ones(1, 2, 2), []int{1, 0, 4}},
			{tensor.Ones(1, 2, 2), []int{-1, 4, 4}},
		},
		"_convolution_weight": {
			conv(tensor.Ones(), tensor.Ones(), []int{}, 1),
			conv(tensor.Ones(1, 1, 4, 4), tensor.Ones(1, 1, 9, 9), []int{1, 1, 2, 2}, 1),
			conv(tensor.Ones(1, 1, 4, 4), tensor.Ones(2, 1, 3, 3), []int{1, 1, 2, 2}, 1),
			conv(tensor.Ones(1, 1, 4, 4), tensor.Ones(1, 1, 3, 3), []int{1, 1, 2, 2}, 0),
			conv(tensor.Ones(1, 1, 4, 4), tensor.Ones(1, 1, 3, 3), []int{1, 1, -2, 2}, 1),
			conv(tensor.Ones(1, 3, 4, 4), tensor.Ones(1, 1, 3, 3), []int{1, 1, 2, 2}, 1),
		},
	} {
		for i, args := range calls {
			err := tensor.Try(func() { // what is no *tensor.Error goes on as a panic
				if _, err := tensor.Invoke(name, args, nil); err != nil {
					panic(err)
				}
			})
			var e *tensor.Error
			if !errors.As(err, &e) {
				t.Errorf("%s, call %d: %v", name, i, err)
			}
		}
	}
}
