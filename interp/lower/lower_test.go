package lower

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"gotorch/interp/check"
	"gotorch/interp/core"
	"gotorch/interp/exportdata"
	"gotorch/interp/rt"
	"gotorch/interp/symbols"
	"gotorch/interp/syntax"
)

// engine has every host package and keeps nothing.
type engine struct{ files *token.FileSet }

func (engine) Use(path string) error                                       { return nil }
func (engine) WaitingMethod(_, _, _ string, _ bool) (name string, ok bool) { return "", false }
func (e engine) FileSet() *token.FileSet                                   { return e.files }
func (engine) Own(name string) *core.Global                                { return &core.Global{Name: name} }

func (engine) TypeOf(path, name string) (reflect.Type, bool) {
	p, ok := symbols.Lookup(path)
	if !ok {
		return nil, false
	}
	v, ok := p.Symbols()[name]
	if !ok || v.Kind() != reflect.Pointer {
		return nil, false
	}
	return v.Type().Elem(), true
}

// lowered returns the text that a cell becomes.
func lowered(t *testing.T, src string) string {
	t.Helper()
	r := rt.New()
	e := engine{token.NewFileSet()}
	imp := exportdata.NewImporter()
	env := check.NewEnv(check.Config{Importer: imp, Auto: map[string]string{"fmt": "fmt", "errors": "errors",
		"slices": "slices", "sync": "sync"}})
	cell, err := syntax.Parse(e.FileSet(), "In[1]", src)
	if err != nil {
		t.Fatal(err)
	}
	c, ds := check.Check(env, cell)
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	p, err := New(r, e, imp).Lower(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, d := range p.File.Decls {
		printer.Fprint(&b, token.NewFileSet(), d)
		b.WriteByte('\n')
	}
	return b.String()
}

// TestCoreGo: a cell becomes core Go. Each row says what core Go does not have or what would go wrong; what the cells
// then do is tested by package interp, held against the compiler.
func TestCoreGo(t *testing.T) {
	for _, c := range []struct {
		fault, src string
		has, not   []string
	}{
		{"it has no range over functions", "for x := range slices.Values([]int{1}) { _ = x }",
			[]string{"return true"}, nil},
		{"it has no min", "a := 1\nmin(a, 2)", []string{"b < a"}, []string{"min("}},
		{"it has no clear", "m := map[int]int{}\nclear(m)", []string{"rt·.Clear("}, nil},
		{"declared types have no identity in interfaces", "type E int\nvar x any = E(1)\n_, ok := x.(E)\nok",
			[]string{"rt·.Box(", "rt·.As("}, nil},
		{"interfaces with methods are not kept apart from others",
			"type I interface{ M() int }\ntype T int\nfunc (T) M() int { return 1 }\nvar i I = T(1)\ni.M()",
			[]string{"rt·.Method("}, []string{"interface{ M", "func (T"}},
		{"type arguments are not inferred through functions",
			"func Map[T, U any](s []T, f func(T) U) []U { return nil }\nMap([]int{1}, func(int) string { return " +
				"\"\" })", []string{"[]int, ", "[]string"}, []string{"[T,"}},
		{"constants of other types are converted wrongly", "const big = 1 << 40\nvar f float64 = big / 3",
			[]string{"float64("}, []string{"<<", "big"}},
		{"deferred closures hang", "func f() { g := func() {}; defer func() { g() }() }",
			[]string{"rt·.Protect(", "rt·.Defer("}, []string{"defer "}},
		{"a panic in a goroutine ends the process", "go func() { panic(1) }()", []string{"rt·.Go("},
			[]string{"go func"}},
		{"types declared in functions clash",
			"func f() { type T struct{ a int }; _ = T{1} }\nfunc g() { type T struct{ b string }; _ = T{\"\"} }",
			[]string{"type T·"}, nil},
		{"recursive types that are laid out alike become one", "type L struct{ next *L }\nvar l L",
			[]string{"gotorch:"}, nil},
		{"a switch over interfaces converts its cases", "var x any = 3\nswitch x { case 3: }", []string{"rt·.Equal("},
			nil},
		{"make of too much memory ends the process", "n := 1\nmake([]int, n)", []string{"rt·.Len("}, nil},
	} {
		text := lowered(t, c.src)
		for _, w := range c.has {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the lowered text lacks %q:\n%s", c.fault, w, text)
			}
		}
		for _, w := range c.not {
			if strings.Contains(text, w) {
				t.Errorf("%s: the lowered text has %q:\n%s", c.fault, w, text)
			}
		}
	}
}

// TestUndo: a program that could not be run leaves nothing that later ones
// would count on.
func TestUndo(t *testing.T) {
	r := rt.New()
	e := engine{token.NewFileSet()}
	imp := exportdata.NewImporter()
	l := New(r, e, imp)
	env := check.NewEnv(check.Config{Importer: imp, Auto: map[string]string{}})
	src := "type T struct{ a int }\nfunc F[X any](x X) X { return x }\nF(T{1})"
	for i, name := range []string{"In[1]", "In[2]"} {
		cell, _ := syntax.Parse(e.FileSet(), name, src)
		c, ds := check.Check(env, cell)
		if len(ds) > 0 {
			t.Fatal(ds)
		}
		p, err := l.Lower(c, i+1)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range p.File.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s declares %d types, want 1", name, n)
		}
		l.Undo(p)
		if len(l.structs)+len(l.instances)+len(l.helpers)+len(l.linked) != 0 {
			t.Error("Undo left something")
		}
	}
}
