package cpu

import "gotorch/tensor"

func init() {
	kernels(map[string]tensor.Kernel{"constant_pad_nd": constantPad})
}

// constantPad fills the result with the value and copies what the input and the result share.
func constantPad(c *tensor.Call) {
	op, x, pad, out := c.Name(), c.Tensor(0), c.Ints(1), c.Ret(0)
	v, _ := c.Scalar(2)
	if v.Bool() {
		fillTensor(op, out, v)
	}
	n := x.Dim()
	shape := x.Shape()
	from, to := x.StorageOffset(), out.StorageOffset()
	for d := range n {
		if i := 2 * (n - 1 - d); i < len(pad) {
			before, after := pad[i], pad[i+1]
			from -= min(before, 0) * x.Strides()[d]
			to += max(before, 0) * out.Strides()[d]
			shape[d] += min(before, 0) + min(after, 0)
		}
		if shape[d] <= 0 {
			return
		}
	}
	src := tensor.FromStorage(op, x.Storage(), shape, x.Strides(), from, x.Dtype())
	dst := tensor.FromStorage(op, out.Storage(), shape, out.Strides(), to, out.Dtype())
	copyTensor(op, dst, src)
}
