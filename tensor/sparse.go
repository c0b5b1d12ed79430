package tensor

import (
	"slices"
	"strings"
)

// Note: sparse layouts. A sparse tensor has a shape and a dtype, but no elements of its own: its storage is empty, and
// its owner says which tensors have them. In coordinates (COO) these are indices, one column for each value, and
// values; in compressed rows (CSR) where each row begins, the columns, and values, and in compressed columns (CSC) the
// same of the transposed matrix. The header is that of any tensor.
// The key of sparse tensors stands above the devices, so that no kernel meets one. What operators do with them are
// bodies, like those of composite operators: work with integers on the indices, and calls of dense operators on the
// values. A body runs in place of Autograd, so that the dense operators are recorded, and three private operators are
// all that needs formulas of its own: to make a sparse tensor of values, to take its values, and to put others into
// their place. The gradient of a sparse tensor has its indices. What has neither a body nor is composite is an error.

// sparse is the owner of the storage of a sparse tensor. Its tensors have no history.
type sparse struct {
	indices   *Tensor // int64: of COO (sparse dimensions, nnz), of CSR the columns (nnz), of CSC the rows
	starts    *Tensor // of CSR where the rows begin in them, of CSC the columns, and the end; int64
	values    *Tensor // (nnz, dense dimensions)
	coalesced bool    // of COO: the indices are in order, each once
	byColumns bool    // it is CSC
}

// sparse is what the elements of x are, nil where x is strided.
func (x *Tensor) sparse() *sparse {
	if x.keys&(1<<KeySparse) == 0 {
		return nil
	}
	s, _ := x.st.owner.(*sparse)
	return s
}

// newSparse makes the tensor that s stands for. Its parts lose their history, and are kept from being freed.
func newSparse(op string, layout Layout, shape []int, s sparse) *Tensor {
	n, ok := count(shape)
	if !ok {
		panic(Errorf(op, "shape %v has more elements than can be counted, or a negative size", shape).OnArg("size"))
	}
	for _, p := range []**Tensor{&s.indices, &s.starts, &s.values} {
		if *p == nil {
			continue
		}
		part := (*p).alias(op, (*p).shape, (*p).stride, (*p).offset)
		part.st.keep()
		*p = part
	}
	x := newHeader(len(shape), s.values.dtype)
	copy(x.shape, shape)
	contiguousStrides(x.stride, shape)
	x.numel, x.layout = n, layout
	x.st = &Storage{device: s.values.st.device, owner: &s}
	x.keys = 1<<x.st.device.Key() | 1<<KeySparse
	return x
}

// sharing is another header for the same sparse tensor.
func (x *Tensor) sharing() *Tensor {
	y := newHeader(len(x.shape), x.dtype)
	copy(y.shape, x.shape)
	copy(y.stride, x.stride)
	y.numel, y.layout, y.st, y.keys = x.numel, x.layout, x.st, x.keys&^(1<<KeyAutograd)
	return y
}

// IsSparse reports whether x keeps its elements with their coordinates, the layout sparse_coo.
func (x *Tensor) IsSparse() bool { return x.layout == SparseCOO }

// IsSparseCsr reports whether x keeps its elements in compressed rows, the layout sparse_csr.
func (x *Tensor) IsSparseCsr() bool { return x.layout == SparseCSR }

// Nnz is how many elements a sparse tensor keeps. A strided tensor panics with an *Error, here and below.
func (x *Tensor) Nnz() int { return x.mustBeSparse("nnz").values.shape[0] }

// SparseDim is the number of leading dimensions of a sparse tensor that indices are for.
func (x *Tensor) SparseDim() int {
	s := x.mustBeSparse("sparse_dim")
	return len(x.shape) - len(s.values.shape) + 1
}

// DenseDim is the number of dimensions of a sparse tensor that lie in the values.
func (x *Tensor) DenseDim() int { return len(x.mustBeSparse("dense_dim").values.shape) - 1 }

