package tensor_test

import (
	"fmt"

	"gotorch/tensor"
)

// A chain of pointwise operators runs as one loop over blocks that stay in the cache.
func ExampleFuse() {
	swish := tensor.Fuse(func(x, beta *tensor.Tensor) *tensor.Tensor {
		return x.Mul(beta).Sigmoid().Mul(x)
	})
	x := tensor.Linspace(-2, 2, 100000).RequiresGrad_()
	y := swish(x, tensor.New(1.5))
	y.Sum().Backward()
	fmt.Println(y.Detach().Max(), x.Grad().Min(), y.GradFn().Name())
	fmt.Println(y.Equal(x.Mul(tensor.New(1.5)).Sigmoid().Mul(x)))
	// Output:
	// tensor(1.9051) tensor(-0.0998) FusedBackward0
	// true
}
