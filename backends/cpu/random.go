package cpu

import (
	"math"

	"gotorch/tensor"
)

// Note: random streams. Equal seeds give PyTorch's numbers, so every kernel draws what PyTorch's CPU kernel draws, in its order: float32 from
// 24 bits of one draw, float64 from 53 bits of two, normals in blocks of 16 where there are that many and one by one below. Numbers are
// drawn on one goroutine, in the order in which the elements lie in memory.

func init() {
	kernels(map[string]tensor.Kernel{
		"rand":         func(c *tensor.Call) { uniform(c, c.Ret(0), 1, 0, 1) },
		"rand_like":    func(c *tensor.Call) { uniform(c, c.Ret(0), -1, 0, 1) },
		"uniform_":     func(c *tensor.Call) { uniform(c, c.Tensor(0), 3, c.Float(1), c.Float(2)) },
		"randn":        func(c *tensor.Call) { normal(c, c.Ret(0), 1, 0, 1) },
		"randn_like":   func(c *tensor.Call) { normal(c, c.Ret(0), -1, 0, 1) },
		"normal_":      func(c *tensor.Call) { normal(c, c.Tensor(0), 3, c.Float(1), c.Float(2)) },
		"normal":       normalOf,
		"randint":      func(c *tensor.Call) { integers(c, c.Ret(0), 3, int64(c.Int(0)), int64(c.Int(1))) },
		"randint.high": func(c *tensor.Call) { integers(c, c.Ret(0), 2, 0, int64(c.Int(0))) },
		"randint_like": func(c *tensor.Call) { integers(c, c.Ret(0), -1, int64(c.Int(1)), int64(c.Int(2))) },
		"randint_like.high": func(c *tensor.Call) {
			integers(c, c.Ret(0), -1, 0, int64(c.Int(1)))
		},
		"random_":      randomSelf,
		"randperm":     permutation,
		"bernoulli":    bernoulliOf,
		"bernoulli_":   bernoulliSelf,
		"exponential_": exponential,
		"log_normal_": func(c *tensor.Call) {
			mean, std := c.Float(1), c.Float(2)
			fillFrom(c, c.Tensor(0), 3, func(s *tensor.Source) float64 { return math.Exp(s.Normal()*std + mean) })
		},
		"geometric_": geometric,
		"cauchy_": func(c *tensor.Call) {
			median, sigma := c.Float(1), c.Float(2)
			fillFrom(c, c.Tensor(0), 3, func(s *tensor.Source) float64 { return median + sigma*math.Tan(math.Pi*(s.Float64()-0.5)) })
		},
	})
}

// generator is the one in slot, or the default where the operator has no such parameter (-1).
func generator(c *tensor.Call, slot int) *tensor.Generator {
	if slot < 0 {
		return tensor.DefaultGenerator()
	}
	return c.Generator(slot)
}

// blockSize is how many elements are drawn between two looks at whether the call is interrupted.
const blockSize = 1 << 16

// inMemory lends x's elements in the order in which they lie; where they lie with gaps, a temporary is lent and copied into x afterwards.
func inMemory[T tensor.Element](op string, x *tensor.Tensor, f func([]T)) {
	if x.IsDense() && x.Numel() > 0 && allForward(x) {
		f(tensor.Elems[T](x))
		return
	}
	t := tensor.Alloc(op, x.Sizes(), x.Dtype(), tensor.CPU)
	f(tensor.Elems[T](t))
	copyTensor(op, x, t)
}

func allForward(x *tensor.Tensor) bool {
	for _, s := range x.Strides() {
		if s < 0 {
			return false
		}
	}
	return true
}

// blocks calls f for runs of dst.
func blocks[T any](op string, dst []T, f func([]T)) {
	for len(dst) > blockSize {
		tensor.Interrupted(op)
		f(dst[:blockSize])
		dst = dst[blockSize:]
	}
	f(dst)
}

