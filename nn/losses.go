package nn

import (
	"gotorch/tensor"
)

// Loss measures how far input is from target: nn.MSELoss(y, target). It takes the keywords of the operator, such as
// opt.Reduction.
type Loss func(input, target *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor

// With returns the loss with options given beforehand; later ones take their place.
func (l Loss) With(opts ...tensor.Option) Loss {
	return func(input, target *tensor.Tensor, more ...tensor.Option) *tensor.Tensor {
		return l(input, target, over(opts, more)...)
	}
}

// Loss3 is a loss of three tensors.
type Loss3 func(a, b, c *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor

// With returns the loss with options given beforehand; later ones take their place.
func (l Loss3) With(opts ...tensor.Option) Loss3 {
	return func(a, b, c *tensor.Tensor, more ...tensor.Option) *tensor.Tensor {
		return l(a, b, c, over(opts, more)...)
	}
}

// Loss4 is a loss of four tensors.
type Loss4 func(a, b, c, d *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor

// With returns the loss with options given beforehand; later ones take their place.
func (l Loss4) With(opts ...tensor.Option) Loss4 {
	return func(a, b, c, d *tensor.Tensor, more ...tensor.Option) *tensor.Tensor {
		return l(a, b, c, d, over(opts, more)...)
	}
}

// over leaves those of opts out that more sets again.
func over(opts, more []tensor.Option) []tensor.Option {
	if len(more) == 0 {
		return opts
	}
	given := map[string]bool{}
	for _, o := range more {
		if o != nil {
			given[tensor.KeywordOf(o)] = true
		}
	}
	var out []tensor.Option
	for _, o := range opts {
		if o != nil && !given[tensor.KeywordOf(o)] {
			out = append(out, o)
		}
	}
	return append(out, more...)
}

// The losses, as values. Those of logits take them as the last layer gives them, without a softmax or sigmoid.
var (
	L1Loss                   Loss = tensor.L1Loss
	MSELoss                  Loss = mse
	SmoothL1Loss             Loss = tensor.SmoothL1Loss
	HuberLoss                Loss = tensor.HuberLoss
	CrossEntropyLoss         Loss = tensor.CrossEntropy
	NLLLoss                  Loss = tensor.NllLoss
	BCELoss                  Loss = tensor.BinaryCrossEntropy
	BCEWithLogitsLoss        Loss = tensor.BinaryCrossEntropyWithLogits
	KLDivLoss                Loss = tensor.KlDiv
	HingeEmbeddingLoss       Loss = tensor.HingeEmbeddingLoss
	PoissonNLLLoss           Loss = tensor.PoissonNllLoss
	SoftMarginLoss           Loss = tensor.SoftMarginLoss
	MultiMarginLoss          Loss = tensor.MultiMarginLoss
	MultiLabelMarginLoss     Loss = tensor.MultilabelMarginLoss
	MultiLabelSoftMarginLoss Loss = tensor.MultilabelSoftMarginLoss

	GaussianNLLLoss     Loss3 = tensor.GaussianNllLoss     // of input, target and variance
	MarginRankingLoss   Loss3 = tensor.MarginRankingLoss   // of two inputs and a target of 1 or -1
	CosineEmbeddingLoss Loss3 = tensor.CosineEmbeddingLoss // of two inputs and a target of 1 or -1
	TripletMarginLoss   Loss3 = tensor.TripletMarginLoss   // of anchor, positive and negative

	CTCLoss Loss4 = tensor.CtcLoss // of log probabilities, targets, and the lengths of both
)

// mse is MseLoss of equal shapes. Shapes that broadcast, (n, 1) against (n), are what PyTorch warns of: the loss of
// every pair is hardly ever meant.
func mse(input, target *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	same := input.Dim() == target.Dim()
	for i := 0; same && i < input.Dim(); i++ {
		same = input.Size(i) == target.Size(i)
	}
	if !same {
		hint := "give both the same shape"
		if input.Numel() == target.Numel() {
			hint = "target.ViewAs(input) has the shape of the input"
		}
		panic(tensor.Errorf("nn.MSELoss", "the input has shape %v, the target %v: broadcast, the loss is that of all pairs",
			input.Shape(), target.Shape()).WithHint(hint))
	}
	return tensor.MseLoss(input, target, opts...)
}
