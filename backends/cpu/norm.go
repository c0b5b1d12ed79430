package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"_layer_norm":      func(c *tensor.Call) { onFloat(c, layerNorm32, layerNorm64) },
		"_batch_norm":      func(c *tensor.Call) { onFloat(c, batchNorm32, batchNorm64) },
		"_batch_norm_eval": func(c *tensor.Call) { onFloat(c, batchNormEval32, batchNormEval64) },
	})
}

func init() {
	ternaryWith("_standardized", func(*tensor.Call) func(dst, x, mean, rstd []float32) { return standardized[float32] })
	ternaryWith("_standardized", func(*tensor.Call) func(dst, x, mean, rstd []float64) { return standardized[float64] })
}

func standardized[T float](dst, x, mean, rstd []T) {
	for i, v := range x {
		dst[i] = T(math.FMA(float64(v), float64(rstd[i]), float64(-rstd[i]*mean[i])))
	}
}

// onFloat runs the kernel for the dtype of the call's first result. It is given a contiguous argument 0 and contiguous
// results; half types are computed in float32.
func onFloat(c *tensor.Call, f32, f64 func(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor)) {
	op, dt := c.Name(), c.Ret(0).Dtype().Accumulate()
	out := make([]*tensor.Tensor, len(c.Results()))
	for i, r := range c.Results() {
		if out[i] = r; r.Dtype() != dt || !r.Contig() {
			out[i] = tensor.Alloc(op, r.Sizes(), dt, tensor.CPU)
		}
	}
	x := contiguous(op, c.Tensor(0), dt)
	switch dt {
	case tensor.Float32:
		f32(c, x, out)
	case tensor.Float64:
		f64(c, x, out)
	default:
		panic(tensor.Errorf(op, "not implemented for %s", dt))
	}
	for i, r := range c.Results() {
		if out[i] != r {
			copyTensor(op, r, out[i])
		}
	}
	runtime.KeepAlive(x)
}

// affine is weight and bias, slots k and k+1, as T; nil for none.
func affine[T tensor.Element](c *tensor.Call, k int) (w, b []T) {
	if t := c.Tensor(k); t != nil {
		w = contig[T](c.Name(), t)
	}
	if t := c.Tensor(k + 1); t != nil {
		b = contig[T](c.Name(), t)
	}
	return w, b
}

// filled is w, or n ones or zeros in place of none.
func filled(w []float32, n int, v float32) []float32 {
	if w == nil {
		w = make([]float32, n)
		for i := range w {
			w[i] = v
		}
	}
	return w
}

// meanSquares is the mean of the elements, and the sum of the squared differences from it.
func meanSquares(x []float64) (mean, squares float64) {
	mean = simd.SumFloat64(x) / float64(len(x))
	return mean, simd.SumDeviationsFloat64(x, mean)
}

// normalizedLen is the number of elements that a layer norm's statistics are taken over.
func normalizedLen(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// layerNorm32 normalizes rows: x*rstd - mean*rstd in one rounding, as PyTorch does, then times weight plus bias.
func layerNorm32(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	eps, n := float32(c.Float(4)), normalizedLen(c.Ints(1))
	w, b := affine[float32](c, 2)
	plain := w == nil && b == nil
	w, b = filled(w, n, 1), filled(b, n, 0)
	src, dst := tensor.Elems[float32](x), tensor.Elems[float32](out[0])
	means, rstds := tensor.Elems[float32](out[1]), tensor.Elems[float32](out[2])
	half := c.Ret(0).Dtype()
	parallel.For(len(means), max(1, grainSize/max(1, n)), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for i := lo; i < hi; i++ {
			row, to := src[i*n:][:n], dst[i*n:][:n]
			mean := simd.SumFloat32(row) / float64(n)
			rstd := 1 / float32(math.Sqrt(float64(float32(simd.SumDeviationsFloat32(row, mean)/float64(n))+eps)))
			means[i], rstds[i] = float32(mean), rstd
			shift := -rstd * float32(mean)
			if isHalf(half) { // PyTorch keeps these in the input's dtype
				rstd = roundTo(half, rstd)
				shift = roundTo(half, float32(-float64(rstd)*float64(roundTo(half, float32(mean)))))
			}
			if plain {
				simd.ChannelNormFloat32(to, row, 0, rstd, shift)
			} else {
				simd.LayerNormFloat32(to, row, w, b, rstd, shift)
			}
		}
	})
}

