package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
)

// notByDifferences are operators whose derivatives differences cannot judge, with the reason.
var notByDifferences = map[string]string{
	"float": "the result has 24 bits", "half": "the result has 11 bits", "bfloat16": "the result has 8 bits", "cfloat": "the result has 24 bits",
	"__rpow__": "negative numbers have no real powers", "pow": "values so large that differences drown", "float_power": "values so large that differences drown",
	"as_strided_scatter":         "some samples share memory",
	"nn.functional.max_unpool1d": sharedPlace, "nn.functional.max_unpool2d": sharedPlace, "nn.functional.max_unpool3d": sharedPlace,
}

const sharedPlace = "windows that overlap send several elements to one place, whose gradient PyTorch gives to all of them"

// TestDerivatives holds first and second derivatives of every operator against differences, on the smaller inputs of
// the recorded calls that PyTorch took gradients of, widened to 64 bits. What there is no kernel for is passed over.
func TestDerivatives(t *testing.T) {
	good, missing := 0, 0
	eachRecorded(t, 4, func(op string) bool { return notByDifferences[op] != "" }, func(op string, i int, f autograd.Func, inputs []*tensor.Tensor) {
		for _, check := range []func(autograd.Func, []*tensor.Tensor, ...tensor.Option) error{autograd.Gradcheck, autograd.Gradgradcheck} {
			err := attempt(func() error { return check(f, inputs) })
			if err == nil {
				good++
				continue
			}
			if s := err.Error(); strings.Contains(s, "no such operator") || strings.Contains(s, "there is no kernel") {
				missing++
			} else {
				t.Errorf("%s, case %d: %v", op, i, err)
			}
			break
		}
	})
	if good == 0 {
		t.Error("nothing was checked")
	}
	fmt.Printf("derivatives: %d checks, %d without a kernel\n", good, missing)
}

// eachRecorded calls visit for at most each recorded calls of every operator, those that PyTorch took gradients of, as
// functions; one with -short. Operators that draw random numbers, and those to pass over, are left out.
func eachRecorded(t *testing.T, each int, pass func(op string) bool, visit func(op string, i int, f autograd.Func, inputs []*tensor.Tensor)) {
	t.Helper()
	dir := os.Getenv("GOTORCH_VECTORS")
	if dir == "" {
		dir = compact
	}
	if testing.Short() {
		each = 1
	}
	files, err := filepath.Glob(filepath.Join(dir, "opinfo", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", dir, err)
	}
	for _, file := range files {
		op := operatorOf(file)
		if pass(op) || seededByOpInfo[op] || strings.Contains(op, "dropout") {
			continue
		}
		rows, err := readLines[opinfoCase](file)
		if err != nil {
			t.Fatal(err)
		}
		done := 0
		for i := range rows {
			if rows[i].Grads == nil || done == each {
				continue
			}
			if f, inputs := rows[i].function(); f != nil {
				done++
				visit(op, i, f, inputs)
			}
		}
	}
}

// function is the recorded call as a function of the tensors that require grad, widened to 64 bits; nil where it is
// large or of 16 bits.
func (c *opinfoCase) function() (f autograd.Func, inputs []*tensor.Tensor) {
	const small = 40
	var given []*tensor.Tensor
	args := make([]any, len(c.Args))
	for i, raw := range c.Args {
		args[i], _ = value(raw, &given)
	}
	kwargs := map[string]any{}
	for _, k := range c.Kwargs {
		kwargs[k.name], _ = value(k.raw, &given)
	}
	var wrt []*tensor.Tensor
	size := 0
	for _, x := range given {
		if !x.RequiresGrad() {
			continue
		}
		if x.ElementSize() < 4 {
			return nil, nil
		}
		size += x.Numel()
		wrt = append(wrt, x)
		inputs = append(inputs, widened(x).Clone().RequiresGrad_())
	}
	if size == 0 || size > small {
		return nil, nil
	}
	return func(xs []*tensor.Tensor) (results []*tensor.Tensor) {
		replace := map[*tensor.Tensor]*tensor.Tensor{}
		for i, x := range wrt {
			replace[x] = xs[i]
		}
		kw := map[string]any{}
		for name, v := range kwargs {
			if v == tensor.Float32 {
				v = tensor.Float64
			}
			kw[name] = replaced(v, replace)
		}
		out, err := call(c.Op, replaced(args, replace).([]any), kw)
		if err != nil {
			tensor.Errorf(c.Op, "%v", err)
		}
		for _, y := range tensorsOf(out, nil) { // those that PyTorch took gradients of: the first ones
			if y.Dtype().IsDifferentiable() && len(results) < len(c.Cotangents) {
				results = append(results, y)
			}
		}
		return results
	}, inputs
}

// widened gives a tensor of 32-bit numbers as one of 64, others as they are.
func widened(x *tensor.Tensor) *tensor.Tensor {
	switch x.Dtype() {
	case tensor.Float32:
		return x.Detach().Double()
	case tensor.Complex64:
		return x.Detach().Cdouble()
	}
	return x.Detach()
}

// replaced puts other tensors into arguments; those that are not to be replaced are widened.
func replaced(v any, by map[*tensor.Tensor]*tensor.Tensor) any {
	switch v := v.(type) {
	case *tensor.Tensor:
		if y := by[v]; y != nil {
			return y
		}
		return widened(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = replaced(v[i], by)
		}
		return out
	case []*tensor.Tensor:
		out := make([]*tensor.Tensor, len(v))
		for i := range v {
			out[i] = replaced(v[i], by).(*tensor.Tensor)
		}
		return out
	}
	return v
}

// tensorsOf lists the tensors among results, those in lists too.
func tensorsOf(v any, to []*tensor.Tensor) []*tensor.Tensor {
	switch v := v.(type) {
	case *tensor.Tensor:
		to = append(to, v)
	case []*tensor.Tensor:
		to = append(to, v...)
	case []any:
		for _, e := range v {
			to = tensorsOf(e, to)
		}
	}
	return to
}
