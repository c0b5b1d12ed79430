package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

// extendingNotebooks are made of sections of docs/extending.md, or another page, so that what is documented can be run
// and changed.
var extendingNotebooks = []struct {
	file, title, about string
	sections           []string
	page, pageTitle    string
}{
	{"1-kernel", "Write a kernel", "An operator of your own, from the schema to the derivative.",
		[]string{"An operator", "A shape function, checks, accessors", "An operator of others"},
		"extending.md", "extending gotorch"},
	{"2-modes", "See every call", "A mode is told of each operator that is called, and may answer in its place.",
		[]string{"Modes"}, "extending.md", "extending gotorch"},
	{"3-wrappers", "Wrapper tensors", "A type of your own that passes through every operator.",
		[]string{"Wrapper tensors"}, "extending.md", "extending gotorch"},
	{"4-device", "Write a device", "Memory of your own, kernels for it, and the CPU for the rest.",
		[]string{"A device"}, "extending.md", "extending gotorch"},
	{"5-streams", "Streams", "A device that answers later, and what can go wrong.",
		[]string{"Later", "Copies that do not wait", "Streams and events", "Timeline", "Errors come late",
			"Memory", "Graphs"}, "streams.md", "streams"},
}

// sectionsOf cuts a page at its headings of the second level.
func sectionsOf(page string) map[string]string {
	m := map[string]string{}
	for _, part := range strings.Split(page, "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		m[title] = strings.TrimSpace(text)
	}
	return m
}

// pageCells are the cells of a section: prose, and what stands behind prompts. What shows nothing is joined with
// what follows.
func pageCells(section string) (cells []map[string]any) {
	add := func(kind, text string, fails bool) {
		c := map[string]any{"cell_type": kind, "metadata": map[string]any{}, "source": ipynb.Lines(text)}
		if kind == "code" {
			c["execution_count"], c["outputs"] = nil, []any{}
			if fails {
				c["metadata"] = map[string]any{"tags": []any{failsTag}}
			}
		}
		cells = append(cells, c)
	}
	for i, part := range strings.Split(section, "```\n") {
		if i%2 == 0 {
			if text := strings.TrimSpace(part); text != "" {
				add("markdown", strings.ReplaceAll(text, "](../", "](../../"), false)
			}
			continue
		}
		open := ""
		for _, step := range strings.Split("\n"+part, "\n>>> ")[1:] {
			src, shown, _ := strings.Cut(strings.TrimSuffix(step, "\n"), "\n")
			for strings.HasPrefix(shown, "...") {
				line, rest, _ := strings.Cut(shown, "\n")
				src, shown = src+"\n"+strings.TrimPrefix(strings.TrimPrefix(line, "..."), " "), rest
			}
			if open += src; shown == "" {
				open += "\n"
				continue
			}
			add("code", open, strings.Contains(shown, "Error: ") || strings.HasPrefix(shown, "error: "))
			open = ""
		}
		if open != "" {
			add("code", strings.TrimSpace(open), false)
		}
	}
	return cells
}

// TestExtendingExamples makes the notebooks of examples/extending from the page, runs them, and compares them with
// what is committed.
func TestExtendingExamples(t *testing.T) {
	for _, n := range extendingNotebooks {
		t.Run(n.file, func(t *testing.T) {
			page, err := os.ReadFile(filepath.Join(root, "docs", n.page))
			if err != nil {
				t.Fatal(err)
			}
			sections := sectionsOf(strings.ReplaceAll(string(page), "```text\n", "```\n"))
			head := fmt.Sprintf("# %s\n\n%s The page [%s](../../docs/%s) has the same cells.", n.title, n.about,
				n.pageTitle, n.page)
			cells := []map[string]any{{"cell_type": "markdown", "metadata": map[string]any{}, "source": ipynb.Lines(head)}}
			for _, s := range n.sections {
				if sections[s] == "" {
					t.Fatalf("the page has no section %s", s)
				}
				if len(n.sections) > 1 {
					sections[s] = "## " + s + "\n\n" + sections[s]
				}
				cells = append(cells, pageCells(sections[s])...)
			}
			for i, c := range cells {
				c["id"] = fmt.Sprintf("c%02d", i)
			}
			kernel := map[string]any{"name": "gotorch", "display_name": "Go (gotorch)", "language": "go"}
			data, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5,
				"metadata": map[string]any{"kernelspec": kernel}})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			raw, again := filepath.Join(dir, "raw.ipynb"), filepath.Join(dir, "again.ipynb")
			if err := os.WriteFile(raw, data, 0o666); err != nil {
				t.Fatal(err)
			}
			kept := filepath.Join(root, "examples", "extending", n.file+".ipynb")
			if *update {
				if err := os.MkdirAll(filepath.Dir(kept), 0o777); err != nil {
					t.Fatal(err)
				}
				again = kept
			}
			if out, err := exec.Command(program(t), "run", raw, "-o", again).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, got := outputs(t, kept), outputs(t, again)
			if len(want) != len(got) || len(got) < 5 {
				t.Fatalf("%d cells, %d are kept: go test ./cmd/gotorch-repl -run TestExtendingExamples -update", len(got),
					len(want))
			}
			for i := range want {
				if steady(got[i]) != steady(want[i]) {
					t.Errorf("cell %d: %s\nwant\n%s", i, got[i], want[i])
				}
			}
		})
	}
}
