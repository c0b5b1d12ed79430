package cpu

import (
	"runtime"
	"slices"
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// resampling is a resizing or padding of planes of three dimensions, sizes of 1 in front.
type resampling struct {
	op     string
	planes int
	axes   [3]sampled
	half   tensor.Dtype // the half type that every step is rounded to
	row    *simd.TapRow // the last axis for the vector kernel, if that can do it
}

func newResampling(op string, in []int, n int) *resampling {
	r := &resampling{op: op, planes: 1, axes: [3]sampled{same(1), same(1), same(1)}}
	for _, s := range in[:len(in)-n] {
		r.planes *= s
	}
	return r
}

// resizing reads mode, align_corners and scale from slot k on; in and out are the sizes of the smaller call's tensors.
func resizing(c *tensor.Call, k int, in, out []int) *resampling {
	n := len(in) - 2
	r := newResampling(c.Name(), in, n)
	factors := c.Scalars(k + 2)
	for d := range n {
		factor := 0.0
		if len(factors) > d {
			factor = factors[d].Float()
		}
		r.axes[3-n+d] = resized(c.Name(), c.Str(k), in[2+d], out[2+d], factor, c.Bool(k+1), c.Tensor(0).Dtype())
	}
	return r
}

// padding reads pad and mode from slots 1 and 2.
func padding(c *tensor.Call, in []int) *resampling {
	pad := c.Ints(1)
	n := len(pad) / 2
	r := newResampling(c.Name(), in, n)
	for i := range n {
		r.axes[2-i] = paddedBy(c.Name(), c.Str(2), in[len(in)-1-i], pad[2*i], pad[2*i+1])
	}
	return r
}

func init() {
	kernels(map[string]tensor.Kernel{
		"_interpolate": func(c *tensor.Call) {
			resizing(c, 2, c.Tensor(0).Sizes(), c.Ret(0).Sizes()).run(c, false)
		},
		"_interpolate_backward": func(c *tensor.Call) {
			resizing(c, 2, c.Ret(0).Sizes(), c.Tensor(0).Sizes()).run(c, true)
		},
		"_pad":          func(c *tensor.Call) { padding(c, c.Tensor(0).Sizes()).run(c, false) },
		"_pad_backward": func(c *tensor.Call) { padding(c, c.Ret(0).Sizes()).run(c, true) },
	})
}

// weighted reports whether results are sums.
func (r *resampling) weighted() bool {
	return r.axes[0].weight != nil || r.axes[1].weight != nil || r.axes[2].weight != nil
}

// resamplers have kernels for one dtype.
type resamplers struct {
	sum, spread func(r *resampling, x, y *tensor.Tensor)
}

var resamplersOf = [numDtypes]*resamplers{
	tensor.Float32: {resample[float32], spreadTaps[float32]}, tensor.Float64: {resample[float64], spreadTaps[float64]},
	tensor.Complex64: {nil, spreadTaps[complex64]}, tensor.Complex128: {nil, spreadTaps[complex128]},
}

// run computes the result from the first argument, or the gradient of the input from that of the result.
func (r *resampling) run(c *tensor.Call, backward bool) {
	out := c.Ret(0)
	if out.Numel() == 0 {
		return
	}
	if !backward && !r.weighted() {
		x := contiguous(r.op, c.Tensor(0), out.Dtype())
		switch x.ElementSize() {
		case 1:
			pickTaps[uint8](r, x, out)
		case 2:
			pickTaps[uint16](r, x, out)
		case 4:
			pickTaps[uint32](r, x, out)
		case 8:
			pickTaps[uint64](r, x, out)
		default:
			pickTaps[[2]uint64](r, x, out)
		}
		runtime.KeepAlive(x)
		return
	}
	dt := out.Dtype().Accumulate()
	f := resamplersOf[dt]
	if f == nil || !backward && f.sum == nil {
		panic(tensor.Errorf(r.op, "not implemented for %s", out.Dtype()))
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(r.op, out.Sizes(), dt, tensor.CPU)
		r.half = out.Dtype()
	}
	x := contiguous(r.op, c.Tensor(0), dt)
	if backward {
		f.spread(r, x, dst)
	} else {
		f.sum(r, x, dst)
	}
	if dst != out {
		copyTensor(r.op, out, dst)
	}
	runtime.KeepAlive(x)
}

// sizes are those of the input and of the result.
func (r *resampling) sizes() (in, out [3]int) {
	for d, a := range r.axes {
		in[d], out[d] = a.in, a.out
	}
	return in, out
}

// pickTaps copies elements of the input. T is any type of their size.
func pickTaps[T any](r *resampling, x, y *tensor.Tensor) {
	in, out := r.sizes()
	plane := volume(in)
	xs := unsafe.Slice((*T)(x.Ptr()), x.Numel())
	ys := unsafe.Slice((*T)(y.Ptr()), y.Numel())
	at := r.axes[2].at
	// a run of elements that stay beside each other is copied as a whole
	lo, hi := r.axes[2].run[0], r.axes[2].run[1]
	if lo == hi {
		lo, hi = 0, 0
	}
	for i, known := 0, lo < hi; i < len(at) && !known; {
		j := i + 1
		for j < len(at) && at[j] == at[j-1]+1 {
			j++
		}
		if j-i > hi-lo {
			lo, hi = i, j
		}
		i = j
	}
	if hi-lo < 8 {
		hi = lo
	}
	if sizeOf[T]() < 16 {
		if rows, cols := runsIn(r.axes[1].at), runsIn(at); rows != nil && cols != nil {
			pickRuns(r, sizeOf[T](), unsafe.Pointer(unsafe.SliceData(ys)), unsafe.Pointer(unsafe.SliceData(xs)), rows, cols)
			runtime.KeepAlive(y)
			return
		}
	}
	if _, words := any(xs).([]uint32); words && hi-lo < len(at)/2 {
		r.row = r.axes[2].tapRow()
	}
	perPlane := out[0] * out[1]
	parallel.For(r.planes*perPlane, parallel.Grain(0.5*float64(out[2])), func(first, last int) {
		tensor.Interrupted(r.op)
		before, from := -1, -1 // the row that was copied from, and where to
		for i := first; i < last; i++ {
			d, h := r.axes[0].at[i%perPlane/out[1]], r.axes[1].at[i%out[1]]
			row := i/perPlane*plane + (int(d)*in[1]+int(h))*in[2]
			dst := ys[i*out[2]:][:out[2]]
			if row == before {
				copy(dst, ys[from:][:out[2]])
				continue
			}
			src := xs[row:][:in[2]]
			if r.row != nil {
				simd.PickTapsFloat32(asFloats(dst), asFloats(src), r.row)
			} else {
				pickRow(dst[:lo], src, at)
				if lo < hi {
					copy(dst[lo:hi], src[at[lo]:])
				}
				pickRow(dst[hi:], src, at[hi:])
			}
			before, from = row, i*out[2]
		}
	})
	runtime.KeepAlive(y)
}

// asFloats is a row of elements of 4 bytes, which are only copied, as floats.
func asFloats[T any](x []T) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// resample sums taps: those of a row first, then rows; where rows become fewer rows first, so that fewer of them are
// resampled.
func resample[T interface {
	float
	tensor.Element
}](r *resampling, x, y *tensor.Tensor) {
	in, out := r.sizes()
	plane := volume(in)
	xs, ys := tensor.Elems[T](x), tensor.Elems[T](y)
	ks := gemm.Kernels[T]()
	_, is32 := any(xs).([]float32)
	weights := castWeights[T](r.axes[2].weight)
	if r.axes[2].width <= 2 && r.half == tensor.NoDtype && is32 {
		r.row = r.axes[2].tapRow()
	}
	sd, sh := &r.axes[0], &r.axes[1]
	taps := sd.width * sh.width
	rowsFirst := taps > 1 && r.half == tensor.NoDtype && 2*in[0]*in[1] >= 3*out[0]*out[1] && len(r.axes[2].weight) > 0
	perPlane := out[0] * out[1]
	cost := float64(out[2]) * (0.15*float64(taps) + 0.7*float64(r.axes[2].width))
	parallel.For(r.planes*perPlane, parallel.Grain(cost), func(first, last int) {
		tensor.Interrupted(r.op)
		// resampled rows of the input, and which they are: rows of results beside each other are made of the same
		l := newLender()
		defer l.end()
		rows, wanted, slots := lent[int](&l, taps), lent[int](&l, taps), lent[int](&l, taps)
		factor, buf, line := lent[T](&l, 2), lent[T](&l, taps*out[2]), lent[T](&l, in[2])
		for i := range rows {
			rows[i] = -1
		}
		for i := first; i < last; i++ {
			d, h := i%perPlane/out[1], i%out[1]
			base := i / perPlane * plane
			if taps == 1 {
				row := base + (int(sd.at[d])*in[1]+int(sh.at[h]))*in[2]
				resampleRow(r, ys[i*out[2]:][:out[2]], xs[row:][:in[2]], weights)
				continue
			}
			if rowsFirst {
				clear(line)
				for k := range taps {
					d, h := d*sd.width+k/sh.width, h*sh.width+k%sh.width
					row := base + (int(sd.at[d])*in[1]+int(sh.at[h]))*in[2]
					factor[0] = T(sd.weightOf(d) * sh.weightOf(h))
					ks.AddRows(line, xs[row:][:in[2]], in[2], factor[:1])
				}
				resampleRow(r, ys[i*out[2]:][:out[2]], line, weights)
				continue
			}
			for k := range taps {
				kd, kh := k/sh.width, k%sh.width
				wanted[k] = base + (int(sd.at[d*sd.width+kd])*in[1]+int(sh.at[h*sh.width+kh]))*in[2]
			}
			for k, row := range wanted {
				slots[k] = slotOf(rows, wanted, row)
				if s := slots[k]; rows[s] != row {
					rows[s] = row
					resampleRow(r, buf[s*out[2]:][:out[2]], xs[row:][:in[2]], weights)
				}
			}
			dst := ys[i*out[2]:][:out[2]]
			if r.half != tensor.NoDtype {
				addRounded(r, dst, buf, slots, d, h)
				continue
			}
			clear(dst)
			for k, s := range slots {
				factor[0] = T(sd.weightOf(d*sd.width+k/sh.width) * sh.weightOf(h*sh.width+k%sh.width))
				ks.AddRows(dst, buf[s*out[2]:][:out[2]], out[2], factor[:1])
			}
		}
	})
}

// slotOf is where row is among rows, or else a slot with a row that is not wanted.
func slotOf(rows, wanted []int, row int) int {
	if s := slices.Index(rows, row); s >= 0 {
		return s
	}
	return slices.IndexFunc(rows, func(r int) bool { return !slices.Contains(wanted, r) })
}

func castWeights[T float](weights []float64) []T {
	out := make([]T, len(weights))
	for i, w := range weights {
		out[i] = T(w)
	}
	return out
}

// resampleRow sums the taps of a row.
func resampleRow[T float](r *resampling, dst, src, weights []T) {
	s := &r.axes[2]
	if r.row != nil {
		sumRow(asFloats(dst), asFloats(src), r.row)
		return
	}
	switch {
	case len(weights) == 0:
		pickRow(dst, src, s.at)
	case r.half != tensor.NoDtype:
		for j := range dst {
			var sum T
			for k := j * s.width; k < (j+1)*s.width; k++ {
				v := T(roundTo(r.half, float32(src[s.at[k]]*weights[k])))
				if sum += v; k > j*s.width {
					sum = T(roundTo(r.half, float32(sum)))
				}
			}
			dst[j] = sum
		}
	case s.width == 2:
		x, at, w := unsafe.Pointer(unsafe.SliceData(src)), s.at[:2*len(dst)], weights[:2*len(dst)]
		for j := range dst {
			a, f := (*[2]int32)(at[2*j:]), (*[2]T)(w[2*j:])
			dst[j] = f[0]*tap[T](x, a[0]) + f[1]*tap[T](x, a[1])
		}
	default:
		x, at, w := unsafe.Pointer(unsafe.SliceData(src)), s.at[:4*len(dst)], weights[:4*len(dst)]
		for j := range dst {
			a, f := (*[4]int32)(at[4*j:]), (*[4]T)(w[4*j:])
			dst[j] = (f[0]*tap[T](x, a[0]) + f[1]*tap[T](x, a[1])) + (f[2]*tap[T](x, a[2]) + f[3]*tap[T](x, a[3]))
		}
	}
}

// sumRow sums the taps of a row by the vector kernel.
func sumRow(dst, src []float32, row *simd.TapRow) {
	if row.Weight == nil {
		simd.PickTapsFloat32(dst, src, row)
	} else {
		simd.SumTapsFloat32(dst, src, row)
	}
}

// tap is element i at x. Places of taps lie within their row: see resized and paddedBy. A check for each would take
// longer than reading it.
func tap[T any](x unsafe.Pointer, i int32) T {
	var v T
	return *(*T)(unsafe.Add(x, int(i)*int(unsafe.Sizeof(v))))
}

// pickRow copies the elements of src at places at.
func pickRow[T any](dst, src []T, at []int32) {
	x := unsafe.Pointer(unsafe.SliceData(src))
	at = at[:len(dst)]
	j := 0
	for ; j+4 <= len(dst); j += 4 {
		d, a := (*[4]T)(dst[j:]), (*[4]int32)(at[j:])
		d[0], d[1], d[2], d[3] = tap[T](x, a[0]), tap[T](x, a[1]), tap[T](x, a[2]), tap[T](x, a[3])
	}
	for ; j < len(dst); j++ {
		dst[j] = tap[T](x, at[j])
	}
}

// addRounded adds rows dimension by dimension and rounds at every step.
func addRounded[T float](r *resampling, dst, buf []T, slots []int, d, h int) {
	sd, sh := &r.axes[0], &r.axes[1]
	round := func(v T) T { return T(roundTo(r.half, float32(v))) }
	for j := range dst {
		var sum T
		for kd := range sd.width {
			var part T
			for kh := range sh.width {
				v := buf[slots[kd*sh.width+kh]*len(dst)+j]
				if sh.weight != nil {
					v = round(v * T(sh.weight[h*sh.width+kh]))
				}
				part = round(part + v)
			}
			if sd.weight != nil {
				part = round(part * T(sd.weight[d*sd.width+kd]))
			}
			sum = round(sum + part)
		}
		dst[j] = sum
	}
}

// spreadTaps is the gradient: rows of gradients that reach a row of the input are summed, then what reaches each of
// its elements. Where there are fewer rows of gradients than of the input they are spread first, each once.
func spreadTaps[T interface {
	number
	tensor.Element
}](r *resampling, g, y *tensor.Tensor) {
	in, out := r.sizes()
	plane := volume(out)
	gs, ys := tensor.Elems[T](g), tensor.Elems[T](y)
	ks := gemm.Kernels[T]()
	td, th, tw := r.axes[0].transposed(), r.axes[1].transposed(), r.axes[2].transposed()
	numbers := func(ws []float64) []T {
		out := make([]T, len(ws))
		for i, w := range ws {
			out[i] = numberAs[T](tensor.FloatScalar(w))
		}
		return out
	}
	weights, scattered := numbers(tw.weight), numbers(r.axes[2].weight)
	// products of the weights of the other two dimensions
	factors := make([]T, 0, len(td.weight)*len(th.weight))
	for _, w := range td.weight {
		for _, v := range th.weight {
			factors = append(factors, numberAs[T](tensor.FloatScalar(w*v)))
		}
	}
	one := numberAs[T](tensor.FloatScalar(1))
	scatter := 3*out[2] < 4*in[2] // few results reach each element
	_, is32 := any(gs).([]float32)
	if is32 {
		r.row = tw.tapRow(out[2])
	}
	if most := th.most(); r.row != nil && td.most() == 1 && most <= 2 && 2*in[1] >= 3*out[1] {
		spreadFirst(r, asFloats(gs), asFloats(ys), &td, &th)
		return
	}
	perPlane := in[0] * in[1]
	cost := 0.15*float64(plane)/float64(perPlane) + float64(len(weights))
	parallel.For(r.planes*perPlane, parallel.Grain(cost), func(first, last int) {
		tensor.Interrupted(r.op)
		l := newLender()
		defer l.end()
		factor, sum := lent[T](&l, 1), lent[T](&l, out[2])
		for i := first; i < last; i++ {
			d, h := i%perPlane/in[1], i%in[1]
			rows, line := 0, sum
			for a := td.start[d]; a < td.start[d+1]; a++ {
				for b := th.start[h]; b < th.start[h+1]; b++ {
					row := gs[i/perPlane*plane+(int(td.to[a])*out[1]+int(th.to[b]))*out[2]:][:out[2]]
					w := factors[int(a)*len(th.weight)+int(b)]
					if rows == 0 && w == one {
						line = row
					} else {
						if rows == 0 {
							clear(sum)
						} else if &line[0] != &sum[0] {
							copy(sum, line)
						}
						line, factor[0] = sum, w
						ks.AddRows(sum, row, out[2], factor)
					}
					rows++
				}
			}
			dst := ys[i*in[2]:][:in[2]]
			if rows == 0 {
				clear(dst)
				continue
			}
			switch {
			case r.row != nil:
				sumRow(asFloats(dst), asFloats(line), r.row)
			case scatter:
				clear(dst)
				scatterRow(&r.axes[2], dst, line, scattered)
			default:
				gatherRow(&tw, dst, line, weights, r.axes[2].weight == nil)
			}
		}
	})
}
