package visualize

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// callsShown are calls that are shown as branches and as a chain.
var callsShown = []struct {
	name string
	call func(s *viewtest.Session) func()
}{
	{"", func(s *viewtest.Session) func() {
		a, b := s.Name("a", viewtest.Floats(2, 3)), s.Name("b", viewtest.Floats(3))
		return func() { s.At("In[4]", 1, "c"); a.Add(b) }
	}},
	{"grad", func(s *viewtest.Session) func() {
		w := s.Leaf("w", 1, 2, 3)
		return func() { w.Mul(w).Sum(opt.Dim(1)) }
	}},
	{"promoted", func(s *viewtest.Session) func() {
		n := s.Name("n", tensor.Arange(3))
		return func() { n.Sqrt() }
	}},
	{"dtype", func(s *viewtest.Session) func() {
		z := s.Name("z", tensor.Ones(2).To(tensor.Complex64))
		return func() { z.Floor() }
	}},
	{"shape", func(s *viewtest.Session) func() {
		return func() { viewtest.Floats(2, 3).Add(viewtest.Floats(4)) }
	}},
	{"inplace", func(s *viewtest.Session) func() {
		x := s.Name("x", viewtest.Floats(2, 3))
		return func() { x.Mul_(2) }
	}},
	{"view", func(s *viewtest.Session) func() {
		x := s.Name("x", viewtest.Floats(2, 3))
		return func() { x.T() }
	}},
	{"body", func(s *viewtest.Session) func() {
		x, w := s.Name("x", viewtest.Floats(2, 3)), s.Leaf("w", 1, 4, 3)
		return func() { tensor.Linear(x, w) }
	}},
	{"sparse", func(s *viewtest.Session) func() {
		m := s.Name("m", viewtest.Floats(2, 2).ToSparse())
		return func() { m.Mul(m) }
	}},
	{"sparse_error", func(s *viewtest.Session) func() {
		m := s.Name("m", viewtest.Floats(2, 2).ToSparseCsr())
		return func() { m.Sort() }
	}},
	{"meta", func(s *viewtest.Session) func() {
		x := s.Name("x", viewtest.Floats(2, 3).To(tensor.Meta))
		return func() { x.Matmul(x.T()) }
	}},
	{"device", func(s *viewtest.Session) func() {
		d := tensor.RegisterDevice("toy", nil, host{})(0)
		s.T.Cleanup(d.Unregister)
		d.RegisterKernel("neg", func(c *tensor.Call) {
			c.SwitchDtype(c.Plan().Dtype, tensor.ByDtype{tensor.Float32: func(*tensor.Call) {}})
		})
		x := s.Name("x", viewtest.Floats(2, 3).To(d))
		return func() { x.Neg() }
	}},
	{"factory", func(s *viewtest.Session) func() {
		return func() { tensor.Zeros(2, 3) }
	}},
	{"defined", func(s *viewtest.Session) func() {
		s.At("In[2]", 1, "")
		double := tensor.Define("my::double(Tensor self) -> Tensor", tensor.Definition{
			Pointwise: true,
			Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
				c.SwitchDtype(c.Plan().Dtype, tensor.ByDtype{
					tensor.Float32: func(c *tensor.Call) {
						tensor.Pointwise1(c, func(x float32) float32 { return 2 * x })
					},
					tensor.Int64: func(c *tensor.Call) {
						tensor.Pointwise1(c, func(x int64) int64 { return 2 * x })
					},
				})
			}},
		})
		s.T.Cleanup(double.Remove)
		x := s.Name("x", viewtest.Floats(3))
		return func() { s.At("In[3]", 1, ""); double.Call(x) }
	}},
}

