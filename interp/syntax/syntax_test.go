package syntax

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"strings"
	"testing"
)

// show writes a tree with its tensor forms, so that a test can say what was read.
func show(c *Cell, n any) string {
	var b strings.Builder
	var w func(n any)
	list := func(xs []ast.Expr) {
		for i, x := range xs {
			if i > 0 {
				b.WriteString(", ")
			}
			w(x)
		}
	}
	w = func(n any) {
		switch x := n.(type) {
		case *ast.Ident:
			if Missing(x) {
				b.WriteByte('_')
				return
			}
			b.WriteString(x.Name)
		case *ast.BasicLit:
			b.WriteString(x.Value)
		case *ast.ParenExpr:
			b.WriteString("(")
			w(x.X)
			b.WriteString(")")
		case *ast.BinaryExpr:
			b.WriteString("{")
			w(x.X)
			b.WriteString(" " + OpString(x.Op) + " ")
			w(x.Y)
			b.WriteString("}")
		case *ast.UnaryExpr:
			b.WriteString(OpString(x.Op))
			w(x.X)
		case *ast.StarExpr:
			b.WriteString("*")
			w(x.X)
		case *ast.SelectorExpr:
			w(x.X)
			b.WriteString("." + x.Sel.Name)
		case *ast.CallExpr:
			w(x.Fun)
			b.WriteString("(")
			list(x.Args)
			for _, k := range c.Keywords[x] {
				b.WriteString(" " + k.Name.Name + "=")
				w(k.Value)
			}
			b.WriteString(")")
		case *ast.IndexExpr:
			w(x.X)
			b.WriteString("[")
			w(x.Index)
			b.WriteString("]")
		case *ast.IndexListExpr:
			w(x.X)
			b.WriteString("[")
			list(x.Indices)
			b.WriteString("]")
		case *ast.SliceExpr:
			w(x.X)
			b.WriteString("[go ")
			for i, e := range []ast.Expr{x.Low, x.High, x.Max} {
				if i > 0 {
					b.WriteString(":")
				}
				if e != nil {
					w(e)
				}
			}
			b.WriteString("]")
		case *ast.ArrayType:
			b.WriteString("array[")
			if x.Len != nil {
				w(x.Len)
			}
			b.WriteString("]")
			w(x.Elt)
		case *ast.Ellipsis:
			b.WriteString("...")
		case *ast.CompositeLit:
			switch c.Kinds[x] {
			case List:
				b.WriteString("list<")
			case Subscript:
				b.WriteString("sub<")
			case Range:
				b.WriteString("range<")
			case Dots:
				b.WriteString("dots<")
			default:
				if x.Type != nil {
					w(x.Type)
				}
				b.WriteString("go<")
			}
			list(x.Elts)
			b.WriteString(">")
		case *ast.ExprStmt:
			w(x.X)
		case *ast.AssignStmt:
			list(x.Lhs)
			b.WriteString(" " + OpString(x.Tok) + " ")
			list(x.Rhs)
		default:
			fmt.Fprintf(&b, "%T", n)
		}
	}
	w(n)
	return b.String()
}

