package learn_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gotorch/interp/internal/celltest"
	"gotorch/interp/learn"
)

// TestEssay runs the cells of the page about the essay, each of which shows a claim, and holds the page and the
// notebook that are made of it.
func TestEssay(t *testing.T) {
	celltest.Single(t)
	text, err := os.ReadFile("essay.md")
	if err != nil {
		t.Fatal(err)
	}
	l, err := learn.Parse("essay.md", string(text))
	if err != nil {
		t.Fatal(err)
	}
	lib := learn.Builtin()
	problems, outputs := lib.VerifyCells(context.Background(), l, bench(t))
	for _, p := range problems {
		t.Error(p)
	}
	verdicts := map[string]int{}
	for _, c := range l.Claims() {
		if len(c.Cells) == 0 {
			t.Errorf("no cell shows %q", c.Title)
		}
		verdicts[c.Verdict]++
	}
	for v, n := range verdicts {
		if v != "holds" && v != "changed" && v != "gone" && v != "" {
			t.Errorf("the verdict %q of %d claims", v, n)
		}
	}
	if verdicts["holds"] < 15 || verdicts["changed"] < 8 || verdicts["gone"] < 2 {
		t.Errorf("%v", verdicts)
	}
	if t.Failed() {
		return
	}
	freshPage(t, lib, l, outputs, "\n"+l.ClaimsTable())
	fresh(t, filepath.Join(root, "examples", "learn", "essay.ipynb"), string(lib.Notebook(l)))
}
