package autograd

import "gotorch/tensor"

// window is a view as seen from its base: where its elements lie among the base's, whatever views led there.
type window struct {
	shape, stride []int // of the view
	offset        int
	dtype         tensor.Dtype
	baseShape     []int
	baseStride    []int
	baseOffset    int
	baseDtype     tensor.Dtype
}

func windowOf(x, base *tensor.Tensor) window {
	return window{x.Shape(), x.Stride(), x.StorageOffset(), x.Dtype(), base.Shape(), base.Stride(),
		base.StorageOffset(), base.Dtype()}
}

// asReal returns the window of the real numbers, if just one of view and base is complex.
func (w window) asReal() window {
	if w.baseDtype.IsComplex() {
		w.baseShape, w.baseStride, w.baseOffset = pairs(w.baseShape, w.baseStride, w.baseOffset)
		w.baseDtype = w.baseDtype.ToReal()
	}
	if w.dtype.IsComplex() {
		w.shape, w.stride, w.offset = pairs(w.shape, w.stride, w.offset)
		w.dtype = w.dtype.ToReal()
	}
	return w
}

func pairs(shape, stride []int, offset int) ([]int, []int, int) {
	sh, st := append(append([]int{}, shape...), 2), make([]int, len(stride)+1)
	for i, s := range stride {
		st[i] = 2 * s
	}
	st[len(stride)] = 1
	return sh, st, 2 * offset
}

// mixed reports whether one of view and base is complex and the other real.
func (w window) mixed() bool { return w.dtype.IsComplex() != w.baseDtype.IsComplex() }

// makeBase makes a tensor that lies as the base does, for the gradient g of the base.
func (w window) makeBase(g *tensor.Tensor) *tensor.Tensor {
	if overlaps(w.baseShape, w.baseStride) {
		panic(tensor.Errorf("backward", "a write through a view of a tensor whose elements share memory (shape %v, stride "+
			"%v) has no gradient", w.baseShape, w.baseStride))
	}
	lo, hi := reach(w.baseShape, w.baseStride, 0)
	flat := zeros(g, []int{max(hi-lo+1, 0)})
	return asStridedAt(flat, w.baseShape, w.baseStride, -min(lo, 0))
}

// take cuts the window out of g, which lies as the base does from the start of its storage.
func (w window) take(g *tensor.Tensor) *tensor.Tensor {
	if !w.mixed() {
		return asStridedAt(g, w.shape, w.stride, g.StorageOffset()+w.offset-w.baseOffset)
	}
	r := w.asReal()
	if w.baseDtype.IsComplex() {
		g = tensor.ViewAsReal(g)
	}
	out := asStridedAt(g, r.shape, r.stride, g.StorageOffset()+r.offset-r.baseOffset)
	if w.dtype.IsComplex() {
		out = tensor.ViewAsComplex(out)
	}
	return out
}

// put returns the gradient of the base from g, that of the window.
func (w window) put(g *tensor.Tensor) *tensor.Tensor {
	if !w.mixed() {
		return asStridedBackward(g, w.baseShape, w.baseStride, w.baseOffset, w.shape, w.stride, w.offset)
	}
	r := w.asReal()
	if w.dtype.IsComplex() {
		g = tensor.ViewAsReal(g)
	}
	out := asStridedBackward(g, r.baseShape, r.baseStride, r.baseOffset, r.shape, r.stride, r.offset)
	if w.baseDtype.IsComplex() {
		out = tensor.ViewAsComplex(out.Contiguous())
	}
	return out
}

func asStridedAt(x *tensor.Tensor, shape, stride []int, offset int) *tensor.Tensor {
	return x.AsStrided(shape, stride, tensor.NewOption("storage_offset", offset))
}

// asStridedBackward is the gradient of a tensor lying at base* from g, that of a window (shape, stride, offset) of the
// same storage. Where elements of the window are one place in memory, their gradients add up; where elements of the
// tensor are, each gets the mean.
func asStridedBackward(g *tensor.Tensor, baseShape, baseStride []int, baseOffset int, shape, stride []int,
	offset int) *tensor.Tensor {
	lo, hi := reach(baseShape, baseStride, baseOffset)
	l2, h2 := reach(shape, stride, offset)
	lo, hi = min(lo, l2), max(hi, h2)
	size := max(hi-lo+1, 0)
	with := tensor.With(g.Dtype(), g.Device())
	flat := zeros(g, []int{size})
	positive := nonNegative(stride) && nonNegative(baseStride)
	if positive && !overlaps(shape, stride) && !overlaps(baseShape, baseStride) {
		// Every element of the window has a place of its own: write it there.
		asStridedAt(flat, shape, stride, offset-lo).Copy_(g)
		return asStridedAt(flat, baseShape, baseStride, baseOffset-lo)
	}
	at := places(shape, stride, offset-lo, g.Device())
	flat = flat.IndexAdd(0, at, g.Reshape(-1))
	from := places(baseShape, baseStride, baseOffset-lo, g.Device())
	if overlaps(baseShape, baseStride) {
		count := with.Zeros(size).IndexAdd(0, from, with.Ones(from.Numel()))
		flat = flat.Div(count.MaskedFill(count.Eq(0), 1))
	}
	return flat.IndexSelect(0, from).View(baseShape...)
}

// reach returns the lowest and the highest element that is looked at; hi < lo where there is none.
func reach(shape, stride []int, offset int) (lo, hi int) {
	lo, hi = offset, offset
	for i, s := range shape {
		switch d := (s - 1) * stride[i]; {
		case s == 0:
			return 0, -1
		case d < 0:
			lo += d
		default:
			hi += d
		}
	}
	return lo, hi
}

func nonNegative(stride []int) bool {
	for _, s := range stride {
		if s < 0 {
			return false
		}
	}
	return true
}

// overlaps reports whether two indices may be one place in memory; it may say so of a few that are not.
func overlaps(shape, stride []int) bool {
	type dim struct{ size, stride int }
	var ds []dim
	for i, s := range shape {
		st := stride[i]
		if st < 0 {
			st = -st
		}
		if s == 0 {
			return false
		}
		if s > 1 {
			ds = append(ds, dim{s, st})
		}
	}
	for i := 1; i < len(ds); i++ {
		for j := i; j > 0 && ds[j].stride < ds[j-1].stride; j-- {
			ds[j], ds[j-1] = ds[j-1], ds[j]
		}
	}
	end := 0 // the highest place of the dimensions so far
	for _, d := range ds {
		if d.stride <= end {
			return true
		}
		end += (d.size - 1) * d.stride
	}
	return false
}

// places lists the places of a window's elements in the storage, as an int64 vector.
func places(shape, stride []int, offset int, d tensor.Device) *tensor.Tensor {
	with := tensor.With(tensor.Int64, d)
	at := with.Full([]int{}, offset)
	for i, s := range shape {
		at = at.Unsqueeze(-1).Add(with.Arange(s).Mul(stride[i]))
	}
	return at.Reshape(-1)
}
