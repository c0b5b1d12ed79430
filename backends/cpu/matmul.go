package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// operand is a tensor seen as a batch of matrices: the steps from one matrix, row and column to the next.
type operand struct {
	x               *tensor.Tensor
	batch, row, col int
}

// product is a batch of products of matrices: c = alpha*(a @ b) + beta*c. Where c.batch is 0 the products add up in one matrix.
type product struct {
	op             string
	batch, m, n, k int
	alpha, beta    tensor.Scalar
	a, b, c, d     operand // d is what beta*c is where beta is 1; nil where c holds it
}

var products = [numDtypes]func(p *product){
	tensor.Uint8:      multiply[uint8],
	tensor.Int8:       multiply[int8],
	tensor.Int16:      multiply[int16],
	tensor.Int32:      multiply[int32],
	tensor.Int64:      multiply[int64],
	tensor.Float32:    multiply[float32],
	tensor.Float64:    multiply[float64],
	tensor.Complex64:  multiply[complex64],
	tensor.Complex128: multiply[complex128],
}

func init() {
	kernels(map[string]tensor.Kernel{
		"mm":      func(c *tensor.Call) { multiplyCall(c, nil, c.Tensor(0), c.Tensor(1)) },
		"bmm":     func(c *tensor.Call) { multiplyCall(c, nil, c.Tensor(0), c.Tensor(1)) },
		"mv":      func(c *tensor.Call) { multiplyCall(c, nil, c.Tensor(0), c.Tensor(1)) },
		"dot":     func(c *tensor.Call) { multiplyCall(c, nil, c.Tensor(0), c.Tensor(1)) },
		"vdot":    func(c *tensor.Call) { multiplyCall(c, nil, conjugate(c.Name(), c.Tensor(0)), c.Tensor(1)) },
		"addmm":   func(c *tensor.Call) { multiplyCall(c, c.Tensor(0), c.Tensor(1), c.Tensor(2)) },
		"addmv":   func(c *tensor.Call) { multiplyCall(c, c.Tensor(0), c.Tensor(1), c.Tensor(2)) },
		"baddbmm": func(c *tensor.Call) { multiplyCall(c, c.Tensor(0), c.Tensor(1), c.Tensor(2)) },
		"addbmm":  func(c *tensor.Call) { multiplyCall(c, c.Tensor(0), c.Tensor(1), c.Tensor(2)) },
	})
}

