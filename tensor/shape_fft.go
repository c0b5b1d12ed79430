package tensor

import "slices"

// Shape functions of Fourier transforms, their frequencies and windows.

func init() {
	m := map[string]Kernel{
		"_fft_c2c": func(c *Call) {
			x := c.Tensor(0)
			fftDims(c, x, c.Ints(1))
			c.New(x.shape, fftDtype(c, x, true))
		},
		"_fft_r2c": func(c *Call) {
			x := c.Tensor(0)
			dims, shape := fftDims(c, x, c.Ints(1)), slices.Clone(x.shape)
			if last := dims[len(dims)-1]; c.Bool(3) {
				shape[last] = shape[last]/2 + 1
			}
			c.New(shape, fftDtype(c, x, false).ToComplex())
		},
		"_fft_c2r": func(c *Call) {
			x, n := c.Tensor(0), c.Int(3)
			dims, shape := fftDims(c, x, c.Ints(1)), slices.Clone(x.shape)
			last := dims[len(dims)-1]
			if shape[last] != n/2+1 {
				panic(Errorf(c.Name(), "%d elements are the half of no transform of %d: that has %d", shape[last], n, n/2+1))
			}
			shape[last] = n
			c.New(shape, fftDtype(c, x, true).ToReal())
		},
		"fft.fftfreq":  frequencyShape(func(n int) int { return n }),
		"fft.rfftfreq": frequencyShape(func(n int) int { return n/2 + 1 }),
	}
	for _, name := range []string{"bartlett_window", "blackman_window", "hamming_window", "hann_window",
		"kaiser_window"} {
		m[name] = windowShape
	}
	shapes(m)
}

// fftDims wraps the transformed dimensions, of which there is at least one, none twice.
func fftDims(c *Call, x *Tensor, dims []int) []int {
	if len(dims) == 0 {
		panic(Errorf(c.Name(), "there is no dimension to transform"))
	}
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = fftDim(c, d, x)
		if slices.Contains(out[:i], out[i]) {
			panic(Errorf(c.Name(), "FFT dims must be unique, got dimension %d twice", d).OnArg("dim"))
		}
	}
	return out
}

// fftDim wraps one dimension; a tensor without dimensions has none to transform.
func fftDim(c *Call, dim int, x *Tensor) int {
	if len(x.shape) == 0 {
		panic(Errorf(c.Name(), "dimension specified as %d but the tensor has no dimensions", dim).OnArg("dim"))
	}
	return WrapDim(c.Name(), dim, len(x.shape))
}

// fftDtype is the dtype of a transform's input, which must be complex or not.
func fftDtype(c *Call, x *Tensor, complex bool) Dtype {
	if x.dtype.IsComplex() != complex {
		kind := map[bool]string{true: "complex", false: "real"}[complex]
		panic(Errorf(c.Name(), "expects a %s input tensor, but got %s", kind, x.dtype))
	}
	return x.dtype
}

func frequencyShape(count func(n int) int) Kernel {
	return func(c *Call) {
		n := c.Int(0)
		if n < 0 {
			panic(Errorf(c.Name(), "n must not be negative, got %d", n).OnArg("n"))
		}
		c.New([]int{count(n)}, c.DtypeOption(DefaultDtype()))
	}
}

func windowShape(c *Call) {
	n := c.Int(0)
	if n < 0 {
		panic(Errorf(c.Name(), "window_length must not be negative, got %d", n).OnArg("window_length"))
	}
	dt := c.DtypeOption(DefaultDtype())
	if !dt.IsFloatingPoint() {
		panic(Errorf(c.Name(), "a window has a floating point dtype, not %v", dt).OnArg("dtype"))
	}
	c.New([]int{n}, dt)
}
