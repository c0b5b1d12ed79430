package conformance

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Note: forms. TestForms takes calls of every operator of the table: the recorded calls, what composites call inside,
// and a few that are made for it. Each is called again with its tensors laid out in other ways, expanded, without
// elements, with out=, in place, and on the meta device, and the answers are held against those of contiguous
// tensors. No answer of PyTorch is needed for that, so that it reaches what was never recorded.

// layouts are ways to keep the elements of a tensor in memory; each copies x.
var layouts = []struct {
	name string
	make func(x *tensor.Tensor) *tensor.Tensor
}{
	{"transposed", func(x *tensor.Tensor) *tensor.Tensor {
		return x.Permute(backwards(x)...).Clone(contiguous).Permute(backwards(x)...)
	}},
	{"strided", func(x *tensor.Tensor) *tensor.Tensor { y, _ := withGaps(x); return y }},
	{"negative strides", func(x *tensor.Tensor) *tensor.Tensor {
		dims, slices := make([]int, x.Dim()), make([]any, x.Dim())
		for i := range dims {
			dims[i], slices[i] = i, tensor.Slice(nil, nil, -1)
		}
		if x.Dim() == 0 {
			return x.Clone()
		}
		return x.Flip(dims...).Index(slices...)
	}},
}

var contiguous = opt.MemoryFormat(tensor.ContiguousFormat)

// plain copies x to contiguous memory.
func plain(x *tensor.Tensor) *tensor.Tensor { return x.Clone(contiguous) }

func backwards(x *tensor.Tensor) []int {
	dims := make([]int, x.Dim())
	for i := range dims {
		dims[i] = len(dims) - 1 - i
	}
	return dims
}

// withGaps is a copy of x in every second element of a larger tensor, whose other elements are 1.
func withGaps(x *tensor.Tensor) (y, around *tensor.Tensor) {
	shape, slices := make([]int, x.Dim()), make([]any, x.Dim())
	for i, n := range x.Shape() {
		shape[i], slices[i] = 2*n+1, tensor.Slice(1, nil, 2)
	}
	if x.Dim() == 0 {
		around = tensor.With(x.Dtype()).Ones(3)
		y = around.Select(0, 1)
	} else {
		around = tensor.With(x.Dtype()).Ones(shape...)
		y = around.Index(slices...)
	}
	y.Copy_(x)
	return y, around
}

// reply is what a call gave.
type reply struct {
	results []any
	err     error
}

// ask calls the sample's operator, under a name of its own, with its tensors changed, from the seed 0.
func (s *sample) ask(name string, change func(*tensor.Tensor) *tensor.Tensor, more map[string]any) (r reply) {
	args := eachTensor(s.args, change).([]any)
	kwargs := map[string]any{}
	for k, v := range s.kwargs {
		kwargs[k] = eachTensor(v, change)
	}
	for k, v := range more {
		kwargs[k] = v
	}
	tensor.ManualSeed(0)
	r.err = attempt(func() (err error) {
		r.results, err = tensor.Invoke(name, args, kwargs)
		return err
	})
	return r
}

// differs says how two replies differ.
func (r reply) differs(want reply) error {
	var fault bug
	switch {
	case errors.As(r.err, &fault):
		return fault
	case r.err != nil && want.err != nil:
		return nil
	case r.err != nil:
		return r.err
	case want.err != nil:
		return fmt.Errorf("an answer, though otherwise: %w", want.err)
	case len(r.results) != len(want.results):
		return fmt.Errorf("%d results, want %d", len(r.results), len(want.results))
	}
	for i, v := range r.results {
		if err := sameValue(fmt.Sprintf("result %d", i), v, want.results[i]); err != nil {
			return err
		}
	}
	return nil
}

func sameValue(what string, got, want any) error {
	x, ok := got.(*tensor.Tensor)
	y, ok2 := want.(*tensor.Tensor)
	if ok && ok2 {
		if y.ElementSize() == 2 && y.Dtype().IsFloatingPoint() && sameShape(x, y) && y.Numel() > 0 {
			// sums in another order differ by the rounding of their parts
			x, y = x.To(tensor.Float64), y.To(tensor.Float64)
			bound := y.Abs().Max().Mul(0x1p-6)
			if x.Sub(y).Abs().Le(bound).All().ItemBool() {
				return nil
			}
		}
		return sameTensor(what, x, y)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("%s: %v, want %v", what, got, want)
	}
	return nil
}

