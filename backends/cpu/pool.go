package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: pooling. Tensors are contiguous planes, one after the other; a plane is one task. Gradients are averages too: the mean of a window
// gives each of its elements an equal share back.

// poolPlan is a pooling of planes.
type poolPlan struct {
	op                                string
	planes, inH, inW, outH, outW      int
	kernel, stride, padding, dilation [2]int
	includePad                        bool
	divisor                           int          // 0: the number of elements
	half                              tensor.Dtype // of gradients: the half type that every step is rounded to
	adaptive                          bool         // windows are parts of the plane, as equal as they can be
}

func newPoolPlan(op string, in, out []int) *poolPlan {
	n := len(in)
	p := &poolPlan{op: op, planes: 1, inH: in[n-2], inW: in[n-1], outH: out[n-2], outW: out[n-1]}
	for _, s := range in[:n-2] {
		p.planes *= s
	}
	return p
}

// slidingPlan reads the window's slots from k on.
func slidingPlan(c *tensor.Call, k int, in, out []int) *poolPlan {
	p := newPoolPlan(c.Name(), in, out)
	kernel, stride, padding := c.PoolWindow(k)
	p.kernel, p.stride, p.padding, p.dilation = [2]int(kernel), [2]int(stride), [2]int(padding), [2]int{1, 1}
	return p
}

// average reads what avg_pool2d has beside the window.
func (p *poolPlan) average(c *tensor.Call, k int) *poolPlan {
	p.includePad, p.divisor = c.Bool(k+1), c.Int(k+2)
	return p
}

// span is the window of output i in dimension d: its first and last + 1 element inside of the plane, and its size with padding.
func (p *poolPlan) span(d, i, in, out int) (from, to, size int) {
	if p.adaptive {
		from, to = i*in/out, ((i+1)*in+out-1)/out
		return from, to, to - from
	}
	from = i*p.stride[d] - p.padding[d]
	to = min(from+p.kernel[d], in+p.padding[d])
	size = to - from
	return max(from, 0), min(to, in), size
}

// each calls f for every output of a plane with its window and what to divide by.
func (p *poolPlan) each(f func(out, h0, h1, w0, w1, divisor int)) {
	for i := range p.outH {
		h0, h1, sizeH := p.span(0, i, p.inH, p.outH)
		for j := range p.outW {
			w0, w1, sizeW := p.span(1, j, p.inW, p.outW)
			div := p.divisor
			if div == 0 {
				if div = (h1 - h0) * (w1 - w0); p.includePad {
					div = sizeH * sizeW
				}
			}
			f(i*p.outW+j, h0, h1, w0, w1, div)
		}
	}
}

func (p *poolPlan) run(f func(plane int)) {
	grain := max(1, grainSize/max(1, p.inH*p.inW))
	parallel.For(p.planes, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(p.op)
			f(i)
		}
	})
}

type poolFunc func(p *poolPlan, in, out *tensor.Tensor)

// poolTable has a kernel for every dtype that pooling computes in.
type poolTable [numDtypes]poolFunc

var (
	averages = poolTable{tensor.Int64: averagePlanes[int64], tensor.Float32: averagePlanes[float32], tensor.Float64: averagePlanes[float64]}
	shares   = poolTable{tensor.Int64: sharePlanes[int64], tensor.Float32: sharePlanes[float32], tensor.Float64: sharePlanes[float64]}
)

// run computes from in to out, half types in float32.
func (t *poolTable) run(c *tensor.Call, p *poolPlan, in *tensor.Tensor) {
	out := c.Ret(0)
	dt := out.Dtype().Accumulate()
	if t[dt] == nil {
		tensor.Errorf(c.Name(), "not implemented for %s", dt)
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(p.op, out.Sizes(), dt, tensor.CPU)
		p.half = out.Dtype()
	}
	x := contiguous(p.op, in, dt)
	t[dt](p, x, dst)
	if dst != out {
		copyTensor(p.op, out, dst)
	}
	runtime.KeepAlive(x)
}

