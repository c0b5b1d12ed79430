package simd

import "unsafe"

// TapRow is how a row of results is made of a row of elements: each is the weighted sum of some of them, its taps.
// Results come in blocks of 16, whose taps lie within [TapSpan] elements from the block's base.
type TapRow struct {
	Taps   int       // of a result, at least 1; 1 without weights
	Cols   int       // results
	Reach  int       // elements of a row that may be read
	Base   []int32   // for each block
	At     []int32   // for each block, tap and result of it, the element's distance from the base; -1: none
	Weight []float32 // beside At; none where every result is one element as it is
}

// TapSpan is how far the taps of 16 results beside each other may lie apart, in elements.
const TapSpan = 64

const tapBlock = 16

// SumTapsFloat32 sets dst to the sums of the taps of src, in their order, each product rounded. Results without taps
// are 0.
var SumTapsFloat32 = sumTaps

// PickTapsFloat32 sets dst to the first taps of src.
var PickTapsFloat32 = pickTaps

// Tap is an element and its weight.
type Tap struct {
	At     int
	Weight float32
}

// NewTapRow is the row of cols results made of elements of a row of reach, as tap says: the k-th tap of result j, with
// ok false where it has no more. It is nil where taps lie too far apart.
func NewTapRow(cols, taps, reach int, weighted bool, tap func(j, k int) (t Tap, ok bool)) *TapRow {
	blocks := (cols + tapBlock - 1) / tapBlock
	r := &TapRow{Taps: taps, Cols: cols, Reach: reach, Base: make([]int32, blocks),
		At: make([]int32, blocks*taps*tapBlock)}
	if weighted {
		r.Weight = make([]float32, len(r.At))
	}
	for b := range blocks {
		least, most := reach, 0
		each := func(f func(i int, t Tap, ok bool)) {
			for k := range taps {
				for i := range tapBlock {
					if j := b*tapBlock + i; j < cols {
						t, ok := tap(j, k)
						f((b*taps+k)*tapBlock+i, t, ok)
					}
				}
			}
		}
		each(func(_ int, t Tap, ok bool) {
			if ok {
				least, most = min(least, t.At), max(most, t.At)
			}
		})
		if most-least >= TapSpan {
			return nil
		}
		if least == reach { // no taps at all
			least = 0
		}
		r.Base[b] = int32(least)
		at := r.At[b*taps*tapBlock:][:taps*tapBlock]
		for i := range at {
			at[i] = -1
		}
		each(func(i int, t Tap, ok bool) {
			if ok {
				r.At[i] = int32(t.At - least)
				if weighted {
					r.Weight[i] = t.Weight
				}
			}
		})
	}
	return r
}

func sumTaps(dst, src []float32, r *TapRow) {
	src, dst = src[:r.Reach], dst[:r.Cols]
	at, weight := r.At, r.Weight
	for b, base := range r.Base {
		var sums [tapBlock]float32
		from := src[base:]
		for k := range r.Taps {
			a, w := (*[tapBlock]int32)(at), (*[tapBlock]float32)(weight)
			at, weight = at[tapBlock:], weight[tapBlock:]
			for i, o := range a {
				var v float32
				if o >= 0 {
					v = float32(from[o] * w[i])
				}
				if k > 0 { // the first is not added to 0, which would change -0
					v += sums[i]
				}
				sums[i] = v
			}
		}
		copy(dst[b*tapBlock:], sums[:])
	}
}

func pickTaps(dst, src []float32, r *TapRow) {
	src = src[:r.Reach]
	for j := range dst[:r.Cols] {
		dst[j] = 0
		if o := r.At[j]; o >= 0 {
			dst[j] = src[r.Base[j/tapBlock]+o]
		}
	}
}

// tapKernel is a kernel as a function of slices.
func tapKernel(f func(dst, src *byte, reach int, base, at *int32, weight *float32, taps, cols int)) func(dst,
	src []float32, r *TapRow) {
	return func(dst, src []float32, r *TapRow) {
		if r.Cols > 0 {
			src, dst = src[:r.Reach], dst[:r.Cols]
			f((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), (*byte)(unsafe.Pointer(unsafe.SliceData(src))), r.Reach,
				unsafe.SliceData(r.Base), unsafe.SliceData(r.At), unsafe.SliceData(r.Weight), r.Taps, r.Cols)
		}
	}
}
