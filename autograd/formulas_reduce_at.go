package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Formulas of scatter_reduce and index_reduce: the gradient of what was combined at a place goes to a sum's terms as
// it is, to a mean's divided by their number, to a product's factors times the others, to the extremes shared by all
// that reach them.

// placing is the way in which an operator's index sends elements to places.
type placing struct {
	// what stands at the places, an element for each that is sent
	at    func(x *tensor.Tensor) *tensor.Tensor
	add   func(x, v *tensor.Tensor) *tensor.Tensor            // v added at the places
	clear func(x *tensor.Tensor) *tensor.Tensor               // zero at the places
	prod  func(x, v *tensor.Tensor, self bool) *tensor.Tensor // v multiplied in
}

func scatterReduceVJP(c *Ctx) Grads {
	dim, index, src := c.Int(1), c.Tensor(2), c.Tensor(3)
	if index.Numel() == 0 {
		return Grads{c.Grad, nil, tensor.ZerosLike(src)}
	}
	p := placing{
		at:    func(x *tensor.Tensor) *tensor.Tensor { return x.Gather(dim, index) },
		add:   func(x, v *tensor.Tensor) *tensor.Tensor { return x.ScatterAdd(dim, index, v) },
		clear: func(x *tensor.Tensor) *tensor.Tensor { return x.Scatter(dim, index, 0) },
		prod: func(x, v *tensor.Tensor, self bool) *tensor.Tensor {
			return x.ScatterReduce(dim, index, v, "prod", opt.IncludeSelf(self))
		},
	}
	gx, gs := p.grads(c, corner(src, index.Shape()))
	return Grads{gx, nil, padded(gs, c.Shape(3))}
}

func indexReduceVJP(c *Ctx) Grads {
	dim, index, src := c.Int(1), c.Tensor(2), c.Tensor(3)
	p := placing{
		at:    func(x *tensor.Tensor) *tensor.Tensor { return x.IndexSelect(dim, index).Reshape(src.Shape()...) },
		add:   func(x, v *tensor.Tensor) *tensor.Tensor { return x.IndexAdd(dim, index, v) },
		clear: func(x *tensor.Tensor) *tensor.Tensor { return x.IndexFill(dim, index.Long(), 0) },
		prod: func(x, v *tensor.Tensor, self bool) *tensor.Tensor {
			return x.IndexReduce(dim, index, v, "prod", opt.IncludeSelf(self))
		},
	}
	gx, gs := p.grads(c, src)
	return Grads{gx, nil, gs}
}

// grads are the gradients of self and of what was sent, src.
func (p *placing) grads(c *Ctx, src *tensor.Tensor) (gx, gs *tensor.Tensor) {
	x, y, g, self := c.Tensor(0), c.Result(0), c.Grad, c.Bool(5)
	switch c.Str(4) {
	case "sum":
		gx, gs = g, p.at(g)
	case "mean":
		n := tensor.ZerosLike(x)
		if self {
			n = tensor.OnesLike(x)
		}
		n = p.add(n, tensor.OnesLike(src))
		n = n.MaskedFill(n.Eq(0), 1)
		gx, gs = g.Div(n), p.at(g.Div(n))
	case "prod":
		gx, gs = p.products(g, x, src, self)
	default: // amax, amin
		hits := x.Eq(y).To(g.Dtype())
		mine := src.Eq(p.at(y)).To(g.Dtype())
		reached := hits
		if !self {
			reached = p.clear(hits)
		}
		share := g.Div(p.add(reached, mine))
		gx, gs = hits.Mul(share), mine.Mul(p.at(share))
	}
	if !self {
		gx = p.clear(gx)
	}
	return gx, gs
}

// products: a factor's gradient is times the product of the others, which is the product of all that are not zero,
// divided by it, and zero where another one is zero.
func (p *placing) products(g, x, src *tensor.Tensor, self bool) (gx, gs *tensor.Tensor) {
	noZero := func(t *tensor.Tensor) *tensor.Tensor { return t.MaskedFill(t.Eq(0), 1) }
	zeros := src.Eq(0).To(g.Dtype())
	count := p.add(tensor.ZerosLike(x), zeros)
	gx, base := g, x
	if self {
		gx = g.Mul(p.prod(tensor.OnesLike(x), src, true))
		count = count.Add(x.Eq(0).To(g.Dtype()))
		base = noZero(x)
	}
	others := p.at(p.prod(base, noZero(src), self)).Div(noZero(src))
	n := p.at(count).Sub(zeros) // how many of the other factors are zero
	return gx, p.at(g).Mul(others.MaskedFill(n.Gt(0), 0))
}

// corner is the part of x that has elements for shape.
func corner(x *tensor.Tensor, shape []int) *tensor.Tensor {
	if x.Dim() != len(shape) {
		return x.Reshape(shape...)
	}
	for d, n := range shape {
		if x.Size(d) != n {
			x = x.Narrow(d, 0, n)
		}
	}
	return x
}
