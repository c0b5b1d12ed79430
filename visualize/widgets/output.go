package widgets

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"gotorch/visualize/display"
)

// Area is a part of the page that a program writes to: [Output].
type Area struct {
	*model
	soon *display.Soon // nil where nobody is to see it
}

// Output is an area that shows what it receives, beside or below other widgets.
func Output(opts ...Option) *Area {
	return &Area{start(outputKind, map[string]any{"outputs": []any{}}, opts), new(display.Soon)}
}

// An area keeps so many bytes of text in a row, and so many outputs; what is above goes first.
const (
	areaLimit   = 1 << 18
	areaOutputs = 1000
)

// change replaces what the area shows. Front ends are sent the whole, so they are not told of every word.
func (a *Area) change(outputs []any) {
	if n := len(outputs); n > areaOutputs {
		cut := map[string]any{"output_type": "stream", "name": "stdout", "text": "…\n"}
		outputs = append([]any{cut}, outputs[n-areaOutputs/2:]...)
	}
	a.mu.Lock()
	a.state["outputs"] = outputs
	a.mu.Unlock()
	if a.soon != nil {
		a.soon.Do(func() { a.tell("outputs") })
	}
}

// Show adds values, as the end of a cell would show them.
func (a *Area) Show(vs ...any) {
	outputs := a.outputs()
	for _, v := range vs {
		outputs = append(outputs, shown(display.Rich(v)))
	}
	a.change(outputs)
}

// Set shows values in place of what was there.
func (a *Area) Set(vs ...any) {
	outputs := []any{}
	for _, v := range vs {
		outputs = append(outputs, shown(display.Rich(v)))
	}
	a.change(outputs)
}

// Print adds text.
func (a *Area) Print(vs ...any) {
	a.write("stdout", display.CurrentHost().Sprintln("widgets.Area.Print", vs))
}

// Printf adds text.
func (a *Area) Printf(format string, vs ...any) {
	a.write("stdout", display.CurrentHost().Sprintf("widgets.Area.Printf", format, vs))
}

// Clear empties the area.
func (a *Area) Clear() { a.change([]any{}) }

// Do runs f: what it prints and shows goes into the area.
func (a *Area) Do(f func()) {
	display.Redirect(areaSink{a}, areaWriter{a}, f)
}

// Replace runs f as Do does, but what it prints takes the place of what was there, at its end and all at once.
func (a *Area) Replace(f func()) {
	next := &Area{model: newModel(outputKind, map[string]any{"outputs": []any{}})}
	next.sink = a.sink
	defer func() { a.change(next.outputs()) }()
	display.Redirect(areaSink{next}, areaWriter{next}, f)
}

// outputs is a copy of what the area shows.
func (a *Area) outputs() []any {
	old := a.get("outputs").([]any)
	return append(make([]any, 0, len(old)+1), old...)
}

// write adds text to the last output if that is of the same stream.
func (a *Area) write(stream, text string) {
	if text == "" {
		return
	}
	outputs := a.outputs()
	if n := len(outputs); n > 0 {
		if o := outputs[n-1].(map[string]any); o["output_type"] == "stream" && o["name"] == stream {
			all := o["text"].(string) + text
			if len(all) > areaLimit {
				all = "…\n" + all[len(all)-areaLimit/2:]
			}
			outputs[n-1] = map[string]any{"output_type": "stream", "name": stream, "text": all}
			a.change(outputs)
			return
		}
	}
	a.change(append(outputs, map[string]any{"output_type": "stream", "name": stream, "text": text}))
}

// shown is a bundle as a notebook keeps it.
func shown(b display.Bundle) map[string]any {
	data := map[string]any{}
	for mime, v := range b.All() {
		if raw, ok := v.([]byte); ok {
			if strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml") {
				v = string(raw)
			} else {
				v = base64.StdEncoding.EncodeToString(raw)
			}
		}
		data[mime] = v
	}
	meta := b.Metadata
	if meta == nil {
		meta = map[string]any{}
	}
	return map[string]any{"output_type": "display_data", "data": data, "metadata": meta}
}

// areaSink is the sink of what runs inside of an area.
type areaSink struct{ a *Area }

// Inner is the sink around.
func (s areaSink) Inner() display.Sink { return s.a.sink }

// Manner is that of a notebook: an area's outputs can be changed.
func (s areaSink) Manner() display.Manner { return display.InPlace }

func (s areaSink) Display(id string, b display.Bundle) {
	o := shown(b)
	if id != "" {
		o["transient"] = map[string]any{"display_id": id}
	}
	s.a.change(append(s.a.outputs(), o))
}

func (s areaSink) Update(id string, b display.Bundle) {
	outputs := s.a.outputs()
	for i, o := range outputs {
		if t, _ := o.(map[string]any)["transient"].(map[string]any); t != nil && t["display_id"] == id {
			n := shown(b)
			n["transient"] = o.(map[string]any)["transient"]
			outputs[i] = n
		}
	}
	s.a.change(outputs)
}

func (s areaSink) Clear(bool) { s.a.Clear() }

type areaWriter struct{ a *Area }

func (w areaWriter) Write(p []byte) (int, error) {
	w.a.write("stdout", string(p))
	return len(p), nil
}

// outputsText is what an area shows, in text.
func outputsText(outputs []any) string {
	var b strings.Builder
	for _, o := range outputs {
		o := o.(map[string]any)
		if t, ok := o["text"].(string); ok {
			b.WriteString(t)
			continue
		}
		fmt.Fprintln(&b, o["data"].(map[string]any)["text/plain"])
	}
	return strings.TrimRight(b.String(), "\n")
}

// outputsHTML is what an area shows, in HTML.
func outputsHTML(outputs []any) string {
	var b strings.Builder
	b.WriteString("<div>")
	pre := func(s string) {
		b.WriteString(`<pre style="margin:0;padding:0;border:0;background:none;font-size:12px">` +
			html.EscapeString(s) + "</pre>")
	}
	for _, o := range outputs {
		o := o.(map[string]any)
		if t, ok := o["text"].(string); ok {
			pre(t)
			continue
		}
		data := o["data"].(map[string]any)
		if h, ok := data["text/html"].(string); ok {
			b.WriteString(h)
		} else if svg, ok := data["image/svg+xml"].(string); ok {
			b.WriteString(svg)
		} else if png, ok := data["image/png"].(string); ok {
			b.WriteString(`<img src="data:image/png;base64,` + png + `"/>`)
		} else {
			pre(fmt.Sprint(data["text/plain"]))
		}
	}
	return b.String() + "</div>"
}
