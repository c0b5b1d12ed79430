package nn_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/tensor"
)

// python returns a Python that has torch: GOTORCH_TORCH, or python3.
func python(t *testing.T) string {
	t.Helper()
	name := cmp.Or(os.Getenv("GOTORCH_TORCH"), "/usr/bin/python3")
	if err := exec.Command(name, "-c", "import torch").Run(); err != nil {
		t.Skipf("%s has no torch", name)
	}
	return name
}

// ptValue is a value with all that files of torch.save hold.
func ptValue() map[string]any {
	base := tensor.With(tensor.Float64).Arange(12)
	leaf := tensor.Ones(2).RequiresGrad_()
	return map[string]any{
		"epoch": 3, "best": 0.75, "name": "käse", "done": true, "none": nil, "dtype": tensor.Float16,
		"list": []any{1, nn.Tuple{2, 3.5}, -70000, 1 << 40, int8(-1)}, "floats": []float64{1, 2},
		"base": base, "view": base.View(3, 4).T().Index(tensor.Slice(1, nil, nil), tensor.Slice(nil, nil, 2)),
		"half": tensor.With(tensor.Float16).Ones(2), "bf16": tensor.Full([]int{2}, 1.5, tensor.Bfloat16),
		"complex": tensor.New([]complex64{1 + 2i}), "bool": tensor.New([]bool{true, false}),
		"int": tensor.New([][]int32{{1, -2}}), "scalar": tensor.New(float32(2.5)), "empty": tensor.Zeros(0, 3),
		"leaf": leaf, "expanded": tensor.Ones(1).Expand(4), "nested": map[string]any{"a": map[string]int{"b": 1}},
	}
}

