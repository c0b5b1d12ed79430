package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// The naive reference of indexing: every index becomes, for one place of the result, the coordinates that it reads.

// axis is one dimension, or several that advance together, of a naive result.
type axis struct {
	size int
	dims []int             // which dimensions of the source it sets
	at   func(i int) []int // to what
}

// naive returns the shape of x[ix] and the coordinates in x of each of its elements, in row-major order.
func naive(shape []int, ix []any) (out []int, coords [][]int) {
	used := 0
	for _, e := range ix {
		switch e := e.(type) {
		case *tensor.Tensor:
			if e.Dtype() == tensor.Bool {
				used += e.Dim()
			} else {
				used++
			}
		case []int, []bool, tensor.SliceIndex, int:
			used++
		}
	}
	var axes []axis
	fixed := map[int]int{}
	type list struct {
		dim   int
		t     *tensor.Tensor
		place int // among the axes
	}
	var lists []list
	places := []int{} // for each axis-like position of lists, to see whether they stand together
	d, pos := 0, 0
	whole := func(n int) {
		dim := d
		axes = append(axes, axis{n, []int{dim}, func(i int) []int { return []int{i} }})
		d++
		pos++
	}
	addList := func(t *tensor.Tensor) {
		lists = append(lists, list{d, t, len(axes)})
		places = append(places, pos)
		d++
		pos++
	}
	for _, e := range ix {
		switch e := e.(type) {
		case int:
			if e < 0 {
				e += shape[d]
			}
			fixed[d] = e
			d++
		case tensor.SliceIndex:
			dim, n := d, shape[d]
			var picks []int
			lo, hi := 0, n
			if e.Step < 0 {
				lo, hi = n-1, -1
			}
			wrap := func(v int) int {
				if v < 0 {
					v += n
				}
				if e.Step > 0 {
					return min(max(v, 0), n)
				}
				return min(max(v, -1), n-1)
			}
			if e.HasStart {
				lo = wrap(e.Start)
			}
			if e.HasStop {
				hi = wrap(e.Stop)
			}
			for i := lo; e.Step > 0 && i < hi || e.Step < 0 && i > hi; i += e.Step {
				picks = append(picks, i)
			}
			axes = append(axes, axis{len(picks), []int{dim}, func(i int) []int { return []int{picks[i]} }})
			d++
			pos++
		case nil:
			axes = append(axes, axis{1, nil, func(int) []int { return nil }})
			pos++
		case []int:
			addList(tensor.FromSlice(e, len(e)))
		case []bool:
			var at []int
			for i, b := range e {
				if b {
					at = append(at, i)
				}
			}
			addList(tensor.FromSlice(at, len(at)))
		case *tensor.Tensor:
			if e.Dtype() != tensor.Bool {
				addList(e)
				continue
			}
			cols := make([][]int, e.Dim())
			n := 0
			eachIndex(e.Shape(), func(at []int) {
				if e.At(at...).(bool) {
					for k, v := range at {
						cols[k] = append(cols[k], v)
					}
					n++
				}
			})
			for _, c := range cols {
				addList(tensor.FromSlice(c, n))
			}
		default: // ...
			for range len(shape) - used {
				whole(shape[d])
			}
		}
	}
	for d < len(shape) {
		whole(shape[d])
	}
	if len(lists) > 0 {
		var shapes [][]int
		for _, l := range lists {
			shapes = append(shapes, l.t.Shape())
		}
		common := tensor.BroadcastShapes(shapes...)
		front := lists[0].place
		for i := 1; i < len(places); i++ {
			if places[i] != places[i-1]+1 {
				front = 0
			}
		}
		var block []axis
		// one axis for each dimension of the common shape; only the last knows the whole index, so they are joined below
		for range common {
			block = append(block, axis{})
		}
		for k := range block {
			block[k] = axis{common[k], nil, nil}
		}
		axes = slices.Insert(axes, front, block...)
		for _, a := range axes {
			out = append(out, a.size)
		}
		eachIndex(out, func(at []int) {
			c := make([]int, len(shape))
			for k, v := range fixed {
				c[k] = v
			}
			for k, a := range axes {
				if a.at != nil {
					for j, v := range a.at(at[k]) {
						c[a.dims[j]] = v
					}
				}
			}
			in := at[front : front+len(common)]
			for _, l := range lists {
				ls := l.t.Shape()
				li := slices.Clone(in[len(in)-len(ls):])
				for k, n := range ls {
					if n == 1 {
						li[k] = 0
					}
				}
				v := int(l.t.At(li...).(int64))
				if v < 0 {
					v += shape[l.dim]
				}
				c[l.dim] = v
			}
			coords = append(coords, c)
		})
		return out, coords
	}
	for _, a := range axes {
		out = append(out, a.size)
	}
	eachIndex(out, func(at []int) {
		c := make([]int, len(shape))
		for k, v := range fixed {
			c[k] = v
		}
		for k, a := range axes {
			for j, v := range a.at(at[k]) {
				c[a.dims[j]] = v
			}
		}
		coords = append(coords, c)
	})
	return out, coords
}

