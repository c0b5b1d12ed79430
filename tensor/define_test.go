package tensor_test

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// clip is a kernel that is written once for all dtypes.
func clip[T float32 | float64 | int64](c *tensor.Call) {
	lo := T(c.Float(1))
	tensor.Pointwise1(c, func(x T) T { return max(x, lo) })
}

func defineClip(t *testing.T) *tensor.Op {
	t.Helper()
	o := tensor.Define("my::clip(Tensor self, float lo=0) -> Tensor", tensor.Definition{
		Doc:       "Clip returns self, or lo where that is greater.",
		Pointwise: true,
		Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
			c.SwitchDtype(c.Plan().Dtype, tensor.ByDtype{
				tensor.Float32: clip[float32], tensor.Float64: clip[float64], tensor.Int64: clip[int64],
			})
		}},
		Formula: autograd.Formula{Save: autograd.Arg0, VJP: func(c *autograd.Ctx) autograd.Grads {
			return autograd.Grads{c.Grad.Mul(c.Tensor(0).Gt(c.Float(1)))}
		}},
	})
	t.Cleanup(o.Remove)
	return o
}

func TestDefine(t *testing.T) {
	o := defineClip(t)
	x := tensor.New([]float64{-1, 0.5, 2})
	if got := o.Call(x).String(); got != "tensor([0.0000, 0.5000, 2.0000], dtype=torch.float64)" {
		t.Error(got)
	}
	if got := o.Call(x, tensor.NewOption("lo", 1)).String(); got != "tensor([1., 1., 2.], dtype=torch.float64)" {
		t.Error(got)
	}
	r, err := tensor.Invoke("my::clip", []any{x}, map[string]any{"lo": 1})
	if err != nil || r[0].(*tensor.Tensor).Sum().Item() != 4 {
		t.Error(r, err)
	}
	z := tensor.New([][]float32{{-1, 2, -3}, {4, -5, 6}})
	if got := o.Call(z.T()).String(); got != "tensor([[0., 4.],\n        [2., 0.],\n        [0., 6.]])" {
		t.Error(got)
	}
	if m := o.Call(tensor.With(tensor.Meta).Zeros(2, 3)); m.Device() != tensor.Meta || m.Size(1) != 3 {
		t.Error(m)
	}
	f := func(xs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{o.Call(xs[0], 0.3)} }
	if err := autograd.Gradcheck(f, []*tensor.Tensor{x.Clone().RequiresGrad_()}); err != nil {
		t.Error(err)
	}
	y := o.Call(x.Clone().RequiresGrad_())
	if y.GradFn() == nil || y.GradFn().Name() != "MyClipBackward0" {
		t.Error(y.GradFn())
	}
	v := autograd.Vmap(func(x *tensor.Tensor) *tensor.Tensor { return o.Call(x, 1) })(z)
	if !tensor.Equal(v, o.Call(z, 1)) {
		t.Error(v)
	}
	if tensor.Lookup("my.clip") != o || !o.IsDefined() || o.GoName() != "my.Clip" {
		t.Error("it is not found")
	}
	again := defineClip(t)
	o.Remove() // an old definition does not take the new one away
	if tensor.Operator("my::clip") != again {
		t.Error("the new definition is not there")
	}
	again.Remove()
	if tensor.Lookup("my::clip") != nil {
		t.Error("it is still there")
	}
}