func sameShape(x, y *tensor.Tensor) bool {
	return x.Dtype() == y.Dtype() && slices.Equal(x.Shape(), y.Shape())
}

// formChecks are what must hold of a sample whose functional form gives want.
var formChecks = []struct {
	name  string
	check func(s *sample, want reply) error
}{
	{"layouts", (*sample).layoutsAgree},
	{"expanded", (*sample).expandedAgree},
	{"empty", (*sample).emptyAgree},
	{"out", (*sample).outAgrees},
	{"in place", (*sample).inplaceAgrees},
}

const (
	readsStrides = "it reads the strides, which differ between layouts of the same elements"
	onlyChain    = "its body is text that the fuser makes; TestFuse runs it"
)

// formsExcept are the checks that an operator is not held to, each with the reason. "" stands for all of them.
var formsExcept = map[string]map[string]string{
	"as_strided": {"layouts": readsStrides, "expanded": readsStrides, "empty": readsStrides,
		"in place": readsStrides},
	"as_strided_scatter": {"layouts": readsStrides, "expanded": readsStrides, "empty": readsStrides},
	"_reshape_alias":     {"": readsStrides},
	"view":               {"layouts": readsStrides, "expanded": readsStrides},
	"_unsafe_view":       {"layouts": readsStrides, "expanded": readsStrides},
	"view_as":            {"layouts": readsStrides, "expanded": readsStrides},
	"view_as_complex":    {"layouts": readsStrides, "expanded": readsStrides, "empty": readsStrides},
	"resize_":            {"layouts": "elements move with the memory", "empty": "new elements are any"},
	"detach_":            {"layouts": "a view refuses", "empty": "a view refuses"},
	"_fused":             {"": onlyChain},
}

// ofSparse are operators of sparse tensors, which have no strides. tensor/sparse_recorded_test.go compares them with
// torch, tensor/sparse_all_test.go with strided tensors.
const ofSparse = "sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor _sparse_coo_tensor_unsafe " +
	"_sparse_csr_tensor_unsafe _sparse_csc_tensor_unsafe to_sparse to_sparse_csr to_sparse_csc to_dense coalesce indices " +
	"values crow_indices col_indices ccol_indices row_indices _values _with_values _values_at sparse_mask sparse.sum sparse.mm sparse.addmm sparse.softmax sparse.log_softmax"

func init() {
	for _, name := range strings.Fields(ofSparse) {
		formsExcept[name] = map[string]string{"": "of sparse tensors alone"}
	}
}

// TestForms holds the forms and layouts of every operator of the table against each other. GOTORCH_ALL takes more
// samples of each.
func TestForms(t *testing.T) {
	each := 3
	if os.Getenv("GOTORCH_ALL") != "" {
		each = 40
	}
	all := allSamples(t, each)
	checks := 0
	for _, o := range tensor.Ops() {
		except, tried := formsExcept[o.Full], false
		if except[""] != "" {
			continue
		}
		for i := range all[o.Full] {
			s := &all[o.Full][i]
			want := s.ask(o.Full, plain, nil)
			if want.err != nil { // a sample of another operator that does not serve
				continue
			}
			tried = true
			for _, c := range formChecks {
				if except[c.name] != "" {
					continue
				}
				checks++
				if err := attempt(func() error { return c.check(s, want) }); err != nil {
					t.Errorf("%s (%s), %s: %v", o.Full, s.from, c.name, err)
				}
			}
		}
		if !tried {
			t.Errorf("%s has no sample: add a call in forms_samples_test.go", o.Full)
		}
	}
	for name := range formsExcept {
		if tensor.Lookup(name) == nil {
			t.Errorf("formsExcept has %s, which is no operator", name)
		}
	}
	t.Logf("%d checks of %d operators", checks, len(tensor.Ops()))
}
