package cpu

import (
	"math"

	"gotorch/tensor"
)

// Windows and frequencies: functions of the place of an element.

func init() {
	frequencies := func(first func(n int) int) tensor.Kernel {
		return func(c *tensor.Call) {
			n, dst := c.Int(0), c.Ret(0)
			if dst.Dtype().IsIntegral() {
				panic(tensor.Errorf(c.Name(), "frequencies are fractions, which %v has not", dst.Dtype()).OnArg("dtype"))
			}
			step, from := rounding(dst.Dtype())(1/(float64(n)*c.Float(1))), first(n)
			fromFloats(c.Name(), dst, func(i int) float64 {
				if i >= from { // the second half are the negative ones
					i -= n
				}
				return float64(i) * step
			})
		}
	}
	// cosines is the window a - b·cos(t) + c·cos(2t), for t from 0 to 2π.
	cosines := func(weights func(c *tensor.Call) (a, b, c2 float64)) tensor.Kernel {
		return windowKernel(func(c *tensor.Call) func(x float64) float64 {
			a, b, c2 := weights(c)
			return func(x float64) float64 { return a - b*math.Cos(2*math.Pi*x) + c2*math.Cos(4*math.Pi*x) }
		})
	}
	kernels(map[string]tensor.Kernel{
		"fft.fftfreq":  frequencies(func(n int) int { return (n + 1) / 2 }),
		"fft.rfftfreq": frequencies(func(n int) int { return n/2 + 1 }),
		"bartlett_window": windowKernel(func(*tensor.Call) func(x float64) float64 {
			return func(x float64) float64 { return 1 - math.Abs(2*x-1) }
		}),
		"blackman_window": cosines(func(*tensor.Call) (a, b, c2 float64) { return 0.42, 0.5, 0.08 }),
		"hamming_window":  cosines(func(c *tensor.Call) (a, b, c2 float64) { return c.Float(2), c.Float(3), 0 }),
		"hann_window":     cosines(func(*tensor.Call) (a, b, c2 float64) { return 0.5, 0.5, 0 }),
		"kaiser_window": windowKernel(func(c *tensor.Call) func(x float64) float64 {
			beta := c.Float(2)
			whole := besselI0(beta)
			return func(x float64) float64 {
				x = 2*x - 1
				return besselI0(beta*math.Sqrt(max(0, 1-x*x))) / whole
			}
		}),
	})
}

// windowKernel fills a window with a function of x from 0 to 1; a periodic one leaves out the element at 1.
func windowKernel(make func(c *tensor.Call) func(x float64) float64) tensor.Kernel {
	return func(c *tensor.Call) {
		n, f := c.Int(0), make(c)
		steps := float64(n - 1)
		if c.Bool(1) {
			steps++
		}
		fromFloats(c.Name(), c.Ret(0), func(i int) float64 {
			if n == 1 {
				return 1
			}
			return f(float64(i) / steps)
		})
	}
}
