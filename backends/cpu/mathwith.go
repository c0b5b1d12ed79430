package cpu

import (
	"fmt"
	"math"

	"gotorch/tensor"
)

// functionsWith are functions of one real number and of a call's other arguments.
var functionsWith = map[string]func(c *tensor.Call) func(float64) float64{
	"logit": func(c *tensor.Call) func(float64) float64 {
		eps, clamp, round := c.Float(1), !c.IsNone(1), stepwise(c)
		return func(x float64) float64 {
			if clamp {
				x = math.Min(math.Max(x, eps), 1-eps)
			}
			return math.Log(round(x / round(1-x)))
		}
	},
	"rsqrt": func(c *tensor.Call) func(float64) float64 {
		round := stepwise(c)
		return func(x float64) float64 { return 1 / round(math.Sqrt(x)) }
	},
	"sinc": func(c *tensor.Call) func(float64) float64 {
		round := stepwise(c)
		pi := round(math.Pi)
		return func(x float64) float64 {
			if x == 0 {
				return 1
			}
			x = round(pi * x)
			return round(math.Sin(x)) / x
		}
	},
	"nn.functional.leaky_relu": func(c *tensor.Call) func(float64) float64 {
		slope := c.Float(1)
		return func(x float64) float64 {
			if x > 0 {
				return x
			}
			return x * slope
		}
	},
	"_elu": func(c *tensor.Call) func(float64) float64 {
		alpha, scale, inner := c.Float(1), c.Float(2), c.Float(3)
		return func(x float64) float64 {
			if x > 0 {
				return x * scale
			}
			return alpha * scale * math.Expm1(x*inner)
		}
	},
	"nn.functional.gelu": func(c *tensor.Call) func(float64) float64 {
		switch mode := c.Str(1); mode {
		default:
			panic(&tensor.Error{Op: c.Name(), Arg: "approximate", Msg: "approximate must be \"none\" or \"tanh\", not " + fmt.Sprintf("%q", mode)})
		case "none":
		case "tanh":
			return func(x float64) float64 {
				return 0.5 * x * (1 + math.Tanh(math.Sqrt2/math.SqrtPi*(x+0.044715*x*x*x)))
			}
		}
		return func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) }
	},
	"nn.functional.softplus": func(c *tensor.Call) func(float64) float64 {
		b, _ := c.Scalar(1)
		t, _ := c.Scalar(2)
		beta, threshold := b.Float(), t.Float()
		return func(x float64) float64 {
			if x*beta > threshold {
				return x
			}
			return math.Log1p(math.Exp(x*beta)) / beta
		}
	},
}

// stepwise rounds to a call's half type, for functions that PyTorch computes step by step in it; other dtypes are rounded once, at the end.
func stepwise(c *tensor.Call) func(float64) float64 {
	if dt := c.Plan().Dtype; isHalf(dt) {
		return rounding(dt)
	}
	return func(x float64) float64 { return x }
}

// loopsWith are exact, so they are computed in the tensor's own type.
func loopsWith[T interface {
	float
	tensor.Element
}]() {
	unaryWith("nn.functional.softshrink", func(c *tensor.Call) func(dst, a []T) {
		if c.Float(1) < 0 {
			panic(&tensor.Error{Op: c.Name(), Arg: "lambd", Msg: fmt.Sprintf("lambd must be greater or equal to 0, but found to be %v", c.Float(1))})
		}
		l := T(c.Float(1))
		return func(dst, a []T) {
			for i, v := range a {
				switch {
				case v > l:
					v -= l
				case v < -l:
					v += l
				default:
					v *= 0 // NaN stays
				}
				dst[i] = v
			}
		}
	})
	unaryWith("nn.functional.hardshrink", func(c *tensor.Call) func(dst, a []T) {
		l := T(c.Float(1))
		return func(dst, a []T) {
			for i, v := range a {
				if v >= -l && v <= l {
					v = 0
				}
				dst[i] = v
			}
		}
	})
	unaryWith("round", func(c *tensor.Call) func(dst, a []T) {
		switch d := c.Int(1); {
		case d > 0:
			p := T(math.Pow10(d))
			return each(func(v T) T { return T(math.RoundToEven(float64(v*p))) / p })
		case d < 0:
			p := T(math.Pow10(-d))
			return each(func(v T) T { return T(math.RoundToEven(float64(v/p))) * p })
		}
		return each(func(v T) T { return T(math.RoundToEven(float64(v))) })
	})
	unaryWith("nan_to_num", func(c *tensor.Call) func(dst, a []T) {
		most := greatest[T](c)
		nan, pos, neg := T(c.Float(1)), most, -most
		if !c.IsNone(2) {
			pos = T(c.Float(2))
		}
		if !c.IsNone(3) {
			neg = T(c.Float(3))
		}
		return each(func(v T) T {
			switch {
			case v != v:
				return nan
			case math.IsInf(float64(v), 1):
				return pos
			case math.IsInf(float64(v), -1):
				return neg
			}
			return v
		})
	})
	ternaryWith("lerp", func(*tensor.Call) func(dst, a, b, w []T) { return lerpLoop[T] })
}

