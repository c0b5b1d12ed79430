package autograd_test

import (
	"math"
	"testing"

	. "gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// ctcCase is a loss of two sequences, of which PyTorch 1.13 gave the answers.
func ctcCase() (x, targets, steps, lengths *tensor.Tensor) {
	x = tensor.Arange(4*2*3).Mul(0.7).Sin().View(4, 2, 3).LogSoftmax(opt.Dim(2)).Detach()
	return x, tensor.New([][]int{{1, 2}, {2, 2}}), tensor.New([]int{4, 3}), tensor.New([]int{2, 1})
}

// TestCtcLossIsTheSumOverAlignments: the probability is that of all alignments, enumerated.
func TestCtcLossIsTheSumOverAlignments(t *testing.T) {
	x, targets, steps, lengths := ctcCase()
	loss := tensor.CtcLoss(x, targets, steps, lengths, opt.Reduction("none"))
	for i := range 2 {
		n, want := steps.At(i).(int64), 0.0
		for a := range int(math.Pow(3, float64(n))) {
			p, rest, before, seen := 0.0, a, 0, []int{}
			for s := range int(n) {
				l := rest % 3
				rest /= 3
				p += x.At(s, i, l).(float64)
				if l != 0 && l != before {
					seen = append(seen, l)
				}
				before = l
			}
			same := len(seen) == int(lengths.At(i).(int64))
			for j := 0; same && j < len(seen); j++ {
				same = seen[j] == int(targets.At(i, j).(int64))
			}
			if same {
				want += math.Exp(p)
			}
		}
		if got := loss.At(i).(float64); math.Abs(got+math.Log(want)) > 1e-5 {
			t.Errorf("sequence %d: loss %v, want %v", i, got, -math.Log(want))
		}
	}
}

// TestCtcLossGradient: through the softmax, the gradient is the derivative.
func TestCtcLossGradient(t *testing.T) {
	_, targets, steps, lengths := ctcCase()
	for _, reduction := range []string{"none", "mean", "sum"} {
		f := func(in []*tensor.Tensor) []*tensor.Tensor {
			x := in[0].LogSoftmax(opt.Dim(2))
			return []*tensor.Tensor{tensor.CtcLoss(x, targets, steps, lengths, opt.Reduction(reduction))}
		}
		x := tensor.Arange(4*2*3).To(tensor.Float64).Mul(0.7).Sin().View(4, 2, 3).Detach().RequiresGrad_()
		if err := Gradcheck(f, []*tensor.Tensor{x}); err != nil {
			t.Errorf("%s: %v", reduction, err)
		}
	}
}
