package interp

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generatedHead are the declarations that every generated cell begins with.
const generatedHead = `import ("fmt"; "slices"; "maps"; "strings"; "errors")
type N int
func (n N) String() string { return fmt.Sprintf("N%d", int(n)) }
type P struct{ X, Y int }
func (p P) Sum() int { return p.X + p.Y }
type S struct { A int; B string; C []int; D [2]int }
func (s S) Sum() int { return s.A + len(s.B) + len(s.C) + s.D[0] }
func (s *S) Inc(k int) int { s.A += k; s.D[0]++; return s.A }
type U struct { S; N N; Q *P; T [2]P }
type F func(int) int
type M map[string]int
type A3 [3]int
func (a A3) Sum() int { return a[0] + a[1] + a[2] }
type I interface{ Sum() int }
type X struct{ why string }
func (x *X) Error() string { return "X:" + x.why }
type B[T any] struct { V T; n int }
func (b B[T]) Get() T { return b.V }
func (b *B[T]) Set(v T) *B[T] { b.V = v; b.n++; return b }
func tr[T any](s string, v T) T { fmt.Print(s, ";"); return v }
func k[T any](v T) T { return v }
func pick[T any](c bool, a, b T) T { if c { return a }; return b }
func ptr[T any](v T) *T { return &v }
func lim[T any](xs []T) []T { if len(xs) > 6 { return xs[len(xs)-6:] }; return xs }
func cut(s string) string { return s[:min(len(s), 12)] }
func seq[T any](xs ...T) func(func(int, T) bool) { return func(yield func(int, T) bool) { for i, x := range xs { if !yield(i, x) { return } } } }
func try(f func()) { defer func() { if r := recover(); r != nil { fmt.Print("R:", r, ";") } }(); f() }
func use(...any) {}
func keys(m M) []string { return slices.Sorted(maps.Keys(m)) }
func is(err error, s string) bool { var x *X; return errors.As(err, &x) && strings.Contains(x.why, s) }
`

// kinds of types, for what can be done with their values.
type genType struct {
	name string
	kind string // int, float, string, bool, complex, struct, slice, array, map, pointer, iface, func, chan
	elem string
	key  string
	zero bool // the zero value may be used without care
}

var genTypes = []genType{
	{"int", "int", "", "", true}, {"int8", "int", "", "", true}, {"uint8", "int", "", "", true},
	{"int64", "int", "", "", true}, {"uint32", "int", "", "", true},
	{"N", "int", "", "", true}, {"float64", "float", "", "", true}, {"float32", "float", "", "", true},
	{"string", "string", "", "", true}, {"bool", "bool", "", "", true},
	{"complex128", "complex", "", "", true}, {"P", "struct", "", "", true}, {"S", "struct", "", "", true},
	{"U", "struct", "", "", true},
	{"B[int]", "struct", "", "", true}, {"B[P]", "struct", "", "", true}, {"B[[]int]", "struct", "", "", true},
	{"B[A3]", "struct", "", "", true},
	{"struct{ P; s string }", "struct", "", "", true},
	{"[]int", "slice", "int", "", true}, {"[]string", "slice", "string", "", true}, {"[]P", "slice", "P", "", true},
	{"[]S", "slice", "S", "", true}, {"[]any", "slice", "any", "", true},
	{"[]I", "slice", "I", "", true}, {"[][]int", "slice", "[]int", "", true}, {"[]A3", "slice", "A3", "", true},
	{"[]byte", "slice", "uint8", "", true}, {"[]N", "slice", "N", "", true},
	{"[2]int", "array", "int", "", true}, {"A3", "array", "int", "", true}, {"[2]P", "array", "P", "", true},
	{"[2]A3", "array", "A3", "", true}, {"[2]string", "array", "string", "", true}, {"[2]any", "array", "any", "", true},
	{"map[string]int", "map", "int", "string", false}, {"M", "map", "int", "string", false},
	{"map[P]string", "map", "string", "P", false}, {"map[N][]int", "map", "[]int", "N", false},
	{"map[[2]int]P", "map", "P", "[2]int", false}, {"map[any]N", "map", "N", "any", false},
	{"map[string]S", "map", "S", "string", false}, {"map[int8]A3", "map", "A3", "int8", false},
	{"*int", "pointer", "int", "", false}, {"*P", "pointer", "P", "", false}, {"*S", "pointer", "S", "", false},
	{"*A3", "pointer", "A3", "", false}, {"*B[string]", "pointer", "B[string]", "", false},
	{"any", "iface", "", "", true}, {"I", "iface", "", "", false}, {"error", "iface", "", "", false},
	{"fmt.Stringer", "iface", "", "", false},
	{"func(int) int", "func", "", "", false}, {"F", "func", "", "", false}, {"func() P", "func", "", "", false},
}

