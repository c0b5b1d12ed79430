package learn_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"gotorch/interp/learn"
)

var update = flag.Bool("update", false, "write the pages and notebooks of the lessons anew")

// root is the repository.
const root = "../.."

func bench(t testing.TB) learn.Bench {
	s := interp.New(interp.Options{})
	t.Cleanup(s.Close)
	return interp.LessonBench(s)
}

// TestLessons runs every lesson: its cells, questions and exercises, each solution and each typical mistake. Its page
// must be the one in docs/learn.
func TestLessons(t *testing.T) {
	celltest.Single(t)
	lib := learn.Builtin()
	for l := range lib.All() {
		if l.Planned {
			continue
		}
		t.Run(l.ID, func(t *testing.T) {
			problems, outputs := lib.Verify(context.Background(), l, bench(t))
			for _, p := range problems {
				t.Error(p)
			}
			if t.Failed() {
				return
			}
			freshPage(t, lib, l, outputs, "")
			fresh(t, filepath.Join(root, "examples", "learn", filepath.FromSlash(l.NotebookFile())), string(lib.Notebook(l)))
		})
	}
	fresh(t, filepath.Join(root, "docs", "learn", "README.md"), lib.Index())
	fresh(t, filepath.Join(root, "docs", "learn", "glossary.md"), lib.GlossaryPage())
}

// freshPage compares the page of a lesson, which goes on with more, and its pictures.
func freshPage(t *testing.T, lib *learn.Library, l *learn.Lesson, outputs map[int]learn.Output, more string) {
	t.Helper()
	dir := filepath.Join(root, "docs", "learn")
	fresh(t, filepath.Join(dir, filepath.FromSlash(l.ID)+".md"), lib.Page(l, outputs)+more)
	steady, others := lib.Pictures(l, outputs)
	for name, svg := range steady {
		fresh(t, filepath.Join(dir, filepath.FromSlash(name)), svg)
	}
	for name, svg := range others {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			fresh(t, filepath.Join(dir, filepath.FromSlash(name)), svg)
		}
	}
}

// fresh compares a generated file, but for what varies.
func fresh(t *testing.T, name, want string) {
	t.Helper()
	got, _ := os.ReadFile(name)
	if learn.Stable(strings.ReplaceAll(string(got), "\r\n", "\n")) == learn.Stable(want) {
		return
	}
	if !*update {
		t.Errorf("%s is out of date: go test ./interp/learn -update", name)
		return
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestNothingLeft: pages and notebooks of lessons that are gone are gone too.
func TestNothingLeft(t *testing.T) {
	lib := learn.Builtin()
	for _, dir := range []string{"docs/learn", "examples/learn"} {
		names, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*", "*"))
		for _, name := range names {
			if filepath.Base(filepath.Dir(name)) == "pictures" {
				continue
			}
			base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".md"), ".ipynb")
			if number, rest, ok := strings.Cut(base, "-"); ok && strings.Trim(number, "0123456789") == "" {
				base = rest
			}
			l := lib.Lesson(filepath.Base(filepath.Dir(name)) + "/" + base)
			if l == nil || l.Planned {
				t.Errorf("%s: there is no such lesson", name)
			}
		}
	}
	shown := map[string]bool{}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		pages, _ := filepath.Glob(filepath.Join(root, "docs", "learn", filepath.FromSlash(pattern)))
		for _, name := range pages {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`\]\(([^)]*\.svg)\)`).FindAllStringSubmatch(string(text), -1) {
				shown[filepath.Join(filepath.Dir(name), filepath.FromSlash(m[1]))] = true
			}
		}
	}
	pictures, _ := filepath.Glob(filepath.Join(root, "docs", "learn", "pictures", "*.svg"))
	for _, name := range pictures {
		if !shown[name] {
			t.Errorf("%s is in no page", name)
		}
	}
	if len(pictures) != len(shown) || len(pictures) < 100 {
		t.Errorf("%d pictures, %d in pages", len(pictures), len(shown))
	}
}

