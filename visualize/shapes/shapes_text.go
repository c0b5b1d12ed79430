package shapes

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// maxCallWidth is how many columns a call gets.
const (
	maxCallWidth = 64
	pictureCall  = 40 // columns of a call in the picture
)

const nothingCalled = "no operator was called: write the call, as in %shapes net(x)"

// Text is a table: place, name, call, result, bytes and flops.
func (v *ShapeRun) Text(color bool) string {
	rows := v.rows()
	var w [6]int
	for _, r := range rows {
		for i, s := range []string{r.place, r.name, draw.Clip(r.call, maxCallWidth), r.result, r.bytes, r.flops} {
			if i == 3 && r.failed {
				continue
			}
			w[i] = max(w[i], draw.Width(s))
		}
	}
	var b strings.Builder
	if len(rows) == 0 {
		b.WriteString("  " + nothingCalled + "\n")
	}
	for _, r := range rows {
		if r.remark != "" {
			b.WriteString("  " + draw.PadRight("", w[0]) + "  " + draw.Dim(color, r.remark) + "\n")
			continue
		}
		name := r.name
		if strings.HasPrefix(name, "#") {
			name = draw.Dim(color, name)
		} else {
			name = draw.Paint(color, 0, name)
		}
		line := "  " + draw.Dim(color, r.place) + draw.PadRight("", w[0]-draw.Width(r.place)) + "  " + name +
			draw.PadRight("", w[1]-draw.Width(r.name)) + "  " + draw.Clip(r.call, maxCallWidth)
		if r.failed {
			b.WriteString(line + "  " + draw.Bold(color, draw.Paint(color, 5, r.result)) + "\n")
			continue
		}
		rest := draw.PadRight("", w[2]-draw.Width(draw.Clip(r.call, maxCallWidth))) + "  → " +
			draw.PadRight(r.result, w[3]) + "  " + draw.PadLeft(r.bytes, w[4]) + "  " + draw.PadLeft(r.flops, w[5])
		b.WriteString(line + strings.TrimRight(rest, " ") + "\n")
	}
	if v.Error != "" {
		b.WriteString("  " + draw.Paint(color, 5, "✗ "+v.ending()) + "\n")
		if p := v.picture(); p != nil {
			b.WriteString("\n" + p.Text(color) + "\n\n")
		}
	}
	b.WriteString("  " + draw.Dim(color, v.total()))
	return b.String()
}

// String is the text without colour.
func (v *ShapeRun) String() string { return v.Text(false) }

// SVG is the table with a box for each result, as long as its dimensions say.
func (v *ShapeRun) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with that of the error, and the text beneath.
func (v *ShapeRun) HTML() string {
	c := v.draw()
	out := c.Image(v.label())
	if p := v.picture(); p != nil {
		if d, ok := p.(interface{ draw() *draw.Canvas }); ok {
			out += `<div style="margin-top:8px">` + d.draw().Image(v.ending()) + `</div>`
		}
	}
	if d := draw.Details("as text", v.Text(false)); len(out)+len(d) < draw.MaxHTML-1000 {
		out += d
	}
	return draw.Frame(out)
}

// MIMEBundle is the view in all forms.
func (v *ShapeRun) MIMEBundle() map[string]any { return draw.Bundle(v) }

func (v *ShapeRun) label() string {
	text := "shapes: " + v.total()
	if v.Error != "" {
		text += "; ended by " + v.ending()
	}
	return draw.Clip(text, 300)
}

// draw is the table; the result's dimensions are boxes.
func (v *ShapeRun) draw() *draw.Canvas {
	c := new(draw.Canvas)
	rows := v.rows()
	var w [5]float64
	for _, r := range rows {
		for i, s := range []string{r.place, r.name, draw.Clip(r.call, pictureCall), r.bytes, r.flops} {
			w[i] = max(w[i], float64(draw.Width(s))*draw.CharWidth)
		}
	}
	x := [5]float64{8}
	x[1] = x[0] + w[0] + 16
	x[2] = x[1] + w[1] + 16
	boxes := x[2] + w[2] + 36
	end := boxes
	y := 8.0
	type cost struct {
		y     float64
		texts [2]string
	}
	var costs []cost
	k := 0
	for _, r := range rows {
		if len(c.Elements.String()) > draw.MaxPicture*2/3 {
			c.Text(x[1], y+17, "start", fmt.Sprintf("… %s more", draw.Counted(len(rows)-k, "line")), draw.Faint)
			y += 26
			break
		}
		k++
		if r.remark != "" {
			c.Text(x[1], y+17, "start", r.remark, draw.Faint)
			y += 26
			continue
		}
		if r.place != "" && y > 8 {
			c.Path(fmt.Sprintf("M8 %sH%s", draw.Num(y), draw.Num(boxes)), "currentColor", `stroke-opacity="0.2"`)
		}
		c.Text(x[0], y+17, "start", r.place, draw.Faint)
		if strings.HasPrefix(r.name, "#") {
			c.Text(x[1], y+17, "start", r.name, draw.Faint)
		} else {
			c.Text(x[1], y+17, "start", r.name, draw.Strong)
		}
		c.Text(x[2], y+17, "start", draw.Clip(r.call, pictureCall), "")
		if r.failed {
			c.Text(boxes-18, y+17, "middle", "✗", `font-weight="bold" `+draw.RedText)
			c.Path(fmt.Sprintf("M%s %sH%sV%sH%sZ", draw.Num(x[1]-4), draw.Num(y+1), draw.Num(boxes-4), draw.Num(y+25),
				draw.Num(x[1]-4)), draw.Red, `stroke-width="2"`)
			y += 26
			continue
		}
		c.Text(boxes-18, y+17, "middle", "→", draw.Faint)
		bx := boxes
		for i, res := range r.results {
			for d, n := range res.Shape[:min(len(res.Shape), 8)] {
				wide := float64(draw.Width(fmt.Sprint(n)))*draw.CharWidth + 12
				c.Rect(bx, y+2, wide, 22, draw.Hue(d), 0.25, "")
				c.Text(bx+wide/2, y+17, "middle", fmt.Sprint(n), "")
				bx += wide + 3
			}
			text := res.Dtype
			if len(res.Shape) > 8 {
				text = fmt.Sprintf("… %d more ", len(res.Shape)-8) + text
			}
			if i+1 < len(r.results) {
				if text == r.results[i+1].Dtype { // said once
					text = ""
				}
				text += ","
			}
			c.Text(bx+4, y+17, "start", text, draw.Faint)
			bx += float64(draw.Width(text))*draw.CharWidth + 12
		}
		end = max(end, bx)
		costs = append(costs, cost{y, [2]string{r.bytes, r.flops}})
		y += 26
	}
	x[3] = end + 16 + w[3]
	x[4] = x[3] + 16 + w[4]
	for _, t := range costs {
		c.Text(x[3], t.y+17, "end", t.texts[0], draw.Small)
		c.Text(x[4], t.y+17, "end", t.texts[1], draw.Small)
	}
	c.W = max(c.W, x[4]) // of texts
	if len(rows) == 0 {
		c.Text(8, y+17, "start", nothingCalled, draw.Faint)
		y += draw.LineHeight
	}
	if v.Error != "" {
		y = c.Warn(8, y+draw.LineHeight, "✗ "+v.ending())
	}
	c.Lines(8, y+draw.LineHeight, v.total(), draw.Small)
	return c
}
