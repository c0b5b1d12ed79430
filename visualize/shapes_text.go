package visualize

import (
	"fmt"
	"strings"
)

// maxCallWidth is how many columns a call is given.
const maxCallWidth = 64

const nothingCalled = "no operator was called: write the call, as in %shapes net(x)"

// Text is a table: place, name, call, result, bytes and flops.
func (v *ShapeRun) Text(color bool) string {
	rows := v.rows()
	var w [6]int
	for _, r := range rows {
		for i, s := range []string{r.place, r.name, clip(r.call, maxCallWidth), r.result, r.bytes, r.flops} {
			if i == 3 && r.failed {
				continue
			}
			w[i] = max(w[i], width(s))
		}
	}
	var b strings.Builder
	if len(rows) == 0 {
		b.WriteString("  " + nothingCalled + "\n")
	}
	for _, r := range rows {
		if r.remark != "" {
			b.WriteString("  " + padRight("", w[0]) + "  " + dim(color, r.remark) + "\n")
			continue
		}
		name := r.name
		if strings.HasPrefix(name, "#") {
			name = dim(color, name)
		} else {
			name = paint(color, 0, name)
		}
		line := "  " + dim(color, r.place) + padRight("", w[0]-width(r.place)) + "  " + name + padRight("", w[1]-width(r.name)) + "  " + clip(r.call, maxCallWidth)
		if r.failed {
			b.WriteString(line + "  " + bold(color, paint(color, 5, r.result)) + "\n")
			continue
		}
		rest := padRight("", w[2]-width(clip(r.call, maxCallWidth))) + "  → " + padRight(r.result, w[3]) + "  " + padLeft(r.bytes, w[4]) + "  " + padLeft(r.flops, w[5])
		b.WriteString(line + strings.TrimRight(rest, " ") + "\n")
	}
	if v.Error != "" {
		b.WriteString("  " + paint(color, 5, "✗ "+v.ending()) + "\n")
		if p := v.picture(); p != nil {
			b.WriteString("\n" + p.Text(color) + "\n\n")
		}
	}
	b.WriteString("  " + dim(color, v.total()))
	return b.String()
}

// String is the text without colour.
func (v *ShapeRun) String() string { return v.Text(false) }

// SVG is the table with a box for each result, as long as its dimensions say.
func (v *ShapeRun) SVG() string { return v.draw().alone(v.label()) }

// HTML is the picture, with that of the error, and the text beneath.
func (v *ShapeRun) HTML() string {
	c := v.draw()
	out := c.image(v.label())
	if p := v.picture(); p != nil {
		if d, ok := p.(interface{ draw() *canvas }); ok {
			out += `<div style="margin-top:8px">` + d.draw().image(v.ending()) + `</div>`
		}
	}
	if d := details("as text", v.Text(false)); len(out)+len(d) < maxHTML-1000 {
		out += d
	}
	return frame(out)
}

// MIMEBundle is the view in all forms.
func (v *ShapeRun) MIMEBundle() map[string]any { return bundle(v) }

func (v *ShapeRun) label() string {
	text := "shapes: " + v.total()
	if v.Error != "" {
		text += "; ended by " + v.ending()
	}
	return clip(text, 300)
}

// draw is the table; the result's dimensions are boxes.
func (v *ShapeRun) draw() *canvas {
	c := new(canvas)
	rows := v.rows()
	var w [5]float64
	for _, r := range rows {
		for i, s := range []string{r.place, r.name, clip(r.call, maxCallWidth), r.bytes, r.flops} {
			w[i] = max(w[i], float64(width(s))*charWidth)
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
		if len(c.b.String()) > maxPicture*2/3 {
			c.text(x[1], y+17, "start", fmt.Sprintf("… %s more", counted(len(rows)-k, "line")), faint)
			y += 26
			break
		}
		k++
		if r.remark != "" {
			c.text(x[1], y+17, "start", r.remark, faint)
			y += 26
			continue
		}
		if r.place != "" && y > 8 {
			c.path(fmt.Sprintf("M8 %sH%s", num(y), num(boxes)), "currentColor", `stroke-opacity="0.2"`)
		}
		c.text(x[0], y+17, "start", r.place, faint)
		if strings.HasPrefix(r.name, "#") {
			c.text(x[1], y+17, "start", r.name, faint)
		} else {
			c.text(x[1], y+17, "start", r.name, bar)
		}
		c.text(x[2], y+17, "start", clip(r.call, maxCallWidth), "")
		if r.failed {
			c.text(boxes-18, y+17, "middle", "✗", `font-weight="bold" `+reddish)
			c.path(fmt.Sprintf("M%s %sH%sV%sH%sZ", num(x[1]-4), num(y+1), num(boxes-4), num(y+25), num(x[1]-4)), red, `stroke-width="2"`)
			y += 26
			continue
		}
		c.text(boxes-18, y+17, "middle", "→", faint)
		bx := boxes
		for i, res := range r.results {
			for d, n := range res.Shape[:min(len(res.Shape), 8)] {
				wide := float64(width(fmt.Sprint(n)))*charWidth + 12
				c.rect(bx, y+2, wide, 22, hue(d), 0.25, "")
				c.text(bx+wide/2, y+17, "middle", fmt.Sprint(n), "")
				bx += wide + 3
			}
			text := res.Dtype
			if len(res.Shape) > 8 {
				text = fmt.Sprintf("… %d more ", len(res.Shape)-8) + text
			}
			if i+1 < len(r.results) {
				text += ","
			}
			c.text(bx+4, y+17, "start", text, faint)
			bx += float64(width(text))*charWidth + 12
		}
		end = max(end, bx)
		costs = append(costs, cost{y, [2]string{r.bytes, r.flops}})
		y += 26
	}
	x[3] = end + 16 + w[3]
	x[4] = x[3] + 16 + w[4]
	for _, t := range costs {
		c.text(x[3], t.y+17, "end", t.texts[0], small)
		c.text(x[4], t.y+17, "end", t.texts[1], small)
	}
	c.grow(x[4], y)
	if len(rows) == 0 {
		c.text(8, y+17, "start", nothingCalled, faint)
		y += lineHeight
	}
	if v.Error != "" {
		line := "✗"
		for _, word := range strings.Fields(v.ending()) {
			if width(line)+width(word) > 100 {
				y += lineHeight
				c.warn(8, y, line)
				line = " "
			}
			line += " " + word
		}
		y += lineHeight
		c.warn(8, y, line)
	}
	y += lineHeight
	c.text(8, y, "start", v.total(), small)
	return c
}
