package interp

import (
	"flag"
	"gotorch/interp/internal/celltest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "gotorch/autograd"

	_ "gotorch/backends/cpu"
)

var update = flag.Bool("update", false, "rewrite the expected answers in testdata")

var cell = celltest.Cell

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		line := func(l []string) string {
			if i < len(l) {
				return l[i]
			}
			return "(end)"
		}
		if line(g) != line(w) {
			t.Fatalf("%s:%d:\n got %s\nwant %s", file, i+1, line(g), line(w))
		}
	}
}

// transcript writes cells and their answers.
func transcript(b *strings.Builder, src, answer string) {
	b.WriteString(">>> " + strings.ReplaceAll(src, "\n", "\n... ") + "\n" + answer)
}

// TestSession is one session in order: what a user would expect of each cell.
func TestSession(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var b strings.Builder
	for _, c := range celltest.Blocks(t, "testdata/session.txt") {
		transcript(&b, c, cell(s, c))
	}
	golden(t, "session.want", b.String())
}

// TestSameCellAgain: a cell that declares a type, a variable of it and a function that uses the variable runs any
// number of times.
func TestSameCellAgain(t *testing.T) {
	for _, src := range []string{
		"type P struct{ a, b int }\np := P{1, 2}\nfunc sum() int { return p.a + p.b }\nsum()",
		"type P struct{ a, b int }\np := &P{1, 2}\nfunc (p *P) Sum() int { return p.a + p.b }\np.Sum()",
		"q := 3\nfunc three() int { return q }\nthree()",
	} {
		s := New(Options{})
		for range 3 {
			if got := cell(s, src); !strings.HasPrefix(strings.ReplaceAll(got, "stderr: ", ""), "3\n") {
				t.Errorf("%s\ngives %s", src, got)
			}
		}
		s.Close()
	}
}

// TestWarm: a session that gets ready runs cells meanwhile, and those see the types that it read.
func TestWarm(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	done := make(chan bool)
	go func() {
		s.Warm()
		close(done)
	}()
	for range 3 {
		if got := cell(s, "Ones(2).Sum()"); got != "tensor(2.)\n" {
			t.Errorf("beside: %q", got)
		}
	}
	<-done
	s.Warm()
	if got := cell(s, "x := Ones(2)\nx.Sum()"); got != "tensor(2.)\n" {
		t.Errorf("after: %q", got)
	}
}
