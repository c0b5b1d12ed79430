package tensor_test

import (
	"errors"
	"strings"
	"testing"

	_ "gotorch"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/tensor/opt"
)

// sparseArgument is an argument of a call of every operator: x or other for tensors, anything that fits for the rest.
func sparseArgument(p *opdef.Param, x, other *tensor.Tensor) (any, bool) {
	switch {
	case p.IsList("Tensor"):
		return []*tensor.Tensor{x, other}, true
	case p.Is("Tensor"):
		return x, true
	case p.Is("Scalar"), p.Is("int"):
		return 1, true
	case p.IsList("int"):
		return []int{0}, true
	case p.Is("float"):
		return 0.5, true
	case p.Is("bool"):
		return true, true
	case p.Is("str"):
		return "mean", true
	case p.Is("ScalarType"):
		return tensor.Float64, true
	case p.IsList("Index"):
		return []any{0}, true
	}
	return nil, false
}

// TestEveryOperatorOfSparse calls every operator with sparse arguments, in each place and in several combinations with
// strided ones. Each answers what it answers for strided tensors, or with an error that says what is wrong; those
// whose strided form is an error are of sparse tensors alone.
func TestEveryOperatorOfSparse(t *testing.T) {
	square := tensor.New([][]float64{{0, 2, 0}, {0.5, 0, 0}, {0, 0.25, 1}})
	index := tensor.New([][]int{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}})
	vector := tensor.New([]float64{0, 0.5, 0})
	answered, refused := map[string]bool{}, 0
	for _, dense := range []*tensor.Tensor{square, index, vector} {
		layouts := []*tensor.Tensor{dense.ToSparse(), doubled(dense)}
		if dense.Dim() == 2 {
			layouts = append(layouts, dense.ToSparseCsr(), dense.ToSparseCsc(), dense.ToSparse(opt.SparseDim(1)))
		}
		for _, sparse := range layouts {
			for _, o := range tensor.Ops() {
				if o.IsPrivate() || o.IsDefined() || o.Tags.Has(opdef.Random) ||
					strings.HasSuffix(o.Name, "_lowrank") { // which draws random numbers

					continue
				}
				for place := -1; place < len(o.Params); place++ { // one sparse argument, or all
					a, b, ok := bothCalls(o, sparse, dense, place)
					if !ok {
						continue
					}
					got, err := invokeSafely(t, o, a)
					if err != nil {
						var e *tensor.Error
						if !errors.As(err, &e) {
							t.Errorf("%s %d of %v: %v", o.Full, place, sparse.Layout(), err)
						}
						if strings.Contains(err.Error(), "not implemented for layout") {
							refused++
						}
						continue
					}
					want, err := invokeSafely(t, o, b)
					if err != nil || strings.HasPrefix(o.Name, "sparse.") || strings.HasPrefix(o.Name, "empty") {
						continue
					}
					answered[o.Full] = true
					sameResults(t, o.Full, got, want)
				}
			}
		}
	}
	if len(answered) < 70 || refused < 1000 {
		t.Errorf("%d operators answered, %d calls refused: fewer than there are", len(answered), refused)
	}
}

// doubled is x in coordinates, each of its elements in two halves.
func doubled(x *tensor.Tensor) *tensor.Tensor {
	s := x.ToSparse()
	half := s.Values().Div(2).To(x.Dtype())
	return tensor.SparseCooTensor(tensor.Cat([]*tensor.Tensor{s.Indices(), s.Indices()}, opt.Dim(1)),
		tensor.Cat([]*tensor.Tensor{half, s.Values().Sub(half)}), opt.Size(x.Shape()))
}

// bothCalls are the arguments of a call with sparse tensors in place, and the same with strided ones.
func bothCalls(o *tensor.Op, sparse, dense *tensor.Tensor, place int) (a, b []any, ok bool) {
	for i := range o.Params {
		p := &o.Params[i]
		if p.KwOnly || p.HasDef && i > place {
			break
		}
		x := dense
		if i == place || place < 0 {
			x = sparse
		}
		if i == place && !p.Is("Tensor") && !p.IsList("Tensor") {
			return nil, nil, false
		}
		v, known := sparseArgument(p, x.Clone(), x.Clone())
		w, _ := sparseArgument(p, dense.Clone(), dense.Clone())
		if !known {
			return nil, nil, false
		}
		a, b = append(a, v), append(b, w)
	}
	return a, b, len(a) > 0
}

// invokeSafely calls an operator; a panic that is no error of the library fails the test.
func invokeSafely(t *testing.T, o *tensor.Op, args []any) (out []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s %v panics: %v", o.Full, args, r)
			err = errors.New("a panic")
		}
	}()
	return tensor.Invoke(o.Full, args, nil)
}

func sameResults(t *testing.T, name string, got, want []any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d results, strided tensors give %d", name, len(got), len(want))
		return
	}
	for i := range got {
		x, ok := got[i].(*tensor.Tensor)
		y, _ := want[i].(*tensor.Tensor)
		if !ok || y == nil {
			if got[i] != want[i] {
				t.Errorf("%s: %v, strided tensors give %v", name, got[i], want[i])
			}
			continue
		}
		x, y = x.ToDense(), y.ToDense()
		if x.Dtype() != y.Dtype() || !equalShapes(x, y) || !x.To(tensor.Complex128).Allclose(y.To(tensor.Complex128),
			opt.EqualNan(true)) {
			t.Errorf("%s: %v\nstrided tensors give %v", name, x, y)
		}
	}
}

func equalShapes(x, y *tensor.Tensor) bool {
	a, b := x.Shape(), y.Shape()
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
