package cpu

import (
	"fmt"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: averages. The gradient of an average is one too: each result gives each element of its window an equal share.

var (
	averages = poolTable{tensor.Int64: averagePlanes[int64], tensor.Float32: averagePlanes[float32],
		tensor.Float64: averagePlanes[float64]}
	shares = poolTable{tensor.Int64: sharePlanes[int64], tensor.Float32: sharePlanes[float32],
		tensor.Float64: sharePlanes[float64]}
)

// average reads what avg_pool2d has beside the window, from slot k on.
func (p *poolPlan) average(c *tensor.Call, k int) *poolPlan {
	p.includePad, p.divisor = c.Bool(k), c.Int(k+1)
	return p
}

func init() {
	m := map[string]tensor.Kernel{}
	for n := 2; n <= 3; n++ {
		m[fmt.Sprintf("nn.functional.avg_pool%dd", n)] = func(c *tensor.Call) {
			averages.run(c, slidingPlan(c, 1, c.Tensor(0).Sizes(), c.Ret(0).Sizes(), n).average(c, 5), c.Tensor(0))
		}
		m[fmt.Sprintf("_avg_pool%dd_backward", n)] = func(c *tensor.Call) {
			shares.run(c, slidingPlan(c, 2, c.Ret(0).Sizes(), c.Tensor(0).Sizes(), n).average(c, 6), c.Tensor(0))
		}
		m[fmt.Sprintf("nn.functional.adaptive_avg_pool%dd", n)] = func(c *tensor.Call) {
			averages.run(c, adaptivePlan(c, c.Tensor(0).Sizes(), c.Ret(0).Sizes(), n), c.Tensor(0))
		}
		m[fmt.Sprintf("_adaptive_avg_pool%dd_backward", n)] = func(c *tensor.Call) {
			shares.run(c, adaptivePlan(c, c.Ret(0).Sizes(), c.Tensor(0).Sizes(), n), c.Tensor(0))
		}
	}
	kernels(m)
}

// poolNumber are the types that averages are computed in.
type poolNumber interface {
	int64 | float32 | float64
	tensor.Element
}

// rowLoops are loops over rows of T.
type rowLoops[T any] struct{ add, div func(dst, a, b []T) }

// rowLoopsOf looks the loops for T up.
func rowLoopsOf[T poolNumber]() rowLoops[T] {
	var zero T
	of := func(name string, portable func(dst, a, b []T)) func(dst, a, b []T) {
		f := simd.Get(fmt.Sprintf("%s %T", name, zero))
		if f == nil {
			return portable
		}
		return func(dst, a, b []T) {
			if len(dst) > 0 {
				_, _ = a[len(dst)-1], b[len(dst)-1]
				f(len(dst), bytesOf(dst), bytesOf(a), bytesOf(b), nil, nil)
			}
		}
	}
	return rowLoops[T]{
		add: of("add", func(dst, a, b []T) {
			for i, v := range a[:len(dst)] {
				dst[i] = v + b[i]
			}
		}),
		div: of("div", func(dst, a, b []T) {
			for i, v := range a[:len(dst)] {
				dst[i] = v / b[i]
			}
		}),
	}
}

// poolDivisors are what sums of a row are divided by; they depend on the windows of the other dimensions.
type poolDivisors[T poolNumber] struct {
	of    [2]int
	row   []T // as many as a row has results
	known bool
}

// update returns the divisors of row (d, h) of results. Divisors of empty windows are 1.
func (v *poolDivisors[T]) update(p *poolPlan, d, h int) []T {
	sd, sh := p.spans[0][d], p.spans[1][h]
	of := [2]int{(sd.to - sd.from) * (sh.to - sh.from), sd.size * sh.size}
	if !v.known || of != v.of {
		v.of, v.known = of, true
		for j, s := range p.spans[2] {
			v.row[j] = 1
			if n := p.divisorOf(of, s); n != 0 {
				v.row[j] = T(n)
			}
		}
	}
	return v.row
}

// averagePlanes sums the rows of windows, then what lies beside each other.
func averagePlanes[T poolNumber](p *poolPlan, in, out *tensor.Tensor) {
	x, y := tensor.Elems[T](in), tensor.Elems[T](out)
	loops := rowLoopsOf[T]()
	lo, hi := p.inner()
	width, plane := p.in[2], volume(p.in)
	whole := len(p.spans[2]) == 1 && p.spans[2][0].to-p.spans[2][0].from == width
	type scratch struct {
		sums []T
		poolDivisors[T]
	}
	perPlane := p.out[0] * p.out[1]
	grain := max(1, parallel.Grain(0.3*float64(max(1, plane/max(1, perPlane))+4*p.out[2])))
	parallel.For(p.planes*perPlane, grain, func(first, last int) {
		tensor.Interrupted(p.op)
		var tmp scratch
		l := newLender()
		defer l.end()
		tmp.sums, tmp.poolDivisors.row = lent[T](&l, width), lent[T](&l, p.out[2])
		for i := first; i < last; i++ {
			d, h := i%perPlane/p.out[1], i%p.out[1]
			sd, sh := p.spans[0][d], p.spans[1][h]
			src, dst := x[i/perPlane*plane:][:plane], y[i*p.out[2]:][:p.out[2]]
			if whole { // rows of a window lie in memory, one after the other
				var sum T
				for e := sd.from; e < sd.to; e++ {
					sum += sumOf(src[(e*p.in[1]+sh.from)*width : (e*p.in[1]+max(sh.from, sh.to))*width])
				}
				dst[0] = sum / tmp.update(p, d, h)[0]
				continue
			}
			row := tmp.sums
			rows := 0
			for e := sd.from; e < sd.to; e++ {
				for r := sh.from; r < sh.to; r++ {
					line := src[(e*p.in[1]+r)*width:][:width]
					if rows == 0 {
						row = line
					} else {
						loops.add(tmp.sums, row, line)
						row = tmp.sums
					}
					rows++
				}
			}
			if rows == 0 {
				clear(row)
			}
			sumWindows(p, loops, dst, row, lo, hi)
			loops.div(dst, dst, tmp.update(p, d, h))
		}
	})
}

// sumWindows sums what lies beside each other in row, for each window; those from lo up to hi are whole.
func sumWindows[T poolNumber](p *poolPlan, loops rowLoops[T], dst, row []T, lo, hi int) {
	one := func(j int) {
		var sum T
		s := p.spans[2][j]
		for _, v := range row[s.from:max(s.from, s.to)] {
			sum += v
		}
		dst[j] = sum
	}
	for j := range lo {
		one(j)
	}
	for j := hi; j < len(dst); j++ {
		one(j)
	}
	if lo == hi {
		return
	}
	in, out := row[p.spans[2][lo].from:], dst[lo:hi]
	stride, kernel := p.stride[2], p.kernel[2]
	switch {
	case kernel == 1 && stride == 1:
		copy(out, in)
	case stride == 1:
		loops.add(out, in, in[1:])
		for k := 2; k < kernel; k++ {
			loops.add(out, out, in[k:])
		}
	case kernel == 2 && stride == 2:
		in = in[:2*len(out)]
		for j := range out {
			out[j] = in[2*j] + in[2*j+1]
		}
	default:
		for j := range out {
			var sum T
			for _, v := range in[j*stride:][:kernel] {
				sum += v
			}
			out[j] = sum
		}
	}
}

// sumOf is the sum of a run of elements.
func sumOf[T poolNumber](xs []T) (sum T) {
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

// sharePlanes gives each element of a window its share: a row of gradients is spread over a row of the input, which
// then is added to all rows of the windows.
func sharePlanes[T poolNumber](p *poolPlan, in, out *tensor.Tensor) {
	g, y := tensor.Elems[T](in), tensor.Elems[T](out)
	loops := rowLoopsOf[T]()
	lo, hi := p.inner()
	width, plane := p.in[2], volume(p.in)
	// a task is some rows of the input
	rows := p.in[0] * p.in[1]
	tiled := p.tiled() && p.half == tensor.NoDtype
	block := min(rows, max(1, grainSize/max(1, width)))
	blocks := (rows + block - 1) / block
	parallel.For(p.planes*blocks, max(1, grainSize/2/max(1, block*width)), func(first, last int) {
		tensor.Interrupted(p.op)
		l := newLender()
		defer l.end()
		share, line := lent[T](&l, p.out[2]), lent[T](&l, width)
		div := poolDivisors[T]{row: lent[T](&l, p.out[2])}
		for task := first; task < last; task++ {
			from, to := task%blocks*block, min(rows, (task%blocks+1)*block)
			at := task / blocks
			dst := y[at*plane:][:plane]
			if !tiled {
				clear(dst[from*width : to*width])
			}
			for d, sd := range p.spans[0] {
				if sd.to*p.in[1] <= from || sd.from*p.in[1] >= to {
					continue
				}
				for h, sh := range p.spans[1] {
					if sh.to <= sh.from || (sd.to-1)*p.in[1]+sh.to <= from || sd.from*p.in[1]+sh.from >= to {
						continue
					}
					loops.div(share, g[((at*p.out[0]+d)*p.out[1]+h)*p.out[2]:], div.update(p, d, h))
					if p.half != tensor.NoDtype {
						roundRow(p.half, share)
					} else {
						clear(line)
						p.spread(func(i, j int) { line[i] += share[j] }, lo, hi)
						spreadInner(p, line, share, lo, hi)
					}
					for e := sd.from; e < sd.to; e++ {
						for r := max(from, e*p.in[1]+sh.from); r < min(to, e*p.in[1]+sh.to); r++ {
							row := dst[r*width:][:width]
							if tiled {
								copy(row, line)
							} else if p.half != tensor.NoDtype { // gradients are added one by one, and rounded
								p.spread(func(i, j int) { row[i] += share[j]; roundRow(p.half, row[i:i+1]) }, 0, 0)
							} else {
								loops.add(row, row, line)
							}
						}
					}
				}
			}
		}
	})
}

// tiled reports whether every row of the input is in exactly one row of windows.
func (p *poolPlan) tiled() bool {
	for d := range 2 {
		if p.adaptive || p.padding[d] != 0 || p.kernel[d] != p.stride[d] || p.out[d]*p.stride[d] != p.in[d] {
			return false
		}
	}
	return true
}

// spread calls f for every element i of the window of each result j outside of [lo, hi).
func (p *poolPlan) spread(f func(i, j int), lo, hi int) {
	for j, s := range p.spans[2] {
		if j < lo || j >= hi {
			for i := s.from; i < s.to; i++ {
				f(i, j)
			}
		}
	}
}

// spreadInner adds shares to the elements of the windows that are whole.
func spreadInner[T poolNumber](p *poolPlan, line, share []T, lo, hi int) {
	if lo == hi {
		return
	}
	out, in := line[p.spans[2][lo].from:], share[lo:hi]
	stride, kernel := p.stride[2], p.kernel[2]
	if kernel == 2 && stride == 2 {
		out = out[:2*len(in)]
		for j, v := range in {
			out[2*j] = v
			out[2*j+1] = v
		}
		return
	}
	for j, v := range in {
		window := out[j*stride:][:kernel]
		for i := range window {
			window[i] += v
		}
	}
}

// roundRow rounds to a half type.
func roundRow[T poolNumber](half tensor.Dtype, xs []T) {
	for i, v := range xs {
		xs[i] = T(roundTo(half, float32(v)))
	}
}

// roundTo rounds to a half type.
func roundTo(half tensor.Dtype, f float32) float32 {
	if half == tensor.Float16 {
		return tensor.ToHalf(f).Float32()
	}
	return tensor.ToBF16(f).Float32()
}
