package viewtest

import (
	"math/rand"
	"strconv"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// AnyTensor makes a tensor of up to eight dimensions with strides of any kind from a seed, and at times one without
// elements in memory, of up to 2^40 elements (2^30 where an int has 32 bits).
func AnyTensor(seed int64) *tensor.Tensor {
	r := rand.New(rand.NewSource(seed))
	meta := r.Intn(4) == 0
	rank := r.Intn(9)
	shape, stride := make([]int, rank), make([]int, rank)
	budget := 1 << 12
	if meta {
		budget = 1 << min(40, strconv.IntSize-2)
	}
	total, lo, hi := 1, 0, 0
	for d := range shape {
		limit := max(1, budget/total)
		shape[d] = 1 + r.Intn(min(limit, []int{2, 3, 5, 40, 1 << 20}[r.Intn(5)]))
		total *= shape[d]
		stride[d] = []int{0, 1, -1, 2, 3, -7, hi - lo + 1, -(hi - lo + 1)}[r.Intn(8)]
		if reach := (shape[d] - 1) * stride[d]; reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
		if hi-lo > budget*4 { // back to something that fits
			reach := (shape[d] - 1) * stride[d]
			lo, hi = lo-min(0, reach), hi-max(0, reach)
			stride[d] = 0
		}
	}
	offset := -lo + r.Intn(5)
	need := offset + hi + 1 + r.Intn(5)
	if rank > 0 && r.Intn(8) == 0 {
		shape[r.Intn(rank)] = 0
	}
	var base *tensor.Tensor
	if meta {
		base = tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta)).Expand(need).Contiguous()
	} else {
		base = tensor.Arange(need).To(tensor.Float32)
	}
	return tensor.FromStorage("test", base.Storage(), shape, stride, offset, base.Dtype())
}
