// Package ipynb reads notebooks of nbformat 4. What it does not know stays as it is.
package ipynb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Notebook is a notebook's JSON.
type Notebook map[string]any

// Parse reads a notebook; cells are its cells, in order, and part of it.
func Parse(text []byte) (nb Notebook, cells []map[string]any, err error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, nil, errors.New("not a notebook: the file is empty")
	case !utf8.Valid(text): // it would be written with other characters in their place
		return nil, nil, errors.New("not a notebook: the file is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		at := int64(len(text))
		if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
			at = s.Offset
		}
		return nil, nil, fmt.Errorf("not a notebook: line %d: %w", line(text, at), err)
	}
	end := d.InputOffset()
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("not a notebook: line %d: it has ended, and more follows", line(text, end))
	}
	m, _ := v.(map[string]any)
	version, ok := m["nbformat"].(json.Number)
	switch nb = m; {
	case !ok:
		return nil, nil, errors.New("not a notebook: it has no nbformat")
	case version != "4":
		return nil, nil, fmt.Errorf(
			"a notebook of nbformat %s: version 4 is read (jupyter nbconvert --to notebook makes that of older ones)", version)
	}
	if lang := nb.language(); lang != "" && !strings.EqualFold(lang, "go") {
		return nil, nil, fmt.Errorf("the notebook's cells are %s, not Go, by what its metadata say", lang)
	}
	list, ok := nb["cells"].([]any)
	if !ok {
		return nil, nil, errors.New("not a notebook: it has no list of cells")
	}
	for i, c := range list {
		m, ok := c.(map[string]any)
		if !ok || !isText(m["source"]) {
			return nil, nil, fmt.Errorf("cell %d of the notebook is malformed", i+1)
		}
		cells = append(cells, m)
	}
	return nb, cells, nil
}

// line is the number of the line where a byte stands.
func line(text []byte, at int64) int {
	return 1 + bytes.Count(text[:min(at, int64(len(text)))], []byte("\n"))
}

// language is that of the kernel that a notebook was written for, "" where the notebook does not say.
func (nb Notebook) language() string {
	meta, _ := nb["metadata"].(map[string]any)
	spec, _ := meta["kernelspec"].(map[string]any)
	if lang, ok := spec["language"].(string); ok {
		return lang
	}
	info, _ := meta["language_info"].(map[string]any)
	lang, _ := info["name"].(string)
	return lang
}

// isText says that v is a text, or lines, or nothing.
func isText(v any) bool {
	if list, ok := v.([]any); ok {
		return !slices.ContainsFunc(list, func(l any) bool { _, ok := l.(string); return !ok })
	}
	_, ok := v.(string)
	return ok || v == nil
}

// Tagged reports whether a cell has a tag.
func Tagged(cell map[string]any, tag string) bool {
	meta, _ := cell["metadata"].(map[string]any)
	tags, _ := meta["tags"].([]any)
	return slices.Contains(tags, any(tag))
}

// Skipped reports whether a cell is not to be run: it has the tag that nbclient knows.
func Skipped(cell map[string]any) bool { return Tagged(cell, "skip-execution") }

// Source is the text of a cell, which a notebook keeps as a string or as lines.
func Source(cell map[string]any) string { return Text(cell["source"]) }

// Text is a text that a notebook keeps as a string or as lines.
func Text(v any) string {
	switch s := v.(type) {
	case string:
		return s
	case []any:
		var b strings.Builder
		for _, l := range s {
			t, _ := l.(string)
			b.WriteString(t)
		}
		return b.String()
	}
	return ""
}

// Lines is a text as a notebook keeps it.
func Lines(s string) []any {
	out := []any{}
	for l := range strings.Lines(s) {
		out = append(out, l)
	}
	return out
}
