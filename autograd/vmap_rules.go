package autograd

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// A batchRule does a call for all examples at once and gives the results with the batch in front; nil where it cannot,
// and the call is made example by example.
type batchRule func(f *frame, c *tensor.Call) []*tensor.Tensor

// batchRules are the rules of operators by name; others have that of their class.
var batchRules = map[string]batchRule{
	"transpose": shiftDims("dim0", "dim1"), "slice": shiftDims("dim"), "select": shiftDims("dim"), "diagonal": shiftDims("dim1", "dim2"),
	"unfold": shiftDims("dimension"), "split": shiftDims("dim"), "split_with_sizes": shiftDims("dim"), "unbind": shiftDims("dim"),
	"cumsum": shiftDims("dim"), "cumprod": shiftDims("dim"), "logcumsumexp": shiftDims("dim"), "cummax": shiftDims("dim"), "cummin": shiftDims("dim"),
	"sort": shiftDims("dim"), "topk": shiftDims("dim"), "nn.functional.softmax": shiftDims("dim"), "nn.functional.log_softmax": shiftDims("dim"),
	"nn.functional.glu": shiftDims("dim"), "flip": shiftDims("dims"),
	"permute": permuteBatch, "squeeze": squeezeBatch, "unsqueeze": unsqueezeBatch, "view": sizesBatch, "_unsafe_view": sizesBatch, "expand": expandBatch,
	"t": func(f *frame, c *tensor.Call) []*tensor.Tensor {
		if x := f.layer(c.Tensor(0)).Value; x.Dim() == 3 {
			return []*tensor.Tensor{x.Transpose(1, 2)}
		}
		return nil
	},
	"mm": matmulBatch(0, 0), "bmm": matmulBatch(0, 0), "mv": matmulBatch(0, 1), "dot": matmulBatch(1, 1),
	"copy_": pointwiseBatch,
	"alias": wholeBatch, "detach": wholeBatch, "zero_": wholeBatch, "tril": wholeMatrix, "triu": wholeMatrix, "view_as_real": wholeBatch, "view_as_complex": denseBatch,
	"zeros_like": wholeBatch, "ones_like": wholeBatch, "full_like": wholeBatch, "empty_like": wholeBatch, "clone": wholeFormat, "_to_copy": wholeFormat,
	"as_strided": rowByRow, "as_strided_scatter": rowByRow,
	"cat": joinBatch, "stack": joinBatch,
}

// ruleOf is the rule of an operator, nil for the loop.
func ruleOf(o *tensor.Op) batchRule {
	if r := batchRules[o.Full]; r != nil {
		return r
	}
	switch o.Tags.Class() {
	case opdef.Pointwise:
		return pointwiseBatch
	case opdef.Reduction:
		return reduceBatch
	}
	return nil
}

// values gives all examples of each batched tensor in place of one.
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

// Bodies that look at values to check them cannot run for all examples at once: those operators are called example by
// example, as one.
func init() {
	for _, name := range []string{"cov", "corrcoef", "nn.functional.gaussian_nll_loss"} {
		tensor.Register(name, tensor.KeyBatched, transformed)
	}
}

func wholeMatrix(f *frame, c *tensor.Call) []*tensor.Tensor {
	if c.Tensor(0).Dim() < 2 {
		return nil
	}
	return wholeBatch(f, c)
}

// lift gives x dimensions of size 1 behind the batch, until an example has n.
func lift(x *tensor.Tensor, n int) *tensor.Tensor {
	for x.Dim()-1 < n {
		x = x.Unsqueeze(1)
	}
	return x
}

// pointwiseBatch lines the batches up: examples of fewer dimensions get more in front of theirs.
func pointwiseBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	dims, mixed, zero := 0, false, false
	var dt tensor.Dtype
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		dims = max(dims, t.Dim())
		mixed = mixed || dt != tensor.NoDtype && dt != t.Dtype()
		zero = zero || t.Dim() == 0
		dt = t.Dtype()
	})
	if mixed && zero && c.Op.Full != "copy_" { // a tensor of no dimensions takes part in type promotion as a number does
		return nil
	}
	if zero && !mixed && !dt.IsDifferentiable() && c.Op.Full != "copy_" {
		return nil // with a number, such as 0.5, no dimensions and one are promoted differently
	}
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

// matmulBatch multiplies all examples at once; a vector on the left is a row, on the right a column.
func matmulBatch(left, right int) batchRule {
	return func(f *frame, c *tensor.Call) []*tensor.Tensor {
		a, b := c.Tensor(0), c.Tensor(1)
		if a.Dim() < 2-left || b.Dim() < 2-right || a.Size(-1) != b.Size(max(-2, -b.Dim())) || a.Dtype() != b.Dtype() {
			return nil // the operator itself says what is wrong
		}
		if c.Op.Full == "bmm" && (a.Dim() != 3 || b.Dim() != 3 || a.Size(0) != b.Size(0)) || c.Op.Full != "bmm" && (a.Dim() != 2-left || b.Dim() != 2-right) {
			return nil
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

// joinBatch is the rule of cat and stack: what is not batched is repeated.
func joinBatch(f *frame, c *tensor.Call) []*tensor.Tensor {
	list := c.Tensors(0)
	dims := list[0].Dim()
	if c.Op.Full == "stack" {
		dims++
	}
	for _, t := range list {
		if t.Dim() != list[0].Dim() {
			return nil
		}
	}
	if dims == 0 {
		return nil
	}
	at := shift(c, c.Int(1), dims)
	return c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return f.value(t) }, func(d *tensor.Call) { d.SetArg(1, at) })
}
