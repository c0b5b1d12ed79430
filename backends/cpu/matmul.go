package cpu

import (
	"runtime"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// operand is a tensor seen as a batch of matrices: the steps from one matrix, row and column to the next. Where parts
// is not nil it has the elements, in place of x.
type operand struct {
	x               *tensor.Tensor
	batch, row, col int
	parts           []float32
}

// product is a batch of products of matrices: c = alpha*(a @ b) + beta*c. Where c.batch is 0 the products add up in
// one matrix.
type product struct {
	op             string
	batch, m, n, k int
	alpha, beta    tensor.Scalar
	a, b, c, d     operand // d is what beta*c is where beta is 1; nil where c holds it
	pairs          bool    // parts of a and b are pairs of bfloat16 numbers, k counts them
}

var products = [numDtypes]func(p product){
	tensor.Uint8:      multiply[uint8],
	tensor.Int8:       multiply[int8],
	tensor.Int16:      multiply[int16],
	tensor.Int32:      multiply[int32],
	tensor.Int64:      multiply[int64],
	tensor.Float32:    multiply[float32],
	tensor.Float64:    multiply[float64],
	tensor.Complex64:  multiplyComplex[complex64, float32],
	tensor.Complex128: multiplyComplex[complex128, float64],
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

// multiplyCall fills the call's result with beta*self + alpha*(a @ b); beta and alpha are the call's slots 3 and 4.
// Half types are multiplied in float32 and rounded once, but for small products of bfloat16.
func multiplyCall(c *tensor.Call, self, a, b *tensor.Tensor) {
	p := product{op: c.Name(), alpha: tensor.IntScalar(1), beta: tensor.IntScalar(0)}
	out := c.Ret(0)
	if self != nil {
		p.beta, _ = c.Scalar(3)
		p.alpha, _ = c.Scalar(4)
		if !p.beta.Bool() {
			self = nil
		}
	}
	p.shape(a, b, out)
	switch dt := out.Dtype(); {
	case dt != dt.Accumulate():
		multiplyHalf(p, self, bf16Rounding(a, b, out.Dim() < a.Dim() && b.Dim() == 3))
	case products[dt] == nil:
		panic(tensor.Errorf(p.op, "not implemented for %s", dt))
	default:
		if self != nil {
			if p.beta.Float() == 1 && !p.beta.IsComplex() && self.Dtype() == dt && p.batch > 0 {
				p.addend(self, out)
			} else {
				copyTensor(p.op, out, self)
			}
		}
		products[dt](p)
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
func matrixOf[T tensor.Element](o operand) gemm.Matrix[T] {
	if o.parts != nil {
		return gemm.View(any(o.parts).([]T), 0, o.row, o.col)
	}
	return gemm.View(tensor.StorageElems[T](o.x), o.x.StorageOffset(), o.row, o.col)
}

func multiply[T interface {
	number
	tensor.Element
}](p product) {
	g := gemm.Call[T]{Op: p.op, M: p.m, N: p.n, K: p.k, A: matrixOf[T](p.a), B: matrixOf[T](p.b), C: matrixOf[T](p.c),
		Pairs: p.pairs}
	g.Alpha = numberAs[T](p.alpha)
	beta := numberAs[T](p.beta)
	switch g.D = g.C; {
	case p.d.x != nil:
		g.D, beta = matrixOf[T](p.d), 1
	case beta == 0:
		g.D.P = nil
	}
	if beta != 1 && beta != 0 || p.batch == 0 {
		gemm.ScaleRows(tensorRows(p), p.n, beta, g.C)
	}
	if p.batch == 1 {
		g.Run()
		return
	}
	multiplyBatch(p, g)
}

// tensorRows is how many rows the result has, all matrices together.
func tensorRows(p product) int {
	if p.c.batch == 0 {
		return p.m
	}
	return p.batch * p.m
}

// multiplyBatch computes the products of a batch, g being the first.
func multiplyBatch[T number](p product, g gemm.Call[T]) {
	first := g
	one := func(i int, serial bool) {
		g := first
		g.A.Off, g.B.Off, g.C.Off, g.D.Off = g.A.Off+i*p.a.batch, g.B.Off+i*p.b.batch, g.C.Off+i*p.c.batch,
			g.D.Off+i*p.d.batch
		g.Serial = serial
		g.Run()
	}
	if p.d.x == nil {
		p.d.batch = p.c.batch
	}
	work := max(1, p.m*p.n*p.k)
	switch {
	case p.c.batch == 0: // the sum over the batch
		for i := range p.batch {
			one(i, false)
			first.D, p.d.batch = first.C, 0
		}
	case p.batch < 2*parallel.Threads() && work > gemm.SerialProduct:
		for i := range p.batch {
			one(i, false)
		}
	default:
		parallel.For(p.batch, max(1, gemm.BatchGrain/work), func(lo, hi int) {
			tensor.Interrupted(p.op)
			for i := lo; i < hi; i++ {
				if work > gemm.SerialProduct {
					tensor.Interrupted(p.op)
				}
				one(i, true)
			}
		})
	}
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
