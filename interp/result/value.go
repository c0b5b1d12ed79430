// Package result has what a cell ends with: the values that it shows (value.go),
// how it failed (error.go), and where its output goes (sink.go).
package result

import "gotorch/visualize/display"

// Value is something that a cell shows at its end.
type Value struct {
	Text   string         // as fmt.Sprint gives it
	Bundle display.Bundle // text/plain always, and what a method MIMEBundle adds
	V      any            // the value; an [rt.Box] for types that cells declare

	// Aside stands beneath what the cell shows and is no result of it: the text of a lesson.
	Aside bool

	// Draw makes the bundle for a notebook; nil where Bundle is that.
	Draw  func() display.Bundle
	Curve bool // a function that is shown as its curve
}

// Beneath divides what a cell that failed shows: what stands above the error, and the asides, which stand beneath it,
// because they speak of it.
func Beneath(values []Value, failed bool) (above, beneath []Value) {
	if !failed {
		return values, nil
	}
	for _, v := range values {
		if v.Aside {
			beneath = append(beneath, v)
		} else {
			above = append(above, v)
		}
	}
	return above, beneath
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
