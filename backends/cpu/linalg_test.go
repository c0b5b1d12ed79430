package cpu

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// layouts returns x in other strides: transposed memory, a slice of more, reversed, and repeated over a batch.
func layouts(x *tensor.Tensor) map[string]*tensor.Tensor {
	wide := tensor.Cat([]*tensor.Tensor{x, x}, opt.Dim(-1))
	return map[string]*tensor.Tensor{
		"contiguous": x,
		"transposed": x.MT().Contiguous().MT(),
		"slice":      wide.Narrow(-1, 0, x.Size(-1)),
		"reversed":   x.Flip(-2).Contiguous().Slice(opt.Dim(-2)).Flip(-2),
		"repeated":   x.Unsqueeze(0).Expand(append([]int{3}, x.Sizes()...)...),
		"batch":      tensor.Stack([]*tensor.Tensor{x, x.Mul(2), x.Add(x.MT().MT())}),
		"one of two": tensor.Stack([]*tensor.Tensor{x, x}, opt.Dim(-1)).Select(-1, 1),
	}
}

// close fails where x and y are apart by more than tol, relative to the greatest element.
func closeTo(t *testing.T, what string, x, y *tensor.Tensor, tol float64) {
	t.Helper()
	if fmt.Sprint(x.Shape()) != fmt.Sprint(y.Shape()) || x.Dtype() != y.Dtype() {
		t.Errorf("%s: %s %v, want %s %v", what, x.Dtype(), x.Shape(), y.Dtype(), y.Shape())
		return
	}
	if x.Numel() == 0 {
		return
	}
	size := max(1, y.Abs().Amax().Double().Item())
	if d := x.Sub(y).Abs().Amax().Double().Item(); !(d <= tol*size) {
		t.Errorf("%s: %g apart, of %g", what, d, size)
	}
}

// kinds are matrices that decompositions must rebuild, by name.
func kinds(dt tensor.Dtype, m, n int) map[string]*tensor.Tensor {
	tensor.ManualSeed(m*100 + n)
	random := tensor.With(dt).Randn(m, n)
	out := map[string]*tensor.Tensor{"random": random, "zero": tensor.ZerosLike(random)}
	if k := min(m, n); k > 1 {
		out["rank 1"] = random.Narrow(-1, 0, 1).Matmul(random.Narrow(-2, 0, 1))
		scale := tensor.With(dt.ToReal()).Logspace(0, -10, n)
		out["ill-conditioned"] = random.Mul(scale)
	}
	return out
}

var linalgDtypes = []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Complex64, tensor.Complex128}

func tolerance(dt tensor.Dtype) float64 {
	if dt.ToReal() == tensor.Float32 {
		return 1e-5
	}
	return 1e-12
}

// TestDecompositions rebuilds matrices of all kinds, dtypes and layouts from their factors.
func TestDecompositions(t *testing.T) {
	for _, dt := range linalgDtypes {
		tol := tolerance(dt)
		for _, shape := range [][2]int{{4, 4}, {6, 3}, {3, 6}, {1, 1}, {0, 3}, {3, 0}, {0, 0}, {50, 50}} {
			m, n := shape[0], shape[1]
			for kind, base := range kinds(dt, m, n) {
				if m == 50 && kind != "random" && testing.Short() {
					continue
				}
				for layout, a := range layouts(base) {
					what := fmt.Sprintf("%s %dx%d, %s, %s: ", dt, m, n, kind, layout)
					p, l, u := tensor.LinalgLu(a)
					closeTo(t, what+"P L U", p.Matmul(l).Matmul(u), a, tol)
					lu, pivots := tensor.LinalgLuFactor(a.Add(eyesOf(a).Mul(9)))
					p, l, u = tensor.LuUnpack(lu, pivots)
					closeTo(t, what+"unpacked P L U", p.Matmul(l).Matmul(u), a.Add(eyesOf(a).Mul(9)), tol)
					for _, mode := range []string{"reduced", "complete"} {
						q, r := tensor.LinalgQr(a, opt.Mode(mode))
						closeTo(t, what+"Q R, "+mode, q.Matmul(r), a, tol)
						closeTo(t, what+"Qᴴ Q, "+mode, q.MH().Matmul(q), eyes(q), tol)
					}
					for _, full := range []bool{false, true} {
						u, s, vh := tensor.LinalgSvd(a, opt.FullMatrices(full))
						k := s.Size(-1)
						us := u.Narrow(-1, 0, k).Mul(s.Unsqueeze(-2))
						closeTo(t, what+"U S Vᴴ", us.Matmul(vh.Narrow(-2, 0, k)), a, tol)
						closeTo(t, what+"Uᴴ U", u.MH().Matmul(u), eyes(u), tol)
						closeTo(t, what+"V Vᴴ", vh.Matmul(vh.MH()), eyes(vh.MH()), tol)
					}
					y := tensor.LinalgPinv(a)
					if kind == "random" {
						closeTo(t, what+"A A⁺ A", a.Matmul(y).Matmul(a), a, 10*tol)
					}
					if m != n {
						continue
					}
					h := a.Add(a.MH())
					for _, uplo := range []string{"L", "U"} {
						w, v := tensor.LinalgEigh(h, opt.UPLO(uplo))
						closeTo(t, what+"V W Vᴴ", v.Mul(w.Unsqueeze(-2)).Matmul(v.MH()), h, tol)
					}
					positive := a.Matmul(a.MH()).Add(eyes(a))
					c := tensor.LinalgCholesky(positive)
					closeTo(t, what+"L Lᴴ", c.Matmul(c.MH()), positive, tol)
					values, vectors := tensor.LinalgEig(a)
					closeTo(t, what+"A V = V W", a.To(values.Dtype()).Matmul(vectors), vectors.Mul(values.Unsqueeze(-2)), 10*tol)
					closeTo(t, what+"trace", values.Sum(opt.Dim(-1)), a.To(values.Dtype()).Diagonal(opt.Dim1(-2),
						opt.Dim2(-1)).Sum(opt.Dim(-1)), 100*tol)
					for _, hermitian := range []bool{true, false} {
						m := positive
						if !hermitian {
							m = a.Matmul(a.MT()).Add(eyes(a).Mul(100))
						}
						ld, pivots := tensor.LinalgLdlFactor(m, opt.Hermitian(hermitian))
						z := tensor.LinalgLdlSolve(ld, pivots, a, opt.Hermitian(hermitian))
						closeTo(t, what+"L D Lᴴ X", m.Matmul(z), a, 100*tol)
					}
					x := tensor.LinalgSolve(positive, a)
					closeTo(t, what+"A X", positive.Matmul(x), a, 100*tol)
					closeTo(t, what+"inverse", tensor.LinalgInv(positive).Matmul(positive), eyes(a), 1e4*tol)
				}
			}
		}
	}
}

