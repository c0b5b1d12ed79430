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

// ranNotebook returns the cells of the notebook that run writes of another.
func ranNotebook(t *testing.T, nb string) []map[string]any {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "out.ipynb")
	if err := os.WriteFile(in, []byte(nb), 0o600); err != nil {
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
	return cells
}

// Tags mean what they mean to nbclient.
func TestTaggedCells(t *testing.T) {
	cells := ranNotebook(t, taggedNotebook)
	var got []string
	for _, c := range cells {
		outputs, _ := json.Marshal(c["outputs"])
		got = append(got, string(outputs))
	}
	if len(got) != 3 || !strings.Contains(got[0], `"evalue":"panic: x"`) || !strings.Contains(got[1], `"kept"`) ||
		!strings.Contains(got[2], `"42"`) {
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

// manyKinds is a notebook as nbformat writes it, with much that is none of a run's business.
const manyKinds = `{
 "cells": [
  {
   "attachments": {
    "i.png": {
     "image/png": "iVBORw0KGgo="
    }
   },
   "cell_type": "markdown",
   "id": "a",
   "metadata": {
    "z": [
     1.0,
     1e+16,
     -0.5,
     12345678901234567890
    ]
   },
   "source": [
    "# é 😀 <b>&amp;\n",
    "\\u2028 \t"
   ]
  },
  {
   "cell_type": "raw",
   "id": "b",
   "metadata": {},
   "source": []
  },
  {
   "cell_type": "code",
   "execution_count": 9,
   "id": "c",
   "metadata": {
    "collapsed": true
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "old\n"
     ]
    }
   ],
   "source": [
    "fmt.Println(\"new\")\n",
    "40 + 2"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "d",
   "metadata": {
    "tags": [
     "raises-exception"
    ]
   },
   "outputs": [],
   "source": [
    "display.Display(display.HTML(\"<b>x</b>\"))\n",
    "panic(\"x\")"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Go",
   "language": "go",
   "name": "gotorch"
  },
  "language_info": {
   "name": "go"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// A notebook that ran is, byte for byte, what nbconvert makes of it with the kernel; but that adds a version of Go,
// and times.
func TestRunAsNbconvert(t *testing.T) {
	py := python(t, "nbconvert, jupyter_client")
	dir := t.TempDir()
	in, ours, theirs := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "ours.ipynb"),
		filepath.Join(dir, "theirs.ipynb")
	if err := os.WriteFile(in, []byte(manyKinds), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(py, "-m", "nbconvert", "--to", "notebook", "--execute",
		"--ExecutePreprocessor.record_timing=False", "--output", theirs, in)
	cmd.Env = installed(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program(t), "run", in, "-o", ours).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(theirs)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(ours)
	if err != nil {
		t.Fatal(err)
	}
	const info = "  \"language_info\": {"
	before, after, _ := strings.Cut(string(want), info)
	_, after, _ = strings.Cut(after, "  }")
	if got := string(text); got != before+info+"\n   \"name\": \"go\"\n  }"+after {
		t.Errorf("%s\nnbconvert writes\n%s", got, want)
	}
}
