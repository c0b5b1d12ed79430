package nn

import (
	"gotorch/tensor"
)

// Module is anything that turns a tensor into another. Its tensors are in its fields; see [Params].
type Module interface {
	Forward(x *tensor.Tensor) *tensor.Tensor
}

// Func is a module without tensors, such as an activation: a function with a name.
type Func struct {
	Name string
	F    func(x *tensor.Tensor) *tensor.Tensor
}

// Forward returns F(x).
func (f Func) Forward(x *tensor.Tensor) *tensor.Tensor { return f.F(x) }

// String is the name.
func (f Func) String() string { return f.Name }

// Sequential calls its modules one after the other. Their names are 0, 1, 2 and so on.
type Sequential []Module

// NewSequential makes a Sequential of modules.
func NewSequential(modules ...Module) Sequential { return modules }

// Forward passes x through all modules.
func (s Sequential) Forward(x *tensor.Tensor) *tensor.Tensor {
	for i, m := range s {
		if m == nil {
			panic(tensor.Errorf("nn.Sequential", "module %d is nil", i))
		}
		tensor.Interrupted("nn.Sequential") // it may hold itself
		x = m.Forward(x)
	}
	return x
}

// Identity returns its input.
var Identity = Func{"Identity", func(x *tensor.Tensor) *tensor.Tensor { return x }}

// Buffer is a tensor of a module that belongs to its state and is not trained, such as a running mean.
type Buffer struct{ *tensor.Tensor }
