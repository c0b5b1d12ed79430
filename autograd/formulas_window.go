package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Formulas of writes into a view of a copy: what was overwritten gets no gradient, what was written gets that of the
// view.

func init() {
	register(map[string]Formula{
		"select_scatter": {VJP: func(c *Ctx) Grads {
			dim, i := c.Int(2), c.Int(3)
			return Grads{c.Grad.SelectScatter(zerosOf(c, 1), dim, i), c.Grad.Select(dim, i)}
		}},
		"slice_scatter": {VJP: func(c *Ctx) Grads {
			o := []tensor.Option{opt.Dim(c.Int(2)), opt.Step(c.Int(5))}
			if !c.IsNone(3) {
				o = append(o, opt.Start(c.Int(3)))
			}
			if !c.IsNone(4) {
				o = append(o, opt.End(c.Int(4)))
			}
			return Grads{c.Grad.SliceScatter(zerosOf(c, 1), o...), c.Grad.Slice(o...)}
		}},
		"diagonal_scatter": {VJP: func(c *Ctx) Grads {
			o := []tensor.Option{opt.Offset(c.Int(2)), opt.Dim1(c.Int(3)), opt.Dim2(c.Int(4))}
			return Grads{c.Grad.DiagonalScatter(zerosOf(c, 1), o...), c.Grad.Diagonal(o...)}
		}},
		"as_strided_scatter": {Strides: true, Batch: rowByRow, VJP: func(c *Ctx) Grads {
			shape, stride, offset := c.Geometry()
			at := offset
			if !c.IsNone(4) {
				at = c.Int(4)
			}
			if overlaps(shape, stride) {
				panic(tensor.Errorf("backward", "the derivative of as_strided_scatter needs a tensor whose elements do not "+
					"share memory"))
			}
			// the gradient, lying as the argument did
			lo, hi := reach(shape, stride, offset)
			l, h := reach(c.Ints(2), c.Ints(3), at)
			lo, hi = min(lo, l), max(hi, h)
			flat := zeros(c.Grad, []int{max(hi-lo+1, 0)})
			asStridedAt(flat, shape, stride, offset-lo).Copy_(c.Grad)
			src := asStridedAt(flat, c.Ints(2), c.Ints(3), at-lo).Clone()
			asStridedAt(flat, c.Ints(2), c.Ints(3), at-lo).Copy_(zerosOf(c, 1))
			return Grads{asStridedAt(flat, shape, stride, offset-lo), src}
		}},
		"fill_diagonal_": {JVP: linear, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Clone().FillDiagonal_(0, opt.Wrap(c.Bool(2)))}
		}},
	})
}