// TestSavePt: what is written comes back here.
func TestSavePt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.pt")
	value := ptValue()
	nn.SavePt(path, value)
	d := nn.LoadPt(path).(*nn.Dict)
	for key, want := range value {
		got := d.Get(key)
		switch want := want.(type) {
		case T:
			x, ok := got.(T)
			same := ok && x.Dtype() == want.Dtype() && tensor.Equal(x, want)
			if !same || fmt.Sprint(x.Stride()) != fmt.Sprint(want.Stride()) {
				t.Errorf("%s is %v, want %v", key, got, want)
			}
		case int:
			if got != any(int64(want)) {
				t.Errorf("%s is %v", key, got)
			}
		case string, bool, float64, nil, tensor.Dtype:
			if got != want {
				t.Errorf("%s is %v", key, got)
			}
		}
	}
	if got := fmt.Sprint(d.Get("list").(*nn.List).Items); got != "[1 [2 3.5] -70000 1099511627776 -1]" {
		t.Error(got)
	}
	if d.Get("view").(T).Storage() != d.Get("base").(T).Storage() {
		t.Error("the view does not share its storage")
	}
	m, other := newModel(), newModel()
	file := filepath.Join(t.TempDir(), "m.pt")
	nn.Save(m, file)
	nn.Load(other, file)
	for i, p := range nn.State(m) {
		if !tensor.Equal(p.Tensor, nn.State(other)[i].Tensor) {
			t.Errorf("%s did not come back", p.Name)
		}
	}
	for want, v := range map[string]any{
		"value is a chan int":     make(chan int),
		"value[a] is a func()":    map[string]any{"a": func() {}},
		"value[0] is a struct {}": []any{struct{}{}},
		"keys are no strings":     map[int]int{1: 2},
		"two tensors called x":    nn.ParamList{{Name: "x", Tensor: tensor.Ones(1)}, {Name: "x", Tensor: tensor.Ones(1)}},
		"more than 200 deep":      deep(),
	} {
		err := tensor.Try(func() { nn.SavePt(file, v) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	nn.Load(other, file) // a failed save changes nothing
}

func deep() any {
	l := &nn.List{}
	l.Items = []any{l}
	return l
}

const readPt = `
import sys, torch
v = torch.load(sys.argv[1])
assert list(v) == sorted(v)
for k, x in v.items():
    if isinstance(x, torch.Tensor):
        y = x.detach()
        y = torch.view_as_real(y) if y.is_complex() else y
        print(k, x.dtype, tuple(x.shape), x.stride(), x.requires_grad, y.double().flatten().tolist())
    else:
        print(k, x)
assert v["view"].storage().data_ptr() == v["base"].storage().data_ptr()
m = torch.load(sys.argv[2], weights_only=True)
n = torch.nn
s = n.Sequential(n.Conv2d(1, 2, 3), n.BatchNorm2d(2), n.ReLU(), n.Flatten(), n.Linear(8, 2))
print(type(m).__name__, s.load_state_dict(m), *["%.6f" % x for x in m["0.bias"].tolist()])
torch.load(sys.argv[3], weights_only=True)
`

// TestTorchReadsPt: torch.load reads what is written, with weights_only where that knows the values.
func TestTorchReadsPt(t *testing.T) {
	py := python(t)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	value := ptValue()
	nn.SavePt(path("v.pt"), value)
	m := newModel()
	nn.Save(m, path("m.pth"))
	for _, key := range []string{"dtype", "best", "floats", "list"} { // weights_only of 1.13 knows no float
		delete(value, key)
	}
	nn.SavePt(path("w.pt"), value)
	out, err := exec.Command(py, "-c", readPt, path("v.pt"), path("m.pth"), path("w.pt")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bias := nn.Params(m).Get("0.bias")
	want := []string{
		"base torch.float64 (12,) (1,) False [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]",
		"best 0.75",
		"bf16 torch.bfloat16 (2,) (1,) False [1.5, 1.5]", "bool torch.bool (2,) (1,) False [1.0, 0.0]",
		"complex torch.complex64 (1,) (1,) False [1.0, 2.0]", "done True", "dtype torch.float16",
		"empty torch.float32 (0, 3) (3, 1) False []", "epoch 3",
		"expanded torch.float32 (4,) (0,) False [1.0, 1.0, 1.0, 1.0]",
		"floats [1.0, 2.0]", "half torch.float16 (2,) (1,) False [1.0, 1.0]",
		"int torch.int32 (1, 2) (2, 1) False [1.0, -2.0]", "leaf torch.float32 (2,) (1,) True [1.0, 1.0]",
		"list [1, (2, 3.5), -70000, 1099511627776, -1]", "name käse", "nested {'a': {'b': 1}}", "none None",
		"scalar torch.float32 () () False [2.5]",
		"view torch.float64 (3, 2) (1, 8) False [1.0, 9.0, 2.0, 10.0, 3.0, 11.0]",
		fmt.Sprintf("OrderedDict <All keys matched successfully> %.6f %.6f", bias.At(0), bias.At(1)),
	}
	if got := strings.Split(strings.TrimSpace(string(out)), "\n"); !reflect.DeepEqual(got, want) {
		t.Errorf("torch read\n%s\nwant\n%s", out, strings.Join(want, "\n"))
	}
}

// TestUntypedPt: dtypes of torch 2 come back, as views too; torch.save has no form for complex32.
func TestUntypedPt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.pt")
	value := map[string]any{}
	for _, dt := range tensor.StorageDtypes() {
		x := tensor.Arange(6).View(2, 3).To(dt)
		if dt == tensor.Complex32 {
			err := tensor.Try(func() { nn.SavePt(path, map[string]any{"c": x}) })
			if err == nil || !strings.Contains(err.Error(), "no form for tensors of complex32") {
				t.Errorf("complex32: %v", err)
			}
			continue
		}
		value[dt.String()], value[dt.String()+" view"] = x, x.T()
	}
	nn.SavePt(path, value)
	d := nn.LoadPt(path).(*nn.Dict)
	for name, v := range value {
		want := v.(T)
		got, ok := d.Get(name).(T)
		if !ok || got.Dtype() != want.Dtype() || !tensor.Equal(got, want) ||
			fmt.Sprint(got.Stride()) != fmt.Sprint(want.Stride()) {
			t.Errorf("%s is %v, want %v", name, d.Get(name), want)
		}
	}
	if d.Get("uint16").(T).Storage() != d.Get("uint16 view").(T).Storage() {
		t.Error("the view does not share its storage")
	}
}

// readUntyped gives torch 1.13 what version 2.3 has: the function that makes tensors over bytes, and a dtype.
const readUntyped = `
import sys, torch
torch.uint16 = "uint16"
def rebuild(storage, offset, size, stride, requires_grad, hooks, dtype):
    x = torch.tensor([], dtype=torch.uint8).set_(getattr(storage, "_storage", storage)).view(torch.int16)
    return x.as_strided(size, stride, offset), dtype
torch._utils._rebuild_tensor_v3 = rebuild
for name, (x, dtype) in sorted(torch.load(sys.argv[1]).items()):
    print(name, dtype, x.tolist(), x.stride())
`

func TestTorchReadsUntypedPt(t *testing.T) {
	py := python(t)
	path := filepath.Join(t.TempDir(), "v.pt")
	x := tensor.Arange(4).View(2, 2).To(tensor.Uint16)
	nn.SavePt(path, map[string]any{"x": x, "y": x.T()})
	out, err := exec.Command(py, "-c", readUntyped, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "x uint16 [[0, 1], [2, 3]] (2, 1)\ny uint16 [[0, 2], [1, 3]] (1, 2)\n"
	if string(out) != want {
		t.Errorf("torch read\n%s\nwant\n%s", out, want)
	}
}
