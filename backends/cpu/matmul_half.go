package cpu

import (
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// multiplyHalf multiplies half types in float32: the operands are widened, and the result is rounded. self is what
// beta is multiplied by, nil for nothing.
func multiplyHalf(p product, self *tensor.Tensor, rounding bf16Steps) {
	w, pool := gemm.Take[float32]()
	defer pool.Put(w)
	out := p.c.x
	if rounding != roundOnce || !p.pair(w) {
		p.a.widen(p.op, &w.A, p.batch, p.m, p.k)
		p.b.widen(p.op, &w.B, p.batch, p.k, p.n)
	}
	if self != nil {
		wide := tensor.Alloc(p.op, out.Sizes(), tensor.Float32, tensor.CPU)
		copyTensor(p.op, wide, self)
		p.c.parts = tensor.Elems[float32](wide)
	} else {
		p.c.parts = gemm.Room(&w.C, max(1, out.Numel()))
	}
	if rounding == roundOnce {
		multiply[float32](p)
	} else {
		p.stepwise(rounding)
	}
	narrow := convertTable[tensor.Float32][out.Dtype()]
	to, size := out.Storage().Pointer(), out.Dtype().Size()
	parallel.For(out.Numel(), grainSize, func(lo, hi int) {
		narrow(unsafe.Add(to, (out.StorageOffset()+lo)*size), 1, unsafe.Pointer(&p.c.parts[lo]), 1, hi-lo)
	})
}

// widen makes a batch of matrices of rows and columns float32 ones in buf, which are transposed there where they are
// in memory.
func (o *operand) widen(op string, buf *[]float32, batch, rows, cols int) {
	if o.batch == 0 {
		batch = min(batch, 1)
	}
	from := *o
	transposed := o.row == 1 && o.col != 1 && rows > 1
	if transposed {
		from.row, from.col, rows, cols = o.col, o.row, cols, rows
	}
	o.parts = gemm.Room(buf, max(1, batch*rows*cols))
	if o.batch != 0 {
		o.batch = rows * cols
	}
	o.row, o.col = cols, 1
	if transposed {
		o.row, o.col = 1, cols
	}
	if from.row == cols*from.col { // one row after the other
		rows, cols = 1, rows*cols
	}
	convert := convertTable[from.x.Dtype()][tensor.Float32]
	base, size := from.x.Storage().Pointer(), from.x.Dtype().Size()
	const most = 1 << 14 // elements at a time
	pieces := max(1, (cols+most-1)/most)
	parallel.For(batch*rows*pieces, parallel.Grain(0.25*float64(min(cols, most))), func(lo, hi int) {
		tensor.Interrupted(op)
		for i := lo; i < hi; i++ {
			r, q := i/pieces, i%pieces*most
			at := from.x.StorageOffset() + r/rows*from.batch + r%rows*from.row + q*from.col
			n := min(most, cols-q)
			if n > 0 {
				convert(unsafe.Pointer(&o.parts[r*cols+q]), 1, unsafe.Add(base, at*size), from.col, n)
			}
		}
	})
}

// Note: bfloat16. PyTorch rounds small products of bfloat16 after every step (for large ones it has a better kernel),
// and not in the same way everywhere. Whoever compares results, or trains in bfloat16, meets these roundings, so they
// are kept.
type bf16Steps uint8

const (
	roundOnce   bf16Steps = iota // products and sums in float32
	roundGemm                    // every product and sum is rounded; alpha is not
	roundBatch                   // as roundGemm, but alpha and alpha*a are rounded too
	roundVector                  // the sum is rounded at every step, and then scaled and added to c
)

// bf16Rounding says how PyTorch rounds the product of a and b, or the sum of a batch of products.
func bf16Rounding(a, b *tensor.Tensor, sum bool) bf16Steps {
	n := a.Numel()
	if b.Dim() > 1 {
		n *= b.Size(-1)
	}
	switch {
	case a.Dtype() != tensor.Bfloat16 || n > 16*16*16:
		return roundOnce
	case a.Dim() == 3 && sum:
		return roundGemm
	case a.Dim() == 3:
		return roundBatch
	case b.Dim() == 1:
		return roundVector
	case b.Strides()[0] == 1 && b.Strides()[1] != 1 && a.Strides()[1] == 1: // b is a transposed matrix: rows by rows
		return roundOnce
	}
	return roundGemm
}

// stepwise multiplies in float32 with bfloat16's roundings on the way.
func (p *product) stepwise(how bf16Steps) {
	round := func(f float32) float32 { return tensor.ToBF16(f).Float32() }
	a, b, c := matrixOf[float32](p.a), matrixOf[float32](p.b), matrixOf[float32](p.c)
	alpha, beta := numberAs[float32](p.alpha), numberAs[float32](p.beta)
	if how != roundGemm {
		alpha, beta = round(alpha), round(beta)
	} else if p.batch > 1 {
		beta = round(beta)
	}
	for i := range p.batch {
		if i > 0 && p.c.batch == 0 {
			beta = 1
		}
		for r := range p.m {
			for q := range p.n {
				dst := &c.P[c.Off+i*p.c.batch+r*c.RS+q]
				var start, sum float32
				if beta != 0 {
					start = round(beta * *dst)
				}
				if how != roundVector {
					sum = start
				}
				for k := range p.k {
					f := a.P[a.Off+i*p.a.batch+r*a.RS+k*a.CS]
					switch how {
					case roundGemm:
						f *= alpha
					case roundBatch:
						f = round(alpha * f)
					}
					sum = round(sum + round(f*b.P[b.Off+i*p.b.batch+k*b.RS+q*b.CS]))
				}
				if how == roundVector {
					sum = round(start + round(alpha*sum))
				}
				*dst = sum
			}
		}
	}
}
