package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrorPicture: an error of shapes shows its picture in a notebook, above the traceback, which has the line and no
// picture of characters; what ran without a front end writes the same.
func TestErrorPicture(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("x := Ones(2, 3)\nrow := Ones(2)")
	ran := f.Execute("x + row", wait, nil)
	shown := ran.Of("display_data")
	if len(shown) != 1 {
		t.Fatalf("%d things are displayed: %v", len(shown), ran.Types())
	}
	data := shown[0].Content["data"].(map[string]any)
	for mime, want := range map[string]string{"text/html": "<img", "text/plain": "would do"} {
		if text, _ := data[mime].(string); !strings.Contains(text, want) {
			t.Errorf("%s has no %q: %s", mime, want, text)
		}
	}
	lines, _ := json.Marshal(ran.Of("error")[0].Content["traceback"])
	if text := string(lines); strings.Contains(text, "would do") || !strings.Contains(text, "x + row") {
		t.Errorf("the traceback: %s", text)
	}
	if ran := f.Execute("nope()", wait, nil); len(ran.Of("display_data")) != 0 {
		t.Error("an error without a picture displays something")
	}

	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "b.ipynb")
	notebook := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "a",
		"execution_count": null, "metadata": {}, "outputs": [], "source": "Ones(2, 3) + Ones(2)"}]}`
	if err := os.WriteFile(in, []byte(notebook), 0o666); err != nil {
		t.Fatal(err)
	}
	exec.Command(program(t), "run", in, "-o", out).Run() // it fails, as the cell does
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Outputs []struct {
				Type string `json:"output_type"`
			}
		}
	}
	if err := json.Unmarshal(written, &nb); err != nil {
		t.Fatal(err)
	}
	if o := nb.Cells[0].Outputs; len(o) != 2 || o[0].Type != "display_data" || o[1].Type != "error" {
		t.Errorf("the outputs: %+v", o)
	}
}
