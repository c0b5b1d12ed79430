package nn

import (
	"fmt"
	"slices"

	inits "gotorch/nn/init"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func ones(x *tensor.Tensor)  { inits.Ones_(x) }
func zeros(x *tensor.Tensor) { inits.Zeros_(x) }

// BatchNorm normalizes each channel (dimension 1) over the batch and the other dimensions (Ioffe and Szegedy 2015).
// Inside [Train] it uses the statistics of its input and records them; elsewhere it uses the recorded ones, or those
// of the input if it records none. InstanceNorm is the same for each sample by itself.
type BatchNorm struct {
	Weight, Bias            *tensor.Tensor
	RunningMean, RunningVar Buffer
	NumBatchesTracked       Buffer
	Momentum                float64 // the weight of the newest statistics; negative for the mean of all
	Eps                     float64
	name                    string
	dims                    []int // of the inputs
	instance                bool
	features                int
}

// PyTorch's names of [BatchNorm], by the dimensions of what they normalize.
type (
	BatchNorm1d    = BatchNorm
	BatchNorm2d    = BatchNorm
	BatchNorm3d    = BatchNorm
	InstanceNorm1d = BatchNorm
	InstanceNorm2d = BatchNorm
	InstanceNorm3d = BatchNorm
)

// NewBatchNorm1d makes a BatchNorm of (batch, features) or (batch, features, length). Options: opt.Eps (1e-5),
// opt.Momentum (0.1; negative for the mean of all batches), opt.Affine (true), opt.TrackRunningStats (true),
// opt.Dtype, opt.Device.
func NewBatchNorm1d(features int, opts ...tensor.Option) *BatchNorm {
	return newBatchNorm("nn.BatchNorm1d", features, opts, false, true, 2, 3)
}

// NewBatchNorm2d makes a BatchNorm of (batch, features, height, width), with the options of [NewBatchNorm1d].
func NewBatchNorm2d(features int, opts ...tensor.Option) *BatchNorm {
	return newBatchNorm("nn.BatchNorm2d", features, opts, false, true, 4)
}

// NewBatchNorm3d makes a BatchNorm of (batch, features, depth, height, width), with the options of [NewBatchNorm1d].
func NewBatchNorm3d(features int, opts ...tensor.Option) *BatchNorm {
	return newBatchNorm("nn.BatchNorm3d", features, opts, false, true, 5)
}

// NewInstanceNorm1d makes an InstanceNorm of (batch, features, length) or (features, length). Options as for
// [NewBatchNorm1d], but opt.Affine and opt.TrackRunningStats are false without.
func NewInstanceNorm1d(features int, opts ...tensor.Option) *BatchNorm {
	return newBatchNorm("nn.InstanceNorm1d", features, opts, true, false, 2, 3)
}

// NewInstanceNorm2d makes an InstanceNorm of (batch, features, height, width), or without the batch.
func NewInstanceNorm2d(features int, opts ...tensor.Option) *BatchNorm {
	return newBatchNorm("nn.InstanceNorm2d", features, opts, true, false, 3, 4)
}

// NewInstanceNorm3d makes an InstanceNorm of (batch, features, depth, height, width), or without the batch.
func NewInstanceNorm3d(features int, opts ...tensor.Option) *BatchNorm {
	return newBatchNorm("nn.InstanceNorm3d", features, opts, true, false, 4, 5)
}

func newBatchNorm(op string, features int, opts []tensor.Option, instance, def bool, dims ...int) *BatchNorm {
	k := read(op, opts, "eps", "momentum", "affine", "track_running_stats")
	b := &BatchNorm{
		Momentum: k.float("momentum", 0.1), Eps: k.float("eps", 1e-5),
		name: op, dims: dims, instance: instance, features: features,
	}
	if k.bool("affine", def) {
		b.Weight, b.Bias = k.trained(ones, features), k.trained(zeros, features)
	}
	if k.bool("track_running_stats", def) {
		b.RunningMean, b.RunningVar = Buffer{k.empty(features).Zero_()}, Buffer{k.empty(features).Fill_(1)}
		b.NumBatchesTracked = Buffer{tensor.With(tensor.Int64).Zeros()}
	}
	return b
}

// Forward normalizes x.
func (b *BatchNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	if b.dims != nil && !slices.Contains(b.dims, x.Dim()) {
		panic(tensor.Errorf(b.name, "the input must have %s dimensions, its shape is %v", or(b.dims), x.Shape()))
	}
	single := b.instance && x.Dim() == b.dims[0] // one sample without a batch
	if single {
		x = x.Unsqueeze(0)
	}
	if b.features > 0 && x.Size(1) != b.features {
		panic(tensor.Errorf(b.name, "the input of shape %v has %d channels, this layer takes %d", x.Shape(), x.Size(1),
			b.features))
	}
	train := Training()
	momentum := b.Momentum
	if train && b.RunningMean.Tensor != nil && !b.instance {
		tensor.Under(0, tensor.Set(tensor.KeyAutograd), func() { b.NumBatchesTracked.Add_(1) })
		if momentum < 0 {
			momentum = 1 / b.NumBatchesTracked.Item()
		}
	}
	use := train || b.RunningMean.Tensor == nil
	mean, variance := b.RunningMean.Tensor, b.RunningVar.Tensor
	if !b.instance {
		return tensor.BatchNorm(x, mean, variance, opt.Weight(b.Weight), opt.Bias(b.Bias), opt.Training(use),
			opt.Momentum(momentum), opt.Eps(b.Eps))
	}
	y := tensor.InstanceNorm(x, opt.RunningMean(mean), opt.RunningVar(variance), opt.Weight(b.Weight), opt.Bias(b.Bias),
		opt.UseInputStats(use), opt.Momentum(momentum), opt.Eps(b.Eps))
	if single {
		return y.Squeeze(0)
	}
	return y
}

// or writes 2 or 3.
func or(ns []int) string {
	text := fmt.Sprint(ns[0])
	for _, n := range ns[1:] {
		text += fmt.Sprint(" or ", n)
	}
	return text
}

// LayerNorm normalizes the last dimensions of each sample, whose sizes are NormalizedShape (Ba et al. 2016).
type LayerNorm struct {
	Weight, Bias    *tensor.Tensor
	NormalizedShape []int
	Eps             float64
}

// NewLayerNorm makes a LayerNorm over the last dimensions, whose sizes are given. Options: opt.Eps (1e-5),
// opt.ElementwiseAffine (true), opt.Dtype, opt.Device.
func NewLayerNorm(normalizedShape tensor.Ints, opts ...tensor.Option) *LayerNorm {
	k := read("nn.LayerNorm", opts, "eps", "elementwise_affine")
	l := &LayerNorm{NormalizedShape: shapeOf(k.op, normalizedShape), Eps: k.float("eps", 1e-5)}
	if k.bool("elementwise_affine", true) {
		l.Weight, l.Bias = k.trained(ones, l.NormalizedShape...), k.trained(zeros, l.NormalizedShape...)
	}
	return l
}

func shapeOf(op string, v tensor.Ints) []int {
	switch v := v.(type) {
	case int:
		return []int{v}
	case []int:
		return slices.Clone(v)
	}
	panic(tensor.Errorf(op, "argument normalized_shape must be an int or a list of them, not %v", v))
}

// Forward normalizes x.
func (l *LayerNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return tensor.LayerNorm(x, l.NormalizedShape, opt.Weight(l.Weight), opt.Bias(l.Bias), opt.Eps(l.Eps))
}

// GroupNorm normalizes the channels (dimension 1) of each sample in Groups groups (Wu and He 2018).
type GroupNorm struct {
	Weight, Bias *tensor.Tensor
	Groups       int
	Eps          float64
}

// NewGroupNorm makes a GroupNorm of that many channels. Options: opt.Eps (1e-5), opt.Affine (true), opt.Dtype,
// opt.Device.
func NewGroupNorm(groups, channels int, opts ...tensor.Option) *GroupNorm {
	k := read("nn.GroupNorm", opts, "eps", "affine")
	positive(k.op, "num_groups", groups)
	if channels%groups != 0 {
		panic(tensor.Errorf(k.op, "%d channels cannot be divided into %d groups", channels, groups))
	}
	g := &GroupNorm{Groups: groups, Eps: k.float("eps", 1e-5)}
	if k.bool("affine", true) {
		g.Weight, g.Bias = k.trained(ones, channels), k.trained(zeros, channels)
	}
	return g
}

// Forward normalizes x.
func (g *GroupNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return tensor.GroupNorm(x, g.Groups, opt.Weight(g.Weight), opt.Bias(g.Bias), opt.Eps(g.Eps))
}

// RMSNorm divides by the root of the mean of squares over the last dimensions (Zhang and Sennrich 2019).
type RMSNorm struct {
	Weight          *tensor.Tensor
	NormalizedShape []int
	Eps             float64
}

// NewRMSNorm makes an RMSNorm over the last dimensions, whose sizes are given. Options: opt.Eps (the dtype's own
// without), opt.ElementwiseAffine (true), opt.Dtype, opt.Device.
func NewRMSNorm(normalizedShape tensor.Ints, opts ...tensor.Option) *RMSNorm {
	k := read("nn.RMSNorm", opts, "eps", "elementwise_affine")
	r := &RMSNorm{NormalizedShape: shapeOf(k.op, normalizedShape), Eps: k.float("eps", -1)}
	if k.bool("elementwise_affine", true) {
		r.Weight = k.trained(ones, r.NormalizedShape...)
	}
	return r
}

// Forward divides x by the root mean square.
func (r *RMSNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	n := len(r.NormalizedShape)
	if x.Dim() < n || !slices.Equal(x.Shape()[x.Dim()-n:], r.NormalizedShape) {
		panic(tensor.Errorf("nn.RMSNorm", "the input's shape %v does not end with %v", x.Shape(), r.NormalizedShape))
	}
	dims := make([]int, n)
	for i := range dims {
		dims[i] = -1 - i
	}
	eps := r.Eps
	if eps < 0 {
		eps = epsilon(x.Dtype())
	}
	y := x.Mul(x.Square().Mean(opt.Dim(dims...), opt.Keepdim(true)).Add(eps).Rsqrt())
	if r.Weight != nil {
		y = y.Mul(r.Weight)
	}
	return y
}

// epsilon is the distance from 1 to the next number of a dtype.
func epsilon(d tensor.Dtype) float64 {
	switch d {
	case tensor.Float64:
		return 0x1p-52
	case tensor.Float16:
		return 0x1p-10
	case tensor.Bfloat16:
		return 0x1p-7
	}
	return 0x1p-23
}

// LocalResponseNorm divides each channel by a power of the mean square of its Size neighbours (Krizhevsky et al.
// 2012).
type LocalResponseNorm struct {
	Size           int
	Alpha, Beta, K float64
}

// NewLocalResponseNorm makes one with PyTorch's defaults: alpha 1e-4, beta 0.75, k 1. Options: opt.Alpha, opt.Beta,
// opt.K.
func NewLocalResponseNorm(size int, opts ...tensor.Option) LocalResponseNorm {
	k := read("nn.LocalResponseNorm", opts, "alpha", "beta", "k")
	return LocalResponseNorm{size, k.float("alpha", 1e-4), k.float("beta", 0.75), k.float("k", 1)}
}

// Forward normalizes x.
func (l LocalResponseNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return tensor.LocalResponseNorm(x, l.Size, opt.Alpha(l.Alpha), opt.Beta(l.Beta), opt.K(l.K))
}
