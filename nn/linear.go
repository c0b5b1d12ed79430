package nn

import (
	"math"

	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Linear is y = x·Wᵀ + b over the last dimension. Weight has shape (out, in), Bias (out) or is nil.
type Linear struct{ Weight, Bias *tensor.Tensor }

// NewLinear makes a Linear from in to out features, with PyTorch's initial weights: uniform on ±1/√in. Options: Bias,
// opt.Dtype, opt.Device.
func NewLinear(in, out int, opts ...tensor.Option) *Linear {
	k := read("nn.Linear", opts, "bias")
	l := &Linear{Weight: k.trained(kaiming, out, in)}
	if k.bool("bias", true) {
		l.Bias = k.trained(uniformBias(in), out)
	}
	return l
}

// Forward maps (..., in) to (..., out).
func (l *Linear) Forward(x *tensor.Tensor) *tensor.Tensor {
	if x.Dim() > 0 && l.Weight.Dim() == 2 && x.Size(-1) != l.Weight.Size(1) {
		in := l.Weight.Size(1)
		hint := "the last dimension holds the features"
		if x.Dim() > 2 && x.Numel()/x.Size(0) == in {
			hint = "nn.Flatten, or x.Flatten(opt.StartDim(1)), makes one dimension of all but the batch"
		}
		panic(tensor.Errorf("nn.Linear", "the input of shape %v has %d features, this layer takes %d", x.Shape(), x.Size(-1),
			in).WithHint(hint))
	}
	return tensor.Linear(x, l.Weight, opt.Bias(l.Bias))
}

// kaiming is PyTorch's initial value of linear and convolution weights.
func kaiming(w *tensor.Tensor) {
	if w.Numel() > 0 {
		inits.KaimingUniform_(w, opt.A(math.Sqrt(5)))
	}
}

// uniformBias is that of their biases: uniform on ±1/√fan.
func uniformBias(fan int) func(*tensor.Tensor) {
	return func(b *tensor.Tensor) {
		bound := 0.0
		if fan > 0 {
			bound = 1 / math.Sqrt(float64(fan))
		}
		inits.Uniform_(b, -bound, bound)
	}
}

// Bilinear is y = x1·W·x2 + b. Weight has shape (out, in1, in2), Bias (out) or is nil.
type Bilinear struct{ Weight, Bias *tensor.Tensor }

// NewBilinear makes a Bilinear; the initial weights are uniform on ±1/√in1. Options: Bias, opt.Dtype, opt.Device.
func NewBilinear(in1, in2, out int, opts ...tensor.Option) *Bilinear {
	k := read("nn.Bilinear", opts, "bias")
	positive(k.op, "in1_features", in1)
	b := &Bilinear{Weight: k.trained(uniformBias(in1), out, in1, in2)}
	if k.bool("bias", true) {
		b.Bias = k.trained(uniformBias(in1), out)
	}
	return b
}

// Forward maps (..., in1) and (..., in2) to (..., out).
func (b *Bilinear) Forward(x1, x2 *tensor.Tensor) *tensor.Tensor {
	return tensor.Bilinear(x1, x2, b.Weight, opt.Bias(b.Bias))
}
