package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

// taggedNotebook has a cell that may fail, one that is not run, and one behind them.
const taggedNotebook = `{"cells":[
	{"cell_type":"code","id":"a","metadata":{"tags":["raises-exception"]},"outputs":[],"execution_count":null,"source":"panic(\"x\")"},
	{"cell_type":"code","id":"b","metadata":{"tags":["skip-execution"]},"outputs":[{"output_type":"stream","name":"stdout","text":"kept"}],"execution_count":7,"source":"panic(\"y\")"},
	{"cell_type":"code","id":"c","metadata":{},"outputs":[],"execution_count":null,"source":"40 + 2"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`

// Tags mean what they mean to nbclient.
func TestTaggedCells(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "out.ipynb")
	if err := os.WriteFile(in, []byte(taggedNotebook), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(program(t), "run", in, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, cells, err := ipynb.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cells {
		outputs, _ := json.Marshal(c["outputs"])
		got = append(got, string(outputs))
	}
	if len(got) != 3 || !strings.Contains(got[0], `"evalue":"panic: x"`) || !strings.Contains(got[1], `"kept"`) || !strings.Contains(got[2], `"42"`) {
		t.Errorf("%q", got)
	}
	if n, _ := cells[1]["execution_count"].(json.Number); n != "7" {
		t.Errorf("the cell that is not run has the number %v", cells[1]["execution_count"])
	}
}

// A notebook that is written over keeps its mode, and what leads to it.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "link.ipynb")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.ipynb", link); err != nil {
		t.Skip(err)
	}
	if err := writeWhole(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	info, _ := os.Stat(file)
	if string(text) != "new" || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", text, err, info.Mode())
	}
	if at, err := os.Readlink(link); at != "a.ipynb" {
		t.Errorf("the link: %q, %v", at, err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}
