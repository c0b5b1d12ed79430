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
func Interleave[T any](dst, a, b []T) {
	b, dst = b[:len(a)], dst[:2*len(a)]
	done := 0
	if unsafe.Sizeof(*new(T)) == 4 && interleaveWords != nil && len(a) >= interleaveLanes {
		vectors := len(a) / interleaveLanes
		interleaveWords(bytesOf(dst), bytesOf(a), bytesOf(b), vectors)
		// the last vector again, up to the end
		if done = vectors * interleaveLanes; done < len(a) && len(a) > interleaveLanes {
			done = len(a) - interleaveLanes
			interleaveWords(bytesOf(dst[2*done:]), bytesOf(a[done:]), bytesOf(b[done:]), 1)
			done = len(a)
		}
	}
	for i := done; i < len(a); i++ {
		dst[2*i], dst[2*i+1] = a[i], b[i]
	}
}

var (
	interleaveWords func(dst, a, b *byte, vectors int)
	interleaveLanes int
)
