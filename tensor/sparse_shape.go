package tensor

import "slices"

// Sparse tensors transposed, indexed, joined, summed and compared.

func init() {
	sparseBodies(map[string]Kernel{
		"transpose": func(c *Call) {
			n := len(c.Tensor(0).shape)
			dims := make([]int, n)
			for i := range dims {
				dims[i] = i
			}
			if a, b := c.wrapDim(1, c.Int(1), n), c.wrapDim(2, c.Int(2), n); n > 0 {
				dims[a], dims[b] = b, a
			}
			c.permuteSparse(dims)
		},
		"t": func(c *Call) {
			switch n := len(c.Tensor(0).shape); n {
			case 0, 1:
				c.Return(c.Tensor(0))
			case 2:
				c.permuteSparse([]int{1, 0})
			default:
				panic(Errorf(c.Name(), "expected a tensor of at most 2 dimensions, got %d", n).OnArg("self"))
			}
		},
		"permute": func(c *Call) {
			n := len(c.Tensor(0).shape)
			dims := slices.Clone(c.Ints(1))
			seen := make([]bool, n)
			if len(dims) != n {
				panic(Errorf(c.Name(), "%s for a tensor of %d", plural(len(dims), "dimension"), n).OnArg("dims"))
			}
			for i, d := range dims {
				d = c.wrapDim(1, d, n)
				if seen[d] {
					panic(Errorf(c.Name(), "dimension %d is given twice: %v", d, c.Ints(1)).OnArg("dims"))
				}
				dims[i], seen[d] = d, true
			}
			c.permuteSparse(dims)
		},
		"unsqueeze":    unsqueezeSparse,
		"select":       selectSparse,
		"slice":        sliceSparse,
		"index_select": indexSelectSparse,
		"cat":          catSparse,
		"sum": func(c *Call) {
			c.sumSparse(c.Dtype(3), c.Bool(2))
		},
		"equal": equalSparse,
		"norm": func(c *Call) {
			p := c.coo(0)
			power, ok := c.Scalar(1)
			if !c.IsNone(2) || c.Bool(3) || ok && power.Float() < 0 {
				panic(Errorf(c.Name(), "of a sparse tensor there is the norm of all elements alone, with p of 0 or more").
					WithHint("x.ToDense() gives a strided tensor"))
			}
			p = p.coalesce()
			c.Return(c.onValues(p.v))
		},
	})
	composites(map[string]Kernel{"sparse.sum": func(c *Call) {
		c.sparseArg(0)
		c.sumSparse(c.Dtype(2), false)
	}})
}

// permuteSparse puts the dimensions into another order; sparse ones stay in front.
func (c *Call) permuteSparse(dims []int) {
	if x := c.Tensor(0); compressedAs(x.layout) != nil && !slices.IsSorted(dims) {
		c.Return(x.flipped())
		return
	}
	p := c.coo(0)
	q := p
	q.size, q.ix, q.coalesced = make([]int, len(dims)), make([]int64, 0, len(p.ix)), p.coalesced && slices.IsSorted(dims)
	inner := []int{0}
	for i, d := range dims {
		if (i < p.dims) != (d < p.dims) {
			panic(Errorf(c.Name(), "the %s of a sparse tensor must stay in front of the others, got %v",
				plural(p.dims, "sparse dimension"), dims).WithHint("x.ToDense() gives a strided tensor"))
		}
		if q.size[i] = p.size[d]; d < p.dims {
			q.ix = append(q.ix, p.row(d)...)
		} else {
			inner = append(inner, d-p.dims+1)
		}
	}
	if !slices.IsSorted(inner) {
		q.v = p.v.Permute(inner...)
	}
	c.Return(q.like(c.Tensor(0).layout))
}

func unsqueezeSparse(c *Call) {
	p := c.coo(0)
	d := c.wrapDim(1, c.Int(1), len(p.size)+1)
	p.size = slices.Insert(slices.Clone(p.size), d, 1)
	if d > p.dims {
		p.v = p.v.Unsqueeze(d - p.dims + 1)
	} else {
		p.ix = slices.Insert(slices.Clone(p.ix), d*p.nnz, make([]int64, p.nnz)...)
		p.dims++
	}
	c.Return(p.tensor())
}

