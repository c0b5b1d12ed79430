package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

// exported exports a file, builds the program and gives what it prints when it runs in a directory.
func exported(t *testing.T, file, in string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command(program(t), "export", file, "-o", dir).CombinedOutput(); err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	exe := filepath.Join(dir, "program.exe")
	cmd := exec.Command("go", "build", "-o", exe, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		main, _ := os.ReadFile(filepath.Join(dir, "main.go"))
		t.Fatalf("go build: %v\n%s\n%s", err, out, main)
	}
	run := exec.Command(exe)
	run.Dir = in
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestExportNotebooks: the program that a notebook becomes prints what the notebook shows.
func TestExportNotebooks(t *testing.T) {
	t.Parallel() // it drives other processes
	for _, name := range notebooks(t) {
		if strings.HasPrefix(filepath.Base(name), "gallery") {
			continue // times, and errors that it shows
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			_, cells, err := ipynb.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			for _, c := range cells {
				if c["cell_type"] == "code" {
					want.WriteString(shownOutputs(t, c).text)
				}
			}
			got := varying.ReplaceAllString(exported(t, name, filepath.Dir(name)), "·") // cards number storages too
			if want := varying.ReplaceAllString(want.String(), "·"); !sameNumbers(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestExportCells: names that are defined again, functions that see each other, commands, comments, and the tensor
// syntax.
func TestExportCells(t *testing.T) {
	t.Parallel() // it drives other processes
	const cells = `// %%
// how many
n := 3 // three
var rand = 2.5
func f(k int) int { return n * k } // times
func g() int { return f(10) }
type P struct{ A, B int }
func (p P) Sum() int { return p.A + p.B }
g()
// %%
func f(k int) int { return n + k }
g(), f(1)
// %%
p := P{1, 2}
n = 5
p.Sum(), n, g()
// %%
type P struct{ Name string }
q := P{"x"}
%time q.Name
q
// %%
n := "now a string"
strings.ToUpper(n)
// %%
x := Arange(6).View(2, 3)
x[:, ::2] += 10
y := x @ x.T()
%who
y, x[0, -1]
// %%
m := map[string][]int{"a": {1}}
v, ok := m["a"]
v, ok
// %%
for i, r := range []string{"a", "b"} {
	// inside
	defer fmt.Println("deferred", i, r)
}
if t1 := rand * 2; t1 > 4 {
	fmt.Println(t1, math.Sqrt(t1*5))
}
err := errors.New("bad")
err
// %%
var total int
for total < 10 { total += 4 }
total;
// %%
var total int
total
// %%
func even(n int) bool { if n == 0 { return true }; return odd(n - 1) }
func odd(n int) bool { if n == 0 { return false }; return even(n - 1) }
even(10)
`
	const want = `30
13
4
3
5
15
"x"
{Name:"x"}
"NOW A STRING"
tensor([[245, 314],
        [314, 410]])
tensor(12)
[1]
true
5 5
bad
deferred 1 b
deferred 0 a
0
true
`
	name := filepath.Join(t.TempDir(), "cells.go")
	if err := os.WriteFile(name, []byte(cells), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := exported(t, name, "."); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	dir := t.TempDir()
	if out, err := exec.Command(program(t), "export", name, "-o", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"// how many\n", "// three\n", "// inside\n", "// %who\n", "type P2 struct",
		"n2 = \"now a string\""} {
		if !strings.Contains(string(text), s) {
			t.Errorf("no %q in\n%s", s, text)
		}
	}
}

// TestExportProblems: what cannot become a part of the program is said, and stands in it as a comment; the rest is
// written.
func TestExportProblems(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "cells.go")
	os.WriteFile(name, []byte("// %%\nx := 1\n// %%\ny := nope\n// %%\nx + 1\n"), 0o666)
	out, err := exec.Command(program(t), "export", name, "-o", dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "In[2]: 1:6: undefined: nope") { // lines are those of the cell
		t.Errorf("%v\n%s", err, out)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "main.go"))
	if !strings.Contains(string(text), "// In[2] is left out: undefined: nope\n// \ty := nope\n") ||
		!strings.Contains(string(text), "show(x + 1)") {
		t.Errorf("%s", text)
	}
}
