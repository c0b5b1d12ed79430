package cpu

import (
	"fmt"
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

var maxima = [numDtypes]func(p *poolPlan, in, out, indices *tensor.Tensor){
	tensor.Uint8: maxPlanes[uint8], tensor.Int8: maxPlanes[int8], tensor.Int16: maxPlanes[int16], tensor.Int32: maxPlanes[int32],
	tensor.Int64: maxPlanes[int64], tensor.Float32: maxPlanes[float32], tensor.Float64: maxPlanes[float64],
}

func init() {
	m := map[string]tensor.Kernel{"_max_pool_backward": maxPoolBackward}
	for n := 2; n <= 3; n++ {
		m[fmt.Sprintf("nn.functional.max_pool%dd_with_indices", n)] = func(c *tensor.Call) {
			p := slidingPlan(c, 1, c.Tensor(0).Sizes(), c.Ret(0).Sizes(), n)
			copy(p.dilation[3-n:], c.Pair(4, n))
			maxPool(c, p)
		}
		m[fmt.Sprintf("nn.functional.adaptive_max_pool%dd_with_indices", n)] = func(c *tensor.Call) {
			maxPool(c, adaptivePlan(c, c.Tensor(0).Sizes(), c.Ret(0).Sizes(), n))
		}
	}
	kernels(m)
}

func maxPool(c *tensor.Call, p *poolPlan) {
	out := c.Ret(0)
	dt := out.Dtype().Accumulate()
	if maxima[dt] == nil {
		tensor.Errorf(c.Name(), "not implemented for %s", dt)
	}
	if out.Numel() == 0 {
		return
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(p.op, out.Sizes(), dt, tensor.CPU)
	}
	p.place()
	x := contiguous(p.op, c.Tensor(0), dt)
	maxima[dt](p, x, dst, c.Ret(1))
	if dst != out {
		copyTensor(p.op, out, dst)
	}
	runtime.KeepAlive(x)
}

// maxPlanes finds the greatest element of each window, the first of equals, and the last NaN before all others.
func maxPlanes[T interface {
	realNumber
	tensor.Element
}](p *poolPlan, in, out, indices *tensor.Tensor) {
	x, y, ix := tensor.Elems[T](in), tensor.Elems[T](out), tensor.Elems[int64](indices)
	plane := volume(p.in)
	lowest := numberAs[T](tensor.FloatScalar(math.Inf(-1)))
	p.rows(func(at, d, h int) {
		src := x[at*plane:][:plane]
		first := ((at*p.out[0]+d)*p.out[1] + h) * p.out[2]
		dst, found := y[first:][:p.out[2]], ix[first:][:p.out[2]]
		sd, sh := p.spans[0][d], p.spans[1][h]
		fast, ok := any(src).([]float32)
		for j, s := range p.spans[2] {
			best := -1
			if ok {
				best = p.greatest(fast, sd, sh, s)
			}
			if best >= 0 {
				dst[j], found[j] = src[best], int64(best)
				continue
			}
			most := lowest
			for e := sd.from; e < sd.to; e += p.dilation[0] {
				for r := sh.from; r < sh.to; r += p.dilation[1] {
					row := (e*p.in[1] + r) * p.in[2]
					for w := s.from; w < s.to; w += p.dilation[2] {
						if v := src[row+w]; best < 0 || v > most || v != v {
							best, most = row+w, v
						}
					}
				}
			}
			dst[j], found[j] = most, int64(max(best, 0))
		}
	})
}

// greatest finds the first of the greatest elements of a window, without a branch for each: elements are compared as numbers whose
// order is theirs. It gives -1 for an empty window and for one with a NaN.
func (p *poolPlan) greatest(src []float32, d, h, w poolWindow) int {
	const nan = 0x7f800001
	best, most := -1, int32(math.MinInt32)
	for e := d.from; e < d.to; e += p.dilation[0] {
		for r := h.from; r < h.to; r += p.dilation[1] {
			at := (e*p.in[1] + r) * p.in[2]
			row := src[at:][:p.in[2]]
			for i := w.from; i < w.to; i += p.dilation[2] {
				bits := int32(math.Float32bits(row[i] + 0)) // -0 and 0 are equal
				if bits&math.MaxInt32 >= nan {
					return -1
				}
				bits ^= bits >> 31 & math.MaxInt32
				if bits > most {
					best = at + i
				}
				most = max(most, bits)
			}
		}
	}
	return best
}

// maxPoolBackward adds each gradient to the element that was the greatest of its window.
func maxPoolBackward(c *tensor.Call) {
	out := c.Ret(0)
	if out.Numel() == 0 {
		return
	}
	dt := out.Dtype().Accumulate()
	op := c.Name()
	f := maxGradients[dt]
	if f == nil {
		tensor.Errorf(op, "not implemented for %s", dt)
	}
	g, indices := contiguous(op, c.Tensor(0), dt), contiguous(op, c.Tensor(1), tensor.Int64)
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
	}
	f(newPoolPlan(op, out.Sizes(), g.Sizes(), c.Int(3)), out.Dtype(), g, indices, dst)
	if dst != out {
		copyTensor(op, out, dst)
	}
	runtime.KeepAlive(g)
	runtime.KeepAlive(indices)
}

var maxGradients = [numDtypes]func(p *poolPlan, round tensor.Dtype, g, indices, out *tensor.Tensor){
	tensor.Int64: maxGradient[int64], tensor.Float32: maxGradient[float32], tensor.Float64: maxGradient[float64],
}

func maxGradient[T poolNumber](p *poolPlan, round tensor.Dtype, grad, indices, out *tensor.Tensor) {
	g, ix, y := tensor.Elems[T](grad), tensor.Elems[int64](indices), tensor.Elems[T](out)
	plane, outs := volume(p.in), volume(p.out)
	half := round == tensor.Float16 || round == tensor.Bfloat16
	parallel.For(p.planes, max(1, grainSize/max(1, plane)), func(lo, hi int) {
		for at := lo; at < hi; at++ {
			dst, from := y[at*plane:][:plane], g[at*outs:][:outs]
			clear(dst)
			for i, to := range ix[at*outs:][:outs] {
				if i&0xfffff == 0 {
					tensor.Interrupted(p.op)
				}
				if uint(to) >= uint(plane) {
					tensor.Errorf(p.op, "index %d is out of range for planes of %d elements", to, plane)
				}
				dst[to] += from[i]
				if half {
					roundRow(round, dst[to:to+1])
				}
			}
		}
	})
}
