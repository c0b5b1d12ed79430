package visualize

import (
	"testing"

	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestTextExtent: no picture is wide because of a sentence alone, whose letters would be tiny where it is made smaller
// for a narrow page. Words at the end of a row, such as the shape of a result, may stand right of what is drawn.
func TestTextExtent(t *testing.T) {
	const words = 50 * draw.CharWidth
	verbatim := map[string]bool{ // lines of code, numbers as they are printed, and a table that pages have as HTML
		"card_values": true, "card_shared": true, "source": true, "where": true, "program_guards": true,
		"table_overloads": true, "operators_class": true}
	for _, e := range examples {
		svg := e.make(viewtest.NewSession(t)).SVG()
		drawing := max(viewtest.DrawingWidth(svg), draw.ReadWidth)
		for _, s := range viewtest.TextsOf(svg) {
			if s.Right > drawing && s.Right-s.Left > words && !verbatim[e.name] {
				t.Errorf("%s: what is drawn is %.0f wide, a text reaches %.0f: %q", e.name, drawing, s.Right, s.String)
			}
		}
	}
}
