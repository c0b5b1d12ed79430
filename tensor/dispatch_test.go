package tensor

import (
	"slices"
	"strings"
	"testing"

	"gotorch/tensor/opdef"
)

// Kernels of the tests run on a device of their own, so that no backend is needed.
var testDevice = RegisterDevice("test", func() int { return 1 }, testAllocator{})(0)

type testAllocator struct{}

func (testAllocator) Alloc(d Device, n int) *Storage {
	s := allocate("test", CPU, n, true)
	return NewStorage(d, s.data, n, s)
}
func (testAllocator) ToHost(dst []byte, src *Storage, offset int) { copy(dst, hostBytes(src)[offset:]) }
func (testAllocator) FromHost(dst *Storage, offset int, src []byte) {
	copy(hostBytes(dst)[offset:], src)
}

func init() {
	Register("mul", KeyPrivate, func(c *Call) { c.Note = "ran" })
}

func testTensor(shape ...int) *Tensor { return Alloc("test", shape, Float32, testDevice) }

func TestDispatchRunsTheDevicesKernel(t *testing.T) {
	y := testTensor(2, 3).Mul(testTensor(3))
	if !slices.Equal(y.shape, []int{2, 3}) || y.Device() != testDevice {
		t.Errorf("%v on %s", y.shape, y.Device())
	}
}

func TestNoKernelNamesTheDevices(t *testing.T) {
	err := Try(func() { testTensor(2).Add(1) })
	if err == nil || !strings.Contains(err.Error(), "no kernel for test:0") || !strings.Contains(err.Error(), "meta") {
		t.Errorf("%v", err)
	}
}

