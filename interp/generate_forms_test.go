package interp

import (
	"fmt"
	"strings"
)

// formsHead are the declarations that [gen.form] needs besides generatedHead.
const formsHead = `type Num interface { ~int | ~int8 | ~uint8 | ~float64 }
type Ord interface { Num | ~string }
func sum[T Num](xs ...T) (s T) { for _, x := range xs { s += x }; return }
func most[T Ord](x T, xs ...T) T { for _, y := range xs { if y > x { x = y } }; return x }
func conv[A, C any](xs []A, f func(A) C) []C { out := make([]C, 0, len(xs)); for _, x := range xs { out = append(out, f(x)) }; return out }
func fold[A, C any](xs []A, c C, f func(C, A) C) C { for _, x := range xs { c = f(c, x) }; return c }
type Pair[K comparable, V any] struct { Key K; Val V }
func (p Pair[K, V]) Swap(k K) Pair[K, V] { p.Key = k; return p }
type Set[K comparable] map[K]struct{}
func (s Set[K]) Add(ks ...K) Set[K] { for _, k := range ks { s[k] = struct{}{} }; return s }
type List[T any] struct { next *List[T]; v T }
func (l *List[T]) Push(v T) *List[T] { return &List[T]{l, v} }
func (l *List[T]) All() func(func(T) bool) { return func(yield func(T) bool) { for ; l != nil; l = l.next { if !yield(l.v) { return } } } }
type Adder interface { I; Add(int) Adder }
type Acc struct { I; total int }
func (a Acc) Add(n int) Adder { a.total += n; return a }
func (a Acc) Sum() int { return a.total }
type Op func(int, int) int
func (o Op) Twice(a, b int) int { return o(o(a, b), b) }
type Day uint8
const ( Mon Day = iota + 1; Tue; _; Thu; Wide = 1 << (iota * 3) )
func (d Day) String() string { return [...]string{"?", "mon", "tue", "wed", "thu"}[d%5] }
func two(a int, s string) (int, string) { return a + 1, s + "." }
func join(n int, s string, more ...any) string { return fmt.Sprint(append([]any{n, s}, more...)...) }
`

