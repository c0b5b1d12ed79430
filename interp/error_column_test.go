package interp

import (
	"strings"
	"testing"

	"gotorch/interp/core"
)

// TestFaults: an error while a cell runs says where in its line, and with which numbers, as far as the session's names
// tell.
func TestFaults(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, `xs, i, text := []int{1, 2, 3}, 7, "abc"
ys := [][]int{{1}, {2, 3}}
var p *struct{ X int }
var e any = 3
var m map[string]int
type Deep struct{ In struct{ Xs []int } }
var d Deep
const far = 9`)
	cell(s, "func get(xs []int, i int) int {\n\tj := i\n\treturn xs[j]\n}")
	for _, c := range []struct{ src, want string }{
		{"xs[5-0]", "index 5 is out of range: the slice has length 3\n  at In[3]:1\n      xs[5-0]\n         ^"},
		{"xs[i]", "index 7 is out of range: the slice has length 3\n  at In[4]:1\n      xs[i]\n         ^"},
		{"xs[0] + ys[1][len(xs)]", "index 3 is out of range: the slice has length 2\n  at In[5]:1\n      xs[0] + " +
			"ys[1][len(xs)]\n                    ^"},
		{"text[far]", "index 9 is out of range: the string has length 3"},
		{"d.In.Xs[i]", "index 7 is out of range: the slice has length 0"},
		{"xs[1:i]", "bounds 1:7 are out of range: the slice has length 3\n  at In[8]:1\n      xs[1:i]\n        ^"},
		{"xs[i:]", "bounds 7:3 are out of range"},
		{"1 / (i - 7)", "runtime error: integer divide by zero\n  at In[10]:1\n      1 / (i - 7)\n          ^"},
		{"fmt.Println(i, p.X)", "p is nil: there is nothing to look into (a nil pointer dereference)\n  at In[11]:1\n     " +
			" fmt.Println(i, p.X)\n                     ^"},
		{"e.(string)", "interface conversion: interface {} is int, not string\n  at In[12]:1\n      e.(string)\n        ^"},
		{"m[\"a\"] = 1", "assignment to entry in nil map: m = map[string]int{} makes one\n  at In[13]:1\n      m[\"a\"] = " +
			"1\n      ^"},
		{"get(xs, 9)", "index 9 is out of range: the slice has length 3\n  at In[2]:3 in get\n      return xs[j]\n        " +
			"        ^"},
		{"for j := range 5 {\n\ti = xs[j] + 1\n}",
			"index 3 is out of range: the slice has length 3\n  at In[15]:2\n      i = xs[j] + 1\n             ^"},
		{"k := 1; k = xs[k+far]; k = 2", "index 10 is out of range: the slice has length 3\n  at In[16]:1\n      k := 1; " +
			"k = xs[k+far]; k = 2\n                     ^"},
		// another xs
		{"f := func(xs []int) int { return xs[5] }\nf([]int{1})",
			"index 5 is out of range: the slice has length 1\n  at In[17]:1\n"},
		{"xs[i] + ys[1][i]", "index 4 is out of range: the slice has length 3"}, // the first
		{"var none func(int) int\nnone(3)",
			"none is nil: there is no function to call (a nil pointer dereference)\n  at In[19]:2\n      none(3)\n      ^"},
		{"f(nil)", "index 5 is out of range: the slice has length 0\n  at In[17]:1"},
		{"func put(m [3]string, at struct{ n int }) {\n\tdefer func() { m[1] = \"y\" }()\n\tfor k := range 5 {\n" +
			"\t\tfunc() { m[k+at.n] = \"x\" }()\n\t}\n}\nput([3]string{}, struct{ n int }{1})",
			"index 3 is out of range: the array has length 3\n  at In[21]:4 in put.func"},
		{"type node struct{ next *node; v []int }\nfunc (n *node) last() int { for n.v[0] > 0 { n = n.next }; return " +
			"n.v[0] }\n(&node{v: []int{1}}).last()", "n is nil: there is nothing to look into"},
		{"func at[T any](l []T, i int) T { return l[i] }\nat(xs, 0)\nat([]string{\"a\"}, 3)",
			"index 3 is out of range: the slice has length 1\n  at In[23]:1 in at"},
		{"at(xs, 4)", "index 4 is out of range: the slice has length 3\n  at In[23]:1 in at"},
		{"func cut(b []byte, lo, hi int) []byte { return b[lo:hi] }\ncut(make([]byte, 3, 10), 5, 4)",
			"bounds 5:4 are the wrong way round"},
		{"go func(xs []int) { for k := 7; ; k++ { xs[k]++ } }(xs)\ntime.Sleep(time.Second)",
			"index 7 is out of range: the slice has length 3 (in a goroutine)\n  at In[26]:1"},
		{"func twice(xs []int) (n int) { defer func() { recover() }(); return xs[3] }\nfunc() { twice(xs); var m " +
			"map[int]int; k := 2; m[k] = 3 }()", "assignment to entry in nil map: nothing has made m\n"},
		{"z := Ones(2, 3)\nfmt.Println(z.Sum(), z.Unsqueeze(9))", "at In[28]:2\n"},
	} {
		_, err := s.Eval(t.Context(), c.src, nil)
		e, ok := err.(*Error)
		if !ok {
			t.Errorf("%q gives %v, no error", c.src, err)
			continue
		}
		if !strings.Contains(e.Text()+"\n", c.want) {
			t.Errorf("%q gives\n%s\nwant\n%s", c.src, e.Text(), c.want)
		}
	}
}

// TestCallColumns: where a statement calls one operator several times, an error is at the call that failed.
func TestCallColumns(t *testing.T) {
	if core.Race {
		t.Skip("the race detector would find the engine's notes of calls")
	}
	s := New(Options{})
	defer s.Close()
	cell(s, "z := Ones(2, 3)\nfunc split(x *Tensor) *Tensor { return x.View(2, -1).View(7) }")
	for _, c := range []struct{ src, at string }{ // at begins where the error is
		{"z @ z.T() @ z @ z", "@ z"},
		{"z.Unsqueeze(0).Unsqueeze(9)", "Unsqueeze(9)"},
		{"z.Unsqueeze(9).Unsqueeze(0)", "Unsqueeze(9)"},
		{"fmt.Sprint(z.View(6), Ones(6).View(4))", "View(4)"},
		{"Cat([]*Tensor{z, Cat([]*Tensor{z, Ones(1)})})", "Cat([]*Tensor{z, Ones(1)})"},
		{"y := func() *Tensor { return z.View(3, 2) }() + z.View(6).View(2, 3).View(5)", "View(5)"},
	} {
		_, err := s.Eval(t.Context(), c.src, nil)
		e, ok := err.(*Error)
		if !ok {
			t.Errorf("%q gives %v, no error", c.src, err)
		} else if want := strings.LastIndex(c.src, c.at) + 1; e.Col != want {
			t.Errorf("%q fails at column %d, want %d: %s", c.src, e.Col, want, e.Text())
		}
	}
	_, err := s.Eval(t.Context(), "split(z.View(3, 2)).View(6)", nil)
	if e, ok := err.(*Error); !ok || e.Line != 2 || !strings.HasPrefix(e.Source[e.Col-1:], "View(7)") {
		t.Errorf("in a function: %v", err)
	}
}
