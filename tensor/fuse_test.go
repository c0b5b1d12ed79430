package tensor_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestFuseIsExact fuses random chains over operands of random shapes, strides and dtypes, and compares with the plain
// calls bit by bit.
func TestFuseIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	dtypes := []tensor.Dtype{tensor.Float32, tensor.Float32, tensor.Float64, tensor.Float16, tensor.Bfloat16,
		tensor.Int64, tensor.Uint8, tensor.Bool, tensor.Complex64}
	fused := 0
	for trial := range 120 {
		shape := [][]int{{9000}, {100, 100}, {3, 5000}, {30, 20, 17}, {2, 3, 4, 600}}[r.IntN(5)]
		var args [2]*tensor.Tensor
		for i := range args {
			args[i] = fuseOperand(r, shape, dtypes[r.IntN(len(dtypes))], i == 0)
		}
		outside := fuseOperand(r, shape, dtypes[r.IntN(len(dtypes))], false)
		seed := r.Uint64()
		f := func(a, b *tensor.Tensor) *tensor.Tensor { return randomChain(seed, a, b, outside) }
		var want *tensor.Tensor
		err := tensor.Try(func() { want = f(args[0], args[1]) })
		var got *tensor.Tensor
		calls := 0
		tensor.SetHooks(func(h *tensor.Hooks) {
			h.Storage = func(_, _ *tensor.Storage, op string) {
				if op == "_fused" {
					calls++
				}
			}
		})
		fusedErr := tensor.Try(func() { got = tensor.Fuse(f)(args[0], args[1]) })
		tensor.SetHooks(func(h *tensor.Hooks) { h.Storage = nil })
		if calls > 0 {
			fused++
		}
		if fmt.Sprint(err) != fmt.Sprint(fusedErr) {
			t.Fatalf("trial %d: fused %v, plain %v", trial, fusedErr, err)
		}
		if err != nil {
			continue
		}
		if got.Dtype() != want.Dtype() || !slices.Equal(got.Shape(), want.Shape()) ||
			!slices.Equal(got.Stride(), want.Stride()) {
			t.Fatalf("trial %d: fused %s %v %v, plain %s %v %v", trial, got.Dtype(), got.Shape(), got.Stride(), want.Dtype(),
				want.Shape(), want.Stride())
		}
		if !bytes.Equal(raw(got), raw(want)) {
			t.Fatalf("trial %d: operands %d %d, shape %v: the values differ", trial, args[0], args[1], shape)
		}
	}
	if fused < 50 {
		t.Errorf("only %d of 120 chains were fused", fused)
	}
}

func raw(x *tensor.Tensor) []byte {
	return tensor.Data[uint8](x.Contiguous().View(-1).ViewDtype(tensor.Uint8))
}

// fuseOperand broadcasts to shape; some are transposed, strided or of no dimensions, and some elements are special.
func fuseOperand(r *rand.Rand, shape []int, dt tensor.Dtype, whole bool) *tensor.Tensor {
	own := slices.Clone(shape)
	if !whole {
		switch r.IntN(4) {
		case 0:
			own = own[r.IntN(len(own)+1):]
		case 1:
			own[r.IntN(len(own))] = 1
		}
	}
	n := 1
	for _, s := range own {
		n *= s
	}
	xs := make([]float32, 2*n)
	for i := range xs {
		switch xs[i] = float32(r.NormFloat64() * 3); r.IntN(40) {
		case 0:
			xs[i] = float32(math.NaN())
		case 1:
			xs[i] = float32(math.Inf(1 - 2*r.IntN(2)))
		case 2:
			xs[i] = float32(math.Copysign(0, -1))
		}
		if !dt.IsFloatingPoint() && !dt.IsComplex() {
			xs[i] = float32(r.IntN(5))
		}
	}
	if len(own) == 0 {
		return tensor.FromSlice(xs[:1], own...).Squeeze().To(dt)
	}
	switch x := tensor.FromSlice(xs, 2*own[0], n/own[0]); r.IntN(3) {
	case 0: // every other row
		return x.To(dt).View(append([]int{own[0], 2}, own[1:]...)...).Select(1, 0)
	case 1:
		slices.Reverse(own)
		dims := make([]int, len(own))
		for i := range dims {
			dims[i] = len(own) - 1 - i
		}
		return tensor.FromSlice(xs[:n], own...).To(dt).Permute(dims...)
	default:
		return tensor.FromSlice(xs[:n], own...).To(dt)
	}
}

