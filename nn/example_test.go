package nn_test

import (
	"fmt"

	_ "gotorch"
	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Modules are structs: what they train are fields, and a module of modules is trained as a whole.
func ExampleNewSequential() {
	tensor.ManualSeed(0)
	m := nn.NewSequential(nn.NewLinear(3, 4), nn.ReLU, nn.NewLinear(4, 2))
	y := m.Forward(tensor.Ones(5, 3))
	fmt.Println(y.Sizes())
	for _, p := range nn.Params(m) {
		fmt.Println(p.Name, p.Tensor.Sizes())
	}
	// Output:
	// [5 2]
	// 0.weight [4 3]
	// 0.bias [4]
	// 2.weight [2 4]
	// 2.bias [2]
}

// A loss is a function, whose options With sets.
func ExampleLoss_With() {
	x, y := tensor.New([]float64{1, 2, 4}), tensor.New([]float64{1, 0, 0})
	fmt.Println(nn.MSELoss(x, y).Item(), nn.MSELoss.With(opt.Reduction("sum"))(x, y).Item())
	// Output:
	// 6.666666666666667 20
}