func init() {
	anyTensorViews["branches"] = func(x *tensor.Tensor) View { return Branches(func() { x.Detach() }) }
	anyTensorViews["chain"] = func(x *tensor.Tensor) View { return Chain(func() { x.Detach() }) }
	for _, c := range callsShown {
		name := strings.TrimSuffix("branches_"+c.name, "_")
		addExamples(exampleView{name, func(s *viewtest.Session) View {
			v, _ := RecordBranches(c.call(s))
			return v
		}}, exampleView{strings.Replace(name, "branches", "chain", 1), func(s *viewtest.Session) View {
			s.Source = func(at tensor.Site) string { return "" }
			if c.name == "" {
				s.Source = func(at tensor.Site) string { return "c := a + b" }
			}
			v, _ := RecordChain(c.call(s))
			return v
		}})
	}
}

// TestBranchesOfNothing: an expression that calls no operator is an error that says so, and a panic goes on.
func TestBranchesOfNothing(t *testing.T) {
	viewtest.NewSession(t)
	for name, view := range map[string]func(f func()){"branches": func(f func()) { Branches(f) },
		"chain": func(f func()) { Chain(f) }} {
		err := tensor.Try(func() { view(func() {}) })
		if err == nil || !strings.Contains(err.Error(), "no operator was called") {
			t.Errorf("%s: %v", name, err)
		}
		err = tensor.Try(func() { view(func() { viewtest.Floats(2).Add(viewtest.Floats(3)) }) })
		if err == nil || strings.Contains(err.Error(), "no operator was called") {
			t.Errorf("%s of a call that panics: %v", name, err)
		}
		err = tensor.Try(func() { view(func() { panic(tensor.Errorf("mine", "stop")) }) })
		if err == nil || !strings.Contains(err.Error(), "stop") {
			t.Errorf("%s of a panic before any call: %v", name, err)
		}
	}
}

// TestCubeByHand holds cells of the cube against calls that are written out, for each device, layout and dtype.
func TestCubeByHand(t *testing.T) {
	viewtest.NewSession(t)
	d := tensor.RegisterDevice("toy", nil, host{})(0)
	t.Cleanup(d.Unregister)
	d.RegisterKernel("neg", func(c *tensor.Call) {})
	layouts := map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"strided":    func(x *tensor.Tensor) *tensor.Tensor { return x },
		"sparse_coo": func(x *tensor.Tensor) *tensor.Tensor { return x.ToSparse() },
		"sparse_csr": func(x *tensor.Tensor) *tensor.Tensor { return x.ToSparseCsr() },
	}
	for name, call := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"mul":   func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x) },
		"floor": func(x *tensor.Tensor) *tensor.Tensor { return x.Floor() },
		"neg":   func(x *tensor.Tensor) *tensor.Tensor { return x.Neg() },
		"sum":   func(x *tensor.Tensor) *tensor.Tensor { return x.Sum() },
		"flip":  func(x *tensor.Tensor) *tensor.Tensor { return x.Flip(0) },
	} {
		cube := Branches(func() { call(tensor.Ones(2, 2)) }).Cube
		if len(cube.Rows) != 3*len(layouts) || cube.Cells != len(cube.Rows)*len(cube.Dtypes) {
			t.Errorf("%s: %d rows, %d cells", name, len(cube.Rows), cube.Cells)
		}
		works := 0
		for _, row := range cube.Rows {
			d, _ := tensor.ParseDevice(row.Device)
			for i, dt := range tensor.Dtypes() {
				var y *tensor.Tensor
				err := tensor.Try(func() { y = call(layouts[row.Layout](tensor.Eye(2).To(dt).To(d))) })
				want := ""
				if err == nil {
					want = y.Dtype().String()
					works++
				}
				if row.Cells[i].Result != want {
					t.Errorf("%s of %s, %s on %s: the cube says %+v, a call gives %q %v", name, dt, row.Layout, row.Device,
						row.Cells[i], want, err)
				}
			}
		}
		if works != cube.Works {
			t.Errorf("%s: %d cells work, the cube says %d", name, works, cube.Works)
		}
		if at := cube.Taken; at == nil || cube.Rows[at.Row].Device != "cpu" || cube.Rows[at.Row].Layout != "strided" ||
			cube.Dtypes[at.Dtype] != "float32" {
			t.Errorf("%s: the call's cell is %+v", name, at)
		}
	}
}

