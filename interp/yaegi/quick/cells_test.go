package quick_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestQuick: what package quick makes steps for gives what compiled Go gives. The wanted texts are of compiled
// programs.
func TestQuick(t *testing.T) {
	for _, c := range []struct{ name, declare, run, want string }{
		{"overflow", ``,
			`a, b, c := int8(127), uint8(0), int16(-32768)
a++
b--
c--
d := int8(100) 
d *= 2
e := uint32(1) << 31
e += e
fmt.Println(a, b, c, d, e, ^b, -c, a*2)`,
			`-128 255 32767 -56 0 0 -32767 0`},
		{"shifts", ``,
			`x, n := -9, uint(1)
y := uint8(200)
fmt.Println(x>>1, x>>n, 1<<n, x<<2, y<<1, y>>n, x&7, x|8, x^5, x&^3)
x >>= 2
y <<= n
fmt.Println(x, y)`,
			`-5 -5 2 -36 144 100 7 -1 -14 -12
-3 144`},
		{"division", ``,
			`a, b := -7, 2
c := uint64(1) << 63
fmt.Println(a/b, a%b, c/3, c%1000, a/2, a%4)
a /= b
c %= 7
fmt.Println(a, c)`,
			`-3 -1 3074457345618258602 808 -3 -3
-3 1`},
		{"floats", ``,
			`x := float32(0.1)
y := x * x
z := float64(x)
z *= 3
x /= 3
fmt.Println(y, z, x, float64(y) < z, int(z*10), uint8(int(z*1000)), float32(z))`,
			`0.010000001 0.30000000447034836 0.033333335 true 3 44 0.3`},
		{"nan", ``,
			`n := math.NaN()
r := []bool{n < 1, n > 1, n <= 1, n >= 1, n == n, n != n, !(n < 1)}
if n > 1 { r = append(r, true) } else { r = append(r, false) }
for n < 1 { r = nil }
fmt.Println(r)`,
			`[false false false false false true true false]`},
		{"texts", ``,
			`s, t := "héllo", ""
for i := 0; i < len(s); i++ { if s[i] > 'h' && s[i] < 128 { t += s[i:i+1] + "-" } }
fmt.Println(t, len(t), s < t, s+t == t+s, s[1] == 0xc3, "x"+s)`,
			`l-l-o- 6 true false true xhéllo`},
		{"maps", ``,
			`m, w, g := map[int]int{}, map[string]float64{}, map[string]string{}
for i := 0; i < 10; i++ { m[i%3]++; m[i] += i; w["a"] += 0.5; g["k"] += "x" }
k := "b"
w[k] = w["a"] * 2
w[k+k]--
fmt.Println(m, w, g, m[77], g["none"] == "")`,
			`map[0:4 1:4 2:5 3:3 4:4 5:5 6:6 7:7 8:8 9:9] map[a:5 b:10 bb:-1] map[k:xxxxxxxxxx] 0 true`},
		{"conditions", `func yes(n *int) bool { *n++; return true }`,
			`n := 0
a, b := true, false
if a && !b || yes(&n) { n += 10 }
if b && yes(&n) { n += 100 }
if a && yes(&n) { n += 1000 }
if (a || b) && (n > 3) { n++ }
c := a && n > 5
d := b || c
for yes(&n) && n < 2000 { n += 300 }
fmt.Println(n, c, d, !d)`,
			`2217 true true false`},
		{"order", ``,
			`a := []int{1, 2, 3}
set := func(i, v int) int { a[i] = v; return v }
x := a[0] + 10
y := set(0, 5) + a[0]
a[1] += set(2, 7)
a[2], a[0] = a[0]*100, a[2]+1
fmt.Println(a, x, y, set(1, 4)*a[1])`,
			`[8 4 500] 11 10 16`},
		{"closures", ``,
			`var fs []func() int
for i := 0; i < 3; i++ { j := i * 10; fs = append(fs, func() int { j++; return i + j }) }
t := 0
for _, f := range fs { t = t*100 + f() + f() }
add := func(n int) func(int) int { return func(x int) int { n += x; return n } }
g, h := add(1), add(100)
g(1)
fmt.Println(t, g(2), h(3), g(4))`,
			`32547 4 103 8`},
		{"pointers", ``,
			`var ps []*int
for i := 0; i < 3; i++ { v := i; ps = append(ps, &v) }
*ps[0] += 5
p := ps[1]
*p *= 7
fmt.Println(*ps[0], *ps[1], *ps[2])`,
			`5 7 2`},
		{"structs", `type pt struct { x, y int; in struct{ z float64 } }
type nd struct { v int; next *nd }`,
			`p := pt{1, 2, struct{ z float64 }{0.5}}
q := &p
for i := 0; i < 3; i++ { p.x += i; q.y *= 2; q.in.z += float64(p.x) }
var l *nd
for i := 0; i < 4; i++ { l = &nd{i, l} }
s := 0
for n := l; n != nil; n = n.next { s = s*10 + n.v }
l.next.v = 9
l.next.next.v++
fmt.Println(p, s, l.next.v, l.next.next.v)`,
			`{4 16 {7.5}} 3210 9 2`},
		{"grids", ``,
			`g := make([][]int, 3)
for i := range g { g[i] = make([]int, 3); for j := range g[i] { g[i][j] = i*3 + j } }
var a [4]int
for i := range a { a[i] = i * i }
b := a
b[2]++
t := 0
for i := 0; i < 3; i++ { t += g[i][i] * a[i+1]; g[i][2-i] -= t }
fmt.Println(g, a, b, t, a == b)`,
			`[[0 1 2] [3 -12 5] [-82 7 8]] [0 1 4 9] [0 1 5 9] 88 false`},
		{"ranges", ``,
			`xs := []float64{1, 2, 3}
t := 0.0
for i, x := range xs { if i == 0 { xs = append(xs, 9); xs[2] = 7 }; t += x }
n := 0
for i := range xs { n += i }
var w []string
for _, s := range []string{"a", "b"} { s += s; w = append(w, s) }
fmt.Println(t, n, w, len(xs))`,
			`6 6 [aa bb] 4`},
		{"recursion",
			`func ack(m, n int) int { if m == 0 { return n + 1 }; if n == 0 { return ack(m-1, 1) }; return ack(m-1, ack(m, n-1)) }
func even(n int) bool { if n == 0 { return true }; return odd(n - 1) }
func odd(n int) bool { if n == 0 { return false }; return even(n - 1) }
func rev(s string) string { if len(s) < 2 { return s }; return rev(s[1:]) + s[:1] }`,
			`fmt.Println(ack(2, 3), even(100), odd(7), rev("gotorch"))`,
			`9 true true hcrotog`},
		{"results", `func div(a, b int) (q, r int) { q, r = a/b, a%b; return }
func swap(a, b string) (string, string) { return b, a }
func sum(xs []int, f func(int) int) (t int) { for _, x := range xs { t += f(x) }; return }`,
			`q, r := div(17, 5)
a, b := swap("x", "y")
a, b = swap(a, b)
fmt.Println(q, r, a, b, sum([]int{1, 2, 3}, func(x int) int { return x * q }))`,
			`3 2 x y 18`},
		{"jumps", ``,
			`n := 0
outer: for i := 0; i < 10; i++ { for j := 0; ; j++ { if j > i { continue outer }; if i*j > 20 { break outer }; n += j } }
i := 0
again: i++
if i < 5 { goto again }
switch { case n > 30: n = -n; case n > 0: n++ }
fmt.Println(n, i)`,
			`31 5`},
		{"arguments", `func f3(a int, b float64, s string) string { return fmt.Sprint(a, b, s) }
func id(n int) int { return n }`,
			`x, xs := 3, []int{4, 5}
fmt.Println(f3(x*2, float64(x)/2, "a"+"b"), f3(id(x)+1, 2, fmt.Sprint(xs[1])), f3(xs[0], float64(id(2)), "z"), id(id(xs[1])+xs[0]))`,
			`6 1.5ab 4 25 4 2z 9`},
		{"sorting", `import "sort"`,
			`xs := []int{5, 2, 9, 1, 7}
sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
k := sort.Search(len(xs), func(i int) bool { return xs[i] >= 7 })
w := []string{"bb", "a", "ccc"}
sort.Slice(w, func(i, j int) bool { return len(w[i]) > len(w[j]) })
fmt.Println(xs, k, w)`,
			`[1 2 5 7 9] 3 [ccc bb a]`},
		{"compiled", ``,
			`t := 0.0
for i := 1; i < 5; i++ { t += math.Sqrt(float64(i)) * math.Max(float64(i), 2.5) }
fmt.Println(math.Round(t*1000), strings.ToUpper("a"+"b"), strings.Contains("seafood", "foo"), strings.Index("chicken", "ken"))`,
			`19232 AB true 4`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := interp.New(interp.Options{})
			defer s.Close()
			if c.declare != "" {
				celltest.Cell(s, c.declare)
			}
			if got := strings.TrimSpace(celltest.Cell(s, c.run)); got != c.want {
				t.Errorf("as a cell: got %s\nwant %s", got, c.want)
			}
			celltest.Cell(s, "func body() {\n"+c.run+"\n}")
			for range 2 { // frames are used again
				if got := strings.TrimSpace(celltest.Cell(s, "body()")); got != c.want {
					t.Errorf("as a function: got %s\nwant %s", got, c.want)
				}
			}
		})
	}
}