var genFields = map[string][][2]string{
	"P": {{"X", "int"}, {"Y", "int"}}, "S": {{"A", "int"}, {"B", "string"}, {"C", "[]int"}, {"D", "[2]int"}},
	"U": {{"S", "S"}, {"A", "int"}, {"D", "[2]int"}, {"N", "N"}, {"T", "[2]P"}}, "B[int]": {{"V", "int"}, {"n", "int"}},
	"B[P]":     {{"V", "P"}, {"n", "int"}},
	"B[[]int]": {{"V", "[]int"}}, "B[A3]": {{"V", "A3"}}, "B[string]": {{"V", "string"}},
	"struct{ P; s string }": {{"P", "P"}, {"X", "int"}, {"s", "string"}},
}

var genByName = func() map[string]genType {
	m := map[string]genType{"B[string]": {"B[string]", "struct", "", "", true}}
	for _, t := range genTypes {
		m[t.name] = t
	}
	return m
}()

// gen writes one cell. What it writes has one meaning: calls in an expression print and change nothing that the
// expression reads, loops end, and nothing is indexed outside of what it has.
type gen struct {
	*rand.Rand
	id     int
	n      int
	vars   [][2]string // name, type; inner scopes at the end
	fixed  map[string]bool
	funcs  []genFunc
	budget int
	inFunc string // the result types of the function around
	loops  []string
}

type genFunc struct {
	name    string
	params  []string
	results []string
}

func (g *gen) name(p string) string { g.n++; return fmt.Sprintf("%s%d", p, g.n) }

func (g *gen) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *gen) typ() string { return genTypes[g.IntN(len(genTypes))].name }

func (g *gen) of(kind string) string {
	for {
		if t := genTypes[g.IntN(len(genTypes))]; t.kind == kind {
			return t.name
		}
	}
}

// variables of a type, and what leads to one.
func (g *gen) places(t string, write bool) []string {
	var out []string
	for _, v := range g.vars {
		if v[1] == t && !(write && g.fixed[v[0]]) {
			out = append(out, v[0])
		}
		if write && g.fixed[v[0]] {
			continue
		}
		g.within(v[0], v[1], t, 2, &out)
	}
	return out
}

func (g *gen) within(x, xt, want string, depth int, out *[]string) {
	if depth == 0 {
		return
	}
	next := func(y, yt string) {
		if yt == want {
			*out = append(*out, y)
		}
		g.within(y, yt, want, depth-1, out)
	}
	ty := genByName[xt]
	switch ty.kind {
	case "struct":
		for _, f := range genFields[xt] {
			next(x+"."+f[0], f[1])
		}
	case "array":
		next(fmt.Sprintf("%s[%d]", x, g.IntN(2)), ty.elem)
		next(fmt.Sprintf("%s[uint(%s)%%2]", x, g.simpleInt()), ty.elem)
	case "pointer":
		next("(*"+x+")", ty.elem)
		if e := genByName[ty.elem]; e.kind == "struct" {
			for _, f := range genFields[ty.elem] {
				next(x+"."+f[0], f[1])
			}
		} else if e.kind == "array" {
			next(x+"[1]", e.elem)
		}
	}
}

func (g *gen) simpleInt() string {
	for _, v := range g.vars {
		if v[1] == "int" && g.IntN(2) == 0 {
			return v[0]
		}
	}
	return fmt.Sprint("k(", g.IntN(3), ")")
}

func (g *gen) lit(t string) string {
	switch ty := genByName[t]; ty.kind {
	case "int":
		n := g.IntN(7)
		if t == "int" && g.IntN(2) == 0 {
			return fmt.Sprint(n)
		}
		if g.IntN(4) == 0 {
			n = g.IntN(120)
		}
		return fmt.Sprintf("k(%s(%d))", t, n)
	case "float":
		return fmt.Sprintf("k(%s(%d.%d))", t, g.IntN(9), g.IntN(4)*25)
	case "string":
		return g.one(`"a"`, `"bc"`, `"é!"`, `""`, `"日"`)
	case "bool":
		return g.one("true", "false")
	case "complex":
		return g.one("k(1+2i)", "k(complex128(3))", "complex(k(1.5), 2)")
	}
	return g.make(t, 0)
}

