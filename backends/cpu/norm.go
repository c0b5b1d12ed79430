package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"_layer_norm":      func(c *tensor.Call) { onFloat(c, layerNorm[float32], layerNorm[float64]) },
		"_batch_norm":      func(c *tensor.Call) { onFloat(c, batchNorm[float32], batchNorm[float64]) },
		"_batch_norm_eval": func(c *tensor.Call) { onFloat(c, batchNormEval[float32], batchNormEval[float64]) },
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

// onFloat runs the kernel for the dtype of the call's first result. It is given a contiguous argument 0 and contiguous results; half types
// are computed in float32.
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
		tensor.Errorf(op, "not implemented for %s", dt)
	}
	for i, r := range c.Results() {
		if out[i] != r {
			copyTensor(op, r, out[i])
		}
	}
	runtime.KeepAlive(x)
}

// affine gives weight and bias, slots k and k+1, as float64; nil for none.
func affine(c *tensor.Call, k int) (w, b []float64) {
	if t := c.Tensor(k); t != nil {
		w = contig[float64](c.Name(), t)
	}
	if t := c.Tensor(k + 1); t != nil {
		b = contig[float64](c.Name(), t)
	}
	return w, b
}

// meanSquares gives the sum of the elements, and from it the mean, then the sum of the squared differences from it.
func meanSquares[T float](x []T) (mean, squares float64) {
	for _, v := range x {
		mean += float64(v)
	}
	mean /= float64(len(x))
	for _, v := range x {
		d := float64(v) - mean
		squares += d * d
	}
	return mean, squares
}

func layerNorm[T float](c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	eps := c.Float(4)
	w, b := affine(c, 2)
	n := 1
	for _, s := range c.Ints(1) {
		n *= s
	}
	src, dst := tensor.Elems[T](x), tensor.Elems[T](out[0])
	means, rstds := tensor.Elems[T](out[1]), tensor.Elems[T](out[2])
	half := c.Ret(0).Dtype()
	parallel.For(len(means), max(1, grainSize/max(1, 4*n)), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for i := lo; i < hi; i++ {
			row, to := src[i*n:][:n], dst[i*n:][:n]
			mean, squares := meanSquares(row)
			rstd := 1 / T(math.Sqrt(float64(T(squares/float64(n))+T(eps))))
			means[i], rstds[i] = T(mean), rstd
			shift := float64(-rstd * T(mean))
			if isHalf(half) { // PyTorch keeps these in the input's dtype
				rstd = T(roundTo(half, float32(rstd)))
				shift = float64(roundTo(half, float32(-float64(rstd)*float64(roundTo(half, float32(mean))))))
			}
			for j, v := range row {
				y := math.FMA(float64(v), float64(rstd), shift)
				y = float64(T(y)) // as PyTorch's kernel rounds; it shows where the deviation is next to nothing
				if w != nil {
					y *= w[j]
				}
				if b != nil {
					y += b[j]
				}
				to[j] = T(y)
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

func batchNorm[T float](c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	samples, chans, plane := channelsOf(x.Sizes())
	src, dst := tensor.Elems[T](x), tensor.Elems[T](out[0])
	means, vars := tensor.Elems[T](out[1]), tensor.Elems[T](out[2])
	eps := c.Float(3)
	w, b := affine(c, 1)
	n := float64(samples * plane)
	half := c.Ret(0).Dtype()
	parallel.For(chans, max(1, grainSize/max(1, 4*samples*plane)), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for ch := lo; ch < hi; ch++ {
			var mean, squares float64
			for s := range samples {
				for _, v := range src[(s*chans+ch)*plane:][:plane] {
					mean += float64(v)
				}
			}
			mean /= n
			for s := range samples {
				for _, v := range src[(s*chans+ch)*plane:][:plane] {
					d := float64(v) - mean
					squares += d * d
				}
			}
			means[ch], vars[ch] = T(mean), T(squares/n)
			rstd := 1 / math.Sqrt(squares/n+eps)
			if isHalf(half) { // PyTorch keeps the statistics in the input's dtype
				mean, rstd = float64(roundTo(half, float32(mean))), float64(roundTo(half, float32(rstd)))
			}
			scale, shift := scaleShift(ch, rstd, w, b)
			for s := range samples {
				scaleLine(dst[(s*chans+ch)*plane:][:plane], src[(s*chans+ch)*plane:][:plane], mean, scale, shift)
			}
		}
	})
}

// scaleShift gives what a channel's differences from the mean are multiplied by, and what is added then.
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

func scaleLine[T float](dst, src []T, mean, scale, shift float64) {
	for i, v := range src {
		dst[i] = T((float64(v)-mean)*scale + shift)
	}
}

func batchNormEval[T float](c *tensor.Call, x *tensor.Tensor, out []*tensor.Tensor) {
	src, dst := tensor.Elems[T](x), tensor.Elems[T](out[0])
	if len(src) == 0 {
		return
	}
	_, chans, plane := channelsOf(x.Sizes())
	mean, variance := contig[float64](c.Name(), c.Tensor(3)), contig[float64](c.Name(), c.Tensor(4))
	w, b := affine(c, 1)
	eps := c.Float(5)
	parallel.For(len(src)/plane, max(1, grainSize/plane), func(lo, hi int) {
		tensor.Interrupted(c.Name())
		for i := lo; i < hi; i++ {
			ch := i % chans
			scale, shift := scaleShift(ch, 1/math.Sqrt(variance[ch]+eps), w, b)
			scaleLine(dst[i*plane:][:plane], src[i*plane:][:plane], mean[ch], scale, shift)
		}
	})
}