func layerNorm64(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	eps, n := c.Float(4), normalizedLen(c.Ints(1))
	w, b := affine[float64](c, 2)
	src, dst := tensor.Elems[float64](x), tensor.Elems[float64](out[0])
	means, rstds := tensor.Elems[float64](out[1]), tensor.Elems[float64](out[2])
	parallel.For(len(means), max(1, grainSize/max(1, 4*n)), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for i := lo; i < hi; i++ {
			row, to := src[i*n:][:n], dst[i*n:][:n]
			mean, squares := meanSquares(row)
			rstd := 1 / math.Sqrt(squares/float64(n)+eps)
			means[i], rstds[i] = mean, rstd
			shift := -rstd * mean
			for j, v := range row {
				y := math.FMA(v, rstd, shift)
				if w != nil {
					y *= w[j]
				}
				if b != nil {
					y += b[j]
				}
				to[j] = y
			}
		}
	})
}

// channelsOf counts the planes of one channel, dimension 1.
func channelsOf(shape []int) (samples, chans, plane int) {
	plane = 1
	for _, s := range shape[2:] {
		plane *= s
	}
	return shape[0], shape[1], plane
}

func batchNorm32(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	samples, chans, plane := channelsOf(x.Sizes())
	src, dst := tensor.Elems[float32](x), tensor.Elems[float32](out[0])
	means, vars := tensor.Elems[float32](out[1]), tensor.Elems[float32](out[2])
	eps := c.Float(3)
	w, b := affine[float64](c, 1)
	n := float64(samples * plane)
	half := c.Ret(0).Dtype()
	// scaling rounds the statistics of a channel as PyTorch does, and makes its line: (x - mean)*scale + shift.
	scaling := func(ch int, mean, squares float64) (m, scale, shift float64) {
		variance := squares / n
		if isHalf(half) { // the sum of squares, and what is made of it, are kept in the input's dtype
			variance = float64(roundTo(half, float32(float64(roundTo(half, float32(squares)))/n)))
		}
		means[ch], vars[ch] = float32(mean), float32(variance)
		rstd := 1 / math.Sqrt(variance+eps)
		if isHalf(half) {
			mean, rstd = float64(roundTo(half, float32(mean))), float64(roundTo(half, float32(rstd)))
		}
		scale, shift = scaleShift(ch, rstd, w, b)
		return mean, scale, shift
	}
	if plane == 1 {
		channelStrips(c.Name(), src, dst, chans, func(src, dst []float32, first, width, room int) {
			l := newLender()
			defer l.end()
			m, sq := zeros[float64](&l, room), zeros[float64](&l, room)
			scales, shifts := lent[float32](&l, width), lent[float32](&l, width)
			simd.SumRowsFloat32(m, src, chans, samples, width)
			for j := range width {
				m[j] /= n
			}
			simd.SumDeviationsRowsFloat32(sq, m, src, chans, samples, width)
			for j := range width {
				mean, scale, shift := scaling(first+j, m[j], sq[j])
				scales[j], shifts[j] = float32(scale), float32(shift-mean*scale)
			}
			for i := range samples {
				simd.LayerNormFloat32(dst[i*chans:][:width], src[i*chans:][:width], scales, shifts, 1, 0)
			}
		})
		return
	}
	parallel.For(chans, max(1, grainSize/max(1, samples*plane)), func(lo, hi int) {
		for ch := lo; ch < hi; ch++ {
			tensor.Interrupted(c.Name())
			var sum, squares float64
			for s := range samples {
				sum += simd.SumFloat32(src[(s*chans+ch)*plane:][:plane])
			}
			mean := sum / n
			for s := range samples {
				squares += simd.SumDeviationsFloat32(src[(s*chans+ch)*plane:][:plane], mean)
			}
			mean, scale, shift := scaling(ch, mean, squares)
			for s := range samples {
				at := (s*chans + ch) * plane
				simd.ChannelNormFloat32(dst[at:][:plane], src[at:][:plane], float32(mean), float32(scale), float32(shift))
			}
		}
	})
}