// make writes a value of a type out of its parts.
func (g *gen) make(t string, d int) string {
	ty := genByName[t]
	switch ty.kind {
	case "struct":
		fs := genFields[t]
		var parts []string
		for i, f := range fs {
			if t == "U" && i > 0 && f[0] != "N" && f[0] != "T" || t == "struct{ P; s string }" && f[0] == "X" ||
				g.IntN(4) == 0 {
				continue
			}
			parts = append(parts, f[0]+": "+g.expr(f[1], d-1))
		}
		return t + "{" + strings.Join(parts, ", ") + "}"
	case "slice":
		var parts []string
		for range g.IntN(4) {
			parts = append(parts, g.expr(ty.elem, d-1))
		}
		return t + "{" + strings.Join(parts, ", ") + "}"
	case "array":
		if g.IntN(3) == 0 {
			return t + "{1: " + g.expr(ty.elem, d-1) + "}"
		}
		return t + "{" + g.expr(ty.elem, d-1) + ", " + g.expr(ty.elem, d-1) + "}"
	case "map":
		key := g.lit(ty.key)
		if ty.key == "any" {
			key = g.mapKey("any")
		}
		return t + "{" + key + ": " + g.expr(ty.elem, d-1) + "}"
	case "pointer":
		if genByName[ty.elem].kind == "struct" && g.IntN(2) == 0 {
			return "&" + g.make(ty.elem, d)
		}
		return "ptr(" + g.typed(ty.elem, d-1) + ")"
	case "iface":
		switch t {
		case "any":
			u := g.typ()
			for genByName[u].kind == "func" || genByName[u].kind == "pointer" || u == "any" {
				u = g.typ()
			}
			return "any(" + g.typed(u, d-1) + ")"
		case "error":
			return g.one(`error(&X{`+g.expr("string", d-1)+`})`, `fmt.Errorf("w: %w", &X{"in"})`, `errors.New("plain")`)
		case "fmt.Stringer":
			return "fmt.Stringer(" + g.typed("N", d-1) + ")"
		}
		return "I(" + g.typed(g.one("P", "S", "A3", "*S", "*P", "U"), d-1) + ")"
	case "func":
		if t == "func() P" {
			return "func() P { return " + g.expr("P", d-1) + " }"
		}
		x := g.name("a")
		defer func(n int) { g.vars = g.vars[:n] }(len(g.vars))
		g.vars = append(g.vars, [2]string{x, "int"})
		f := "func(" + x + " int) int { return " + g.expr("int", d-1) + " }"
		if t == "F" {
			return "F(" + f + ")"
		}
		return f
	}
	return g.lit(t)
}

// typed writes an expression whose type is t even where nothing asks for it.
func (g *gen) typed(t string, d int) string {
	e := g.expr(t, d)
	switch genByName[t].kind {
	case "slice", "array", "map", "struct", "pointer":
		return e
	}
	if strings.HasPrefix(t, "func") {
		return e
	}
	return t + "(" + e + ")"
}