func TestTwoDevicesInOneCall(t *testing.T) {
	x := Alloc("test", []int{2}, Float32, Meta)
	err := Try(func() { testTensor(2).Mul(x) })
	if err == nil || !strings.Contains(err.Error(), "at least two devices, test:0 and meta") {
		t.Errorf("%v", err)
	}
	one := Alloc("test", nil, Float32, CPU) // of no dimensions: goes with any device
	for _, f := range []func() *Tensor{func() *Tensor { return testTensor(2).Mul(one) },
		func() *Tensor { return one.Mul(testTensor(2)) }} {
		if err := Try(func() {
			if d := f().Device(); d != testDevice {
				t.Errorf("result on %s", d)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

func TestMetaNeedsShapesAlone(t *testing.T) {
	big := Alloc("test", []int{1 << 20, 1 << 20}, Bfloat16, Meta)
	y := big.Add(Alloc("test", []int{1 << 20}, Float32, Meta))
	if y.dtype != Float32 || y.numel != 1<<40 {
		t.Errorf("%s %v", y.dtype, y.shape)
	}
	if err := Try(func() { y.Item() }); err == nil {
		t.Error("an element of a meta tensor was read")
	}
	if err := Try(func() { big.Nonzero() }); err == nil || !strings.Contains(err.Error(), "depends on the values") {
		t.Errorf("nonzero: %v", err)
	}
}

func TestInPlaceBumpsTheVersionOnce(t *testing.T) {
	x := Alloc("test", []int{3}, Float32, Meta)
	view := x.View(3, 1)
	view.Add_(1)
	x.Mul_(x)
	if x.Version() != 2 || view.Version() != 2 {
		t.Errorf("versions %d and %d, want 2", x.Version(), view.Version())
	}
	if w := x.Storage().LastWrite(); w == nil || w.Op != "mul_" || w.Version != 2 {
		t.Errorf("last write %+v", w)
	}
	if err := Try(func() {
		x.Add_(Alloc("test", []int{2, 3}, Float32, Meta))
	}); err == nil || !strings.Contains(err.Error(), "[2 3]") {
		t.Errorf("a result of another shape: %v", err)
	}
	if err := Try(func() { x.Int().Add_(0.5) }); err == nil || !strings.Contains(err.Error(), "can't be cast") {
		t.Errorf("a result of another category: %v", err)
	}
	if x.Version() != 2 {
		t.Errorf("failed writes bumped the version to %d", x.Version())
	}
}

func TestWrongArguments(t *testing.T) {
	x := Alloc("test", []int{3}, Float32, Meta)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { x.Add("y") }, `add: argument other must be a tensor or a number, not the string "y"`},
		{func() { x.Add(nil) }, "argument other must be a tensor or a number, not nil"},
		{func() { x.Add((*Tensor)(nil)) }, "other is a nil tensor"},
		{func() { x.Sum(optAlpha(1)) }, "Sum takes no keyword alpha; it takes dim, keepdim, dtype"},
		{func() { x.Add(x, optAlpha(1), optAlpha(2)) }, "alpha is given twice"},
		{func() { Cat([]*Tensor{x, nil}) }, "element 1 of tensors is a nil tensor"},
		{func() { x.Add(x, Float64) }, "takes no keyword dtype"},
	} {
		if err := Try(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestAliases holds the alias annotations of the table against storages: an operator of class View gives a look at its
// argument, one that writes bumps its version.
func TestAliases(t *testing.T) {
	for _, o := range Ops() {
		for i := range o.Params {
			for _, p := range o.Params[i].Types {
				if p.Write && !o.writes {
					t.Errorf("%s writes, and the dispatcher does not know", o.Full)
				}
			}
		}
		if o.class == opdef.View != (o.shape != nil && o.table[KeyMeta] != nil && o.class == opdef.View) {
			t.Errorf("%s is a view without a kernel", o.Full)
		}
		if o.composite != nil && o.class != opdef.Composite {
			t.Errorf("%s has a body but class %d", o.Full, o.class)
		}
		if o.class == opdef.Composite && o.composite == nil {
			t.Errorf("%s has no body", o.Full)
		}
	}
	x := Alloc("test", []int{2, 3, 4}, Float32, Meta)
	for name, y := range map[string]*Tensor{"view": x.View(6, 4), "transpose": x.Transpose(0, 1),
		"select": x.Select(0, 1), "expand": x.Expand(5, 2, 3, 4),
		"unsqueeze": x.Unsqueeze(0), "diagonal": x.Diagonal(), "permute": x.Permute(2, 0, 1), "squeeze": x.Squeeze(),
		"unfold": x.Unfold(2, 2, 1)} {
		if y.st != x.st || y.Base() != x || y.ViewKind() != PlainView {
			t.Errorf("%s: storage shared %v, base %p of %p, kind %d", name, y.st == x.st, y.Base(), x, y.ViewKind())
		}
		if z := y.Unsqueeze(0); z.Base() != x {
			t.Errorf("a view of %s has another base", name)
		}
	}
	for _, y := range x.Split(1) {
		if y.ViewKind() != MultiView {
			t.Errorf("split gives kind %d", y.ViewKind())
		}
	}
	without(func() {
		if k := x.View(24).ViewKind(); k != NoGradView {
			t.Errorf("without grad: kind %d", k)
		}
	})
	if d := x.Detach(); d.Base() != nil || d.st != x.st {
		t.Error("detach must share memory and no history")
	}
}

func TestInvoke(t *testing.T) {
	x := Alloc("test", []int{2, 3}, Float32, Meta)
	for _, c := range []struct {
		name   string
		args   []any
		kwargs map[string]any
		shapes [][]int
	}{
		{"sum", []any{x, 1}, map[string]any{"keepdim": true}, [][]int{{2, 1}}},
		{"sum", []any{x}, map[string]any{"axis": 0, "keepdims": true}, [][]int{{1, 3}}},
		{"view", []any{x, 3, -1}, nil, [][]int{{3, 2}}},
		{"view", []any{x, []any{3, 2}}, nil, [][]int{{3, 2}}},
		{"max", []any{x}, nil, [][]int{{}}},
		{"max", []any{x, 1}, nil, [][]int{{2}, {2}}},
		{"max", []any{x, x}, nil, [][]int{{2, 3}}},
		{"add_", []any{x, 1}, nil, [][]int{{2, 3}}},
		{"add", []any{x, x}, map[string]any{"out": Alloc("test", []int{2, 3}, Float32, Meta)}, [][]int{{2, 3}}},
		{"split", []any{x, 1}, nil, [][]int{{1, 3}, {1, 3}}},
		{"zeros", []any{4, 5}, map[string]any{"device": "meta"}, [][]int{{4, 5}}},
	} {
		out, err := Invoke(c.name, c.args, c.kwargs)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(out) != len(c.shapes) {
			t.Errorf("%s: %d results, want %d", c.name, len(out), len(c.shapes))
			continue
		}
		for i, s := range c.shapes {
			if got := out[i].(*Tensor).shape; !slices.Equal(got, s) {
				t.Errorf("%s: result %d has shape %v, want %v", c.name, i, got, s)
			}
		}
	}
	for _, c := range []struct {
		name string
		args []any
		want string
	}{
		{"no_such", []any{x}, "no such operator"},
		{"tanh", []any{x, 1}, "takes 1 positional argument"},
		{"mm", []any{x}, "argument mat2 is missing"},
	} {
		if _, err := Invoke(c.name, c.args, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestParseDevice(t *testing.T) {
	for name, want := range map[string]string{"cpu": "cpu", "meta": "meta", "test:0": "test:0", "cpu:0": "cpu"} {
		if d, ok := ParseDevice(name); !ok || d.String() != want {
			t.Errorf("%q is %v, %v", name, d, ok)
		}
	}
	for _, name := range []string{"", "gpu", "cpu:", "cpu:x", "cpu:-1", "no device"} {
		if d, ok := ParseDevice(name); ok {
			t.Errorf("%q is taken for %v", name, d)
		}
	}
}

// TestDefaults: the defaults of every row can be read, and None is the value of a parameter without one.
func TestDefaults(t *testing.T) {
	for _, o := range Ops() {
		for i := range o.Params {
			p := &o.Params[i]
			switch v := o.missing(i); {
			case v.kind == unset:
				t.Errorf("%s: %s has no value", o.Full, p.Name)
			case (!p.HasDef || p.Default == "None") != (v.kind == noneValue):
				t.Errorf("%s: the default %q of %s is %v", o.Full, p.Default, p.Name, v.any())
			}
		}
	}
}

// TestDerivedShapes: a pointwise operator's own shape function stands in place of the derived one. There is only one.
func TestDerivedShapes(t *testing.T) {
	o := Lookup("add")
	shape, derived := o.shape, o.derivedShape
	defer func() { o.shape, o.derivedShape = shape, derived }()
	own := func(*Call) {}
	shapes(map[string]Kernel{"add": own})
	if o.derivedShape {
		t.Error("add still has the derived shape function")
	}
	defer func() {
		if recover() == nil {
			t.Error("two shape functions were accepted")
		}
	}()
	shapes(map[string]Kernel{"add": own})
}
