package tensor

import "slices"

// Note: Fourier transforms. All are made of three kernels, those of PyTorch: from complex to complex numbers, from
// real to complex, and from complex, of which one dimension is halved, to real. Bodies cut or pad the input to the
// sizes asked for and find the normalization. A forward transform to real numbers, or an inverse one from them, is the
// other direction of the conjugate.

// How a transform is normalized, as the kernels take it: not at all, by the root of the number of elements, by it.
const (
	normNone = iota
	normByRoot
	normByCount
)

func init() {
	composites(map[string]Kernel{
		"fft.fft":   func(c *Call) { fftLine(c, true) },
		"fft.ifft":  func(c *Call) { fftLine(c, false) },
		"fft.rfft":  func(c *Call) { rfftLine(c, true, true) },
		"fft.ihfft": func(c *Call) { rfftLine(c, false, true) },
		"fft.irfft": func(c *Call) { irfftLine(c, false) },
		"fft.hfft":  func(c *Call) { irfftLine(c, true) },

		"fft.fft2": func(c *Call) { fftGrid(c, true) }, "fft.fftn": func(c *Call) { fftGrid(c, true) },
		"fft.ifft2": func(c *Call) { fftGrid(c, false) }, "fft.ifftn": func(c *Call) { fftGrid(c, false) },
		"fft.rfft2": rfftGrid, "fft.rfftn": rfftGrid,
		"fft.irfft2": irfftGrid, "fft.irfftn": irfftGrid,
		"fft.hfft2": hfftGrid, "fft.hfftn": hfftGrid,
		"fft.ihfft2": ihfftGrid, "fft.ihfftn": ihfftGrid,

		"fft.fftshift":  func(c *Call) { fftShift(c, func(n int) int { return n / 2 }) },
		"fft.ifftshift": func(c *Call) { fftShift(c, func(n int) int { return (n + 1) / 2 }) },
	})
}

// fftInput is the input as the kernels take it: integers in the default dtype, and complex where that is asked for.
func fftInput(c *Call, complex bool) *Tensor {
	x := c.Tensor(0)
	dt := x.dtype
	switch {
	case dt.IsComplex():
		if !complex {
			panic(Errorf(c.Name(), "expects a real input tensor, but got %s", dt).WithHint("FftFft takes complex numbers"))
		}
		return x
	case !dt.IsFloatingPoint():
		dt = DefaultDtype()
	}
	if dt != Float32 && dt != Float64 {
		panic(Errorf(c.Name(), "unsupported dtype %s", dt).WithHint("To(Float32) converts"))
	}
	if complex {
		dt = dt.ToComplex()
	}
	return x.To(dt)
}

// fftNorm reads argument norm.
func fftNorm(c *Call, forward bool) int {
	switch mode := c.Str(3); {
	case mode == "ortho":
		return normByRoot
	case c.IsNone(3) || mode == "backward":
		if forward {
			return normNone
		}
		return normByCount
	case mode == "forward":
		if forward {
			return normByCount
		}
		return normNone
	default:
		panic(Errorf(c.Name(), `invalid normalization mode "%s": it is "forward", "backward" or "ortho"`, mode).
			OnArg("norm"))
	}
}

func checkPoints(c *Call, n int) {
	if n < 1 {
		panic(Errorf(c.Name(), "invalid number of data points (%d) specified", n))
	}
}

// fftResize cuts or pads dimensions of x.
func fftResize(x *Tensor, dims, sizes []int) *Tensor {
	pad, must := make([]int, 2*len(x.shape)), false
	for i, d := range dims {
		switch n := x.shape[d]; {
		case sizes[i] < n:
			x = x.Narrow(d, 0, sizes[i])
		case sizes[i] > n:
			pad[2*(len(x.shape)-1-d)+1], must = sizes[i]-n, true
		}
	}
	if must {
		x = Pad(x, pad)
	}
	return x
}

// fftLineArgs reads n and dim of a transform along one dimension; count is the size where n is not given.
func fftLineArgs(c *Call, x *Tensor, count func(size int) int) (n, dim int) {
	dim = fftDim(c, c.Int(2), x)
	n = count(x.shape[dim])
	if !c.IsNone(1) {
		n = c.Int(1)
	}
	checkPoints(c, n)
	return n, dim
}

func sameCount(n int) int { return n }
func halfCount(n int) int { return 2 * (n - 1) }

func fftLine(c *Call, forward bool) {
	if !c.Tensor(0).dtype.IsComplex() {
		rfftLine(c, forward, false)
		return
	}
	x := fftInput(c, true)
	n, dim := fftLineArgs(c, x, sameCount)
	c.Return(callFftC2c(fftResize(x, []int{dim}, []int{n}), []int{dim}, fftNorm(c, forward), forward))
}