func (g *gen) expr(t string, d int) string {
	if p := g.places(t, false); len(p) > 0 && g.IntN(3) > 0 {
		return p[g.IntN(len(p))]
	}
	if d <= 0 {
		return g.lit(t)
	}
	if g.IntN(3) == 0 {
		return g.wrapped(t, d)
	}
	d--
	ty := genByName[t]
	switch ty.kind {
	case "int":
		switch g.IntN(9) {
		case 0:
			return "(" + g.expr(t, d) + " / (" + g.expr(t, d) + " | 1))"
		case 1:
			return "(" + g.expr(t, d) + g.one(" << ", " >> ") + "(" + g.expr("uint8", d) + " % 11))"
		case 2:
			return "(" + g.one("-", "^", "+") + "k(" + g.typed(t, d) + "))"
		case 3:
			u := g.of("int")
			return t + "(" + g.expr(u, d) + ")"
		case 4:
			return g.one("min", "max") + "(" + g.typed(t, d) + ", " + g.expr(t, d) + ")"
		case 5:
			if t == "int" {
				return g.one("len("+g.expr(g.of("slice"), d)+")", "len("+g.expr(g.of("map"), d)+")", g.expr("I", d)+".Sum()",
					g.expr(g.one("P", "S", "A3"), d)+".Sum()", "cap("+g.expr("[]int", d)+"[:0:0])")
			}
		case 6:
			if t == "int" {
				return g.one("F(func(z int) int { return z * 2 })", "("+g.expr("func(int) int", d)+")", g.expr("F", d)) + "(" +
					g.expr("int", d) + ")"
			}
		}
		return "(" + g.expr(t, d) + g.one(" + ", " - ", " * ", " & ", " | ", " ^ ", " &^ ") + g.expr(t, d) + ")"
	case "float", "complex":
		return "(" + g.expr(t, d) + g.one(" + ", " - ", " * ") + g.expr(t, d) + ")"
	case "string":
		return g.one("cut("+g.expr(t, d)+" + "+g.expr(t, d)+")", "string("+g.expr("[]byte", d)+")",
			"fmt.Sprint("+g.expr(g.one("int", "N", "P", "A3", "[]N", "[]I", "error", "bool"), d)+")",
			g.expr("N", d)+".String()",
			"cut("+g.expr(t, d)+")[:0]", g.expr("fmt.Stringer", d)+".String()", "string(rune(65 + "+g.expr("uint8", d)+"%26))",
			g.expr("B[string]", d)+".Get()", g.expr("map[P]string", d)+"["+g.expr("P", d)+"]")
	case "bool":
		u := g.one("int", "int8", "string", "float64", "N")
		v := g.one("P", "[2]int", "A3", "any", "[2]P", "complex128", "I", "[2]any", "struct{ P; s string }", "error")
		if v == "any" || v == "[2]any" { // what it holds may not be comparable
			v = "P"
		}
		return g.one("("+g.expr(u, d)+g.one(" < ", " <= ", " == ", " != ", " > ", " >= ")+g.expr(u, d)+")",
			"(("+g.typed(v, d)+")"+g.one(" == ", " != ")+"("+g.typed(v, d)+"))",
			"("+g.expr(t, d)+g.one(" && ", " || ", " == ", " != ")+g.expr(t, d)+")", "!"+g.expr(t, d), "is("+g.expr("error", d)+
				", "+g.expr("string", d)+")")
	}
	if t == "B[int]" || t == "B[P]" {
		return "*(&" + g.make(t, d) + ").Set(" + g.expr(t[2:len(t)-1], d) + ")"
	}
	if ty.kind == "slice" {
		switch g.IntN(4) {
		case 0:
			return "lim(append(" + g.typed(t, d) + ", " + g.expr(ty.elem, d) + "))"
		case 1:
			return "append(" + t + "{}, " + g.typed(t, d) + "...)"
		case 2:
			return "append(" + t + "(nil), " + g.expr(ty.elem, d) + ", " + g.expr(ty.elem, d) + ")[:1:1]"
		}
	}
	return g.make(t, d+1)
}

// wrapped passes a value through something that gives it back.
func (g *gen) wrapped(t string, d int) string {
	d--
	g.n++
	e := g.expr(t, d)
	switch g.IntN(16) {
	case 0:
		return fmt.Sprintf("tr[%s](\"%d\", %s)", t, g.n, e)
	case 1:
		return "pick[" + t + "](" + g.expr("bool", d) + ", " + e + ", " + g.expr(t, d) + ")"
	case 2:
		return "func() " + t + " { return " + e + " }()"
	case 3:
		return "any(" + g.typed(t, d) + ").(" + t + ")"
	case 4:
		return "(*ptr[" + t + "](" + e + "))"
	case 5:
		return "B[" + t + "]{V: " + e + "}.Get()"
	case 6:
		return "[]" + t + "{" + g.expr(t, d) + ", " + e + "}[1]"
	case 7:
		return "map[string]" + t + "{\"q\": " + e + "}[\"q\"]"
	case 8:
		return "struct{ F " + t + " }{" + e + "}.F"
	case 9:
		return "[...]" + t + "{" + g.expr(t, d) + ", " + e + "}[" + g.one("0", "1", "k(1)") + "]"
	case 10:
		return "func(x " + t + ") " + t + " { y := x; x = y; return x }(" + e + ")"
	case 11:
		return "func(xs ..." + t + ") " + t + " { return xs[len(xs)-1] }(" + g.expr(t, d) + ", " + e + ")"
	case 12:
		return "func() (r " + t + ") { defer func() { r = " + e + " }(); return }()"
	case 13:
		return "(&B[" + t + "]{}).Set(" + e + ").V"
	case 14:
		for _, i := range g.Perm(len(g.funcs)) {
			if f := g.funcs[i]; len(f.results) == 1 && f.results[0] == t {
				return g.callOf(f, d)
			}
		}
	case 15:
		if k := genByName[t].kind; k == "iface" && t != "any" {
			return "any(" + e + ").(" + t + ")"
		}
	}
	return e
}

func (g *gen) callOf(f genFunc, d int) string {
	var args []string
	for _, p := range f.params {
		args = append(args, g.expr(p, d))
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}
