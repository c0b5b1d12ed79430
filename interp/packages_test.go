package interp

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/interp/internal/celltest"
)

// files writes files of a folder of the test's own, which becomes the working directory.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		write(t, filepath.Join(dir, name), text)
	}
	t.Chdir(dir)
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs cells, each with what it shows; a text that ends in … is a beginning.
func run(t *testing.T, s *Session, cells ...[2]string) {
	t.Helper()
	for _, c := range cells {
		got := strings.TrimSpace(celltest.Cell(s, c[0]))
		if want, begins := strings.CutSuffix(c[1], "…"); got != c[1] && !(begins && strings.Contains(got, want)) {
			t.Errorf("%s\n  %s\nwant\n  %s", c[0], got, c[1])
		}
	}
}

const vecGo = `// Package vec is about vectors.
package vec

import (
	"errors"
	"fmt"
	"sort"

	"./base"
)

var ErrEmpty = errors.New("empty")

var total = start + 1 // after start
var start = compute()

func compute() int { return base.Base * 2 }

func init() { total += 100 }

type Vec struct {
	X, Y   float64
	hidden int
}

func (v Vec) String() string     { return fmt.Sprintf("<%g %g>", v.X, v.Y) }
func (v *Vec) Scale(k float64)   { v.X *= k; v.Y *= k }

// Total returns the total.
func Total() int { return total }

var Counter int

func Inc() int { Counter++; return Counter }

type Number interface{ ~int | ~float64 }

func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }
func (s *Stack[T]) Pop() (x T, err error) {
	if len(s.items) == 0 {
		return x, ErrEmpty
	}
	x, s.items = s.items[len(s.items)-1], s.items[:len(s.items)-1]
	return x, nil
}

type Shape interface{ Area() float64 }

type Square struct{ S float64 }

func (s Square) Area() float64 { return s.S * s.S }

func Largest(shapes ...Shape) Shape {
	sort.Slice(shapes, func(i, j int) bool { return shapes[i].Area() > shapes[j].Area() })
	return shapes[0]
}
`

// TestPackageBeside imports a folder beside the notebook: order of initialization, methods, generics, interfaces,
// variables, unexported names, and errors by file and line.
func TestPackageBeside(t *testing.T) {
	files(t, map[string]string{
		"vec/vec.go": vecGo, "vec/base/b.go": "package base\n\nconst Base = 21\n",
		"vec/crash.go":     "package vec\n\nfunc Crash(xs []int, i int) int {\n\ty := xs[i]\n\treturn y\n}\n",
		"vec/vec_test.go":  "package vec\n\nfunc broken( {",
		"vec/vec_plan9.go": "package vec\n\nfunc broken( {",
		"vec/old.go":       "//go:build ignore\n\npackage main\n\nfunc broken( {",
	})
	s := New(Options{})
	defer s.Close()
	run(t, s, [][2]string{
		{`import "./vec"`, ""},
		{"vec.Total()", "143"},
		{"v := vec.Vec{X: 1, Y: 2}\nv.Scale(3)\nv", "<3 6>"},
		{`fmt.Sprintf("%T %v", v, &v)`, `"vec.Vec <3 6>"`},
		{"vec.Sum(1, 2, 3), vec.Sum(1.5, 2)", "6\n3.5"},
		{"var st vec.Stack[string]\nst.Push(\"a\")\nst.Pop()", "\"a\"\n<nil>"},
		{"_, err := st.Pop()\nerr == vec.ErrEmpty", "true"},
		{"vec.Counter = 5\np := &vec.Counter\n*p += 2\nvec.Inc(), vec.Counter", "8\n8"},
		{"type Circle struct{ R float64 }\nfunc (c Circle) Area() float64 { return 3 * c.R * c.R }\n" +
			"vec.Largest(vec.Square{2}, Circle{3})", "{R:3.0}"},
		{"f := vec.Total\nf()", "143"},
		{"import w \"./vec\"\nw.Counter", "8"},
		{"import . \"./vec\"\nSquare{3}.Area()", "9.0"},
		{"vec.total", "name total not exported by package vec…"},
		{"v.hidden", "v.hidden undefined…"},
		{"vec.Crash([]int{1}, 5)", "at vec/crash.go:4 in vec.Crash…"},
		{"Ones(2) * vec.Sum(1.5, 2)", "tensor([3.5000, 3.5000])"},
	}...)
	if h, _ := s.Inspect("vec.Total", 9, false); !strings.Contains(h.Doc, "returns the total") {
		t.Errorf("help: %+v", h)
	}
	if c := s.Complete("vec.Lar", 7); len(c.Candidates) != 1 {
		t.Errorf("completion: %+v", c)
	}
}

