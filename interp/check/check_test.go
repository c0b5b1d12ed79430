package check

import (
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/interp/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// session runs cells through the reader and the checker as a session does.
type session struct {
	env  *Env
	fset *token.FileSet
	n    int
}

func newSession() *session { return &session{env: NewEnv(Standard()), fset: token.NewFileSet()} }

func (s *session) check(src string) (*Checked, error) {
	s.n++
	cell, err := syntax.Parse(s.fset, fmt.Sprintf("In[%d]", s.n), src)
	if err != nil {
		return nil, err
	}
	c, ds := Check(s.env, cell)
	if len(ds) > 0 {
		return nil, ds
	}
	return c, nil
}

// run checks a cell, commits it, and gives its Go or what is wrong with it.
func (s *session) run(src string) string {
	c, err := s.check(src)
	if err != nil {
		return "error: " + err.Error()
	}
	text := c.Go()
	s.env.Commit(c, nil)
	if len(c.Show) > 0 {
		var types []string
		for _, x := range c.Show {
			if tv := c.Info.Types[x]; tv.Type != nil {
				types = append(types, typeIn(c, tv.Type))
			}
		}
		text += "// shows " + strings.Join(types, ", ") + "\n"
	}
	return strings.TrimRight(text, "\n")
}

func cells(t testing.TB, name string) []string {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(b), "\n"), "\n----\n")
}

// TestGolden runs the cells of testdata/*.cells and compares what they become
// with the golden file beside. After -update, read the difference.
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.cells")
	if len(files) == 0 {
		t.Fatal("no cells")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := newSession()
			var b strings.Builder
			for _, cell := range cells(t, name) {
				if cell == "%fresh" {
					s = newSession()
					continue
				}
				fmt.Fprintf(&b, ">>> %s\n%s\n\n", strings.ReplaceAll(cell, "\n", "\n... "), s.run(cell))
			}
			golden := strings.TrimSuffix(name, ".cells") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, b.String(), string(want))
		})
	}
}

// compare reports the first cells that differ.
func compare(t *testing.T, got, want string) {
	g, w := strings.Split(got, "\n\n>>> "), strings.Split(want, "\n\n>>> ")
	if len(g) != len(w) {
		t.Errorf("%d cells, want %d", len(g), len(w))
	}
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("got:\n%s\n\nwant:\n%s", g[i], w[i])
		}
	}
}
