package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRunDescribes: a notebook that ran says what language it is in, and of its parameters what papermill would say.
func TestRunDescribes(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "out.ipynb")
	write := func(last string) {
		t.Helper()
		nb := `{"cells":[{"cell_type":"code","id":"parameters","metadata":{"tags":["parameters"]},"outputs":[],"execution_count":null,"source":"lr := 0.1; name := \"\"; sizes := []int{}"},
			{"cell_type":"code","id":"b","metadata":{},"outputs":[],"execution_count":null,"source":"` + last +
			`"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`
		if err := os.WriteFile(in, []byte(nb), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	type result struct {
		Cells    []struct{ ID string }
		Metadata struct {
			Language  struct{ Name, File_extension string } `json:"language_info"`
			Papermill *struct {
				Parameters map[string]any
				Exception  any
				Duration   float64
				Start      time.Time `json:"start_time"`
			}
		}
	}
	run := func(args ...string) (r result) {
		t.Helper()
		exec.Command(program(t), append([]string{"run", in, "-o", out}, args...)...).Run()
		text, err := os.ReadFile(out)
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	write("lr")
	if r := run(); r.Metadata.Language.Name != "go" || r.Metadata.Language.File_extension != ".go" ||
		r.Metadata.Papermill != nil {
		t.Errorf("%+v", r.Metadata)
	}
	parameters := []string{"-p", "lr=0.5", "-p", "name=a b", "-p", "sizes=[1, 2]"}
	r := run(parameters...)
	p := r.Metadata.Papermill
	if p == nil || fmt.Sprint(p.Parameters) != "map[lr:0.5 name:a b sizes:[1 2]]" || p.Exception != nil ||
		p.Duration <= 0 || p.Start.IsZero() {
		t.Errorf("%+v", p)
	}
	ids := map[string]bool{}
	for _, c := range r.Cells {
		if ids[c.ID] {
			t.Errorf("two cells are %q", c.ID)
		}
		ids[c.ID] = true
	}
	write("nope")
	if p := run(parameters...).Metadata.Papermill; p == nil || p.Exception != true {
		t.Errorf("%+v", p)
	}
}

// TestNbconvertForms: what nbconvert makes of a notebook that ran: a script of Go, and pages with their pictures in
// them.
func TestNbconvertForms(t *testing.T) {
	t.Parallel() // it drives other processes
	py := python(t, "nbconvert, jupyter_client")
	dir := t.TempDir()
	for to, c := range map[string]struct {
		ext   string
		wants []string
	}{
		"script":   {".go", []string{"x := Arange(6).View(2, 3)"}},
		"html":     {".html", []string{"src=\"data:image/svg+xml;base64,", "as text", "tensor([[0, 1, 2]"}},
		"slides":   {".slides.html", []string{"src=\"data:image/svg+xml;base64,", "tensor([[0, 1, 2]"}},
		"markdown": {".md", []string{"```go\nx := Arange(6).View(2, 3)", "tensor([[0, 1, 2]"}},
	} {
		if out, err := exec.Command(py, "-m", "nbconvert", "--to", to, "--output-dir", dir,
			"../../examples/01-strides.ipynb").CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", to, err, out)
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "01-strides"+c.ext))
		if err != nil {
			t.Error(err)
		}
		for _, want := range c.wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q", to, want)
			}
		}
	}
}