// TestPackageOfModule imports packages of a module by its go.mod: its own, a replaced one, a vendored one, and one of
// the module cache in the version that is asked for.
func TestPackageOfModule(t *testing.T) {
	cache := t.TempDir()
	for v, n := range map[string]string{"v1.2.0": "2", "v1.10.0": "10", "v1.9.0": "9"} {
		write(t, filepath.Join(cache, "example.org/!upper/m@"+v, "m.go"), "package m\n\nfunc V() int { return "+n+" }\n")
	}
	t.Setenv("GOMODCACHE", cache)
	dir := files(t, map[string]string{
		"go.mod": "module example.com/nb\n\ngo 1.24\n\nrequire (\n\texample.org/Upper/m v1.9.0\n" +
			"\texample.org/re v0.0.0\n\texample.org/v v1.0.0\n)\n\nreplace example.org/re => ./re\n",
		"re/go.mod":                 "module example.org/re\n",
		"re/r.go":                   "package re\n\nimport \"example.org/Upper/m\"\n\nvar R = m.V() * 100\n",
		"vendor/example.org/v/v.go": "package v\n\nconst V = 7\n",
		"lib/l.go":                  "package lib\n\nimport \"example.com/nb/internal/i\"\n\nvar L = i.I\n",
		"internal/i/i.go":           "package i\n\nconst I = 3\n",
		"notebooks/readme.txt":      "",
		"lib/internal/deep/deep.go": "package deep\n",
	})
	t.Chdir(filepath.Join(dir, "notebooks"))
	s := New(Options{})
	defer s.Close()
	run(t, s, [][2]string{
		{"import \"example.com/nb/lib\"\nlib.L", "3"},
		{"import \"../lib\"\nlib.L", "3"},
		{"import \"example.org/Upper/m\"\nm.V()", "9"},
		{"import \"example.org/re\"\nre.R", "900"},
		{"import v \"example.org/v\"\nv.V", "7"},
		{"import \"example.com/nb/internal/i\"\ni.I", "3"},
		{"import \"example.com/nb/lib/internal/deep\"", "only packages in example.com/nb/lib may import it…"},
		{"import \"example.org/none\"", "requires: go get example.org/none adds it…"},
	}...)
	t.Chdir(t.TempDir()) // no go.mod: the newest version in the cache
	run(t, s, [2]string{"import n \"example.org/Upper/m\"\nn.V()", "10"})
}

// TestRealPackages imports packages that this module needs itself.
func TestRealPackages(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	run(t, s, [][2]string{
		{"import \"golang.org/x/mod/semver\"\n" +
			"semver.Compare(\"v1.10.0\", \"v1.9.3\"), semver.Major(\"v2.1.0\")", "1\n\"v2\""},
		{"import \"github.com/rivo/uniseg\"\nuniseg.GraphemeClusterCount(\"🇩🇪e\\u0301\")", "2"},
		{"import \"golang.org/x/mod/module\"\nmodule.EscapePath(\"github.com/Azure/x\")", "\"github.com/!azure/x\"\n<nil>"},
	}...)
}

