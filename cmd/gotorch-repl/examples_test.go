package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

var update = flag.Bool("update", false, "run the examples again and keep their outputs")

// notebooks lists the examples.
func notebooks(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "examples", "*.ipynb"))
	if err != nil || len(names) < 3 {
		t.Fatalf("%d examples, %v", len(names), err)
	}
	return names
}

// durations are what differs from one run to the next.
var durations = regexp.MustCompile(`\d+(\.\d+)? (ns|µs|ms|s)\b`)

// outputs returns the outputs of a notebook's code cells as comparable text.
func outputs(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, cells, err := ipynb.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range cells {
		if c["cell_type"] == "code" {
			b, err := json.MarshalIndent(c["outputs"], "", " ")
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, ipynb.Source(c)+"\n--\n"+durations.ReplaceAllString(string(b), "TIME"))
		}
	}
	return out
}

// TestExamples runs the examples again: every output must be the one that is committed. Of the gallery, which shows
// times, TestGallery sees to that.
func TestExamples(t *testing.T) {
	for _, name := range notebooks(t) {
		if filepath.Base(name) == "gallery.ipynb" {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			again := filepath.Join(t.TempDir(), "again.ipynb")
			if *update {
				again = name
			}
			if out, err := exec.Command(program(t), "run", name, "-o", again).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, got := outputs(t, name), outputs(t, again)
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("cell %d: %s\nwant\n%s", i, got[i], want[i])
				}
			}
		})
	}
}

// TestNbconvert executes the examples by way of the real kernel and a real client.
func TestNbconvert(t *testing.T) {
	py := python(t, "nbconvert, jupyter_client")
	env := installed(t)
	for _, name := range notebooks(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			dir := t.TempDir()
			cmd := exec.Command(py, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", dir, "--output", "done.ipynb", name)
			cmd.Env = env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(filepath.Join(dir, "done.ipynb"))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), `"output_type": "error"`) {
				t.Error("a cell failed")
			}
			if n := strings.Count(string(text), `"execution_count"`); n < 10 {
				t.Errorf("%d execution counts", n)
			}
		})
	}
}
