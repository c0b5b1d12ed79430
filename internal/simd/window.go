package simd

import (
	"math"
	"unsafe"
)

// RowTile is what a kernel of sliding windows computes. Steps and offsets are in bytes.
type RowTile struct {
	X        unsafe.Pointer // the first element that windows read
	RowX     int            // from row to row of windows
	Y        unsafe.Pointer // a row of results, or of what sums are multiplied by
	RowY     int
	W        unsafe.Pointer // FilterRows: the weights of the taps; DotRows: the sums
	Off      *int32         // where taps read, from X
	Index    unsafe.Pointer // FilterRows: a bias; MaxRows: an int32 for each tap, its index from the first window's
	Taps     int            // at least 1
	Rows     int            // at least 1
	Cols     int            // windows of a row, at least 1
	Add      int            // FilterRows: sums begin at 0, 1: the bias, 2: y
	Found    *int64         // MaxRows: the indices of the greatest; nil where they are not wanted
	Position int32          // MaxRows: the index of the first window
}

// WindowKernels are kernels of windows that slide over rows. The result j of a row is made of what the taps read at
// element j, or j*stride for maxima.
type WindowKernels[T any] struct {
	Lanes int // elements of a vector
	Most  int // columns that FilterRows takes
	Taps  int // that DotRows takes

	filter [5]func(t *byte)
	dots   [5]func(t *byte)

	portableFilter, portableDots func(t *RowTile)
}

// FilterRows sets rows of y to the sums of w[t] * x[j + off[t]], in the order of t, fused where the level has FMA.
// Whole vectors of x are read, also behind the last column.
func (g *WindowKernels[T]) FilterRows(t *RowTile) {
	if g.Lanes > 0 {
		g.filter[(t.Cols+g.Lanes-1)/g.Lanes]((*byte)(unsafe.Pointer(t)))
		return
	}
	g.portableFilter(t)
}

// DotRows sets w[t] to the sum of x[j + off[t]] * y[j] over rows and columns.
func (g *WindowKernels[T]) DotRows(t *RowTile) {
	if g.Lanes > 0 {
		g.dots[t.Taps]((*byte)(unsafe.Pointer(t)))
		return
	}
	g.portableDots(t)
}

// WindowFloat32 and WindowFloat64 are the kernels for floats.
var (
	WindowFloat32 = WindowGo[float32]()
	WindowFloat64 = WindowGo[float64]()
)

// MaxRows1 and MaxRows2 find the greatest of windows that are one and two elements apart, and its index: the first of
// equals, the last NaN before all others. Windows of -Inf alone have the index of their first tap.
var (
	MaxRows1 = maxRowsGo(1)
	MaxRows2 = maxRowsGo(2)
)

// WindowGo are the kernels for T in Go.
func WindowGo[T GemmNumber]() *WindowKernels[T] {
	return &WindowKernels[T]{Most: 64, Taps: 4, portableFilter: filterRowsGo[T], portableDots: dotRowsGo[T]}
}

func filterRowsGo[T GemmNumber](t *RowTile) {
	w, off := unsafe.Slice((*T)(t.W), t.Taps), unsafe.Slice(t.Off, t.Taps)
	for r := range t.Rows {
		y := unsafe.Slice((*T)(unsafe.Add(t.Y, r*t.RowY)), t.Cols)
		switch t.Add {
		case 0:
			clear(y)
		case 1:
			for j := range y {
				y[j] = *(*T)(t.Index)
			}
		}
		for k, o := range off {
			a := w[k]
			for j, v := range unsafe.Slice((*T)(unsafe.Add(t.X, r*t.RowX+int(o))), t.Cols) {
				y[j] += a * v
			}
		}
	}
}

func dotRowsGo[T GemmNumber](t *RowTile) {
	for k, o := range unsafe.Slice(t.Off, t.Taps) {
		var sums [4]T
		for r := range t.Rows {
			x := unsafe.Slice((*T)(unsafe.Add(t.X, r*t.RowX+int(o))), t.Cols)
			y := unsafe.Slice((*T)(unsafe.Add(t.Y, r*t.RowY)), t.Cols)
			for ; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
				sums[0] += x[0] * y[0]
				sums[1] += x[1] * y[1]
				sums[2] += x[2] * y[2]
				sums[3] += x[3] * y[3]
			}
			for j, v := range x {
				sums[0] += v * y[j]
			}
		}
		*(*T)(unsafe.Add(t.W, k*int(unsafe.Sizeof(sums[0])))) = (sums[0] + sums[1]) + (sums[2] + sums[3])
	}
}