// form writes statements of forms that idioms and statements lack.
func (g *gen) form() []string {
	u := g.one("int", "string", "P", "N", "A3", "bool", "float64")
	a, b, c, i := g.name("v"), g.name("v"), g.name("v"), g.name("i")
	num := func(d int) string { return g.force("int", g.expr("int", d)) }
	text := func() string { return g.force("string", g.expr("string", 2)) }
	key := g.one("int", "string", "P", "N", "A3", "[2]int", "I")
	if key == "I" {
		key = "bool"
	}
	switch g.IntN(23) {
	case 0: // method expressions
		return []string{fmt.Sprintf(
			"%s, %s := S.Sum, (*S).Inc; %s := S{A: %s}; fmt.Println(%s(%s), %s(&%s, %s), %s.A, P.Sum(%s))", a, b, c, num(2), a,
			c, b, c, num(1), c, g.expr("P", 2))}
	case 1: // type sets
		t := g.one("int", "int8", "uint8", "N", "float64")
		return []string{fmt.Sprintf("fmt.Println(sum[%s](%s, %s), most(%s, %s), most(%s, %s))", t, g.expr(t, 2),
			g.expr(t, 1), g.force(t, g.expr(t, 1)), g.force(t, g.expr(t, 2)), text(), text())}
	case 2:
		return []string{fmt.Sprintf("%s := conv([]%s{%s, %s}, func(x %s) string { return fmt.Sprint(x) }); "+
			"fmt.Println(%s, fold(%s, %s, func(n int, s string) int { return n + len(s) }))", a, u, g.expr(u, 2), g.expr(u, 1),
			u, a, a, num(1))}
	case 3:
		return []string{fmt.Sprintf(
			"%s := Pair[%s, %s]{%s, %s}; %s := %s.Swap(%s); fmt.Printf(\"%%v %%v %%t %%T;\", %s, %s, %s == %s, %s)", a, key, u,
			g.expr(key, 2), g.expr(u, 2), b, a, g.expr(key, 1), a, b, a, b, a)}
	case 4:
		return []string{fmt.Sprintf(
			"%s := Set[%s]{}.Add(%s, %s); _, %s := %s[%s]; fmt.Println(len(%s), %s, len(%s.Add(%s)))", a, key, g.expr(key, 2),
			g.expr(key, 1), b, a, g.expr(key, 1), a, b, a, g.expr(key, 1))}
	case 5:
		return []string{fmt.Sprintf("%s := (*List[%s])(nil).Push(%s).Push(%s); for %s := range %s.All() { if "+
			"len(fmt.Sprint(%s)) > 3 { continue }; fmt.Print(%s, \";\") }; for range %s.All() { break }", a, u, g.expr(u, 2),
			g.expr(u, 1), b, a, b, b, a)}
	case 6: // interfaces in interfaces and structs
		return []string{fmt.Sprintf("var %s Adder = Acc{I: %s}; %s := %s.Add(%s).Add(%s); fmt.Println(%s.Sum(), "+
			"%s.(I).Sum(), %s.(Acc).I.Sum(), %s != %s)", a, g.one("P{1, 2}", "A3{4}", "I(P{3, 4})"), b, a, num(2), num(1),
			a, b, b, a, b)}
	case 7: // functions with methods
		return []string{fmt.Sprintf("fmt.Println(Op(func(a, b int) int { return a%sb }).Twice(%s, %s))",
			g.one("+", "-", "*", "&", "|", "^"), num(2), num(2))}
	case 8: // tables of constants
		return []string{fmt.Sprintf("fmt.Println(Mon, Thu, Wide, []Day{Tue, Day(uint8(%s) %% 5)}, [...]string{Mon: \"m\", "+
			"Thu: %s}, Day(3) << 1 >> %s)", num(2), text(), g.one("1", "(uint8("+num(1)+")&3)"))}
	case 9: // labels, select and loops
		return []string{fmt.Sprintf("{ %s := make(chan int, 3); %s <- 1; %s <- 2; close(%s); n := 0; L%s: for { select { "+
			"case x, ok := <-%s: if !ok { break L%s }; n += x; if x == 1 { continue L%s }; n *= 10; default: break L%s }; "+
			"n++ }; fmt.Print(n, \";\") }", a, a, a, a, a, a, a, a, a)}
	case 10: // loop variables that closures keep and bodies change
		return []string{fmt.Sprintf("{ var %s []func() int; for %s := 0; %s < 6; %s++ { %s = append(%s, func() int { %s "+
			"+= 10; return %s }); if %s %% 2 == 0 { %s++ } }; for _, f := range %s { fmt.Print(f(), f(), \";\") } }", a, i, i,
			i, a, a, i, i, i, i, a)}
	case 11: // text, bytes and runes
		return []string{fmt.Sprintf("{ s := %s; r := []rune(s); bs := []byte(s); for j := range r { r[j]++ }; n := "+
			"copy(bs, \"xy\"); fmt.Println(string(r), string(bs), n, len(s), len(r), strings.ToUpper(s) < s, s[len(s)/2:] + "+
			"s[:len(s)/2] == s) }", g.one(`"a"`, `"bc日é!"`, `"日"+k("é")`, `strings.Repeat("éa", 3)`, `""`))}
	case 12: // complex numbers
		return []string{fmt.Sprintf(
			"{ z := %s; w := complex(%s, real(z)) * z; fmt.Println(real(w), imag(w), z == w, w*complex(0, 1) + 2i, -z) }",
			g.force("complex128", g.expr("complex128", 2)), g.force("float64", g.expr("float64", 1)))}
	case 13: // the result of one call for another's arguments
		return []string{fmt.Sprintf("fmt.Println(join(two(%s, %s)), join(%s, %s, %s, nil, %s))", num(2), text(), num(1),
			text(), g.typed(u, 2), g.typed("P", 1))}
	case 14: // maps of maps, lists and structs
		return []string{fmt.Sprintf("{ m := map[string]map[%s][]%s{}; for j := range 3 { kk := %s; if m[kk] == nil { "+
			"m[kk] = map[%s][]%s{} }; m[kk][%s] = append(m[kk][%s], %s); use(j) }; for _, kk := range "+
			"slices.Sorted(maps.Keys(m)) { for _, l := range m[kk] { fmt.Print(kk, len(l), len(m[kk]) > 0, \";\"); break } } }",
			key, u, text(), key, u, g.lit(key), g.lit(key), g.expr(u, 1))}
	case 15:
		return []string{fmt.Sprintf("{ m := map[%s]*S{%s: {A: %s}}; m[%s].A += %s; m[%s].D[1]++; m[%s].C = "+
			"append(m[%s].C, m[%s].Inc(2)); fmt.Println(*m[%s]) }", key, g.keyed(key), num(1), g.keyed(key), num(2),
			g.keyed(key), g.keyed(key), g.keyed(key), g.keyed(key), g.keyed(key))}
	case 16: // integers that overflow, shifts
		t := g.one("int8", "uint8", "int64", "uint32", "N")
		return []string{fmt.Sprintf("{ var x %s = %s; x *= 37; y := x << (uint(%s) %% 9); y >>= 2; fmt.Println(x, y, ^x, "+
			"-x, x %% 7, x / 3, %s(%s)) }", t, g.expr(t, 2), num(1), t, "x+y")}
	case 17: // anonymous structs
		return []string{fmt.Sprintf("for %s, %s := range []struct { n int; v %s; f func(int) int }{{%s, %s, nil}, {v: %s, "+
			"f: func(n int) int { return n * 3 }}} { if %s.f != nil { %s.n = %s.f(%s) }; fmt.Print(%s, %s.n, %s.v, \";\") }", i,
			b, u, num(1), g.expr(u, 2), g.expr(u, 1), b, b, b, num(1), i, b, b)}
	case 18: // panics through deferred calls
		return []string{fmt.Sprintf("fmt.Println(func() (s string) { defer func() { s += fmt.Sprint(recover()) }(); defer "+
			"func() { defer func() { s += fmt.Sprint(recover(), \";\") }(); panic(%s) }(); var m map[string]int; if %s { "+
			"m[\"x\"]++ }; return %s }())", g.one(`"in"`, `errors.New("e")`, "3"), g.expr("bool", 2), text())}
	case 19:
		return []string{fmt.Sprintf("for %s, %s := range seq(%s, %s, %s) { if %s == 1 { continue }; func() { defer "+
			"fmt.Print(\"d\", %s, \";\"); fmt.Print(%s, \";\") }() }", i, a, g.force(u, g.expr(u, 2)), g.force(u, g.expr(u, 1)),
			g.force(u, g.expr(u, 1)), i, i, a)}
	case 20: // comparison of what interfaces hold
		return []string{fmt.Sprintf("{ var x, y any = %s, %s; var p I = P{1, 2}; fmt.Println(x == y, x != nil, p == "+
			"I(P{1, 2}), x == any(p), any(p) == any(P{1, %s})) }", g.typed(u, 2),
			g.typed(g.one("int", "string", "P", "N"), 2), num(1))}
	case 21:
		return []string{fmt.Sprintf("{ xs := []%s{%s, %s, %s}; ys := xs[:2:2]; ys = append(ys, %s); clear(xs[:1]); zs := "+
			"slices.Clone(xs); slices.Reverse(zs); fmt.Println(xs, ys, zs, min(len(xs), cap(ys)), *(*[2]%s)(xs) == [2]%s{}) }",
			u, g.expr(u, 2), g.expr(u, 1), g.expr(u, 1), g.expr(u, 1), u, u)}
	}
	return []string{fmt.Sprintf("if %s, %s := two(%s, %s); %s > 2 { fmt.Print(%s, \";\") } else if %s := %s; len(%s) > "+
		"1 { fmt.Print(%s[0], %s, \";\") } else { fmt.Print(%s + %s, \";\") }", a, b, num(2), text(), a, b, c, text(),
		c, c, a, b, c)}
}

// keyed is a key that is the same each time.
func (g *gen) keyed(t string) string {
	return map[string]string{"int": "4", "string": `"k"`, "P": "P{1, 2}", "N": "N(3)", "A3": "A3{1, 2, 3}",
		"[2]int": "[2]int{5}", "bool": "true"}[strings.TrimSpace(t)]
}