// selectSparse takes one index of a dimension. Without a sparse dimension left the result is strided.
func selectSparse(c *Call) {
	p := c.coo(0)
	if len(p.size) == 0 {
		panic(Errorf(c.Name(), "a tensor of no dimensions has none to select from").OnArg("self"))
	}
	d := c.wrapDim(1, c.Int(1), len(p.size))
	i, n := c.Int(2), p.size[d]
	if i < -n || i >= n {
		panic(Errorf(c.Name(), "index %d is out of range for dimension %d of size %d", i, d, n).OnArg("index"))
	}
	if i < 0 {
		i += n
	}
	size := slices.Delete(slices.Clone(p.size), d, d+1)
	if d >= p.dims {
		p.v, p.size = p.v.Select(d-p.dims+1, i), size
		c.Return(p.tensor())
		return
	}
	var at []int
	for j, k := range p.row(d) {
		if k == int64(i) {
			at = append(at, j)
		}
	}
	p.pick(at)
	p.dropDim(d)
	if p.size = size; p.dims == 0 {
		c.Return(p.dense())
		return
	}
	c.Return(p.tensor())
}

// dropDim takes the indices of sparse dimension d away.
func (p *coo) dropDim(d int) {
	p.ix = slices.Delete(slices.Clone(p.ix), d*p.nnz, (d+1)*p.nnz)
	p.dims--
}

// sliceSparse keeps a range of a dimension.
func sliceSparse(c *Call) {
	p := c.coo(0)
	if len(p.size) == 0 {
		panic(Errorf(c.Name(), "a tensor of no dimensions has none to slice").OnArg("self"))
	}
	d := c.wrapDim(1, c.Int(1), len(p.size))
	n := p.size[d]
	bound := func(i, def int) int {
		if c.IsNone(i) {
			return def
		}
		k := c.Int(i)
		if k < 0 {
			k += n
		}
		return min(max(k, 0), n)
	}
	lo, hi, step := bound(2, 0), bound(3, n), c.Int(4)
	if step < 1 {
		panic(Errorf(c.Name(), "step must be positive, got %d", step).OnArg("step"))
	}
	hi = max(lo, hi)
	p.size = slices.Clone(p.size)
	p.size[d] = (hi - lo + step - 1) / step
	if d >= p.dims {
		p.v = p.v.Slice(optDim(d-p.dims+1), optStart(lo), optEnd(hi), optStep(step))
		c.Return(p.tensor())
		return
	}
	var at []int
	for j, k := range p.row(d) {
		if k := int(k); k >= lo && k < hi && (k-lo)%step == 0 {
			at = append(at, j)
		}
	}
	p.pick(at)
	for j, k := range p.row(d) {
		p.ix[d*p.nnz+j] = (k - int64(lo)) / int64(step)
	}
	c.Return(p.tensor())
}

// indexSelectSparse takes indices of a dimension, in their order.
func indexSelectSparse(c *Call) {
	if c.Tensor(0).sparse() == nil {
		panic(c.notSparse())
	}
	p, layout := c.coo(0), c.Tensor(0).layout
	if len(p.size) == 0 {
		panic(Errorf(c.Name(), "a tensor of no dimensions has none to select from").OnArg("self"))
	}
	d := c.wrapDim(1, c.Int(1), len(p.size))
	index := c.indexArg(2)
	if len(index.shape) > 1 {
		panic(Errorf(c.Name(), "index must have 1 dimension, got shape %v", index.shape).OnArg("index"))
	}
	ks := Elems[int64](index)
	for _, k := range ks {
		if k < 0 || k >= int64(p.size[d]) {
			panic(Errorf(c.Name(), "index contains %d that is out of range for a tensor of size %v at dimension %d", k,
				p.size, d).
				OnArg("index"))
		}
	}
	p.size = slices.Clone(p.size)
	p.size[d] = len(ks)
	if d >= p.dims {
		p.v = p.v.IndexSelect(d-p.dims+1, index)
		c.Return(p.tensor())
		return
	}
	by := make(map[int64][]int, len(ks)) // the values at each index
	for j, k := range p.row(d) {
		by[k] = append(by[k], j)
	}
	var at []int
	var to []int64
	for i, k := range ks {
		for _, j := range by[k] {
			at, to = append(at, j), append(to, int64(i))
		}
	}
	p.pick(at)
	copy(p.row(d), to)
	p.coalesced = p.coalesced && d == 0
	c.Return(p.like(layout))
}

