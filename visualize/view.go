package visualize

import (
	"encoding/json"

	"gotorch/tensor"
)

// View is what every function of this package gives.
type View interface {
	// Text is the view for a terminal, with ANSI colours if color is set. Colour never says what the text does not.
	Text(color bool) string
	// SVG is the view as a picture, complete and without script.
	SVG() string
	// HTML is the picture with what unfolds beneath it, without script.
	HTML() string
	// MIMEBundle is the view in all forms, by MIME type.
	MIMEBundle() map[string]any
}

// bundle makes the MIME bundle of a view.
func bundle(v View) map[string]any {
	return map[string]any{"text/plain": v.Text(false), "text/html": v.HTML(), "image/svg+xml": v.SVG()}
}

// JSON is a view's data.
func JSON(v View) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }

// namer finds the name under which a person knows a tensor, argTexts what was typed as the arguments of a call. Package interp sets both.
var (
	namer    func(*tensor.Tensor) string
	argTexts func(callee string) []string
)

// SetNamer sets the function that gives a tensor's name in the session, "" where it has none.
func SetNamer(f func(*tensor.Tensor) string) { namer = f }

// SetArgTexts sets the function that gives the arguments as they were typed of the call to callee that is running, nil where that is unknown.
func SetArgTexts(f func(callee string) []string) { argTexts = f }

// nameOf is the name of a tensor, "" where it has none.
func nameOf(x *tensor.Tensor) string {
	if namer == nil {
		return ""
	}
	return namer(x)
}

// namesOf gives a label for each of the tensors that a function of this package was called with.
func namesOf(callee string, xs []*tensor.Tensor) []string {
	var typed []string
	if argTexts != nil {
		typed = argTexts(callee)
	}
	out := make([]string, len(xs))
	for i, x := range xs {
		switch n := nameOf(x); {
		case len(typed) == len(xs):
			out[i] = typed[i]
		case n != "":
			out[i] = n
		case len(xs) == 1:
			out[i] = "x"
		default:
			out[i] = "x" + subscript(i+1)
		}
	}
	return out
}

// subscript writes a number in small digits.
func subscript(n int) string {
	digits := []rune("₀₁₂₃₄₅₆₇₈₉")
	if n < 10 {
		return string(digits[n])
	}
	return subscript(n/10) + string(digits[n%10])
}
