package tensor

import "slices"

// Masked reductions of sparse tensors. An element that the tensor does not keep is masked out, unless an explicit mask
// is true there: then it is zero. The result keeps one element for each group of which any is left.

// sparseReductions are the masked operators of sparse tensors, each with the value that replaces a masked element.
var sparseReductions = map[string]func(Dtype) any{
	"sum":  func(Dtype) any { return 0 },
	"prod": func(Dtype) any { return 1 },
	"mean": nil,
	"amax": leastOf,
	"amin": greatestOf,
}

func init() {
	bodies := map[string]Kernel{}
	for reduce, fill := range sparseReductions {
		bodies["masked."+reduce] = func(c *Call) { c.maskedSparse(reduce, fill) }
	}
	sparseBodies(bodies)
}

func (c *Call) maskedSparse(reduce string, fill func(Dtype) any) {
	slot := c.Op.Param("mask")
	x, mask := c.Tensor(0), c.Tensor(slot)
	if x.sparse() == nil { // the mask alone is sparse
		c.Return(c.Again(func(i int, t *Tensor) *Tensor {
			if i == slot {
				return t.ToDense()
			}
			return t
		}, nil)[0])
		return
	}
	keep := c.keepdim()
	p := c.coo(0)
	p = p.coalesce()
	switch {
	case mask == nil && reduce != "sum":
		panic(Errorf(c.Name(), "input of layout %s needs a mask: without one it is unclear whether the elements that it "+
			"does not keep count", x.layout).OnArg("mask"))
	case compressedAs(x.layout) != nil && !keep:
		panic(Errorf(c.Name(), "keepdim must be true for layout %s, since it is a layout of matrices", x.layout).
			OnArg("keepdim"))
	case reduce == "mean" && len(p.v.shape) > 1:
		panic(c.notSparse())
	}
	if mask != nil {
		m := c.sparseMask(slot, &p)
		p = p.masked(&m, fill)
	}
	dt := c.DtypeOption(NoDtype)
	if m := (masked{x: x}); dt == NoDtype && (reduce == "sum" || reduce == "prod") {
		dt = m.summed()
	} else if dt == NoDtype {
		dt = x.dtype
	}
	p.v = p.v.To(dt)
	c.Return(p.reduced(reduce, ReduceDims(c.Name(), c.Ints(1), len(p.size)), keep, x.layout))
}

// sparseMask is the mask in argument i, expanded to the size of p with its sparse dimensions. The values are bools.
func (c *Call) sparseMask(i int, p *coo) coo {
	mask := c.Tensor(i)
	if _, ok := BroadcastStrides(mask.shape, make([]int, len(mask.shape)), p.size); !ok {
		panic(Errorf(c.Name(), "mask of shape %v does not expand to the shape %v of the input", mask.shape, p.size).
			OnArg("mask"))
	}
	if mask.sparse() != nil && mask.DenseDim() != len(p.size)-p.dims {
		mask = mask.ToDense()
	}
	if mask.sparse() == nil {
		m := mask.To(Bool).Expand(p.size...).ToSparse(optSparseDim(p.dims))
		return m.coo(c.Name())
	}
	m := mask.coo(c.Name())
	m = m.coalesce()
	m.v = m.v.To(Bool)
	m.expand(p.size)
	return m
}

// expand repeats p, whose size expands to the given one, along its sparse and its dense dimensions.
func (p *coo) expand(size []int) {
	lead := len(size) - len(p.size)
	from := append(slices.Repeat([]int{1}, lead), p.size...)
	ix := append(make([]int64, lead*p.nnz), p.ix...)
	p.dims += lead
	for d := range p.dims {
		n := size[d]
		if from[d] == n {
			continue
		}
		var at []int // the places that are repeated, once for each index
		repeated := make([]int64, 0, len(ix)*n)
		for k := range p.dims {
			for i := range n {
				if row := ix[k*p.nnz : (k+1)*p.nnz]; k == d {
					repeated = append(repeated, slices.Repeat([]int64{int64(i)}, p.nnz)...)
				} else {
					repeated = append(repeated, row...)
				}
			}
		}
		for range n {
			for i := range p.nnz {
				at = append(at, i)
			}
		}
		p.v = p.v.IndexSelect(0, intsOf(p.op, at))
		ix, p.nnz, p.coalesced = repeated, len(at), false
	}
	p.ix, p.size = ix, slices.Clone(size)
	p.v = p.v.Expand(append([]int{p.nnz}, size[p.dims:]...)...)
	if !p.coalesced {
		*p = p.coalesce()
	}
}