// multiplyCall fills the call's result with beta*self + alpha*(a @ b); beta and alpha are the call's slots 3 and 4. Half types are
// multiplied in float32 and rounded once, but for small products of bfloat16.
func multiplyCall(c *tensor.Call, self, a, b *tensor.Tensor) {
	p := product{op: c.Name(), alpha: tensor.IntScalar(1), beta: tensor.IntScalar(0)}
	out := c.Ret(0)
	dt := out.Dtype().Accumulate()
	dst := out
	rounding := roundOnce
	if dt != out.Dtype() {
		rounding = bf16Rounding(a, b, out.Dim() < a.Dim() && b.Dim() == 3)
		dst = tensor.Alloc(p.op, out.Sizes(), dt, tensor.CPU)
		a, b = contiguous(p.op, a, dt), contiguous(p.op, b, dt)
	}
	if self != nil {
		p.beta, _ = c.Scalar(3)
		p.alpha, _ = c.Scalar(4)
	}
	if products[dt] == nil {
		tensor.Errorf(p.op, "not implemented for %s", dt)
	}
	p.shape(a, b, dst)
	if self != nil && p.beta.Bool() {
		if p.beta.Float() == 1 && !p.beta.IsComplex() && self.Dtype() == dt && rounding == roundOnce && p.batch > 0 {
			p.addend(self, dst)
		} else {
			copyTensor(p.op, dst, self)
		}
	}
	if rounding != roundOnce {
		p.stepwise(rounding)
	} else {
		products[dt](&p)
	}
	if dst != out {
		copyTensor(p.op, out, dst)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
}

// shape reads sizes and steps: a vector a is a row, a vector b a column.
func (p *product) shape(a, b, c *tensor.Tensor) {
	p.a, p.b, p.c = operand{x: a}, operand{x: b}, operand{x: c}
	p.batch, p.m, p.n = 1, 1, 1
	as, at, bs, bt := a.Sizes(), a.Strides(), b.Sizes(), b.Strides()
	if len(as) == 3 {
		p.batch, p.a.batch, p.b.batch = as[0], at[0], bt[0]
		as, at, bs, bt = as[1:], at[1:], bs[1:], bt[1:]
	}
	if len(as) == 2 {
		p.m, p.a.row = as[0], at[0]
	}
	p.k, p.a.col, p.b.row = as[len(as)-1], at[len(at)-1], bt[0]
	if len(bs) == 2 {
		p.n, p.b.col = bs[1], bt[1]
	}
	p.c.row, p.c.col = p.n, 1
	if c.Dim() == 3 {
		p.c.batch = p.m * p.n
	}
}

// addend makes self, which broadcasts to the result, what the products are added to.
func (p *product) addend(self, dst *tensor.Tensor) {
	strides, _ := tensor.BroadcastStrides(self.Sizes(), self.Strides(), dst.Sizes())
	p.d.x = self
	if n := len(strides); dst.Dim() == 3 {
		p.d.batch, p.d.row, p.d.col = strides[0], strides[n-2], strides[n-1]
	} else if dst.Dim() == 2 {
		p.d.row, p.d.col = strides[0], strides[1]
	} else if dst.Dim() == 1 {
		p.d.row = strides[0]
	}
}

// matrixOf is the first matrix of an operand.
func matrixOf[T tensor.Element](o operand) matrix[T] {
	return matrix[T]{tensor.StorageElems[T](o.x), o.x.StorageOffset(), o.row, o.col}
}

func multiply[T interface {
	number
	tensor.Element
}](p *product) {
	a, b, c := matrixOf[T](p.a), matrixOf[T](p.b), matrixOf[T](p.c)
	alpha, beta := numberAs[T](p.alpha), numberAs[T](p.beta)
	d := c
	switch {
	case p.d.x != nil:
		d = matrixOf[T](p.d)
	case beta == 0:
		d.p = nil
	}
	one := func(i int, serial bool) {
		g := gemmCall[T]{op: p.op, m: p.m, n: p.n, k: p.k, alpha: alpha, a: a, b: b, c: c, d: d, serial: serial}
		g.a.off, g.b.off, g.c.off = a.off+i*p.a.batch, b.off+i*p.b.batch, c.off+i*p.c.batch
		g.d.off = d.off + i*p.d.batch
		if p.d.x == nil {
			g.d.off = g.c.off
			if beta != 0 {
				scaleRows(p.m, p.n, beta, g.c)
			}
		}
		g.run()
	}
	if p.batch == 1 {
		one(0, false)
		return
	}
	if p.c.batch == 0 { // the sum over the batch
		if p.batch == 0 {
			scaleRows(p.m, p.n, beta, c)
		}
		for i := range p.batch {
			one(i, false)
			d, beta, p.d.x = c, 1, nil
		}
		return
	}
	work := max(1, p.m*p.n*p.k)
	if p.batch < 2*parallel.Threads() && work > serialProduct {
		for i := range p.batch {
			one(i, false)
		}
		return
	}
	parallel.For(p.batch, max(1, serialProduct/work), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(p.op)
			one(i, true)
		}
	})
}

// conjugate is a conjugated contiguous copy of a complex x, and x itself where it is real.
func conjugate(op string, x *tensor.Tensor) *tensor.Tensor {
	if !x.Dtype().IsComplex() {
		return x
	}
	y := temporary(op, x, x.Dtype())
	switch x.Dtype() {
	case tensor.Complex64:
		for i, v := range tensor.Elems[complex64](y) {
			tensor.Elems[complex64](y)[i] = complex(real(v), -imag(v))
		}
	default:
		for i, v := range tensor.Elems[complex128](y) {
			tensor.Elems[complex128](y)[i] = complex(real(v), -imag(v))
		}
	}
	return y
}

// Note: bfloat16. PyTorch rounds small products of bfloat16 after every step (for large ones it has a better kernel), and not in the same way
// everywhere. Whoever compares results, or trains in bfloat16, meets these roundings, so they are kept.
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
				dst := &c.p[c.off+i*p.c.batch+r*c.rs+q]
				var start, sum float32
				if beta != 0 {
					start = round(beta * *dst)
				}
				if how != roundVector {
					sum = start
				}
				for k := range p.k {
					f := a.p[a.off+i*p.a.batch+r*a.rs+k*a.cs]
					switch how {
					case roundGemm:
						f *= alpha
					case roundBatch:
						f = round(alpha * f)
					}
					sum = round(sum + round(f*b.p[b.off+i*p.b.batch+k*b.rs+q*b.cs]))
				}
				if how == roundVector {
					sum = round(start + round(alpha*sum))
				}
				*dst = sum
			}
		}
	}
}
