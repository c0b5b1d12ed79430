package tensor

import "slices"

// Pointwise operators of sparse tensors: of zero they make zero, so that only the values need work.

// keepZero are functions of one tensor, whose value at zero is zero.
var keepZero = []string{"abs", "neg", "sqrt", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "expm1",
	"log1p", "erf", "erfinv", "floor", "ceil", "trunc", "frac", "round", "sign", "sgn", "signbit", "deg2rad", "rad2deg",
	"isnan", "isinf", "isposinf", "isneginf", "conj_physical", "square", "positive", "angle", "nan_to_num",
	"nn.functional.relu"}

// linearOps are those of them that need not add equal indices first.
var linearOps = []string{"neg", "deg2rad", "rad2deg", "conj_physical", "positive"}

func init() {
	bodies := map[string]Kernel{"add": addSparse, "sub": addSparse, "mul": mulSparse, "div": divSparse, "pow": powSparse}
	for _, name := range keepZero {
		linear := slices.Contains(linearOps, name)
		bodies[name] = func(c *Call) {
			p := c.Tensor(0).entries(c.Name())
			if !linear {
				p = p.distinct()
			}
			p.v = c.onValues(p.v)
			c.Return(p.like(c.Tensor(0).layout))
		}
	}
	sparseBodies(bodies)
}

// onValues is the result of the call with v in the place of argument 0.
func (c *Call) onValues(v *Tensor) *Tensor {
	return c.Again(func(slot int, t *Tensor) *Tensor {
		if slot == 0 {
			return v
		}
		return t
	}, func(d *Call) { d.out = nil })[0]
}

// number reports whether argument i is a number, or a strided tensor of no dimensions.
func (c *Call) number(i int) bool {
	t := c.Tensor(i)
	return t == nil || t.sparse() == nil && len(t.shape) == 0
}

// addSparse is self ± alpha · other: of two sparse tensors a sparse one, of a sparse and a strided one strided.
func addSparse(c *Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	if x == nil || y == nil {
		panic(c.notSparse())
	}
	if !slices.Equal(x.shape, y.shape) {
		panic(Errorf(c.Name(), "expected sizes of self and other to match, but %v != %v: sparse tensors are not broadcast",
			x.shape, y.shape).OnArg("other"))
	}
	alpha, _ := c.Scalar(2)
	scale := func(v *Tensor) *Tensor { // ±alpha times v
		if c.Op.Name == "sub" {
			v = v.Neg()
		}
		if alpha.Any() != int64(1) {
			v = v.Mul(alpha.Any())
		}
		return v
	}
	dt := ResultType(x, y)
	if alpha.IsFloat() && !dt.IsFloatingPoint() && !dt.IsComplex() {
		panic(Errorf(c.Name(), "for integral input tensors, argument alpha must not be a floating point number").
			OnArg("alpha"))
	}
	switch {
	case x.sparse() == nil:
		q := c.coo(1)
		q.v = scale(q.v.To(dt))
		c.Return(q.addTo(x.To(dt)))
	case y.sparse() == nil:
		p := c.coo(0)
		p.v = p.v.To(dt)
		c.Return(p.addTo(scale(y.To(dt))))
	default:
		p, q := c.coo(0), c.coo(1)
		if p.dims != q.dims {
			panic(Errorf(c.Name(), "self has %s, other %d", plural(p.dims, "sparse dimension"), q.dims).OnArg("other"))
		}
		p.v, q.v = p.v.To(dt), scale(q.v.To(dt))
		if bothCompressed(x, y) { // of CSC they are in no order that merging needs
			p, q = p.coalesce(), q.coalesce()
		}
		r := p.merge(&q)
		c.Return(r.like(commonLayout(x, y)))
	}
}

// addedInPlace adds a sparse tensor into rows of a strided one, and reports whether the call is that: the time is that
// of the rows, not of all elements.
func (c *Call) addedInPlace() bool {
	x, y := c.Tensor(0), c.Tensor(1)
	if c.Op != opAdd && c.Op != opSub || x == nil || y == nil || x.sparse() != nil || !slices.Equal(x.shape, y.shape) ||
		x.dtype != y.dtype || x.dtype == Bool || y.SparseDim() != 1 {
		return false
	}
	alpha, _ := c.Scalar(2)
	q := c.coo(1)
	if c.Op == opSub {
		q.v = q.v.Neg()
	}
	c.Return(x.IndexAdd_(0, indexTensor(c.Name(), q.ix, q.nnz), q.v, optAlpha(alpha.Any())))
	return true
}

// addTo adds p to a strided tensor of its size and dtype.
func (p *coo) addTo(x *Tensor) *Tensor {
	if p.v.dtype == Bool {
		return x.LogicalOr(p.dense())
	}
	rows := x.Reshape(append([]int{p.places()}, p.size[p.dims:]...)...)
	return rows.IndexAdd(0, indexTensor(p.op, p.keys(), p.nnz), p.v).Reshape(p.size...)
}

