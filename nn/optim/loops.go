package optim

import (
	"sync"

	"gotorch/internal/simd"
)

type float interface{ float32 | float64 }

// Note: loops of steps. The common algorithms are a few vector kernels in a row. They pass over a piece of the block
// that fits into the first-level cache, so that each element comes from memory once and goes back once.

const pieceSize = 1 << 9

// loops are the vector kernels for a dtype; package simd defines what each computes.
type loops[T float] struct {
	blendF, blendSquareF, rootStepF, subScaledF, maximumF, addcdivF simd.Func
	rootRatioF, decayedMaximumF, rpropSizeF, rpropGradF, rpropStepF simd.Func
	scratch                                                         sync.Pool // *scratch[T]
}

// scratch is what a piece needs beside the tensors.
type scratch[T float] struct {
	params [4]T
	tmp    [pieceSize]T // the gradient with its decay
	second [pieceSize]T
	at     [slotsMost][]T // the piece of the state
}

func newLoops[T float](dtype string) *loops[T] {
	l := new(loops[T])
	for name, f := range map[string]*simd.Func{
		"blend": &l.blendF, "blend_square": &l.blendSquareF, "root_step": &l.rootStepF, "sub_scaled": &l.subScaledF,
		"maximum": &l.maximumF, "addcdiv": &l.addcdivF, "root_ratio": &l.rootRatioF,
		"decayed_maximum": &l.decayedMaximumF, "rprop_size": &l.rpropSizeF, "rprop_grad": &l.rpropGradF,
		"rprop_step": &l.rpropStepF,
	} {
		*f = simd.Get(name + " " + dtype)
	}
	l.scratch.New = func() any { return new(scratch[T]) }
	return l
}

var (
	loops32 = sync.OnceValue(func() *loops[float32] { return newLoops[float32]("float32") })
	loops64 = sync.OnceValue(func() *loops[float64] { return newLoops[float64]("float64") })
)

// loopsOf are the loops for T.
func loopsOf[T float]() *loops[T] {
	if l, ok := any(loops32()).(*loops[T]); ok {
		return l
	}
	return any(loops64()).(*loops[T])
}

// piece is the step of a piece.
type piece[T float] func(l *loops[T], w *scratch[T], p, g []T, s *[slotsMost][]T)

// pieces calls f with pieces of p, of its gradient and of its state. The gradient is sign·g + decay·p.
func pieces[T float](c *coefs, p, g []T, s *[slotsMost][]T, f piece[T]) {
	l := loopsOf[T]()
	w := l.scratch.Get().(*scratch[T])
	for len(p) > 0 {
		n := min(len(p), pieceSize)
		for i := range s {
			if s[i] != nil {
				w.at[i], s[i] = s[i][:n], s[i][n:]
			}
		}
		d := g[:n]
		if c.sign != 1 || c.decay != 0 {
			d = w.tmp[:n]
			l.blend(w, d, g[:n], p[:n], T(c.sign), T(c.decay))
		}
		f(l, w, p[:n], d, &w.at)
		p, g = p[n:], g[n:]
	}
	w.at = [slotsMost][]T{}
	l.scratch.Put(w)
}

// blend sets dst = wa·a + wb·b.
func (l *loops[T]) blend(w *scratch[T], dst, a, b []T, wa, wb T) {
	w.params[0], w.params[1] = wa, wb
	l.blendF(len(dst), simd.First(dst), simd.First(a), simd.First(b), nil, simd.First(w.params[:]))
}

// blendSquare sets dst = wa·dst + wb·b².
func (l *loops[T]) blendSquare(w *scratch[T], dst, b []T, wa, wb T) {
	w.params[0], w.params[1] = wa, wb
	l.blendSquareF(len(dst), simd.First(dst), simd.First(dst), simd.First(b), nil, simd.First(w.params[:]))
}

// rootStep sets p = keep·p - step·(m / (√v/root + eps)).
func (l *loops[T]) rootStep(w *scratch[T], p, m, v []T, keep, step, root, eps T) {
	w.params = [4]T{keep, step, root, eps}
	l.rootStepF(len(p), simd.First(p), simd.First(p), simd.First(m), simd.First(v), simd.First(w.params[:]))
}

// subScaled sets p -= step·d.
func (l *loops[T]) subScaled(w *scratch[T], p, d []T, step T) {
	w.params[0] = step
	l.subScaledF(len(p), simd.First(p), simd.First(p), simd.First(d), nil, simd.First(w.params[:]))
}

// maximum sets a = max(a, b).
func (l *loops[T]) maximum(a, b []T) {
	l.maximumF(len(a), simd.First(a), simd.First(a), simd.First(b), nil, nil)
}

// divStep sets p -= step·m/u.
func (l *loops[T]) divStep(w *scratch[T], p, m, u []T, step T) {
	w.params[0] = -step
	l.addcdivF(len(p), simd.First(p), simd.First(p), simd.First(m), simd.First(u), simd.First(w.params[:]))
}

// rootRatio sets dst = √(a+eps) / √(b+eps) · d.
func (l *loops[T]) rootRatio(w *scratch[T], dst, a, b, d []T, eps T) {
	w.params[0] = eps
	l.rootRatioF(len(dst), simd.First(dst), simd.First(a), simd.First(b), simd.First(d), simd.First(w.params[:]))
}

// decayedMaximum sets u = max(keep·u, |d|+eps).
func (l *loops[T]) decayedMaximum(w *scratch[T], u, d []T, keep, eps T) {
	w.params[0], w.params[1] = keep, eps
	l.decayedMaximumF(len(u), simd.First(u), simd.First(u), simd.First(d), nil, simd.First(w.params[:]))
}

// rprop sets size to its new value, prev to the gradient that counts, and moves p against it.
func (l *loops[T]) rprop(w *scratch[T], p, d, prev, size []T, minus, plus, least, most T) {
	w.params = [4]T{minus, plus, least, most}
	l.rpropSizeF(len(p), simd.First(size), simd.First(size), simd.First(d), simd.First(prev), simd.First(w.params[:]))
	l.rpropGradF(len(p), simd.First(prev), simd.First(d), simd.First(prev), nil, nil)
	l.rpropStepF(len(p), simd.First(p), simd.First(p), simd.First(size), simd.First(prev), nil)
}
