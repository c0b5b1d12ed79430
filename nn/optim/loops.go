package optim

import (
	"sync"
	"unsafe"

	"gotorch/internal/simd"
)

type float interface{ float32 | float64 }

// Note: loops of steps. The common algorithms are a few vector kernels in a row. They pass over a piece of the block
// that fits into the first-level cache, so that each element comes from memory once and goes back once.

const pieceSize = 1 << 10

// loops are the vector kernels for a dtype.
type loops[T float] struct {
	blendF, blendSquareF, rootStepF, subScaledF, maximumF simd.Func
	scratch                                               sync.Pool // *scratch[T]
}

// scratch is what a piece needs beside the tensors.
type scratch[T float] struct {
	params   [4]T
	tmp      [pieceSize]T // the gradient with its decay
	variance [pieceSize]T
	at       [slotsMost][]T // the piece of the state
}

func newLoops[T float](dtype string) *loops[T] {
	l := &loops[T]{
		blendF: simd.Get("blend " + dtype), blendSquareF: simd.Get("blend_square " + dtype),
		rootStepF: simd.Get("root_step " + dtype), subScaledF: simd.Get("sub_scaled " + dtype),
		maximumF: simd.Get("maximum " + dtype),
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
	if unsafe.Sizeof(T(0)) == 4 {
		return any(loops32()).(*loops[T])
	}
	return any(loops64()).(*loops[T])
}

// pieces calls f with pieces of p, of its gradient and of its state; g is sign·g + decay·p where these are not 1 and 0.
func pieces[T float](c *coefs, p, g []T, s *[slotsMost][]T, f func(l *loops[T], w *scratch[T], p, g []T, s *[slotsMost][]T)) {
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
	l.blendF(len(dst), first(dst), first(a), first(b), nil, first(w.params[:]))
}

// blendSquare sets dst = wa·dst + wb·b².
func (l *loops[T]) blendSquare(w *scratch[T], dst, b []T, wa, wb T) {
	w.params[0], w.params[1] = wa, wb
	l.blendSquareF(len(dst), first(dst), first(dst), first(b), nil, first(w.params[:]))
}

// rootStep sets p = keep·p - step·(m / (√v/root + eps)).
func (l *loops[T]) rootStep(w *scratch[T], p, m, v []T, keep, step, root, eps T) {
	w.params = [4]T{keep, step, root, eps}
	l.rootStepF(len(p), first(p), first(p), first(m), first(v), first(w.params[:]))
}

// subScaled sets p -= step·d.
func (l *loops[T]) subScaled(w *scratch[T], p, d []T, step T) {
	w.params[0] = step
	l.subScaledF(len(p), first(p), first(p), first(d), nil, first(w.params[:]))
}

// maximum sets a = max(a, b).
func (l *loops[T]) maximum(a, b []T) {
	l.maximumF(len(a), first(a), first(a), first(b), nil, nil)
}

// first is the address of a slice's first element, which there must be.
func first[T float](s []T) *byte { return (*byte)(unsafe.Pointer(&s[0])) }