// catSparse joins sparse tensors.
func catSparse(c *Call) {
	xs := c.Tensors(0)
	for _, x := range xs {
		if x.sparse() == nil || x.layout != xs[0].layout {
			panic(Errorf(c.Name(), "expected all tensors to have one layout, but found %s and %s", xs[0].layout, x.layout).
				OnArg("tensors"))
		}
	}
	d := c.wrapDim(1, c.Int(1), len(xs[0].shape))
	r := xs[0].coo(c.Name())
	r.size = slices.Clone(r.size)
	r.size[d] = 0
	rows, vs := make([][]int64, r.dims), make([]*Tensor, len(xs))
	if d >= r.dims {
		panic(Errorf(c.Name(), "dimension %d is no sparse one, of which there are %d", d, r.dims).OnArg("dim").
			WithHint("x.ToDense() gives a strided tensor"))
	}
	for i, x := range xs {
		p := x.coo(c.Name())
		if same := slices.Clone(p.size); p.dims != r.dims || len(same) != len(r.size) ||
			!slices.Equal(slices.Replace(same, d, d+1, r.size[d]), r.size) {
			panic(Errorf(c.Name(), "tensor %d has shape %v with %s, which does not go with shape %v and %d", i, p.size,
				plural(p.dims, "sparse dimension"), xs[0].shape, r.dims).OnArg("tensors"))
		}
		for k := range rows {
			rows[k] = append(rows[k], p.row(k)...)
		}
		moved := rows[d][len(rows[d])-p.nnz:]
		for j := range moved {
			moved[j] += int64(r.size[d])
		}
		r.size[d] += p.size[d]
		r.coalesced = r.coalesced && p.coalesced && d == 0
		vs[i] = p.v
	}
	r.ix, r.v = slices.Concat(rows...), Cat(vs)
	r.nnz = r.v.shape[0]
	c.Return(r.like(xs[0].layout))
}

// sumSparse sums over the dimensions of argument 1, all for none given. The result is sparse while a sparse dimension
// is left.
func (c *Call) sumSparse(dt Dtype, keep bool) {
	p := c.coo(0)
	layout := c.Tensor(0).layout
	if dt == NoDtype {
		if dt = p.v.dtype; dt == Bool || dt.IsIntegral() {
			dt = Int64
		}
	}
	p.v = p.v.To(dt)
	if dims := c.Ints(1); len(dims) == 0 || len(p.size) == 0 {
		r := p.v.Sum()
		if keep {
			one := make([]int, len(p.size))
			for i := range one {
				one[i] = 1
			}
			r = r.Reshape(one...)
		}
		c.Return(r)
		return
	}
	p.ix = slices.Clone(p.ix)
	gone := make([]bool, len(p.size))
	for _, d := range c.Ints(1) {
		d = c.wrapDim(1, d, len(p.size))
		if gone[d] {
			panic(Errorf(c.Name(), "dim %d appears twice in %v", d, c.Ints(1)).OnArg("dim"))
		}
		gone[d] = true
	}
	var inner []int
	dims := p.dims
	var size []int
	for d := len(gone) - 1; d >= 0; d-- {
		switch {
		case !gone[d]:
			size = append(size, p.size[d])
		case keep && d < dims: // all at index 0
			size = append(size, 1)
			clear(p.ix[d*p.nnz : (d+1)*p.nnz])
			p.coalesced = false
		case d < dims:
			p.dropDim(d)
			p.coalesced = false
		default:
			if inner = append(inner, d-dims+1); keep {
				size = append(size, 1)
			}
		}
	}
	slices.Reverse(size)
	if len(inner) > 0 {
		p.v = p.v.Sum(optDim(inner...), optKeepdim(keep))
	}
	if p.size = size; p.dims == 0 {
		c.Return(p.v.Sum(optDim(0)))
		return
	}
	p = p.coalesce()
	if keep && compressedAs(layout) != nil {
		c.Return(p.like(layout))
		return
	}
	c.Return(p.tensor())
}

// equalSparse reports whether two tensors of one layout have the same elements.
func equalSparse(c *Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	if x.layout != y.layout {
		panic(Errorf(c.Name(), "expected tensors of one layout, got %s and %s", x.layout, y.layout).OnArg("other").
			WithHint("x.ToDense() gives a strided tensor"))
	}
	same := slices.Equal(x.shape, y.shape) && x.dtype == y.dtype
	if same {
		p, q := c.coo(0), c.coo(1)
		a, b := p.withoutZeros(), q.withoutZeros()
		same = a.dims == b.dims && slices.Equal(a.ix, b.ix) && a.v.Equal(b.v)
	}
	r := Alloc(c.Name(), nil, Bool, CPU)
	Elems[bool](r)[0] = same
	c.Return(r)
}

// withoutZeros is p coalesced, without values of zero.
func (p *coo) withoutZeros() coo {
	q := p.coalesce()
	some := q.v.Ne(0)
	if len(some.shape) > 1 {
		some = some.Flatten(optStartDim(1)).Any(optDim(1))
	}
	var at []int
	for i, ok := range Data[bool](some) {
		if ok {
			at = append(at, i)
		}
	}
	q.pick(at)
	return q
}