// masked is p where the mask is true; both are coalesced. What p does not keep there is zero.
func (p *coo) masked(m *coo, fill func(Dtype) any) coo {
	some := m.v // is the mask true anywhere in the dense dimensions?
	for len(some.shape) > 1 {
		some = some.Any(optDim(1))
	}
	in := Elems[bool](some.Contiguous())
	var from, rows []int // of the values of p, its count for zero, and of m
	at, keys := 0, p.keys()
	for row, key := range m.keys() {
		if !in[row] {
			continue
		}
		for at < p.nnz && keys[at] < key {
			at++
		}
		if at < p.nnz && keys[at] == key {
			from = append(from, at)
		} else {
			from = append(from, p.nnz)
		}
		rows = append(rows, row)
	}
	q, places := *p, *m
	places.take(rows)
	q.ix, q.nnz = places.ix, places.nnz
	zero := With(p.v.dtype).Zeros(append([]int{1}, p.v.shape[1:]...)...)
	q.v = Cat([]*Tensor{p.v, zero}).IndexSelect(0, intsOf(p.op, from))
	if len(p.v.shape) > 1 {
		q.v = Where(m.v.IndexSelect(0, intsOf(p.op, rows)), q.v, FullLike(q.v, fill(q.v.dtype)))
	}
	return q
}

// reduced joins the elements of p along the dimensions that are gone.
func (p *coo) reduced(reduce string, gone []bool, keep bool, l Layout) *Tensor {
	q := *p
	q.ix, q.size, q.dims, q.coalesced = nil, nil, 0, false
	left := false // is there a sparse dimension left?
	var inner []int
	for d, n := range p.size {
		if gone[d] {
			n = 1
		}
		if keep || !gone[d] {
			q.size = append(q.size, n)
		}
		switch {
		case d >= p.dims && gone[d]:
			inner = append(inner, d-p.dims+1)
		case d >= p.dims:
		case !gone[d]:
			q.ix, q.dims, left = append(q.ix, p.row(d)...), q.dims+1, true
		case keep:
			q.ix, q.dims = append(q.ix, make([]int64, p.nnz)...), q.dims+1
		}
	}
	for i := len(inner) - 1; i >= 0; i-- {
		q.v = reduceDim(reduce, q.v, inner[i], keep)
	}
	if left {
		first, to := q.groups()
		q.take(first)
		at := indexTensor(p.op, to, append([]int{len(to)}, slices.Repeat([]int{1}, len(q.v.shape)-1)...)...)
		dt, v := q.v.dtype, q.v
		if dt == Float16 || dt == Bfloat16 {
			v = v.To(Float32)
		}
		into := With(v.dtype).Zeros(append([]int{len(first)}, v.shape[1:]...)...)
		q.v = into.ScatterReduce(0, at.Expand(v.shape...), v, reduce, optIncludeSelf(false)).To(dt)
		q.coalesced = true
		return q.like(l)
	}
	if compressedAs(l) != nil {
		if q.dims, q.ix, q.coalesced = 2, make([]int64, 2*min(p.nnz, 1)), true; p.nnz > 0 {
			q.nnz, q.v = 1, reduceDim(reduce, q.v, 0, true)
		}
		return q.like(l)
	}
	v := reduceDim(reduce, q.v, 0, false)
	return v.Reshape(q.size...).ToSparse()
}

// reduceDim reduces one dimension; of no elements the greatest is the least number there is.
func reduceDim(reduce string, v *Tensor, d int, keep bool) *Tensor {
	k := optKeepdim(keep)
	switch reduce {
	case "sum":
		return v.Sum(optDim(d), k, v.dtype)
	case "prod":
		return v.Prod(optDim(d), k, v.dtype)
	case "mean":
		return v.Mean(optDim(d), k)
	}
	if v.shape[d] == 0 {
		shape := slices.Clone(v.shape)
		shape[d] = 1
		v = With(v.dtype).Full(shape, sparseReductions[reduce](v.dtype))
	}
	if reduce == "amax" {
		return v.Amax(optDim(d), k)
	}
	return v.Amin(optDim(d), k)
}