// xlogy is a log(b), 0 where a is and b is a number.
func xlogy(round func(float64) float64) func(a, b float64) float64 {
	return func(a, b float64) float64 {
		if a == 0 && b == b {
			return 0
		}
		return a * round(math.Log(b))
	}
}

// greatest is the greatest finite number of the call's dtype.
func greatest[T float](c *tensor.Call) T {
	switch c.Plan().Dtype {
	case tensor.Float16:
		return 65504
	case tensor.Bfloat16:
		return T(tensor.BF16(0x7f7f).Float32())
	case tensor.Float32:
		return math.MaxFloat32
	}
	big := math.MaxFloat64
	return T(big)
}

// lerpLoop goes from the nearer end, so that a weight of 1 gives the end itself.
func lerpLoop[T float](dst, a, b, w []T) {
	for i := range dst {
		d := b[i] - a[i]
		if w[i] < 0.5 && w[i] > -0.5 {
			dst[i] = a[i] + w[i]*d
		} else {
			dst[i] = b[i] - d*(1-w[i])
		}
	}
}

func lerpComplex[T complexNumber](dst, a, b, w []T) {
	for i := range dst {
		d := b[i] - a[i]
		if z := complex128(w[i]); math.Hypot(real(z), imag(z)) < 0.5 {
			dst[i] = a[i] + w[i]*d
		} else {
			dst[i] = b[i] - d*(1-w[i])
		}
	}
}

// limitsWith are for integers too.
func limitsWith[T interface {
	realNumber
	tensor.Element
}]() {
	unaryWith("nn.functional.hardtanh", func(c *tensor.Call) func(dst, a []T) {
		lo, hi := numberArg[T](c, 1), numberArg[T](c, 2)
		return func(dst, a []T) {
			for i, v := range a {
				if v < lo {
					v = lo
				}
				if v > hi {
					v = hi
				}
				dst[i] = v
			}
		}
	})
	unaryWith("nn.functional.threshold", func(c *tensor.Call) func(dst, a []T) {
		t, value := numberArg[T](c, 1), numberArg[T](c, 2)
		return func(dst, a []T) {
			for i, v := range a {
				if v <= t {
					v = value
				}
				dst[i] = v
			}
		}
	})
}

func init() {
	for name, f := range functionsWith {
		unaryWith(name, func(c *tensor.Call) func(dst, a []float32) { return each32(f(c)) })
		unaryWith(name, func(c *tensor.Call) func(dst, a []float64) { return each(f(c)) })
	}
	unaryWith("polygamma", func(c *tensor.Call) func(dst, a []float32) {
		if n := c.Int(0); n != 1 {
			return each32(func(x float64) float64 { return polygamma(n, x) })
		}
		return each(trigamma[float32])
	})
	unaryWith("polygamma", func(c *tensor.Call) func(dst, a []float64) {
		n := c.Int(0)
		if n == 1 {
			return each(trigamma[float64])
		}
		return each(func(x float64) float64 { return polygamma(n, x) })
	})
	binaryWith("xlogy", func(c *tensor.Call) func(dst, a, b []float32) {
		round := func(x float64) float64 { return x }
		if c.Plan().Dtype == tensor.Bfloat16 { // float16 is rounded once
			round = stepwise(c)
		}
		f := xlogy(round)
		return pairwise(func(a, b float32) float32 { return float32(f(float64(a), float64(b))) })
	})
	binaryWith("xlogy", func(c *tensor.Call) func(dst, a, b []float64) { return pairwise(xlogy(stepwise(c))) })
	loopsWith[float32]()
	loopsWith[float64]()
	ternaryWith("lerp", func(*tensor.Call) func(dst, a, b, w []complex64) { return lerpComplex[complex64] })
	ternaryWith("lerp", func(*tensor.Call) func(dst, a, b, w []complex128) { return lerpComplex[complex128] })
	limitsWith[uint8]()
	limitsWith[int8]()
	limitsWith[int16]()
	limitsWith[int32]()
	limitsWith[int64]()
	limitsWith[float32]()
	limitsWith[float64]()
}
