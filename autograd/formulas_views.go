package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Views: the gradient goes back into the shape that was looked at, with zeros where the view did not look.

func init() {
	reshape := func(c *Ctx) Grads { return Grads{c.Grad.Reshape(c.Shape(0)...)} }
	pass := func(c *Ctx) Grads { return Grads{c.Grad} }
	register(map[string]Formula{
		"view":           {JVP: relinear, Batch: sizesBatch, VJP: reshape},
		"_reshape_alias": {VJP: reshape},
		"_unsafe_view":   {JVP: relinear, Batch: sizesBatch, VJP: reshape},
		"alias":          {JVP: linear, Batch: wholeBatch, VJP: pass},
		"expand":         {JVP: linear, Batch: expandBatch, VJP: pass}, // the engine adds up what was repeated
		"squeeze": {JVP: linear, Batch: squeezeBatch, VJP: reshape, NameOf: func(c *Ctx) string {
			if c.IsNone(1) {
				return "SqueezeBackward0"
			}
			return "SqueezeBackward1"
		}},
		"unsqueeze": {JVP: linear, Batch: unsqueezeBatch, VJP: reshape},
		"transpose": {JVP: linear, Batch: shiftDims("dim0", "dim1"), VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Transpose(c.Int(1), c.Int(2))}
		}},
		"t": {JVP: linear, Batch: matrixTBatch, VJP: func(c *Ctx) Grads { return Grads{c.Grad.T()} }},
		"permute": {JVP: linear, Batch: permuteBatch, VJP: func(c *Ctx) Grads {
			dims := c.Ints(1)
			back := make([]int, len(dims))
			for i, d := range dims {
				if d < 0 {
					d += len(dims)
				}
				back[d] = i
			}
			return Grads{c.Grad.Permute(back...)}
		}},
		"select": {JVP: linear, Batch: shiftDims("dim"), VJP: into(func(c *Ctx, z *tensor.Tensor) *tensor.Tensor {
			return z.Select(c.Int(1), c.Int(2))
		})},
		"slice": {JVP: linear, Batch: shiftDims("dim"), VJP: into(func(c *Ctx, z *tensor.Tensor) *tensor.Tensor {
			o := []tensor.Option{opt.Dim(c.Int(1)), opt.Step(c.Int(4))}
			if !c.IsNone(2) {
				o = append(o, opt.Start(c.Int(2)))
			}
			if !c.IsNone(3) {
				o = append(o, opt.End(c.Int(3)))
			}
			return z.Slice(o...)
		})},
		"diagonal": {JVP: linear, Batch: shiftDims("dim1", "dim2"), VJP: into(func(c *Ctx, z *tensor.Tensor) *tensor.Tensor {
			return z.Diagonal(opt.Offset(c.Int(1)), opt.Dim1(c.Int(2)), opt.Dim2(c.Int(3)))
		})},
		"unfold": {JVP: linear, Batch: shiftDims("dimension"), VJP: unfoldBackward},
		"as_strided": {Strides: true, Batch: stridedBatch, VJP: func(c *Ctx) Grads {
			shape, stride, offset := c.Geometry()
			at := offset
			if !c.IsNone(3) {
				at = c.Int(3)
			}
			return Grads{asStridedBackward(c.Grad, shape, stride, offset, c.Ints(1), c.Ints(2), at)}
		}},
		"split": {JVP: linear, Batch: shiftDims("dim"), VJP: splitBackward, NameOf: func(c *Ctx) string {
			if c.Scalar(1) == nil {
				return "SplitWithSizesBackward0"
			}
			return "SplitBackward0"
		}},
		"split_with_sizes": {JVP: linear, Batch: shiftDims("dim"), VJP: splitBackward},
		"unbind": {JVP: linear, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			return Grads{tensor.Stack(allGrads(c), opt.Dim(c.Int(1)))}
		}},
		"detach": {Batch: wholeBatch},
		"view_as_real": {JVP: linear, Batch: wholeBatch, VJP: func(c *Ctx) Grads {
			return Grads{tensor.ViewAsComplex(c.Grad.Contiguous())}
		}},
		"view_as_complex": {JVP: linear, Batch: denseBatch, VJP: func(c *Ctx) Grads {
			return Grads{tensor.ViewAsReal(c.Grad.Contiguous())}
		}},
	})
}

// asStrided is the operator of nodes that a view of a written base has.
var asStrided = tensor.Lookup("as_strided")

// alias is another tensor over the same elements, with x as its history.
func alias(x *tensor.Tensor) *tensor.Tensor {
	r, err := tensor.Invoke("alias", []any{x}, nil)
	if err != nil {
		panic(err)
	}
	return r[0].(*tensor.Tensor)
}

// into puts the gradient where view looks in a tensor of zeros of the argument's shape.
func into(view func(c *Ctx, z *tensor.Tensor) *tensor.Tensor) func(c *Ctx) Grads {
	return func(c *Ctx) Grads {
		z := zeros(c.Grad, c.Shape(0))
		view(c, z).Copy_(c.Grad)
		return Grads{z}
	}
}

// zeros makes zeros of shape, of the dtype and on the device of like, that like can be written into.
func zeros(like *tensor.Tensor, shape []int) *tensor.Tensor {
	return tensor.LiftTo(tensor.Alloc("backward", shape, like.Dtype(), like.Device()), like)
}

// unfoldBackward adds up what the windows, which may overlap, saw of each element.
func unfoldBackward(c *Ctx) Grads {
	shape, dim, size, step := c.Shape(0), c.Int(1), c.Int(2), c.Int(3)
	stride := rowMajor(shape)
	dim = tensor.WrapDim("unfold", dim, len(shape))
	wShape, wStride := append(append([]int{}, shape...), size), append(append([]int{}, stride...), 1)
	if len(shape) > 0 {
		wStride[len(shape)] = stride[dim]
		wShape[dim], wStride[dim] = (shape[dim]-size)/step+1, stride[dim]*step
	}
	return Grads{asStridedBackward(c.Grad, shape, stride, 0, wShape, wStride, 0)}
}

func rowMajor(shape []int) []int {
	stride, n := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i] = n
		n *= max(shape[i], 1)
	}
	return stride
}

func splitBackward(c *Ctx) Grads { return Grads{tensor.Cat(allGrads(c), opt.Dim(c.Int(2)))} }

// allGrads lists the gradients of all results, zeros where none arrived.
func allGrads(c *Ctx) []*tensor.Tensor {
	out := make([]*tensor.Tensor, c.NumGrads())
	for i := range out {
		out[i] = c.GradOrZeros(i)
	}
	return out
}