// randomChain calls pointwise operators, in-place forms among them.
func randomChain(seed uint64, a, b, outside *tensor.Tensor) *tensor.Tensor {
	r := rand.New(rand.NewPCG(seed, 1))
	vals := []*tensor.Tensor{a, b, outside}
	pick := func() *tensor.Tensor { return vals[max(0, len(vals)-1-r.IntN(4))] }
	for range 2 + r.IntN(8) {
		x, y := pick(), pick()
		var z *tensor.Tensor
		switch r.IntN(12) {
		case 0:
			z = x.Add(y, opt.Alpha(2))
		case 1:
			z = x.Mul(y)
		case 2:
			z = x.Sub(1.5)
		case 3:
			z = x.Tanh()
		case 4:
			z = x.Abs().Exp()
		case 5:
			z = tensor.Where(x.Eq(y), x, y)
		case 6:
			z = x.Div(y)
		case 7:
			z = x.Maximum(y)
		case 8:
			z = x.Clamp(opt.Min(-1), opt.Max(2))
		case 9:
			z = x.Sigmoid()
		case 10:
			z = x.Mul(2).Add_(1)
		case 11:
			z = x.Neg().Mul_(y)
		}
		vals = append(vals, z)
	}
	return vals[len(vals)-1].Add(a)
}

// TestFuseRunsPlain calls what cannot be fused: the function runs as it is.
func TestFuseRunsPlain(t *testing.T) {
	x := tensor.Randn(100, 100)
	for name, f := range map[string]func(a *tensor.Tensor) *tensor.Tensor{
		"reduction": func(a *tensor.Tensor) *tensor.Tensor { return a.Mul(2).Sub(a.Mean()).Exp() },
		"view":      func(a *tensor.Tensor) *tensor.Tensor { return a.Mul(2).T().Add(a) },
		"value": func(a *tensor.Tensor) *tensor.Tensor {
			if a.Index(0, 0).Item() > 0 {
				return a.Mul(2).Exp()
			}
			return a.Mul(3).Exp()
		},
		"identity": func(a *tensor.Tensor) *tensor.Tensor { return a },
	} {
		if got, want := tensor.Fuse(f)(x), f(x); !bytes.Equal(raw(got), raw(want)) {
			t.Errorf("%s: the values differ", name)
		}
	}
	y := x.Clone()
	tensor.Fuse(func(a *tensor.Tensor) *tensor.Tensor { return a.Add_(1).Mul(2) })(y)
	if !bytes.Equal(raw(y), raw(x.Add(1))) {
		t.Error("an argument was not written to once")
	}
	scale := 2.0
	f := tensor.Fuse(func(a *tensor.Tensor) *tensor.Tensor { return a.Mul(scale).Exp() })
	f(x)
	scale = 3
	if !bytes.Equal(raw(f(x)), raw(x.Mul(3).Exp())) {
		t.Error("a variable that changed was not read again")
	}
	var e1, e2 error
	bad := func(a *tensor.Tensor) *tensor.Tensor { return a.Mul(2).Add(tensor.Ones(7)) }
	e1, e2 = tensor.Try(func() { bad(x) }), tensor.Try(func() { tensor.Fuse(bad)(x) })
	if e1 == nil || fmt.Sprint(e1) != fmt.Sprint(e2) {
		t.Errorf("the error is %v, plain %v", e2, e1)
	}
}
