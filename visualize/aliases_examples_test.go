package visualize

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	anyTensorViews["aliases"] = func(x *tensor.Tensor) View { return Aliases(x) }
	addExamples(
		exampleView{"aliases", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(4, 6))
			s.At("In[2]", 1, "t")
			t := s.Name("t", x.T())
			s.At("In[2]", 2, "row")
			s.Name("row", t.Select(1, 2))
			s.At("In[2]", 3, "odd")
			s.Name("odd", x.Slice(opt.Dim(1), opt.Step(2)))
			s.At("In[3]", 1, "y")
			s.Name("y", tensor.Ones(3))
			return Aliases()
		}},
		exampleView{"aliases_held", func(s *viewtest.Session) View {
			x := tensor.Zeros(1024, 1024)
			s.At("In[2]", 1, "corner")
			s.Name("corner", x.Narrow(0, 700, 2).Narrow(1, 0, 2))
			big := s.Name("big", tensor.Zeros(512, 512))
			s.At("In[3]", 1, "tiles")
			for i, p := range big.Split(128) {
				s.Name(fmt.Sprintf("tiles[%d]", i), p)
			}
			s.At("In[4]", 1, "shape")
			s.Name("shape", tensor.ZerosLike(big, opt.Device(tensor.Meta)))
			return Aliases()
		}},
		exampleView{"aliases_of", func(s *viewtest.Session) View {
			x := s.Leaf("x", 1, 3, 4)
			s.At("In[2]", 1, "y")
			y := s.Name("y", x.Exp())
			y.Sum().Backward()
			s.Name("other", viewtest.Floats(7))
			s.At("In[3]", 1, "d")
			s.Name("d<i>", y.Detach())
			s.Typed = []string{"y[::-1]", "x"}
			return Aliases(viewtest.Window(y, []int{3, 4}, []int{-4, 1}, 8), x)
		}},
		exampleView{"aliases_none", func(s *viewtest.Session) View { return Aliases() }},
	)
}

// TestAliasNames: all names of a tensor stand in one line, names whose tensors are gone in none, and no name that
// looks elsewhere is shown where tensors are asked for.
func TestAliasNames(t *testing.T) {
	s := viewtest.NewSession(t)
	x := viewtest.Floats(2, 2)
	s.AllNamed = (func() map[*tensor.Tensor][]string {
		m := map[*tensor.Tensor][]string{x: {"longer", "x"}}
		for y, n := range s.Named {
			m[y] = []string{n}
		}
		return m
	})
	s.Name("z", viewtest.Floats(3))
	if text := Aliases().Text(false); !strings.Contains(text, "x = longer") || !strings.Contains(text, "  z ") ||
		!strings.Contains(text, "2 storages, 28 B kept") {
		t.Error(text)
	}
	if m := Aliases(x); len(m.Storages) != 1 || len(m.Storages[0].Names) != 1 {
		t.Errorf("more than was asked for:\n%v", m)
	}
	clear(s.Named)
	if text := Aliases().Text(false); strings.Contains(text, "  z ") {
		t.Error(text)
	}
}

// TestManyAliases: more names than are shown are counted.
func TestManyAliases(t *testing.T) {
	s := viewtest.NewSession(t)
	for i := range 100 {
		x := s.Name(fmt.Sprint("x", i), viewtest.Floats(10))
		for j := range i % 40 {
			s.Name(fmt.Sprint("x", i, "v", j), x.Narrow(0, 0, 1+j%9))
		}
	}
	m := Aliases()
	viewtest.CheckForms(t, m)
	rows := 0
	for _, st := range m.Storages {
		rows += len(st.Names)
	}
	if m.Count != 100 || m.More+len(m.Storages) != 100 || rows > 48 || m.Kept != 4000 {
		t.Errorf("%d storages, %d shown, %d more, %d rows", m.Count, len(m.Storages), m.More, rows)
	}
}

// TestAliasesKeepNothing: the map, the log and the card keep no tensor alive, nor does what tensors note in a session.
func TestAliasesKeepNothing(t *testing.T) {
	s := viewtest.NewSession(t)
	s.At("In[1]", 1, "y")
	var views []View
	var gone []weak.Pointer[tensor.Tensor]
	var err error
	var row *tensor.Tensor
	func() {
		x := s.Name("x", viewtest.Floats(3, 4).RequiresGrad_())
		y := s.Name("y", x.Exp())
		z := y.Detach()
		z.Select(0, 1).Mul_(2)
		z.Add_(1)
		err = tensor.Try(func() { y.Sum().Backward() })
		row = z.T().Clone().T() // what made its base is noted, and that base is gone
		views = append(views, Aliases(), Aliases(z.T()), Versions(y), Card(y), Explain(err))
		gone = append(gone, weak.Make(x), weak.Make(y), weak.Make(z))
		clear(s.Named)
	}()
	for range 20 {
		runtime.GC()
	}
	if err == nil {
		t.Error("no error")
	}
	for i, p := range gone {
		if p.Value() != nil {
			t.Errorf("tensor %d is kept alive", i)
		}
	}
	runtime.KeepAlive(row)
	runtime.KeepAlive(views)
	runtime.KeepAlive(err)
}