func rfftLine(c *Call, forward, onesided bool) {
	x := fftInput(c, false)
	n, dim := fftLineArgs(c, x, sameCount)
	y := callFftR2c(fftResize(x, []int{dim}, []int{n}), []int{dim}, fftNorm(c, forward), onesided)
	if !forward {
		y = y.Conj()
	}
	c.Return(y)
}

func irfftLine(c *Call, forward bool) {
	x := fftInput(c, true)
	n, dim := fftLineArgs(c, x, halfCount)
	x = fftResize(x, []int{dim}, []int{n/2 + 1})
	if forward {
		x = x.Conj()
	}
	c.Return(callFftC2r(x, []int{dim}, fftNorm(c, forward), n))
}

// fftGridArgs reads s and dim of a transform over several dimensions.
func fftGridArgs(c *Call) (dims, sizes []int) {
	x := c.Tensor(0)
	s, given := c.Ints(1), !c.IsNone(1)
	if !c.IsNone(2) {
		for _, d := range c.Ints(2) {
			d = fftDim(c, d, x)
			if slices.Contains(dims, d) {
				panic(Errorf(c.Name(), "FFT dims must be unique, got dimension %d twice", d).OnArg("dim"))
			}
			dims = append(dims, d)
		}
		if given && len(s) != len(dims) {
			panic(Errorf(c.Name(), "when given, dim and s must have the same length, got %v and %v", c.Ints(2), s))
		}
	} else {
		first := 0
		if given {
			if first = len(x.shape) - len(s); first < 0 {
				panic(Errorf(c.Name(), "got s with %d values but the input tensor only has %s", len(s),
					plural(len(x.shape), "dimension")))
			}
		}
		for d := first; d < len(x.shape); d++ {
			dims = append(dims, d)
		}
	}
	for i, d := range dims {
		n := x.shape[d]
		if given && s[i] != -1 {
			n = s[i]
		}
		checkPoints(c, n)
		sizes = append(sizes, n)
	}
	return dims, sizes
}

// needDim rejects a transform to or from real numbers over no dimension.
func needDim(c *Call, dims []int) int {
	if len(dims) == 0 {
		panic(Errorf(c.Name(), "must transform at least one axis"))
	}
	return len(dims) - 1
}

// halvedArgs is fftGridArgs where the input has the half of the last dimension, whose whole size is n.
func halvedArgs(c *Call) (dims, sizes []int, n int) {
	dims, sizes = fftGridArgs(c)
	last := needDim(c, dims)
	n = sizes[last]
	if s := c.Ints(1); c.IsNone(1) || s[len(s)-1] == -1 {
		n = halfCount(c.Tensor(0).shape[dims[last]])
	}
	checkPoints(c, n)
	sizes[last] = n/2 + 1
	return dims, sizes, n
}

func fftGrid(c *Call, forward bool) {
	dims, sizes := fftGridArgs(c)
	norm := fftNorm(c, forward)
	x := fftInput(c, true)
	if len(dims) == 0 {
		c.Return(x.Clone())
		return
	}
	c.Return(callFftC2c(fftResize(x, dims, sizes), dims, norm, forward))
}

func rfftGrid(c *Call) {
	x := fftInput(c, false)
	dims, sizes := fftGridArgs(c)
	needDim(c, dims)
	c.Return(callFftR2c(fftResize(x, dims, sizes), dims, fftNorm(c, true), true))
}

func irfftGrid(c *Call) {
	x := fftInput(c, true)
	dims, sizes, n := halvedArgs(c)
	c.Return(callFftC2r(fftResize(x, dims, sizes), dims, fftNorm(c, false), n))
}

func hfftGrid(c *Call) {
	x := fftInput(c, true)
	dims, sizes, n := halvedArgs(c)
	x, norm, last := fftResize(x, dims, sizes), fftNorm(c, true), len(dims)-1
	if last > 0 {
		x = callFftC2c(x, dims[:last], norm, true)
	}
	c.Return(callFftC2r(x.Conj(), dims[last:], norm, n))
}

func ihfftGrid(c *Call) {
	x := fftInput(c, false)
	dims, sizes := fftGridArgs(c)
	last, norm := needDim(c, dims), fftNorm(c, false)
	y := callFftR2c(fftResize(x, dims, sizes), dims[last:], norm, true).Conj()
	if last > 0 {
		y = callFftC2c(y, dims[:last], norm, false)
	}
	c.Return(y)
}

// fftShift rolls each dimension by what by gives for its size.
func fftShift(c *Call, by func(n int) int) {
	x, dims := c.Tensor(0), c.Ints(1)
	if c.IsNone(1) {
		for d := range x.shape {
			dims = append(dims, d)
		}
	}
	if len(dims) == 0 {
		c.Return(x.Clone())
		return
	}
	shifts := make([]int, len(dims))
	for i, d := range dims {
		shifts[i] = by(x.shape[fftDim(c, d, x)])
	}
	c.Return(x.Roll(shifts, dims...))
}