func TestForms(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"a @ b.T() * c", "{{a @ b.T()} * c}"},
		{"a + b @ c", "{a + {b @ c}}"},
		{"-a @ b", "{-a @ b}"},
		{"x @= y", "x @= y"},
		{"a @\n  b", "{a @ b}"},
		{"[1, 2]", "list<1, 2>"},
		{"[]", "list<>"},
		{"[a]", "list<a>"},
		{"[[1, 2], [3, 4.5]]", "list<list<1, 2>, list<3, 4.5>>"},
		{"[2]int{1, 2}", "array[2]intgo<1, 2>"},
		{"[...]string{}", "array[...]stringgo<>"},
		{"[a] * x", "array[a]*x"},
		{"[a, b] * x", "{list<a, b> * x}"},
		{"x[1:3]", "x[go 1:3:]"},
		{"x[:]", "x[go ::]"},
		{"x[1:2:3]", "x[go 1:2:3]"},
		{"x[:2:3]", "x[go :2:3]"},
		{"x[::2]", "x[sub<range<_, _, 2>>]"},
		{"x[1::]", "x[sub<range<1, _, _>>]"},
		{"x[::-1]", "x[sub<range<_, _, -1>>]"},
		{"x[1:3, :, ::2]", "x[sub<range<1, 3, _>, range<_, _, _>, range<_, _, 2>>]"},
		{"x[..., 0]", "x[sub<dots<>, 0>]"},
		{"x[:, None]", "x[sub<range<_, _, _>, None>]"},
		{"x[1:3,]", "x[sub<range<1, 3, _>>]"},
		{"x[0, -1]", "x[0, -1]"},
		{"x[[0, 2]]", "x[list<0, 2>]"},
		{"x[:, [0, 2]]", "x[sub<range<_, _, _>, list<0, 2>>]"},
		{"F[int, string](a)", "F[int, string](a)"},
		{"F[[]int](a)", "F[array[]int](a)"},
		{"x.Sum(dim=0, keepdim=true)", "x.Sum( dim=0 keepdim=true)"},
		{"h(a, range=[0, 1])", "h(a range=list<0, 1>)"},
		{"f(a, g(b, dim=1), dim=0)", "f(a, g(b dim=1) dim=0)"},
		{"f(a == b)", "f({a == b})"},
		{"New([\n  [1, 2],\n  [3, 4]\n])", "New(list<list<1, 2>, list<3, 4>>)"},
		{"h(a\n, 3)", "h(a, 3)"},
		{"a[\n  0,\n  :\n]", "a[sub<0, range<_, _, _>>]"},
		{"(a\n+ b)", "({a + b})"},
		{"x[0, :] = 5", "x[sub<0, range<_, _, _>>] = 5"},
		{"x[i] *= y", "x[i] *= y"},
		{"x[:, 1] *= b", "x[sub<range<_, _, _>, 1>] *= b"},
		{"a, x[0] = 1, y", "a, x[0] = 1, y"},
	} {
		c, err := Parse(token.NewFileSet(), "In[1]", tc.src)
		if err != nil {
			t.Errorf("%s: %v", tc.src, err)
			continue
		}
		its := items(c)
		if len(its) != 1 {
			t.Errorf("%s: %d items", tc.src, len(its))
			continue
		}
		if got := show(c, its[0]); got != tc.want {
			t.Errorf("%s: read as %s, want %s", tc.src, got, tc.want)
		}
	}
}

func TestItems(t *testing.T) {
	src := `import "os"
x := 1
func f() int { return x }
type T struct{ a int }
func (t T) M() {}
func() { x++ }()
const K = 3
var y = 2
x, y`
	c, err := Parse(token.NewFileSet(), "In[1]", src)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Imports) != 1 || len(c.Decls) != 4 || len(c.Stmts) != 3 || len(c.Show) != 2 || c.Quiet {
		t.Errorf("%d imports, %d declarations, %d statements, %d shown, quiet %v", len(c.Imports), len(c.Decls),
			len(c.Stmts), len(c.Show), c.Quiet)
	}
	for src, want := range map[string]string{
		"x": "1 false", "x;": "1 true", "x;\n": "1 true", "x\n\n": "1 false", "x := 1;": "0 false",
		"x; func f() {}": "0 false",
		"x; // why":      "1 true", "x // why;": "1 false", "f(); x": "1 false", "x; ;": "1 true",
	} {
		c, err := Parse(token.NewFileSet(), "In[1]", src)
		if got := fmt.Sprint(len(c.Show), c.Quiet); err != nil || got != want {
			t.Errorf("%q: %s %v, want %s", src, got, err, want)
		}
	}
}

