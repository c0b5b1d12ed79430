package tensor

import (
	"reflect"
)

// Note: indices. A list of indices is read in two steps, as in PyTorch. Numbers, ranges, None and ... are views, taken
// one after the other. What is left are index tensors, one for each of the leading dimensions of that view or nil;
// masks have become the places where they hold, lists have become tensors. The private operators _index and
// _index_put_impl_ do the rest.

// readIndices returns the view of x that ix comes to and the index tensors into it, none where the view is all. at is
// x itself if nothing was indexed.
func readIndices(op string, x *Tensor, ix []any) (at *Tensor, rest []any) {
	ix = listsToTensors(op, x, ix)
	r := indexReader{op: op, x: x, at: x}
	specified := 0
	for _, e := range ix {
		switch e := e.(type) {
		case nil, noneIndex, ellipsisIndex, bool:
		case *Tensor:
			if isMask(e) {
				specified += len(e.shape)
			} else {
				specified++
			}
		default:
			specified++
		}
	}
	if n := len(x.shape); specified > n {
		panic(Errorf(op, "too many indices for a tensor of %s: shape %v, %d indices", plural(n, "dimension"), x.shape,
			specified).OnArg("indices"))
	}
	r.free = len(x.shape) - specified
	for i, e := range ix {
		r.read(i, e)
	}
	return r.at, r.rest
}

// indexReader is where reading a list of indices stands.
type indexReader struct {
	op   string
	x    *Tensor // what is indexed
	at   *Tensor // the view so far
	dim  int     // the next dimension of the view
	orig int     // the dimension of x that it is
	free int     // how many dimensions ... stands for
	rest []any   // index tensors for the dimensions of the view
}

func (r *indexReader) read(i int, e any) {
	if r.dim+dimsOf(e) > len(r.at.shape) { // behind a second ellipsis: each stands for all free dimensions, as in PyTorch
		panic(Errorf(r.op, "index %d is for dimension %d, which a tensor of shape %v has not: each ellipsis (...) stands "+
			"for %s", i, r.orig, r.x.shape, plural(r.free, "dimension")).OnArg("indices"))
	}
	switch e := e.(type) {
	case nil, noneIndex:
		r.at = r.at.Unsqueeze(r.dim)
		r.dim++
	case ellipsisIndex:
		r.dim += r.free
		r.orig += r.free
	case SliceIndex:
		r.slice(e)
	case bool:
		r.number(e)
	case *Tensor:
		r.tensor(i, e)
	default:
		s, ok := ScalarOf(e)
		if !ok || !s.IsInt() {
			panic(Errorf(r.op, "index %d must be an int, a range, ..., None, a tensor or a list, not %s", i, describe(e)).
				OnArg("indices"))
		}
		r.pick(int(s.Int()))
	}
}

// dimsOf is how many dimensions of the view so far one of the indices needs.
func dimsOf(e any) int {
	switch e := e.(type) {
	case nil, noneIndex, ellipsisIndex, bool:
		return 0
	case *Tensor:
		if isMask(e) {
			return len(e.shape)
		}
	}
	return 1
}

func (r *indexReader) slice(s SliceIndex) {
	if s.HasStart || s.HasStop || s.Step != 1 {
		c := begin(opSlice)
		c.setTensor(0, r.at)
		c.setInt(1, r.dim)
		if s.HasStart {
			c.setInt(2, s.Start)
		}
		if s.HasStop {
			c.setInt(3, s.Stop)
		}
		c.setInt(4, s.Step)
		r.at = c.run1()
	}
	r.dim++
	r.orig++
}

// pick takes one index of a dimension.
func (r *indexReader) pick(i int) {
	if n := r.at.shape[r.dim]; i < -n || i >= n {
		panic(Errorf(r.op, "index %d is out of bounds for dimension %d with size %d", i, r.orig, n).OnArg("indices").
			WithDetails(indexDetails(r.at, r.dim, i).at(r.x, r.orig)))
	}
	r.at = r.at.Select(r.dim, i)
	r.orig++
}

// number makes a dimension of size 1 for true, of size 0 for false.
func (r *indexReader) number(hold bool) {
	r.at = r.at.Unsqueeze(r.dim)
	size := 0
	if hold {
		size = 1
	}
	r.record(Alloc(r.op, []int{size}, Int64, r.x.Device()))
}

