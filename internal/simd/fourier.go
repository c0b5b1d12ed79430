package simd

import "unsafe"

// Note: Fourier transforms of many lines side by side. Lanes of vectors are lines: a group has the real parts of one
// element of Lanes lines, then the imaginary parts, and a line's elements follow one another groups apart. Every
// operation is on whole vectors, so that a line's values do not depend on the lines beside it. Where inverse is set,
// real and imaginary parts change places, which makes the inverse transform of the forward one. Nothing is fused: all
// levels have the same bits.

// Fourier has the kernels for groups of float32 or float64.
type Fourier[T float32 | float64] struct {
	// Lanes is the number of lines of a group.
	Lanes int

	steps, lasts [6]func(dst, src, w []T, m, s int, inverse bool)
	odd          func(dst, src, w, roots, room []T, radix, m, s int, inverse bool)
	times        func(x, w []T, groups int, inverse bool)
	fold         func(low, high, w []T, factor T, pairs, groups int)
	foldLine     func(low, high, w, factor *byte, blocks int) // of vectors; nil where there is none
	split, join  func(dst []T, dstStep int, src []T, srcStep, rows, groups int)
}

var (
	fourier32 = portableFourier[float32](8)
	fourier64 = portableFourier[float64](4)
)

// FourierOf returns the kernels for T at the current level.
func FourierOf[T float32 | float64]() *Fourier[T] {
	if f, ok := any(fourier32).(*Fourier[T]); ok {
		return f
	}
	return any(fourier64).(*Fourier[T])
}

// Step makes s·m transforms of radix elements each, the inputs m·s groups apart and the outputs s groups apart. Those
// of s groups, which lie side by side, are multiplied by the same radix-1 twiddles; w has them for each of m. For
// another radix than 2 to 5, which must be odd, roots has cosine and sine of 2π·j·k/radix for j and k to radix/2.
func (f *Fourier[T]) Step(dst, src, w, roots []T, radix, m, s int, inverse bool) {
	n := 2 * f.Lanes * radix * m * s
	dst, src, w = dst[:n], src[:n], w[:2*(radix-1)*m]
	switch {
	case radix > 5:
		half := radix / 2
		room := make([]T, (4*half+2)*f.Lanes)
		f.odd(dst, src, w, roots[:2*half*half], room, radix, m, s, inverse)
	case m == 1:
		f.lasts[radix](dst, src, w, m, s, inverse)
	default:
		f.steps[radix](dst, src, w, m, s, inverse)
	}
}

// Times multiplies groups by those of w, whose parts stay in their places.
func (f *Fourier[T]) Times(x, w []T, inverse bool) {
	n := len(x) / (2 * f.Lanes)
	f.times(x[:2*f.Lanes*n], w[:2*f.Lanes*n], n, inverse)
}

// Fold makes, of the transform of h complex numbers whose parts are 2h real ones, the first h+1 numbers of the
// transform of these, multiplied by 2·factor; or the reverse, multiplied by factor. The roots for rows 1 to h/2 are
// exp(-πi·k/h), to be conjugated and negated for the reverse.
func (f *Fourier[T]) Fold(x, w []T, factor T, h, groups int, reverse bool) {
	row := 2 * f.Lanes * groups
	x = x[:(h+1)*row]
	first, last := x[:row], x[h*row:]
	for q := 0; q < row; q += 2 * f.Lanes {
		for k := q; k < q+f.Lanes; k++ {
			im := k + f.Lanes
			if reverse {
				a, b := first[k], last[k]
				first[k], first[im] = factor*(a+b), factor*(a-b)
				continue
			}
			a, b := first[k], first[im]
			first[k], first[im], last[k], last[im] = 2*factor*(a+b), 0, 2*factor*(a-b), 0
		}
	}
	if pairs := h / 2; pairs > 0 {
		f.fold(x[row:(pairs+1)*row], x[(h-pairs)*row:h*row], w[:2*pairs], factor, pairs, groups)
	}
}

// FoldLine is Fold for one line, whose real and imaginary parts lie beside each other.
func (f *Fourier[T]) FoldLine(x, w []T, factor T, reverse bool) {
	last := len(x) - 2
	if a, b := x[0], x[1]; reverse {
		x[0], x[1] = factor*(a+x[last]), factor*(a-x[last])
	} else {
		x[0], x[1], x[last], x[last+1] = 2*factor*(a+b), 0, 2*factor*(a-b), 0
	}
	from, vector := 2, 32/int(unsafe.Sizeof(factor))
	if blocks := (last/2 - 1) / 2 * 2 / vector; f.foldLine != nil && blocks > 0 {
		_ = w[blocks*vector-1]
		f.foldLine((*byte)(unsafe.Pointer(&x[2])), (*byte)(unsafe.Pointer(&x[last-vector])),
			(*byte)(unsafe.Pointer(unsafe.SliceData(w))), (*byte)(unsafe.Pointer(&factor)), blocks)
		from += blocks * vector
	}
	for i, j := from, last-from; i <= j; i, j = i+2, j-2 {
		wr, wi := w[i-2], w[i-1]
		er, ei, u, d := x[i]+x[j], x[i+1]-x[j+1], x[i+1]+x[j+1], x[i]-x[j]
		p, q := T(u*wr)+T(d*wi), T(d*wr)-T(u*wi)
		x[i], x[i+1] = T((er+p)*factor), T((ei-q)*factor)
		x[j], x[j+1] = T((er-p)*factor), T((0-ei-q)*factor)
	}
}

// Split makes groups of rows of complex numbers; the rows begin dstStep and srcStep elements of T apart.
func (f *Fourier[T]) Split(dst []T, dstStep int, src []T, srcStep, rows, groups int) {
	if n := 2 * f.Lanes * groups; rows > 0 && n > 0 {
		f.split(dst[:(rows-1)*dstStep+n], dstStep, src[:(rows-1)*srcStep+n], srcStep, rows, groups)
	}
}

// Join is the reverse of Split.
func (f *Fourier[T]) Join(dst []T, dstStep int, src []T, srcStep, rows, groups int) {
	if n := 2 * f.Lanes * groups; rows > 0 && n > 0 {
		f.join(dst[:(rows-1)*dstStep+n], dstStep, src[:(rows-1)*srcStep+n], srcStep, rows, groups)
	}
}
