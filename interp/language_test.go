package interp

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gotorch/interp/check"
)

var toolchain = flag.Bool("toolchain", false, "compare the language cells with what the Go compiler makes of them")

// TestLanguage runs each block of language.txt in a session of its own. Blocks
// that use what an earlier block defines, as those at the end do, get that
// block's definitions by standing in one session after it.
func TestLanguage(t *testing.T) {
	var b strings.Builder
	for _, c := range languageCells(t) {
		s := New(Options{})
		got := cell(s, c)
		s.Close()
		transcript(&b, c, pointers.ReplaceAllString(got, "0x…"))
	}
	golden(t, "language.want", b.String())
}

var pointers = regexp.MustCompile(`0x[0-9a-f]{5,}`)

func languageCells(t *testing.T) []string {
	return append(cells(t, "testdata/language.txt"), cells(t, "testdata/more.txt")...)
}

// TestLanguageAgainstCompiler makes a program of each block, runs it with the
// Go toolchain and compares what both print. It needs the toolchain and a
// minute, so it runs with -toolchain.
func TestLanguageAgainstCompiler(t *testing.T) {
	if !*toolchain {
		t.Skip("-toolchain")
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module cells\n\ngo 1.26\n"), 0o666)
	all := languageCells(t)
	var wg sync.WaitGroup
	gate := make(chan bool, runtime.NumCPU())
	want := make([]string, len(all))
	for i, c := range all {
		src, ok := program(c)
		if !ok {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			gate <- true
			defer func() { <-gate }()
			d := filepath.Join(dir, fmt.Sprint("c", i))
			os.Mkdir(d, 0o777)
			os.WriteFile(filepath.Join(d, "main.go"), []byte(src), 0o666)
			cmd := exec.Command("go", "run", "./"+filepath.Base(d))
			cmd.Dir = dir
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			err := cmd.Run()
			if err != nil && strings.Contains(errs.String(), "(no value) used as value") {
				out.Reset()
				os.WriteFile(filepath.Join(d, "main.go"), []byte(noValue.ReplaceAllString(src, "$1")), 0o666)
				cmd = exec.Command("go", "run", "./"+filepath.Base(d))
				cmd.Dir, cmd.Stdout = dir, &out
				err = cmd.Run()
			}
			if err != nil {
				want[i] = "error: " + errs.String()
				return
			}
			want[i] = out.String()
		}()
	}
	wg.Wait()
	for i, c := range all {
		s := New(Options{})
		got := cell(s, c)
		s.Close()
		w := want[i]
		if strings.HasPrefix(w, "error: ") {
			if !strings.Contains(got, "Error: ") && !strings.Contains(got, "Panic: ") {
				t.Errorf("block %d\n%s\nthe compiler's program fails: %s\na cell gives %s", i, c, w, got)
			}
			continue
		}
		if clean(got) != clean(w) {
			t.Errorf("block %d\n%s\n got %q\nwant %q", i, c, got, w)
		}
	}
}

var noValue = regexp.MustCompile(`(?s)show\(func\(\) \[\]any \{ return all\((.*)\) \}\)`)

func clean(s string) string { return strings.TrimSpace(pointers.ReplaceAllString(s, "0x…")) }

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
	out := "package main\n" + strings.Join(imports, "\n") + "\n"
	for name, path := range check.Standard().Auto {
		if regexp.MustCompile(`\b`+name+`\.[A-Z]`).MatchString(src) && !strings.HasPrefix(path, "gotorch") && !strings.Contains(strings.Join(imports, " "), `"`+path+`"`) {
			out += fmt.Sprintf("import %q\n", path)
		}
	}
	out += "import fmt_ \"fmt\"\nfunc all(x ...any) []any { return x }\nfunc show(f func() []any) { for _, x := range f() { fmt_.Println(x) } }\n"
	return out + strings.Join(decls, "\n") + "\nfunc main() {\n" + main.String() + "}\n", true
}