func init() {
	kernels(map[string]tensor.Kernel{
		"nn.functional.avg_pool2d": func(c *tensor.Call) {
			averages.run(c, slidingPlan(c, 1, c.Tensor(0).Sizes(), c.Ret(0).Sizes()).average(c, 4), c.Tensor(0))
		},
		"_avg_pool2d_backward": func(c *tensor.Call) {
			shares.run(c, slidingPlan(c, 2, c.Ret(0).Sizes(), c.Tensor(0).Sizes()).average(c, 5), c.Tensor(0))
		},
		"nn.functional.adaptive_avg_pool2d": func(c *tensor.Call) {
			p := newPoolPlan(c.Name(), c.Tensor(0).Sizes(), c.Ret(0).Sizes())
			p.adaptive = true
			averages.run(c, p, c.Tensor(0))
		},
		"_adaptive_avg_pool2d_backward": func(c *tensor.Call) {
			p := newPoolPlan(c.Name(), c.Ret(0).Sizes(), c.Tensor(0).Sizes())
			p.adaptive = true
			shares.run(c, p, c.Tensor(0))
		},
		"nn.functional.max_pool2d_with_indices": maxPoolKernel,
	})
}

func averagePlanes[T interface{ int64 | float }](p *poolPlan, in, out *tensor.Tensor) {
	x, y := tensor.StorageElems[T](in)[in.StorageOffset():], tensor.StorageElems[T](out)[out.StorageOffset():]
	p.run(func(plane int) {
		src, dst := x[plane*p.inH*p.inW:], y[plane*p.outH*p.outW:]
		p.each(func(o, h0, h1, w0, w1, div int) {
			var sum T
			if w1-w0 == p.inW && w1-w0 > 8 { // whole rows lie in memory
				sum = sumOf(src[h0*p.inW : max(h0, h1)*p.inW])
				h0 = h1
			}
			for h := h0; h < h1; h++ {
				for _, v := range src[h*p.inW+w0 : h*p.inW+max(w0, w1)] {
					sum += v
				}
			}
			if div != 0 {
				sum /= T(div)
			}
			dst[o] = sum
		})
	})
}

// sumOf is the sum of a run of elements.
func sumOf[T interface{ int64 | float }](xs []T) (sum T) {
	switch xs := any(xs).(type) {
	case []float32:
		return T(simd.SumFloat32(xs))
	case []float64:
		return T(simd.SumFloat64(xs))
	}
	for _, v := range xs {
		sum += v
	}
	return sum
}

func sharePlanes[T interface{ int64 | float }](p *poolPlan, in, out *tensor.Tensor) {
	g, y := tensor.StorageElems[T](in)[in.StorageOffset():], tensor.StorageElems[T](out)[out.StorageOffset():]
	p.run(func(plane int) {
		src, dst := g[plane*p.outH*p.outW:], y[plane*p.inH*p.inW:]
		p.each(func(o, h0, h1, w0, w1, div int) {
			if div == 0 {
				return
			}
			v := src[o] / T(div)
			if p.half != tensor.NoDtype {
				v = T(roundTo(p.half, float32(v)))
			}
			for h := h0; h < h1; h++ {
				line := dst[h*p.inW+w0 : h*p.inW+max(w0, w1)]
				for i := range line {
					line[i] += v
				}
				if p.half != tensor.NoDtype {
					for i := range line {
						line[i] = T(roundTo(p.half, float32(line[i])))
					}
				}
			}
		})
	})
}

// roundTo rounds to a half type.
func roundTo(half tensor.Dtype, f float32) float32 {
	if half == tensor.Float16 {
		return tensor.ToHalf(f).Float32()
	}
	return tensor.ToBF16(f).Float32()
}

