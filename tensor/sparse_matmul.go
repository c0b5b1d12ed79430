package tensor

import "slices"

// Products of sparse matrices.

func init() {
	sparseBodies(map[string]Kernel{
		"mm": func(c *Call) { c.Return(c.product(c.Tensor(0), c.Tensor(1))) },
		"mv": func(c *Call) {
			x, v := c.Tensor(0), c.Tensor(1)
			if len(v.shape) != 1 || v.sparse() != nil {
				panic(Errorf(c.Name(), "expected a strided vector, got %s", layoutAndShape(v)).OnArg("vec"))
			}
			c.Return(c.product(x, v.Unsqueeze(1)).Squeeze(1))
		},
		"matmul": matmulSparse,
		"addmm":  func(c *Call) { c.Return(c.addmmSparse()) },
	})
	composites(map[string]Kernel{
		"sparse.mm":    func(c *Call) { c.Return(c.Tensor(0).Mm(c.Tensor(1))) },
		"sparse.addmm": func(c *Call) { c.Return(c.addmmSparse()) },
	})
}

func matmulSparse(c *Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	switch a, b := len(x.shape), len(y.shape); {
	case a == 2 && b == 2:
		c.Return(c.product(x, y))
	case a == 2 && b == 1 && y.sparse() == nil:
		c.Return(c.product(x, y.Unsqueeze(1)).Squeeze(1))
	case a == 1 && b == 2 && x.sparse() == nil:
		c.Return(c.product(x.Unsqueeze(0), y).Squeeze(0))
	default:
		panic(Errorf(c.Name(), "of sparse tensors only matrices are multiplied, got shapes %v and %v", x.shape, y.shape).
			WithHint("x.ToDense() gives a strided tensor"))
	}
}

// addmmSparse is beta · self + alpha · mat1 @ mat2.
func (c *Call) addmmSparse() *Tensor {
	m := c.product(c.Tensor(1), c.Tensor(2))
	beta, _ := c.Scalar(3)
	alpha, _ := c.Scalar(4)
	if alpha.Any() != int64(1) {
		m = m.Mul(alpha.Any())
	}
	x := c.Tensor(0)
	if beta.Float() == 0 && !beta.IsComplex() {
		return m
	}
	if x.sparse() == nil && m.sparse() == nil {
		x = x.Expand(m.shape...)
	}
	if beta.Any() != int64(1) {
		x = x.Mul(beta.Any())
	}
	return x.Add(m)
}

// product is x @ y, at least one of which is sparse. Sparse times sparse is sparse, all else strided.
func (c *Call) product(x, y *Tensor) *Tensor {
	for i, t := range []*Tensor{x, y} {
		if len(t.shape) != 2 {
			panic(Errorf(c.Name(), "expected matrices, argument %d has shape %v", i, t.shape))
		}
		if t.sparse() != nil && t.DenseDim() > 0 {
			panic(Errorf(c.Name(), "a sparse matrix with dense dimensions cannot be multiplied").
				WithHint("x.ToDense() gives a strided tensor"))
		}
	}
	if x.shape[1] != y.shape[0] {
		panic(Errorf(c.Name(), "shapes %v and %v cannot be multiplied: %d is not %d", x.shape, y.shape, x.shape[1],
			y.shape[0]))
	}
	if x.dtype != y.dtype {
		panic(Errorf(c.Name(), "expected both matrices to have one dtype, but got %s and %s", x.dtype, y.dtype))
	}
	switch {
	case x.sparse() == nil && y.sparse() == nil:
		panic(notForLayout(c.Name(), x))
	case y.sparse() == nil:
		p := x.coo(c.Name())
		return p.timesMatrix(y)
	case x.sparse() == nil: // x @ y = (yᵀ @ xᵀ)ᵀ
		p := y.coo(c.Name())
		return p.transposed().timesMatrix(x.T()).T()
	}
	p, q := x.coo(c.Name()), y.coo(c.Name())
	r := p.timesSparse(&q)
	if bothCompressed(x, y) {
		return r.compress(&byRows)
	}
	return r.tensor()
}

// transposed is the matrix pᵀ.
func (p *coo) transposed() *coo {
	q := *p
	q.ix, q.size = slices.Concat(p.row(1), p.row(0)), []int{p.size[1], p.size[0]}
	q.coalesced, q.byColumns = p.byColumns, p.coalesced
	return &q
}

// timesMatrix is p @ y for a strided y: row i is the sum of y's rows, times the values in p's row i.
func (p *coo) timesMatrix(y *Tensor) *Tensor {
	rows := y.IndexSelect(0, indexTensor(p.op, p.row(1), p.nnz)).Mul(p.v.Unsqueeze(1))
	return gathered(p.op, rows, p.row(0), p.size[0])
}

// timesSparse is p @ q: each value of p meets those in the row of q that its column names.
func (p *coo) timesSparse(q *coo) coo {
	b := q.coalesce()
	begins := make([]int, b.size[0]+1)
	for _, r := range b.row(0) {
		begins[r+1]++
	}
	for i := range b.size[0] {
		begins[i+1] += begins[i]
	}
	var inP, inQ []int
	var rows, cols []int64
	for i, k := range p.row(1) {
		for j := begins[k]; j < begins[k+1]; j++ {
			inP, inQ = append(inP, i), append(inQ, j)
			rows, cols = append(rows, p.row(0)[i]), append(cols, b.row(1)[j])
		}
	}
	r := coo{op: p.op, ix: append(rows, cols...), size: []int{p.size[0], b.size[1]}, dims: 2, nnz: len(inP)}
	r.v = p.v.IndexSelect(0, intsOf(p.op, inP)).Mul(b.v.IndexSelect(0, intsOf(p.op, inQ)))
	return r.coalesce()
}
