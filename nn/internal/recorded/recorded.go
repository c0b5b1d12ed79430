// Package recorded reads what nn/testdata/record.py wrote: PyTorch's answers, for tests.
package recorded

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"testing"

	"gotorch/tensor"
)

// Tensor is a tensor in a file.
type Tensor struct {
	Shape []int  `json:"shape"`
	Dtype string `json:"dtype"`
	Data  string `json:"data"`
}

// Read decodes the compressed JSON file path into v.
func Read(t testing.TB, path string, v any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(v); err != nil {
		t.Fatal(err)
	}
}

// Tensor makes the tensor.
func (r *Tensor) Tensor(t testing.TB) *tensor.Tensor {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		t.Fatal(err)
	}
	shape := r.Shape
	var x *tensor.Tensor
	switch r.Dtype {
	case "f4":
		v := make([]float32, len(b)/4)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		x = tensor.FromSlice(v)
	case "f8":
		v := make([]float64, len(b)/8)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		x = tensor.FromSlice(v)
	case "i8":
		v := make([]int64, len(b)/8)
		for i := range v {
			v[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
		}
		x = tensor.FromSlice(v)
	case "b1":
		v := make([]bool, len(b))
		for i := range v {
			v[i] = b[i] != 0
		}
		x = tensor.FromSlice(v)
	default:
		t.Fatalf("dtype %q", r.Dtype)
	}
	return x.Reshape(shape...)
}

// Close fails the test unless got is want, with their shapes and dtypes, within tol relative to the larger of the
// value and the tensor's greatest.
func Close(t testing.TB, what string, got, want *tensor.Tensor, tol float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: no tensor", what)
		return
	}
	if d := Distance(got, want); !(d <= tol) {
		t.Errorf("%s: off by %.3g (tolerance %.3g)\n got %v\nwant %v", what, d, tol, got, want)
	}
}

// Distance is the greatest difference of two tensors' elements, relative to 1 or the greatest element; infinite where
// shape or dtype differ.
func Distance(got, want *tensor.Tensor) float64 {
	if len(got.Shape()) != len(want.Shape()) || got.Dtype() != want.Dtype() {
		return math.Inf(1)
	}
	for i, n := range got.Shape() {
		if n != want.Shape()[i] {
			return math.Inf(1)
		}
	}
	a, b := tensor.Data[float64](got.Detach().To(tensor.Float64)), tensor.Data[float64](want.To(tensor.Float64))
	scale, worst := 1.0, 0.0
	for _, v := range b {
		if !math.IsInf(v, 0) {
			scale = max(scale, math.Abs(v))
		}
	}
	for i := range a {
		switch {
		case a[i] == b[i] || math.IsNaN(a[i]) && math.IsNaN(b[i]):
		case math.IsNaN(a[i]) || math.IsNaN(b[i]):
			return math.Inf(1)
		default:
			worst = max(worst, math.Abs(a[i]-b[i])/scale)
		}
	}
	return worst
}
