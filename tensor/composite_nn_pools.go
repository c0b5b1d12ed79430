package tensor

import (
	"fmt"
	"slices"
)

func init() {
	m := map[string]Kernel{}
	for n := 1; n <= 3; n++ {
		m[fmt.Sprintf("nn.functional.max_unpool%dd", n)] = func(c *Call) { c.Return(c.maxUnpool(n)) }
	}
	composites(m)
}

func volume(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// maxUnpool puts the elements of the input where indices, slot 1, say that a max pool over n dimensions found them.
func (c *Call) maxUnpool(n int) *Tensor {
	x, indices := c.Tensor(0), c.Tensor(1)
	in := c.spatial(x, n)
	if !slices.Equal(x.shape, indices.shape) {
		panic(Errorf(c.Name(), "expected shape of indices to be same as that of the input %v, but got %v", x.shape,
			indices.shape).OnArg("indices"))
	}
	kernel, stride, padding := c.Pair(2, n), c.Pair(3, n), c.Pair(4, n)
	if len(stride) == 0 {
		stride = kernel
	}
	size := make([]int, n)
	for d := range size {
		size[d] = (in[d]-1)*stride[d] + kernel[d] - 2*padding[d]
	}
	if want := c.Ints(5); !c.IsNone(5) {
		if len(want) == n+2 || len(want) == len(x.shape) {
			want = want[len(want)-n:]
		}
		if len(want) != n {
			panic(Errorf(c.Name(), "output_size should be a sequence containing %d or %d elements, but it has a length of %d",
				n, n+2, len(want)).OnArg("output_size"))
		}
		for d := range size {
			if want[d] <= size[d]-stride[d] || want[d] >= size[d]+stride[d] {
				panic(Errorf(c.Name(), "invalid output_size %v: dimension %d must be between %d and %d", want, d,
					size[d]-stride[d], size[d]+stride[d]).OnArg("output_size"))
			}
		}
		size = want
	}
	lead := x.shape[:len(x.shape)-n]
	flat := append(slices.Clone(lead), volume(in))
	zeros := With(x.dtype, x.st.device).Zeros(append(slices.Clone(lead), volume(size))...)
	out := zeros.Scatter(-1, indices.Reshape(flat...), x.Reshape(flat...))
	return out.Reshape(append(slices.Clone(lead), size...)...)
}
