package grad

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/fold"
)

// outlineText is how many lines the text of an outline has.
const outlineText = 400

// head is the line of a step, without what it keeps.
func (s *GraphStep) head() string {
	if len(s.Steps) == 0 && s.Number > 0 {
		t := fmt.Sprintf("#%d ", s.Number)
		if s.Label != "" {
			t += draw.Clip(s.Label, draw.MaxName) + " = "
		}
		t += operator(s.Title)
		if s.Inputs != "" {
			t += "(" + s.Inputs + ")"
		}
		t += "  " + s.Shape
		if s.Site != "" {
			t += "  @ " + s.Site
		}
		return t
	}
	t := s.Title
	if s.Times > 1 {
		t += fmt.Sprintf(" × %d", s.Times)
	}
	t += "  " + draw.Counted(s.Calls, "call")
	if s.Times > 1 {
		t += fmt.Sprintf(" each, %d in all", s.All)
	}
	if s.Same {
		t += ", the same as above"
	}
	return t
}

// kept is what the step keeps for the backward pass.
func (s *GraphStep) kept() string {
	if s.Stale {
		return "✗ written to since it was saved"
	}
	if s.Bytes > 0 {
		return bytesize.Text(s.Bytes)
	}
	return ""
}

// drawn are steps as an outline draws them.
func drawn(steps []GraphStep) []fold.Step {
	out := make([]fold.Step, len(steps))
	for i := range steps {
		s := &steps[i]
		out[i] = fold.Step{Head: s.head(), Right: s.kept(), Group: len(s.Steps) > 0 || s.Number == 0, Alarm: s.Stale,
			Closed: s.Closed, Site: s.Site, Details: s.Details, Steps: drawn(s.Steps)}
	}
	return out
}

// outlinePicture draws the outline: a line for each step, with what it keeps at the right.
func (g *AutogradGraph) outlinePicture() *draw.Canvas {
	c := &draw.Canvas{Wide: fold.Wide}
	fold.Picture(c, c.Lines(8, 16, g.outlineSummary(), draw.Faint)-7, drawn(g.Steps))
	return c
}

func (g *AutogradGraph) outlineSummary() string {
	return strings.Replace(g.summary(), "gradients flow down", "in the order of the calls: gradients flow up", 1)
}

// outlineLines is the outline as a text.
func (g *AutogradGraph) outlineLines(color bool) string {
	return fold.Text(drawn(g.Steps), outlineText, false, color) + draw.Dim(color, g.outlineSummary())
}

// outlinePage is the outline for a page: parts of more than a dozen steps are folded, and unfold without script.
func (g *AutogradGraph) outlinePage() string {
	return draw.Frame(`<div style="opacity:0.75">` + draw.KeepUnits(draw.Escape(g.outlineSummary())) + `</div>` +
		fold.Page(drawn(g.Steps), draw.MaxHTML-8000))
}
