package cpu

import (
	"runtime"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: convolutions. All are brought to three dimensions of space, sizes of 1 in front. A convolution is, sample by
// sample and group by group, a product of the filters (k × c·taps) by what they read of the input's image
// (conv_image.go, conv_taps.go). The gradient by the input, which is also what a transposed convolution is, is a
// convolution too: for each phase of the stride one of the small side with the taps that reach it. The gradient by the
// weight sums over outputs (conv_weight.go).

// geometry is the geometry of a convolution between a large side (the input, with channels c) and a small side (the
// output).
type geometry struct {
	in, out, kernel           [3]int
	stride, padding, dilation [3]int
	c                         int // channels of the large side in a group
}

func newGeometry(in, out, kernel, stride, padding, dilation []int, c int) geometry {
	w := geometry{c: c}
	for i := range 3 {
		w.in[i], w.out[i], w.kernel[i], w.stride[i], w.dilation[i] = 1, 1, 1, 1, 1
	}
	for i, at := 0, 3-len(in); i < len(in); i, at = i+1, at+1 {
		w.in[at], w.out[at], w.kernel[at] = in[i], out[i], kernel[i]
		w.stride[at], w.padding[at], w.dilation[at] = stride[i], padding[i], dilation[i]
	}
	return w
}

func volume(s [3]int) int { return s[0] * s[1] * s[2] }

// rows is the number of taps of all channels.
func (w *geometry) rows() int { return w.c * volume(w.kernel) }

// pointwise reports whether every output reads one element, the one where it is itself.
func (w *geometry) pointwise() bool {
	return volume(w.kernel) == 1 && w.stride == [3]int{1, 1, 1} && w.padding == [3]int{} && w.in == w.out
}

// reach lists how far the taps of a dimension are from the first.
func (w *geometry) reach(d int) []int {
	at := make([]int, w.kernel[d])
	for i := range at {
		at[i] = i * w.dilation[d]
	}
	return at
}

// eachTap calls f with the number of every tap and where it is in each dimension.
func (w *geometry) eachTap(f func(i int, at [3]int)) {
	i := 0
	for d := range w.kernel[0] {
		for h := range w.kernel[1] {
			for x := range w.kernel[2] {
				f(i, [3]int{d, h, x})
				i++
			}
		}
	}
}

// inputImage is the image of the large side.
func (w *geometry) inputImage() *image {
	m := new(image)
	for d := range m {
		m[d] = newAxis(w.in[d], -w.padding[d], w.stride[d], w.out[d], w.reach(d))
	}
	return m
}

// convolution has the kernels for one dtype.
type convolution struct {
	forward, transposed func(op string, w *geometry, n, groups, k int, x, weight, bias, out *tensor.Tensor)
	pixels              func(p *pixelArgs, x, weight, bias, out *tensor.Tensor) bool
	weight              func(op string, w *geometry, n, groups, k int, x, g, out *tensor.Tensor)
}

var convolutions = [numDtypes]*convolution{
	tensor.Uint8: convolutionOf[uint8](), tensor.Int8: convolutionOf[int8](), tensor.Int16: convolutionOf[int16](),
	tensor.Int32: convolutionOf[int32](), tensor.Int64: convolutionOf[int64](),
	tensor.Float32: convolutionOf[float32](), tensor.Float64: convolutionOf[float64](),
	tensor.Complex64: convolutionOf[complex64](), tensor.Complex128: convolutionOf[complex128](),
}

func convolutionOf[T interface {
	number
	tensor.Element
}]() *convolution {
	return &convolution{convForward[T], convTransposed[T], convPixels[T], convWeight[T]}
}

func init() {
	kernels(map[string]tensor.Kernel{"convolution": convolutionKernel, "_convolution_weight": convolutionWeightKernel})
}

func convolutionFor(c *tensor.Call, dt tensor.Dtype) *convolution {
	f := convolutions[dt]
	if f == nil {
		panic(tensor.Errorf(c.Name(), "not implemented for %s", dt))
	}
	return f
}

// smallTransposed is the number of products up to which a transposed convolution of float32 is summed in float64: few
// terms cancel there, which shows.
const smallTransposed = 1 << 15

func convolutionKernel(c *tensor.Call) {
	op, out, groups := c.Name(), c.Ret(0), c.Int(8)
	if out.Numel() == 0 {
		return
	}
	dt := out.Dtype().Accumulate()
	if dt == tensor.Float32 && c.Bool(6) &&
		c.Tensor(0).Numel()*c.Tensor(1).Numel()/max(1, c.Tensor(1).Sizes()[0]) <= smallTransposed {
		dt = tensor.Float64
	}
	f := convolutionFor(c, dt)
	x, w := c.Tensor(0), contiguous(op, c.Tensor(1), dt)
	bias := c.Tensor(2)
	if bias != nil {
		bias = contiguous(op, bias, dt)
	}
	p := &pixelArgs{op: op, groups: groups, transposed: c.Bool(6), xLast: x.Dtype() == dt && channelsLast(x),
		yLast: out.Dtype() == dt && channelsLast(out)}
	if !p.xLast {
		x = contiguous(op, x, dt)
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
	}
	large, small := x, out
	if p.transposed {
		large, small = out, x
	}
	g := newGeometry(large.Sizes()[2:], small.Sizes()[2:], w.Sizes()[2:],
		c.Ints(3), c.Ints(4), c.Ints(5), large.Sizes()[1]/groups)
	p.geometry, p.n, p.k = &g, x.Sizes()[0], small.Sizes()[1]/groups
	if !f.pixels(p, x, w, bias, dst) {
		x = contiguous(op, x, dt)
		if !dst.Contig() {
			dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
		}
		run := f.forward
		if p.transposed {
			run = f.transposed
		}
		run(op, &g, p.n, groups, p.k, x, w, bias, dst)
	}
	if dst != out {
		copyTensor(op, out, dst)
	}
}

func convolutionWeightKernel(c *tensor.Call) {
	op, out, groups := c.Name(), c.Ret(0), c.Int(6)
	dt := out.Dtype().Accumulate()
	f := convolutionFor(c, dt)
	x, g := contiguous(op, c.Tensor(0), dt), contiguous(op, c.Tensor(1), dt)
	if out.Numel() == 0 {
		return
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
	}
	if x.Numel() == 0 || g.Numel() == 0 {
		fillTensor(op, out, tensor.IntScalar(0))
		return
	}
	w := newGeometry(x.Sizes()[2:], g.Sizes()[2:], out.Sizes()[2:],
		c.Ints(3), c.Ints(4), c.Ints(5), x.Sizes()[1]/groups)
	f.weight(op, &w, x.Sizes()[0], groups, g.Sizes()[1]/groups, x, g, dst)
	if dst != out {
		copyTensor(op, out, dst)
	}
}

// elemsOf is tensor.Elems, and nil for no tensor.
func elemsOf[T tensor.Element](x *tensor.Tensor) []T {
	if x == nil {
		return nil
	}
	return tensor.Elems[T](x)
}

// convForward: out[n, g] (k × outputs) = weight[g] (k × taps) @ what they read of x[n, g], + bias[g].
func convForward[T interface {
	number
	tensor.Element
}](op string, w *geometry, n, groups, k int, x, weight, bias, out *tensor.Tensor) {
	xs, ws, bs, os := tensor.Elems[T](x), tensor.Elems[T](weight), elemsOf[T](bias), tensor.Elems[T](out)
	defer runtime.KeepAlive(x)
	defer runtime.KeepAlive(weight)
	defer runtime.KeepAlive(bias)
	if w.pointwise() {
		convPointwise(op, w, n, groups, k, xs, ws, bs, os)
		return
	}
	count, img := volume(w.kernel), w.inputImage()
	reach := [3]int{}
	for d := range reach {
		reach[d] = img[d].length - w.out[d]
	}
	cut := imageCut[T](img, w.out, reach, w.c, n*groups, k*w.rows()*volume(w.out))
	offA, offB := make([]int, 0, w.rows()), make([]int, 0, w.rows())
	for c := range w.c {
		w.eachTap(func(i int, at [3]int) {
			offA = append(offA, c*count+i)
			tap := [3]int{at[0] * w.dilation[0], at[1] * w.dilation[1], at[2] * w.dilation[2]}
			offB = append(offB, c*img.size()+img.at(tap))
		})
	}
	f := newTaps[T](op, img, k, w.rows(), w.out, offA, offB)
	f.plane, f.step = volume(w.out), [3]int{w.out[1] * w.out[2], w.out[2], 1}
	v := convolving[T]{op, img, cut, n, groups, w.c, volume(w.in), k, []*taps[T]{f}, xs, ws, k * w.rows(), bs, os}
	v.run()
}

// convPointwise is a product of matrices for each sample and group.
func convPointwise[T number](op string, w *geometry, n, groups, k int, xs, ws, bs, os []T) {
	plane := volume(w.in)
	one := func(t int, serial bool) {
		g := t % groups
		call := gemm.Call[T]{Op: op, M: k, N: plane, K: w.c, Alpha: 1, Serial: serial,
			A: gemm.View(ws, g*k*w.c, w.c, 1), B: gemm.View(xs, t*w.c*plane, plane, 1),
			C: gemm.View(os, t*k*plane, plane, 1)}
		if bs != nil {
			call.D = gemm.View(bs, g*k, 1, 0)
		}
		call.Run()
	}
	if n*groups < 2*parallel.Threads() {
		for t := range n * groups {
			one(t, false)
		}
		return
	}
	parallel.For(n*groups, max(1, gemm.SerialProduct/max(1, k*plane*w.c)), func(lo, hi int) {
		for t := lo; t < hi; t++ {
			tensor.Interrupted(op)
			one(t, true)
		}
	})
}

// convTransposed: every element of x[n, g] (k × outputs) goes where the taps of weight[g] (k × c·taps) read in
// out[n, g]. Elements of out whose distance from the border is the same up to multiples of the stride are one
// convolution of x.
func convTransposed[T interface {
	number
	tensor.Element
}](op string, w *geometry, n, groups, k int, x, weight, bias, out *tensor.Tensor) {
	xs, ws, bs, os := tensor.Elems[T](x), tensor.Elems[T](weight), elemsOf[T](bias), tensor.Elems[T](out)
	defer runtime.KeepAlive(x)
	defer runtime.KeepAlive(weight)
	defer runtime.KeepAlive(bias)
	// element p of out is reached from x[u-m], with p + padding = u*stride + phase, by the tap at m*stride + phase
	img := new(image)
	var low, most, reach [3]int // most outputs of a phase
	for d := range img {
		s, high := w.stride[d], 0
		low[d] = w.padding[d]/s - (w.kernel[d]-1)*w.dilation[d]/s
		high = (w.padding[d] + w.in[d] - 1) / s
		img[d] = axis{n: w.out[d], start: low[d], step: 1, length: high - low[d] + 1, phases: []int{0}}
		most[d], reach[d] = high-w.padding[d]/s+1, ceilDiv(w.padding[d], s)-low[d]
	}
	cut := imageCut[T](img, most, reach, k, n*groups, k*w.rows()*volume(w.out))
	ntaps := volume(w.kernel)
	var parts []*taps[T]
	var phase [3]int
	for phase[0] = range w.stride[0] {
		for phase[1] = range w.stride[1] {
			for phase[2] = range w.stride[2] {
				var first, extent [3]int // of u
				empty := false
				for d := range 3 {
					first[d] = (w.padding[d] - phase[d] + w.stride[d] - 1) / w.stride[d]
					if last := w.padding[d] + w.in[d] - 1 - phase[d]; last < 0 {
						empty = true
					} else {
						extent[d] = last/w.stride[d] - first[d] + 1
					}
					empty = empty || extent[d] <= 0
				}
				if empty {
					continue
				}
				var offA, offB []int
				for q := range k {
					w.eachTap(func(i int, at [3]int) {
						off := 0
						for d := range 3 {
							t := at[d]*w.dilation[d] - phase[d]
							if t%w.stride[d] != 0 {
								return
							}
							off = off*img[d].length + first[d] - t/w.stride[d] - low[d]
						}
						offA = append(offA, q*w.c*ntaps+i)
						offB = append(offB, q*img.size()+off)
					})
				}
				f := newTaps[T](op, img, w.c, ntaps, extent, offA, offB)
				f.plane = volume(w.in)
				f.step = [3]int{w.stride[0] * w.in[1] * w.in[2], w.stride[1] * w.in[2], w.stride[2]}
				for d := range 3 {
					f.base = f.base*w.in[d] + first[d]*w.stride[d] + phase[d] - w.padding[d]
				}
				if n := len(parts) - 1; phase[2] == 1 && w.stride[2] == 2 && n >= 0 && parts[n].phase == [2]int(phase[:2]) {
					first, second := parts[n], f
					if first.base > second.base {
						first, second = second, first
					}
					first.between, parts[n] = second, first
					continue
				}
				f.phase = [2]int(phase[:2])
				parts = append(parts, f)
			}
		}
	}
	v := convolving[T]{op, img, cut, n, groups, k, volume(w.out), w.c, parts, xs, ws, k * w.rows(), bs, os}
	v.run()
}
