package programs

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// The picture: the forward pass goes down on the left, the cut is a line in the middle with the saved values on it,
// and the backward pass goes down on the right, with what it computes once more in another colour.
const (
	cutWide, cutHigh, cutGap = 248.0, 20.0, 7.0
	cutMiddle                = 172.0 // between the two passes
	cutTop                   = 118.0
	maxCutSteps              = 120 // of each pass
)

// SVG draws the two passes and the cut.
func (c *CutProgram) SVG() string { return c.draw().Alone(c.label()) }

// HTML is the picture, with the text beneath it.
func (c *CutProgram) HTML() string { return draw.Pictured(c.draw(), c.label(), c.Text(false)) }

// MIMEBundle is the view in all forms.
func (c *CutProgram) MIMEBundle() map[string]any { return draw.Bundle(c) }

func (c *CutProgram) label() string {
	return draw.OneLine(c.Name, 60) + ": " + draw.Counted(len(c.Steps), "call") + ", " +
		draw.Counted(len(c.Saved), "tensor") + " of " + bytesize.Text(c.After.Bytes) + " saved between the passes"
}

// cutPoint is where a line begins or ends.
type cutPoint struct{ x, y float64 }

// draw places the boxes, and then the lines from where a value is made to where it is read.
func (c *CutProgram) draw() *draw.Canvas {
	k := new(draw.Canvas)
	k.Text(8, 18, "start", draw.OneLine(c.title(), 86), draw.Strong)
	c.costs().Draw(k, 8, 40)
	left, middle, right := 8.0, 8+cutWide+cutMiddle/2, 8+cutWide+cutMiddle
	k.Text(left+cutWide/2, cutTop-12, "middle", "forward", draw.Faint)
	k.Text(middle, cutTop-12, "middle", "saved", draw.Faint)
	k.Text(right+cutWide/2, cutTop-12, "middle", "backward", draw.Faint)
	made := map[string]cutPoint{}  // the right side of the box that makes a value in the forward pass
	again := map[string]cutPoint{} // the left side of the one that makes it on the right
	reads := map[string][]cutPoint{}
	y := [2]float64{cutTop, cutTop}
	shown := [2]int{}
	for i := range c.Steps {
		s := &c.Steps[i]
		side, x, hue := 0, left, 0
		if s.Pass != "forward" {
			side, x, hue = 1, right, 4
		}
		if s.Pass == "again" {
			hue = 2
		}
		if shown[side]++; shown[side] > maxCutSteps {
			continue
		}
		k.Rect(x, y[side], cutWide, cutHigh, draw.Hue(hue), 0.22, s.Text)
		text := s.Text
		if at := strings.Index(text, " = "); at >= 0 {
			text = strings.Join(s.Makes, ", ") + " = " + text[at+3:]
		}
		if s.Pass == "again" {
			text = "↻ " + text
		}
		k.Text(x+8, y[side]+14, "start", draw.Clip(text, 32), "")
		for _, name := range s.Makes {
			if side == 0 {
				made[name] = cutPoint{x + cutWide, y[side] + cutHigh/2}
			} else {
				again[name] = cutPoint{x, y[side] + cutHigh/2}
			}
		}
		if side == 1 {
			for _, name := range s.Uses {
				reads[name] = append(reads[name], cutPoint{x, y[side] + cutHigh/2})
			}
		}
		y[side] += cutHigh + cutGap
	}
	for side, x := range []float64{left, right} {
		if more := shown[side] - maxCutSteps; more > 0 {
			k.Text(x+8, y[side]+14, "start", "… "+draw.Counted(more, "more call"), "")
			y[side] += cutHigh
		}
	}
	c.drawSaved(k, middle, max(y[0], y[1]), made, again, reads)
	return k
}

// drawSaved draws the line of the cut, and each saved value on it with its ways in and out.
func (c *CutProgram) drawSaved(k *draw.Canvas, middle, bottom float64, made, again map[string]cutPoint,
	reads map[string][]cutPoint) {
	const wide, high = 118.0, 30.0
	need := cutTop + float64(len(c.Saved))*(high+10)
	bottom = max(bottom, need)
	k.Path(fmt.Sprintf("M%s %sV%s", draw.Num(middle), draw.Num(cutTop-4), draw.Num(bottom)), "currentColor",
		`stroke-dasharray="5 4" stroke-opacity="0.6"`)
	step := (bottom - cutTop) / float64(max(len(c.Saved), 1))
	curve := func(a, b cutPoint, extra string) {
		mid := (a.x + b.x) / 2
		k.Path(fmt.Sprintf("M%s %sC%s %s %s %s %s %s", draw.Num(a.x), draw.Num(a.y), draw.Num(mid), draw.Num(a.y),
			draw.Num(mid), draw.Num(b.y), draw.Num(b.x), draw.Num(b.y)), "currentColor", `stroke-opacity="0.45" `+extra)
	}
	for i := range c.Saved {
		v := &c.Saved[i]
		y := cutTop + float64(i)*step + max((step-high)/2, 0)
		from, known := made[v.Name]
		if known {
			curve(from, cutPoint{middle - wide/2, y + high/2}, "")
		}
		for _, to := range reads[v.Name] {
			curve(cutPoint{middle + wide/2, y + high/2}, to, "")
		}
		k.Rect(middle-wide/2, y, wide, high, draw.Hue(1), 0.3, v.text())
		name := v.Name
		if v.Input {
			name += ", an input"
		}
		k.Text(middle, y+13, "middle", draw.Clip(name, 18), draw.Strong)
		k.Text(middle, y+26, "middle", bytesize.Text(v.Bytes), draw.Faint)
	}
}
