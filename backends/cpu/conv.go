package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: convolutions. All are brought to three dimensions of space, sizes of 1 in front. A convolution is then, sample by sample and group by
// group, a product of matrices: the weight (K × C·d·h·w) by the windows (C·d·h·w × outputs), which are written out (im2col) for a block of
// outputs at a time. The gradient by the input, which is also what a transposed convolution is, goes the other way: the transposed
// weight by the gradient gives the windows, which are added up where they came from (col2im). The gradient by the weight is the
// product of the gradient and the transposed windows.

// geometry is the geometry of a convolution between a large side (the input, with channels c) and a small side (the output).
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

// rows is the number of rows of the matrix of windows.
func (w *geometry) rows() int { return w.c * volume(w.kernel) }

// each calls f for every row of the matrix of windows, every line of outputs in [lo, hi): n outputs from column col of the row on, of which the
// first stands at src in the channel's plane, the others stride steps further; those outside of the plane are not among [from, to).
func (w *geometry) each(lo, hi int, f func(row, channel, col, src, n, from, to int)) {
	row := 0
	for c := range w.c {
		for kd := range w.kernel[0] {
			for kh := range w.kernel[1] {
				for kw := range w.kernel[2] {
					for at := lo; at < hi; {
						ow := at % w.out[2]
						oh := at / w.out[2] % w.out[1]
						od := at / (w.out[2] * w.out[1])
						n := min(hi-at, w.out[2]-ow)
						d := od*w.stride[0] - w.padding[0] + kd*w.dilation[0]
						h := oh*w.stride[1] - w.padding[1] + kh*w.dilation[1]
						x := ow*w.stride[2] - w.padding[2] + kw*w.dilation[2]
						from, to := 0, 0
						if d >= 0 && d < w.in[0] && h >= 0 && h < w.in[1] {
							if x < 0 {
								from = min(n, (-x+w.stride[2]-1)/w.stride[2])
							}
							to = max(from, min(n, (w.in[2]-x+w.stride[2]-1)/w.stride[2]))
						}
						f(row, c, at-lo, (d*w.in[1]+h)*w.in[2]+x, n, from, to)
						at += n
					}
					row++
				}
			}
		}
	}
}

// im2col writes the windows of outputs [lo, hi) of the planes in x.
func im2col[T any](w *geometry, x, cols []T, lo, hi int) {
	plane, ld, step := volume(w.in), hi-lo, w.stride[2]
	var zero T
	w.each(lo, hi, func(row, channel, col, src, n, from, to int) {
		dst := cols[row*ld+col:][:n]
		for i := range from {
			dst[i] = zero
		}
		if to > from {
			from0 := channel*plane + src
			if step == 1 {
				copy(dst[from:to], x[from0+from:])
			} else {
				for i := from; i < to; i++ {
					dst[i] = x[from0+i*step]
				}
			}
		}
		for i := to; i < n; i++ {
			dst[i] = zero
		}
	})
}

// col2im adds the windows of outputs [lo, hi) to the planes in x.
func col2im[T number](w *geometry, x, cols []T, lo, hi int) {
	plane, ld, step := volume(w.in), hi-lo, w.stride[2]
	w.each(lo, hi, func(row, channel, col, src, n, from, to int) {
		line := cols[row*ld+col:][:n]
		at := channel*plane + src
		for i := from; i < to; i++ {
			x[at+i*step] += line[i]
		}
	})
}

// convBlock is how many elements of windows are written out at once.
const convBlock = 1 << 17

func (w *geometry) block() int { return max(16, min(volume(w.out), convBlock/max(1, w.rows()))) }

// convolution has the kernels for one dtype.
type convolution struct {
	forward, transposed func(op string, w *geometry, n, groups, k int, x, weight, out *tensor.Tensor)
	weight              func(op string, w *geometry, n, groups, k int, x, g, out *tensor.Tensor)
	bias                func(out, bias *tensor.Tensor)
}