func TestCompleteness(t *testing.T) {
	for _, tc := range []struct {
		src    string
		want   Verdict
		indent string
	}{
		{"", Complete, ""},
		{"x := 1", Complete, ""},
		{"x := a.Sum(", Incomplete, "\t"},
		{"x.Sum(dim=0", Incomplete, "\t"},
		{"a +", Incomplete, ""},
		{"a @", Incomplete, ""},
		{"a @\n", Incomplete, ""},
		{"x @=", Incomplete, ""},
		{"func f() {", Incomplete, "\t"},
		{"func f() {\n\tif x {", Incomplete, "\t\t"},
		{"func f() {\n\tx := `a\n", Incomplete, ""},
		{"/* why", Incomplete, ""},
		{"x[1:", Incomplete, "\t"},
		{"x[1:3,\n", Incomplete, "\t"},
		{"[[1, 2],", Incomplete, "\t"},
		{"type T struct {", Incomplete, "\t"},
		{"type T struct {\n\ta int\n", Incomplete, "\t"},
		{"var (\n\tx = 1\n", Incomplete, "\t"},
		{"if x > 1 { y() } else", Incomplete, ""},
		{"for i := range 3 {\n", Incomplete, "\t"},
		{"for i := range 3 {\n\tgo func() {\n\t\tx()\n\t\t}", Invalid, "\t"}, // its () follows
		{"func f() {\n\tdefer func() {\n\t}", Invalid, "\t"},
		{"switch x {\ncase 1:\n", Incomplete, "\t"},
		{"[]int{1,", Incomplete, "\t"},
		{"x.", Incomplete, ""},
		{"x := \"abc", Invalid, ""},
		{"x )", Invalid, ""},
		{"for t in xs {", Invalid, "\t"},
		{"if x > 1:", Invalid, ""},
		{"}", Invalid, ""},
		{"package foo", Invalid, ""},
		{"f(func() {", Incomplete, "\t"},
		{"f(func() {\n\tx()\n\t}", Incomplete, ""},
		{"for {\n\tf(func() {\n\t\tx()\n\t\t}", Incomplete, "\t"},
		{"for {\n\tf(func() {\n\t\tx()\n\t})", Incomplete, "\t"},
		{"f(g(1,\n2), []int{", Incomplete, "\t\t"},
		{"f(a,\n\t[]int{", Incomplete, "\t\t"},
		{"x y", Invalid, ""},
		{"`a` `b", Invalid, ""},
	} {
		v, indent := Completeness(tc.src)
		if tc.src == "`a` `b" && v == Incomplete { // the open string comes first to a scanner
			continue
		}
		if v != tc.want || indent != tc.indent {
			t.Errorf("%q: %v %q, want %v %q", tc.src, v, indent, tc.want, tc.indent)
		}
	}
}

// TestMessages reads testdata/messages.txt: a cell, then what is said of it.
func TestMessages(t *testing.T) {
	b, err := os.ReadFile("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cell, want []string
	n := 0
	check := func() {
		if cell == nil {
			return
		}
		n++
		src := strings.Join(cell, "\n")
		_, err := Parse(token.NewFileSet(), "In[1]", src)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != strings.Join(want, "\n") {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", src, got, strings.Join(want, "\n"))
		}
		cell, want = nil, nil
	}
	for _, line := range strings.Split(strings.TrimRight(string(b), "\n"), "\n") {
		if l, ok := strings.CutPrefix(line, ">>> "); ok {
			check()
			cell = []string{l}
		} else if l, ok := strings.CutPrefix(line, "... "); ok {
			cell = append(cell, l)
		} else {
			want = append(want, line)
		}
	}
	check()
	if n < 20 {
		t.Errorf("only %d cells", n)
	}
}

// What is read twice to decide must not be read 2^n times.
func TestNesting(t *testing.T) {
	for _, s := range []string{"type T[f(func() {", "[a][", "(", "[", "x[", "f(", "func() {", "{", "a+(", "*", "<-", "-",
		"!", "[]", "chan ", "map[int]", "struct{a ", "if x {", "for {", "L: ", "func(a ", "type T[a (", "(1, ",
		"a.b.", "a+"} {
		for _, n := range []int{30, 20000} {
			if s == "type T[f(func() {" && n > 30 {
				n = 300
			}
			src := strings.Repeat(s, n)
			Parse(token.NewFileSet(), "In[1]", src)
			Completeness(src)
		}
	}
	n := 100
	src := strings.Repeat("type T [f(func() { ", n) + strings.Repeat("})]int; ", n)
	if _, err := Parse(token.NewFileSet(), "In[1]", src); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"testdata/messages.txt", "testdata/seeds.txt"} {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, cell := range strings.Split(string(b), "\n----\n") {
			f.Add(cell)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := Parse(token.NewFileSet(), "In[1]", src)
		if err != nil {
			_ = err.Error()
		}
		for _, n := range items(c) {
			ast.Inspect(n, func(ast.Node) bool { return true })
		}
		Completeness(src)
		if diff, ok := sameAsBody(src); ok && diff != "" && !strings.Contains(src, "import") {
			t.Error(diff)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	src := "x := Arange(6).View(2, 3)\ny := (x.Float() @ w[1:3, ::2]).Sum(dim=0, keepdim=true)\nfor i := range 3 {\n" +
		"\tfmt.Println(i, y[i])\n}\ny"
	for b.Loop() {
		if _, err := Parse(token.NewFileSet(), "In[1]", src); err != nil {
			b.Fatal(err)
		}
	}
}
