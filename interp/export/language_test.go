package export_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "gotorch"
	"gotorch/interp"
	"gotorch/interp/export"
	"gotorch/visualize/display"
)

var toolchain = flag.Bool("toolchain", false,
	"build the programs that the language cells become, and compare what they print with what the cells show")

// sink gathers what a cell prints.
type sink struct{ bytes.Buffer }

func (s *sink) Stdout() io.Writer              { return s }
func (s *sink) Stderr() io.Writer              { return io.Discard }
func (s *sink) Stdin() io.Reader               { return nil }
func (s *sink) Display(string, display.Bundle) {}
func (s *sink) Update(string, display.Bundle)  {}
func (s *sink) Clear(bool)                     {}

// shown is what a cell prints and shows in a session of its own; ok is false for a cell that fails.
func shown(src string) (out string, ok bool) {
	s := interp.New(interp.Options{})
	defer s.Close()
	var b sink
	vals, err := s.Eval(context.Background(), src, &b)
	for _, v := range vals {
		b.WriteString(v.Text + "\n")
	}
	return b.String(), err == nil
}

// functions are shown by what they are for, which a program does not say.
var functions = regexp.MustCompile(`   (a function|a sequence|a method)`)

var pointers = regexp.MustCompile(`0x[0-9a-f]{5,}`)

// TestLanguage: the program that a cell becomes prints what the cell shows. The cells are those of the language tests.
func TestLanguage(t *testing.T) {
	if !*toolchain {
		t.Skip("-toolchain: it builds some 180 programs, which takes minutes")
	}
	dir, err := os.MkdirTemp("../..", "exported_")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var names []string
	want := map[string]string{}
	for _, f := range []string{"control", "functions", "generics", "maps", "numbers", "slices", "values"} {
		text, err := os.ReadFile("../testdata/language/" + f + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for i, src := range strings.Split("\n"+string(text), "\n----\n") {
			out, ok := shown(src)
			if !ok || strings.TrimSpace(src) == "" || functions.MatchString(out) {
				continue
			}
			files, problems, err := export.Program([]export.Cell{{Name: "In[1]", Src: src}}, export.Options{})
			if err != nil || len(problems) > 0 {
				t.Errorf("%s\n%v %v", src, err, problems)
				continue
			}
			name := fmt.Sprintf("%s%03d", strings.TrimSuffix(f, ".txt"), i)
			names, want[name] = append(names, name), out
			os.Mkdir(filepath.Join(dir, name), 0o777)
			for file, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name, file), text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	compare(t, dir, names, want)
}

// compare builds the programs and holds what they print against what the cells show.
func compare(t *testing.T, dir string, names []string, want map[string]string) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range names {
		out, err := exec.Command(filepath.Join(bin, name)).Output()
		if got := pointers.ReplaceAllString(string(out), "0x…"); err != nil ||
			got != pointers.ReplaceAllString(want[name], "0x…") {
			main, _ := os.ReadFile(filepath.Join(dir, name, "main.go"))
			t.Errorf("%s: %v\n%s\nprints\n%s\nthe cell shows\n%s", name, err, main, got, want[name])
		}
	}
}

// TestSessions: so do the programs that whole sessions become, with their redefinitions; that of the tensor syntax's
// cells too. Sessions in which a cell fails, or is a command, are left out, and so are cells that only a session has.
func TestSessions(t *testing.T) {
	if !*toolchain {
		t.Skip("-toolchain")
	}
	dir, err := os.MkdirTemp("../..", "exported_")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile("../testdata/sessions.txt")
	if err != nil {
		t.Fatal(err)
	}
	sugar, err := os.ReadFile("../testdata/sugar.txt")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	want := map[string]string{}
	left := 0
sessions:
	for i, session := range append(strings.Split("\n"+string(text), "\n====\n"), string(sugar)) {
		s := interp.New(interp.Options{})
		var b sink
		var cells []export.Cell
		for j, src := range strings.Split("\n"+session, "\n----\n") {
			before := b.Len()
			if strings.HasPrefix(strings.TrimSpace(src), "%") { // a command, of which a program has none
				s.Close()
				left++
				continue sessions
			}
			vals, err := s.Eval(context.Background(), src, &b)
			if err != nil { // one that checks has done something before it failed
				var e *interp.Error
				if !(errors.As(err, &e) && e.Name == "TypeError") && !strings.Contains(session, "[3, 4.5]]") {
					s.Close()
					left++
					continue sessions
				}
				b.Truncate(before)
				continue
			}
			for _, v := range vals {
				b.WriteString(v.Text + "\n")
			}
			cells = append(cells, export.Cell{Name: fmt.Sprintf("In[%d]", j+1), Src: src})
		}
		s.Close()
		if functions.MatchString(b.String()) {
			left++
			continue
		}
		files, problems, err := export.Program(cells, export.Options{})
		if err != nil || len(problems) > 0 {
			t.Errorf("%s\n%v %v", session, err, problems)
			continue
		}
		if bytes.Contains(files["main.go"], []byte("has it from its beginning")) { // which main.go says
			left++
			continue
		}
		name := fmt.Sprintf("session%03d", i)
		names, want[name] = append(names, name), b.String()
		os.Mkdir(filepath.Join(dir, name), 0o777)
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name, file), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d sessions, %d left out", len(names), left)
	compare(t, dir, names, want)
}
