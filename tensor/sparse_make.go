package tensor

import "slices"

// Making sparse tensors, with PyTorch's checks.

func init() {
	composites(map[string]Kernel{"sparse_coo_tensor": makeCoo, "sparse_csr_tensor": byRows.make,
		"sparse_csc_tensor": byColumns.make})
}

// sparseLayoutIs checks the keywords that every factory has.
func (c *Call) sparseLayoutIs(want Layout) {
	if i := c.Op.Param("layout"); c.Given(i) {
		if l, _ := c.arg(i).x.(Layout); l != want && l != NoLayout {
			panic(Errorf(c.Name(), "layout must be %s, not %s", want, l).OnArg("layout"))
		}
	}
	if d := c.DeviceOption(); d != CPU {
		panic(Errorf(c.Name(), "sparse tensors lie on the CPU, not on %s", d).OnArg("device"))
	}
}

// indexArg is argument i as int64, contiguous.
func (c *Call) indexArg(i int) *Tensor {
	t := c.Tensor(i)
	name := c.Op.Params[i].Name
	switch {
	case t.sparse() != nil:
		panic(Errorf(c.Name(), "expected a strided tensor, got layout %s", t.layout).OnArg(name))
	case t.dtype.IsComplex() || t.dtype.IsFloatingPoint() && t.numel > 0:
		panic(Errorf(c.Name(), "%s must be integers, got %s", name, t.dtype).OnArg(name))
	case t.st.device != CPU:
		panic(Errorf(c.Name(), "sparse tensors lie on the CPU, not on %s", t.st.device).OnArg(name))
	}
	return t.Detach().To(Int64).Contiguous()
}

// valuesArg is argument i in the dtype that the call asks for.
func (c *Call) valuesArg(i int) *Tensor {
	v := c.Tensor(i)
	if v.sparse() != nil {
		panic(Errorf(c.Name(), "expected values to be a strided tensor, got layout %s", v.layout).OnArg("values"))
	}
	return v.To(c.DtypeOption(v.dtype))
}

func makeCoo(c *Call) {
	c.sparseLayoutIs(SparseCOO)
	ix, v := c.indexArg(0), c.valuesArg(1)
	if len(ix.shape) != 2 {
		panic(Errorf(c.Name(), "indices must be sparse_dim x nnz, but got: %v", ix.shape).OnArg("indices"))
	}
	if len(v.shape) == 0 {
		v = v.Reshape(1)
	}
	dims, nnz := ix.shape[0], ix.shape[1]
	if v.shape[0] != nnz {
		panic(Errorf(c.Name(), "indices and values must have same nnz, but got nnz from indices: %d, "+
			"nnz from values: %d", nnz,
			v.shape[0]).OnArg("values"))
	}
	ints := Elems[int64](ix)
	for i, k := range ints {
		if k < 0 {
			panic(Errorf(c.Name(), "found negative index %d for dim %d", k, i/nnz).OnArg("indices"))
		}
	}
	if c.IsNone(2) {
		c.Return(Private("_sparse_coo_tensor_unsafe", ix, v, append(inferred(ints, dims, nnz), v.shape[1:]...)))
		return
	}
	size := c.Ints(2)
	switch {
	case len(size) != dims+len(v.shape)-1:
		panic(Errorf(c.Name(), "number of dimensions must be sparse_dim (%d) + dense_dim (%d), but got %d", dims,
			len(v.shape)-1, len(size)).OnArg("size"))
	case slices.ContainsFunc(size, func(n int) bool { return n < 0 }):
		panic(Errorf(c.Name(), "sizes must not be negative, got %v", size).OnArg("size"))
	}
	for i, k := range ints {
		if d := i / nnz; k >= int64(size[d]) {
			panic(Errorf(c.Name(), "size is inconsistent with indices: for dim %d, size is %d but found index %d", d,
				size[d], k).
				OnArg("indices"))
		}
	}
	if want := append([]int{nnz}, size[dims:]...); !slices.Equal(want, v.shape) {
		panic(Errorf(c.Name(), "values has incorrect size, expected %v, got %v", want, v.shape).OnArg("values"))
	}
	c.Return(Private("_sparse_coo_tensor_unsafe", ix, v, slices.Clone(size)))
}

// inferred are the smallest sizes that have room for indices.
func inferred(ints []int64, dims, nnz int) []int {
	size := make([]int, dims)
	for i, k := range ints {
		size[i/nnz] = max(size[i/nnz], int(k)+1)
	}
	return size
}
