package visualize

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// TestDerive compiles derived gradients into a program and compares what it prints with what autograd gives.
func TestDerive(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	w := viewtest.Floats(3, 3).Sin()
	target := tensor.FromSlice([]int64{0, 2, 1}, 3)
	functions := map[string]any{
		"product": func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(y).Exp().Sum() },
		"network": func(x, y *tensor.Tensor) *tensor.Tensor { return x.Matmul(w).Add(y).Tanh().Square().Mean() },
		"views": func(x, y *tensor.Tensor) *tensor.Tensor {
			z := x.Mul(2)
			z.Select(0, 1).Mul_(y.Select(0, 0))
			return tensor.Cat([]*tensor.Tensor{z.T(), y}).Softmax(opt.Dim(1)).Mul(z.Sum(opt.Dim(0))).Sum()
		},
		"loss": func(x, y *tensor.Tensor) *tensor.Tensor {
			return tensor.CrossEntropy(tensor.LayerNorm(x.Matmul(y), []int{3}).Relu(), target)
		},
	}
	dir, err := os.MkdirTemp("testdata", "derived") // other tests that walk the tree leave testdata alone
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x, y := viewtest.Floats(3, 3), viewtest.Floats(3, 3).Cos()
	var imports, calls strings.Builder
	want := map[string]float64{}
	for name, f := range functions {
		d := Derive(f, x, y)
		write(name+"/derived.go", d.Source)
		g := autograd.GradAll(f)(x, y)
		want[name] = g[0].Mul(x).Sum().Add(g[1].Mul(y).Sum()).Item()
		fmt.Fprintf(&imports, "\t%s %q\n", name, "gotorch/visualize/testdata/"+filepath.Base(dir)+"/"+name)
		fmt.Fprintf(&calls, "\tshow(%q, %s.Gradient(x, y), x, y)\n", name, name)
	}
	write("main.go", fmt.Sprintf(`package main

import (
	"fmt"

	"gotorch/tensor"
%s)

func main() {
	x := tensor.FromSlice(%#v, 3, 3)
	y := x.Cos()
%s}

func show(name string, g []*tensor.Tensor, x, y *tensor.Tensor) {
	fmt.Println(name, g[0].Mul(x).Sum().Add(g[1].Mul(y).Sum()).Item())
}
`, &imports, tensor.Data[float32](x), &calls))
	out, err := exec.Command("go", "run", "./testdata/"+filepath.Base(dir)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var name string
		var got float64
		if _, err := fmt.Sscan(line, &name, &got); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if d := got - want[name]; d > 1e-5 || d < -1e-5 {
			t.Errorf("%s gives %v, want %v", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("no answer of %v", want)
	}
}