// TestBranchesAreTheTraces: the kernel that is highlighted is the one that the trace of the same call names, in every
// dtype, and the dtypes that are errors are those whose calls fail.
func TestBranchesAreTheTraces(t *testing.T) {
	viewtest.NewSession(t)
	for name, call := range map[string]func(x *tensor.Tensor){
		"add":         func(x *tensor.Tensor) { x.Add(x) },
		"exp":         func(x *tensor.Tensor) { x.Exp() },
		"floor":       func(x *tensor.Tensor) { x.Floor() },
		"bitwise_and": func(x *tensor.Tensor) { x.BitwiseAnd(x) },
		"sum":         func(x *tensor.Tensor) { x.Sum() },
	} {
		for _, dt := range tensor.Dtypes() {
			x := tensor.Ones(2, 2).To(dt)
			v, panicked := RecordBranches(func() { call(x) })
			trace, _ := Record(func() { call(x) })
			if panicked != nil {
				if i := len(v.Second); v.Error == "" || i > 0 && v.Second[int(dt)-int(tensor.Bool)].Why == "" {
					t.Errorf("%s of %s fails, and the branches are %+v", name, dt, v.Second)
				}
				continue
			}
			steps := trace.Calls[len(trace.Calls)-1].Steps
			if ran := steps[len(steps)-1].What; ran != v.Kernel {
				t.Errorf("%s of %s: the trace says %q, the branches %q", name, dt, ran, v.Kernel)
			}
			n := 0
			for _, b := range v.Second {
				if b.Taken {
					n++
					if !strings.HasPrefix(v.Kernel, b.Kernel) {
						t.Errorf("%s of %s: ran %q, the branch is %q", name, dt, v.Kernel, b.Kernel)
					}
				}
			}
			if n != 1 {
				t.Errorf("%s of %s: %d branches are taken", name, dt, n)
			}
		}
	}
}

// TestChainPlaces: the binding is the function that was called, whatever its kind.
func TestChainPlaces(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Name("x", viewtest.Floats(2, 3))
	for name, f := range map[string]func(){
		"func (x *Tensor) Exp(":     func() { x.Exp() },
		"func (x *Tensor) Mul_(":    func() { x.Mul_(2) },
		"func Cat(":                 func() { tensor.Cat([]*tensor.Tensor{x, x}) },
		"func (w *Factory) Zeros(":  func() { tensor.With(opt.Device(tensor.Meta)).Zeros(2) },
		"func (x *Tensor) Softmax(": func() { x.Softmax(opt.Dim(1)) },
	} {
		v := Chain(f)
		found := map[string]bool{}
		for _, l := range v.Links {
			found[l.Name] = true
			if l.Name == "binding" && !strings.HasPrefix(l.Code[0], name) {
				t.Errorf("%s: the binding is %q", name, l.Code[0])
			}
		}
		for _, want := range []string{"schema", "binding", "dispatcher"} {
			if !found[want] {
				t.Errorf("%s: no %s in %v", name, want, fmt.Sprint(v))
			}
		}
	}
}

// TestBranchesChangeNothing: the call runs once, and trying others leaves neither random numbers nor records behind.
func TestBranchesChangeNothing(t *testing.T) {
	viewtest.NewSession(t)
	tensor.ManualSeed(7)
	tensor.Rand(2)
	want := tensor.Rand(3).String()
	tensor.ManualSeed(7)
	Branches(func() { tensor.Rand(2) })
	if got := tensor.Rand(3).String(); got != want {
		t.Errorf("the next numbers are %s, without the view %s", got, want)
	}
	x := tensor.Ones(2)
	Branches(func() { x.Add_(1) })
	if got := fmt.Sprint(x.At(0)); got != "2" {
		t.Errorf("x was written to more than once: %s", got)
	}
	tr := TraceFunc(func() { Branches(func() { x.Exp() }) })
	if n := tr.Count(); n > 1 {
		t.Errorf("the trace has %d calls", n)
	}
}
