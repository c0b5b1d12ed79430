package interp

import (
	"strings"
	"testing"
)

// TestCommandsBetweenStatements: a line that is a command is one only where a statement could begin.
func TestCommandsBetweenStatements(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"a := 3\n%time a * 2\na + 1", "4\n"},
		{"b := `\n%who\n`\nlen(b)", "6\n"},
		{"c := 17 +\n2\n%who\n", "c"},
		{"ok := false\n!ok", "true\n"},
		{"!echo from the shell", "from the shell\n"},
		{"1\n%nothing\n2", "there is no %nothing"},
		{"d := 1\n%precision 99\nd = 2", "17 at most"},
		{"d", "1\n"},
		{"d\n?d", "var d int"},
		{">>> e := 4\n>>> e\n4\n>>> e + 1\n5", "4\n5\n"}, // each of them was a cell
		{">>> e := `\n... >>> e\n... `\n>>> len(e)", "7\n"},
		{">>> e3 := 7\n>>> panic(e3)\n>>> e3 = 8", "panic: 7"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}

// TestProfile: the line that takes the time is found.
func TestProfile(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	got := cell(s, "%%prof\nn := 0\nfor i := range 2000000 {\n\tn += i\n}\nn")
	if !strings.Contains(got, "1999999000000") || !strings.Contains(got, "n += i") || !strings.Contains(got, "function") {
		t.Error(got)
	}
}

// TestPlainGo: commands become what they stand for, each part where it stood.
func TestPlainGo(t *testing.T) {
	got := PlainGo(">>> x := 1\n>>> %time x + 1\n>>> %who\n>>> %strides a b\n>>> x")
	want := []string{"x := 1", "\nx + 1", "\n// %who\n", "\n\n\nvisualize.Strides(a, b)", "\n\n\n\nx"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// TestPlainGoOptions: what a command is told beside the Go that it runs is left out of it.
func TestPlainGoOptions(t *testing.T) {
	for src, want := range map[string]string{
		"%timeit -n 3 -r2 x + 1":                      "x + 1",
		"%timeit -x":                                  "-x",
		"%prof -o f.pprof f(x)":                       "f(x)",
		"%trace -o t.jsonl --chrome \"a b.json\" x@y": "x@y",
		"%trace -o t.jsonl x":                         "x",
		"%flame f(x)":                                 "f(x)",
		"%%capture out\nf(x)":                         "f(x)",
		"files := !ls -l\nf(x)":                       "// files := !ls -l\nf(x)",
		"done := !ok\nf(done)":                        "done := !ok\nf(done)",
	} {
		if got := PlainGo(src); len(got) != 1 || got[0] != want {
			t.Errorf("%s becomes %q, want %q", src, got, want)
		}
	}
}

// TestWholeProgram: a program that is pasted as a cell runs, and what it declares stays.
func TestWholeProgram(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	program := "// Package main greets.\npackage main\n\nimport \"fmt\"\n\nvar name = \"x\"\n\nfunc greet() string { return \"hello \" + name }\n\nfunc main() {\n\tfmt.Println(greet())\n}\n"
	for _, c := range []struct{ src, want string }{
		{program, "hello x\n"},
		{"name = \"y\"\ngreet()", "hello y\n"},
		{strings.Replace(program, "greet())", "gret())", 1), "11:14: undefined: gret"},
		{"package main", "leave it out"},
		{"// Package stats counts.\npackage stats\n\nimport \"math\"\n\n// Dist is a distance.\nfunc Dist(x, y float64) float64 {\n\treturn math.Hypot(x, y)\n}\n", ""},
		{"Dist(3, 4)", "5"},
		{"package main\n\nfunc helper() int { return 7 }", ""},
		{"helper()", "7"},
		{"package stats\n\nfunc Bad() int { return nope }", "3:25: undefined: nope"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.src, got, c.want)
		}
	}
}
