package cpu

import (
	"gotorch/internal/simd"
	"gotorch/tensor"
)

func init() {
	m := map[string]tensor.Kernel{
		"as_strided_scatter": func(c *tensor.Call) {
			x, y := c.Tensor(0), c.Ret(0)
			copyTensor(c.Name(), wholeStorage(c.Name(), y), wholeStorage(c.Name(), x))
			copyTensor(c.Name(), c.ScatterWindow(), c.Tensor(1))
		},
		"fill_diagonal_": func(c *tensor.Call) {
			x := c.Tensor(0)
			step, n := 0, x.Sizes()[0]
			for d, s := range x.Sizes() {
				step += x.Strides()[d]
				n = min(n, s)
			}
			v := numberTensor(c, 1, x.Dtype())
			fillRun(x, x.StorageOffset(), step, n, v)
			if rows, period := x.Sizes()[0], n+1; c.Bool(2) && x.Dim() == 2 && n == x.Sizes()[1] {
				for r := period; r < rows; r += period {
					fillRun(x, x.StorageOffset()+r*x.Strides()[0], step, min(n, rows-r), v)
				}
			}
		},
	}
	for _, name := range []string{"select_scatter", "slice_scatter", "diagonal_scatter"} {
		m[name] = func(c *tensor.Call) {
			copySelf(c)
			copyTensor(c.Name(), c.ScatterWindow(), c.Tensor(1))
		}
	}
	kernels(m)
}

// wholeStorage is all of x's storage as a vector.
func wholeStorage(op string, x *tensor.Tensor) *tensor.Tensor {
	n := x.Storage().Nbytes() / x.ElementSize()
	return tensor.FromStorage(op, x.Storage(), []int{n}, []int{1}, 0, x.Dtype())
}

// windowKernelsOf returns the kernels of sliding windows for T.
func windowKernelsOf[T number]() *simd.WindowKernels[T] {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(simd.WindowFloat32).(*simd.WindowKernels[T])
	case float64:
		return any(simd.WindowFloat64).(*simd.WindowKernels[T])
	}
	return simd.WindowGo[T]()
}