// uniform fills x from [from, to).
func uniform(c *tensor.Call, x *tensor.Tensor, slot int, from, to float64) {
	op := c.Name()
	generator(c, slot).Draw(func(s *tensor.Source) {
		switch x.Dtype() {
		case tensor.Float32:
			lo, width := float32(from), float32(to)-float32(from)
			inMemory(op, x, func(dst []float32) {
				blocks(op, dst, func(dst []float32) {
					for i := range dst {
						dst[i] = s.Float32()*width + lo
					}
				})
			})
		case tensor.Float64:
			inMemory(op, x, func(dst []float64) {
				blocks(op, dst, func(dst []float64) {
					for i := range dst {
						dst[i] = s.Float64()*(to-from) + from
					}
				})
			})
		case tensor.Float16:
			inMemory(op, x, func(dst []tensor.Half) {
				for i := range dst {
					dst[i] = tensor.ToHalf(s.Bits(11)*float32(to-from) + float32(from))
				}
			})
		case tensor.Bfloat16:
			inMemory(op, x, func(dst []tensor.BF16) {
				for i := range dst {
					dst[i] = tensor.ToBF16(s.Bits(8)*float32(to-from) + float32(from))
				}
			})
		default:
			asParts(c, x, func(r *tensor.Tensor) { uniformParts(s, r, from, to) })
		}
	})
}

// uniformParts fills the parts of complex numbers.
func uniformParts(s *tensor.Source, r *tensor.Tensor, from, to float64) {
	if r.Dtype() == tensor.Float32 {
		for i, d := 0, tensor.Elems[float32](r); i < len(d); i++ {
			d[i] = s.Float32()*float32(to-from) + float32(from)
		}
		return
	}
	for i, d := 0, tensor.Elems[float64](r); i < len(d); i++ {
		d[i] = s.Float64()*(to-from) + from
	}
}

// asParts lends the parts of a complex x as a real vector of twice the length.
func asParts(c *tensor.Call, x *tensor.Tensor, f func(parts *tensor.Tensor)) {
	if !x.Dtype().IsComplex() {
		tensor.Hintf(c.Name(), "random numbers are floats: give dtype=Float32", "not implemented for %s", x.Dtype())
	}
	y := x
	if !x.Contig() {
		y = tensor.Alloc(c.Name(), x.Sizes(), x.Dtype(), tensor.CPU)
	}
	f(tensor.FromStorage(c.Name(), y.Storage(), []int{2 * y.Numel()}, []int{1}, 2*y.StorageOffset(), x.Dtype().ToReal()))
	if y != x {
		copyTensor(c.Name(), x, y)
	}
}

// fillFrom fills x with numbers that draw gives, converted to its dtype.
func fillFrom(c *tensor.Call, x *tensor.Tensor, slot int, draw func(*tensor.Source) float64) {
	op := c.Name()
	generator(c, slot).Draw(func(s *tensor.Source) {
		t := x
		if x.Dtype() != tensor.Float64 {
			t = tensor.Alloc(op, x.Sizes(), tensor.Float64, tensor.CPU)
		}
		inMemory(op, t, func(dst []float64) {
			blocks(op, dst, func(dst []float64) {
				for i := range dst {
					dst[i] = draw(s)
				}
			})
		})
		if t != x {
			copyTensor(op, x, t)
		}
	})
}

// exponential draws by the inverse of the distribution's function.
func exponential(c *tensor.Call) {
	lambda := c.Float(1)
	fillFrom(c, c.Tensor(0), 2, func(s *tensor.Source) float64 { return -1 / lambda * math.Log(1-s.Float64()) })
}

func geometric(c *tensor.Call) {
	p := c.Float(1)
	if !(p > 0 && p < 1) {
		tensor.Errorf(c.Name(), "p must lie between 0 and 1, got %g", p)
	}
	fillFrom(c, c.Tensor(0), 2, func(s *tensor.Source) float64 { return math.Ceil(math.Log(s.Float64()) / math.Log1p(-p)) })
}
