package cpu

import (
	"math"
	mathbits "math/bits"
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{"multinomial": multinomial, "poisson": poisson})
}

// integers fills x from low up to but not including high: remainders of 32 bits, or of 64 where the range needs them.
func integers(c *tensor.Call, x *tensor.Tensor, slot int, low, high int64) {
	n := uint64(high - low)
	if n >= 1<<32 {
		drawn(c, x, slot, func(s *tensor.Source, dst []int64) {
			for i := range dst {
				dst[i] = int64(s.Uint64()%n) + low
			}
		})
		return
	}
	// the remainder by multiplication (Lemire, Kaser and Kurz 2019): exact for 32 bits
	inverse := math.MaxUint64/n + 1
	drawn(c, x, slot, func(s *tensor.Source, dst []int64) {
		eachDraw(s, dst, func(dst []int64, draws []uint32) {
			for i, w := range draws {
				r, _ := mathbits.Mul64(inverse*uint64(w), n)
				dst[i] = int64(r) + low
			}
		})
	})
}

// eachDraw calls f for parts of dst with a draw for each element.
func eachDraw[T any](s *tensor.Source, dst []T, f func(dst []T, draws []uint32)) {
	var draws [cacheBlock]uint32
	for len(dst) > 0 {
		n := min(len(dst), len(draws))
		s.Fill(draws[:n])
		f(dst[:n], draws[:n])
		dst = dst[n:]
	}
}

// randomSelf draws over all that the dtype holds exactly, or between limits.
func randomSelf(c *tensor.Call) {
	x := c.Tensor(0)
	if c.Given(1) || c.Given(2) {
		low, high := tensor.RandomLimits(c)
		integers(c, x, 3, low, high)
		return
	}
	top := map[tensor.Dtype]uint64{tensor.Bool: 2, tensor.Uint8: 1 << 8, tensor.Int8: 1 << 7, tensor.Int16: 1 << 15,
		tensor.Int32:   1 << 31,
		tensor.Float16: 1<<11 + 1, tensor.Bfloat16: 1<<8 + 1, tensor.Float32: 1<<24 + 1, tensor.Float64: 1<<53 + 1,
		tensor.Int64: 1 << 63}[x.Dtype()]
	if x.Dtype() == tensor.Int64 || x.Dtype() == tensor.Float64 {
		drawn(c, x, 3, func(s *tensor.Source, dst []int64) {
			for i := range dst {
				dst[i] = int64(s.Uint64() % top)
			}
		})
		return
	}
	integers(c, x, 3, 0, int64(top))
}

// permutation shuffles from the front: each element takes one of those that are left.
func permutation(c *tensor.Call) {
	if n := c.Int(0); n <= math.MaxInt32 {
		shuffle[int32](c, n)
	} else {
		shuffle[int64](c, n)
	}
}

func shuffle[T int32 | int64](c *tensor.Call, n int) {
	dt := tensor.DtypeOf[T]()
	t := tensor.Alloc(c.Name(), []int{n}, dt, tensor.CPU)
	p := tensor.Elems[T](t)
	for i := range p {
		p[i] = T(i)
	}
	generator(c, 1).Draw(func(s *tensor.Source) {
		at := 0
		blocks(c.Name(), p[:max(n-1, 0)], func(b []T) {
			eachDraw(s, b, func(_ []T, draws []uint32) {
				for _, w := range draws {
					j := at
					if left := n - at; uint64(left) <= math.MaxUint32 {
						j += int(w % uint32(left))
					} else {
						j += int(w)
					}
					p[at], p[j] = p[j], p[at]
					at++
				}
			})
		})
	})
	copyTensor(c.Name(), c.Ret(0), t)
}

// bernoulliOf draws with the probabilities that the elements state, or with one number.
func bernoulliOf(c *tensor.Call) {
	if c.IsNone(1) {
		trials(c, c.Ret(0), c.Tensor(0), 2)
		return
	}
	trial(c, c.Ret(0), c.Float(1), 2)
}

func bernoulliSelf(c *tensor.Call) {
	if p := c.Tensor(1); p != nil {
		trials(c, c.Tensor(0), p, 2)
		return
	}
	s, _ := c.Scalar(1)
	trial(c, c.Tensor(0), s.Float(), 2)
}

