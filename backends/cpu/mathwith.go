package cpu

import (
	"math"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// stepped are functions that PyTorch computes step by step in the half types, rounding each.
var stepped = map[string]func(c *tensor.Call) func(float64) float64{
	"logit": func(c *tensor.Call) func(float64) float64 {
		eps, clamp, round := c.Float(1), !c.IsNone(1), stepwise(c)
		return func(x float64) float64 {
			if clamp {
				x = math.Min(math.Max(x, eps), 1-eps)
			}
			return math.Log(round(x / round(1-x)))
		}
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
}

// stepwise rounds to a call's half type, for functions that PyTorch computes step by step in it; other dtypes are
// rounded once, at the end.
func stepwise(c *tensor.Call) func(float64) float64 {
	if dt := c.Plan().Dtype; isHalf(dt) {
		return rounding(dt)
	}
	return func(x float64) float64 { return x }
}

// roundDecimals defines round, which is computed in the tensor's own type.
func roundDecimals[T interface {
	float
	tensor.Element
}]() {
	d := tensor.DtypeOf[T]()
	whole := kernelOf("round", d)
	define("round", dtypesOf[T](), &pointwise{out: d, in: [maxInputs]tensor.Dtype{d}, cost: goCost,
		easy: func(c *tensor.Call) bool { return c.Int(1) == 0 },
		make: func(c *tensor.Call) loop {
			switch n := c.Int(1); {
			case n > 0:
				p := T(math.Pow10(n))
				return loop1(each(func(v T) T { return T(math.RoundToEven(float64(v*p))) / p }))
			case n < 0:
				p := T(math.Pow10(-n))
				return loop1(each(func(v T) T { return T(math.RoundToEven(float64(v/p))) * p }))
			}
			return whole
		}})
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

// greatest is the greatest finite number of a dtype.
func greatest(d tensor.Dtype) float64 {
	switch d {
	case tensor.Float16:
		return 65504
	case tensor.Bfloat16:
		return float64(tensor.BF16(0x7f7f).Float32())
	case tensor.Float32:
		return math.MaxFloat32
	}
	return math.MaxFloat64
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

// thresholds defines threshold for integers.
func thresholds[T interface {
	integer
	tensor.Element
}]() {
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

// vectorWithout defines a function of one number by kernels of package simd in d alone, not in the half types with
// float32.
func vectorWithout(name string, d tensor.Dtype, cost int, make func(c *tensor.Call) loop) {
	define(name, []tensor.Dtype{d},
		&pointwise{out: d, in: [maxInputs]tensor.Dtype{d}, cost: cost,
			isa: simd.LevelOf(name + " " + d.String()), make: make})
}

// inTurn is second after first, block by block, for loops of one input and of elements of d.
func inTurn(first, second loop, d tensor.Dtype) loop {
	return func(n int, dst, a, _, _, _ *byte) {
		for i := 0; i < n; i += blockLen {
			k, off := min(blockLen, n-i), i*d.Size()
			first(k, moved(dst, off), moved(a, off), nil, nil, nil)
			second(k, moved(dst, off), moved(dst, off), nil, nil, nil)
		}
	}
}

// vectorsWith defines operators by kernels with parameters.
func vectorsWith() {
	vectorWith("nn.functional.leaky_relu", "leaky_relu", 1, 1, func(c *tensor.Call) []tensor.Scalar {
		return []tensor.Scalar{tensor.FloatScalar(c.Float(1))}
	}, floatDtypes...)
	vectorWith("nn.functional.softshrink", "softshrink", 1, 1, func(c *tensor.Call) []tensor.Scalar {
		if c.Float(1) < 0 {
			panic(tensor.Errorf(c.Name(), "lambd must be greater or equal to 0, but found to be %v", c.Float(1)).OnArg("lambd"))
		}
		return []tensor.Scalar{tensor.FloatScalar(c.Float(1))}
	}, floatDtypes...)
	vectorWith("nn.functional.hardshrink", "hardshrink", 1, 1, func(c *tensor.Call) []tensor.Scalar {
		return []tensor.Scalar{tensor.FloatScalar(c.Float(1))}
	}, floatDtypes...)
	vectorWith("nn.functional.hardtanh", "clamp", 1, 1, func(c *tensor.Call) []tensor.Scalar { return scalars(c, 1, 2) },
		realDtypes...)
	vectorWith("nn.functional.threshold", "threshold", 1, 1,
		func(c *tensor.Call) []tensor.Scalar { return scalars(c, 1, 2) }, floatDtypes...)
	vectorWith("nan_to_num", "nan_to_num", 1, 1, func(c *tensor.Call) []tensor.Scalar {
		most := greatest(c.Plan().Dtype)
		nan, pos, neg := c.Float(1), most, -most
		if !c.IsNone(2) {
			pos = c.Float(2)
		}
		if !c.IsNone(3) {
			neg = c.Float(3)
		}
		return []tensor.Scalar{tensor.FloatScalar(nan), tensor.FloatScalar(pos), tensor.FloatScalar(neg)}
	}, floatDtypes...)
	vectorWith("_elu", "elu", 1, 8, func(c *tensor.Call) []tensor.Scalar {
		alpha, scale, inner := c.Float(1), c.Float(2), c.Float(3)
		return []tensor.Scalar{tensor.FloatScalar(alpha * scale), tensor.FloatScalar(scale), tensor.FloatScalar(inner)}
	}, floatDtypes...)
	for _, d := range floatDtypes {
		gelu(d)
		softplus(d)
	}
	vector("lerp", "lerp", 3, tensor.NoDtype, 1, floatDtypes...)
	vector("rsqrt", "rsqrt", 1, tensor.NoDtype, 5, floatDtypes...)
}

// gelu defines gelu by its two kernels.
func gelu(d tensor.Dtype) {
	exact, tanh := kernelOf("gelu", d), kernelOf("gelu_tanh", d)
	define("nn.functional.gelu", withHalves(d),
		&pointwise{out: d, in: [maxInputs]tensor.Dtype{d}, cost: 8, isa: simd.LevelOf("gelu " + d.String()),
			make: func(c *tensor.Call) loop {
				switch mode := c.Str(1); mode {
				default:
					panic(tensor.Errorf(c.Name(), `approximate must be "none" or "tanh", not %q`, mode).OnArg("approximate"))
				case "none":
					return exact
				case "tanh":
					return tanh
				}
			}})
}

// softplus defines softplus, whose usual parameters need no function of their own.
func softplus(d tensor.Dtype) {
	usual, general := kernelOf("softplus", d), kernelOf("softplus_scaled", d)
	define("nn.functional.softplus", withHalves(d),
		&pointwise{out: d, in: [maxInputs]tensor.Dtype{d}, cost: 14, isa: simd.LevelOf("softplus " + d.String()),
			make: func(c *tensor.Call) loop {
				s := scalars(c, 1, 2)
				if beta, threshold := s[0].Float(), s[1].Float(); beta == 1 && threshold == 20 {
					return usual
				}
				return bindParams(general, d, d, append(s, tensor.FloatScalar(1/s[0].Float())))
			}})
}

func init() {
	for name, f := range stepped {
		define(name, halves, &pointwise{out: tensor.Float32, in: [maxInputs]tensor.Dtype{tensor.Float32}, cost: goCost,
			make: func(c *tensor.Call) loop { return loop1(simd.Each32(f(c))) }})
	}
	for _, d := range floatDtypes {
		define("polygamma", withHalves(d),
			&pointwise{out: d, in: [maxInputs]tensor.Dtype{d}, cost: 20, isa: simd.LevelOf("digamma " + d.String()),
				make: func(c *tensor.Call) loop {
					switch n := c.Int(0); {
					case n == 0:
						return kernelOf("digamma", d)
					case n == 1:
						return kernelOf("trigamma", d)
					case d == tensor.Float32:
						return loop1(simd.Each32(polygamma(n)))
					default:
						return loop1(each(polygamma(n)))
					}
				}})
	}
	for _, d := range floatDtypes {
		vector("xlogy", "xlogy", 2, tensor.NoDtype, 4, d)
		vectorWithout("sinc", d, 5, func(*tensor.Call) loop { return kernelOf("sinc", d) })
		vectorWithout("logit", d, 5, func(c *tensor.Call) loop {
			if c.IsNone(1) {
				return kernelOf("logit", d)
			}
			eps := c.Float(1)
			limits := []tensor.Scalar{tensor.FloatScalar(eps), tensor.FloatScalar(1 - eps)}
			return inTurn(bindParams(kernelOf("clamp", d), d, d, limits), kernelOf("logit", d), d)
		})
	}
	define("xlogy", []tensor.Dtype{tensor.Bfloat16},
		&pointwise{out: tensor.Float32, in: [maxInputs]tensor.Dtype{tensor.Float32, tensor.Float32}, cost: goCost,
			make: func(c *tensor.Call) loop { return loop2(simd.Pairs32(xlogy(stepwise(c)))) }}) // float16 is rounded once
	roundDecimals[float32]()
	roundDecimals[float64]()
	ternaryWith("lerp", func(*tensor.Call) func(dst, a, b, w []complex64) { return lerpComplex[complex64] })
	ternaryWith("lerp", func(*tensor.Call) func(dst, a, b, w []complex128) { return lerpComplex[complex128] })
	thresholds[uint8]()
	thresholds[int8]()
	thresholds[int16]()
	thresholds[int32]()
	thresholds[int64]()
	vectorsWith()
}
