package tensor

import "slices"

// Making sparse tensors, with PyTorch's checks.

func init() {
	composites(map[string]Kernel{"sparse_coo_tensor": makeCoo, "sparse_csr_tensor": makeCsr})
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

func makeCsr(c *Call) {
	c.sparseLayoutIs(SparseCSR)
	crow, col, v := c.indexArg(0), c.indexArg(1), c.valuesArg(2)
	name := c.Name()
	switch {
	case c.Tensor(0).dtype != c.Tensor(1).dtype && crow.numel > 0 && col.numel > 0:
		panic(Errorf(name, "crow_indices and col_indices must have the same dtype, but got %s and %s", c.Tensor(0).dtype,
			c.Tensor(1).dtype).OnArg("col_indices"))
	case len(crow.shape) != 1 || len(col.shape) != 1 || len(v.shape) != 1:
		panic(Errorf(name, "crow_indices, col_indices and values must have 1 dimension each, but got %d, "+
			"%d and %d: batches "+
			"and dense dimensions are not supported", len(crow.shape), len(col.shape), len(v.shape)))
	case crow.numel == 0:
		panic(Errorf(name, "crow_indices must have one element more than there are rows, but is empty").
			OnArg("crow_indices"))
	case col.numel != v.numel:
		panic(Errorf(name, "col_indices must have nnz (= %d, as values has) elements, but got %d", v.numel, col.numel).
			OnArg("col_indices"))
	}
	rows, cols, nnz := Elems[int64](crow), Elems[int64](col), int64(v.numel)
	size := c.Ints(3)
	if c.IsNone(3) {
		size = append([]int{len(rows) - 1}, inferred(cols, 1, max(len(cols), 1))...)
	}
	switch {
	case len(size) != 2:
		panic(Errorf(name, "size must have 2 numbers, rows and columns, got %v", size).OnArg("size"))
	case size[0] < 0 || size[1] < 0:
		panic(Errorf(name, "sizes must not be negative, got %v", size).OnArg("size"))
	case len(rows) != size[0]+1:
		panic(Errorf(name, "crow_indices must have the number of rows + 1 (= %d) elements, but got %d", size[0]+1,
			len(rows)).
			OnArg("crow_indices"))
	case rows[0] != 0:
		panic(Errorf(name, "`crow_indices[0] == 0` is not satisfied: it is %d", rows[0]).OnArg("crow_indices"))
	case rows[size[0]] != nnz:
		panic(Errorf(name, "`crow_indices[-1] == nnz` is not satisfied: %d is not %d", rows[size[0]], nnz).
			OnArg("crow_indices"))
	}
	for i := range size[0] {
		lo, hi := rows[i], rows[i+1]
		if hi < lo || hi > nnz || hi-lo > int64(size[1]) {
			panic(Errorf(name,
				"`0 <= crow_indices[i] - crow_indices[i-1] <= ncols` is not satisfied for row %d: %d to %d", i, lo,
				hi).OnArg("crow_indices"))
		}
		for j := lo; j < hi; j++ {
			switch k := cols[j]; {
			case k < 0 || k >= int64(size[1]):
				panic(Errorf(name, "`0 <= col_indices < ncols` is not satisfied: column %d of %d", k, size[1]).
					OnArg("col_indices"))
			case j > lo && k <= cols[j-1]:
				panic(Errorf(name, "the columns of row %d are not in order and distinct: %d after %d", i, k, cols[j-1]).
					OnArg("col_indices"))
			}
		}
	}
	c.Return(Private("_sparse_csr_tensor_unsafe", crow, col, v, slices.Clone(size)))
}
