package cpu

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

var maxima = [numDtypes]func(p *poolPlan, in, out, indices *tensor.Tensor){
	tensor.Uint8: maxPlanes[uint8], tensor.Int8: maxPlanes[int8], tensor.Int16: maxPlanes[int16],
	tensor.Int32: maxPlanes[int32],
	tensor.Int64: maxPlanes[int64], tensor.Float32: maxPlanes[float32], tensor.Float64: maxPlanes[float64],
}

func init() {
	m := map[string]tensor.Kernel{"_max_pool_backward": maxPoolBackward}
	for n := 2; n <= 3; n++ {
		sliding := func(c *tensor.Call) *poolPlan {
			p := slidingPlan(c, 1, c.Tensor(0).Sizes(), c.Ret(0).Sizes(), n)
			copy(p.dilation[3-n:], c.Pair(4, n))
			return p
		}
		adaptive := func(c *tensor.Call) *poolPlan {
			return adaptivePlan(c, c.Tensor(0).Sizes(), c.Ret(0).Sizes(), n)
		}
		name := func(format string) string { return fmt.Sprintf(format, n) }
		m[name("nn.functional.max_pool%dd_with_indices")] = func(c *tensor.Call) { maxPool(c, sliding(c), c.Ret(1)) }
		m[name("_max_pool%dd")] = func(c *tensor.Call) { maxPool(c, sliding(c), nil) }
		m[name("nn.functional.adaptive_max_pool%dd_with_indices")] = func(c *tensor.Call) {
			maxPool(c, adaptive(c), c.Ret(1))
		}
		m[name("_adaptive_max_pool%dd")] = func(c *tensor.Call) { maxPool(c, adaptive(c), nil) }
	}
	kernels(m)
}

// maxPool finds the greatest elements, and their indices where they are wanted.
func maxPool(c *tensor.Call, p *poolPlan, indices *tensor.Tensor) {
	out := c.Ret(0)
	dt := out.Dtype().Accumulate()
	if maxima[dt] == nil {
		panic(tensor.Errorf(c.Name(), "not implemented for %s", dt))
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
	maxima[dt](p, x, dst, indices)
	if dst != out {
		copyTensor(p.op, out, dst)
	}
	runtime.KeepAlive(x)
}

// maxPlanes finds the greatest element of each window, the first of equals, and the last NaN before all others, and
// where they are if there are indices.
func maxPlanes[T interface {
	realNumber
	tensor.Element
}](p *poolPlan, in, out, indices *tensor.Tensor) {
	x, y, ix := tensor.Elems[T](in), tensor.Elems[T](out), elemsOf[int64](indices)
	if xs, ok := any(x).([]float32); ok && p.maxRowKernel() != nil {
		maxByRows(p, xs, any(y).([]float32), ix)
		return
	}
	plane := volume(p.in)
	lowest := numberAs[T](tensor.FloatScalar(math.Inf(-1)))
	p.rows(func(at, d, h int) {
		src := x[at*plane:][:plane]
		first := ((at*p.out[0]+d)*p.out[1] + h) * p.out[2]
		dst := y[first:][:p.out[2]]
		sd, sh := p.spans[0][d], p.spans[1][h]
		for j, s := range p.spans[2] {
			best, most := -1, lowest
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
			if dst[j] = most; ix != nil {
				ix[first+j] = int64(max(best, 0))
			}
		}
	})
}

// maxRowKernel is the kernel for windows that lie inside of a row, nil where there is none.
func (p *poolPlan) maxRowKernel() func(t *simd.RowTile) {
	lo, hi := p.inner()
	switch {
	case lo == hi || 4*volume(p.in) > math.MaxInt32:
	case p.stride[2] == 1:
		return simd.MaxRows1
	case p.stride[2] == 2:
		return simd.MaxRows2
	}
	return nil
}

// maxTaps are where the elements of a window are, from its first on. Windows that reach beyond the input have fewer.
type maxTaps struct {
	rows       [2]int // of elements, in the first two dimensions
	off, index []int32
}

// list lists the elements of windows with rows of elements in the first two dimensions, cols in the last.
func (m *maxTaps) list(p *poolPlan, rows [2]int, cols int) {
	if m.rows == rows {
		return
	}
	m.rows, m.off, m.index = rows, m.off[:0], m.index[:0]
	for d := range rows[0] {
		for h := range rows[1] {
			for w := range cols {
				at := int32((d*p.dilation[0]*p.in[1]+h*p.dilation[1])*p.in[2] + w*p.dilation[2])
				m.off, m.index = append(m.off, 4*at), append(m.index, at)
			}
		}
	}
}

// maxByRows is maxPlanes by a kernel for the windows that have all columns of theirs.
func maxByRows(p *poolPlan, x, y []float32, ix []int64) {
	plane, kernel := volume(p.in), p.maxRowKernel()
	lo, hi := p.inner()
	perPlane := p.out[0] * p.out[1]
	cost := float64(p.out[2]) * (0.5 + 0.15*float64(volume(p.kernel)))
	parallel.For(p.planes*perPlane, parallel.Grain(cost), func(first, last int) {
		tensor.Interrupted(p.op)
		var taps maxTaps
		var t simd.RowTile
		count := func(s poolWindow, d int) int { return (s.to - s.from + p.dilation[d] - 1) / p.dilation[d] }
		for i := first; i < last; i++ {
			sd, sh := p.spans[0][i%perPlane/p.out[1]], p.spans[1][i%p.out[1]]
			src := x[i/perPlane*plane:][:plane]
			dst := y[i*p.out[2]:][:p.out[2]]
			found := ix // of the row, nil where there are no indices
			if ix != nil {
				found = ix[i*p.out[2]:][:p.out[2]]
			}
			taps.list(p, [2]int{count(sd, 0), count(sh, 1)}, p.kernel[2])
			row := (sd.from*p.in[1] + sh.from) * p.in[2]
			for j := 0; j < len(dst); j++ {
				if j == lo && len(taps.off) > 0 {
					at := row + p.spans[2][j].from
					t = simd.RowTile{X: unsafe.Pointer(&src[at]), Y: unsafe.Pointer(&dst[j]), Off: &taps.off[0],
						Index: unsafe.Pointer(&taps.index[0]), Taps: len(taps.off), Cols: hi - lo, Position: int32(at)}
					if found != nil {
						t.Found = &found[j]
					}
					kernel(&t)
					j = hi - 1
					continue
				}
				s := p.spans[2][j]
				best, most := -1, float32(math.Inf(-1))
				for k := 0; k < len(taps.index); k += p.kernel[2] {
					line := row + int(taps.index[k])
					for w := s.from; w < s.to; w += p.dilation[2] {
						if v := src[line+w]; best < 0 || v > most || v != v {
							best, most = line+w, v
						}
					}
				}
				if dst[j] = most; found != nil {
					found[j] = int64(max(best, 0))
				}
			}
		}
	})
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
		panic(tensor.Errorf(op, "not implemented for %s", dt))
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
					panic(tensor.Errorf(p.op, "index %d is out of range for planes of %d elements", to, plane))
				}
				dst[to] += from[i]
				if half {
					roundRow(round, dst[to:to+1])
				}
			}
		}
	})
}
