package cpu_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// TestStorageCasts converts numbers from every dtype to each one for storage and back.
func TestStorageCasts(t *testing.T) {
	for _, d := range tensor.StorageDtypes() {
		for _, e := range append(tensor.Dtypes(), tensor.StorageDtypes()...) {
			x := tensor.New([]float64{0, 1, 2, 0, 1}).To(e)
			y := x.To(d)
			want := "[0 1 2 0 1]"
			if e == tensor.Bool {
				want = "[0 1 1 0 1]"
			}
			if got := fmt.Sprint(tensor.Data[float64](y.To(tensor.Float64))); y.Dtype() != d || got != want {
				t.Errorf("%s to %s: %s", e, d, got)
			}
			if z := y.To(e); !tensor.Equal(z, x) {
				t.Errorf("%s to %s and back: %v", e, d, z)
			}
		}
	}
}

// TestStorageValues: numbers at the ends, and those that do not fit.
func TestStorageValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x    *tensor.Tensor
		dt   tensor.Dtype
		want string
	}{
		{tensor.New([]int64{-1, 65536, 65535}), tensor.Uint16, "[65535 0 65535]"},
		{tensor.New([]int64{-1, 1 << 32, 1<<32 - 1}), tensor.Uint32, "[4294967295 0 4294967295]"},
		{tensor.New([]int64{-1, math.MaxInt64}), tensor.Uint64, "[18446744073709551615 9223372036854775807]"},
		{tensor.New([]float64{1.9, -1, 0x1p63}), tensor.Uint64, "[1 18446744073709551615 9223372036854775808]"},
		{tensor.New([]uint64{math.MaxUint64}), tensor.Float64, "[1.8446744073709552e+19]"},
		{tensor.New([]float64{0.3, 448, 464, 465, -1e9, inf}), tensor.Float8E4m3fn, "[0.3125 448 448 NaN NaN NaN]"},
		{tensor.New([]float64{0.3, 57344, 61439, 61440, -inf, nan}), tensor.Float8E5m2,
			"[0.3125 57344 57344 +Inf -Inf NaN]"},
		{tensor.New([]complex128{complex(1.5, -65520), complex(inf, 2)}), tensor.Complex32, "[(1.5-Infi) (+Inf+2i)]"},
	} {
		if got := fmt.Sprint(c.x.To(c.dt).Tolist()); got != c.want {
			t.Errorf("%v to %s: %s, want %s", c.x, c.dt, got, c.want)
		}
	}
	for i, f := range []func(){
		func() { tensor.New(-1, tensor.Uint16) }, func() { tensor.New(65536, tensor.Uint16) },
		func() { tensor.With(tensor.Uint32).Zeros(1).Set(1<<32, 0) },
		func() { tensor.With(tensor.Uint64).Zeros(1).Set(-1, 0) },
		func() { tensor.With(tensor.Float8E4m3fn).Zeros(1).Set(500, 0) },
		func() { tensor.With(tensor.Uint16).Zeros(1).Fill_(70000) },
		func() { tensor.New(uint64(math.MaxUint64)) },
	} {
		if tensor.Try(f) == nil {
			t.Errorf("%d: no error", i)
		}
	}
	if v := tensor.New([]uint64{math.MaxUint64}).At(0); v != uint64(math.MaxUint64) {
		t.Errorf("At is %v of %[1]T", v)
	}
}

// TestStorageMoves: views, indices, copies and joins look at no element's value.
func TestStorageMoves(t *testing.T) {
	for _, d := range tensor.StorageDtypes() {
		base := tensor.Arange(24).View(2, 3, 4)
		x := base.To(d)
		index := tensor.New([]int{2, 0})
		for name, f := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
			"transpose":     func(x *tensor.Tensor) *tensor.Tensor { return x.Transpose(0, 2).Contiguous() },
			"slice":         func(x *tensor.Tensor) *tensor.Tensor { return x.Narrow(2, 1, 2).Clone() },
			"flip":          func(x *tensor.Tensor) *tensor.Tensor { return x.Flip(0, 2) },
			"roll":          func(x *tensor.Tensor) *tensor.Tensor { return x.Roll(1, 2) },
			"repeat":        func(x *tensor.Tensor) *tensor.Tensor { return x.Repeat(2, 1, 1) },
			"cat":           func(x *tensor.Tensor) *tensor.Tensor { return tensor.Cat([]*tensor.Tensor{x, x}) },
			"stack":         func(x *tensor.Tensor) *tensor.Tensor { return tensor.Stack([]*tensor.Tensor{x, x}) },
			"index":         func(x *tensor.Tensor) *tensor.Tensor { return x.Index(tensor.Colon, index) },
			"mask":          func(x *tensor.Tensor) *tensor.Tensor { return x.Index(base.Gt(11)) },
			"index_select":  func(x *tensor.Tensor) *tensor.Tensor { return x.IndexSelect(1, index) },
			"masked_select": func(x *tensor.Tensor) *tensor.Tensor { return x.MaskedSelect(base.Lt(5)) },
			"gather":        func(x *tensor.Tensor) *tensor.Tensor { return x.Gather(1, base.Narrow(1, 0, 1).Mul(0)) },
			"take":          func(x *tensor.Tensor) *tensor.Tensor { return x.Take(index) },
			"where":         func(x *tensor.Tensor) *tensor.Tensor { return tensor.Where(base.Gt(4), x, tensor.ZerosLike(x)) },
			"masked_fill":   func(x *tensor.Tensor) *tensor.Tensor { return x.MaskedFill(base.Gt(4), 1) },
			"set":           func(x *tensor.Tensor) *tensor.Tensor { return x.Clone().Set(2, 1, 1, 1) },
			"fill":          func(x *tensor.Tensor) *tensor.Tensor { return x.Clone().Fill_(3) },
		} {
			var got *tensor.Tensor
			if err := tensor.Try(func() { got = f(x) }); err != nil {
				t.Errorf("%s of %s: %v", name, d, err)
				continue
			}
			if want := f(base).To(d); got.Dtype() != d || !tensor.Equal(got, want) {
				t.Errorf("%s of %s: %v, want %v", name, d, got, want)
			}
		}
		if s := fmt.Sprint(x.Narrow(0, 0, 1).Narrow(1, 0, 1)); !strings.Contains(s, "dtype=torch."+d.String()) ||
			!strings.Contains(s, "1") {
			t.Errorf("printed %s", s)
		}
		if dt, ok := tensor.ParseDtype(d.String()); !ok || dt != d {
			t.Errorf("%s is parsed as %s", d, dt)
		}
	}
}

