package visualize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// TestAddress: the address of any element of any tensor, at both scales, is where its value lies.
func TestAddress(t *testing.T) {
	viewtest.NewSession(t)
	for seed := range int64(80) {
		x := viewtest.AnyTensor(seed)
		if x.Numel() == 0 || x.Device() == tensor.Meta {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		index := make([]int, x.Dim())
		typed := make([]int, x.Dim())
		for d := range index {
			index[d] = r.IntN(x.Size(d))
			if typed[d] = index[d]; r.IntN(2) == 0 {
				typed[d] -= x.Size(d)
			}
		}
		a := Address(x, typed...)
		flat := tensor.FromStorage("test", x.Storage(), []int{x.Storage().Nbytes() / x.ElementSize()}, []int{1}, 0,
			x.Dtype())
		if got, want := flat.At(a.At), x.At(index...); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v %v%v: element %d is %v, not %v", x.Shape(), x.Stride(), index, a.At, got, want)
		}
		sum := a.Offset
		for d, k := range a.Terms {
			if sum += k.Index * k.Stride; k.Adds != k.Index*k.Stride || k.At != sum || k.Stride != x.Stride()[d] ||
				k.Index != index[d] {
				t.Errorf("%v: term %+v", x.Shape(), k)
			}
		}
		if a.Byte != sum*x.ElementSize() || !strings.Contains(a.Text(false), fmt.Sprintf("= %d → +%d B", sum, a.Byte)) &&
			x.Dim() > 0 {
			t.Errorf("%v %v: %s", x.Shape(), index, a)
		}
		checkAddresses(t, x, a.Map)
		viewtest.CheckForms(t, a)
	}
}

// TestAddressErrors: what is wrong with an index is said, with the sizes.
func TestAddressErrors(t *testing.T) {
	viewtest.NewSession(t)
	x := viewtest.Floats(3, 4)
	for _, c := range []struct {
		index []int
		want  string
	}{
		{[]int{1}, "2 dimensions [3 4], the index has 1 number"},
		{[]int{3, 0}, "index 3 is out of range for dimension 0, which has size 3"},
		{[]int{0, -5}, "index -5 is out of range for dimension 1, which has size 4"},
	} {
		if err := tensor.Try(func() { Address(x, c.index...) }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.index, err)
		}
	}
}

// TestShared: storages that one name alone looks into are left out and counted, and bars are to one scale.
func TestShared(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Name("x", tensor.Zeros(1000))
	s.Name("half", x.Narrow(0, 0, 500))
	y := s.Name("y", tensor.Zeros(500))
	m := Shared()
	if len(m.Storages) != 1 || m.Alone != 1 || !strings.Contains(m.Text(false),
		"1 more storage that one name alone looks into") {
		t.Error(m)
	}
	all := Aliases(x, y)
	if a, b := len([]rune(all.Storages[0].Names[0].Parts)), len([]rune(all.Storages[1].Names[0].Parts)); a != 2*b {
		t.Errorf("bars of %d and %d parts\n%s", a, b, all)
	}
}

// TestScalesDiffer: activations, transposed and every second row do not look alike.
func TestScalesDiffer(t *testing.T) {
	s := viewtest.NewSession(t)
	s.Typed = []string{"x"}
	x := tensor.Zeros(64, 128, 768)
	seen := map[string]string{}
	for name, y := range map[string]*tensor.Tensor{"x": x, "transposed": x.Transpose(1, 2), "half": viewtest.Window(x,
		[]int{64, 64, 768}, []int{128 * 768, 2 * 768, 1}, 0)} {
		svg := Strides(y).SVG()
		svg = svg[strings.Index(svg, "dim 0  size"):]
		if old := seen[svg]; old != "" {
			t.Errorf("%s looks like %s", name, old)
		}
		seen[svg] = name
	}
}
