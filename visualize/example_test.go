package visualize_test

import (
	"fmt"

	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/visualize"
)

// A tensor, what it is and what its elements are like.
func ExampleCard() {
	x := tensor.Arange(6).View(2, 3)
	fmt.Println(visualize.Card(x.Select(1, 0).Clone()))
	// Output:
	// tensor([0, 3])
	// int64[2]  stride [1]  cpu  contiguous  version 0  16 B
	// min 0  mean 1.5  max 3  std 2.121  zeros 1  █              █
}

func ExampleGraph() {
	w := tensor.Ones(3).RequiresGrad_()
	fmt.Println(visualize.Graph(w.Mul(2).Sum()))
	// Output:
	// x  SumBackward0  float32[]
	// │     ∂self = expand(g, [3])
	// └─ self: MulBackward0  float32[3]  other=2
	//    │     ∂self = g · 2
	//    └─ self: leaf  float32[3]
	// 3 nodes, gradients flow down
}
