package hints_test

import (
	"gotorch/interp"
	"gotorch/interp/hints"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestAdviceOfPaths follows what is said of names in PyTorch's modules.
func TestAdviceOfPaths(t *testing.T) {
	for _, p := range hints.Followed() {
		s := interp.New(interp.Options{})
		if got := celltest.Cell(s, p[1]); strings.Contains(got, "Error") {
			t.Errorf("%s: what is said leads to\n%s", p[0], got)
		}
		s.Close()
	}
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, cell := range []string{
		"x := Ones(2, 3)\nm := x > 0\n^m", "for _, v := range Ones(3).Unbind(0) { fmt.Println(v) }", "nn.NewLinear(2, 3)",
		"FftFft(Ones(3))", "LinalgSvd(Ones(2, 2))", "Erf(Ones(2))", "Ones(3).FloorDivide(2)",
		"optim.NewSGD([]*Tensor{Ones(2).RequiresGrad_()}, lr=0.1)",
	} {
		if got := celltest.Cell(s, cell); strings.Contains(got, "Error") {
			t.Errorf("%s\n%s", cell, got)
		}
	}
}

// TestHints: what people from Python, the shell and Julia type gives one error that says what to write.
func TestHints(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x := Ones(2, 3)\ny := 1\nconst k = 3")
	for _, c := range []struct{ src, want string }{
		{"import torch", "1:1: torch needs no import: its names stand alone"},
		{"import torch.nn as nn", "torch needs no import"},
		{"import numpy as np", "numpy is not here, tensors do its work"},
		{"import matplotlib.pyplot as plt", "pictures need no import: visualize.Plot(y)"},
		{"import math", `import "math"`},
		{"import rand", `import "math/rand"`},
		{"import getpass", `no import is needed: pw, err := display.Password("password: ")`},
		{`pw := getpass.getpass("pw: ")`, `undefined: getpass: pw, err := display.Password("password: ")`},
		{`name := input("name? ")`, `undefined: input: name, err := display.Input("name? ")`},
		{"b, err := term.ReadPassword(0)", `display.Password("password: ")`},
		{"import pandas", "Python's pandas is not here"},
		{"from torch import nn", "torch needs no import"},
		{`import "rand"`, `package rand is not available in this session (there is "crypto/rand", "math/rand")`},
		{"git status", "1:1: !git status runs it in the shell"},
		{"ls", "!ls runs it in the shell"},
		{"ls -la", "!ls -la runs it in the shell"},
		{"  ls -la", "1:3: !ls -la runs it in the shell"},
		{"cd ..", "%cd .. changes the directory"},
		{"pip install torch", "there is nothing to install"},
		{"go get example.com/x", "there is nothing to install"},
		{"go test ./...", "!go test ./... runs it in the shell"},
		{";ls -l", "!ls -l runs it in the shell"},
		{"timeit x + 1", "%timeit is a command of the session"},
		{"]add Flux", "there are no packages to add"},
		{"print x", "Go writes fmt.Println(x)"},
		{"def f(x):\n    return x + 1", "1:1: Go writes func f(x *Tensor) *Tensor"},
		{"class Net(nn.Module):\n    def forward(self, x):\n        return x", "Go writes type Net struct"},
		{"for i in range(3):\n    print(i)", "Go writes for i := range 3 { … }"},
		{"for i in range(len(xs)):", "Go writes for i := range len(xs) { … }"},
		{"for i in range(1, 9):", "Go writes for i := 1; i < 9; i++ { … }"},
		{"for i, v in enumerate(xs):", "Go writes for i, v := range xs { … }"},
		{"for v in xs:", "Go writes for _, v := range xs { … }; of a tensor range xs.Unbind(0)"},
		{"m := x > 0; ~m", "Go writes ^ for ~: ^m of a mask"},
		{"nn.Linear(2, 3)", "nn.Linear is a type; nn.NewLinear makes one"},
		{"torch.nn.Conv2d(1, 2, 3)", "torch.nn.Conv2d is nn.NewConv2d here"},
		{"torch.optim.SGD(p, lr=0.1)", "torch.optim.SGD is optim.NewSGD here"},
		{"torch.fft.fft(x)", "torch.fft.fft is FftFft here"},
		{"torch.linalg.svd(x)", "torch.linalg.svd is LinalgSvd here"},
		{"torch.special.erf(x)", "torch.special.erf is Erf here"},
		{"torch.autograd.grad(y, x)", "autograd.Grad(y, x) gives the gradients"},
		{"torch.distributions.Normal(0, 1)", "torch.distributions.Normal is distributions.NewNormal here"},
		{"while y < 3:\n    y += 1", "Go writes for y < 3 { … }"},
		{"if y > 0:\n    print(y)", "Go writes if y > 0 { … }"},
		{"with torch.no_grad():\n    x += 1", "autograd.NoGrad(func() { … })"},
		{"try:\n    f()", "Go has no exceptions"},
		{`f"y is {y}, {y:.2f}"`, `write fmt.Sprintf("y is %v, %.2f", y, y)`},
		{`s := f'{x.Sum()}'`, `fmt.Sprintf("%v", x.Sum())`},
		{`f"{x[:, 0]} is {y:>8.3f}, 100% of {{y}}: {y=} {x!r}"`,
			`fmt.Sprintf("%v is %8.3f, 100%% of {y}: %v %v", x[:, 0], y, y, x)`},
		{`f"{x"`, `Go has no f-strings: write fmt.Sprintf("… %v", x)`},
		{"f := lambda a: a + 1", "Go writes func(a *Tensor) *Tensor { return a + 1 }"},
		{"not true", "1:5: Go writes ! for bools; ^ for tensors"},
		{"true and false", "Go writes && for bools"},
		{"x is None", "Go writes x == nil"},
		{"z := 1 if y > 0 else 2", "z := 2; if y > 0 { z = 1 }"},
		{"let z = 3", "Go writes z := 3"},
		{"z: int = 3", "Go writes z := 3"},
		{"range(3)", "Go writes for i := range 3 { … }; Arange(3) is a tensor"},
		{"y := torch.nn.functional.relu(x)", "1:6: torch.nn.functional.relu is Relu here"},
		{"nn.functional.softmax(x, dim=1)", "functional.softmax is Softmax here"},
		{"np.array([1, 2])", "np.array is New here"},
		{`torch.save(x, "x.pt")`, "SaveNpz("},
		{"torch.cuda.is_available()", "Devices() lists the devices"},
		{"torch.tensor([1, 2])", "torch.tensor is New here"},
		{"x.cuda()", "moves to a device of that name"},
		{"x.numpy()", "x.Tolist() gives Go's values"},
		{"x.T().ndim", "x.T().Dim() is the number"},
		{"NoGrad(func() {})", "undefined: NoGrad: autograd.NoGrad("},
		{"torch.set_grad_enabled(False)", "the mode holds for a function"},
		{"SetGradEnabled(false)", "undefined: SetGradEnabled: autograd.NoGrad(func() { … }) and"},
		{"linalg.norm(x)", "linalg.norm is LinalgNorm here"},
		{"fft.fft(x)", "fft.fft is FftFft here"},
		{"Rand(3).Nelement()", "Rand(3).Numel() is the number of elements"},
		{"x.apply_(f)", "range Data[float32](x)"},
		{"x.DataPtr()", "x.Storage().ID() tells storages apart"},
		{"n, m := x.Shape()", "s := x.Shape(), and then s[0], s[1]"},
		{"x.Max(dim=0).Values", "assigned first: values, indices := …"},
		{"x.Nonzero(as_tuple=true)", "x.Nonzero().Unbind(1) are those tensors"},
		{"FromNumpy(x)", "undefined: FromNumpy: New(xs) copies a slice"},
		{"2 ** x", "Go has no **: write Pow(2, x)"},
		{"enumerate(x)", "undefined: enumerate: Go writes for i, x := range xs"},
		{"Rand(3).Mull(2)", "a tensor has no Mull (there is Mul"},
		{"Rand(3).Vie(3)", "a tensor has no Vie (there is View"},
		{"Randm(3)", "undefined: Randm (there is Rand, Randn"},
		{"widgets.Min(3)", "undefined: widgets.Min (Tab behind widgets. lists its"},
		{"strings.upper(\"a\")", "undefined: strings.upper (there is strings.ToUpper, strings.ToUpperSpecial)"},
		{"x .+ 1", "operators are elementwise without a dot"},
		{"ans", "_ is what was shown last"},
		{"# a comment", "a comment begins with // in Go"},
		{"x**2", "Go has no **: write x.Pow(2)"},
		{"len(x)", "x.Size(0) is its first dimension"},
		{"x.shape[0]", "shape is PyTorch's name: Go's is the method Shape()"},
		{"x.view(3, 2)", "view is PyTorch's name: Go's is View\n"},
		{"x.size()", "size is PyTorch's name: Go's is Size\n"},
		{"n := strconv.Atoi(\"3\")", "write n, err := …"},
		{"k = 4", "it is a constant; const k = … defines it anew"},
		{"must(strconv.Atoi(\"3\"))", "undefined: must: func must["},
		{"type(x)", "?x tells its type"},
		{"fmt.Println(y, type(y))", `?y tells its type; in Go: fmt.Sprintf("%T", y)`},
		{"x.type(torch.int64)", "x.To(Int64) converts it"},
		{"z := torch.long", "1:6: torch.long is Int64 here"},
		{"Zeros(2, dtype=float)", "the dtypes are Float64 and Float32"},
		{"Zeros(2, dtype=int)", "int is a type of Go's; the dtype is Int64"},
		{`Zeros(2, dtype="torch.float32")`, "the dtype is Float32, without quotes"},
		{`x.To("float64")`, "the dtype is Float64, without quotes"},
		{`torch.device("cpu")`, `torch.device("cpu") is NamedDevice("cpu") here`},
		{"s := []int{2}; Rand(s)",
			"1:21: cannot use s (variable of type []int) as int value in argument to Rand: s... spreads it"},
		{"x.grad = None", "SetGrad(nil) takes the gradient away"},
		{"x.Grad() = nil", "x.SetGrad(nil) takes the gradient away"},
		{"x.requires_grad = True", "RequiresGrad_() sets it"},
		{"torch.randn(())", "a tensor without dimensions is Randn()"},
		{"a = b = 3", "Go assigns once in a line: a, b := 3, 3"},
		{"x.Item(0, 1)", "x.At(0, 1) is an element"},
		{"float64(x[0, 1])", "its number with x[0, 1].Item()"},
		{"int(x[0, 1])", "its number with x[0, 1].ItemInt()"},
		{"math.Sqrt(x)", "its number with x.Item()"},
		{"var s []float64 = x[0]", "a slice with Data[float64](x[0])"},
		{"for range x.Tolist() {}", "Data[float32](x) is a slice of the elements"},
		{"x.Data()", "Data[float32](x) gives the elements"},
		{"x.data_ptr()", "x.Storage().ID() tells storages apart"},
		{`import "net"`, "package net is not available in cells: net/http is, and fetches what has a URL; " +
			"gotorch-repl export makes a program"},
		{"net.Dial(net.X)", "undefined: net: package net is not available in cells: net/http is"},
		{`import "os/signal"`, "package os/signal is not available in cells; a program can import it, which gotorch-repl " +
			"export makes"},
		{":q", "exit leaves"},
		{`"n = " + y`, `Go adds only strings to a string: fmt.Sprint("n = ", n)`},
		{"y ** 2", "Go has no **: math.Pow(y, 2) of numbers"},
		{"z := (y + 1)**2", "Go has no **: math.Pow(x, 2) of numbers"},
		{"[i for i in range(3)]", "1:4: Go has no comprehensions"},
		{"@time x.Sum()", "%time x.Sum() says how long"},
		{"@btime x.Sum()", "%timeit x.Sum() times it"},
		{"@show y", "y alone as the last line shows it"},
		{"@which Sum", "?Sum tells what it is"},
		{"@torch.no_grad()", "autograd.NoGrad("},
		{"@jit", "Go has no decorators"},
		{"for i in 1:n", "Go writes for i := 1; i <= n; i++ { … }"},
		{"x.^2", "x.Pow(2) takes each element"},
		{"x'", "x.T() is the transpose"},
		{"f(x) = x^2", "Go writes func f(x *Tensor) *Tensor { return x^2 }"},
		{"[1 2; 3 4]", "New([[1, 2], [3, 4]]), with commas"},
		{"1:10", "Arange(1, 10+1)"},
		{"2y", "Go writes 2 * y"},
		{"x |> Sum", "Go calls functions: Sum(x)"},
		{"x[1:end]", "goes to the end, x[1:]"},
		{"π", "math.Pi"},
		{`d = {"a": 1}`, "d := map[string]int"},
		{`"%d of %s" % (y, "a")`, `fmt.Sprintf("%d of %s", y, "a")`},
		{`df = pd.read_csv("x.csv")`, "csv.NewReader(f).ReadAll()"},
		{"os.listdir(\".\")", "undefined: os.listdir: Go writes os.ReadDir"},
		{"1 if y else 2", "if y { … } else { … }"},
		{"varinfo()", "%who lists the names"},
		{"exit()", "and Ctrl-D"},
		{`SetPrintOptions(precision=2)`, "%precision 2 sets the digits"},
	} {
		_, err := s.Eval(t.Context(), c.src, nil)
		e, ok := err.(*interp.Error)
		if !ok {
			t.Errorf("%q gives %v, no error", c.src, err)
			continue
		}
		if len(e.Problems) != 1 || !strings.Contains(e.Text(), c.want) {
			t.Errorf("%q gives\n%s\nwant %q alone", c.src, e.Text(), c.want)
		}
	}
}

// TestHintsAreGoFirst: names that look like another language are a user's own where they are defined.
func TestHintsAreGoFirst(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"ls := []int{1}\nls", "[1]\n"},
		{"git := 3\ngit -2", "1\n"},
		{"git + nope", "undefined: nope"},
		{"torch := struct{ x int }{7}\ntorch.x", "7\n"},
		{"range_ := func(n int) int { return n }\nrange_(3)", "3\n"},
		{"print(3)", "stderr: 3"},
		{"cd := 8\ncd", "8\n"},
		{"cd /nope", "undefined: nope"},
		{`nope("/f", "lambda x: 1", "a is None")`, "1:1: undefined: nope\n"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.src, got, c.want)
		}
	}
}
