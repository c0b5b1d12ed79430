package tensor_test

import (
	"fmt"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestSparseOpInfo: operators that PyTorch tests with sparse arguments answer what torch 1.13 answers to the samples
// that its tests use, in every dtype.
func TestSparseOpInfo(t *testing.T) {
	ops := map[string]int{}
	for i, c := range readRecorded(t, "testdata/sparse_opinfo.json.gz").Cases {
		ops[c.Op]++
		t.Run(fmt.Sprintf("%s_%d", c.Op, i), func(t *testing.T) {
			var args []any
			for _, a := range c.Args {
				args = append(args, recordedArg(t, a))
			}
			kwargs := map[string]any{}
			for k, a := range c.Kwargs {
				kwargs[k] = recordedArg(t, a)
			}
			out, err := tensor.Invoke(c.Op, args, kwargs)
			if err != nil {
				t.Fatalf("%v\narguments %v %v", err, args, kwargs)
			}
			sameSparse(t, out[0].(*tensor.Tensor), c.Result.tensor(t))
			if t.Failed() {
				t.Logf("arguments %v %v", args, kwargs)
			}
		})
	}
	if len(ops) < 36 {
		t.Errorf("only %d operators recorded: %v", len(ops), ops)
	}
}

// TestMaskedSparseGradients compares the gradients of masked reductions of sparse tensors with differences.
func TestMaskedSparseGradients(t *testing.T) {
	at := tensor.New([][]int{{0, 0, 1, 2}, {0, 2, 1, 2}})
	mask := tensor.New([][]int{{1, 1, 0}, {0, 1, 1}, {0, 0, 0}}).To(tensor.Bool)
	values := tensor.New([]float64{1.5, -2, 0.5, 3})
	for _, reduce := range []string{"sum", "prod", "amax", "amin", "mean"} {
		for _, dims := range [][]int{nil, {0}, {1}} {
			if err := autograd.Gradcheck(func(v []*tensor.Tensor) []*tensor.Tensor {
				x := tensor.SparseCooTensor(at, v[0], opt.Size([]int{3, 3}))
				out, err := tensor.Invoke("masked."+reduce, []any{x, dims}, map[string]any{"mask": mask})
				if err != nil {
					t.Fatal(err)
				}
				return []*tensor.Tensor{out[0].(*tensor.Tensor).ToDense()}
			}, []*tensor.Tensor{values.Clone().RequiresGrad_()}); err != nil {
				t.Errorf("masked.%s along %v: %v", reduce, dims, err)
			}
		}
	}
}

// TestSparseMasks: a sparse mask of a strided tensor is as its strided form.
func TestSparseMasks(t *testing.T) {
	x := tensor.New([][]float64{{1, 2, 3}, {4, 5, 6}})
	mask := tensor.New([][]int{{1, 0, 1}, {0, 0, 1}}).To(tensor.Bool)
	for _, m := range []*tensor.Tensor{mask.ToSparse(), mask.ToSparseCsr()} {
		closeTo(t, tensor.MaskedProd(x, opt.Dim(1), opt.Mask(m)), tensor.MaskedProd(x, opt.Dim(1), opt.Mask(mask)))
		closeTo(t, tensor.MaskedSoftmax(x, 1, opt.Mask(m)), tensor.MaskedSoftmax(x, 1, opt.Mask(mask)))
	}
}
