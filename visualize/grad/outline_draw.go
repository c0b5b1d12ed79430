package grad

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

const (
	outlineRows  = 60  // of a picture
	outlineText  = 400 // lines of a text
	outlineChars = 108 // of a row
)

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
		t += fmt.Sprintf(" each, %d in all", s.Calls*s.Times)
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

// outlineRow is a line of a text or a picture.
type outlineRow struct {
	depth int
	step  *GraphStep
	more  int // steps that are left out here
}

// rows are the lines of the outline, at most most of them: the deepest steps of the longest parts are left out first.
func outlineRowsOf(steps []GraphStep, most int) (out []outlineRow) {
	for room := 1 << 20; ; room /= 2 {
		out = nil
		var put func(steps []GraphStep, depth int)
		put = func(steps []GraphStep, depth int) {
			for i := range steps {
				if i >= room && len(steps)-i > 1 {
					out = append(out, outlineRow{depth, nil, len(steps) - i})
					return
				}
				out = append(out, outlineRow{depth, &steps[i], 0})
				if !steps[i].Closed {
					put(steps[i].Steps, depth+1)
				}
			}
		}
		put(steps, 0)
		if len(out) <= most || room <= 2 {
			return out[:min(len(out), most)]
		}
	}
}

// outlinePicture draws the outline: a line for each step, with what it keeps at the right.
func (g *AutogradGraph) outlinePicture() *draw.Canvas {
	c := new(draw.Canvas)
	y := c.Lines(8, 16, g.outlineSummary(), draw.Faint) - 7
	right := 8 + float64(outlineChars)*draw.CharWidth
	for _, r := range outlineRowsOf(g.Steps, outlineRows) {
		x := 8 + float64(min(r.depth, 8))*18
		chars := int((right-x)/draw.CharWidth) - 14
		if r.step == nil {
			c.Text(x+16, y+13, "start", "… "+draw.Counted(r.more, "more call"), draw.Faint)
			y += 18
			continue
		}
		s := r.step
		group := len(s.Steps) > 0 || s.Number == 0
		hue, opacity := 0, 0.12
		if group {
			hue, opacity = 6, 0.22
		}
		attributes := draw.Filled(draw.Hue(hue), opacity)
		if s.Stale {
			attributes = draw.Filled(draw.Red, 0.25)
		}
		c.Box(x, y, right-x, 16, attributes, s.Details)
		extra := ""
		if group {
			extra = draw.Strong
			chars -= chars / 12
		}
		c.Text(x+5, y+12, "start", draw.Clip(s.head(), chars), extra)
		c.Text(right-5, y+12, "end", draw.Clip(s.kept(), 34), draw.Faint)
		y += 18
	}
	return c
}

func (g *AutogradGraph) outlineSummary() string {
	return strings.Replace(g.summary(), "gradients flow down", "in the order of the calls: gradients flow up", 1)
}

// outlineLines is the outline as a text.
func (g *AutogradGraph) outlineLines(color bool) string {
	var b strings.Builder
	for _, r := range outlineRowsOf(g.Steps, outlineText) {
		indent := strings.Repeat("  ", r.depth)
		if r.step == nil {
			fmt.Fprintf(&b, "%s… %s\n", indent, draw.Counted(r.more, "more call"))
			continue
		}
		line := r.step.head()
		if r.step.Number == 0 || len(r.step.Steps) > 0 {
			line = draw.Bold(color, line)
		}
		if k := r.step.kept(); r.step.Stale {
			line += "  " + draw.Paint(color, 5, k)
		} else if k != "" {
			line += "  " + draw.Dim(color, k)
		}
		b.WriteString(indent + line + "\n")
	}
	return b.String() + draw.Dim(color, g.outlineSummary())
}

// outlinePage is the outline for a page: parts of more than a dozen steps are folded, and unfold without script.
func (g *AutogradGraph) outlinePage() string {
	var b strings.Builder
	b.WriteString(`<div style="opacity:0.75">` + draw.Escape(g.outlineSummary()) + `</div>`)
	left := 0
	var put func(steps []GraphStep, depth int)
	put = func(steps []GraphStep, depth int) {
		for i := range steps {
			s := &steps[i]
			if b.Len() > draw.MaxHTML-8000 {
				left++
				continue
			}
			head, kept := draw.Escape(s.head()), s.kept()
			if kept != "" {
				head += " "
				kept = `<span style="opacity:0.7">` + draw.Escape(kept) + `</span>`
			}
			if len(s.Steps) == 0 {
				fmt.Fprintf(&b, `<div title="%s" style="padding-left:18px;overflow-wrap:anywhere">%s%s</div>`,
					draw.Escape(s.Details), head, kept)
				continue
			}
			open := ""
			if depth < 2 && len(s.Steps) <= 14 && !s.Closed {
				open = ` open="open"`
			}
			fmt.Fprintf(&b, `<details%s style="padding-left:%dpx"><summary style="cursor:pointer;display:list-item">`+
				`<b>%s</b>%s</summary>`, open, min(depth, 1)*18, head, kept)
			put(s.Steps, depth+1)
			b.WriteString(`</details>`)
		}
	}
	put(g.Steps, 0)
	if left > 0 {
		b.WriteString("<div>… " + draw.Counted(left, "more step") + " left out</div>")
	}
	return draw.Frame(b.String())
}
