package hints

import (
	"strings"

	"gotorch/interp/check"
)

// counterpart is a name of PyTorch in a module, and what to write here. A test runs the cell that follows it.
type counterpart struct {
	name string // below torch
	say  string
	cell string // follows it
}

// paths are the names whose counterpart is not found by its own name: those are in [modules].
var paths = []counterpart{
	{"autograd.grad", "autograd.Grad(y, x) gives the gradients, as a list",
		"w := Ones(2).RequiresGrad_()\nautograd.Grad((w*w).Sum(), w)[0]"},
	{"autograd.backward", "y.Backward() computes the gradients",
		"w := Ones(2).RequiresGrad_()\n(w*w).Sum().Backward()\nw.Grad()"},
	{"autograd.Function", `autograd.Custom("name", forward, backward) makes a function with a derivative of its own`,
		"f := autograd.Custom(\"Square\", func(s *autograd.Saving, x *Tensor) *Tensor { s.Save(x); return x * x },\n" +
			"\tfunc(s *autograd.Saving, g *Tensor) *Tensor { return g * s.Saved(0) * 2 })\nf.Apply(Ones(2).RequiresGrad_())"},
	{"autograd.functional.jacobian", "autograd.Jacobian(f, x) is the matrix of derivatives",
		"autograd.Jacobian(func(x *Tensor) *Tensor { return x * x }, Ones(2))"},
	{"autograd.functional.hessian", "autograd.Hessian(f)(x) is the matrix of second derivatives",
		"autograd.Hessian(func(x *Tensor) *Tensor { return (x * x * x).Sum() })(Ones(2))"},
	{"autograd.gradcheck", "autograd.Gradcheck(f, inputs) compares derivatives with differences",
		"f := func(x []*Tensor) []*Tensor { return []*Tensor{x[0].Sin()} }\n" +
			"autograd.Gradcheck(f, []*Tensor{Ones(2, dtype=Float64).RequiresGrad_()})"},
	{"vmap", "autograd.Vmap(f) maps a function over the first dimension",
		"autograd.Vmap(func(x *Tensor) *Tensor { return x * 2 })(Ones(3))"},
	{"save", `nn.Save(model, "m.safetensors") writes a model, SaveNpz("w.npz", map[string]*Tensor{"w": w}) tensors`,
		"dir, _ := os.MkdirTemp(\"\", \"\")\nnn.Save(nn.NewLinear(2, 3), dir+\"/m.safetensors\")\n" +
			"SaveNpz(dir+\"/w.npz\", map[string]*Tensor{\"w\": Ones(2)})\nos.RemoveAll(dir)"},
	{"load", `nn.LoadPt("m.pt") reads what torch.save wrote, nn.Load(model, path) into a model, LoadNpz("w.npz") tensors`,
		"dir, _ := os.MkdirTemp(\"\", \"\")\nm := nn.NewLinear(2, 3)\nnn.Save(m, dir+\"/m.safetensors\")\n" +
			"nn.Load(m, dir+\"/m.safetensors\")\nos.RemoveAll(dir)\nnn.LoadPt"},
	{"utils.data.DataLoader", "for b := range data.Loader(set, opt.Batch(8)) { … } goes through its batches",
		"for b := range data.Loader(data.Tensors(Ones(4, 2), Ones(4)), opt.Batch(2)) { fmt.Println(b) }"},
	{"compile", "there is no compiler: Fuse(f) runs a chain of pointwise operators as one loop",
		"Fuse(func(x *Tensor) *Tensor { return x * 2 + 1 })(Ones(3))"},
	{"manual_seed", "ManualSeed(0) sets the seed", "ManualSeed(0)"},
}

// modules are PyTorch's, and how the names of what is in them begin here: nn.Linear is nn.NewLinear.
var modules = map[string]struct {
	prefixes []string
	upper    bool // for names that begin with a capital
}{
	"nn":            {[]string{"nn.New", "nn."}, true},
	"optim":         {[]string{"optim.New"}, true},
	"fft":           {[]string{"Fft"}, false},
	"linalg":        {[]string{"Linalg"}, false},
	"special":       {[]string{"Special", ""}, false},
	"utils.data":    {[]string{"data."}, true},
	"distributions": {[]string{"distributions.New"}, true},
	"nn.init":       {[]string{"inits."}, false},
	"nn.functional": {[]string{""}, false},
}

// torchPath is the part of a name below torch, for the names that Python's users give its modules.
func torchPath(full string) string {
	switch {
	case strings.HasPrefix(full, "torch."):
		return full[len("torch."):]
	case strings.HasPrefix(full, "F."):
		return "nn.functional." + full[len("F."):]
	case strings.HasPrefix(full, "functional."):
		return "nn." + full
	case strings.HasPrefix(full, "nn."), strings.HasPrefix(full, "optim."), strings.HasPrefix(full, "linalg."),
		strings.HasPrefix(full, "fft."), strings.HasPrefix(full, "special."):
		return full
	}
	return ""
}

// pathHint says what to write for a name of PyTorch's in a module; "" where that is found by the last name alone.
func pathHint(n Names, full string) string {
	below := torchPath(full)
	for _, p := range paths {
		if below == p.name {
			return full + " here: " + p.say
		}
	}
	i := strings.LastIndexByte(below, '.')
	if i < 0 {
		return ""
	}
	if got := inModule(n, below[:i], below[i+1:]); got != "" {
		return full + " is " + got + " here"
	}
	return ""
}

// inModule is Go's name of one in a module of PyTorch's, by the rule of [modules]; "" where the rule finds none.
func inModule(n Names, module, name string) string {
	m, ok := modules[module]
	if !ok || m.upper != (name != "" && name[0] >= 'A' && name[0] <= 'Z') {
		return ""
	}
	for _, prefix := range m.prefixes {
		for _, got := range []string{prefix + camel(name), prefix + camel(name) + "_"} { // inits.KaimingNormal_
			if known(n, got) {
				return got
			}
		}
	}
	return ""
}

// camel is a name of Python's in Go's case: cholesky_ex is CholeskyEx.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// known reports whether the session has a name, that of a package's too.
func known(n Names, name string) bool {
	_, ok := check.Describe(n.Env, name, len(name))
	return ok
}