// channelStrips calls f for strips of channels whose planes have one element: src and dst begin at channel first, and
// width channels have room in rows for vectors.
func channelStrips(op string, src, dst []float32, chans int, f func(src, dst []float32, first, width, room int)) {
	strips := (chans + stripLen - 1) / stripLen
	parallel.For(strips, max(1, grainSize*strips/max(1, len(src))), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			first := i * stripLen
			width := min(stripLen, chans-first)
			f(src[first:], dst[first:], first, width, simd.RowLen(width))
		}
	})
}

func batchNorm64(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	samples, chans, plane := channelsOf(x.Sizes())
	src, dst := tensor.Elems[float64](x), tensor.Elems[float64](out[0])
	means, vars := tensor.Elems[float64](out[1]), tensor.Elems[float64](out[2])
	eps := c.Float(3)
	w, b := affine[float64](c, 1)
	n := float64(samples * plane)
	parallel.For(chans, max(1, grainSize/max(1, 4*samples*plane)), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for ch := lo; ch < hi; ch++ {
			var sum, squares float64
			for s := range samples {
				sum += simd.SumFloat64(src[(s*chans+ch)*plane:][:plane])
			}
			mean := sum / n
			for s := range samples {
				squares += simd.SumDeviationsFloat64(src[(s*chans+ch)*plane:][:plane], mean)
			}
			means[ch], vars[ch] = mean, squares/n
			scale, shift := scaleShift(ch, 1/math.Sqrt(squares/n+eps), w, b)
			for s := range samples {
				scaleLine(dst[(s*chans+ch)*plane:][:plane], src[(s*chans+ch)*plane:][:plane], mean, scale, shift)
			}
		}
	})
}

// scaleShift is what a channel's differences from the mean are multiplied by, and what is added then.
func scaleShift(ch int, rstd float64, w, b []float64) (scale, shift float64) {
	scale = rstd
	if w != nil {
		scale *= w[ch]
	}
	if b != nil {
		shift = b[ch]
	}
	return scale, shift
}

func scaleLine(dst, src []float64, mean, scale, shift float64) {
	for i, v := range src {
		dst[i] = (v-mean)*scale + shift
	}
}

func batchNormEval32(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	src, dst := tensor.Elems[float32](x), tensor.Elems[float32](out[0])
	if len(src) == 0 {
		return
	}
	_, chans, plane := channelsOf(x.Sizes())
	mean, scale, shift := evalLines(c, chans)
	if plane == 1 {
		w, b := make([]float32, chans), make([]float32, chans)
		for ch := range w {
			w[ch], b[ch] = float32(scale[ch]), float32(shift[ch]-mean[ch]*scale[ch])
		}
		parallel.For(len(src)/chans, max(1, grainSize/chans), func(lo, hi int) {
			tensor.Interrupted(c.Name())
			for i := lo; i < hi; i++ {
				simd.LayerNormFloat32(dst[i*chans:][:chans], src[i*chans:][:chans], w, b, 1, 0)
			}
		})
		return
	}
	parallel.For(len(src)/plane, max(1, grainSize/plane), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for i := lo; i < hi; i++ {
			ch := i % chans
			simd.ChannelNormFloat32(dst[i*plane:][:plane], src[i*plane:][:plane], float32(mean[ch]), float32(scale[ch]),
				float32(shift[ch]))
		}
	})
}

// evalLines are the lines of all channels under given statistics: (x - mean)*scale + shift.
func evalLines(c *tensor.Call, chans int) (mean, scale, shift []float64) {
	mean = contig[float64](c.Name(), c.Tensor(3))
	variance := contig[float64](c.Name(), c.Tensor(4))
	w, b := affine[float64](c, 1)
	scale, shift = make([]float64, chans), make([]float64, chans)
	for ch := range scale {
		scale[ch], shift[ch] = scaleShift(ch, 1/math.Sqrt(variance[ch]+c.Float(5)), w, b)
	}
	return mean, scale, shift
}

func batchNormEval64(c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	src, dst := tensor.Elems[float64](x), tensor.Elems[float64](out[0])
	if len(src) == 0 {
		return
	}
	_, chans, plane := channelsOf(x.Sizes())
	mean, scale, shift := evalLines(c, chans)
	parallel.For(len(src)/plane, max(1, grainSize/plane), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for i := lo; i < hi; i++ {
			ch := i % chans
			scaleLine(dst[i*plane:][:plane], src[i*plane:][:plane], mean[ch], scale[ch], shift[ch])
		}
	})
}
