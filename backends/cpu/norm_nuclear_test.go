package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// The nuclear norm against gonum's singular values, of high, wide and singular matrices.
func TestNuclearNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{1, 1}, {5, 5}, {7, 3}, {3, 8}, {20, 20}} {
		rows, cols := shape[0], shape[1]
		values := make([]float64, rows*cols)
		for i := range values {
			values[i] = r.NormFloat64()
		}
		if rows > 2 { // one row is twice another
			for j := range cols {
				values[2*cols+j] = 2 * values[j]
			}
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(rows, cols, values), mat.SVDNone) {
			t.Fatal("gonum found no decomposition")
		}
		want := 0.0
		for _, s := range svd.Values(nil) {
			want += s
		}
		x := tensor.New(values).View(rows, cols)
		if got := x.Norm(opt.P("nuc")).At().(float64); math.Abs(got-want) > 1e-11*want {
			t.Errorf("%v: %v, want %v", shape, got, want)
		}
		batch := tensor.Stack([]*tensor.Tensor{x, x.Mul(3)}, opt.Dim(1))
		got := batch.Norm(opt.P("nuc"), opt.Dim(2, 0))
		if g := got.At(1).(float64); got.Dim() != 1 || math.Abs(g-3*want) > 1e-11*3*want {
			t.Errorf("%v, over dimensions 2 and 0: %v, want %v", shape, g, 3*want)
		}
	}
	if err := tensor.Try(func() { tensor.New([]float64{1, 2}).Norm(opt.P("nuc")) }); err == nil {
		t.Error("the nuclear norm of a vector is no error")
	}
}
