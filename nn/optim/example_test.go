package optim_test

import (
	"fmt"

	_ "gotorch"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// The parameters move against their gradients, here to the minimum of (w - 3)².
func ExampleNewSGD() {
	w := tensor.Zeros(1).RequiresGrad_()
	o := optim.NewSGD(w, opt.Lr(0.25))
	for range 4 {
		o.ZeroGrad()
		w.Sub(3).Square().Sum().Backward()
		o.Step()
		fmt.Println(w.Item())
	}
	// Output:
	// 1.5
	// 2.25
	// 2.625
	// 2.8125
}

// A schedule is a function of the step. It stands where a learning rate does.
func ExampleStep() {
	s := optim.Step(0.5, 2, 0.5) // halved every two steps
	fmt.Println(s(0), s(1), s(2), s(3), s(4))
	// Output:
	// 0.5 0.5 0.25 0.25 0.125
}