// merge is p + q. It walks both as PyTorch does, as if they were in order, and joins equal indices that meet.
func (p *coo) merge(q *coo) coo {
	a, b := p.keys(), q.keys()
	r := coo{op: p.op, size: p.size, dims: p.dims, coalesced: p.coalesced && q.coalesced}
	toA, toB := make([]int64, len(a)), make([]int64, len(b))
	var from []int // of the rows one after the other
	for i, j := 0, 0; i < len(a) || j < len(b); {
		left := j == len(b) || i < len(a) && a[i] <= b[j]
		right := i == len(a) || j < len(b) && a[i] >= b[j]
		n := int64(len(from))
		if left {
			from = append(from, i)
		} else {
			from = append(from, len(a)+j)
		}
		if left {
			toA[i] = n
			i++
		}
		if right {
			toB[j] = n
			j++
		}
	}
	for d := range p.dims {
		pd, qd := p.row(d), q.row(d)
		for _, at := range from {
			if at < len(pd) {
				r.ix = append(r.ix, pd[at])
			} else {
				r.ix = append(r.ix, qd[at-len(pd)])
			}
		}
	}
	r.nnz = len(from)
	r.v = gathered(p.op, Cat([]*Tensor{p.v, q.v}), append(toA, toB...), r.nnz)
	return r
}

func mulSparse(c *Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	if x == nil || x.sparse() == nil { // a number or a strided tensor times a sparse one
		p := y.entries(c.Name())
		c.timesDense(&p, y.layout, 0, func(v, d Operand) *Tensor { return Mul(d, v) })
		return
	}
	if y == nil || y.sparse() == nil {
		p := x.entries(c.Name())
		c.timesDense(&p, x.layout, 1, func(v, d Operand) *Tensor { return Mul(v, d) })
		return
	}
	p, q := c.coo(0), c.coo(1)
	if !slices.Equal(p.size, q.size) || p.dims != q.dims {
		panic(Errorf(c.Name(), "expected sparse tensors of equal sizes and sparse dimensions, "+
			"but got %v with %d and %v with %d",
			p.size, p.dims, q.size, q.dims).OnArg("other"))
	}
	p, q = p.coalesce(), q.coalesce()
	a, b := p.keys(), q.keys()
	var inA, inB []int
	for i, k := range a {
		if j, ok := slices.BinarySearch(b, k); ok {
			inA, inB = append(inA, i), append(inB, j)
		}
	}
	p.pick(inA)
	q.pick(inB)
	p.v = p.v.Mul(q.v)
	c.Return(p.like(commonLayout(x, y)))
}

// timesDense applies f to the values and argument i, a number or a strided tensor that is broadcast to the sparse one.
func (c *Call) timesDense(p *coo, l Layout, i int, f func(v, d Operand) *Tensor) {
	d := c.Tensor(i)
	if d == nil {
		s, _ := c.Scalar(i)
		p.v = f(p.v, s.Any())
		c.Return(p.like(l))
		return
	}
	if len(d.shape) > 0 {
		shape := broadcastTwo(c.Name(), p.size, d.shape)
		if !slices.Equal(shape, p.size) {
			panic(Errorf(c.Name(), "a sparse tensor of shape %v is not broadcast to %v", p.size, shape).
				OnArg(c.Op.Params[i].Name).WithHint("x.ToDense() gives a strided tensor"))
		}
		ix := make([]any, p.dims)
		for k := range ix {
			ix[k] = indexTensor(c.Name(), p.row(k), p.nnz)
		}
		if d = d.Expand(p.size...); p.dims > 0 {
			d = d.Index(ix...)
		}
	}
	p.v = f(p.v, d)
	c.Return(p.like(l))
}

// divSparse divides by a number or a tensor of no dimensions.
func divSparse(c *Call) {
	x := c.Tensor(0)
	if x == nil || x.sparse() == nil || !c.number(1) {
		y := c.Tensor(1)
		panic(Errorf(c.Name(), "a sparse tensor can be divided by a number or a tensor of no dimensions alone, got %s",
			layoutAndShape(y)).OnArg("other").WithHint("x.ToDense() gives a strided tensor"))
	}
	p := x.entries(c.Name())
	if !c.IsNone(2) {
		p = p.distinct()
	}
	p.v = c.onValues(p.v)
	c.Return(p.like(x.layout))
}

func layoutAndShape(x *Tensor) string {
	if x == nil {
		return "a number"
	}
	return "one of layout " + x.layout.String() + " and shape " + tuple(x.shape)
}

// powSparse raises to a positive power.
func powSparse(c *Call) {
	s, ok := c.Scalar(1)
	if x := c.Tensor(0); x == nil || x.sparse() == nil || !ok {
		panic(c.notSparse())
	}
	if s.IsComplex() || s.Float() <= 0 {
		panic(Errorf(c.Name(), "a sparse tensor can be raised to a positive power alone, "+
			"got %v: of zero others make no zero",
			s.Any()).OnArg("exponent").WithHint("x.ToDense() gives a strided tensor"))
	}
	p := c.Tensor(0).entries(c.Name())
	p = p.distinct()
	p.v = c.onValues(p.v)
	c.Return(p.like(c.Tensor(0).layout))
}