var maxima = [numDtypes]func(p *poolPlan, in, out, indices *tensor.Tensor){
	tensor.Uint8: maxPlanes[uint8], tensor.Int8: maxPlanes[int8], tensor.Int16: maxPlanes[int16], tensor.Int32: maxPlanes[int32],
	tensor.Int64: maxPlanes[int64], tensor.Float32: maxPlanes[float32], tensor.Float64: maxPlanes[float64],
}

func maxPoolKernel(c *tensor.Call) {
	out := c.Ret(0)
	p := slidingPlan(c, 1, c.Tensor(0).Sizes(), out.Sizes())
	p.dilation = [2]int(c.Pair(4, 2))
	dt := out.Dtype().Accumulate()
	if maxima[dt] == nil {
		tensor.Errorf(c.Name(), "not implemented for %s", dt)
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(p.op, out.Sizes(), dt, tensor.CPU)
	}
	x := contiguous(p.op, c.Tensor(0), dt)
	maxima[dt](p, x, dst, c.Ret(1))
	if dst != out {
		copyTensor(p.op, out, dst)
	}
	runtime.KeepAlive(x)
}

// maxPlanes finds the greatest element of each window, the first of equals, and a NaN before all others.
func maxPlanes[T interface {
	realNumber
	tensor.Element
}](p *poolPlan, in, out, indices *tensor.Tensor) {
	x, y, ix := tensor.Elems[T](in), tensor.Elems[T](out), tensor.Elems[int64](indices)
	p.run(func(plane int) {
		src, dst, places := x[plane*p.inH*p.inW:], y[plane*p.outH*p.outW:], ix[plane*p.outH*p.outW:]
		fast, ok := any(src).([]float32)
		for i := range p.outH {
			h0, h1 := p.window(0, i, p.inH)
			for j := range p.outW {
				w0, w1 := p.window(1, j, p.inW)
				best := -1
				var most T
				if ok {
					best = p.greatest(fast, h0, h1, w0, w1)
				}
				if best >= 0 {
					dst[i*p.outW+j], places[i*p.outW+j] = src[best], int64(best)
					continue
				}
				for h := h0; h < h1; h += p.dilation[0] {
					for w := w0; w < w1; w += p.dilation[1] {
						if v := src[h*p.inW+w]; best < 0 || v > most || v != v {
							best, most = h*p.inW+w, v
						}
					}
				}
				if best < 0 {
					best, most = 0, numberAs[T](tensor.FloatScalar(math.Inf(-1)))
				}
				dst[i*p.outW+j], places[i*p.outW+j] = most, int64(best)
			}
		}
	})
}

// window is the first element of output i's window inside of the plane, in dimension d of n elements, and where the window ends.
func (p *poolPlan) window(d, i, n int) (from, to int) {
	from = i*p.stride[d] - p.padding[d]
	to = min(n, from+(p.kernel[d]-1)*p.dilation[d]+1)
	if from < 0 {
		from += (-from + p.dilation[d] - 1) / p.dilation[d] * p.dilation[d]
	}
	return from, to
}

// greatest finds the first of the greatest elements of a window, without a branch for each: elements are compared as numbers whose
// order is theirs. It gives -1 for an empty window and for one with a NaN.
func (p *poolPlan) greatest(src []float32, h0, h1, w0, w1 int) int {
	const nan = 0x7f800001
	best, most := -1, int32(math.MinInt32)
	for h := h0; h < h1; h += p.dilation[0] {
		row := src[h*p.inW:][:p.inW]
		for w := w0; w < w1; w += p.dilation[1] {
			bits := int32(math.Float32bits(row[w] + 0)) // -0 and 0 are equal
			if bits&math.MaxInt32 >= nan {
				return -1
			}
			bits ^= bits >> 31 & math.MaxInt32
			at := h*p.inW + w
			if bits > most {
				best = at
			}
			most = max(most, bits)
		}
	}
	return best
}