// TestDefineKinds: a shape function, several results, a body, a write, a rule for vmap.
func TestDefineKinds(t *testing.T) {
	outer := tensor.Define("my::outer_sum(Tensor a, Tensor b) -> Tensor", tensor.Definition{
		Shape: func(c *tensor.Call) {
			c.CheckDim(0, 1)
			c.CheckDim(1, 1)
			c.New([]int{c.Tensor(0).Size(0), c.Tensor(1).Size(0)}, tensor.Float32)
		},
		Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
			a, b := tensor.Access1[float32](c.Tensor(0)), tensor.Access1[float32](c.Tensor(1))
			y := tensor.Access2[float32](c.Ret(0))
			tensor.ParallelFor(y.Size(0), 64, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					for j := range y.Size(1) {
						y.Set(a.At(i)+b.At(j), i, j)
					}
				}
			})
		}},
		Vmap: func(c *tensor.Call, xs []*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{xs[0].Unsqueeze(2).Add(xs[1].Unsqueeze(1))}
		},
	})
	both := tensor.Define("my::both(Tensor self) -> (Tensor sum, Tensor max)", tensor.Definition{
		Body: func(c *tensor.Call) { c.Return(c.Tensor(0).Sum(), c.Tensor(0).Max()) },
	})
	bump := tensor.Define("my::bump(Tensor(a!) self, *, Scalar by=1) -> Tensor(a!)", tensor.Definition{
		Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
			by, _ := c.Scalar(1)
			x := tensor.Access1[float32](c.Tensor(0))
			for i := range x.Size(0) {
				x.Set(x.At(i)+float32(by.Float()), i)
			}
		}},
	})
	for _, o := range []*tensor.Op{outer, both, bump} {
		t.Cleanup(o.Remove)
	}
	a, b := tensor.New([]float32{1, 2}), tensor.New([]float32{10, 20, 30})
	want := a.Unsqueeze(1).Add(b)
	if y := outer.Call(a, b); !tensor.Equal(y, want) {
		t.Error(y)
	}
	batch := tensor.Stack([]*tensor.Tensor{a, a.Mul(2)})
	v := autograd.Vmap(func(a, b *tensor.Tensor) *tensor.Tensor { return outer.Call(a, b) }, opt.InDims(0, nil))(batch, b)
	if !tensor.Equal(v.Select(0, 0), want) || v.Size(0) != 2 {
		t.Error(v)
	}
	s, m := both.Call2(a.RequiresGrad_())
	if s.Item() != 3 || m.Item() != 2 || s.GradFn().Name() != "SumBackward0" {
		t.Error(s, m)
	}
	x := tensor.New([]float32{1, 2})
	before := x.Version()
	bump.Call(x, tensor.NewOption("by", 2))
	if x.Sum().Item() != 7 || x.Version() != before+1 {
		t.Error(x, x.Version())
	}
}

func TestDefineErrors(t *testing.T) {
	kernel := map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {}}
	for _, e := range []struct {
		schema, want string
		d            tensor.Definition
	}{
		{"clip(Tensor self) -> Tensor", "needs a namespace", tensor.Definition{Kernels: kernel}},
		{"nn::clip(Tensor self) -> Tensor", "the namespace nn is the library's own", tensor.Definition{Kernels: kernel}},
		{"My::clip(Tensor self) -> Tensor", "no namespace", tensor.Definition{Kernels: kernel}},
		{"my::Clip(Tensor self) -> Tensor", "no name of an operator", tensor.Definition{Kernels: kernel}},
		{"my::clip(Tensr self) -> Tensor", `unknown type "Tensr"`, tensor.Definition{Kernels: kernel}},
		{"my::clip(Tensor self, float lo=zero) -> Tensor", "default zero of lo", tensor.Definition{Kernels: kernel}},
		{"my::clip(Tensor self) -> int", "an operator returns tensors", tensor.Definition{Kernels: kernel}},
		{"my::clip(Tensor self) -> Tensor", "neither kernels nor a body", tensor.Definition{}},
		{"my::clip(Tensor self) -> Tensor", "must be an autograd.Formula, not int",
			tensor.Definition{Kernels: kernel, Formula: 1}},
		{"my::clip(Tensor self) -> Tensor", "key of a device", tensor.Definition{
			Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyTrace: kernel[tensor.KeyCPU]}}},
	} {
		err := tensor.Try(func() { tensor.Define(e.schema, e.d).Remove() })
		if err == nil || !strings.Contains(err.Error(), e.want) {
			t.Errorf("%s: %v, want %q", e.schema, err, e.want)
		}
	}
	o := tensor.Define("my::none(Tensor self) -> Tensor", tensor.Definition{Kernels: kernel})
	defer o.Remove()
	c := defineClip(t)
	x := tensor.Ones(2)
	for want, f := range map[string]func(){
		"the kernel made 0 results; the schema has 1":                 func() { o.Call(x) },
		"there is no kernel for meta":                                 func() { o.Call(x.To(tensor.Meta)) },
		"argument self is missing":                                    func() { c.Call() },
		"takes no keyword high":                                       func() { c.Call(x, tensor.NewOption("high", 1)) },
		"argument lo must be a float64, not the string":               func() { c.Call(x, "a") },
		"not implemented for bool (it is for int64 or float32 or flo": func() { c.Call(x.Bool()) },
		"the operator gives 1 result":                                 func() { c.Call2(x) },
	} {
		err := tensor.Try(f)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := tensor.Try(func() { tensor.Operator("my::nothing") }); err == nil {
		t.Error("an operator that is not there was found")
	}
}

