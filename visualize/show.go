package visualize

import (
	"encoding/json"

	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
	"gotorch/visualize/memory"
	"gotorch/visualize/programs"
)

// Show shows a value wherever the user is: in colour at a prompt, as a picture in a notebook. A tensor shows its
// card. What it gives can change what was shown, also later and from other goroutines:
//
//	h := visualize.Show(visualize.Strides(x))
//	h.Update(visualize.Strides(x.T()))
func Show(v any) *display.Handle {
	if x, ok := v.(*tensor.Tensor); ok && x != nil {
		if x.Layer() != nil {
			return display.Show(programs.Layers(x))
		}
		v = memory.Card(x)
	}
	return display.Show(v)
}

// JSON is a view's data.
func JSON(v draw.View) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }
