package widgets

import (
	"fmt"
	"html"
	"strings"
)

// Note: widgets without a front end that knows them. What a widget says in a line of text it also says in a line of
// HTML, which is shown again, in its place, when the program changes the widget.

// barWidth is how many columns a bar takes.
const barWidth = 20

// bar draws how full something is, in eighths of a column.
func bar(part float64, width int) string {
	part = clamp(part, 0, 1)
	eighths := int(part*float64(width)*8 + 0.5)
	full, rest := eighths/8, eighths%8
	s := strings.Repeat("█", full)
	if rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
		full++
	}
	return s + strings.Repeat("░", width-full)
}

// String is the widget in a line of text, or several.
func (m *model) String() string {
	m.mu.Lock()
	state := make(map[string]any, len(m.state))
	for k, v := range m.state {
		state[k] = v
	}
	m.mu.Unlock()
	text := ""
	switch m.kind {
	case intSlider:
		text = fmt.Sprintf("%s %d  (%d to %d)", bar(share(state), barWidth), state["value"], state["min"], state["max"])
	case floatSlider:
		text = fmt.Sprintf("%s %.4g  (%.4g to %.4g)", bar(share(state), barWidth), state["value"],
			state["min"], state["max"])
	case intProgress:
		text = fmt.Sprintf("%s %d of %d", bar(share(state), barWidth), state["value"], state["max"])
	case checkbox:
		text = "[ ]"
		if state["value"].(bool) {
			text = "[x]"
		}
	case dropdown:
		labels := append([]string(nil), state["_options_labels"].([]string)...)
		at := state["index"].(int)
		labels[at] = "[" + labels[at] + "]"
		text = strings.Join(labels, "  ")
	case buttonKind:
		return fmt.Sprintf("( %v )", state["description"])
	case hbox, vbox:
		var parts []string
		for _, kid := range state["children"].([]*model) {
			if t := kid.String(); t != "" {
				parts = append(parts, t)
			}
		}
		if m.kind == hbox {
			return strings.Join(parts, "   ")
		}
		return strings.Join(parts, "\n")
	case outputKind:
		return outputsText(state["outputs"].([]any))
	default:
		text, _ = state["value"].(string)
	}
	if d, _ := state["description"].(string); d != "" {
		text = d + " " + text
	}
	return text
}

// share is how far a value is on the way from min to max.
func share(state map[string]any) float64 {
	f := func(name string) float64 {
		switch v := state[name].(type) {
		case int:
			return float64(v)
		case float64:
			return v
		}
		return 0
	}
	if f("max") == f("min") {
		return 1
	}
	return (f("value") - f("min")) / (f("max") - f("min"))
}

// lineStyle is that of a line of text.
const lineStyle = `style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;white-space:pre"`

// html is the widget for those that draw none.
func (m *model) html() string {
	switch m.kind {
	case htmlKind:
		v, _ := m.get("value").(string)
		return "<div>" + v + "</div>"
	case outputKind:
		return outputsHTML(m.get("outputs").([]any))
	case hbox, vbox:
		var b strings.Builder
		b.WriteString("<div>")
		if m.kind == hbox {
			b.Reset()
			b.WriteString(`<div style="display:flex;gap:2em">`)
		}
		for _, kid := range m.get("children").([]*model) {
			b.WriteString(kid.html())
		}
		return b.String() + "</div>"
	}
	return "<div " + lineStyle + ">" + html.EscapeString(m.String()) + "</div>"
}

// besides is HTML for front ends that show a widget above the cell's output and the other forms in it, as ipywidgets
// 6 does: it is there, and seen only where the widget is not, in a notebook that is opened again.
func besides(page string) string {
	return `<div class="gotorch-still"><style>.widget-area:not([style*="none"])~.output_wrapper .gotorch-still{display:none}</style>` + page + "</div>"
}
