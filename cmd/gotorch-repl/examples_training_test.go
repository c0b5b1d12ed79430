package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

// kinds are the outputs of a notebook's code cells: for each the forms that it has.
func kinds(t *testing.T, name string) (out [][]string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, cells, err := ipynb.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if c["cell_type"] != "code" {
			continue
		}
		var forms []string
		list, _ := c["outputs"].([]any)
		for _, o := range list {
			m := o.(map[string]any)
			form := m["output_type"].(string)
			if data, ok := m["data"].(map[string]any); ok {
				for mime := range data {
					form += " " + mime
				}
				parts := strings.Fields(form)
				sort.Strings(parts[1:])
				form = strings.Join(parts, " ")
			}
			forms = append(forms, form)
		}
		out = append(out, forms)
	}
	return out
}

// TestTrainingExamples trains the models of the examples again. Each panics where it does not reach the accuracy that
// it promises; the numbers themselves may differ in their last digits from machine to machine, so that the outputs are
// compared by their kinds.
func TestTrainingExamples(t *testing.T) {
	dir := filepath.Join(root, "examples", "training")
	names, err := filepath.Glob(filepath.Join(dir, "*.ipynb"))
	if err != nil || len(names) != 8 {
		t.Fatalf("%d examples, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if testing.Short() && !strings.HasPrefix(filepath.Base(name), "1-") {
				t.Skip("it trains for some seconds")
			}
			again := filepath.Join(t.TempDir(), "again.ipynb")
			if *update {
				again = filepath.Base(name)
			}
			cmd := exec.Command(program(t), "run", filepath.Base(name), "-o", again)
			cmd.Dir = dir // one reads a file that lies beside it
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if *update {
				again = name
			}
			want, got := kinds(t, name), kinds(t, again)
			for i := range want {
				if !slices.Equal(want[i], got[i]) {
					t.Errorf("cell %d has the outputs %v, want %v", i, got[i], want[i])
				}
				if slices.Contains(want[i], "error") {
					t.Errorf("cell %d has failed", i)
				}
			}
			if info, err := os.Stat(name); err != nil || info.Size() > 200<<10 {
				t.Errorf("%v, %d bytes", err, info.Size())
			}
		})
	}
}