// TestExamples: examples/README.md lists every notebook of the folder, with a sentence, and pictures that are there.
func TestExamples(t *testing.T) {
	examples := os.DirFS(filepath.Join(root, "examples"))
	page, err := learn.Builtin().ExamplesIndex(examples)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = fs.WalkDir(examples, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".ipynb") || strings.Contains(name, ".ipynb_checkpoints") {
			return err
		}
		n++
		_, rest, found := strings.Cut(page, "]("+name+"): ")
		if sentence, _, _ := strings.Cut(rest, "\n"); !found || len(sentence) < 20 {
			t.Errorf("%s: %q", name, sentence)
		}
		return nil
	})
	if err != nil || n < 40 {
		t.Errorf("%d notebooks, %v", n, err)
	}
	for _, m := range regexp.MustCompile(`!\[[^]]*\]\(([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join(root, "examples", filepath.FromSlash(m[1]))); err != nil {
			t.Error(err)
		}
	}
	fresh(t, filepath.Join(root, "examples", "README.md"), page)
}

// TestIdeas: each idea has a lesson, a word with a cell, or a page; what is planned is not there.
func TestIdeas(t *testing.T) {
	lib := learn.Builtin()
	planned := 0
	for _, idea := range lib.Ideas {
		if idea.Mark != "C" && idea.Mark != "S" {
			t.Errorf("%s: the mark %q", idea.Name, idea.Mark)
		}
		if idea.Planned != "" {
			planned++
			continue
		}
		shown := 0
		for _, l := range idea.Lessons {
			if l.Planned {
				t.Errorf("%s: the lesson %s is planned", idea.Name, l.ID)
			}
			shown += l.Cells()
		}
		for _, term := range idea.Terms {
			if term.Cell != "" {
				shown++
			}
		}
		for _, p := range idea.Pages {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
				t.Error(err)
			}
			if p == "docs/learn/essay.md" { // whose cells have a test of their own
				shown++
			}
		}
		if shown == 0 {
			t.Errorf("%s: no cell shows it", idea.Name)
		}
	}
	if n := len(lib.Ideas); n < 50 || planned > 2 {
		t.Errorf("%d ideas, %d of them planned: 2 are known", n, planned)
	}
	if n := len(lib.Glossary.Terms); n < 150 {
		t.Errorf("%d words, of 150 at least", n)
	}
}

// TestGlossary: every term has two sentences and a cell that runs.
func TestGlossary(t *testing.T) {
	celltest.Single(t)
	b := bench(t)
	for _, term := range learn.Builtin().Glossary.Terms {
		if n := strings.Count(term.Text+" ", ". "); n < 2 {
			t.Errorf("%s: %d sentences, of two", term.Name, n)
		}
		if term.Cell == "" {
			t.Errorf("%s has no cell", term.Name)
			continue
		}
		shown, err := b.Cell(context.Background(), term.Cell)
		out := shown.Text
		if err != nil {
			t.Errorf("%s: %s", term.Name, err.Text())
		} else if out == "" {
			t.Errorf("%s: its cell shows nothing", term.Name)
		}
	}
}

// TestColumns: nothing that a lesson shows is wider than a terminal of 80 columns, nor is a cell that stands at the
// prompt, behind In[12]: of eight columns.
func TestColumns(t *testing.T) {
	for l := range learn.Builtin().All() {
		for _, s := range l.Steps {
			text, columns := s.Text, 80
			switch s.Kind {
			case learn.Code:
				columns = 71
			case learn.Task:
				text, columns = s.Exercise.Starter, 71
			case learn.Ask:
				continue
			}
			for _, line := range strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n") {
				if n := len([]rune(line)); n > columns {
					t.Errorf("%s:%d: %d columns: %s", l.File, s.Line, n, line)
				}
			}
		}
	}
}