// TestBadPackages: what cannot be imported is told with file and line.
func TestBadPackages(t *testing.T) {
	dir := files(t, map[string]string{
		"typ/t.go":        "package typ\n\nfunc F() int { return \"x\" }\n",
		"syn/s.go":        "package syn\n\nfunc F( {}\n",
		"cgo/c.go":        "package cgo\n\nimport \"C\"\n",
		"asm/a.go":        "package asm\n\nfunc F()\n",
		"uns/u.go":        "package uns\n\nimport \"unsafe\"\n\nvar P unsafe.Pointer\n",
		"std/s.go":        "package std\n\nimport \"syscall\"\n\nvar E = syscall.EINVAL\n",
		"a/a.go":          "package a\n\nimport \"../b\"\n\nvar A = b.B\n",
		"b/b.go":          "package b\n\nimport \"../a\"\n\nvar B = a.A\n",
		"two/x.go":        "package x\n",
		"two/y.go":        "package y\n",
		"prog/m.go":       "package main\n\nfunc main() {}\n",
		"tests/x_test.go": "package tests\n",
		"empty/x.txt":     "",
		"boom/b.go":       "package boom\n\nvar x []int\n\nfunc init() {\n\tx[3] = 1\n}\n",
		"big/b.go":        "package big\n\nvar X [1 << 40]int\n",
		"pure/p.go":       "package pure\n\nvar N = n()\n",
		"pure/n_asm.go":   "//go:build amd64 || arm64 || 386 || s390x\n\npackage pure\n\nfunc n() int\n",
		"pure/n_go.go":    "//go:build !(amd64 || arm64 || 386 || s390x)\n\npackage pure\n\nfunc n() int { return 4 }\n",
	})
	s := New(Options{})
	defer s.Close()
	run(t, s, [][2]string{
		{`import "./typ"`, "typ/t.go:3:23: cannot use \"x\"…"},
		{`import "./syn"`, "syn/s.go:3:9: …"},
		{`import "./cgo"`, "cgo/c.go:3:8: package " + filepath.ToSlash(dir) + "/cgo uses cgo…"},
		{`import "./asm"`, "asm/a.go:3:1: F has no body…"},
		{`import "./uns"`, "uns/u.go:3:8: package " + filepath.ToSlash(dir) + "/uns uses unsafe…"},
		{`import "./std"`, "std/s.go:3:8: package syscall is not available in this session…"},
		{`import "./a"`, "the packages import each other: …"},
		{`import "./two"`, "two has two packages: x in two/x.go and y in two/y.go…"},
		{`import "./prog"`, "is a program, package main…"},
		{`import "./tests"`, "are tests, or for other systems…"},
		{`import "./empty"`, "there is no Go in empty…"},
		{`import "./missing"`, "there is no folder…"},
		{`import "./boom"`, "at boom/b.go:6…"},
		{`import "./big"`, "big/b.go:3:7: an array of…"},
		{`import "pure"`, "import \"./pure\" imports that…"},
		{`import "nothing"`, "package nothing is not available in cells…"},
		{"import \"./pure\"\npure.N", "4"},
		{"1 + 1", "2"},
	}...)
}

