package tensor_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	_ "gotorch"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// recordedTensor is a tensor as testdata/record_sparse.py writes it.
type recordedTensor struct {
	Layout, Dtype string
	Size          []int
	Data          []any
	Indices       [][]int64
	Crow, Col     []int64
	Ccol, Row     []int64
	Values        *recordedTensor
	Coalesced     bool
}

func (r *recordedTensor) tensor(t *testing.T) *tensor.Tensor {
	t.Helper()
	dt, ok := tensor.ParseDtype(r.Dtype)
	if !ok {
		t.Fatalf("dtype %q", r.Dtype)
	}
	switch r.Layout {
	case "strided":
		if dt == tensor.Int64 {
			data := make([]int64, len(r.Data))
			for i, v := range r.Data {
				if x := recordedNumber(v); x >= 1<<63 { // the greatest int64, as a float64
					data[i] = math.MaxInt64
				} else {
					data[i] = int64(x)
				}
			}
			return tensor.FromSlice(data).Reshape(r.Size...)
		}
		data := make([]complex128, len(r.Data))
		for i, v := range r.Data {
			if parts, ok := v.([]any); ok {
				data[i] = complex(recordedNumber(parts[0]), recordedNumber(parts[1]))
			} else {
				data[i] = complex(recordedNumber(v), 0)
			}
		}
		x := tensor.FromSlice(data).Reshape(r.Size...)
		if !dt.IsComplex() {
			x = x.Real()
		}
		return x.To(dt)
	case "sparse_csr":
		return tensor.SparseCsrTensor(tensor.FromSlice(r.Crow), tensor.FromSlice(r.Col), r.Values.tensor(t),
			opt.Size(r.Size))
	case "sparse_csc":
		return tensor.SparseCscTensor(tensor.FromSlice(r.Ccol), tensor.FromSlice(r.Row), r.Values.tensor(t),
			opt.Size(r.Size))
	}
	var all []int64
	for _, row := range r.Indices {
		all = append(all, row...)
	}
	x := tensor.SparseCooTensor(tensor.FromSlice(all, len(r.Indices), r.Values.Size[0]), r.Values.tensor(t),
		opt.Size(r.Size))
	if r.Coalesced {
		x = x.Coalesce()
	}
	return x
}

func recordedNumber(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
	case string:
		x, _ := strconv.ParseFloat(v, 64)
		return x
	}
	return 0
}

// recordedArg reads an argument: a tensor, a list of tensors or numbers, a number, a string.
func recordedArg(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	switch w := v.(type) {
	case map[string]any:
		var r recordedTensor
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		return r.tensor(t)
	case []any:
		var parts []json.RawMessage
		_ = json.Unmarshal(raw, &parts)
		var ints []int
		var tensors []*tensor.Tensor
		for _, p := range parts {
			switch e := recordedArg(t, p).(type) {
			case *tensor.Tensor:
				tensors = append(tensors, e)
			case int:
				ints = append(ints, e)
			}
		}
		if tensors != nil {
			return tensors
		}
		return ints
	case float64:
		if w == math.Trunc(w) {
			return int(w)
		}
	}
	return v
}

type recordedCase struct {
	Op      string
	Args    []json.RawMessage
	Kwargs  map[string]json.RawMessage
	Result  *recordedTensor
	Error   string
	Weights *recordedTensor
	Grads   []*recordedTensor
}

