package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Note: matrices under vmap. Operators on matrices take any number of dimensions in front of them, so that a batch of
// examples is one call with one dimension more. Factorizations are parallel over that dimension.

func init() {
	setBatch(matrixBatch(2), "linalg.det", "det", "linalg.slogdet", "slogdet", "_adjugate", "linalg.inv", "inverse",
		"linalg.inv_ex", "linalg.lu_factor", "linalg.lu_factor_ex", "linalg.lu", "linalg.cholesky", "cholesky",
		"linalg.cholesky_ex", "cholesky_inverse", "linalg.ldl_factor", "linalg.ldl_factor_ex", "linalg.qr", "geqrf",
		"linalg.eigh", "linalg.eigvalsh", "linalg.eig", "linalg.eigvals", "linalg.svd", "linalg.svdvals",
		"linalg.matrix_exp", "matrix_exp")
	setBatch(matrixBatch(2, 1), "linalg.householder_product", "lu_unpack")
	setBatch(matrixBatch(2, 2), "linalg.solve", "linalg.solve_ex", "linalg.solve_triangular", "cholesky_solve")
	setBatch(matrixBatch(2, 1, 2), "linalg.lu_solve", "linalg.ldl_solve")
	product := func(a, b *tensor.Tensor) *tensor.Tensor { return a.Matmul(b) }
	setBatch(addedBatch(2, 2, 2, product), "addmm")
	setBatch(addedBatch(3, 3, 3, product), "baddbmm")
	setBatch(addedBatch(2, 3, 3, func(a, b *tensor.Tensor) *tensor.Tensor { return a.Matmul(b).Sum(opt.Dim(-3)) }),
		"addbmm")
	setBatch(addedBatch(1, 2, 1, func(a, b *tensor.Tensor) *tensor.Tensor {
		return a.Matmul(b.Unsqueeze(-1)).Squeeze(-1)
	}), "addmv")
	setBatch(addedBatch(2, 1, 1, func(a, b *tensor.Tensor) *tensor.Tensor {
		return a.Unsqueeze(-1).Mul(b.Unsqueeze(-2))
	}), "addr")
}

// setBatch gives operators a rule beside their formulas. A composite has none: its parts have.
func setBatch(rule batchRule, names ...string) {
	for _, name := range names {
		o := tensor.Lookup(name)
		switch f, ok := o.Formula.(*Formula); {
		case o.IsComposite():
		case ok:
			f.Batch = rule
		default:
			register(map[string]Formula{name: {Batch: rule}})
		}
	}
}

// matrixBatch is the rule of operators whose tensors have these numbers of dimensions behind those of the batch, in
// the order of the arguments. Examples with other dimensions are left to the loop.
func matrixBatch(dims ...int) batchRule {
	return func(f *frame, c *tensor.Call) []*tensor.Tensor {
		n, front, ok := 0, -1, true
		c.EachTensor(func(_ int, t *tensor.Tensor) {
			if n == len(dims) {
				ok = false
				return
			}
			if n == 0 {
				front = t.Dim() - dims[0]
			}
			ok = ok && front >= 0 && t.Dim()-dims[n] == front
			n++
		})
		if !ok {
			return nil
		}
		return c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return f.value(t) }, nil)
	}
}

// addedBatch is the rule of beta*self + alpha*product(a, b), for a result, an a and a b of these dimensions.
func addedBatch(result, left, right int, product func(a, b *tensor.Tensor) *tensor.Tensor) batchRule {
	return func(f *frame, c *tensor.Call) []*tensor.Tensor {
		self, a, b := c.Tensor(0), c.Tensor(1), c.Tensor(2)
		if c.IsWrite() || self.Dim() > result || a.Dim() != left || b.Dim() != right || !fitsProduct(a, b) ||
			self.Dtype() != a.Dtype() || a.Dtype() != b.Dtype() || self.ElementSize() < 4 || !self.Dtype().IsDifferentiable() {
			return nil // the operator itself says what is wrong, or rounds in its own way
		}
		y := product(f.values(1, a), f.values(2, b))
		alpha, _ := c.Scalar(4)
		if y = y.Mul(alpha.Any()); f.layer(a) == nil && f.layer(b) == nil {
			y = y.Unsqueeze(0)
		}
		beta, _ := c.Scalar(3)
		if beta.Complex() == 0 { // self is not read
			if y.Size(0) != f.size {
				y = y.Expand(append([]int{f.size}, y.Sizes()[1:]...)...)
			}
			return []*tensor.Tensor{y}
		}
		if l := f.layer(self); l != nil {
			return []*tensor.Tensor{y.Add(lift(l.Value, result).Mul(beta.Any()))}
		}
		return []*tensor.Tensor{y.Add(self.Mul(beta.Any()))}
	}
}

// fitsProduct reports whether the inner sizes are equal, of vectors both.
func fitsProduct(a, b *tensor.Tensor) bool {
	switch {
	case a.Dim() == 1:
		return true
	case b.Dim() == 1:
		return a.Size(-1) == b.Size(0)
	case a.Dim() == 3 && a.Size(0) != b.Size(0):
		return false
	}
	return a.Size(-1) == b.Size(-2)
}
