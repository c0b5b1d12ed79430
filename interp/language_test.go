package interp

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"gotorch/interp/check"
	"gotorch/interp/internal/celltest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var toolchain = flag.Bool("toolchain", false, "compare the language cells with what the Go compiler makes of them")

// TestLanguage runs each block of testdata/language in a session of its own. A short test takes those that have
// goroutines.
func TestLanguage(t *testing.T) {
	for _, name := range languageFiles(t) {
		t.Run(name, func(t *testing.T) {
			var all strings.Builder
			for _, c := range celltest.Blocks(t, "testdata/language/"+name+".txt") {
				if testing.Short() && !concurrent(c) {
					continue
				}
				s := New(Options{})
				got := cell(s, c)
				s.Close()
				var b strings.Builder
				transcript(&b, c, pointers.ReplaceAllString(got, "0x…"))
				all.WriteString(b.String())
				if testing.Short() {
					within(t, "language/"+name+".want", b.String())
				}
			}
			if !testing.Short() {
				golden(t, "language/"+name+".want", all.String())
			}
		})
	}
}

// languageFiles are the topics of testdata/language.
func languageFiles(t testing.TB) (names []string) {
	all, err := filepath.Glob("testdata/language/*.txt")
	if err != nil || len(all) == 0 {
		t.Fatal("there are no cells", err)
	}
	for _, f := range all {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".txt"))
	}
	return names
}

// concurrent reports whether a cell may have goroutines of its own.
var concurrent = regexp.MustCompile(`\b(go|chan|select|sync|atomic|context|time)\b`).MatchString

// within compares with a part of a file that golden holds.
func within(t *testing.T, file, got string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(want), got) {
		t.Errorf("%s has no\n%s", file, got)
	}
}

// TestRefused runs what cells cannot do, and should say so.
func TestRefused(t *testing.T) {
	var b strings.Builder
	for _, c := range celltest.Blocks(t, "testdata/refused.txt") {
		s := New(Options{})
		transcript(&b, c, cell(s, c))
		s.Close()
	}
	golden(t, "refused.want", b.String())
}

var pointers = regexp.MustCompile(`0x[0-9a-f]{5,}`)

func languageCells(t testing.TB) (all []string) {
	for _, f := range languageFiles(t) {
		all = append(all, celltest.Blocks(t, "testdata/language/"+f+".txt")...)
	}
	return all
}

// TestLanguageAgainstCompiler makes a package of each block, builds one program
// of them all with the Go toolchain and compares what it prints with what cells
// print. It needs the toolchain and some time, so it runs with -toolchain; -cells
// names a file of other blocks.
func TestLanguageAgainstCompiler(t *testing.T) {
	if !*toolchain {
		t.Skip("-toolchain")
	}
	all := languageCells(t)
	if *cellsFile != "" {
		all = celltest.Blocks(t, *cellsFile)
	}
	want := compiled(t, all)
	bad := 0
	for i, c := range all {
		w, ok := want[i]
		s := New(Options{})
		got := cell(s, c)
		s.Close()
		if !ok {
			t.Logf("block %d cannot be made a program of\n%s\n got %q", i, c, got)
			continue
		}
		failed := strings.Contains(got, "Error: ") || strings.Contains(got, "Panic: ")
		if strings.HasPrefix(w, "error: ") && !failed || !strings.HasPrefix(w, "error: ") && clean(got) != clean(w) {
			bad++
			t.Errorf("block %d\n%s\n got %q\nwant %q", i, c, clean(got), clean(w))
		}
	}
	t.Logf("%d of %d blocks differ", bad, len(all))
}

var cellsFile = flag.String("cells", "", "with -toolchain, compare the blocks of this file")

