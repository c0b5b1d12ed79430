package programs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
	"gotorch/visualize/plot"
)

// SVG draws the heat maps.
func (v *GradcheckView) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *GradcheckView) HTML() string { return draw.Pictured(v.draw(), v.label(), v.Text(false)) }

// MIMEBundle is the view in all forms.
func (v *GradcheckView) MIMEBundle() map[string]any { return draw.Bundle(v) }

// String is the view as text.
func (v *GradcheckView) String() string { return v.Text(false) }

func (v *GradcheckView) label() string { return "gradcheck of " + v.Name + ": " + v.verdict() }

// verdict says how many entries agree.
func (v *GradcheckView) verdict() string {
	if v.Failed == 0 {
		return fmt.Sprintf("%s, and both ways agree", draw.Counted(v.Total, "derivative"))
	}
	return fmt.Sprintf("%d of %s differ", v.Failed, draw.Counted(v.Total, "derivative"))
}

// about says how it was computed, in lines.
func (v *GradcheckView) about() []string {
	return []string{"a row for each element of the result", "differences: (f(x + h) - f(x - h)) / 2h",
		fmt.Sprintf("h = %g, in %s", v.Step, v.Dtype)}
}

func (e *GradcheckEntry) lines() []string {
	return []string{"✗ the worst: " + e.Result + " by " + e.Input,
		"  " + draw.ShortValue(e.Analytic) + " by the formulas, " + draw.ShortValue(e.Numeric) + " by differences"}
}

func (t *GradcheckTable) title() string {
	return fmt.Sprintf("%s %v by %s %v", t.Result, t.ResultShape, t.Input, t.InputShape)
}

func (t *GradcheckTable) maps() []*plot.HeatmapView {
	return []*plot.HeatmapView{t.Analytic, t.Numeric, t.Difference}
}

// Text is the verdict and the three tables of each result and input.
func (v *GradcheckView) Text(color bool) string {
	var b strings.Builder
	b.WriteString(draw.Bold(color, "gradcheck "+v.Name+": "+v.verdict()) + "\n")
	if v.Worst != nil {
		for _, l := range v.Worst.lines() {
			b.WriteString(draw.Paint(color, 5, l) + "\n")
		}
	}
	for i := range v.Tables {
		t := &v.Tables[i]
		b.WriteString("\n" + t.title() + "\n")
		for _, h := range t.maps() {
			b.WriteString(h.Text(color) + "\n")
		}
	}
	b.WriteString("\n")
	for _, l := range v.about() {
		b.WriteString(draw.Dim(color, l) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (v *GradcheckView) draw() *draw.Canvas {
	c := new(draw.Canvas)
	c.Text(8, 18, "start", "gradcheck "+v.Name, draw.Strong)
	c.Text(8, 34, "start", v.verdict(), "")
	y := 36.0
	if v.Worst != nil {
		for _, l := range v.Worst.lines() {
			y += 16
			y = c.Warn(8, y, l)
		}
	}
	for i := range v.Tables {
		t := &v.Tables[i]
		y += 24
		c.Text(8, y, "start", t.title(), draw.Faint)
		maps := plot.Together(t.maps())
		c.Group(fmt.Sprintf(`transform="translate(0 %s)"`, draw.Num(y+4)))
		c.Elements.WriteString(maps.Elements.String())
		c.End()
		c.Grow(maps.W, y+4+maps.H)
		y += 4 + maps.H
	}
	for _, l := range v.about() {
		y += 16
		c.Text(8, y+6, "start", l, draw.Faint)
	}
	return c
}
