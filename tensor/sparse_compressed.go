package tensor

import "slices"

// The compressed layouts of matrices: by rows (CSR) and by columns (CSC), which is that of the transposed matrix.

// compressed is a compressed layout, and the words that PyTorch has for its parts.
type compressed struct {
	layout          Layout
	private         string // the operator that makes one without checks
	starts, indices string // the parameters
	along, across   string // what is compressed, and what the indices count
	count           string // how many of those there are
	dim             int    // the dimension that is compressed
}

var (
	byRows    = compressed{SparseCSR, "_sparse_csr_tensor_unsafe", "crow_indices", "col_indices", "row", "column", "ncols", 0}
	byColumns = compressed{SparseCSC, "_sparse_csc_tensor_unsafe", "ccol_indices", "row_indices", "column", "row", "nrows", 1}
)

// compressedAs is the compressed layout l, nil where l is none.
func compressedAs(l Layout) *compressed {
	switch l {
	case SparseCSR:
		return &byRows
	case SparseCSC:
		return &byColumns
	}
	return nil
}

// bothCompressed reports whether both are matrices in compressed rows or columns.
func bothCompressed(x, y *Tensor) bool {
	return compressedAs(x.layout) != nil && compressedAs(y.layout) != nil
}

// commonLayout is that of what is made of two sparse tensors: that of the first where both are compressed.
func commonLayout(x, y *Tensor) Layout {
	if x.layout == y.layout || bothCompressed(x, y) {
		return x.layout
	}
	return SparseCOO
}

// make is sparse_csr_tensor and sparse_csc_tensor, with PyTorch's checks.
func (k *compressed) make(c *Call) {
	c.sparseLayoutIs(k.layout)
	starts, indices, v := c.indexArg(0), c.indexArg(1), c.valuesArg(2)
	name := c.Name()
	switch {
	case c.Tensor(0).dtype != c.Tensor(1).dtype && starts.numel > 0 && indices.numel > 0:
		panic(Errorf(name, "%s and %s must have the same dtype, but got %s and %s", k.starts, k.indices, c.Tensor(0).dtype,
			c.Tensor(1).dtype).OnArg(k.indices))
	case len(starts.shape) != 1 || len(indices.shape) != 1 || len(v.shape) != 1:
		panic(Errorf(name, "%s, %s and values must have 1 dimension each, but got %d, %d and %d: batches and dense "+
			"dimensions are not supported", k.starts, k.indices, len(starts.shape), len(indices.shape), len(v.shape)))
	case starts.numel == 0:
		panic(Errorf(name, "%s must have one element more than there are %ss, but is empty", k.starts, k.along).
			OnArg(k.starts))
	case indices.numel != v.numel:
		panic(Errorf(name, "%s must have nnz (= %d, as values has) elements, but got %d", k.indices, v.numel,
			indices.numel).OnArg(k.indices))
	}
	ends, ix, nnz := Elems[int64](starts), Elems[int64](indices), int64(v.numel)
	size := c.Ints(3)
	if c.IsNone(3) {
		size = []int{len(ends) - 1, inferred(ix, 1, max(len(ix), 1))[0]}
		if k.dim == 1 {
			size[0], size[1] = size[1], size[0]
		}
	}
	if len(size) != 2 {
		panic(Errorf(name, "size must have 2 numbers, rows and columns, got %v", size).OnArg("size"))
	}
	switch n := size[k.dim]; {
	case size[0] < 0 || size[1] < 0:
		panic(Errorf(name, "sizes must not be negative, got %v", size).OnArg("size"))
	case len(ends) != n+1:
		panic(Errorf(name, "%s must have the number of %ss + 1 (= %d) elements, but got %d", k.starts, k.along, n+1,
			len(ends)).OnArg(k.starts))
	case ends[0] != 0:
		panic(Errorf(name, "`%s[0] == 0` is not satisfied: it is %d", k.starts, ends[0]).OnArg(k.starts))
	case ends[n] != nnz:
		panic(Errorf(name, "`%s[-1] == nnz` is not satisfied: %d is not %d", k.starts, ends[n], nnz).OnArg(k.starts))
	}
	k.checkIndices(name, ends, ix, int64(size[1-k.dim]))
	c.Return(Private(k.private, starts, indices, v, slices.Clone(size)))
}

// checkIndices checks that the indices of each row, or column, are in order, distinct and below n.
func (k *compressed) checkIndices(name string, ends, ix []int64, n int64) {
	for i := range len(ends) - 1 {
		lo, hi := ends[i], ends[i+1]
		if hi < lo || hi > int64(len(ix)) || hi-lo > n {
			panic(Errorf(name, "`0 <= %[1]s[i] - %[1]s[i-1] <= %[2]s` is not satisfied for %[3]s %[4]d: %[5]d to %[6]d",
				k.starts, k.count, k.along, i, lo, hi).OnArg(k.starts))
		}
		for j := lo; j < hi; j++ {
			switch at := ix[j]; {
			case at < 0 || at >= n:
				panic(Errorf(name, "`0 <= %s < %s` is not satisfied: %s %d of %d", k.indices, k.count, k.across, at, n).
					OnArg(k.indices))
			case j > lo && at <= ix[j-1]:
				panic(Errorf(name, "the %ss of %s %d are not in order and distinct: %d after %d", k.across, k.along, i, at,
					ix[j-1]).OnArg(k.indices))
			}
		}
	}
}

// compress makes the matrix p in a compressed layout.
func (p *coo) compress(k *compressed) *Tensor {
	if p.dims != 2 || len(p.size) != 2 {
		panic(Errorf(p.op, "only matrices can have the layout %s, got shape %v with %s", k.layout, p.size,
			plural(len(p.size)-p.dims, "dense dimension")).OnArg("self"))
	}
	q := p
	if k.dim == 1 {
		q = p.transposed()
	}
	r := q.coalesce()
	starts := make([]int64, r.size[0]+1)
	for _, i := range r.row(0) {
		starts[i+1]++
	}
	for i := range r.size[0] {
		starts[i+1] += starts[i]
	}
	return Private(k.private, indexTensor(p.op, starts, len(starts)), indexTensor(p.op, r.row(1), r.nnz), r.v, p.size)
}

// decompressed are the coordinates of what s, of n values, keeps compressed.
func (s *sparse) decompressed(n int) []int64 {
	long := make([]int64, n)
	ends := Elems[int64](s.starts.Contiguous())
	for i := range len(ends) - 1 {
		for j := ends[i]; j < ends[i+1]; j++ {
			long[j] = int64(i)
		}
	}
	ix := Elems[int64](s.indices.Contiguous())
	if s.byColumns {
		return slices.Concat(ix, long)
	}
	return slices.Concat(long, ix)
}

// flipped is the transposed matrix of a compressed one: the same parts, of the other layout.
func (x *Tensor) flipped() *Tensor {
	s, to := x.sparse(), &byColumns
	if s.byColumns {
		to = &byRows
	}
	return Private(to.private, s.starts, s.indices, Private("_values", x), []int{x.shape[1], x.shape[0]})
}

// toCompressed is to_sparse_csr and to_sparse_csc.
func (k *compressed) toCompressed(c *Call) {
	x := c.Tensor(0)
	if x.layout == k.layout {
		c.Return(x)
		return
	}
	if len(x.shape) != 2 {
		panic(Errorf(c.Name(), "only matrices can have the layout %s, got shape %v", k.layout, x.shape).OnArg("self"))
	}
	if x.sparse() == nil {
		x = x.ToSparse()
	}
	p := x.entries(c.Name())
	c.Return(p.compress(k))
}