// TestQuickCalls: frames are used again, by every goroutine for itself, and a panic or an interrupt loses none of the
// values.
func TestQuickCalls(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }")
	if got := celltest.Cell(s, `sums := make(chan int)
for range 8 { go func() { t := 0; for i := range 15 { t += fib(i) }; sums <- t }() }
all := []int{}
for range 8 { all = append(all, <-sums) }
all`); got != "[986 986 986 986 986 986 986 986]\n" {
		t.Errorf("eight goroutines: %s", got)
	}
	celltest.Cell(s, `func at(xs []int, i int) int {
	if i > 3 { return at(xs, i-1) + at(xs, i-2) }
	return xs[i]
}
func try(xs []int, i int) (n int, failed any) {
	defer func() { failed = recover() }()
	return at(xs, i), nil
}`)
	for range 3 {
		if got := celltest.Cell(s,
			"n, err := try([]int{1, 2, 3, 4}, 6)\nm, bad := try([]int{1, 2}, 5)\nfmt.Println(n, err, m, bad)"); !strings.HasPrefix(got, "18 <nil> 0 runtime error: index out of range") {
			t.Errorf("a panic inside: %s", got)
		}
	}
	if got := celltest.Cell(s, "at([]int{1}, 4)"); !strings.Contains(got, "index 3 is out of range") ||
		!strings.Contains(got, "In[3]:3 in at") || !strings.Contains(got, "return xs[i]") {
		t.Errorf("the line: %s", got)
	}
	celltest.Cell(s, "func deep(n int) int { return deep(n+1) + 1 }")
	for range 2 {
		if got := celltest.Cell(s, "deep(0)"); !strings.Contains(got, "stack overflow") {
			t.Errorf("recursion without end: %s", got)
		}
	}
	if got := celltest.Cell(s, "func g(n int) int { return n + 1 }\nfunc f(n int) int { return g(n) * 10 }\nf(1)"); got != "20\n" {
		t.Errorf("f(1) = %s", got)
	}
	if got := celltest.Cell(s, "func g(n int) int { return n + 2 }\nf(1)"); got != "30\n" {
		t.Errorf("f(1) with another g = %s", got)
	}
	if got := celltest.Cell(s, "func g(n int) int { defer func() {}(); return fib(n) }\nf(10)"); got != "550\n" {
		t.Errorf("f(10) with a g that defers = %s", got)
	}
	if got := celltest.Cell(s,
		"var h func(int) int\nh = func(n int) int { if n < 2 { return 1 }; return n * h(n-1) }\nh(10)"); got != "3628800\n" {
		t.Errorf("h(10) = %s", got)
	}
	if got := celltest.Cell(s, "var none func(int) int\nnone(1)"); !strings.Contains(got, "nil pointer") {
		t.Errorf("a nil function: %s", got)
	}
	if got := celltest.Cell(s, "var m map[string]int\nm[\"a\"]++"); !strings.Contains(got, "nil map") {
		t.Errorf("a nil map: %s", got)
	}
	if got := celltest.Cell(s, "zero := 0\n7 / zero"); !strings.Contains(got, "divide by zero") {
		t.Errorf("a division: %s", got)
	}
}