// IsCoalesced reports whether the indices of a sparse tensor (COO) are in order and each there once: after Coalesce.
func (x *Tensor) IsCoalesced() bool {
	s := x.mustBeSparse("is_coalesced")
	if x.layout != SparseCOO {
		panic(notForLayout("is_coalesced", x))
	}
	return s.coalesced
}

func (x *Tensor) mustBeSparse(op string) *sparse {
	s := x.sparse()
	if s == nil {
		panic(notForLayout(op, x))
	}
	return s
}

// mustHaveElements panics where the elements of x do not lie in its storage because it is sparse.
func (x *Tensor) mustHaveElements(op string) {
	if x.keys&(1<<KeySparse) != 0 {
		panic(notForLayout(op, x))
	}
}

// refuse is the error of code that looks into the storage of a sparse tensor.
func (s *sparse) refuse(op string) {
	layout := SparseCOO
	switch {
	case s.byColumns:
		layout = SparseCSC
	case s.starts != nil:
		layout = SparseCSR
	}
	panic(Errorf(op, "not implemented for layout %s: a sparse tensor has no storage of its own", layout).
		WithHint("x.ToDense() gives a strided tensor, x.Values() its values"))
}

// RequireStrided panics with an *Error of op where x is sparse, so that its elements lie in no storage.
//
//gotorch:internal
func RequireStrided(op string, x *Tensor) { x.mustHaveElements(op) }

// notForLayout is the error of an operator that does nothing for the layout of x.
func notForLayout(op string, x *Tensor) *Error {
	e := Errorf(op, "not implemented for layout %s", x.layout)
	switch {
	case x.sparse() != nil:
		return e.WithHint("x.ToDense() gives a strided tensor")
	case strings.HasPrefix(op, "ccol"), strings.HasPrefix(op, "row"):
		return e.WithHint("x.ToSparseCsc() gives a sparse one")
	case strings.HasPrefix(op, "c"):
		return e.WithHint("x.ToSparseCsr() gives a sparse one")
	}
	return e.WithHint("x.ToSparse() gives a sparse one")
}

// notSparse is the error of a call that has a sparse argument, and of an operator that has no body for them.
func (c *Call) notSparse() *Error {
	e, found := (*Error)(nil), false
	c.EachTensor(func(slot int, t *Tensor) {
		if t.sparse() != nil && !found {
			e, found = notForLayout(c.Name(), t).OnArg(c.Op.Params[slot].Name), true
		}
	})
	if !found {
		e = Errorf(c.Name(), "not implemented for opt.Out of a sparse layout")
	}
	return e
}

// sparseBodies registers what operators do where an argument is sparse.
func sparseBodies(m map[string]Kernel) {
	for name, f := range m {
		o := registering("a body for sparse tensors", name)
		if o.sparse != nil {
			panic("tensor: two bodies for sparse tensors of " + name)
		}
		o.sparse = f
	}
}

// runSparse runs the body for sparse tensors. What it makes is seen by others, so that nothing is freed early.
func (c *Call) runSparse() {
	if c.Variant == InPlace && c.addedInPlace() {
		return
	}
	InScope(func(s *Scope) { s.Temporaries = nil }, func() { c.blamed(func() { c.bodyOf(c.Op.sparse) }) })
}

// takenBySparse runs the call at key h by what the operator has for sparse tensors, or reports that h goes on: an
// operator with a formula is recorded first, and a composite one taken apart. Devices are never reached.
func (c *Call) takenBySparse(h Key) bool {
	switch {
	case c.Op.sparse != nil:
		c.key = h
		c.runSparse()
	case h > KeySparse || c.Op.table[KeySparse] != nil && h == KeySparse:
		return false
	case c.Op.composite != nil:
		c.key = h
		c.runBody()
	default:
		panic(c.notSparse())
	}
	return true
}

