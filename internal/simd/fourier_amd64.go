package simd

import "unsafe"

func init() {
	register(func(l Level) {
		fourier32 = pick(l, portableFourier[float32](8), fourierOf(fourierAssembly[float32]{8,
			[4]fourierStep{fourierStep2Float32AVX2, fourierStep3Float32AVX2,
				fourierStep4Float32AVX2, fourierStep5Float32AVX2},
			[4]fourierStep{fourierLast2Float32AVX2, fourierLast3Float32AVX2,
				fourierLast4Float32AVX2, fourierLast5Float32AVX2},
			fourierOddFloat32AVX2, fourierTimesFloat32AVX2, fourierFoldFloat32AVX2, fourierFoldLineFloat32AVX2,
			fourierSplitFloat32AVX2, fourierJoinFloat32AVX2,
		}), nil)
		fourier64 = pick(l, portableFourier[float64](4), fourierOf(fourierAssembly[float64]{4,
			[4]fourierStep{fourierStep2Float64AVX2, fourierStep3Float64AVX2,
				fourierStep4Float64AVX2, fourierStep5Float64AVX2},
			[4]fourierStep{fourierLast2Float64AVX2, fourierLast3Float64AVX2,
				fourierLast4Float64AVX2, fourierLast5Float64AVX2},
			fourierOddFloat64AVX2, fourierTimesFloat64AVX2, fourierFoldFloat64AVX2, fourierFoldLineFloat64AVX2,
			fourierSplitFloat64AVX2, fourierJoinFloat64AVX2,
		}), nil)
	})
}

type fourierStep = func(dstRe, dstIm, srcRe, srcIm, w *byte, m, s int)

// fourierAssembly are the routines of a level; the steps are those of radix 2 to 5.
type fourierAssembly[T float] struct {
	lanes        int
	steps, lasts [4]fourierStep
	odd          func(dstRe, dstIm, srcRe, srcIm, w, roots, room *byte, radix, m, s int)
	times        func(re, im, w *byte, groups int)
	fold         func(low, high, w, factor *byte, pairs, groups int)
	foldLine     func(low, high, w, factor *byte, blocks int)
	split, join  func(dst *byte, dstStep int, src *byte, srcStep, rows, groups int)
}

// fourierOf makes kernels over slices of routines.
func fourierOf[T float](a fourierAssembly[T]) **Fourier[T] {
	f := &Fourier[T]{Lanes: a.lanes, foldLine: a.foldLine}
	// parts are the addresses of the first real and imaginary parts
	parts := func(x []T, inverse bool) (re, im *byte) {
		re, im = first(x), first(x[a.lanes:])
		if inverse {
			return im, re
		}
		return re, im
	}
	for i := range 4 {
		over := func(step fourierStep) func(dst, src, w []T, m, s int, inverse bool) {
			return func(dst, src, w []T, m, s int, inverse bool) {
				dstRe, dstIm := parts(dst, inverse)
				srcRe, srcIm := parts(src, inverse)
				step(dstRe, dstIm, srcRe, srcIm, first(w), m, s)
			}
		}
		f.steps[i+2], f.lasts[i+2] = over(a.steps[i]), over(a.lasts[i])
	}
	f.odd = func(dst, src, w, roots, room []T, radix, m, s int, inverse bool) {
		dstRe, dstIm := parts(dst, inverse)
		srcRe, srcIm := parts(src, inverse)
		a.odd(dstRe, dstIm, srcRe, srcIm, first(w), first(roots), first(room), radix, m, s)
	}
	f.times = func(x, w []T, groups int, inverse bool) {
		if groups > 0 {
			re, im := parts(x, inverse)
			a.times(re, im, first(w), groups)
		}
	}
	f.fold = func(low, high, w []T, factor T, pairs, groups int) {
		row := 2 * a.lanes * groups
		a.fold(first(low), first(high[(pairs-1)*row:]), first(w), (*byte)(unsafe.Pointer(&factor)), pairs, groups)
	}
	size := int(unsafe.Sizeof(T(0)))
	rows := func(f func(dst *byte, dstStep int, src *byte, srcStep, rows,
		groups int)) func(dst []T, dstStep int, src []T, srcStep, rows, groups int) {
		return func(dst []T, dstStep int, src []T, srcStep, rows, groups int) {
			f(first(dst), dstStep*size, first(src), srcStep*size, rows, groups)
		}
	}
	f.split, f.join = rows(a.split), rows(a.join)
	return &f
}