func maxRowsGo(stride int) func(t *RowTile) {
	return func(t *RowTile) {
		off, index := unsafe.Slice(t.Off, t.Taps), unsafe.Slice((*int32)(t.Index), t.Taps)
		y := unsafe.Slice((*float32)(t.Y), t.Cols)
		for j := range y {
			best, which := float32(math.Inf(-1)), index[0]
			for k, o := range off {
				if v := *(*float32)(unsafe.Add(t.X, 4*j*stride+int(o))); v > best || v != v {
					best, which = v, index[k]
				}
			}
			if y[j] = best; t.Found != nil {
				unsafe.Slice(t.Found, t.Cols)[j] = int64(t.Position + which + int32(j*stride))
			}
		}
	}
}

// wholeMaxRows is made of kernels that compute whole vectors of lanes windows, with indices and without. It leaves the
// rest to the Go form.
func wholeMaxRows(stride, lanes int, indices, only func(t *byte)) func(t *RowTile) {
	rest := maxRowsGo(stride)
	return func(t *RowTile) {
		all := t.Cols
		if t.Cols = all / lanes * lanes; t.Cols > 0 {
			if t.Found != nil {
				indices((*byte)(unsafe.Pointer(t)))
			} else {
				only((*byte)(unsafe.Pointer(t)))
			}
		}
		if done := t.Cols; done < all {
			u := *t
			u.X, u.Y = unsafe.Add(t.X, 4*done*stride), unsafe.Add(t.Y, 4*done)
			if t.Found != nil {
				u.Found = (*int64)(unsafe.Add(unsafe.Pointer(t.Found), 8*done))
			}
			u.Position, u.Cols = t.Position+int32(done*stride), all-done
			rest(&u)
		}
		t.Cols = all
	}
}

// Interleave writes a[0], b[0], a[1], b[1], … to dst, which has twice as many elements.
func Interleave[T any](dst, a, b []T) { InterleaveRows(dst, 0, a, b, 0, len(a), 1) }

// InterleaveRows is Interleave for rows of n elements of a and b, which begin src elements apart there, and to
// elements apart in dst.
func InterleaveRows[T any](dst []T, to int, a, b []T, src, n, rows int) {
	if n == 0 || rows == 0 {
		return
	}
	a, b, dst = a[:(rows-1)*src+n], b[:(rows-1)*src+n], dst[:(rows-1)*to+2*n]
	kernel, lanes := interleaveWords, interleaveLanes
	if n < lanes {
		kernel, lanes = interleaveShort, 8
	}
	if unsafe.Sizeof(*new(T)) == 4 && kernel != nil && n >= lanes {
		vectors, last := n/lanes, n-lanes
		for r := range rows {
			d, x, y := unsafe.Pointer(&dst[r*to]), unsafe.Pointer(&a[r*src]), unsafe.Pointer(&b[r*src])
			kernel((*byte)(d), (*byte)(x), (*byte)(y), vectors)
			if n%lanes > 0 { // the last vector again, up to the end
				kernel((*byte)(unsafe.Add(d, 8*last)), (*byte)(unsafe.Add(x, 4*last)), (*byte)(unsafe.Add(y, 4*last)), 1)
			}
		}
		return
	}
	for r := range rows {
		x, y := a[r*src:][:n], b[r*src:][:n]
		for i, d := 0, dst[r*to:][:2*n]; i < n; i++ {
			d[2*i], d[2*i+1] = x[i], y[i]
		}
	}
}

// interleaveWords is for rows of interleaveLanes elements of 4 bytes or more, interleaveShort for those of 8 or more.
var (
	interleaveWords, interleaveShort func(dst, a, b *byte, vectors int)
	interleaveLanes                  int
)
