package split

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// never reads each name := !operand as a line of the shell, always as Go.
func never(_, _, _ string) bool  { return false }
func always(_, _, _ string) bool { return true }

// written is the parts of a cell, each as kind, line, name and text.
func written(src string, isGo func(_, _, _ string) bool) (out []string) {
	for p := range Cell(src, isGo) {
		kind := [...]string{"go", "magic", "cell", "shell", "capture", "help"}[p.Kind]
		out = append(out, fmt.Sprintf("%s %d %s|%s", kind, p.Line, p.Name, strings.TrimLeft(p.Text, "\n")))
	}
	return out
}

// TestCell: a command is a line where a statement could begin.
func TestCell(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"", nil},
		{" \n\t\n", nil},
		{"x := 1\nx", []string{"go 0 |x := 1\nx"}},
		{"\n\n  x", []string{"go 2 |  x"}},
		{"%time f(x)\nx", []string{"magic 0 time|f(x)", "go 1 |x"}},
		{"x := 1\n%who int\n\n%who\ny", []string{"go 0 |x := 1\n", "magic 1 who|int", "magic 3 who|", "go 4 |y"}},
		{"  %time  f(x) ", []string{"magic 0 time|f(x)"}},
		{"%", []string{"magic 0 |"}},
		{"% x", []string{"magic 0 x|"}},
		{"%run \"a b.go\" c", []string{"magic 0 run|\"a b.go\" c"}},
		{"%%timeit n := 3\nf(n)\n%who", []string{"cell 0 timeit|n := 3\nf(n)\n%who"}},
		{"x := 1\n%%bash\nls", []string{"go 0 |x := 1\n", "cell 1 bash| \nls"}},
		{"%%capture", []string{"cell 0 capture| \n"}},
		{"!ls -l | wc", []string{"shell 0 |ls -l | wc"}},
		{"!!ls\n!ls", []string{"shell 0 |!ls", "shell 1 |ls"}},
		{"!= 3", []string{"go 0 |!= 3"}},
		{"?x\n??x.Sum\nx?\nx.Sum ??\n?\n%time?\n?%time\n*pool*?", []string{
			"help 0 ?|x", "help 1 ??|x.Sum", "help 2 ?|x", "help 3 ??|x.Sum",
			"help 4 ?|", "help 5 ?|%time", "help 6 ?|%time", "help 7 ?|*pool*"}},
		{"\"what?", []string{"go 0 |\"what?"}},
		{"x := 1\nx?", []string{"go 0 |x := 1\nx?"}}, // a question after Go begins with its mark
		{"x := 1\n?x", []string{"go 0 |x := 1\n", "help 1 ?|x"}},
		{"b := `\n%who\n!ls\n`\n%who", []string{"go 0 |b := `\n%who\n!ls\n`\n", "magic 4 who|"}},
		{"/*\n%who\n*/\n!ls", []string{"go 0 |/*\n%who\n*/\n", "shell 3 |ls"}},
		{"// it's\n%who", []string{"go 0 |// it's\n", "magic 1 who|"}},
		{"f(\n!ok,\n)\n!ls", []string{"go 0 |f(\n!ok,\n)\n", "shell 3 |ls"}},
		{"for {\n%who\n}", []string{"go 0 |for {\n%who\n}"}},
		{"x := 17 +\n!y\n%who", []string{"go 0 |x := 17 +\n!y\n", "magic 2 who|"}},
		{"!echo it's `\n%who", []string{"shell 0 |echo it's `", "magic 1 who|"}},
		{"a, b := f() // %who\n%who", []string{"go 0 |a, b := f() // %who\n", "magic 1 who|"}},
		{"x := `é`\r\n%who\r\n", []string{"go 0 |x := `é`\r\n", "magic 1 who|"}},
		{"x := 1\nfiles := !ls -l\nlen(files)", []string{"go 0 |x := 1\n", "capture 1 files :=|ls -l", "go 2 |len(files)"}},
		{"files = ! ls", []string{"capture 0 files =|ls"}},
		{"b := `\nfiles := !ls\n`", []string{"go 0 |b := `\nfiles := !ls\n`"}},
		{"x != y", []string{"go 0 |x != y"}},
		{"x == !y", []string{"go 0 |x == !y"}},
	} {
		if got := written(c.src, never); strings.Join(got, "\n--\n") != strings.Join(c.want, "\n--\n") {
			t.Errorf("%q is split into\n%q\nwant\n%q", c.src, got, c.want)
		}
	}
	if got := written("x := !ls\ny = !x", always); len(got) != 1 {
		t.Errorf("Go is split: %q", got)
	}
}

// TestCellInTurn: a part is found when those before it have been evaluated.
func TestCellInTurn(t *testing.T) {
	var asked, done []string
	isGo := func(before, name, operand string) bool {
		asked = append(asked, fmt.Sprintf("%q %s %s after %d", before, name, operand, len(done)))
		return name == "a"
	}
	for p := range Cell("x := 1\na := !ok\n%who\nb := !ok", isGo) {
		done = append(done, p.Text)
	}
	if want := `"x := 1\n" a ok after 0, "" b ok after 2`; strings.Join(asked, ", ") != want || len(done) != 3 {
		t.Errorf("asked %s; %q", strings.Join(asked, ", "), done)
	}
}

// FuzzCell: the parts are the whole cell, in order, and lines keep their numbers.
func FuzzCell(f *testing.F) {
	for _, s := range []string{
		"x := 1\n%who\nx", "%%bash\nls", "!ls\n?x\nf(\n!y)", "b := `\n%who\n`\n\n\n!ls",
		"files := !ls\n  %time 3\r\n\xff%", "?\n\v%x\n\u00a0!a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			return
		}
		for _, isGo := range []func(_, _, _ string) bool{never, always} {
			end := 0
			for p := range Cell(src, isGo) {
				begin := end + len(src[end:]) - len(strings.TrimLeftFunc(src[end:], unicode.IsSpace))
				switch {
				case p.Pos < end || p.Body < p.Pos || p.End < p.Body || p.End > len(src) || p.End <= end:
					t.Fatalf("%q: a part from %d by %d to %d, after %d", src, p.Pos, p.Body, p.End, end)
				case strings.TrimSpace(src[end:p.Pos]) != "":
					t.Fatalf("%q: %q is lost", src, src[end:p.Pos])
				case p.Line != strings.Count(src[:p.Pos], "\n"):
					t.Fatalf("%q: line %d of %d", src, p.Line, strings.Count(src[:p.Pos], "\n"))
				case p.Kind == Go && p.Text != strings.Repeat("\n", p.Line)+src[p.Pos:p.End]:
					t.Fatalf("%q: Go is %q", src, p.Text)
				case p.Kind != Go && p.Kind != CellMagic && strings.Contains(p.Text, "\n"):
					t.Fatalf("%q: a line is %q", src, p.Text)
				case begin > p.Pos && p.Kind != Go:
					t.Fatalf("%q: a command begins with white space at %d", src, p.Pos)
				}
				end = p.End
			}
			if strings.TrimSpace(src[end:]) != "" {
				t.Fatalf("%q: %q is lost at the end", src, src[end:])
			}
		}
	})
}
