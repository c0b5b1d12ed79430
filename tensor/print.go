package tensor

// String is PyTorch's text.
func (x *Tensor) String() string { return formatTensor(x) }
