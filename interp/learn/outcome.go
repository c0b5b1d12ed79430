package learn

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gotorch/interp/result"
	"gotorch/tensor"
)

// outcome is what a call ended with: its results and its arguments as they are after it, or an error.
type outcome struct {
	values  []any
	results int
	names   []string // of the arguments
	err     *result.Error
}

// what names a value: the result, the second result, the argument x.
func (o outcome) what(i int) string {
	switch {
	case i >= o.results:
		return "argument " + o.names[i-o.results] + " after the call"
	case o.results == 1:
		return "result"
	}
	return fmt.Sprintf("result %d", i+1)
}

// fault is how an outcome differs from the one that is right.
type fault struct {
	index     int    // of the value
	what      string // "the result"
	says      string
	got, want any
	differ    []int // elements of tensors, as places in row-major order; nil where shapes or dtypes differ
}

// compare finds the first fault of an outcome, nil where there is none.
func compare(x *Exercise, got, want outcome) *fault {
	switch {
	case want.err != nil && got.err != nil:
		return nil
	case want.err != nil:
		return &fault{what: "call", says: "an error was to be raised, and there is none", want: want.err, got: got.values[0]}
	case got.err != nil:
		return &fault{what: "call", says: "it ended with an error", want: want.values[0], got: got.err}
	}
	for i := range want.values {
		f := differences(got.values[i], want.values[i])
		if f == nil && i < want.results {
			f = layoutDifference(x, got, want, i)
		}
		if f != nil {
			f.index, f.what, f.got, f.want = i, want.what(i), got.values[i], want.values[i]
			return f
		}
	}
	return nil
}

// layoutDifference compares strides and storage where the exercise says so.
func layoutDifference(x *Exercise, got, want outcome, i int) *fault {
	g, ok := got.values[i].(*tensor.Tensor)
	w, same := want.values[i].(*tensor.Tensor)
	if !ok || !same || w == nil {
		return nil
	}
	if x.Judges("storage") {
		for k := want.results; k < len(want.values); k++ {
			a, is := want.values[k].(*tensor.Tensor)
			b, isToo := got.values[k].(*tensor.Tensor)
			if !is || !isToo {
				continue
			}
			name := want.names[k-want.results]
			switch shares := tensor.SharesStorage(w, a); {
			case shares == tensor.SharesStorage(g, b):
			case shares:
				return &fault{says: "the numbers are right, but they are a copy: the result was to be a view of " + name}
			default:
				return &fault{says: "the numbers are right, but the result is a view of " + name +
					": it was to have memory of its own"}
			}
		}
	}
	if x.Judges("strides") && !slices.Equal(g.Stride(), w.Stride()) {
		return &fault{says: fmt.Sprintf("the numbers are right, but the strides are %v, not %v", g.Stride(), w.Stride())}
	}
	return nil
}

// differences compares two values; nil where they are equal.
func differences(got, want any) *fault {
	w, ok := want.(*tensor.Tensor)
	g, same := got.(*tensor.Tensor)
	if ok && same {
		return tensorDifferences(g, w)
	}
	if a, ok := number(got); ok {
		if b, ok := number(want); ok {
			if closeTo(a, b, 1e-9) {
				return nil
			}
			return &fault{says: fmt.Sprintf("it is %v, not %v", got, want)}
		}
	}
	a, b := reflect.ValueOf(got), reflect.ValueOf(want)
	if a.IsValid() && b.IsValid() && a.Kind() == reflect.Slice && b.Kind() == reflect.Slice {
		if a.Len() != b.Len() {
			return &fault{says: fmt.Sprintf("it has %d elements, not %d", a.Len(), b.Len())}
		}
		for i := range a.Len() {
			if f := differences(a.Index(i).Interface(), b.Index(i).Interface()); f != nil {
				return &fault{says: fmt.Sprintf("its element %d differs: %s", i, f.says)}
			}
		}
		return nil
	}
	if reflect.DeepEqual(got, want) {
		return nil
	}
	if reflect.TypeOf(got) != reflect.TypeOf(want) {
		return &fault{says: fmt.Sprintf("it is a %T, not a %T", got, want)}
	}
	return &fault{says: "it differs"}
}

func tensorDifferences(g, w *tensor.Tensor) *fault {
	switch {
	case g == nil && w == nil:
		return nil
	case g == nil || w == nil:
		return &fault{says: "one is nil"}
	case !slices.Equal(g.Shape(), w.Shape()):
		return &fault{says: fmt.Sprintf("its shape is %v, not %v", g.Shape(), w.Shape())}
	case g.Dtype() != w.Dtype():
		return &fault{says: fmt.Sprintf("its dtype is %v, not %v", g.Dtype(), w.Dtype())}
	}
	limit := 0.0
	switch {
	case w.Dtype() == tensor.Float64 || w.Dtype() == tensor.Complex128:
		limit = 1e-9
	case w.Dtype() == tensor.Float16 || w.Dtype() == tensor.Bfloat16:
		limit = 2e-2
	case w.Dtype().IsFloatingPoint() || w.Dtype().IsComplex():
		limit = 2e-5
	}
	a, b := elements(g), elements(w)
	var differ []int
	for i := range a {
		if !closeTo(real(a[i]), real(b[i]), limit) || !closeTo(imag(a[i]), imag(b[i]), limit) {
			differ = append(differ, i)
		}
	}
	if differ == nil {
		return nil
	}
	return &fault{differ: differ, says: fmt.Sprintf("%d of %d elements differ", len(differ), len(a))}
}

// elements are those of a tensor in row-major order.
func elements(x *tensor.Tensor) []complex128 {
	return tensor.Data[complex128](x.Detach().To(tensor.Complex128))
}

// closeTo compares numbers: relative to the larger, absolute below one. NaN equals NaN.
func closeTo(a, b, limit float64) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	return math.Abs(a-b) <= limit*max(1, math.Abs(a), math.Abs(b)) && !math.IsInf(a, 0) && !math.IsInf(b, 0)
}

// number is a value of any of Go's types of real numbers, or a tensor of one element.
func number(v any) (float64, bool) {
	if x, ok := v.(*tensor.Tensor); ok {
		if x == nil || x.Dim() > 0 || x.Dtype().IsComplex() {
			return 0, false
		}
		return real(elements(x)[0]), true
	}
	switch r := reflect.ValueOf(v); {
	case !r.IsValid():
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

// sameOutcome reports whether two wrong outcomes are the same mistake: equal values, or errors of the same text.
func sameOutcome(x *Exercise, a, b outcome) bool {
	if a.err != nil || b.err != nil {
		return a.err != nil && b.err != nil && a.err.Name == b.err.Name && a.err.Value == b.err.Value
	}
	return compare(x, a, b) == nil
}
