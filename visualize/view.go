package visualize

import (
	"encoding/json"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/display"
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

// Show shows a value wherever the person is: in colour at a prompt, as a picture in a notebook. A tensor shows its card. What it gives
// can change what was shown, also later and from other goroutines:
//
//	h := visualize.Show(visualize.Strides(x))
//	h.Update(visualize.Strides(x.T()))
func Show(v any) *display.Handle {
	if x, ok := v.(*tensor.Tensor); ok && x != nil {
		if x.Layer() != nil {
			return display.Show(Layers(x))
		}
		v = Card(x)
	}
	return display.Show(v)
}

// JSON is a view's data.
func JSON(v View) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }

// names gives the tensors that a person's variables hold, argTexts what was typed as the arguments of a call. Package interp sets both.
var (
	names    func() map[*tensor.Tensor]string
	argTexts func(callee string) []string
)

// SetNamer sets the function that gives the names of the tensors that are live in the session. It is asked when a view is made, and its
// answer is not kept: names keep no tensor alive.
func SetNamer(f func() map[*tensor.Tensor]string) { names = f }

// SetArgTexts sets the function that gives the arguments as they were typed of the call to this package's callee that is running, nil
// where that is unknown.
func SetArgTexts(f func(callee string) []string) { argTexts = f }

// liveNames asks for the names of tensors; nil where nobody knows any.
func liveNames() map[*tensor.Tensor]string {
	var live map[*tensor.Tensor]string
	if names != nil {
		live = tidyNames(names())
	}
	if s := tensor.CurrentScope(); s != nil {
		if r, ok := s.Trace.(*shapeRun); ok { // what stands for them has their names
			return r.names(live)
		}
	}
	return live
}

// maxName is how many columns of a name are shown.
const maxName = 28

// labels gives a label for each of the tensors that a function of this package was called with: what was typed, else the variable's name,
// else x, or x₁, x₂ and so on.
func labels(callee string, live map[*tensor.Tensor]string, xs []*tensor.Tensor) []string {
	var typed []string
	if argTexts != nil {
		typed = typedTexts(callee)
	}
	out := make([]string, len(xs))
	for i, x := range xs {
		switch n := live[x]; {
		case len(typed) == len(xs) && !strings.HasSuffix(typed[i], "..."):
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

// labelOf is a label for the tensor that is the first argument of callee.
func labelOf(callee string, x *tensor.Tensor) string {
	if argTexts != nil {
		if typed := typedTexts(callee); len(typed) > 0 && typed[0] != "" {
			return typed[0]
		}
	}
	if n := liveNames()[x]; n != "" {
		return n
	}
	return "x"
}

// subscript writes a number in small digits.
func subscript(n int) string {
	digits := []rune("₀₁₂₃₄₅₆₇₈₉")
	if n < 10 {
		return string(digits[n])
	}
	return subscript(n/10) + string(digits[n%10])
}
