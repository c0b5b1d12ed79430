package tensor

import (
	"math/bits"
	"slices"
)

// What bodies for sparse tensors work with: coordinates in Go's integers, and values that autograd sees.

// coo is a sparse tensor in coordinates.
type coo struct {
	op        string
	ix        []int64 // dims rows of nnz
	v         *Tensor // (nnz, dense dimensions)
	size      []int
	dims, nnz int
	coalesced bool
	byColumns bool // the indices are in order by columns, each once: of entries alone
}

// coo reads argument i, a sparse tensor of any layout.
func (c *Call) coo(i int) coo { return c.Tensor(i).coo(c.Name()) }

func (x *Tensor) coo(op string) coo {
	s := x.mustBeSparse(op)
	p := coo{op: op, v: Private("_values", x), size: x.shape, nnz: s.values.shape[0], coalesced: s.coalesced}
	p.dims = len(x.shape) - len(s.values.shape) + 1
	if s.starts == nil {
		p.ix = Elems[int64](s.indices.Contiguous())
		return p
	}
	p.coalesced = !s.byColumns
	p.ix = s.decompressed(p.nnz)
	return p
}

// entries is coo for what keeps the places of the values: it knows that those of CSC are in order by columns.
func (x *Tensor) entries(op string) coo {
	p := x.coo(op)
	p.byColumns = x.layout == SparseCSC
	return p
}

// Pattern is the indices of any sparse tensor as those of one in coordinates, one column for each value.
//
//gotorch:internal
func Pattern(x *Tensor) *Tensor {
	p := x.coo("indices")
	return p.indices()
}

// indices is p's indices as a tensor.
func (p *coo) indices() *Tensor { return indexTensor(p.op, p.ix, p.dims, p.nnz) }

// indexTensor is a tensor of xs, which it copies.
func indexTensor(op string, xs []int64, shape ...int) *Tensor {
	t := Alloc(op, shape, Int64, CPU)
	copy(Elems[int64](t), xs)
	return t
}

// row is the indices for sparse dimension d.
func (p *coo) row(d int) []int64 { return p.ix[d*p.nnz : (d+1)*p.nnz] }

// tensor makes the sparse tensor in coordinates.
func (p *coo) tensor() *Tensor {
	return Private("_sparse_coo_tensor_unsafe", p.indices(), p.v, p.size, p.coalesced)
}

// like makes the sparse tensor in the layout l.
func (p *coo) like(l Layout) *Tensor {
	if k := compressedAs(l); k != nil {
		return p.compress(k)
	}
	return p.tensor()
}

// keys number the places of the values, row by row.
func (p *coo) keys() []int64 { return keysOf(p.op, p.ix, p.size[:p.dims], p.nnz) }

func keysOf(op string, ix []int64, size []int, nnz int) []int64 {
	places := 1
	for _, n := range size {
		if hi, lo := bits.Mul(uint(places), uint(n)); hi != 0 || lo > maxCount {
			panic(Errorf(op, "shape %v has more elements than can be counted", size))
		}
		places *= n
	}
	keys := make([]int64, nnz)
	for d, n := range size {
		for i, k := range ix[d*nnz : (d+1)*nnz] {
			keys[i] = keys[i]*int64(n) + k
		}
	}
	return keys
}

// places are the sizes of the sparse dimensions multiplied.
func (p *coo) places() int {
	n := 1
	for _, s := range p.size[:p.dims] {
		n *= s
	}
	return n
}

// coalesce puts the indices in order and adds the values of equal ones.
func (p *coo) coalesce() coo {
	if p.coalesced {
		return *p
	}
	first, to := p.groups()
	q := *p
	q.byColumns = false
	if p.byColumns { // nothing to add
		q.pick(first)
		q.coalesced = true
		return q
	}
	q.take(first)
	q.v, q.coalesced = gathered(p.op, p.v, to, len(first)), true
	return q
}

// distinct adds the values of equal indices, in whatever order.
func (p *coo) distinct() coo {
	if p.byColumns {
		return *p
	}
	return p.coalesce()
}

// groups puts equal indices into one group, and the groups in order: the place of the first of each, and the group of
// each value.
func (p *coo) groups() (first []int, to []int64) {
	keys := p.keys()
	order := make([]int, p.nnz)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case keys[a] < keys[b]:
			return -1
		case keys[a] > keys[b]:
			return 1
		}
		return 0
	})
	to = make([]int64, p.nnz)
	for i, at := range order {
		if i == 0 || keys[at] != keys[order[i-1]] {
			first = append(first, at)
		}
		to[at] = int64(len(first) - 1)
	}
	return first, to
}

// take keeps the indices at places, and not the values.
func (p *coo) take(places []int) {
	ix := make([]int64, 0, p.dims*len(places))
	for d := range p.dims {
		row := p.row(d)
		for _, at := range places {
			ix = append(ix, row[at])
		}
	}
	p.ix, p.nnz = ix, len(places)
}

// pick keeps the values at places, with their indices.
func (p *coo) pick(places []int) {
	p.take(places)
	p.v = p.v.IndexSelect(0, intsOf(p.op, places))
}

func intsOf(op string, xs []int) *Tensor {
	t := Alloc(op, []int{len(xs)}, Int64, CPU)
	out := Elems[int64](t)
	for i, x := range xs {
		out[i] = int64(x)
	}
	return t
}

// gathered is n rows, to which row to[i] the rows i of v are added.
func gathered(op string, v *Tensor, to []int64, n int) *Tensor {
	at := indexTensor(op, to, len(to))
	shape := append([]int{n}, v.shape[1:]...)
	if v.dtype == Bool {
		return With(Uint8).Zeros(shape...).IndexAdd(0, at, v.To(Uint8)).Ne(0)
	}
	return With(v.dtype).Zeros(shape...).IndexAdd(0, at, v)
}

// dense is the strided tensor.
func (p *coo) dense() *Tensor {
	return gathered(p.op, p.v, p.keys(), p.places()).Reshape(p.size...)
}
