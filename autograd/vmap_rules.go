package autograd

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// A batchRule does a call for all examples at once and returns the results with the batch in front; nil where it
// cannot, and the call is made example by example.
type batchRule func(f *frame, c *tensor.Call) []*tensor.Tensor

// ruleOf is the rule of an operator, nil for the loop.
func ruleOf(o *tensor.Op) batchRule {
	if r := formulaOf(o).Batch; r != nil {
		return r
	}
	switch o.Class() {
	case opdef.Pointwise:
		return pointwiseBatch
	case opdef.Reduction:
		return reduceBatch
	}
	return nil
}

// values returns all examples of each batched tensor in place of one.
func (f *frame) values(_ int, t *tensor.Tensor) *tensor.Tensor {
	if l := f.layer(t); l != nil {
		return l.Value
	}
	return t
}

// wholeBatch applies the operator to all examples as to one tensor.
func wholeBatch(f *frame, c *tensor.Call) []*tensor.Tensor { return c.Again(f.values, nil) }

// wholeFormat is whole where no memory format of a certain number of dimensions is asked for.
func wholeFormat(f *frame, c *tensor.Call) []*tensor.Tensor {
	switch c.MemoryFormat(c.Op.Param("memory_format")) {
	case tensor.ChannelsLast, tensor.ChannelsLast3d:
		return nil
	}
	return wholeBatch(f, c)
}

// denseBatch is wholeBatch of examples that lie row by row.
func denseBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	return c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return f.layer(t).Value.Contiguous() }, nil)
}

// rowByRow is the loop for operators that ask how an example lies in memory: it lies alone, row by row.
func rowByRow(f *frame, c *tensor.Call) []*tensor.Tensor {
	return f.loop(c, func(b int) func(int, *tensor.Tensor) *tensor.Tensor {
		return func(slot int, t *tensor.Tensor) *tensor.Tensor {
			return f.example(b)(slot, t).Clone(tensor.ContiguousFormat)
		}
	})
}

// stridedBatch is the rule of as_strided: a view of all examples where one lies row by row from the start of memory,
// else rowByRow.
func stridedBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	x := f.layer(c.Tensor(0)).Value
	if !x.IsContiguous() || x.Numel() == 0 || x.StorageOffset() != 0 {
		return rowByRow(f, c)
	}
	return c.Again(f.values, func(d *tensor.Call) {
		d.SetArg(1, append([]int{f.size}, c.Ints(1)...))
		d.SetArg(2, append([]int{x.Strides()[0]}, c.Ints(2)...))
	})
}

// oneByOne calls the operator example by example. It is for bodies that look at values to check them, which cannot run
// for all examples at once.
func oneByOne(*frame, *tensor.Call) []*tensor.Tensor { return nil }

// wholeMatrix is wholeBatch of operators that work on the last two dimensions.
func wholeMatrix(f *frame, c *tensor.Call) []*tensor.Tensor {
	if c.Tensor(0).Dim() < 2 {
		return nil
	}
	return wholeBatch(f, c)
}

// lift returns x dimensions of size 1 behind the batch, until an example has n.
func lift(x *tensor.Tensor, n int) *tensor.Tensor {
	for x.Dim()-1 < n {
		x = x.Unsqueeze(1)
	}
	return x
}

// pointwiseBatch lines the batches up, unless that would change how the dtypes are promoted: a tensor of no dimensions
// takes part in promotion as a number does.
func pointwiseBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	mixed, zero := false, false
	var dt tensor.Dtype
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		mixed = mixed || dt != tensor.NoDtype && dt != t.Dtype()
		zero = zero || t.Dim() == 0
		dt = t.Dtype()
	})
	if zero && (mixed || !dt.IsDifferentiable()) { // with a number, such as 0.5, integers are promoted too
		return nil
	}
	return alignBatch(f, c)
}

// alignBatch lines the batches up: examples of fewer dimensions get more in front of theirs.
func alignBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	dims := 0
	c.EachTensor(func(_ int, t *tensor.Tensor) { dims = max(dims, t.Dim()) })
	return c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor {
		if l := f.layer(t); l != nil {
			return lift(l.Value, dims)
		}
		return t
	}, nil)
}

// only reports whether the first argument is batched and no other.
func (f *frame) only(c *tensor.Call) (ok bool) {
	ok = true
	c.EachTensor(func(slot int, t *tensor.Tensor) { ok = ok && (slot == 0) == (f.layer(t) != nil) })
	return ok
}

// shift moves dimension d of an example behind the batch.
func shift(c *tensor.Call, d, dims int) int { return tensor.WrapDim(c.Name(), d, dims) + 1 }