// record notes an index tensor for the next dimension.
func (r *indexReader) record(t *Tensor) {
	for len(r.rest) <= r.dim {
		r.rest = append(r.rest, nil)
	}
	if t.Device() != r.x.Device() {
		t = t.To(r.x.Device())
	}
	r.rest[r.dim] = t
	r.dim++
}

func (r *indexReader) tensor(i int, t *Tensor) {
	switch {
	case isMask(t) && len(t.shape) == 0:
		r.number(t.ItemBool())
	case isMask(t):
		for d, n := range t.shape {
			if n != r.at.shape[r.dim+d] {
				panic(Errorf(r.op, "the shape of the mask %v at index %d does not match the shape of the indexed tensor %v at "+
					"index %d", t.shape, i, r.x.shape, r.orig+d).OnArg("indices"))
			}
		}
		for _, places := range t.NonzeroAsTuple() {
			r.record(places)
		}
		r.orig += len(t.shape)
	case t.dtype != Int64 && (len(t.shape) > 0 || t.dtype.IsDifferentiable()):
		panic(Errorf(r.op, "tensors used as indices must be int64, bool or uint8, not %s (index %d)", t.dtype, i).
			OnArg("indices").WithHint("t.Long() converts integers"))
	case len(t.shape) == 0 && t.st.device.kind != metaDevice:
		r.pick(t.ItemInt())
	default:
		r.record(t)
		r.orig++
	}
}

// isMask reports whether an index tensor says which elements, rather than where.
func isMask(t *Tensor) bool { return t.dtype == Bool || t.dtype == Uint8 }

// listsToTensors makes tensors of the lists among ix, and of ix itself where it is a list of plain bools or ints
// inside one.
func listsToTensors(op string, x *Tensor, ix []any) []any {
	var out []any
	for i, e := range ix {
		if _, isRange := e.(SliceIndex); e == nil || isRange {
			continue
		}
		if k := reflect.TypeOf(e).Kind(); k != reflect.Slice && k != reflect.Array {
			continue
		}
		if out == nil {
			out = append(out, ix...)
		}
		out[i] = indexOfList(op, i, e, x.Device())
	}
	if out == nil {
		return ix
	}
	return out
}

// indexOfList makes an index tensor of a list of ints or bools, nested as deep as it is.
func indexOfList(op string, at int, list any, d Device) *Tensor {
	wrong := func(msg string) { panic(Errorf(op, "index %d: %s", at, msg).OnArg("indices")) }
	var shape []int
	var numbers []int64
	bools, ints := 0, 0
	var walk func(v reflect.Value, depth int)
	walk = func(v reflect.Value, depth int) {
		for v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.IsValid() && (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) {
			switch {
			case depth == len(shape) && len(numbers) == 0:
				shape = append(shape, v.Len())
			case depth >= len(shape):
				wrong("the lists of an index must be nested equally deep")
			case shape[depth] != v.Len():
				wrong("the lists of an index must all have the same length")
			}
			for i := range v.Len() {
				walk(v.Index(i), depth+1)
			}
			return
		}
		if depth != len(shape) {
			wrong("the lists of an index must be nested equally deep")
		}
		var s Scalar
		ok := v.IsValid()
		if ok {
			if t, isTensor := v.Interface().(*Tensor); isTensor && t != nil && t.numel == 1 && !t.dtype.IsDifferentiable() {
				s = t.ItemScalar()
			} else {
				s, ok = ScalarOf(v.Interface())
			}
		}
		switch {
		case ok && s.IsBool():
			bools++
		case ok && s.IsInt():
			ints++
		default:
			wrong("a list of indices must be of ints or bools")
		}
		numbers = append(numbers, s.Int())
	}
	walk(reflect.ValueOf(list), 0)
	if bools > 0 && ints > 0 {
		wrong("a list of indices must be all ints or all bools")
	}
	dt := Int64
	if bools > 0 {
		dt = Bool
	}
	t := Alloc(op, shape, dt, CPU)
	if bools > 0 {
		for i, n := range numbers {
			Elems[bool](t)[i] = n != 0
		}
	} else {
		copy(Elems[int64](t), numbers)
	}
	if d != CPU {
		t = t.To(d)
	}
	return t
}
