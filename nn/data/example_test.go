package data_test

import (
	"fmt"

	_ "gotorch"
	"gotorch/nn/data"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// A loader makes batches of a data set, in order or shuffled.
func ExampleLoader() {
	x, y := tensor.Arange(10).View(5, 2), tensor.Arange(5)
	for b := range data.Loader(data.Tensors(x, y), opt.Batch(2)) {
		fmt.Println(b.X.Sizes(), b.Y)
	}
	// Output:
	// [2 2] tensor([0, 1])
	// [2 2] tensor([2, 3])
	// [1 2] tensor([4])
}
