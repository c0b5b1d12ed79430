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

// TestWholeProgram: a program that is pasted as a cell runs, and what it declares stays.
func TestWholeProgram(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	program := "// Package main greets.\npackage main\n\nimport \"fmt\"\n\nvar name = \"x\"\n\nfunc greet() string { " +
		"return \"hello \" + name }\n\nfunc main() {\n\tfmt.Println(greet())\n}\n"
	for _, c := range []struct{ src, want string }{
		{program, "hello x\n"},
		{"name = \"y\"\ngreet()", "\"hello y\"\n"},
		{strings.Replace(program, "greet())", "gret())", 1), "11:14: undefined: gret"},
		{"package main", "leave it out"},
		{"// Package stats counts.\npackage stats\n\nimport \"math\"\n\n// Dist is a distance.\nfunc Dist(x, y float64) " +
			"float64 {\n\treturn math.Hypot(x, y)\n}\n", ""},
		{"Dist(3, 4)", "5.0"},
		{"package main\n\nfunc helper() int { return 7 }", ""},
		{"helper()", "7"},
		{"package stats\n\nfunc Bad() int { return nope }", "3:25: undefined: nope"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.src, got, c.want)
		}
	}
}