var convolutions = [numDtypes]*convolution{
	tensor.Uint8: convolutionOf[uint8](), tensor.Int8: convolutionOf[int8](), tensor.Int16: convolutionOf[int16](), tensor.Int32: convolutionOf[int32](),
	tensor.Int64: convolutionOf[int64](), tensor.Float32: convolutionOf[float32](), tensor.Float64: convolutionOf[float64](),
	tensor.Complex64: convolutionOf[complex64](), tensor.Complex128: convolutionOf[complex128](),
}

func convolutionOf[T interface {
	number
	tensor.Element
}]() *convolution {
	return &convolution{convForward[T], convTransposed[T], convWeight[T], addBias[T]}
}

func init() {
	kernels(map[string]tensor.Kernel{"convolution": convolutionKernel, "_convolution_weight": convolutionWeightKernel})
}

// convolveIn is the dtype that a convolution is computed in: float32 for half types, float64 for a few products of float32, which costs
// nothing there.
func convolveIn(dt tensor.Dtype, products int) tensor.Dtype {
	if dt == tensor.Float32 && products <= 1<<18 {
		return tensor.Float64
	}
	return dt.Accumulate()
}

func convolutionFor(c *tensor.Call, dt tensor.Dtype) *convolution {
	f := convolutions[dt]
	if f == nil {
		tensor.Errorf(c.Name(), "not implemented for %s", dt)
	}
	return f
}

func convolutionKernel(c *tensor.Call) {
	op, out, groups := c.Name(), c.Ret(0), c.Int(8)
	if out.Numel() == 0 {
		return
	}
	small := out // each of its elements meets each of a filter's
	if c.Bool(6) {
		small = c.Tensor(0)
	}
	dt := convolveIn(out.Dtype(), small.Numel()*c.Tensor(1).Numel()/max(1, c.Tensor(1).Sizes()[0]))
	f := convolutionFor(c, dt)
	x, w := contiguous(op, c.Tensor(0), dt), contiguous(op, c.Tensor(1), dt)
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
	}
	if c.Bool(6) { // the result is the large side
		g := newGeometry(out.Sizes()[2:], x.Sizes()[2:], w.Sizes()[2:], c.Ints(3), c.Ints(4), c.Ints(5), out.Sizes()[1]/groups)
		f.transposed(op, &g, x.Sizes()[0], groups, x.Sizes()[1]/groups, x, w, dst)
	} else {
		g := newGeometry(x.Sizes()[2:], out.Sizes()[2:], w.Sizes()[2:], c.Ints(3), c.Ints(4), c.Ints(5), x.Sizes()[1]/groups)
		f.forward(op, &g, x.Sizes()[0], groups, out.Sizes()[1]/groups, x, w, dst)
	}
	if b := c.Tensor(2); b != nil {
		f.bias(dst, contiguous(op, b, dt))
	}
	if dst != out {
		copyTensor(op, out, dst)
	}
}

func convolutionWeightKernel(c *tensor.Call) {
	op, out, groups := c.Name(), c.Ret(0), c.Int(6)
	dt := convolveIn(out.Dtype(), c.Tensor(1).Numel()*out.Numel()/max(1, out.Sizes()[0]))
	f := convolutionFor(c, dt)
	x, g := contiguous(op, c.Tensor(0), dt), contiguous(op, c.Tensor(1), dt)
	if out.Numel() == 0 || x.Numel() == 0 || g.Numel() == 0 {
		return
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
	}
	w := newGeometry(x.Sizes()[2:], g.Sizes()[2:], out.Sizes()[2:], c.Ints(3), c.Ints(4), c.Ints(5), x.Sizes()[1]/groups)
	f.weight(op, &w, x.Sizes()[0], groups, g.Sizes()[1]/groups, x, g, dst)
	if dst != out {
		copyTensor(op, out, dst)
	}
}

// pointwiseWindow reports whether the windows are the input itself.
func (w *geometry) pointwise() bool {
	return volume(w.kernel) == 1 && w.stride == [3]int{1, 1, 1} && w.padding == [3]int{} && w.in == w.out
}

