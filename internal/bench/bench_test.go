package main

import (
	"os/exec"
	"strings"
	"testing"

	"gotorch/tensor"
)

func TestSummary(t *testing.T) {
	one := func(name, group string, ours, theirs float64) result {
		return result{Name: name, Group: group, Ours: map[string]float64{"1": ours, "2": ours * 2},
			Theirs: map[string]float64{"1": theirs * 3, "2": theirs}}
	}
	results := []result{one("a", "x", 1e-6, 4e-6), one("b", "x", 1e-3, 1e-3), one("c", "y", 2e-9, 1e-9),
		{Name: "d", Group: "y", Error: "no"}}
	results[1].Yaegi = 3e-3
	want := `group                     rows  ahead   median  geomean    worst     best
x                            2      2    2.500    2.000    1.000    4.000
y                            1      0    0.500    0.500    0.500    0.500

failed: d: no
ahead or level in 2 of 3 workloads, geomean 1.260
`
	if got := summary(results); got != want {
		t.Errorf("summary is\n%s\nwant\n%s", got, want)
	}
	if got, want := results[0].line(),
		"a                                          1 µs       2 µs |      12 µs       4 µs |   4.000"; got != want {
		t.Errorf("line is\n%q, want\n%q", got, want)
	}
	doc := document(results, "a machine", "bench")
	for _, part := range []string{"**Ahead or level in 2 of 3 workloads, geometric mean 1.26.**", "| c | 0.50 |",
		"| d | no |", "### y", "| b | 1 ms | 1 ms | 3 ms | 1.00 | 3.00 |"} {
		if !strings.Contains(doc, part) {
			t.Errorf("the document has no %q:\n%s", part, doc)
		}
	}
	if strings.Contains(doc, "| b | 1.00 |") {
		t.Error("a row that is level is listed as behind")
	}
}

// TestRows makes every row that is small, and runs it once.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for _, r := range append(allRows(), sweepRows()...) {
		if names[r.name] {
			t.Errorf("two rows are called %s", r.name)
		}
		names[r.name] = true
		if strings.Contains(r.name, "1e3") || r.group == "views, small calls" || strings.Contains(r.name, "chain10") ||
			strings.Contains(r.name, "_step.b1") {
			if err := tensor.Try(func() { r.make()() }); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}
	}
	for _, c := range causes() {
		matches := false
		for name := range names {
			matches = matches || c.rows.MatchString(name)
		}
		if !matches {
			t.Errorf("causes.txt has %s, which matches no row", c.rows)
		}
	}
}

// TestPython compiles the Python of every row.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	var source strings.Builder
	for _, r := range append(allRows(), sweepRows()...) {
		source.WriteString("def row():\n")
		for line := range strings.Lines(r.setup + "\n" + r.expr) {
			if line = strings.TrimRight(line, "\n"); line != "" {
				source.WriteString(" " + line + "\n")
			}
		}
	}
	cmd := exec.Command(python, "-c", "import sys; compile(sys.stdin.read(), 'rows', 'exec')")
	cmd.Stdin = strings.NewReader(source.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