// shiftDims is the rule of operators of one tensor whose parameters of those names are dimensions.
func shiftDims(names ...string) batchRule {
	return func(f *frame, c *tensor.Call) []*tensor.Tensor {
		dims := c.Tensor(0).Dim()
		if !f.only(c) || dims == 0 {
			return nil
		}
		return c.Again(f.values, func(d *tensor.Call) {
			for _, n := range names {
				i := c.Op.Param(n)
				if c.IsNone(i) {
					continue
				}
				list := slices.Clone(c.Ints(i))
				for k := range list {
					list[k] = shift(c, list[k], dims)
				}
				if _, isList := c.Arg(i).([]int); isList {
					d.SetArg(i, list)
				} else {
					d.SetArg(i, list[0])
				}
			}
		})
	}
}

// reduceBatch reduces all dimensions but the batch where none is named.
func reduceBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	i, dims := c.Op.Param("dim"), c.Tensor(0).Dim()
	if i < 0 || dims == 0 || !f.only(c) {
		return nil
	}
	if l, isList := c.Arg(i).([]int); c.IsNone(i) || isList && len(l) == 0 {
		if !c.Op.Params[i].IsList("int") {
			return nil
		}
		all := make([]int, dims)
		for d := range all {
			all[d] = d + 1
		}
		return c.Again(f.values, func(d *tensor.Call) { d.SetArg(i, all) })
	}
	return shiftDims("dim")(f, c)
}

func permuteBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	dims := c.Tensor(0).Dim()
	order := []int{0}
	for _, d := range c.Ints(1) {
		order = append(order, shift(c, d, dims))
	}
	return c.Again(f.values, func(d *tensor.Call) { d.SetArg(1, order) })
}

func squeezeBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	x := c.Tensor(0)
	if x.Dim() == 0 {
		return sameBatch(f, c)
	}
	var list []int
	if c.IsNone(1) {
		for d, s := range x.Sizes() {
			if s == 1 {
				list = append(list, d+1)
			}
		}
	} else {
		for _, d := range c.Ints(1) {
			list = append(list, shift(c, d, x.Dim()))
		}
	}
	if len(list) == 0 {
		return sameBatch(f, c)
	}
	return c.Again(f.values, func(d *tensor.Call) { d.SetArg(1, list) })
}

// sameBatch is the same tensor once more.
func sameBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	return []*tensor.Tensor{alias(f.layer(c.Tensor(0)).Value)}
}

func unsqueezeBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	at := shift(c, c.Int(1), c.Tensor(0).Dim()+1)
	return c.Again(f.values, func(d *tensor.Call) { d.SetArg(1, at) })
}

// sizesBatch puts the batch in front of the sizes that are asked for.
func sizesBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	if slices.Contains(c.Ints(1), -1) && c.Tensor(0).Numel() == 0 {
		return nil
	}
	return c.Again(f.values, func(d *tensor.Call) { d.SetArg(1, append([]int{f.size}, c.Ints(1)...)) })
}

func expandBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	size := c.Ints(1)
	if len(size) < c.Tensor(0).Dim() {
		return nil
	}
	return c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return lift(f.layer(t).Value, len(size)) },
		func(d *tensor.Call) { d.SetArg(1, append([]int{f.size}, size...)) })
}

// matrixTBatch transposes each example, a matrix.
func matrixTBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	if x := f.layer(c.Tensor(0)).Value; x.Dim() == 3 {
		return []*tensor.Tensor{x.Transpose(1, 2)}
	}
	return nil
}

// matmulBatch multiplies all examples at once. left and right are the dimensions that the operands must have: 1 a
// vector, a row on the left and a column on the right, 2 a matrix, 3 a batch of matrices.
func matmulBatch(left, right int) batchRule {
	return func(f *frame, c *tensor.Call) []*tensor.Tensor {
		a, b := c.Tensor(0), c.Tensor(1)
		if a.Dim() != left || b.Dim() != right || a.Size(-1) != b.Size(max(-2, -right)) || a.Dtype() != b.Dtype() ||
			left == 3 && a.Size(0) != b.Size(0) {
			return nil // the operator itself says what is wrong
		}
		x, y := f.values(0, a), f.values(1, b)
		if left == 1 {
			x = x.Unsqueeze(-2)
		}
		if right == 1 {
			y = y.Unsqueeze(-1)
		}
		z := tensor.Matmul(x, y)
		if right == 1 {
			z = z.Squeeze(-1)
		}
		if left == 1 {
			z = z.Squeeze(-1)
		}
		return []*tensor.Tensor{z}
	}
}

// joinBatch is the rule of cat, and of stack, whose results have one dimension more: what is not batched is repeated.
func joinBatch(more int) batchRule {
	return func(f *frame, c *tensor.Call) []*tensor.Tensor {
		list := c.Tensors(0)
		dims := list[0].Dim() + more
		for _, t := range list {
			if t.Dim() != list[0].Dim() {
				return nil
			}
		}
		if dims == 0 {
			return nil
		}
		at := shift(c, c.Int(1), dims)
		return c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return f.value(t) },
			func(d *tensor.Call) { d.SetArg(1, at) })
	}
}