// HasSparse reports whether the operator has a body for sparse tensors.
func (o *Op) HasSparse() bool { return o.sparse != nil || o.table[KeySparse] != nil }

func init() {
	coo := func(c *Call) {
		s := sparse{indices: c.part(0), values: c.part(1), coalesced: c.Bool(3)}
		c.Return(newSparse(c.Name(), SparseCOO, c.Ints(2), s))
	}
	Register("_sparse_coo_tensor_unsafe", KeyCPU, coo)
	for _, k := range []*compressed{&byRows, &byColumns} {
		Register(k.private, KeyCPU, func(c *Call) {
			s := sparse{starts: c.part(0), indices: c.part(1), values: c.part(2), byColumns: k.layout == SparseCSC}
			c.Return(newSparse(c.Name(), k.layout, c.Ints(3), s))
		})
	}
	for name, f := range map[string]Kernel{
		"_values": func(c *Call) {
			v := c.sparseArg(0).values
			c.Return(v.alias(c.Name(), v.shape, v.stride, v.offset))
		},
		"_with_values": func(c *Call) {
			x, s := c.Tensor(0), *c.sparseArg(0)
			s.values = c.part(1)
			c.Return(newSparse(c.Name(), x.layout, x.shape, s))
		},
		"detach": func(c *Call) { c.Return(c.Tensor(0).sharing()) },
		"alias":  func(c *Call) { c.Return(c.Tensor(0).sharing()) },
		"copy_":  copySparse,
		"zero_": func(c *Call) {
			x, s := c.Tensor(0), *c.sparseArg(0)
			if s.starts != nil {
				s.starts = Alloc(c.Name(), s.starts.shape, Int64, CPU)
			}
			s.indices = s.indices.none()
			s.values, s.coalesced = Alloc(c.Name(), append([]int{0}, s.values.shape[1:]...), x.dtype, CPU), true
			x.become(c, &s)
		},
	} {
		Register(name, KeySparse, f)
	}
}

// none is an index tensor like t for no values.
func (t *Tensor) none() *Tensor {
	shape := slices.Clone(t.shape)
	shape[len(shape)-1] = 0
	return Alloc("", shape, Int64, CPU)
}

// become gives x other elements, as a call that writes does.
func (x *Tensor) become(c *Call, s *sparse) {
	x.st.owner = newSparse(c.Name(), x.layout, x.shape, *s).st.owner
	x.st.wrote(c.Op.noteOf(c.Variant))
	c.Return(x)
}

// copySparse writes one sparse tensor into another, which takes its indices.
func copySparse(c *Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	if x.layout != y.layout {
		panic(Errorf(c.Name(), "cannot copy layout %s into layout %s", y.layout, x.layout).
			WithHint("x.ToDense() gives a strided tensor"))
	}
	if !slices.Equal(x.shape, y.shape) {
		panic(Errorf(c.Name(), "cannot copy shape %v into shape %v: sparse tensors are not broadcast", y.shape, x.shape))
	}
	s := *c.sparseArg(1)
	s.indices, s.values = s.indices.Clone(), s.values.To(x.dtype, optCopy(true))
	if s.starts != nil {
		s.starts = s.starts.Clone()
	}
	x.become(c, &s)
}

// sparseArg is what argument i is, which must be sparse.
func (c *Call) sparseArg(i int) *sparse {
	s := c.Tensor(i).sparse()
	if s == nil {
		panic(notForLayout(c.Name(), c.Tensor(i)).OnArg(c.Op.Params[i].Name))
	}
	return s
}

// part is argument i, a part of a sparse tensor: strided, and in the memory of the CPU.
func (c *Call) part(i int) *Tensor {
	t := c.Tensor(i)
	if !t.IsPlain() || t.st.device != CPU {
		panic(Errorf(c.Name(), "the parts of a sparse tensor must be strided tensors on the CPU").OnArg(c.Op.Params[i].Name))
	}
	return t
}
