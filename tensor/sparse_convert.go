package tensor

import "slices"

// Conversions between layouts, and what sparse tensors are made of.

func init() {
	composites(map[string]Kernel{
		"to_sparse":     toSparse,
		"to_sparse_csr": byRows.toCompressed,
		"to_sparse_csc": byColumns.toCompressed,
		"to_dense": func(c *Call) {
			x := c.Tensor(0)
			if x.sparse() != nil {
				p := c.coo(0)
				x = p.dense()
			}
			if dt := c.Dtype(1); dt != NoDtype {
				x = x.To(dt)
			}
			c.Return(x)
		},
		"coalesce": func(c *Call) {
			x := c.Tensor(0)
			if x.layout != SparseCOO {
				panic(notForLayout("coalesce", x).OnArg("self"))
			}
			if x.sparse().coalesced {
				c.Return(x)
				return
			}
			p := c.coo(0)
			q := p.coalesce()
			c.Return(q.tensor())
		},
		"indices": func(c *Call) { c.Return(c.coalescedPart(SparseCOO).indices.sameElements()) },
		"values": func(c *Call) {
			c.coalescedPart(c.Tensor(0).layout)
			c.Return(Private("_values", c.Tensor(0)))
		},
		"crow_indices": func(c *Call) { c.Return(c.coalescedPart(SparseCSR).starts.sameElements()) },
		"col_indices":  func(c *Call) { c.Return(c.coalescedPart(SparseCSR).indices.sameElements()) },
		"ccol_indices": func(c *Call) { c.Return(c.coalescedPart(SparseCSC).starts.sameElements()) },
		"row_indices":  func(c *Call) { c.Return(c.coalescedPart(SparseCSC).indices.sameElements()) },
		"_values_at":   valuesAt,
		"sparse_mask": func(c *Call) {
			x, mask := c.Tensor(0), c.Tensor(1)
			c.sparseArg(1)
			if !slices.Equal(x.shape, mask.shape) {
				panic(Errorf(c.Name(), "the mask must have the shape of self, %v, but it has %v", x.shape, mask.shape).
					OnArg("mask"))
			}
			if x.sparse() != nil && x.SparseDim() != mask.SparseDim() {
				panic(Errorf(c.Name(), "self has %d sparse dimensions, mask has %d", x.SparseDim(), mask.SparseDim()).
					OnArg("mask"))
			}
			c.Return(Private("_with_values", mask, Private("_values_at", x, Pattern(mask))))
		},
	})
	sparseBodies(map[string]Kernel{
		"clone": func(c *Call) {
			p := c.Tensor(0).entries(c.Name())
			p.v = p.v.Clone()
			c.Return(p.like(c.Tensor(0).layout))
		},
		"_to_copy": func(c *Call) {
			x := c.Tensor(0)
			c.sparseOptions(x, "layout", "device")
			p, dt := x.entries(c.Name()), c.Dtype(1)
			if dt == NoDtype || dt == x.dtype {
				p.v = p.v.Clone()
			} else {
				if !dt.IsDifferentiable() { // what rounds must round sums
					p = p.distinct()
				}
				p.v = p.v.To(dt)
			}
			c.Return(p.like(x.layout))
		},
		"zeros_like": likeSparse,
		"empty_like": likeSparse,
	})
}

// sparseOptions checks that the keywords of a call that makes a tensor like x ask for x's layout and device.
func (c *Call) sparseOptions(x *Tensor, names ...string) {
	for _, name := range names {
		i := c.Op.Param(name)
		switch v := c.arg(i).x.(type) {
		case Layout:
			if v != x.layout && v != NoLayout {
				panic(Errorf(c.Name(), "a tensor of layout %s cannot become one of %s here", x.layout, v).OnArg(name).
					WithHint("x.ToDense() gives a strided tensor"))
			}
		case Device:
			if v != CPU && v.kind != noDevice {
				panic(Errorf(c.Name(), "sparse tensors lie on the CPU, not on %s", v).OnArg(name))
			}
		}
	}
}

// likeSparse makes a sparse tensor like the argument without any values.
func likeSparse(c *Call) {
	x := c.Tensor(0)
	c.sparseOptions(x, "layout", "device")
	s := x.sparse()
	v := Alloc(c.Name(), append([]int{0}, s.values.shape[1:]...), c.DtypeOption(x.dtype), CPU)
	if k := compressedAs(x.layout); k != nil {
		c.Return(Private(k.private, Alloc(c.Name(), s.starts.shape, Int64, CPU), s.indices.none(), v, x.Shape()))
		return
	}
	c.Return(Private("_sparse_coo_tensor_unsafe", s.indices.none(), v, x.Shape(), true))
}

