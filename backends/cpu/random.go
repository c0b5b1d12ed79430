package cpu

import (
	"math"
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: random streams. Equal seeds give PyTorch's numbers, so every kernel draws what PyTorch's CPU kernel draws, in
// its order: float32 from 24 bits of one draw, float64 from 53 bits of two, normals in groups of 16 if there are at
// least 16, else one by one. Draws are made on one goroutine, in the order in which the elements lie in memory, a
// block at a time; what follows from a draw alone may be computed by several.

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
			drawn(c, c.Tensor(0), 3, func(s *tensor.Source, dst []float64) {
				for i := range dst {
					dst[i] = s.Normal()
				}
				inParallel(dst, func(z float64) float64 { return math.Exp(z*std + mean) })
			})
		},
		"geometric_": geometric,
		"cauchy_": func(c *tensor.Call) {
			median, sigma := c.Float(1), c.Float(2)
			drawn(c, c.Tensor(0), 3, func(s *tensor.Source, dst []float64) {
				uniforms(s, dst)
				inParallel(dst, func(u float64) float64 { return median + sigma*math.Tan(math.Pi*(u-0.5)) })
			})
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

// inMemory calls f with x's elements in the order in which they lie; where they lie with gaps, with a temporary that
// is copied into x.
func inMemory[T tensor.Element](op string, x *tensor.Tensor, f func([]T)) {
	if inOrder(x) {
		f(tensor.Elems[T](x))
		return
	}
	t := tensor.Alloc(op, x.Sizes(), x.Dtype(), tensor.CPU)
	f(tensor.Elems[T](t))
	copyTensor(op, x, t)
}

// inOrder reports whether x's elements lie one after the other, in whatever order of its dimensions.
func inOrder(x *tensor.Tensor) bool {
	for _, s := range x.Strides() {
		if s < 0 {
			return false
		}
	}
	return x.IsDense() && x.Numel() > 0
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

// drawn fills x with what draw puts into blocks of T, converted to x's dtype.
func drawn[T tensor.Element](c *tensor.Call, x *tensor.Tensor, slot int, draw func(s *tensor.Source, dst []T)) {
	op, dt := c.Name(), tensor.DtypeOf[T]()
	generator(c, slot).Draw(func(s *tensor.Source) {
		if x.Dtype() != dt && inOrder(x) {
			convert, size := convertTable[dt][x.Dtype()], x.ElementSize()
			buf := make([]T, min(x.Numel(), blockSize/8))
			for at := 0; at < x.Numel(); at += len(buf) {
				tensor.Interrupted(op)
				n := min(len(buf), x.Numel()-at)
				draw(s, buf[:n])
				convert(unsafe.Add(x.Ptr(), at*size), 1, unsafe.Pointer(&buf[0]), 1, n)
			}
			runtime.KeepAlive(x)
			return
		}
		t := x
		if x.Dtype() != dt {
			t = tensor.Alloc(op, x.Sizes(), dt, tensor.CPU)
		}
		inMemory(op, t, func(dst []T) {
			blocks(op, dst, func(dst []T) { draw(s, dst) })
		})
		if t != x {
			copyTensor(op, x, t)
		}
	})
}

// inParallel replaces each element by f of it.
func inParallel(x []float64, f func(float64) float64) {
	parallel.For(len(x), grainSize/8, func(lo, hi int) {
		for i, v := range x[lo:hi] {
			x[lo+i] = f(v)
		}
	})
}

// drawsIn is the memory of x as draws of 32 bits.
func drawsIn[T float](x []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(T(0)))/4)
}

// uniforms fills dst from [0, 1) with 53 bits.
func uniforms(s *tensor.Source, dst []float64) { uniform64(s, dst, 1, 0) }

// cacheBlock is how many elements are drawn before they are converted, so that they are in the first-level cache.
const cacheBlock = 1 << 11