// compiled returns what the compiler's programs print, by block; "error: " and why for those that fail.
func compiled(t *testing.T, all []string) map[int]string {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module cells\n\ngo 1.26\n"), 0o666)
	write := func(i int, src string) {
		d := filepath.Join(dir, fmt.Sprint("c", i))
		os.Mkdir(d, 0o777)
		os.WriteFile(filepath.Join(d, "cell.go"), []byte(src), 0o666)
	}
	build := func() map[int]string {
		cmd := exec.Command("go", "build", "-gcflags=-e", "./...")
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		errs := map[int]string{}
		for _, part := range strings.Split("\n"+string(out), "\n# cells/c")[1:] {
			var i int
			fmt.Sscan(part, &i)
			errs[i] = part
		}
		return errs
	}
	want, srcs := map[int]string{}, map[int]string{}
	for i, c := range all {
		if src, ok := program(c); ok {
			srcs[i], want[i] = src, ""
			write(i, src)
		}
	}
	for i, e := range build() {
		if strings.Contains(e, "(no value) used as value") {
			write(i, noValue.ReplaceAllString(srcs[i], "$1"))
		}
	}
	for i, e := range build() {
		want[i] = "error: " + e
		os.RemoveAll(filepath.Join(dir, fmt.Sprint("c", i)))
	}
	var imports, table strings.Builder
	for i := range want {
		if want[i] == "" {
			fmt.Fprintf(&imports, "import c%d \"cells/c%d\"\n", i, i)
			fmt.Fprintf(&table, "\t%q: c%d.Main,\n", fmt.Sprint(i), i)
		}
	}
	src := "package main\nimport \"os\"\n" + imports.String() + "var mains = map[string]func(){\n" + table.String() +
		"}\nfunc main() { mains[os.Args[1]]() }\n"
	os.WriteFile(filepath.Join(dir, "main.go"), []byte(src), 0o666)
	cmd := exec.Command("go", "build", "-o", "all", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i := range want {
		if want[i] != "" {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		cmd := exec.CommandContext(ctx, filepath.Join(dir, "all"), fmt.Sprint(i))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		cancel()
		want[i] = strings.ReplaceAll(out.String(), "cell.", "main.")
		if err != nil {
			want[i] = "error: " + errs.String()
		}
	}
	return want
}

var noValue = regexp.MustCompile(`(?s)show\(func\(\) \[\]any \{ return all\((.*)\) \}\)`)

// functions are values that a cell shows in words and a program as an address.
var functions = regexp.MustCompile(`(?m)^(?:func|iter\.Seq).*   a (?:function|sequence).*$`)

func clean(s string) string {
	return strings.TrimSpace(functions.ReplaceAllString(pointers.ReplaceAllString(s, "0x…"), "0x…"))
}

// program makes a Go program of a cell that prints what the cell shows.
func program(src string) (string, bool) {
	var decls, stmts, imports []string
	rest := src
	fset := token.NewFileSet()
	text := func(n ast.Node) string {
		var b bytes.Buffer
		printer.Fprint(&b, fset, n)
		return b.String()
	}
	// imports and functions are found by trying: everything else is a statement
	lines := strings.Split(rest, "\n")
	for i := 0; i < len(lines); {
		took := false
		for j := len(lines); j > i && !took; j-- {
			chunk := strings.Join(lines[i:j], "\n")
			if f, err := parser.ParseFile(fset, "", "package p\n"+chunk, 0); err == nil {
				for _, d := range f.Decls {
					g, ok := d.(*ast.GenDecl)
					switch {
					case ok && g.Tok == token.IMPORT:
						imports = append(imports, text(d))
					case ok && g.Tok == token.VAR:
						stmts = append(stmts, text(d))
					default:
						decls = append(decls, text(d))
					}
				}
				i, took = j, true
			}
		}
		for j := i + 1; j <= len(lines) && !took; j++ {
			chunk := strings.Join(lines[i:j], "\n")
			if f, err := parser.ParseFile(fset, "", "package p\nfunc _() {\n"+chunk+"\n}", 0); err == nil && len(f.Decls) == 1 {
				stmts = append(stmts, chunk)
				i, took = j, true
			}
		}
		if !took {
			return "", false
		}
	}
	body := "package p\nfunc _() {\n" + strings.Join(stmts, "\n") + "\n}"
	f, err := parser.ParseFile(fset, "", body, 0)
	if err != nil || len(stmts) == 0 {
		return "", false
	}
	list := f.Decls[0].(*ast.FuncDecl).Body.List
	var main bytes.Buffer
	for i, s := range list {
		if es, ok := s.(*ast.ExprStmt); ok && i == len(list)-1 && !strings.HasPrefix(text(es.X), "fmt.Print") {
			fmt.Fprintf(&main, "show(func() []any { return all(%s) })\n", text(es.X))
			continue
		}
		main.WriteString(text(s) + "\n")
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, l := range a.Lhs {
				if n := text(l); n != "_" {
					main.WriteString("_ = " + n + "\n")
				}
			}
		}
	}
	out := "package cell\n" + strings.Join(imports, "\n") + "\n"
	for name, path := range check.Standard().Auto {
		if regexp.MustCompile(`\b`+name+`\.[A-Z]`).MatchString(src) && !strings.HasPrefix(path, "gotorch") &&
			!strings.Contains(strings.Join(imports, " "), `"`+path+`"`) {
			out += fmt.Sprintf("import %q\n", path)
		}
	}
	out += "import fmt_ \"fmt\"\nfunc all(x ...any) []any { return x }\nfunc show(f func() []any) { for _, x := range " +
		"f() { fmt_.Println(x) } }\n"
	return out + strings.Join(decls, "\n") + "\nfunc Main() {\n" + main.String() + "}\n", true
}
