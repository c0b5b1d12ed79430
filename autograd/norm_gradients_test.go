package autograd_test

import (
	"math"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestGradientsOfOneOperator: gradients that one operator computes are those of the formula that can be differentiated
// again.
func TestGradientsOfOneOperator(t *testing.T) {
	tensor.ManualSeed(5)
	type loss struct {
		name   string
		inputs [][]int
		f      func(xs []*tensor.Tensor) *tensor.Tensor
	}
	var losses []loss
	for _, shape := range [][]int{{7}, {5, 33}, {40, 6}, {3, 50, 5}, {2, 1, 300}, {70, 1}} {
		for d := range shape {
			losses = append(losses,
				loss{"softmax", [][]int{shape}, func(xs []*tensor.Tensor) *tensor.Tensor { return xs[0].Softmax(opt.Dim(d)) }},
				loss{"log_softmax", [][]int{shape},
					func(xs []*tensor.Tensor) *tensor.Tensor { return xs[0].LogSoftmax(opt.Dim(d)) }})
		}
	}
	for _, shape := range [][]int{{40, 33}, {3, 4, 5}, {1, 300}, {100, 3}} {
		n := shape[len(shape)-1:]
		losses = append(losses,
			loss{"layer_norm", [][]int{shape, n, n}, func(xs []*tensor.Tensor) *tensor.Tensor {
				return tensor.LayerNorm(xs[0], n, opt.Weight(xs[1]), opt.Bias(xs[2]))
			}},
			loss{"layer_norm without weight", [][]int{shape},
				func(xs []*tensor.Tensor) *tensor.Tensor { return tensor.LayerNorm(xs[0], n) }})
	}
	for _, shape := range [][]int{{50, 33}, {20, 300}, {3, 4, 5}, {2, 3, 7, 9}, {2, 5, 2, 3, 4}} {
		n := shape[1:2]
		losses = append(losses,
			loss{"batch_norm", [][]int{shape, n, n}, func(xs []*tensor.Tensor) *tensor.Tensor {
				return tensor.BatchNorm(xs[0], nil, nil, opt.Weight(xs[1]), opt.Bias(xs[2]), opt.Training(true))
			}},
			loss{"batch_norm without weight", [][]int{shape}, func(xs []*tensor.Tensor) *tensor.Tensor {
				return tensor.BatchNorm(xs[0], nil, nil, opt.Training(true))
			}})
	}
	for _, l := range losses {
		var xs []*tensor.Tensor
		for _, s := range l.inputs {
			xs = append(xs, tensor.Randn(s...).RequiresGrad_())
		}
		y := l.f(xs)
		weight := tensor.Randn(y.Shape()...)
		var plain []*tensor.Tensor
		for _, create := range []bool{true, false} {
			grads := autograd.Grad([]*tensor.Tensor{l.f(xs).Mul(weight).Sum()}, xs, opt.CreateGraph(create))
			if create {
				plain = grads
				continue
			}
			for i, g := range grads {
				want := tensor.Data[float32](plain[i].Detach())
				for j, v := range tensor.Data[float32](g) {
					if math.Abs(float64(v-want[j])) > 2e-4*(1+math.Abs(float64(want[j]))) {
						t.Fatalf("%s of %v, gradient %d: element %d is %v, want %v", l.name, l.inputs, i, j, v, want[j])
					}
				}
			}
		}
	}
}