// eachIndex calls f with every index of shape, in row-major order.
func eachIndex(shape []int, f func(at []int)) {
	at := make([]int, len(shape))
	for _, n := range shape {
		if n == 0 {
			return
		}
	}
	for {
		f(at)
		d := len(shape) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// scrambled makes a tensor of distinct numbers whose strides are in a random order, with holes and backward steps.
func scrambled(r *rand.Rand, shape []int, dt tensor.Dtype) *tensor.Tensor {
	perm := r.Perm(len(shape))
	big := make([]int, len(shape))
	for i, d := range perm {
		big[i] = shape[d]*2 + 1
	}
	x := tensor.Alloc("test", big, tensor.Float64, tensor.CPU)
	for i := range tensor.Elems[float64](x) {
		tensor.Elems[float64](x)[i] = float64(i % 113)
	}
	x = x.To(dt)
	inverse := make([]int, len(shape))
	for i, d := range perm {
		inverse[d] = i
	}
	if len(shape) > 0 {
		x = x.Permute(inverse...)
	}
	for d, n := range shape {
		switch r.IntN(3) {
		case 0:
			x = x.Slice(opt.Dim(d), opt.Start(1), opt.End(1+n))
		case 1:
			x = x.Slice(opt.Dim(d), opt.Step(2), opt.End(2*n))
		default:
			x = x.Slice(opt.Dim(d), opt.Start(n), opt.Step(-1)).Slice(opt.Dim(d), opt.End(n))
		}
	}
	return x
}

// randomIndices makes a list of indices for shape; text is how it reads.
func randomIndices(r *rand.Rand, shape []int) (ix []any, text string) {
	common := []int{1 + r.IntN(3)}
	if r.IntN(3) == 0 {
		common = append(common, 1+r.IntN(3))
	}
	number := func(n int) int { return r.IntN(2*n) - n }
	index := func(n int) *tensor.Tensor {
		s := slices.Clone(common)
		if r.IntN(3) == 0 {
			s[r.IntN(len(s))] = 1
		}
		if r.IntN(4) == 0 {
			s = s[1:]
		}
		if len(s) == 0 {
			s = []int{1}
		}
		count := 1
		for _, v := range s {
			count *= v
		}
		l := make([]int, count)
		for i := range l {
			l[i] = number(n)
		}
		t := tensor.FromSlice(l, s...)
		if r.IntN(2) == 0 && len(s) == 2 {
			t = t.T().Contiguous().T()
		}
		return t
	}
	masked := false
	d := 0
	rest := false // ... came, so that every dimension behind it has its index
	for d < len(shape) && (rest || r.IntN(8) > 0) {
		if !rest && r.IntN(8) == 0 {
			rest = true
			ix = append(ix, any(tensor.Ellipsis))
			d += r.IntN(len(shape) - d + 1)
			continue
		}
		n := shape[d]
		switch k := r.IntN(9); {
		case k == 0 && n > 0:
			ix = append(ix, number(n))
		case k == 1:
			ix = append(ix, tensor.Colon)
		case k <= 3:
			steps := []int{1, 2, 3, -1, -2}
			s := tensor.SliceIndex{Start: r.IntN(2*n+3) - n - 1, Stop: r.IntN(2*n+3) - n - 1, Step: steps[r.IntN(len(steps))],
				HasStart: r.IntN(2) == 0, HasStop: r.IntN(2) == 0}
			ix = append(ix, s)
		case k == 4:
			ix = append(ix, nil)
			d--
		case k <= 6 && n > 0:
			ix = append(ix, index(n))
		case k == 7 && n > 0 && len(common) == 1:
			l := make([]int, common[0])
			for i := range l {
				l[i] = number(n)
			}
			ix = append(ix, l)
		case k == 8 && !masked: // as many true as the other lists are long, so that they broadcast
			masked = true
			hold := common[len(common)-1]
			if n < hold {
				ix = append(ix, tensor.Colon)
				break
			}
			m := make([]bool, n)
			for _, i := range r.Perm(n)[:hold] {
				m[i] = true
			}
			ix = append(ix, m)
		default:
			ix = append(ix, tensor.Colon)
		}
		d++
	}
	if !rest && r.IntN(4) == 0 {
		ix = append(ix, any(tensor.Ellipsis))
	}
	var parts []string
	for _, e := range ix {
		switch e := e.(type) {
		case *tensor.Tensor:
			parts = append(parts, fmt.Sprintf("tensor%v", e.Shape()))
		default:
			parts = append(parts, fmt.Sprint(e))
		}
	}
	return ix, strings.Join(parts, ", ")
}

func TestIndexAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	dtypes := []tensor.Dtype{tensor.Float64, tensor.Int8, tensor.Bool, tensor.Bfloat16, tensor.Complex128, tensor.Float32}
	for round := range 4000 {
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = r.IntN(5)
		}
		x := scrambled(r, shape, dtypes[r.IntN(len(dtypes))])
		ix, text := randomIndices(r, shape)
		what := fmt.Sprintf("round %d: %s %v stride %v [%s]", round, x.Dtype(), shape, x.Stride(), text)
		want, coords := naive(shape, ix)
		var y *tensor.Tensor
		if e := tensor.Try(func() { y = x.Index(ix...) }); e != nil {
			t.Fatalf("%s: %v", what, e)
		}
		if !slices.Equal(y.Shape(), want) {
			t.Fatalf("%s: shape %v, want %v", what, y.Shape(), want)
		}
		i := 0
		eachIndex(want, func(at []int) {
			if got, w := y.At(at...), x.At(coords[i]...); got != w {
				t.Fatalf("%s: element %v is %v, want %v", what, at, got, w)
			}
			i++
		})
		putAgainstNaive(t, r, what, x, ix, want, coords)
	}
}