func checkProbability(op string, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(tensor.Errorf(op, "expected a probability between 0 and 1, got %g", p))
	}
}

// trial draws with one probability, by 53 bits each.
func trial(c *tensor.Call, x *tensor.Tensor, p float64, slot int) {
	checkProbability(c.Name(), p)
	limit := uint64(math.Ceil(p * 0x1p53)) // a draw below it is below p as a fraction
	drawn(c, x, slot, func(s *tensor.Source, dst []bool) {
		var draws [2 * cacheBlock]uint32
		for len(dst) > 0 {
			n := min(len(dst), cacheBlock)
			s.Fill(draws[:2*n])
			for i := range dst[:n] {
				u := (uint64(draws[2*i])<<32 | uint64(draws[2*i+1])) & (1<<53 - 1)
				dst[i] = u < limit
			}
			dst = dst[n:]
		}
	})
}

// trials draws with a probability for each element: by 53 bits where they are float64, else by 24.
func trials(c *tensor.Call, x, p *tensor.Tensor, slot int) {
	op := c.Name()
	if !p.Dtype().IsFloatingPoint() {
		panic(tensor.Errorf(op, "probabilities must be floating point, not %s", p.Dtype()))
	}
	t := tensor.Alloc(op, x.Sizes(), tensor.Bool, tensor.CPU)
	if p.Dtype() == tensor.Float64 {
		compareDraws(c, tensor.Elems[bool](t), contig[float64](op, expanded(op, p, x.Sizes())), slot, uniforms)
	} else {
		compareDraws(c, tensor.Elems[bool](t), contig[float32](op, expanded(op, p, x.Sizes())), slot,
			func(s *tensor.Source, u []float32) { uniform32(s, u, 1, 0) })
	}
	copyTensor(op, x, t)
}

// compareDraws sets dst where a uniform number is less than the probability.
func compareDraws[T float](c *tensor.Call, dst []bool, p []T, slot int, uniforms func(s *tensor.Source, u []T)) {
	for _, v := range p {
		if !(v >= 0 && v <= 1) {
			checkProbability(c.Name(), float64(v))
		}
	}
	generator(c, slot).Draw(func(s *tensor.Source) {
		var u [cacheBlock]T
		blocks(c.Name(), dst, func(b []bool) {
			for len(b) > 0 {
				n := min(len(b), len(u))
				uniforms(s, u[:n])
				for i, v := range p[:n] {
					b[i] = u[i] < v
				}
				b, p = b[n:], p[n:]
			}
		})
	})
}

// multinomial draws indices with weights. With replacement it looks a uniform up among the sums; without, the largest
// quotients of weights and exponential numbers win.
func multinomial(c *tensor.Call) {
	x, n, op := c.Tensor(0), c.Int(1), c.Name()
	k := x.Sizes()[x.Dim()-1]
	rows := 1
	if x.Dim() == 2 {
		rows = x.Sizes()[0]
	}
	out := tensor.Elems[int64](c.Ret(0))
	if c.Bool(2) && n > 1 {
		if x.Dtype() == tensor.Float32 {
			drawReplacing(c, contig[float32](op, x), rows, out)
		} else {
			drawReplacing(c, contig[float64](op, x), rows, out)
		}
		runtime.KeepAlive(x)
		return
	}
	w := contig[float64](op, x)
	for r := range rows {
		checkWeights(op, w[r*k:(r+1)*k])
	}
	generator(c, 3).Draw(func(s *tensor.Source) {
		q := make([]float64, rows*k) // all exponentials are drawn first
		blocks(op, q, func(q []float64) {
			uniforms(s, q)
			simd.Log1mFloat64(q, q)
		})
		parallel.For(rows, max(1, grainSize/(8*k)), func(lo, hi int) {
			order := make([]keyed, k)
			for r := lo; r < hi; r++ {
				tensor.Interrupted(op)
				for i := range order {
					e := -q[r*k+i]
					if x.Dtype() != tensor.Float64 {
						e = float64(float32(e))
					}
					order[i] = keyed{^floatKey(w[r*k+i] / e), i}
				}
				for i, e := range firsts(order, n) {
					out[r*n+i] = int64(e.at)
				}
			}
		})
	})
}