// sameElements is another header over the elements of x.
func (x *Tensor) sameElements() *Tensor { return x.alias("", x.shape, x.stride, x.offset) }

// coalescedPart is what argument 0 is, of the given layout, and coalesced.
func (c *Call) coalescedPart(l Layout) *sparse {
	x := c.Tensor(0)
	s := x.sparse()
	if s == nil || x.layout != l {
		panic(notForLayout(c.Name(), x).OnArg("self"))
	}
	if l == SparseCOO && !s.coalesced {
		panic(Errorf(c.Name(), "cannot get %s of an uncoalesced tensor", c.Name()).OnArg("self").
			WithHint("call x.Coalesce() first"))
	}
	return s
}

func toSparse(c *Call) {
	x := c.Tensor(0)
	n := len(x.shape)
	dims := n
	if !c.IsNone(1) {
		dims = c.Int(1)
		switch {
		case dims > n:
			panic(Errorf(c.Name(), "sparse_dim must be at most %d, the number of dimensions, got %d", n, dims).
				OnArg("sparse_dim"))
		case dims < 1 && n > 0 || dims < 0:
			panic(Errorf(c.Name(), "sparse_dim must be positive, got %d", dims).OnArg("sparse_dim"))
		}
	}
	if x.sparse() != nil {
		if p := c.coo(0); p.dims == dims || c.IsNone(1) {
			if x.layout == SparseCOO {
				c.Return(x)
				return
			}
			p = x.entries(c.Name())
			p = p.coalesce()
			c.Return(p.tensor())
			return
		}
		panic(Errorf(c.Name(), "a tensor of layout %s cannot get another number of sparse dimensions", x.layout).
			OnArg("sparse_dim").WithHint("x.ToDense() gives a strided tensor"))
	}
	if d := x.st.device; d.backend() != nil {
		panic(Errorf(c.Name(), "sparse layouts are for tensors on the CPU, not on %s", d).OnArg("self").
			WithHint("x.To(CPU) moves it"))
	}
	p := coo{op: c.Name(), size: x.Shape(), dims: dims, coalesced: true}
	rows := x.Reshape(append([]int{p.places()}, x.shape[dims:]...)...)
	some := rows.Detach().Ne(0)
	if dims < n {
		some = some.Flatten(optStartDim(1)).Any(optDim(1))
	}
	at := Elems[int64](some.Nonzero().Contiguous())
	p.nnz = len(at)
	p.ix = make([]int64, dims*p.nnz)
	for i, k := range at {
		for d := dims - 1; d >= 0; d-- {
			size := int64(p.size[d])
			p.ix[d*p.nnz+i], k = k%size, k/size
		}
	}
	p.v = rows.IndexSelect(0, indexTensor(c.Name(), at, p.nnz))
	c.Return(p.tensor())
}

// valuesAt returns the elements of self, strided or sparse, at indices of the leading dimensions.
func valuesAt(c *Call) {
	x, ix := c.Tensor(0), c.Tensor(1)
	dims, nnz := ix.shape[0], ix.shape[1]
	at := Elems[int64](ix.Contiguous())
	if x.sparse() == nil {
		p := coo{op: c.Name(), size: x.shape, dims: dims}
		keys := keysOf(c.Name(), at, x.shape[:dims], nnz)
		rows := x.Reshape(append([]int{p.places()}, x.shape[dims:]...)...)
		c.Return(rows.IndexSelect(0, indexTensor(c.Name(), keys, nnz)))
		return
	}
	p := c.coo(0)
	if p.dims == dims && slices.Equal(p.ix, at) {
		c.Return(p.v)
		return
	}
	if p.dims != dims {
		panic(Errorf(c.Name(), "a sparse tensor of %d sparse dimensions is read at indices for %d", p.dims, dims))
	}
	q := p.coalesce()
	have := q.keys()
	var from, to []int64
	for i, k := range keysOf(c.Name(), at, x.shape[:dims], nnz) {
		if j, ok := slices.BinarySearch(have, k); ok {
			from, to = append(from, int64(j)), append(to, int64(i))
		}
	}
	c.Return(gathered(c.Name(), q.v.IndexSelect(0, indexTensor(c.Name(), from, len(from))), to, nnz))
}
