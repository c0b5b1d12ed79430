package shapes

import (
	"strings"

	"gotorch/visualize/draw"
)

// SVG is the calls, each with a box for every size of what it gives, and the guards.
func (v *SymbolicView) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *SymbolicView) HTML() string { return draw.Pictured(v.draw(), v.label(), v.Text(false)) }

func (v *SymbolicView) label() string {
	text := "symbolic shapes: " + v.tried()
	if v.Error != "" {
		text = "symbolic shapes: " + v.Error
	}
	return draw.Clip(text, 300)
}

// boxes draws tensors from x on and returns where they end. A row that would leave the page goes on beneath.
func (v *SymbolicView) boxes(c *draw.Canvas, left, y float64, all []SymbolicTensor, note string) float64 {
	const edge = draw.NarrowWidth - 16.0
	x := left
	room := func(wide float64) {
		if x+wide > edge && x > left {
			x, y = left, y+26
		}
	}
	for i, t := range all {
		if len(all) > 4 && i == 3 {
			note = strings.TrimPrefix(note+", … and so on", ", ")
			break
		}
		shape := t.Shape
		if len(shape) > 8 {
			shape = append(shape[:8:8], "…")
		}
		for d, s := range shape {
			s = draw.Clip(s, 60)
			wide := float64(draw.Width(s))*draw.CharWidth + 12
			room(wide)
			tip := "dimension " + string(rune('0'+d)) + ": " + s
			if t.Dtype == wholeNumber {
				tip = "a whole number: " + s
			}
			c.Rect(x, y+2, wide, 22, draw.Hue(d), 0.25, tip)
			c.Text(x+wide/2, y+17, "middle", s, "")
			x += wide + 3
		}
		text := t.Dtype
		if i+1 < len(all) && all[i+1].Dtype == t.Dtype {
			text = ""
		}
		if i+1 < len(all) {
			text += ","
		}
		wide := float64(draw.Width(text))*draw.CharWidth + 12
		room(wide)
		c.Text(x+4, y+17, "start", text, draw.Faint)
		x += wide
	}
	if note != "" {
		room(float64(draw.Width(note)) * draw.CharWidth)
		c.Text(x+4, y+17, "start", note, draw.Small)
	}
	return y + 26
}

// draw is the inputs, the table of calls, the result and the guards.
func (v *SymbolicView) draw() *draw.Canvas {
	c := new(draw.Canvas)
	rows := v.rows()
	var w [3]float64
	widths := func(r symbolicRow) {
		for i, s := range []string{r.place, draw.Clip(r.name, 16)} {
			w[i] = max(w[i], float64(draw.Width(s))*draw.CharWidth)
		}
	}
	for _, r := range rows {
		widths(r)
	}
	for _, t := range v.Inputs {
		widths(symbolicRow{name: t.Name})
	}
	x0 := 8.0
	x1 := x0 + w[0] + 16
	x2 := x1 + w[1] + 16
	y := 8.0
	for _, t := range v.Inputs {
		c.Text(x1, y+17, "start", draw.Clip(t.Name, 16), draw.Strong)
		y = v.boxes(c, x2, y, []SymbolicTensor{t}, "")
	}
	y += 6
	if len(rows) == 0 && v.Error == "" && len(v.Notes) == 0 {
		c.Text(x1, y+17, "start", nothingCalled, draw.Faint)
		y += 26
	}
	for i, r := range rows {
		if len(c.Elements.String()) > draw.MaxPicture*2/3 {
			c.Text(x1, y+17, "start", "… "+draw.Counted(len(rows)-i, "line")+" more", draw.Faint)
			y += 26
			break
		}
		if r.remark != "" {
			c.Text(x1, y+17, "start", r.remark, draw.Faint)
			y += 26
			continue
		}
		if r.place != "" && i > 0 {
			c.Path("M8 "+draw.Num(y)+"H"+draw.Num(x2), "currentColor", `stroke-opacity="0.2"`)
		}
		c.Text(x0, y+17, "start", r.place, draw.Faint)
		style := draw.Strong
		if strings.HasPrefix(r.name, "#") {
			style = draw.Faint
		}
		c.Text(x1, y+17, "start", draw.Clip(r.name, 16), style)
		y = v.drawCall(c, x2, y, r.line)
	}
	if v.Error != "" {
		text := v.Error
		if v.At != "" {
			text = v.At + ": " + text
		}
		y = c.Warn(8, y+draw.LineHeight, "✗ "+text)
		y += 8
	} else if len(v.Result) > 0 {
		y += 4
		c.Path("M8 "+draw.Num(y)+"H"+draw.Num(draw.NarrowWidth-16), "currentColor", `stroke-opacity="0.35"`)
		c.Text(x0, y+17, "start", "result", draw.Strong)
		y = v.boxes(c, max(x2, x0+60), y, v.Result, "")
	}
	v.drawGuards(c, y+8)
	return c
}

// drawCall draws a call and its results: beside it, or beneath where there is no room.
func (v *SymbolicView) drawCall(c *draw.Canvas, x, y float64, l *SymbolicLine) float64 {
	const edge = draw.NarrowWidth - 16.0
	columns := int((edge - x) / draw.CharWidth)
	lines := draw.Wrap(l.Call, max(20, columns))
	if len(lines) > 3 {
		lines = append(lines[:2:2], draw.Clip(lines[2], columns-2)+" …")
	}
	for i, line := range lines {
		if i > 0 {
			y += 17
		}
		c.Text(x, y+17, "start", line, "")
	}
	if l.Failed {
		at := x + float64(draw.Width(lines[len(lines)-1])+2)*draw.CharWidth
		c.Text(at, y+17, "start", "✗", `font-weight="bold" `+draw.RedText)
		return y + 26
	}
	end := x + float64(draw.Width(lines[len(lines)-1])+1)*draw.CharWidth
	wide := float64(draw.Width(l.shown())+4)*draw.CharWidth + 15*float64(len(l.Results)+4)
	if len(lines) > 1 || end+wide > edge {
		y, end = y+24, x+14
	}
	c.Text(end, y+17, "start", "→", draw.Faint)
	return v.boxes(c, end+20, y, l.Results, l.Note)
}

// drawGuards lists what has to hold, what could not be found out, and what the view rests on.
func (v *SymbolicView) drawGuards(c *draw.Canvas, y float64) {
	if len(v.Guards) > 0 {
		y += draw.LineHeight
		c.Text(8, y, "start", "guards", draw.Strong)
		for _, g := range v.Guards {
			y += 8
			text := draw.Clip(g.conds(), 70)
			wide := float64(draw.Width(text))*draw.CharWidth + 14
			c.Rect(8, y, wide, 22, draw.Hue(2), 0.2, g.Else)
			c.Text(8+wide/2, y+15, "middle", text, "")
			c.Text(8+wide+10, y+15, "start", draw.Clip(strings.TrimSpace(g.Place+"  "+g.Op), 40), draw.Faint)
			y = c.Lines(22, y+38, g.Else, draw.Small)
			if len(g.Left) > 0 {
				y = c.Lines(22, y, "no rule found for "+strings.Join(g.Left, "; "), draw.Small)
			}
			y -= 12
		}
		y += 8
	} else if v.Error == "" && len(v.Lines) > 0 {
		y += draw.LineHeight
		c.Text(8, y, "start", "no guards: nothing is asked of the sizes", draw.Faint)
		y += 6
	}
	y += draw.LineHeight
	for _, n := range v.Notes {
		y = c.Lines(8, y, n, "")
	}
	c.Lines(8, y, v.tried(), draw.Small)
}
