package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Gradients of layer norm and of batch norm of float32. With x̂ = (x - mean)·rstd and g the gradient of x̂, that of x
// is (g - mean of g - x̂·mean of g·x̂)·rstd.

func init() {
	kernels(map[string]tensor.Kernel{"_layer_norm_backward": layerNormGrad, "_batch_norm_backward": batchNormGrad})
}

// floats32 is a tensor argument as contiguous float32; nil for none.
func floats32(c *tensor.Call, i int) []float32 {
	t := c.Tensor(i)
	if t == nil {
		return nil
	}
	return contig[float32](c.Name(), t)
}

// onlyFloat32 panics for results of another dtype.
func onlyFloat32(c *tensor.Call) {
	if dt := c.Ret(0).Dtype(); dt != tensor.Float32 {
		panic(tensor.Errorf(c.Name(), "not implemented for %s", dt))
	}
}

var addFloat32 = kernelOfTwo[float32]("add float32")

// layerNormGrad adds the gradients of weight and bias up over chunks of rows in float32, and over the chunks in
// float64.
func layerNormGrad(c *tensor.Call) {
	const chunk = 32 // rows
	onlyFloat32(c)
	op, n := c.Name(), normalizedLen(c.Ints(2))
	lines, x, w := gradLinesOf(op, c.Tensor(0), n), floats32(c, 1), filled(floats32(c, 3), n, 1)
	mean, rstd := floats32(c, 4), floats32(c, 5)
	dx := tensor.Elems[float32](c.Ret(0))
	dw, db := tensor.Elems[float32](c.Ret(1)), tensor.Elems[float32](c.Ret(2))
	rows := len(mean)
	chunks := (rows + chunk - 1) / chunk
	parts := largeBuffer[float32](op, 2*chunks*n) // for each chunk, the weight's and the bias's
	parallel.For(chunks, max(1, grainSize/(chunk*max(1, n))), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			tensor.Interrupted(op)
			pw, pb := parts[2*k*n:][:n], parts[(2*k+1)*n:][:n]
			for i := k * chunk; i < min((k+1)*chunk, rows); i++ {
				g, x, dx := lines.at(i), x[i*n:][:n], dx[i*n:][:n]
				r, shift := rstd[i], -rstd[i]*mean[i]
				s, t := simd.LayerGradSumsFloat32(g, w, x, r, shift)
				simd.LayerGradFloat32(dx, g, w, x, r, shift, float32(s/float64(n)), float32(t/float64(n)))
				simd.WeightGradFloat32(pw, pw, g, x, r, shift)
				addFloat32(pb, pb, g)
			}
		}
	})
	for i, to := range [][]float32{dw, db} {
		if chunks == 0 {
			clear(to)
			continue
		}
		parallel.For((n+stripLen-1)/stripLen, max(1, grainSize/(chunks*stripLen)), func(lo, hi int) {
			l := newLender()
			defer l.end()
			sums := lent[float64](&l, simd.RowLen(stripLen))
			for k := lo; k < hi; k++ {
				first := k * stripLen
				width := min(stripLen, n-first)
				acc := sums[:simd.RowLen(width)]
				clear(acc)
				simd.SumRowsFloat32(acc, parts[i*n+first:], 2*n, chunks, width)
				for j := range width {
					to[first+j] = float32(acc[j])
				}
			}
		})
	}
	runtime.KeepAlive(c.Tensor(0))
	runtime.KeepAlive(c.Tensor(1))
}

func batchNormGrad(c *tensor.Call) {
	onlyFloat32(c)
	op, out := c.Name(), c.Ret(0)
	samples, chans, plane := channelsOf(c.Tensor(1).Sizes())
	x, w := floats32(c, 1), filled(floats32(c, 2), chans, 1)
	mean, rstd := floats32(c, 3), floats32(c, 4)
	to := out
	if !out.Contig() {
		to = tensor.Alloc(op, out.Sizes(), tensor.Float32, tensor.CPU)
	}
	dx, n := tensor.Elems[float32](to), float64(samples*plane)
	dw, db := tensor.Elems[float32](c.Ret(1)), tensor.Elems[float32](c.Ret(2))
	if plane == 1 {
		g := floats32(c, 0)
		channelStrips(op, x, dx, chans, func(x, dx []float32, first, width, room int) {
			batchGradStrip(dx, g[first:], x, w[first:], mean[first:], rstd[first:], dw[first:], db[first:], samples,
				chans, width, room)
		})
	} else {
		planes := gradLinesOf(op, c.Tensor(0), plane)
		parallel.For(chans, max(1, grainSize/max(1, samples*plane)), func(lo, hi int) {
			for ch := lo; ch < hi; ch++ {
				tensor.Interrupted(op)
				var s, t float64
				for i := range samples {
					at := (i*chans + ch) * plane
					si, ti := simd.ChannelGradSumsFloat32(planes.at(i*chans+ch), x[at:][:plane], mean[ch])
					s, t = s+si, t+ti
				}
				r := float64(rstd[ch])
				db[ch], dw[ch] = float32(s), float32(t*r)
				for i := range samples {
					at := (i*chans + ch) * plane
					simd.ChannelGradFloat32(dx[at:][:plane], planes.at(i*chans+ch), x[at:][:plane], mean[ch], float32(s/n),
						float32(t*r*r/n), w[ch]*rstd[ch])
				}
			}
		})
	}
	if to != out {
		copyTensor(op, out, to)
	}
	runtime.KeepAlive(c.Tensor(0))
	runtime.KeepAlive(c.Tensor(1))
}

// batchGradStrip computes width channels whose planes have one element; rows of samples are chans apart.
func batchGradStrip(dx, g, x, w, mean, rstd, dw, db []float32, samples, chans, width, room int) {
	const block = 16
	l := newLender()
	defer l.end()
	sums, dots := zeros[float64](&l, room), zeros[float64](&l, room)
	scale, shift, slope := lent[float32](&l, width), lent[float32](&l, width), lent[float32](&l, width)
	t, products := lent[float32](&l, width), lent[float32](&l, block*width+room)
	simd.SumRowsFloat32(sums, g, chans, samples, width)
	mean = mean[:width]
	for r := 0; r < samples; r += block {
		rows := min(block, samples-r)
		for i := range rows {
			at, p := (r+i)*chans, products[i*width:][:width]
			subFloat32(p, x[at:][:width], mean)
			mulFloat32(p, p, g[at:][:width])
		}
		simd.SumRowsFloat32(dots, products, width, rows, width)
	}
	for j := range width {
		r, n := float64(rstd[j]), float64(samples)
		db[j], dw[j] = float32(sums[j]), float32(dots[j]*r)
		shift[j], slope[j], scale[j] = float32(sums[j]/n), float32(dots[j]*r*r/n), w[j]*rstd[j]
	}
	for i := range samples {
		to, g, x := dx[i*chans:][:width], g[i*chans:][:width], x[i*chans:][:width]
		subFloat32(t, x, mean)
		mulFloat32(t, t, slope)
		simd.ShiftRowFloat32(to, g, shift, t)
		mulFloat32(to, to, scale)
	}
}