// convForward: out[n, g] (k × outputs) = weight[g] (k × rows) @ windows of x[n, g].
func convForward[T interface {
	number
	tensor.Element
}](op string, w *geometry, n, groups, k int, x, weight, out *tensor.Tensor) {
	xs, ws, os := tensor.Elems[T](x), tensor.Elems[T](weight), tensor.Elems[T](out)
	plane, outs, rows, block := volume(w.in), volume(w.out), w.rows(), w.block()
	blocks := (outs + block - 1) / block
	parallel.For(n*groups*blocks, 1, func(lo, hi int) {
		buf, pool := takeWork[T]()
		room(&buf.c, rows*block)
		defer pool.Put(buf)
		for t := lo; t < hi; t++ {
			tensor.Interrupted(op)
			s, g, p := t/(groups*blocks), t/blocks%groups, t%blocks*block
			q := min(outs, p+block)
			in := xs[(s*groups+g)*w.c*plane:][:w.c*plane]
			a := matrix[T]{ws, g * k * rows, rows, 1}
			c := matrix[T]{os, (s*groups+g)*k*outs + p, outs, 1}
			if w.pointwise() {
				gemm(op, k, q-p, rows, 1, a, matrix[T]{in, p, plane, 1}, 0, c)
				continue
			}
			im2col(w, in, buf.c, p, q)
			gemm(op, k, q-p, rows, 1, a, matrix[T]{buf.c, 0, q - p, 1}, 0, c)
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(weight)
}

// convTransposed: the windows of out[n, g] (rows × outputs) += weight[g].T (rows × k) @ x[n, g] (k × outputs).
func convTransposed[T interface {
	number
	tensor.Element
}](op string, w *geometry, n, groups, k int, x, weight, out *tensor.Tensor) {
	xs, ws, os := tensor.Elems[T](x), tensor.Elems[T](weight), tensor.Elems[T](out)
	plane, outs, rows, block := volume(w.in), volume(w.out), w.rows(), w.block()
	parallel.For(n*groups, 1, func(lo, hi int) {
		buf, pool := takeWork[T]()
		room(&buf.c, rows*block)
		defer pool.Put(buf)
		for t := lo; t < hi; t++ {
			g := t % groups
			large := os[t*w.c*plane:][:w.c*plane]
			for p := 0; p < outs; p += block {
				tensor.Interrupted(op)
				q := min(outs, p+block)
				a := matrix[T]{ws, g * k * rows, 1, rows}
				gemm(op, rows, q-p, k, 1, a, matrix[T]{xs, t*k*outs + p, outs, 1}, 0, matrix[T]{buf.c, 0, q - p, 1})
				col2im(w, large, buf.c, p, q)
			}
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(weight)
}

// convWeight: out[g] (k × rows) = sum over n of g[n, g] (k × outputs) @ windows of x[n, g], transposed.
func convWeight[T interface {
	number
	tensor.Element
}](op string, w *geometry, n, groups, k int, x, grad, out *tensor.Tensor) {
	xs, gs, os := tensor.Elems[T](x), tensor.Elems[T](grad), tensor.Elems[T](out)
	plane, outs, rows, block := volume(w.in), volume(w.out), w.rows(), w.block()
	parallel.For(groups, 1, func(lo, hi int) {
		buf, pool := takeWork[T]()
		room(&buf.c, rows*block)
		defer pool.Put(buf)
		for g := lo; g < hi; g++ {
			for s := range n {
				in := xs[(s*groups+g)*w.c*plane:][:w.c*plane]
				for p := 0; p < outs; p += block {
					tensor.Interrupted(op)
					q := min(outs, p+block)
					im2col(w, in, buf.c, p, q)
					gemm(op, k, rows, q-p, 1, matrix[T]{gs, (s*groups+g)*k*outs + p, outs, 1}, matrix[T]{buf.c, 0, 1, q - p}, 1, matrix[T]{os, g * k * rows, rows, 1})
				}
			}
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(grad)
}

// addBias adds to every channel its number.
func addBias[T interface {
	number
	tensor.Element
}](out, bias *tensor.Tensor) {
	os, bs := tensor.Elems[T](out), tensor.Elems[T](bias)
	plane := len(os) / (out.Sizes()[0] * len(bs))
	for i := 0; i*plane < len(os); i++ {
		b := bs[i%len(bs)]
		line := os[i*plane:][:plane]
		for j := range line {
			line[j] += b
		}
	}
}