// putAgainstNaive writes at the same indices, once each way.
func putAgainstNaive(t *testing.T, r *rand.Rand, what string, x *tensor.Tensor, ix []any, shape []int,
	coords [][]int) {
	t.Helper()
	vs := slices.Clone(shape)
	for i := range vs {
		if r.IntN(4) == 0 {
			vs[i] = 1
		}
	}
	v := scrambled(r, vs, x.Dtype())
	accumulate := r.IntN(2) == 0 && x.Dtype() == tensor.Float64
	want := map[string]any{}
	values := v.Expand(shape...)
	i := 0
	eachIndex(shape, func(at []int) {
		key := fmt.Sprint(coords[i])
		new := values.At(at...)
		if accumulate {
			old, ok := want[key]
			if !ok {
				old = x.At(coords[i]...)
			}
			new = old.(float64) + new.(float64)
		}
		want[key] = new
		i++
	})
	before := x.Clone()
	y := before.Clone()
	if e := tensor.Try(func() { y.IndexPut_(ix, v, opt.Accumulate(accumulate)) }); e != nil {
		t.Fatalf("%s = %v (accumulate %v): %v", what, vs, accumulate, e)
	}
	eachIndex(x.Shape(), func(at []int) {
		w, ok := want[fmt.Sprint(at)]
		if !ok {
			w = before.At(at...)
		}
		if got := y.At(at...); got != w {
			t.Fatalf("%s = %v (accumulate %v): element %v is %v, want %v", what, vs, accumulate, at, got, w)
		}
	})
}

