package cpu

import (
	"math"
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// convWeightRows is convWeight for groups of one or two filters: sums over rows of outputs.
func convWeightRows[T number](op string, w *geometry, n, groups, k int, xs, gs, os []T) {
	taps, plane, outs := volume(w.kernel), volume(w.in), volume(w.out)
	img := w.inputImage()
	offsets := make([]int, taps)
	w.eachTap(func(i int, at [3]int) {
		offsets[i] = img.at([3]int{at[0] * w.dilation[0], at[1] * w.dilation[1], at[2] * w.dilation[2]})
	})
	parallel.For(groups*w.c, 1, func(lo, hi int) {
		work, pool := gemm.Take[T]()
		defer pool.Put(work)
		buf := gemm.Room(&work.B, img.size()+imageSlack)
		for channel := lo; channel < hi; channel++ {
			g, c := channel/w.c, channel%w.c
			for s := range n {
				tensor.Interrupted(op)
				copyImage(img, buf[:img.size()], xs[((s*groups+g)*w.c+c)*plane:][:plane])
				for q := range k {
					grads := gs[((s*groups+g)*k+q)*outs:][:outs]
					dst := os[((g*k+q)*w.c+c)*taps:][:taps]
					if s == 0 {
						clear(dst)
					}
					sumTaps(work, dst, buf, grads, offsets, w, img)
				}
			}
		}
	})
}

// sumTaps adds to dst, for every tap, the sum of what it reads of x, a channel's image, times the gradients.
func sumTaps[T number](work *gemm.Work[T], dst, x, grads []T, offsets []int, w *geometry, img *image) {
	ks := windowKernelsOf[T]()
	var zero T
	size := int(unsafe.Sizeof(zero))
	off := &work.Off
	for i := 0; i < len(offsets); {
		count := 1
		off[0] = 0
		for ; count < ks.Taps && i+count < len(offsets); count++ {
			o := (offsets[i+count] - offsets[i]) * size
			if max(o, -o) > math.MaxInt32 {
				break
			}
			off[count] = int32(o)
		}
		t := &work.Row
		*t = simd.RowTile{RowX: img[2].length * size, RowY: w.out[2] * size, W: unsafe.Pointer(&work.Sums[0]),
			Off: &off[0], Taps: count,
			Rows: w.out[1], Cols: w.out[2]}
		for d := range w.out[0] {
			t.X = unsafe.Pointer(&x[offsets[i]+d*img[1].length*img[2].length])
			t.Y = unsafe.Pointer(&grads[d*w.out[1]*w.out[2]])
			ks.DotRows(t)
			for q, v := range work.Sums[:count] {
				dst[i+q] += v
			}
		}
		i += count
	}
}
