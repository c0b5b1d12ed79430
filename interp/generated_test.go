package interp

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var generated = flag.Int("generated", 300,
	"with -toolchain, how many generated cells TestGenerated compares, and from where on")
var generatedFrom = flag.Int("generated-from", 0, "the first of them")

// TestGenerated compares cells that are put together at random with what the Go toolchain makes of them: one program
// has them all.
func TestGenerated(t *testing.T) {
	if !*toolchain {
		t.Skip("-toolchain")
	}
	cells := map[int][2]string{}
	for i := *generatedFrom; i < *generatedFrom+*generated; i++ {
		d, s := generate(i)
		cells[i] = [2]string{strings.Join(d, "\n"), strings.Join(s, "\n")}
	}
	want := generatedOutputs(t, cells)
	bad := 0
	for i := *generatedFrom; i < *generatedFrom+*generated; i++ {
		w, ok := want[i]
		if !ok {
			continue
		}
		src := generatedHead + formsHead + cells[i][0] + "\n" + cells[i][1]
		s := New(Options{})
		got := clean(cell(s, src))
		s.Close()
		if w, panicked, did := strings.Cut(w, "<PANIC>"); did && strings.HasPrefix(got, clean(w)) && strings.Contains(got[len(clean(w)):], unhashable.ReplaceAllString(strings.TrimSpace(panicked), "$1")) || !did && got == clean(w) {
			continue
		}
		bad++
		t.Errorf("cell %d\n%s\n got %q\nwant %q", i, cells[i][0]+"\n"+cells[i][1], got, clean(w))
	}
	t.Logf("%d of %d differ; %d do not compile", bad, len(want), len(cells)-len(want))
}

// unhashable: the interpreter knows a type by its structure here
var unhashable = regexp.MustCompile(`(hash of unhashable type ).*`)

var buildLine = regexp.MustCompile(`(?m)^\./main\.go:(\d+):`)

// generatedOutputs are what a program of the cells prints, by cell; a panic stands behind <PANIC>.
func generatedOutputs(t *testing.T, cells map[int][2]string) map[int]string {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module cells\n\ngo 1.26\n"), 0o666)
	left := map[int]bool{}
	for i := range cells {
		left[i] = true
	}
	for {
		var b strings.Builder
		lines := map[int]int{}
		write := func(i int, s string) {
			from := strings.Count(b.String(), "\n") + 1
			b.WriteString(s)
			for n := from; n <= from+strings.Count(s, "\n"); n++ {
				lines[n] = i
			}
		}
		b.WriteString("package main\n" + generatedHead + formsHead)
		for i := range left {
			write(i, fmt.Sprintf("%s\nfunc c%d() {\n%s\n}\n", cells[i][0], i, cells[i][1]))
		}
		b.WriteString("func run(i int, f func()) { fmt.Printf(\"<CELL>%d\\n\", i); defer func() { if r := recover(); r != " +
			"nil { fmt.Print(\"<PANIC>\", r) } }(); f() }\nfunc main() {\n")
		for i := range left {
			fmt.Fprintf(&b, "run(%d, c%d)\n", i, i)
		}
		os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.String()+"}\n"), 0o666)
		cmd := exec.Command("go", "build", "-gcflags=-e -N -l", "-o", "all", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		before := len(left)
		for _, m := range buildLine.FindAllStringSubmatch(string(out), -1) {
			var n int
			fmt.Sscan(m[1], &n)
			if i, ok := lines[n]; ok {
				delete(left, i)
			}
		}
		if len(left) == before {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("%.1200s", out)
	}
	cmd := exec.Command(filepath.Join(dir, "all"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	want := map[int]string{}
	for _, part := range strings.Split(out.String(), "<CELL>")[1:] {
		var i int
		fmt.Sscan(part, &i)
		_, want[i], _ = strings.Cut(part, "\n")
	}
	return want
}