func readRecorded(t *testing.T, path string) (file struct {
	Cases []recordedCase
	Texts []struct {
		Tensor *recordedTensor
		Grad   bool
		Text   string
	}
}) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&file); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSparseRecorded: operators of sparse tensors answer what torch 1.13 answers, values, indices and layout, and are
// errors where it raises one.
func TestSparseRecorded(t *testing.T) {
	ops := map[string]int{}
	for i, c := range readRecorded(t, "testdata/sparse.json.gz").Cases {
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
			if c.Grads != nil {
				sameGrads(t, c, args, kwargs)
				return
			}
			out, err := tensor.Invoke(c.Op, args, kwargs)
			switch {
			case c.Error != "" && err == nil:
				t.Errorf("answers %v, torch says: %s", out[0], c.Error)
			case c.Error == "" && err != nil:
				t.Errorf("%v", err)
			case c.Error == "":
				got, want := out[0].(*tensor.Tensor), c.Result.tensor(t)
				if c.Op == "mul" || c.Op == "index_select" { // torch's order depends on which of its loops it takes
					got, want = inOrder(got), inOrder(want)
				}
				sameSparse(t, got, want)
			}
			if t.Failed() {
				t.Logf("arguments %v %v", args, kwargs)
			}
		})
	}
	if len(ops) < 35 {
		t.Errorf("only %d operators recorded: %v", len(ops), ops)
	}
}

func inOrder(x *tensor.Tensor) *tensor.Tensor {
	if x.IsSparse() {
		return x.Coalesce()
	}
	return x
}

func sameGrads(t *testing.T, c recordedCase, args []any, kwargs map[string]any) {
	var leaves []*tensor.Tensor
	for i := range args {
		if x, ok := args[i].(*tensor.Tensor); ok && c.Grads[i] != nil {
			leaves = append(leaves, x.RequiresGrad_())
		}
	}
	out, err := tensor.Invoke(c.Op, args, kwargs)
	if err != nil {
		t.Fatal(err)
	}
	out[0].(*tensor.Tensor).ToDense().Mul(c.Weights.tensor(t)).Sum().Backward()
	at := 0
	for i, g := range c.Grads {
		if g == nil {
			continue
		}
		x := leaves[at]
		at++
		if x.Grad() == nil || x.Grad().Layout() != x.Layout() {
			t.Fatalf("the gradient of argument %d, of layout %v, is %v", i, x.Layout(), x.Grad())
		}
		closeTo(t, x.Grad().ToDense(), g.tensor(t))
	}
}

// sameSparse compares all of two tensors, the order of indices included.
func sameSparse(t *testing.T, got, want *tensor.Tensor) {
	t.Helper()
	if got.Layout() != want.Layout() || got.Dtype() != want.Dtype() || !slices.Equal(got.Shape(), want.Shape()) {
		t.Errorf("got %v\nwant %v", got, want)
		return
	}
	if got.Layout() != tensor.Strided {
		// torch gives a product without values another number of sparse dimensions, and forgets that results are coalesced
		if got.Nnz()+want.Nnz() > 0 && !tensor.Pattern(got).Equal(tensor.Pattern(want)) {
			t.Errorf("other indices:\n got %v\nwant %v", got, want)
		}
		if got.IsSparse() && got.IsCoalesced() {
			again := tensor.SparseCooTensor(tensor.Pattern(got), got.Values(), opt.Size(got.Shape())).Coalesce()
			if !again.Indices().Equal(got.Indices()) {
				t.Errorf("said to be coalesced, but it is not: %v", got)
			}
		}
		got, want = got.ToDense(), want.ToDense()
	}
	closeTo(t, got, want)
}

func closeTo(t *testing.T, got, want *tensor.Tensor) {
	t.Helper()
	tol := 1e-12
	switch got.Dtype() {
	case tensor.Float32, tensor.Complex64:
		tol = 2e-6
	case tensor.Float16:
		tol = 1e-3
	case tensor.Bfloat16:
		tol = 8e-3
	}
	if got.Dtype() != want.Dtype() || !slices.Equal(got.Shape(), want.Shape()) || !got.To(tensor.Complex128).
		Allclose(want.To(tensor.Complex128), opt.Rtol(tol), opt.Atol(tol), opt.EqualNan(true)) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestSparseText: sparse tensors are written as torch writes them.
func TestSparseText(t *testing.T) {
	for _, c := range readRecorded(t, "testdata/sparse.json.gz").Texts {
		x := c.Tensor.tensor(t)
		if c.Grad {
			x.RequiresGrad_()
		}
		if got := x.String(); got != c.Text {
			t.Errorf("got\n%s\nwant\n%s", got, c.Text)
		}
	}
}
