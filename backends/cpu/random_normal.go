package cpu

import (
	"math"
	"runtime"
	"sync"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// normal fills x with normally distributed numbers. Sixteen and more in contiguous memory are made in groups: eight
// uniform numbers are radii, eight are angles, and a last group that overlaps the one before is drawn again. Fewer are
// made one by one.
func normal(c *tensor.Call, x *tensor.Tensor, slot int, mean, std float64) {
	op := c.Name()
	generator(c, slot).Draw(func(s *tensor.Source) {
		switch {
		case x.Dtype().IsComplex(): // each part has half the variance
			asParts(c, x, func(r *tensor.Tensor) { normalReal(op, s, r, x.Contig(), mean, std/math.Sqrt2) })
		default:
			normalReal(op, s, x, x.Contig(), mean, std)
		}
	})
}

func normalReal(op string, s *tensor.Source, x *tensor.Tensor, contiguous bool, mean, std float64) {
	blocked := x.Numel() >= 16 && contiguous
	switch {
	case blocked && x.Dtype() == tensor.Float32:
		normalGroups(op, tensor.Elems[float32](x), func(b []float32) { uniform32(s, b, 1, 0) },
			func(b []float32) { simd.BoxMullerFloat32(b, float32(mean), float32(std)) })
	case blocked && x.Dtype() == tensor.Float64:
		normalGroups(op, tensor.Elems[float64](x), func(b []float64) { uniforms(s, b) },
			func(b []float64) { simd.BoxMullerFloat64(b, mean, std) })
	case blocked:
		normalHalves(op, s, x, float32(mean), float32(std))
	case x.Dtype() == tensor.Float64:
		inMemory(op, x, func(dst []float64) { blocks(op, dst, func(dst []float64) { normalEach(s, dst, mean, std) }) })
	case x.Dtype() == tensor.Float32:
		inMemory(op, x, func(dst []float32) { blocks(op, dst, func(dst []float32) { normalEach(s, dst, mean, std) }) })
	default:
		t := tensor.Alloc(op, x.Sizes(), tensor.Float32, tensor.CPU)
		normalEach(s, tensor.Elems[float32](t), mean, std)
		copyTensor(op, x, t)
	}
}

// normalEach draws one by one.
func normalEach[T float](s *tensor.Source, dst []T, mean, std float64) {
	for i := range dst {
		dst[i] = T(s.Normal()*std + mean)
	}
}

// normalGroups fills dst with uniform numbers and turns them into normal ones, in groups of sixteen: draws are made
// block by block, the groups of a block are transformed in parallel.
func normalGroups[T any](op string, dst []T, draw, transform func(b []T)) {
	const block = 1 << 17
	for at := 0; at < len(dst); at += block {
		tensor.Interrupted(op)
		b := dst[at:min(at+block, len(dst))]
		draw(b)
		parallel.For(len(b)/16, 1<<8, func(lo, hi int) { transform(b[lo*16 : hi*16]) })
	}
	if n := len(dst); n%16 != 0 {
		last := dst[n-16:]
		draw(last)
		transform(last)
	}
}

// normalHalves is normalGroups for the half types, whose uniform numbers have so few bits that radii, sines and
// cosines come from tables.
func normalHalves(op string, s *tensor.Source, x *tensor.Tensor, mean, std float32) {
	table, mask := halfNormals(), uint32(1<<11-1)
	if x.Dtype() == tensor.Bfloat16 {
		table, mask = bf16Normals(), 1<<8-1
	}
	draws := make([]uint32, x.Numel()) // become the bits of the numbers
	normalGroups(op, draws, s.Fill, func(b []uint32) {
		for ; len(b) >= 16; b = b[16:] {
			for j := range 8 {
				r, angle := table[b[j]&mask].radius, &table[b[j+8]&mask]
				if mask < 1<<10 { // bfloat16 is rounded at every step
					b[j] = uint32(tensor.ToBF16(roundBF16(roundBF16(r*angle.cos)*std) + mean))
					b[j+8] = uint32(tensor.ToBF16(roundBF16(roundBF16(r*angle.sin)*std) + mean))
				} else {
					b[j] = uint32(tensor.ToHalf(fused32(r*angle.cos, std, mean)))
					b[j+8] = uint32(tensor.ToHalf(fused32(r*angle.sin, std, mean)))
				}
			}
		}
	})
	out := slice[uint16](x.Ptr(), len(draws))
	for i, v := range draws {
		out[i] = uint16(v)
	}
	runtime.KeepAlive(x)
}

// fused32 is x·y + z, rounded once.
func fused32(x, y, z float32) float32 { return float32(float64(x)*float64(y) + float64(z)) }

// halfNormal has what Box and Muller's method needs of a uniform number: its radius, and the sine and cosine of its
// angle.
type halfNormal struct{ radius, sin, cos float32 }

// bfloat16 is rounded at every step, float16 where it is stored.
var (
	halfNormals = sync.OnceValue(func() []halfNormal {
		return tabulate(11, roundHalf, func(v float32) float32 { return v })
	})
	bf16Normals = sync.OnceValue(func() []halfNormal { return tabulate(8, roundBF16, roundBF16) })
)

func roundHalf(v float32) float32 { return tensor.ToHalf(v).Float32() }
func roundBF16(v float32) float32 { return tensor.ToBF16(v).Float32() }

// tabulate computes with numbers of some bits: store rounds what is kept, step the operations between.
func tabulate(bits int, store, step func(float32) float32) []halfNormal {
	t := make([]halfNormal, 1<<bits)
	for i := range t {
		u := fraction(uint32(i), bits)
		log := step(float32(math.Log(float64(store(1 - u)))))
		sin, cos := math.Sincos(float64(store(float32(2 * math.Pi * float64(u)))))
		t[i] = halfNormal{store(float32(math.Sqrt(float64(step(-2 * log))))), step(float32(sin)), step(float32(cos))}
	}
	return t
}

// normalOf is torch.normal: standard normals, scaled and moved by tensors or numbers.
func normalOf(c *tensor.Call) {
	x, op := c.Ret(0), c.Name()
	normal(c, x, 3, 0, 1)
	dt := tensor.Float64
	z := contig[float64](op, contiguous(op, x, dt))
	mean, std := operand64(c, 0, x), operand64(c, 1, x)
	t := tensor.Alloc(op, x.Sizes(), dt, tensor.CPU)
	out := tensor.Elems[float64](t)
	for i := range out {
		if s := std(i); s < 0 {
			panic(tensor.Errorf(op, "the standard deviation must not be negative, got %g", s))
		}
		out[i] = z[i] * std(i)
	}
	copyTensor(op, x, t) // the product is rounded before the mean is added, as two operators do
	copyTensor(op, t, x)
	for i := range out {
		out[i] += mean(i)
	}
	copyTensor(op, x, t)
}

// operand64 returns element i of a tensor or number argument, broadcast to the shape of x.
func operand64(c *tensor.Call, slot int, x *tensor.Tensor) func(i int) float64 {
	t := c.Tensor(slot)
	if t == nil {
		s, _ := c.Scalar(slot)
		return func(int) float64 { return s.Float() }
	}
	full := tensor.Alloc(c.Name(), x.Sizes(), tensor.Float64, tensor.CPU)
	copyTensor(c.Name(), full, t)
	e := tensor.Elems[float64](full)
	return func(i int) float64 { return e[i] }
}
