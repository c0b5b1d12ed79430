package cpu

import (
	"runtime"

	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"nonzero": func(c *tensor.Call) {
			x := c.Tensor(0)
			where := nonzeroPlaces(c.Name(), x)
			dims := x.Dim()
			out := tensor.Elems[int64](c.New([]int{len(where), dims}, tensor.Int64))
			for i, p := range where {
				row := out[i*dims : (i+1)*dims]
				for d := dims - 1; d >= 0; d-- {
					n := x.Sizes()[d]
					row[d] = int64(p % n)
					p /= n
				}
			}
		},
		"masked_select": func(c *tensor.Call) {
			x, mask := c.Tensor(0), c.Tensor(1)
			checkMask(c, mask)
			c.ExactOut(x.Dtype(), x, mask)
			shape := tensor.BroadcastShapes(x.Sizes(), mask.Sizes())
			at := nonzeroPlaces(c.Name(), stretched(c.Name(), mask, shape))
			stride, _ := tensor.BroadcastStrides(x.Sizes(), x.Strides(), shape)
			for i, p := range at {
				at[i] = offsetOf(shape, stride, p)
			}
			placesIn(c.Name(), x, at).read(c.New([]int{len(at)}, x.Dtype()))
		},
		"masked_scatter": func(c *tensor.Call) {
			dst, mask, src := c.Ret(0), c.Tensor(1), c.Tensor(2)
			at := nonzeroPlaces(c.Name(), stretched(c.Name(), mask, dst.Sizes()))
			if len(at) > src.Numel() {
				panic(&tensor.Error{Op: c.Name(), Arg: "source", Msg: "the number of elements of source (" + itoa(src.Numel()) + ") is less than the number of places where the mask holds (" +
					itoa(len(at)) + ")"})
			}
			v := source(c, src, src.Sizes())
			copySelf(c)
			if !dst.Contig() {
				for i, p := range at {
					at[i] = offsetOf(dst.Sizes(), dst.Strides(), p)
				}
			}
			placesIn(c.Name(), dst, at).write(v)
		},
	})
}

func checkMask(c *tensor.Call, mask *tensor.Tensor) {
	if mask.Dtype() != tensor.Bool && mask.Dtype() != tensor.Uint8 {
		panic(&tensor.Error{Op: c.Name(), Arg: "mask", Msg: "the mask must be bool, not " + mask.Dtype().String()})
	}
}

// nonzeroPlaces lists the elements of x that are not zero, counted in row-major order.
func nonzeroPlaces(op string, x *tensor.Tensor) []int {
	x = contiguous(op, x, tensor.Bool)
	held, n := tensor.Elems[bool](x), 0
	for _, h := range held {
		if h {
			n++
		}
	}
	tensor.Interrupted(op)
	out := make([]int, 0, n)
	for i, h := range held {
		if h {
			out = append(out, i)
		}
	}
	runtime.KeepAlive(x)
	return out
}