// TestAutoreload: packages are read again; values of types that are declared as before go on with the new methods, and
// functions of cells call the new functions.
func TestAutoreload(t *testing.T) {
	dir := files(t, map[string]string{
		"lib/l.go": "package lib\n\ntype T struct{ A int }\n\nfunc (t T) Get() int { return t.A }\n\n" +
			"func F() int { return 1 }\n\ntype U struct{ B int }\n",
		"up/u.go": "package up\n\nimport \"../lib\"\n\nfunc G(t lib.T) int { return t.Get() + 1000 }\n",
	})
	s := New(Options{})
	defer s.Close()
	run(t, s, [][2]string{
		{"import (\n\"./lib\"\n\"./up\"\n)\nt := lib.T{A: 3}\nu := lib.U{1}\nlist := []lib.T{t}\n" +
			"func H() int { return lib.F() + t.Get() }\ntype W struct{ T lib.T }\nw := W{t}", ""},
		{"H(), up.G(t)", "4\n1003"},
	}...)
	write(t, filepath.Join(dir, "lib/l.go"), "package lib\n\ntype T struct{ A int }\n\n"+
		"func (t T) Get() int { return t.A * 100 }\n\nfunc F() int { return 2 }\n\nfunc New(t T) int { return t.A }\n"+
		"\ntype U struct{ B, C int }\n")
	run(t, s, [][2]string{
		{"H()", "4"}, // not yet
		{"%autoreload", "read again: " + filepath.ToSlash(dir) + "/lib, " + filepath.ToSlash(dir) + "/up"},
		{"H(), up.G(t), lib.New(t), lib.New(list[0]), lib.New(w.T)", "302\n1300\n3\n3\n3"},
		{"t = lib.T{4}\nlist = append(list, lib.T{5})\nw = W{lib.T{6}}\nup.G(w.T)", "1600"},
		{"u", "{B:1}"}, // of the old type
		{"u = lib.U{1, 2}", "cannot use lib.U{…}…"},
		{"%autoreload on", ""},
	}...)
	write(t, filepath.Join(dir, "lib/l.go"), "package lib\n\nfunc (")
	run(t, s, [2]string{"H()", "stderr: %autoreload: lib/l.go:3:…"}, [2]string{"lib.F()", "2…"})
	write(t, filepath.Join(dir, "lib/l.go"), "package lib\n\ntype T struct{ A int }\n\n"+
		"func (t T) Get() int { return 1 }\n\nfunc F() int { return 7 }\n")
	run(t, s, [2]string{"H()", "8"}, [2]string{"lib.New", "undefined: lib.New…"})
}

// TestSafePackages: the restricted mode imports from the allowed folders alone, and refuses packages what it refuses
// to cells.
func TestSafePackages(t *testing.T) {
	dir := files(t, map[string]string{
		"in/ok/o.go":  "package ok\n\nfunc F() int { return 1 }\n",
		"in/bad/b.go": "package bad\n\nimport \"os\"\n\nfunc F() error { return os.Remove(\"x\") }\n",
		"out/o.go":    "package out\n",
		"data/d.go":   "package data\n\nconst D = 5\n",
	})
	t.Chdir(filepath.Join(dir, "in"))
	s := New(Options{Safe: true})
	defer s.Close()
	run(t, s, [][2]string{
		{"import \"./ok\"\nok.F()", "1"},
		{`import "./bad"`, "bad/b.go:5:28: Remove is refused in the restricted mode…"},
		{`import "../out"`, "in the restricted mode packages lie below…"},
	}...)
	if err := os.Symlink(filepath.Join(dir, "out"), "link"); err == nil {
		run(t, s, [2]string{`import "./link"`, "in the restricted mode packages lie below…"})
	}
	r := New(Options{Safe: true, Read: []string{filepath.Join(dir, "data")}})
	defer r.Close()
	run(t, r, [2]string{"import \"../data\"\ndata.D", "5"}, [2]string{`import "./ok"`, "in the restricted mode…"})
}

// TestInterruptPackage stops a package whose initialization never ends; the next import begins it again.
func TestInterruptPackage(t *testing.T) {
	dir := files(t, map[string]string{"slow/s.go": "package slow\n\nvar X = 1\n\nfunc init() {\n" +
		"\tprintln(\"begun\")\n\tfor X > 0 {\n\t}\n}\n"})
	s := New(Options{})
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := s.Eval(ctx, `import "./slow"`, &stopAt{stop: cancel})
	if err == nil || !strings.Contains(err.Error(), "nterrupted") {
		t.Errorf("%v", err)
	}
	write(t, filepath.Join(dir, "slow/s.go"), "package slow\n\nvar X = 2\n")
	run(t, s, [2]string{"import \"./slow\"\nslow.X", "2"})
}

// stopAt ends a cell when it writes.
type stopAt struct {
	celltest.Recorder
	stop func()
}

func (s *stopAt) Write(p []byte) (int, error) { s.stop(); return len(p), nil }
func (s *stopAt) Stderr() io.Writer           { return s }