func TestIndexGivesViews(t *testing.T) {
	x := tensor.FromSlice([]float32{0, 1, 2, 3, 4, 5}, 2, 3)
	for _, ix := range [][]any{{0}, {tensor.Colon, 1}, {tensor.Slice(nil, nil, -1)}, {tensor.None, tensor.Ellipsis},
		{}, {-1, -1}} {
		if y := x.Index(ix...); !tensor.SharesStorage(x, y) || y == x {
			t.Errorf("x[%v] is no view", ix)
		}
	}
	if y := x.Index([]int{0}); tensor.SharesStorage(x, y) {
		t.Error("x[[0]] is a view")
	}
	x.IndexPut_(tensor.Ix{0, tensor.Colon}, 5)
	x.IndexPut_(tensor.Ix{tensor.Colon, tensor.Slice(-1, nil, nil)}, 7)
	if got := x.Flatten().String(); got != tensor.FromSlice([]float32{5, 5, 7, 3, 4, 7}, 6).String() {
		t.Errorf("x is %s", got)
	}
}

func TestIndexErrors(t *testing.T) {
	x := tensor.FromSlice([]float32{0, 1, 2, 3, 4, 5}, 2, 3)
	long := func(v ...int) *tensor.Tensor { return tensor.FromSlice(v, len(v)) }
	for _, c := range []struct {
		f    func()
		want []string
	}{
		{func() { x.Index(0, 3) }, []string{"index 3", "dimension 1", "size 3"}},
		{func() { x.Index(-3) }, []string{"index -3", "dimension 0", "size 2"}},
		{func() { x.Index(0, 0, 0) }, []string{"too many indices", "2 dimensions", "3 indices"}},
		{func() { x.Index(tensor.Colon, long(0, 3)) }, []string{"index 3", "dimension 1", "size 3"}},
		{func() { x.Index(long(0, 1), long(0, 1, 2)) }, []string{"shape mismatch", "[2]", "[3]"}},
		{func() { x.Index([]bool{true, false, true}) }, []string{"mask", "[3]", "[2 3]"}},
		{func() { x.Index(1.5) }, []string{"index 0", "float64"}},
		{func() { x.Index(x) }, []string{"int64", "float32"}},
		{func() { x.Index("a") }, []string{`"a"`}},
		{func() { x.Index([]any{1, []any{2}}) }, []string{"nested"}},
		{func() { x.Index(tensor.Ellipsis, tensor.Ellipsis, 0) }, []string{"dimension 2", "[2 3]", "each ellipsis"}},
		{func() { x.IndexPut_(tensor.Ix{long(0)}, long(1)) }, []string{"float32", "int64"}},
		{func() { x.IndexPut_(tensor.Ix{long(0, 1)}, tensor.Zeros(3, 3)) }, []string{"shape mismatch", "[3 3]", "[2 3]"}},
		{func() { x.Gather(1, long(0)) }, []string{"same number of dimensions"}},
		{func() { x.Gather(1, long(0, 3).View(1, 2)) }, []string{"index 3", "dimension 1", "size 3"}},
		{func() { x.IndexSelect(0, long(2)) }, []string{"index 2", "dimension 0", "size 2"}},
		{func() { x.ScatterAdd(0, long(0, 0, 0).View(1, 3), long(1, 1, 1).View(1, 3)) }, []string{"float32", "int64"}},
		{func() { x.Take(long(0, 1), opt.Out(x.Select(0, 0).Narrow(0, 1, 2))) }, []string{"single memory location"}},
		{func() { x.Gather(1, long(0, 0).View(2, 1), opt.Out(x.Narrow(1, 2, 1))) }, []string{"single memory location"}},
		{func() { x.MaskedSelect(x.Gt(2), opt.Out(x.Select(0, 0))) }, []string{"single memory location"}},
		{func() { x.IndexSelect(0, long(0), opt.Out(tensor.Zeros(1, 1).Expand(1, 3))) }, []string{"single memory location"}},
		{func() {
			x.Gather(1, long(0, 0).View(2, 1), opt.Out(tensor.Zeros(2, 1).Double()))
		}, []string{"float32", "float64"}},
		{func() { x.Take(long(6)) }, []string{"index 6", "size 6"}},
	} {
		e := tensor.Try(c.f)
		var te *tensor.Error
		if !errors.As(e, &te) {
			t.Errorf("%v: no error with %q", e, c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(te.Error(), w) {
				t.Errorf("%q does not say %q", te.Error(), w)
			}
		}
	}
}
