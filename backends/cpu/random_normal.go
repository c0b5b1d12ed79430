package cpu

import (
	"math"

	"gotorch/tensor"
)

// normal fills x with normally distributed numbers. Sixteen and more in plain memory are made in blocks: eight uniforms are radii, eight
// are angles, and a last block that overlaps the one before is drawn anew. Fewer are made one by one.
func normal(c *tensor.Call, x *tensor.Tensor, slot int, mean, std float64) {
	op := c.Name()
	generator(c, slot).Draw(func(s *tensor.Source) {
		switch {
		case x.Dtype().IsComplex(): // each part has half the variance
			asParts(c, x, func(r *tensor.Tensor) { normalReal(op, s, r, mean, std/math.Sqrt2) })
		default:
			normalReal(op, s, x, mean, std)
		}
	})
}

func normalReal(op string, s *tensor.Source, x *tensor.Tensor, mean, std float64) {
	blocked := x.Numel() >= 16 && x.Contig()
	switch {
	case blocked && x.Dtype() == tensor.Float32:
		normalBlocks(op, tensor.Elems[float32](x), s.Float32, func(b []float32) { boxMuller32(b, float32(mean), float32(std)) })
	case blocked && x.Dtype() == tensor.Float64:
		normalBlocks(op, tensor.Elems[float64](x), s.Float64, func(b []float64) { boxMuller64(b, mean, std) })
	case blocked: // the half types draw with fewer bits; bfloat16 rounds at every step, float16 where it stores
		bits, store := 11, func(v float32) float32 { return tensor.ToHalf(v).Float32() }
		step := func(v float32) float32 { return v }
		if x.Dtype() == tensor.Bfloat16 {
			bits, store = 8, func(v float32) float32 { return tensor.ToBF16(v).Float32() }
			step = store
		}
		t := make([]float32, x.Numel())
		normalBlocks(op, t, func() float32 { return s.Bits(bits) }, func(b []float32) { boxMullerRounded(b, float32(mean), float32(std), store, step) })
		for i := range t {
			putFloat(x, i, t[i])
		}
	case x.Dtype() == tensor.Float64:
		inMemory(op, x, func(dst []float64) {
			for i := range dst {
				dst[i] = s.Normal()*std + mean
			}
		})
	case x.Dtype() == tensor.Float32:
		inMemory(op, x, func(dst []float32) {
			for i := range dst {
				dst[i] = float32(s.Normal()*std + mean)
			}
		})
	default:
		t := tensor.Alloc(op, x.Sizes(), tensor.Float32, tensor.CPU)
		for i, d := 0, tensor.Elems[float32](t); i < len(d); i++ {
			d[i] = float32(s.Normal()*std + mean)
		}
		copyTensor(op, x, t)
	}
}

// putFloat writes element i of a contiguous tensor of a half type.
func putFloat(x *tensor.Tensor, i int, v float32) {
	if x.Dtype() == tensor.Float16 {
		tensor.Elems[tensor.Half](x)[i] = tensor.ToHalf(v)
	} else {
		tensor.Elems[tensor.BF16](x)[i] = tensor.ToBF16(v)
	}
}

// normalBlocks fills dst with uniforms and turns them to normals, sixteen at a time.
func normalBlocks[T any](op string, dst []T, draw func() T, transform func(b []T)) {
	blocks(op, dst, func(dst []T) {
		for i := range dst {
			dst[i] = draw()
		}
	})
	n := len(dst)
	for i := 0; i+16 <= n; i += 16 {
		transform(dst[i : i+16])
	}
	if n%16 != 0 {
		last := dst[n-16:]
		for i := range last {
			last[i] = draw()
		}
		transform(last)
	}
}

// boxMuller32 turns sixteen uniforms into sixteen normals.
func boxMuller32(b []float32, mean, std float32) {
	for j := range 8 {
		u1, u2 := 1-b[j], b[j+8]
		radius := float32(math.Sqrt(float64(-2 * float32(math.Log(float64(u1))))))
		sin, cos := math.Sincos(float64(2 * float32(math.Pi) * u2))
		b[j] = radius*float32(cos)*std + mean
		b[j+8] = radius*float32(sin)*std + mean
	}
}

// boxMullerRounded is boxMuller32 in a half type: store rounds what is kept, step the operations between.
func boxMullerRounded(b []float32, mean, std float32, store, step func(float32) float32) {
	for j := range 8 {
		u1, u2 := store(1-b[j]), b[j+8]
		radius := store(float32(math.Sqrt(float64(step(-2 * step(float32(math.Log(float64(u1)))))))))
		theta := float64(store(float32(2 * math.Pi * float64(u2))))
		b[j] = store(step(step(radius*step(float32(math.Cos(theta))))*std) + mean)
		b[j+8] = store(step(step(radius*step(float32(math.Sin(theta))))*std) + mean)
	}
}

func boxMuller64(b []float64, mean, std float64) {
	for j := range 8 {
		u1, u2 := 1-b[j], b[j+8]
		radius := math.Sqrt(-2 * math.Log(u1))
		sin, cos := math.Sincos(2 * math.Pi * u2)
		b[j] = radius*cos*std + mean
		b[j+8] = radius*sin*std + mean
	}
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
			tensor.Errorf(op, "the standard deviation must not be negative, got %g", s)
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

// operand64 gives element i of a tensor or number argument, broadcast to the shape of x.
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
