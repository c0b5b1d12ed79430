package visualize_test

import (
	"fmt"
	"strings"

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

// The cells of a storage, and how each view walks them.
func ExampleStrides() {
	x := tensor.Arange(6).View(2, 3)
	_, text, _ := strings.Cut(visualize.Strides(x, x.T()).Text(false), "\n") // the first line numbers the storage
	fmt.Println(text)
	// Output:
	//   addr    +0   +8  +16  +24  +32  +40
	//   value    0    1    2    3    4    5
	//   x₁     0,0  0,1  0,2  1,0  1,1  1,2
	//   x₂     0,0  1,0  2,0  0,1  1,1  2,1
	//   x₁     shape [2 3] stride [3 1] offset 0
	//          x₁[1,1] → 0 + 1·3 + 1·1 = 4 → +32 B → 4
	//   x₂     shape [3 2] stride [1 3] offset 0
	//          x₂[2,1] → 0 + 2·1 + 1·3 = 5 → +40 B → 5
}

// How shapes are aligned from the right, and what is repeated.
func ExampleBroadcast() {
	fmt.Println(visualize.Broadcast(tensor.Ones(2, 1), tensor.Ones(3)))
	// Output:
	//           dim 0  dim 1
	//   x₁          2    1→3   shape [2 1]  stride [1 1] → [1 0]
	//   x₂        ·→2      3   shape [3]  stride [1] → [0 1]
	//   result      2      3   6 elements
	//   Nothing is copied: along a broadcast dimension the stride is 0, the same element is read again.
}
