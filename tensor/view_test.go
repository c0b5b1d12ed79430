package tensor_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// naive is a tensor without strides: the values in row-major order. Its operators are written with indices alone, to
// hold views against.
type naive struct {
	shape []int
	vals  []int64
}

func size(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

func (m naive) get(ix []int) int64 {
	at := 0
	for d, i := range ix {
		at = at*m.shape[d] + i
	}
	return m.vals[at]
}

// from makes a naive tensor of shape whose element at ix is m's at from(ix).
func (m naive) from(shape []int, from func(ix []int) []int) naive {
	out := naive{shape: shape}
	for i := range size(shape) {
		ix := make([]int, len(shape))
		for d, rest := len(shape)-1, i; d >= 0; d-- {
			ix[d] = rest % shape[d]
			rest /= shape[d]
		}
		out.vals = append(out.vals, m.get(from(ix)))
	}
	return out
}

func without(ix []int, d int) []int    { return slices.Delete(slices.Clone(ix), d, d+1) }
func with(ix []int, d, v int) []int    { return slices.Insert(slices.Clone(ix), d, v) }
func replace(ix []int, d, v int) []int { ix = slices.Clone(ix); ix[d] = v; return ix }

// step is one operator: what it does to a tensor and to a naive one, and whether the result must look into the same
// storage.
type step struct {
	text  string
	run   func(x *tensor.Tensor) *tensor.Tensor
	model func(m naive) naive
	view  bool
}

// randomStep chooses an operator that fits m. The dimension is sometimes counted from the end.
func randomStep(r *rand.Rand, m naive) (s step, ok bool) {
	n := len(m.shape)
	s.view = true
	neg := func(d, n int) int {
		if r.IntN(2) == 0 {
			return d - n
		}
		return d
	}
	d := 0
	if n > 0 {
		d = r.IntN(n)
	}
	switch k := r.IntN(17); {
	case k == 0 && n > 0: // permute
		perm := r.Perm(n)
		dims := make([]int, n)
		shape := make([]int, n)
		for i, p := range perm {
			dims[i], shape[i] = neg(p, n), m.shape[p]
		}
		s.text = fmt.Sprint("permute ", dims)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Permute(dims...) }
		s.model = func(m naive) naive {
			return m.from(shape, func(ix []int) []int {
				out := make([]int, n)
				for i, p := range perm {
					out[p] = ix[i]
				}
				return out
			})
		}
	case k == 1 && n > 0 && m.shape[d] > 0: // select
		i := r.IntN(m.shape[d])
		a, b := neg(d, n), neg(i, m.shape[d])
		s.text = fmt.Sprint("select ", a, b)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Select(a, b) }
		s.model = func(m naive) naive {
			return m.from(without(m.shape, d), func(ix []int) []int { return with(ix, d, i) })
		}
	case k == 2 && n < 7: // unsqueeze
		d := r.IntN(n + 1)
		a := neg(d, n+1)
		s.text = fmt.Sprint("unsqueeze ", a)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Unsqueeze(a) }
		s.model = func(m naive) naive {
			return m.from(with(m.shape, d, 1), func(ix []int) []int { return without(ix, d) })
		}
	case k == 3 && n > 0: // squeeze
		a := neg(d, n)
		s.text = fmt.Sprint("squeeze ", a)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Squeeze(a) }
		s.model = func(m naive) naive {
			if m.shape[d] != 1 {
				return m
			}
			return m.from(without(m.shape, d), func(ix []int) []int { return with(ix, d, 0) })
		}
	case (k == 4 || k == 5) && n > 0: // slice, by Python's rule written out
		size := m.shape[d]
		by := []int{1, 2, 3, -1, -2, -3}[r.IntN(6)]
		var picked []int
		from, to := r.IntN(2*size+3)-size-1, r.IntN(2*size+3)-size-1
		hasFrom, hasTo := r.IntN(3) > 0, r.IntN(3) > 0
		abs := func(i int) int {
			if i < 0 {
				i += size
			}
			return i
		}
		for i := range size {
			if by < 0 {
				i = size - 1 - i
			}
			before, after := hasFrom && i < abs(from), hasTo && i >= abs(to)
			if by < 0 {
				before, after = hasFrom && i > abs(from), hasTo && i <= abs(to)
			}
			if !before && !after {
				picked = append(picked, i)
			}
		}
		var strided []int
		for i := 0; i < len(picked); i += max(by, -by) {
			strided = append(strided, picked[i])
		}
		o := []tensor.Option{opt.Dim(neg(d, n)), opt.Step(by)}
		if hasFrom {
			o = append(o, opt.Start(from))
		}
		if hasTo {
			o = append(o, opt.End(to))
		}
		s.text = fmt.Sprint("slice ", d, from, hasFrom, to, hasTo, by)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(o...) }
		s.model = func(m naive) naive {
			return m.from(replace(m.shape, d, len(strided)), func(ix []int) []int { return replace(ix, d, strided[ix[d]]) })
		}
	case k == 6 && n > 1: // diagonal
		p := r.Perm(n)
		a, b, off := p[0], p[1], r.IntN(5)-2
		i0, j0 := max(-off, 0), max(off, 0)
		length := max(min(m.shape[a]-i0, m.shape[b]-j0), 0)
		s.text = fmt.Sprint("diagonal ", off, a, b)
		s.run = func(x *tensor.Tensor) *tensor.Tensor {
			return x.Diagonal(opt.Offset(off), opt.Dim1(neg(a, n)), opt.Dim2(b))
		}
		s.model = func(m naive) naive {
			shape := []int{}
			for i, v := range m.shape {
				if i != a && i != b {
					shape = append(shape, v)
				}
			}
			return m.from(append(shape, length), func(ix []int) []int {
				i := ix[len(ix)-1]
				out, at := make([]int, n), 0
				for j := range out {
					switch j {
					case a:
						out[j] = i0 + i
					case b:
						out[j] = j0 + i
					default:
						out[j] = ix[at]
						at++
					}
				}
				return out
			})
		}
	case k == 7 && n > 0: // unfold
		w, by := r.IntN(m.shape[d]+1), 1+r.IntN(3)
		s.text = fmt.Sprint("unfold ", d, w, by)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Unfold(d, w, by) }
		s.model = func(m naive) naive {
			count := 0
			for at := 0; at+w <= m.shape[d]; at += by {
				count++
			}
			return m.from(append(replace(m.shape, d, count), w), func(ix []int) []int {
				return replace(ix[:n], d, ix[d]*by+ix[n])
			})
		}
	case k == 8: // expand
		lead := r.IntN(2)
		shape := append(make([]int, lead), m.shape...)
		size := slices.Clone(shape)
		for i := range shape {
			switch {
			case i < lead:
				shape[i] = r.IntN(3)
				size[i] = shape[i]
			case shape[i] == 1:
				shape[i] = r.IntN(4)
				size[i] = shape[i]
			case r.IntN(2) == 0:
				size[i] = -1
			}
		}
		s.text = fmt.Sprint("expand ", size)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Expand(size...) }
		s.model = func(m naive) naive {
			return m.from(shape, func(ix []int) []int {
				out := slices.Clone(ix[lead:])
				for i := range out {
					out[i] = min(out[i], m.shape[i]-1)
				}
				return out
			})
		}
	case k == 9 && n > 0: // a piece of a split
		by := 1 + r.IntN(m.shape[d]+1)
		pieces := max((m.shape[d]+by-1)/by, 1)
		i := r.IntN(pieces)
		s.text = fmt.Sprint("split ", by, d, i)
		s.run = func(x *tensor.Tensor) *tensor.Tensor {
			l := x.Split(by, opt.Dim(d))
			if len(l) != pieces {
				panic(fmt.Sprint(len(l), " pieces, want ", pieces))
			}
			return l[i]
		}
		s.model = func(m naive) naive {
			return m.from(replace(m.shape, d, min(by, m.shape[d]-i*by)),
				func(ix []int) []int { return replace(ix, d, i*by+ix[d]) })
		}
	case k == 10 && n > 0: // flip
		s.view = false
		s.text = fmt.Sprint("flip ", d)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Flip(neg(d, n)) }
		s.model = func(m naive) naive {
			return m.from(m.shape, func(ix []int) []int { return replace(ix, d, m.shape[d]-1-ix[d]) })
		}
	case k == 11 && n > 0: // roll along two dimensions
		e, a, b := r.IntN(n), r.IntN(9)-4, r.IntN(9)-4
		s.view = false
		s.text = fmt.Sprint("roll ", a, b, d, e)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Roll([]int{a, b}, d, e) }
		shift := func(d, by int) func(m naive) naive {
			return func(m naive) naive {
				return m.from(m.shape, func(ix []int) []int { k := m.shape[d]; return replace(ix, d, ((ix[d]-by)%k+k)%k) })
			}
		}
		s.model = func(m naive) naive { return shift(e, b)(shift(d, a)(m)) }
	case k == 12: // reshape, and what it is a view of
		shape := factors(r, size(m.shape))
		s.view = false
		s.text = fmt.Sprint("reshape ", shape)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(shape...) }
		s.model = func(m naive) naive { return naive{shape, m.vals} }
	case k == 13: // repeat
		lead := r.IntN(2)
		repeats := make([]int, n+lead)
		shape := make([]int, n+lead)
		for i := range repeats {
			repeats[i] = 1 + r.IntN(2)
			shape[i] = repeats[i]
			if i >= lead {
				shape[i] *= m.shape[i-lead]
			}
		}
		s.view = false
		s.text = fmt.Sprint("repeat ", repeats)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Repeat(repeats...) }
		s.model = func(m naive) naive {
			return m.from(shape, func(ix []int) []int {
				out := slices.Clone(ix[lead:])
				for i := range out {
					out[i] %= m.shape[i]
				}
				return out
			})
		}
	case k == 14 && n > 0: // cat of two pieces the other way round
		at := r.IntN(m.shape[d] + 1)
		s.view = false
		s.text = fmt.Sprint("cat ", d, at)
		s.run = func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Cat([]*tensor.Tensor{x.Narrow(d, at, x.Size(d)-at), x.Narrow(d, 0, at)}, opt.Dim(neg(d, n)))
		}
		s.model = func(m naive) naive {
			return m.from(m.shape, func(ix []int) []int { return replace(ix, d, (ix[d]+at)%m.shape[d]) })
		}
	case k == 15: // stack
		d := r.IntN(n + 1)
		s.view = false
		s.text = fmt.Sprint("stack ", d)
		s.run = func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Stack([]*tensor.Tensor{x, x}, opt.Dim(neg(d, n+1)))
		}
		s.model = func(m naive) naive {
			return m.from(with(m.shape, d, 2), func(ix []int) []int { return without(ix, d) })
		}
	case k == 16 && n > 1: // rot90
		p := r.Perm(n)
		a, b, turns := p[0], p[1], r.IntN(9)-4
		s.view = false
		s.text = fmt.Sprint("rot90 ", turns, a, b)
		s.run = func(x *tensor.Tensor) *tensor.Tensor { return x.Rot90(opt.K(turns), opt.Dims(a, b)) }
		s.model = func(m naive) naive {
			for range (turns%4 + 4) % 4 { // element (i, j) goes to (size-1-j, i) for a quarter turn from a to b
				shape := slices.Clone(m.shape)
				shape[a], shape[b] = shape[b], shape[a]
				old := m
				m = old.from(shape, func(ix []int) []int { return replace(replace(ix, a, ix[b]), b, old.shape[b]-1-ix[a]) })
			}
			return m
		}
	default:
		return s, false
	}
	return s, true
}

