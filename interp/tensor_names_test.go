package interp

import (
	"gotorch/interp/internal/celltest"
	"gotorch/interp/values"
	"gotorch/tensor"
	"runtime"
	"strings"
	"testing"
	"weak"
)

// TestNames: views are labelled with the names and the arguments that were typed.
func TestNames(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x := Arange(6).View(2, 3)\nws := []*tensor.Tensor{Ones(2), Zeros(3)}\nvar a any = Ones(4)\nb := x")
	has := func(src string, wants ...string) {
		t.Helper()
		got := cell(s, src)
		for _, w := range wants {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in\n%s", src, w, got)
			}
		}
	}
	has("visualize.Strides(x, x.T(), x[1:, ::2])", "\n  x           shape [2 3]", "\n  x.T()  ",
		"\n  x[1:, ::2]  shape [1 2]")
	has("%trace x.Mul(2)", "mul(b int64[2 3], 2)   In[3]:1") // b and x are one tensor: the first of the shortest names
	has("%trace ws[1].Add(a.(*tensor.Tensor)[:3])", "add(ws[1] float32[3], float32[3])", "slice(a float32[4]")
	has("%trace x.Add(Ones(5))", "✗ add", "TensorError")
	has("w := Ones(3).RequiresGrad_()\nloss := w.Mul(3).Exp().Sum()\nvisualize.Graph(loss)", "loss  SumBackward0",
		"@ In[6]:2", "self: w  leaf")
	has("func f(v *tensor.Tensor) string {\n\th := v.Exp()\n\treturn visualize.Graph(h).String()\n}\nf(w)",
		"h  ExpBackward0", "@ In[7]:2")
	has("visualize.Strides(w)\nf(w)", "h  ExpBackward0", "@ In[7]:2") // also from another cell
	has("visualize.Graph(loss.Mul(2))", "loss.Mul(2)  MulBackward0")
	has("w", "tensor(")
}

// TestNamesOfKeys: keys in names are short, whatever they lead to, and no method of a cell's type is called for them.
func TestNamesOfKeys(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "var deep any\nfor range 60 {\n\tdeep = []any{deep, deep}\n}\nself := []any{nil}\nself[0] = self")
	cell(s, "type K struct{ n int }\nfunc (K) String() string { for {} }")
	cell(s, `m := map[any]any{&deep: Ones(1), &self: Ones(2), K{3}: Ones(4), 7: Ones(3)}`)
	cell(s, `m[strings.Repeat("k", 1000)] = Ones(5)`)
	names := s.tensorNames(values.Near)
	if len(names) != 5 {
		t.Errorf("%d names: %v", len(names), names)
	}
	for x, name := range names {
		if len([]rune(name)) > 43 || x.Numel() == 3 && name != "m[7]" {
			t.Errorf("a tensor of %d elements is %s", x.Numel(), name)
		}
	}
}

// TestNamesKeepNothing: a tensor whose variable was overwritten is collected, though views have asked for its name.
func TestNamesKeepNothing(t *testing.T) {
	celltest.Single(t)
	s := New(Options{})
	defer s.Close()
	cell(s, "x := Ones(100)")
	var p weak.Pointer[tensor.Tensor]
	for x := range s.tensorNames(values.Near) {
		p = weak.Make(x)
	}
	if p.Value() == nil {
		t.Fatal("x has no name")
	}
	cell(s, "m := visualize.Strides(x)\ng := visualize.Graph(x)\nc := visualize.Card(x)")
	cell(s, "%trace x.Exp()")
	cell(s, "x = nil")
	for range 10 {
		if runtime.GC(); p.Value() == nil {
			return
		}
	}
	t.Error("a view or a name keeps x alive")
}

// TestNamesOfModels: a weight deep in a model is called by its place there, not by that in an optimizer's list.
func TestNamesOfModels(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "six := nn.NewTransformerEncoder(nn.NewTransformerEncoderLayer(8, 2), 6)")
	cell(s, "a := optim.NewSGD(nn.Params(six).Tensors(), opt.Lr(0.1))\nweight := six.Layers[5].SelfAttn.OutProj.Weight")
	names := map[string]bool{}
	for _, name := range s.tensorNames(values.Near) {
		names[name] = true
	}
	for _, want := range []string{"weight", "six.Layers[5].SelfAttn.OutProj.Bias", "six.Layers[0].Linear1.Weight"} {
		if !names[want] {
			t.Errorf("no %s in %v", want, names)
		}
	}
	if len(names) != 72 {
		t.Errorf("%d names", len(names))
	}
}
