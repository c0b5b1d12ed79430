package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"sync"

	"gotorch/internal/ipynb"
	"gotorch/interp"
	"gotorch/visualize/display"
)

// notebookSink gathers a cell's outputs as nbformat writes them, and prints their text.
type notebookSink struct {
	mu      sync.Mutex
	outputs []any
	ids     map[string][]*movingOutput
	moving  []*movingOutput // in the order in which they came
	clear   bool
}

// movingOutput is an output that may change until the cell ends; what is printed of it is how it ends.
type movingOutput struct {
	output  map[string]any
	text    string
	printed bool
}

type streamWriter struct {
	s    *notebookSink
	name string
	echo io.Writer
}

// Write adds to the stream, which is one output as long as nothing else comes between.
func (w streamWriter) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.echo.Write(p)
	w.s.clearNow()
	if n := len(w.s.outputs); n > 0 {
		if o := w.s.outputs[n-1].(map[string]any); o["output_type"] == "stream" && o["name"] == w.name {
			o["text"] = o["text"].(string) + string(p)
			return len(p), nil
		}
	}
	w.s.outputs = append(w.s.outputs, map[string]any{"output_type": "stream", "name": w.name, "text": string(p)})
	return len(p), nil
}

func (s *notebookSink) Stdout() io.Writer { return streamWriter{s, "stdout", os.Stdout} }
func (s *notebookSink) Stderr() io.Writer { return streamWriter{s, "stderr", os.Stderr} }
func (s *notebookSink) Stdin() io.Reader  { return nil }

// Manner is that of a notebook: Update changes what stands there.
func (s *notebookSink) Manner() display.Manner { return display.InPlace }

func (s *notebookSink) clearNow() {
	if s.clear {
		s.outputs, s.moving, s.clear = nil, nil, false
	}
}

// Display adds an output.
func (s *notebookSink) Display(id string, b display.Bundle) {
	data := mimeData(b.All())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearNow()
	o := map[string]any{"output_type": "display_data", "data": data, "metadata": orEmpty(b.Metadata)}
	s.outputs = append(s.outputs, o)
	if id == "" {
		fmt.Println(b.Text(false))
		return
	}
	shown := &movingOutput{output: o, text: b.Text(false)}
	s.moving = append(s.moving, shown)
	if s.ids == nil {
		s.ids = map[string][]*movingOutput{}
	}
	s.ids[id] = append(s.ids[id], shown)
}

// Update changes what Display showed under the id.
func (s *notebookSink) Update(id string, b display.Bundle) {
	data := mimeData(b.All())
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.ids[id] {
		o.output["data"], o.output["metadata"], o.text = data, orEmpty(b.Metadata), b.Text(false)
		if o.printed { // by a later cell
			fmt.Println(o.text)
		}
	}
}

// Clear takes the outputs away.
func (s *notebookSink) Clear(wait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clear = wait; !wait {
		s.outputs, s.moving = nil, nil
	}
}

// settle prints what could change until now: bars of progress, live plots.
func (s *notebookSink) settle() {
	for _, o := range s.moving {
		fmt.Println(o.text)
		o.printed = true
	}
	s.moving = nil
}

// results adds the values that the cell ends with.
func (s *notebookSink) results(values []interp.Value, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	for i, v := range values {
		fmt.Println(plainText(v, false))
		rich := v.Rich()
		o := map[string]any{"output_type": "display_data", "data": mimeData(rich.All()), "metadata": orEmpty(rich.Metadata)}
		if i == len(values)-1 && !v.Aside {
			o["output_type"], o["execution_count"] = "execute_result", count
		}
		s.outputs = append(s.outputs, o)
	}
}

func (s *notebookSink) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown, err := errorPicture(err)
	if shown.Data != nil {
		s.outputs = append(s.outputs, map[string]any{"output_type": "display_data", "data": mimeData(shown.All()),
			"metadata": orEmpty(shown.Metadata)})
	}
	f := failure(err)
	trace := []any{}
	for _, l := range f.Traceback {
		trace = append(trace, l)
	}
	s.outputs = append(s.outputs, map[string]any{"output_type": "error", "ename": f.Name, "evalue": f.Value,
		"traceback": trace})
}

// take returns the outputs that there are until now; texts become lists of lines. Goroutines of the cell may go on
// printing, and later cells change what was shown.
func (s *notebookSink) take() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearNow()
	all := make([]any, len(s.outputs))
	for i, o := range s.outputs {
		m := maps.Clone(o.(map[string]any))
		if m["output_type"] == "stream" {
			m["text"] = ipynb.Lines(m["text"].(string))
		}
		all[i] = m
	}
	return all
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// mimeData is a bundle as nbformat keeps it: text as lines, bytes as base64, JSON as it is.
func mimeData(data map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range data {
		switch v := v.(type) {
		case string:
			out[k] = ipynb.Lines(v)
		case []byte:
			if strings.HasPrefix(k, "text/") || strings.HasSuffix(k, "+xml") {
				out[k] = ipynb.Lines(string(v))
			} else {
				out[k] = base64.StdEncoding.EncodeToString(v)
			}
		default:
			out[k] = v
		}
	}
	return out
}
