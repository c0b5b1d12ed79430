package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"gotorch/interp/syntax"
)

func (s *session) must(t testing.TB, src string) *Checked {
	t.Helper()
	c, err := s.check(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return c
}

func defNames(ds []*Def) string {
	var ns []string
	for _, d := range ds {
		ns = append(ns, d.Kind.String()+" "+d.Name)
	}
	return strings.Join(ns, ", ")
}

// Check changes nothing; what a cell defines counts once it is committed.
func TestAtomic(t *testing.T) {
	s := newSession()
	s.must(t, "x := 1")
	if _, err := s.check("x"); err == nil {
		t.Error("x is live without Commit")
	}
	c := s.must(t, "x := 1\nvar y, _ = 2, 3\nfunc f() int { return x }\ntype T struct{}\nfunc (T) M() {}\nconst K = 7")
	if got := defNames(c.Defs); got != "var x, var y, func f, type T, const K" {
		t.Errorf("defines %s", got)
	}
	if len(c.Methods) != 1 || c.Methods[0].Recv.Name != "T" || c.Methods[0].Decl.Name.Name != "M" {
		t.Errorf("methods %v", c.Methods)
	}
	s.env.Commit(c, func(d *Def) bool { return d.Name != "y" })
	s.must(t, "x, f(), T{}, K")
	if _, err := s.check("y"); err == nil {
		t.Error("y was not to be kept")
	}
	if _, err := s.check("x := \"a\"\nnope"); err == nil {
		t.Error("nope?")
	}
	if d := s.env.Lookup("x"); d.Type() != types.Typ[types.Int] {
		t.Errorf("a failed cell changed x to %v", d.Type())
	}
	s.env.Forget("f")
	if _, err := s.check("f()"); err == nil {
		t.Error("f was forgotten")
	}
	if got := defNames(s.env.Names()); got != "const K, type T, var x" {
		t.Errorf("live: %s", got)
	}
}

// Every object of a cell's trees leads to its definition.
func TestDefs(t *testing.T) {
	s := newSession()
	s.env.Commit(s.must(t, "type T struct{ a int }\nx := T{1}\nfunc g() int { return 1 }"), nil)
	old := map[string]*Def{"T": s.env.Lookup("T"), "x": s.env.Lookup("x"), "g": s.env.Lookup("g")}
	c := s.must(t, "y := x\nx := y.a + g()\nfunc f() int { return x }\nz := T{}\nx")
	uses := map[string][]*Def{}
	c.Each(func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := c.Info.ObjectOf(id); o != nil && c.Def(o) != nil {
				uses[id.Name] = append(uses[id.Name], c.Def(o))
			}
		}
		return true
	})
	var x *Def
	for _, d := range c.Defs {
		if d.Name == "x" {
			x = d
		}
	}
	if x == nil || x.Prev != old["x"] {
		t.Fatalf("the new x: %+v", x)
	}
	// f's x; then y := x; x :=; and the last line
	if want := []*Def{x, old["x"], x, x}; !slices.Equal(uses["x"], want) {
		t.Errorf("x stands for %v, want %v", uses["x"], want)
	}
	if !slices.Equal(uses["T"], []*Def{old["T"]}) || !slices.Equal(uses["g"], []*Def{old["g"]}) {
		t.Errorf("T %v, g %v", uses["T"], uses["g"])
	}
	var y *Def
	for _, d := range c.Defs {
		if d.Name == "y" {
			y = d
		}
	}
	if n, ok := y.Type().(*types.Named); !ok || c.Def(n.Obj()) != old["T"] {
		t.Errorf("the type of y is %v", y.Type())
	}
}

// Every node of the result has types, and no tensor form is left.
func TestPlain(t *testing.T) {
	s := newSession()
	for _, cell := range cells(t, "testdata/tensor.cells") {
		c, err := s.check(cell)
		if err != nil {
			continue
		}
		c.Each(func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == syntax.At {
					t.Errorf("%s: @ is left", cell)
				}
			case *ast.CompositeLit:
				if c.Cell.Kinds[n] != syntax.NotForm {
					t.Errorf("%s: a form is left", cell)
				}
			case *ast.SelectorExpr:
				if _, ok := c.Info.Types[n]; !ok && c.Info.Uses[n.Sel] == nil {
					t.Errorf("%s: %s has no type", cell, types.ExprString(n))
				}
				if id, ok := n.X.(*ast.Ident); ok && c.Info.Uses[id] == nil {
					t.Errorf("%s: %s stands for nothing", cell, id.Name)
				}
			case *ast.Ident:
				if !n.Pos().IsValid() || int(n.Pos()) > c.Cell.File.Base()+c.Cell.File.Size() ||
					int(n.Pos()) < c.Cell.File.Base() {
					t.Errorf("%s: %s stands outside of the cell", cell, n.Name)
				}
			}
			return true
		})
		for _, u := range c.Used {
			if u.Pkg == nil || u.Path == "" || strings.Contains(u.Name, "·") {
				t.Errorf("%s: uses %+v", cell, u)
			}
		}
		s.env.Commit(c, nil)
	}
}

// What %go shows reads as Go and gives itself.
func TestGoIsGo(t *testing.T) {
	s := newSession()
	n := 0
	for _, cell := range cells(t, "testdata/syntax.cells") {
		if cell == "%fresh" {
			s = newSession()
			continue
		}
		c, err := s.check(cell)
		if err != nil {
			continue
		}
		text := c.Go()
		if len(c.Show) > 1 { // a line each: no cell by itself
			s.env.Commit(c, nil)
			continue
		}
		again, err := s.check(text)
		if err != nil {
			t.Errorf("%s\nbecame\n%s\n%v", cell, text, err)
		} else if got := again.Go(); got != text {
			t.Errorf("%s\nbecame\n%s\nand then\n%s", cell, text, got)
		} else {
			n++
		}
		s.env.Commit(c, nil)
	}
	if n < 100 {
		t.Errorf("only %d cells", n)
	}
}

// Without package tensor the checker takes plain Go.
func TestPlainGo(t *testing.T) {
	cfg := Standard()
	cfg.Bare = ""
	s := &session{env: NewEnv(cfg), fset: token.NewFileSet()}
	s.must(t, "xs := []int{1, 2}\nfor i := range xs { fmt.Println(i) }\nxs")
	if _, err := s.check("Zeros(2)"); err == nil || !strings.Contains(err.Error(), "undefined: Zeros") {
		t.Errorf("%v", err)
	}
	if _, err := s.check("a := 1\na @ 2"); err == nil {
		t.Error("@ of ints")
	}
}

func FuzzCheck(f *testing.F) {
	for _, name := range []string{"tensor", "names", "session", "syntax"} {
		for _, c := range cells(f, "testdata/"+name+".cells") {
			f.Add(c)
		}
	}
	b, _ := os.ReadFile("../syntax/testdata/messages.txt")
	f.Add(string(b))
	s := askSession(f)
	f.Fuzz(func(t *testing.T, src string) {
		c, err := s.check(src)
		if err != nil {
			if strings.Contains(err.Error(), "a fault of the checker") {
				t.Error(err)
			}
		} else {
			c.Go()
		}
		at := len(src) * 2 / 3
		Complete(s.env, src, at)
		Describe(s.env, src, at)
	})
}
