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
	"float": "the result has 24 bits", "half": "the result has 11 bits", "bfloat16": "the result has 8 bits",
	"cfloat":   "the result has 24 bits",
	"__rpow__": "negative numbers have no real powers", "pow": "values so large that differences drown",
	"float_power":                "values so large that differences drown",
	"as_strided_scatter":         "some samples share memory",
	"nn.functional.max_unpool1d": sharedPlace, "nn.functional.max_unpool2d": sharedPlace,
	"nn.functional.max_unpool3d": sharedPlace,
}

const sharedPlace = "windows that overlap send several elements to one place, whose gradient PyTorch gives to all " +
	"of them"

// constantFirst counts the results in front that have no derivative: permutations.
var constantFirst = map[string]int{"linalg.lu": 1, "lu_unpack": 1}

// hermitian are the operators that read one triangle of a matrix and take it for Hermitian: their gradients are those
// of its Hermitian part. triangular are those of a triangular matrix, with PyTorch's gradients, of both triangles.
var (
	hermitian = map[string]bool{"cholesky": true, "linalg.cholesky": true, "linalg.cholesky_ex": true,
		"linalg.eigh": true, "linalg.eigvalsh": true, "symeig": true}
	triangular = map[string]bool{"cholesky_inverse": true, "cholesky_solve": true}
)

// TestDerivatives holds first and second derivatives of every operator against differences, on the smaller inputs of
// the recorded calls that PyTorch took gradients of, widened to 64 bits. What there is no kernel for is passed over.
func TestDerivatives(t *testing.T) {
	good, missing := 0, 0
	eachRecorded(t, 4, func(op string) bool { return notByDifferences[op] != "" },
		func(op string, i int, f autograd.Func, inputs []*tensor.Tensor) {
			for _, check := range []func(autograd.Func, []*tensor.Tensor, ...tensor.Option) error{autograd.Gradcheck,
				autograd.Gradgradcheck} {
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
func eachRecorded(t *testing.T, each int, pass func(op string) bool,
	visit func(op string, i int, f autograd.Func, inputs []*tensor.Tensor)) {
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
			replace[x] = c.structured(xs[i], i == 0, i == len(wrt)-1, kwargs)
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
			panic(tensor.Errorf(c.Op, "%v", err))
		}
		for _, y := range tensorsOf(out, nil)[constantFirst[c.Op]:] { // those that PyTorch took gradients of: the first ones
			if y.Dtype().IsDifferentiable() && len(results) < len(c.Cotangents) {
				results = append(results, y)
			}
		}
		return results
	}, inputs
}

// structured returns what the operator takes x for, the first or the last of the tensors that require grad.
func (c *opinfoCase) structured(x *tensor.Tensor, first, last bool, kwargs map[string]any) *tensor.Tensor {
	switch {
	case first && (hermitian[c.Op] || kwargs["hermitian"] == true):
		return x.Add(x.MH()).Mul(0.5)
	case triangular[c.Op] && last && kwargs["upper"] == true:
		return x.Triu()
	case triangular[c.Op] && last:
		return x.Tril()
	}
	return x
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
