package tensor

import "testing"

func TestPromoteTypes(t *testing.T) {
	for _, a := range Dtypes() {
		for _, b := range Dtypes() {
			p := PromoteTypes(a, b)
			if p != PromoteTypes(b, a) {
				t.Errorf("%s with %s is %s, the other way about %s", a, b, p, PromoteTypes(b, a))
			}
			if PromoteTypes(a, p) != p || PromoteTypes(b, p) != p {
				t.Errorf("%s with %s is %s, which does not hold both", a, b, p)
			}
			if !CanCast(a, p) || !CanCast(b, p) {
				t.Errorf("%s or %s cannot be cast to %s", a, b, p)
			}
		}
	}
	for _, c := range []struct{ a, b, want Dtype }{
		{Uint8, Int8, Int16}, {Uint8, Int16, Int16}, {Int64, Float16, Float16}, {Float16, Bfloat16, Float32},
		{Bool, Uint8, Uint8},
		{Complex64, Float64, Complex128}, {Float64, Int64, Float64}, {Int32, Int64, Int64},
	} {
		if got := PromoteTypes(c.a, c.b); got != c.want {
			t.Errorf("%s with %s is %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestResultType(t *testing.T) {
	scalar := func(dt Dtype) *Tensor { return Alloc("test", nil, dt, CPU) }
	vector := func(dt Dtype) *Tensor { return Alloc("test", []int{2}, dt, CPU) }
	for _, c := range []struct {
		operands []any
		want     Dtype
	}{
		{[]any{vector(Int32), 2}, Int32},
		{[]any{vector(Int32), 2.5}, Float32},
		{[]any{vector(Bool), 2}, Int64},
		{[]any{vector(Uint8), true}, Uint8},
		{[]any{vector(Float16), scalar(Float64)}, Float16},
		{[]any{vector(Int64), scalar(Float64)}, Float64},
		{[]any{scalar(Int32), scalar(Int64)}, Int64},
		{[]any{vector(Float32), 1i}, Complex64},
		{[]any{vector(Float64), 1i}, Complex128},
		{[]any{2, 3}, Int64},
		{[]any{true, 0.5}, Float32},
	} {
		if got := ResultType(c.operands...); got != c.want {
			t.Errorf("%v: %s, want %s", c.operands[1:], got, c.want)
		}
	}
	if Try(func() { ResultType("x") }) == nil {
		t.Error("a string is taken for a number")
	}
}