func TestAccessors(t *testing.T) {
	x := tensor.Arange(24).View(2, 3, 4).Permute(2, 0, 1)
	a := tensor.Access3[int64](x)
	for i := range 4 {
		for j := range 2 {
			for k := range 3 {
				if want := x.Index(i, j, k).ItemInt(); int(a.At(i, j, k)) != want {
					t.Fatal(i, j, k, a.At(i, j, k), want)
				}
			}
		}
	}
	a.Set(-1, 3, 1, 2)
	if x.Index(3, 1, 2).ItemInt() != -1 {
		t.Error("Set did not write")
	}
	flipped := tensor.Arange(4).Index(tensor.Slice(nil, nil, -1))
	if b := tensor.Access1[int64](flipped); b.At(0) != 3 || b.At(3) != 0 {
		t.Error("negative strides")
	}
	for want, f := range map[string]func(){
		"index 3 is out of bounds for dimension 2 with size 3": func() { a.At(0, 0, 3) },
		"index -1 is out of bounds":                            func() { a.At(-1, 0, 0) },
		"an accessor of 2 dimensions":                          func() { tensor.Access2[int64](x) },
		"not of the Go type float32":                           func() { tensor.Access3[float32](x) },
		"meta tensor cannot be read":                           func() { tensor.Access3[int64](x.To(tensor.Meta)) },
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestDefinedKeepsTensors: what a user's body or formula makes and keeps is the user's, however large.
func TestDefinedKeepsTensors(t *testing.T) {
	var kept []*tensor.Tensor
	keep := func(x *tensor.Tensor) *tensor.Tensor {
		kept = append(kept, x)
		return x
	}
	body := tensor.Define("my::body(Tensor self) -> Tensor", tensor.Definition{
		Body: func(c *tensor.Call) { c.Return(keep(c.Tensor(0).Add(1)).Mul(2)) },
	})
	formula := tensor.Define("my::formula(Tensor self) -> Tensor", tensor.Definition{
		Pointwise: true,
		Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
			tensor.Pointwise1(c, func(x float32) float32 { return 2 * x })
		}},
		Formula: autograd.Formula{VJP: func(c *autograd.Ctx) autograd.Grads {
			return autograd.Grads{keep(c.Grad.Mul(3)).Sub(c.Grad)}
		}},
	})
	t.Cleanup(body.Remove)
	t.Cleanup(formula.Remove)
	const n = 1 << 18
	x := tensor.Ones(n)
	body.Call(x)
	formula.Call(x.RequiresGrad_()).Mul(2).Sum().Backward()
	for range 4 {
		tensor.Full([]int{n}, 7) // would take the memory that was freed
	}
	if len(kept) != 2 || kept[0].Sum().Item() != 2*n || kept[1].Sum().Item() != 6*n {
		t.Error(len(kept), "tensors were kept, or their elements changed")
	}
}