// checkWeights panics unless weights are finite, none is negative and one is positive.
func checkWeights[T float](op string, w []T) {
	most := T(math.MaxFloat32)
	if unsafe.Sizeof(most) == 8 {
		most = T(big)
	}
	var low, high T // NaN where one is
	switch w := any(w).(type) {
	case []float32:
		if len(w) > 0 {
			low, high = T(simd.MinFloat32(w)), T(simd.MaxFloat32(w))
		}
	case []float64:
		if len(w) > 0 {
			low, high = T(simd.MinFloat64(w)), T(simd.MaxFloat64(w))
		}
	}
	if low >= 0 && high > 0 && high <= most {
		return
	}
	for i, v := range w {
		if !(v >= 0 && v <= most) {
			panic(tensor.Errorf(op, "weights must be finite and not negative; weight %d is %g", i, v))
		}
	}
	panic(tensor.Errorf(op, "the weights of a row sum to %g; they must sum to more than zero", 0.0))
}

// big is the greatest float64; T(math.MaxFloat64) would be no constant of float32.
var big = math.MaxFloat64

// drawReplacing draws indices of each row of w: it looks uniforms up among the sums of the weights, which are those of
// T.
func drawReplacing[T interface {
	float
	tensor.Element
}](c *tensor.Call, w []T, rows int, out []int64) {
	k, n := len(w)/rows, len(out)/rows
	for r := range rows {
		checkWeights(c.Name(), w[r*k:(r+1)*k])
	}
	divide := simd.Get("div " + tensor.DtypeOf[T]().String())
	generator(c, 3).Draw(func(s *tensor.Source) {
		cum := largeBuffer[T](c.Name(), k)
		for r := range rows {
			tensor.Interrupted(c.Name())
			sum := T(0)
			for i, v := range w[r*k : (r+1)*k] {
				sum += v
				cum[i] = sum
			}
			l := newLender()
			by := lent[T](&l, blockLen)
			for i := range by {
				by[i] = sum
			}
			for i := 0; i < k; i += len(by) {
				p := bytePtr(unsafe.Pointer(&cum[i]))
				divide(min(len(by), k-i), p, p, bytePtr(unsafe.Pointer(&by[0])), nil, nil)
			}
			l.end()
			cum[k-1] = 1
			for i := range out[r*n : (r+1)*n] {
				u := s.Float64()
				at := 0
				for left := k; left > 0; { // the first sum that is not below u
					half := (left + 1) / 2
					next := at + half
					if float64(cum[next-1]) < u {
						at = next
					}
					left -= half
				}
				out[r*n+i] = int64(at)
			}
		}
	})
}

// poisson draws counts: by products of uniforms below a rate of 10, by transformed rejection (Hörmann 1993) from there
// on.
func poisson(c *tensor.Call) {
	op := c.Name()
	rates := contig[float64](op, contiguous(op, c.Tensor(0), tensor.Float64))
	t := tensor.Alloc(op, c.Tensor(0).Sizes(), tensor.Float64, tensor.CPU)
	dst := tensor.Elems[float64](t)
	generator(c, 1).Draw(func(s *tensor.Source) {
		for i, l := range rates {
			if !(l >= 0) {
				panic(tensor.Errorf(op, "rates must not be negative, got %g", l))
			}
			dst[i] = poissonOf(s, l)
		}
	})
	copyTensor(op, c.Ret(0), t)
}

func poissonOf(s *tensor.Source, lambda float64) float64 {
	switch {
	case lambda == 0:
		return 0
	case lambda < 10:
		limit, product, n := math.Exp(-lambda), 1.0, 0.0
		for {
			if product *= s.Float64(); product <= limit {
				return n
			}
			n++
		}
	}
	root, logL := math.Sqrt(lambda), math.Log(lambda)
	b := 0.931 + 2.53*root
	a := -0.059 + 0.02483*b
	invAlpha := 1.1239 + 1.1328/(b-3.4)
	vr := 0.9277 - 3.6224/(b-2)
	for {
		u, v := s.Float64()-0.5, s.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + lambda + 0.43)
		if us >= 0.07 && v <= vr {
			return k
		}
		if k < 0 || us < 0.013 && v > us {
			continue
		}
		lg, _ := math.Lgamma(k + 1)
		if math.Log(v)+math.Log(invAlpha)-math.Log(a/(us*us)+b) <= -lambda+k*logL-lg {
			return k
		}
	}
}