// eyesOf is the identity in the shape of x.
func eyesOf(x *tensor.Tensor) *tensor.Tensor {
	return tensor.With(x.Dtype()).Eye(x.Size(-2), opt.M(x.Size(-1)))
}

// eyes is the identity of as many columns as the matrices of x have, for each of them.
func eyes(x *tensor.Tensor) *tensor.Tensor {
	n := x.Size(-1)
	shape := append(append([]int{}, x.Sizes()[:x.Dim()-2]...), n, n)
	return tensor.With(x.Dtype()).Eye(n).Expand(shape...)
}

// TestLinalgErrors: what cannot be computed says why, in PyTorch's details.
func TestLinalgErrors(t *testing.T) {
	ones := tensor.With().Ones(3, 3)
	wide := tensor.With().Ones(2, 3)
	ints := tensor.New([]int64{1, 2, 3, 4}).View(2, 2)
	nan := tensor.With().Full([]int{2, 2}, 0).Div(0)
	batch := tensor.Stack([]*tensor.Tensor{tensor.With().Eye(3), ones})
	for _, test := range []struct {
		f    func()
		says string
	}{
		{func() { tensor.LinalgInv(ones) }, "linalg.inv: the diagonal element 2 is zero"},
		{func() { tensor.LinalgInv(batch) }, "linalg.inv: (batch element 1) the diagonal element 2 is zero"},
		{func() { ones.Inverse() }, "inverse: the diagonal element 2 is zero"},
		{func() { tensor.LinalgInvEx(ones, opt.CheckErrors(true)) }, "linalg.inv_ex: the diagonal element 2"},
		{func() { tensor.LinalgInv(wide) }, "2 by 3"},
		{func() { tensor.LinalgInv(ones.Select(0, 0)) }, "at least 2 dimensions, but it has 1: shape [3]"},
		{func() { tensor.LinalgDet(ints) }, "linalg.det: expected a floating point or complex tensor as A, got int64"},
		{func() { tensor.LinalgDet(ones.Half()) }, "low precision"},
		{func() { tensor.LinalgSolve(ones, ones) }, "linalg.solve: the solver failed because the input matrix is singular"},
		{func() { tensor.LinalgSolve(ones, wide) }, "B must have 3 rows, not 2"},
		{func() { tensor.LinalgSolve(ones, wide.Double()) }, "must have the same dtype, but got float32 and float64"},
		{func() { tensor.LinalgCholesky(ones.Neg()) }, "the leading minor of order 1 is not positive-definite"},
		{func() { tensor.LinalgCholesky(ones) }, "the leading minor of order 2 is not positive-definite"},
		{func() { tensor.LinalgLuFactor(ones) }, "U[2,2] is zero"},
		{func() { tensor.LinalgLuFactor(ones, opt.Pivot(false)) }, "LU without pivoting is not implemented on the CPU"},
		{func() { tensor.LinalgSvd(nan) }, "non-finite"},
		{func() { tensor.LinalgEigh(nan) }, "non-finite"},
		{func() { tensor.LinalgEigh(ones, opt.UPLO("X")) }, `UPLO must be "L" or "U", not "X"`},
		{func() { tensor.LinalgQr(ones, opt.Mode("x")) }, `mode must be "reduced", "complete" or "r", not "x"`},
		{func() { tensor.LinalgSvd(ones, opt.Driver("gesvd")) }, "libraries of CUDA"},
		{func() { tensor.LinalgMatrixNorm(ones, opt.Ord(3)) }, "not 3"},
		{func() { tensor.LinalgMatrixNorm(ones, opt.Dim(0, 0)) }, "must be different"},
		{func() { tensor.LinalgNorm(tensor.Stack([]*tensor.Tensor{ones, ones}), opt.Ord(1)) }, "1 or 2 dimensions, not 3"},
		{func() { tensor.LinalgHouseholderProduct(wide, wide.Select(0, 0)) }, "at least as many rows as columns"},
		{func() { tensor.LuUnpack(ones, tensor.New([]int32{4, 5, 6})) }, "pivots must be"},
		{func() { tensor.LuUnpack(ones, tensor.New([]int64{1, 2, 3})) }, "must be int32"},
	} {
		err := tensor.Try(test.f)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
}
