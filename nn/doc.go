// Package nn has modules: layers with weights, their initial values, losses, and what one does with a whole model.
//
// A module is a Go value with tensors in its fields and a method Forward. There is no base class and nothing is
// registered: [Params] finds the tensors by walking through the value, in Go programs and in cells alike.
//
//	type MLP struct{ FC1, FC2 *nn.Linear }
//
//	func (m *MLP) Forward(x *tensor.Tensor) *tensor.Tensor {
//		return m.FC2.Forward(m.FC1.Forward(x).Relu())
//	}
//
//	m := &MLP{nn.NewLinear(784, 128), nn.NewLinear(128, 10)}
//	nn.Params(m) // fc1.weight, fc1.bias, fc2.weight, fc2.bias
//
// Constructors draw the initial weights as PyTorch does: after the same tensor.ManualSeed they are the same bits.
// Keywords are options of package opt, or of this package where no operator has the keyword or it has another type:
// NewConv2d(3, 16, []int{3}, opt.Stride(2), nn.Bias(false)), in a cell nn.NewConv2d(3, 16, 3, stride=2, bias=false).
//
// What is different in training, dropout and the statistics of a batch, follows the scope of the call, not a flag in
// the module: inside [Train] modules train, everywhere else they evaluate.
//
// The parts, one file each: module, params (the walk), names, mode, options; linear, conv, pool, norm, embedding,
// dropout, activations, losses, shape; rnn, attention, transformer; functional, summary, checkpoints. Package init
// has the initial values, optim the optimizers and schedules, data the data sets and loaders.
package nn
