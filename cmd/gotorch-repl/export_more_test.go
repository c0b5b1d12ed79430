package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportInits: init functions run with their cell, behind its variables; a type that is declared again has methods
// of its own.
func TestExportInits(t *testing.T) {
	t.Parallel() // it drives other processes
	file := filepath.Join(t.TempDir(), "cells.txt")
	const cells = `// %%
func init() { fmt.Println("one") }
var v = 4
func init() { v++; fmt.Println("two", v) }
v
// %%
init1 := 7
func init() { fmt.Println("three") }
x := Ones(2)
visualize.Strides(x);
init1
// %%
type T struct{ A int }
// %%
func (t T) M() int { return t.A }
T{3}.M()
// %%
type T struct{ A, B int }
func (t T) M() int { return t.B }
T{3, 4}.M()
`
	if err := os.WriteFile(file, []byte(cells), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := exported(t, file, "."), "one\ntwo 5\n5\nthree\n7\n3\n4\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestExportMethodsAgain: a method or a function that is declared again with the type that it had is the new one for
// what was there before, whatever its parameters are called.
func TestExportMethodsAgain(t *testing.T) {
	t.Parallel() // it drives other processes
	file := filepath.Join(t.TempDir(), "cells.txt")
	const cells = `// %%
type Q struct{ xs []int }
func (q *Q) Add(ns ...int) (n int, err error) { q.xs = append(q.xs, ns...); return len(q.xs), nil }
func (Q) Zero() {}
func (q Q) Both(a, b int) int { return a + b }
func double(n int) int { return 2 * n }
func use(q *Q) { fmt.Println(q.Add(1, 2)); q.Zero(); fmt.Println(q.Both(double(3), 4)) }
q := &Q{}
use(q)
// %%
func (r *Q) Add(vs ...int) (int, error) { for _, v := range vs { r.xs = append(r.xs, v*10) }; return -len(r.xs), io.EOF }
func (Q) Zero() { fmt.Println("zero") }
func (Q) Both(int, int) int { return -1 }
func double(m int) int { return 20 * m }
use(q)
q.xs
`
	if err := os.WriteFile(file, []byte(cells), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := exported(t, file, "."), "2 <nil>\n10\n-4 EOF\nzero\n-1\n[1 2 10 20]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestExportSessionNames: what only a session has is said in plain words.
func TestExportSessionNames(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cells.txt")
	if err := os.WriteFile(file, []byte("// %%\n1 + 1\n// %%\n_ + 2\n// %%\nOut[1]\n// %%\nlen(In[1])\n// %%\n_1\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program(t), "export", file, "-o", filepath.Join(dir, "p")).CombinedOutput()
	if err == nil {
		t.Error("no failure")
	}
	for _, want := range []string{"In[2]: 1:1: a program has no _,", "In[3]: 1:1: a program has no Out,",
		"In[4]: 1:5: a program has no In,", "In[5]: 1:1: a program has no _1,"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the message lacks %q:\n%s", want, out)
		}
	}
}

// TestRunParameterTypes: a parameter that is a text stays one, and literals of Go are taken as they are.
func TestRunParameterTypes(t *testing.T) {
	for _, c := range []struct{ src, text, want string }{
		{"a, b := 1, \"s\"", "5", "true"},
		{"b := `s`", "5", "true"},
		{"b := 5", "5", "false"},
	} {
		if got := definesString(c.src, "b"); got != (c.want == "true") {
			t.Errorf("%s: %v", c.src, got)
		}
	}
	for text, want := range map[string]string{"[]int{1, 2}": "[]int{1, 2}", "1e3": "1e3", "q\"x": `"q\"x"`,
		"a b": `"a b"`, "True": "true", `"x"`: `"x"`, "x": `"x"`,
		"[1, 2]": "[]int{1, 2}", "[1, 0.5]": "[]float64{1, 0.5}", "[true]": "[]bool{true}",
		`["a", "b"]`: `[]string{"a", "b"}`, `[1, "a"]`: `"[1, \"a\"]"`, "[x]": `"[x]"`} {
		if got := goValue(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestRunOutputWhere: that the outputs cannot be written is said before anything runs.
func TestRunOutputWhere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "n.ipynb")
	const nb = `{"cells":[{"cell_type":"code","id":"a","metadata":{},"outputs":[],"execution_count":null,"source":"fmt.Println(\"ran\")"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`
	if err := os.WriteFile(file, []byte(nb), 0o666); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{dir: "is a directory",
		filepath.Join(dir, "none", "x.ipynb"): "cannot be written"} {
		out, err := exec.Command(program(t), "run", file, "-o", to).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "ran") {
			t.Errorf("-o %s: %v\n%s", to, err, out)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files", len(left))
	}
}
