package autograd

import "gotorch/tensor"

// Sparse tensors: all operators are made of dense ones on values, but for these. The gradient of a sparse tensor has
// its indices, whatever reached it.

func init() {
	register(map[string]Formula{
		"_sparse_coo_tensor_unsafe": {Save: Arg0, Name: "SparseCooTensorWithDimsAndTensorsBackward0",
			VJP: func(c *Ctx) Grads {
				return Grads{nil, tensor.Private("_values_at", c.Grad, c.Tensor(0))}
			}},
		"_sparse_csr_tensor_unsafe": {Save: Arg0 | Arg1, Name: "SparseCsrTensorBackward0",
			VJP: compressedGrads("_sparse_csr_tensor_unsafe")},
		"_sparse_csc_tensor_unsafe": {Save: Arg0 | Arg1, Name: "SparseCscTensorBackward0",
			VJP: compressedGrads("_sparse_csc_tensor_unsafe")},
		"_values": {Save: Arg0, Name: "ValuesBackward0", VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_with_values", c.Tensor(0), c.Grad)}
		}},
		"_with_values": {Save: Arg0, VJP: func(c *Ctx) Grads {
			return Grads{nil, tensor.Private("_values_at", c.Grad, tensor.Pattern(c.Tensor(0)))}
		}},
	})
}

// compressedGrads are the gradients of what op makes: those of the values, at the places that they have.
func compressedGrads(op string) func(c *Ctx) Grads {
	return func(c *Ctx) Grads {
		// the indices as coordinates: those of a tensor of the same pattern
		like := tensor.Private(op, c.Tensor(0), c.Tensor(1), c.Tensor(1).To(c.Dtype(2)), c.Ints(3))
		return Grads{nil, nil, tensor.Private("_values_at", c.Grad, tensor.Pattern(like))}
	}
}
