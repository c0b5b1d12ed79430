// Package ipynb reads notebooks of nbformat 4. What it does not know stays as it is.
package ipynb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Notebook is a notebook's JSON.
type Notebook map[string]any

// Parse reads a notebook; cells are its cells, in order, and part of it.
func Parse(text []byte) (nb Notebook, cells []map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&nb); err != nil {
		return nil, nil, fmt.Errorf("not a notebook: %w", err)
	}
	list, ok := nb["cells"].([]any)
	if v, _ := nb["nbformat"].(json.Number); !ok || v.String() != "4" {
		return nil, nil, errors.New("not a notebook of nbformat 4")
	}
	for i, c := range list {
		m, ok := c.(map[string]any)
		if !ok {
			return nil, nil, fmt.Errorf("cell %d of the notebook is malformed", i)
		}
		cells = append(cells, m)
	}
	return nb, cells, nil
}

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