// TestStorageErrors calls every operator of one or two tensors: it answers, or an error names the dtype.
func TestStorageErrors(t *testing.T) {
	computed := map[tensor.Dtype]int{}
	for _, d := range tensor.StorageDtypes() {
		x := tensor.With(d).Ones(2, 2)
		for _, sig := range opdef.Signatures() {
			o := tensor.Lookup(sig.FullName())
			args := []any{x}
			if o == nil || len(o.Params) == 0 {
				continue
			}
			for _, p := range o.Params[1:] {
				if p.HasDef || p.KwOnly {
					break
				}
				switch {
				case p.Is("Tensor"):
					args = append(args, x)
				case p.Is("int"), p.IsList("int"):
					args = append(args, 1)
				case p.Is("Scalar"), p.Is("float"):
					args = append(args, 1.0)
				default:
					args = nil
				}
				if args == nil {
					break
				}
			}
			if args == nil || !o.Params[0].Is("Tensor") || strings.HasPrefix(o.Name, "_") {
				continue
			}
			if _, err := tensor.Invoke(o.Full, args, nil); err == nil {
				computed[d]++
			}
		}
	}
	t.Log(computed)
	for d, hint := range map[tensor.Dtype]string{tensor.Uint16: "x.Long()", tensor.Float8E4m3fn: "x.Float()",
		tensor.Complex32: "x.Cfloat()"} {
		err := tensor.Try(func() { tensor.With(d).Ones(2, 2).Sum() })
		if err == nil || !strings.Contains(err.Error(), d.String()) || !strings.Contains(err.Error(), hint) {
			t.Errorf("sum of %s: %v", d, err)
		}
	}
	if tensor.Try(func() { tensor.With(tensor.Float8E5m2).Ones(2).Exp() }) == nil {
		t.Error("exp computed in float8")
	}
}

// TestStoragePromotion follows PyTorch 2.
func TestStoragePromotion(t *testing.T) {
	u, f, z := tensor.Uint16, tensor.Float8E4m3fn, tensor.Complex32
	for _, c := range []struct{ a, b, want tensor.Dtype }{
		{u, u, u}, {u, tensor.Float16, tensor.Float16}, {tensor.Uint64, tensor.Float32, tensor.Float32},
		{u, tensor.Int64, 0}, {u, tensor.Uint32, 0}, {u, tensor.Bool, 0}, {u, tensor.Complex64, 0},
		{f, f, f}, {f, tensor.Float32, 0}, {f, tensor.Float8E5m2, 0}, {f, tensor.Bool, 0},
		{z, tensor.Float16, z}, {z, tensor.Int64, z}, {z, tensor.Float32, tensor.Complex64},
		{z, tensor.Bfloat16, tensor.Complex64}, {z, tensor.Float64, tensor.Complex128},
		{z, tensor.Complex64, tensor.Complex64},
	} {
		for _, p := range [][2]tensor.Dtype{{c.a, c.b}, {c.b, c.a}} {
			got := tensor.NoDtype
			err := tensor.Try(func() { got = tensor.PromoteTypes(p[0], p[1]) })
			if got != c.want || (err == nil) != (c.want != 0) {
				t.Errorf("%s with %s: %s, %v, want %s", p[0], p[1], got, err, c.want)
			}
		}
	}
	x := tensor.New([]uint16{65535, 2})
	for got, want := range map[*tensor.Tensor]string{
		x.Add(1): "uint16 [0 3]", x.Mul(x): "uint16 [1 4]", x.Sub(x): "uint16 [0 0]", x.Gt(2): "bool [true false]",
		x.Eq(2): "bool [false true]", x.BitwiseAnd(7): "uint16 [7 2]", x.Add(0.5): "float32 [65535.5 2.5]",
		tensor.New([]float64{0.3, 1}).To(f).Eq(0.3): "bool [true false]",
	} {
		if s := fmt.Sprint(got.Dtype(), " ", got.Tolist()); s != want {
			t.Errorf("got %s, want %s", s, want)
		}
	}
}

// TestStorageNpy saves what NumPy has.
func TestStorageNpy(t *testing.T) {
	var failed []tensor.Dtype
	for _, d := range tensor.StorageDtypes() {
		x := tensor.Arange(6).To(d).View(2, 3)
		var b bytes.Buffer
		if tensor.Try(func() { tensor.WriteNpy(&b, x) }) != nil {
			failed = append(failed, d)
			continue
		}
		if y := tensor.ReadNpy(&b); y.Dtype() != d || !tensor.Equal(x, y) {
			t.Errorf("%s: %v", d, y)
		}
	}
	if !slices.Equal(failed, []tensor.Dtype{tensor.Complex32, tensor.Float8E4m3fn, tensor.Float8E5m2}) {
		t.Errorf("not saved: %v", failed)
	}
}
