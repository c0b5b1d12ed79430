package outside

import "gotorch/tensor"

// Counting holds a tensor and counts the operators that meet it.
type Counting struct {
	X     *tensor.Tensor
	Calls *int
}

// Name is part of how tensors of this type are printed.
func (c Counting) Name() string { return "Counting" }

// Dense is what the wrapper holds.
func (c Counting) Dense() *tensor.Tensor { return c.X }

// Handle counts the call and forwards it.
func (c Counting) Handle(call *tensor.Call) {
	*c.Calls++
	call.Forward(tensor.Wrapper.Dense, func(y *tensor.Tensor) tensor.Wrapper { return Counting{y, c.Calls} })
}

// Count wraps x.
func Count(x *tensor.Tensor) (y *tensor.Tensor, calls *int) {
	calls = new(int)
	return tensor.NewWrapper(Counting{x, calls}, x), calls
}
