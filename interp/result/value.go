// Package result has what a cell ends with: the values that it shows (value.go),
// how it failed (error.go), and where its output goes (sink.go).
package result

import "gotorch/visualize/display"

// Value is something that a cell shows at its end.
type Value struct {
	Text   string         // as fmt.Sprint gives it
	Bundle display.Bundle // text/plain always, and what a method MIMEBundle adds
	V      any            // the value; an [rt.Box] for types that cells declare

	// Draw makes the bundle for a notebook; nil where Bundle is that.
	Draw func() display.Bundle
}

// Text is a text as a value.
func Text(text string) []Value { return []Value{{Text: text, Bundle: display.Text(text)}} }

// Rich is what a notebook shows of the value: of a tensor its card around the text, which is drawn when this is
// called.
func (v Value) Rich() display.Bundle {
	if v.Draw == nil {
		return v.Bundle
	}
	return v.Draw()
}