func uniform64(s *tensor.Source, dst []float64, width, low float64) {
	for len(dst) > 0 {
		b := dst[:min(len(dst), cacheBlock)]
		draws := drawsIn(b)
		s.Fill(draws)
		simd.UniformFloat64(b, draws, width, low)
		dst = dst[len(b):]
	}
}

func uniform32(s *tensor.Source, dst []float32, width, low float32) {
	for len(dst) > 0 {
		b := dst[:min(len(dst), cacheBlock)]
		draws := drawsIn(b)
		s.Fill(draws)
		simd.UniformFloat32(b, draws, width, low)
		dst = dst[len(b):]
	}
}

// uniform fills x from [from, to).
func uniform(c *tensor.Call, x *tensor.Tensor, slot int, from, to float64) {
	low, width := float32(from), float32(to)-float32(from)
	switch x.Dtype() {
	case tensor.Float32:
		drawn(c, x, slot, func(s *tensor.Source, dst []float32) { uniform32(s, dst, width, low) })
	case tensor.Float64:
		drawn(c, x, slot, func(s *tensor.Source, dst []float64) { uniform64(s, dst, to-from, from) })
	case tensor.Float16, tensor.Bfloat16:
		bits, width := halfBits(x.Dtype()), float32(to-from)
		drawn(c, x, slot, func(s *tensor.Source, dst []float32) {
			s.Fill(drawsIn(dst))
			for i, w := range drawsIn(dst) {
				dst[i] = fraction(w, bits)*width + low
			}
		})
	default: // the parts of complex numbers
		asParts(c, x, func(r *tensor.Tensor) {
			generator(c, slot).Draw(func(s *tensor.Source) {
				if r.Dtype() == tensor.Float32 {
					uniform32(s, tensor.Elems[float32](r), float32(to-from), low)
				} else {
					uniform64(s, tensor.Elems[float64](r), to-from, from)
				}
			})
		})
	}
}

// halfBits is how many bits of a draw a half type takes.
func halfBits(dt tensor.Dtype) int {
	if dt == tensor.Bfloat16 {
		return 8
	}
	return 11
}

// fraction is the number on [0, 1) that the lowest bits of a draw make.
func fraction(draw uint32, bits int) float32 {
	return float32(draw&(1<<bits-1)) * math.Float32frombits(uint32(127-bits)<<23)
}

// asParts calls f with the parts of a complex x, as they lie in memory, as a real vector of twice the length.
func asParts(c *tensor.Call, x *tensor.Tensor, f func(parts *tensor.Tensor)) {
	if !x.Dtype().IsComplex() {
		panic(tensor.Errorf(c.Name(), "not implemented for %s", x.Dtype()).
			WithHint("random numbers are floats: give dtype=Float32"))
	}
	y := x
	if !inOrder(x) {
		y = tensor.Alloc(c.Name(), x.Sizes(), x.Dtype(), tensor.CPU)
	}
	f(tensor.FromStorage(c.Name(), y.Storage(), []int{2 * y.Numel()}, []int{1}, 2*y.StorageOffset(), x.Dtype().ToReal()))
	if y != x {
		copyTensor(c.Name(), x, y)
	}
}

// exponential draws by the inverse of the distribution's function.
func exponential(c *tensor.Call) {
	scale := -1 / c.Float(1)
	drawn(c, c.Tensor(0), 2, func(s *tensor.Source, dst []float64) {
		uniforms(s, dst)
		parallel.For(len(dst), grainSize/4, func(lo, hi int) {
			part := dst[lo:hi]
			simd.Log1mFloat64(part, part)
			for i := range part {
				part[i] *= scale
			}
		})
	})
}

func geometric(c *tensor.Call) {
	p := c.Float(1)
	if !(p > 0 && p < 1) {
		panic(tensor.Errorf(c.Name(), "p must lie between 0 and 1, got %g", p))
	}
	drawn(c, c.Tensor(0), 2, func(s *tensor.Source, dst []float64) {
		uniforms(s, dst)
		inParallel(dst, func(u float64) float64 { return math.Ceil(math.Log(u) / math.Log1p(-p)) })
	})
}