// factors is a random shape of n elements.
func factors(r *rand.Rand, n int) []int {
	if n == 0 {
		return []int{2, 0, 1 + r.IntN(3)}
	}
	shape := []int{}
	for p := 2; n > 1; p++ {
		for n%p == 0 {
			if len(shape) > 0 && r.IntN(3) == 0 {
				shape[len(shape)-1] *= p
			} else {
				shape = append(shape, p)
			}
			n /= p
		}
	}
	if r.IntN(3) == 0 {
		shape = slices.Insert(shape, r.IntN(len(shape)+1), 1)
	}
	r.Shuffle(len(shape), func(i, j int) { shape[i], shape[j] = shape[j], shape[i] })
	return shape
}

func values(x *tensor.Tensor) []int64 { return tensor.Data[int64](x) }

// TestViewsAgreeWithIndices: random chains of operators give the elements that index functions give, views look into
// the storage, and what is copied does not.
func TestViewsAgreeWithIndices(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = []int{1, 2, 3, 4, 5, 0}[min(r.IntN(8), 5)%6]
			if shape[i] == 0 && r.IntN(3) > 0 {
				shape[i] = 3
			}
		}
		m := naive{shape: shape}
		for i := range size(shape) {
			m.vals = append(m.vals, int64(i))
		}
		x := tensor.Arange(size(shape)).View(shape...)
		text := fmt.Sprint(shape)
		for range 6 {
			s, ok := randomStep(r, m)
			if !ok || size(m.shape) > 2000 {
				continue
			}
			text += "; " + s.text
			var y *tensor.Tensor
			if err := tensor.Try(func() { y = s.run(x) }); err != nil {
				t.Fatalf("seed %d: %s: %v", seed, text, err)
			}
			m = s.model(m)
			if !slices.Equal(y.Shape(), m.shape) {
				t.Fatalf("seed %d: %s: shape %v, want %v", seed, text, y.Shape(), m.shape)
			}
			if got := values(y); !slices.Equal(got, m.vals) {
				t.Fatalf("seed %d: %s: %v, want %v", seed, text, got, m.vals)
			}
			if s.view && !tensor.SharesStorage(x, y) {
				t.Fatalf("seed %d: %s: a view that looks elsewhere", seed, text)
			}
			if got := values(y.Contiguous()); !slices.Equal(got, m.vals) || !y.Contiguous().IsContiguous() {
				t.Fatalf("seed %d: %s: contiguous %v, want %v", seed, text, got, m.vals)
			}
			x = y
		}
	}
}

// TestReshapeIsAViewWhereItCanBe: the places of the elements say whether strides of the new shape exist.
func TestReshapeIsAViewWhereItCanBe(t *testing.T) {
	views, copies := 0, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 11))
		shape, stride := make([]int, 1+r.IntN(4)), make([]int, 0)
		for i := range shape {
			shape[i] = 1 + r.IntN(4)
			stride = append(stride, []int{0, 1, 2, 3, 4, 6, 8, 12, 24}[r.IntN(9)])
		}
		if r.IntN(2) == 0 { // strides that coalesce
			n := 1
			for i := len(shape) - 1; i >= 0; i-- {
				stride[i] = n
				n *= shape[i]
			}
		}
		x := tensor.Arange(400).AsStrided(shape, stride)
		to := factors(r, x.Numel())
		y := x.Reshape(to...)
		places := values(x) // arange: an element is its own place
		exists := true
		for i, want := range places {
			at := places[0]
			rest := i
			for d := len(to) - 1; d >= 0; d-- {
				unit := size(to[d+1:])
				if to[d] > 1 {
					at += int64(rest%to[d]) * (places[unit] - places[0])
				}
				rest /= to[d]
			}
			exists = exists && at == want
		}
		if shares := tensor.SharesStorage(x, y); shares != exists {
			t.Fatalf("shape %v stride %v to %v: a view %v, want %v", shape, stride, to, shares, exists)
		}
		if !slices.Equal(values(y), places) {
			t.Fatalf("shape %v stride %v to %v: %v, want %v", shape, stride, to, values(y), places)
		}
		err := tensor.Try(func() { x.View(to...) })
		if (err == nil) != exists {
			t.Fatalf("view %v stride %v to %v: error %v, want a view %v", shape, stride, to, err, exists)
		}
		if exists {
			views++
		} else {
			copies++
		}
	}
	if views < 500 || copies < 500 {
		t.Errorf("%d views and %d copies: the test does not see both", views, copies)
	}
}

// TestSeveralEllipses: each ... of an index stands for all dimensions that no other index is for, as in PyTorch.
func TestSeveralEllipses(t *testing.T) {
	x := tensor.Arange(24).View(2, 3, 4)
	e := tensor.Ellipsis
	for _, c := range []struct {
		ix   []any
		want []int
	}{
		{[]any{e, e}, []int{2, 3, 4}},
		{[]any{e, 0, e}, []int{2, 3}},
		{[]any{0, e, e}, []int{3, 4}},
		{[]any{e, tensor.None, e}, []int{2, 3, 4, 1}},
		{[]any{0, e, 0, e}, []int{3}},
	} {
		if got := x.Index(c.ix...); !slices.Equal(got.Shape(), c.want) {
			t.Errorf("%v: shape %v, want %v", c.ix, got.Shape(), c.want)
		}
	}
	for _, ix := range [][]any{{e, e, 0}, {e, 0, e, 0}} {
		if err := tensor.Try(func() { x.Index(ix...) }); err == nil || !strings.Contains(err.Error(), "each ellipsis") {
			t.Errorf("%v: %v", ix, err)
		}
	}
}
