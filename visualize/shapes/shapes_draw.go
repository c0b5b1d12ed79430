package shapes

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

const (
	pictureCall = 40 // columns of a call in the picture, at most
	leastCall   = 22
	callLines   = 3 // of a call that is longer
	callLine    = 15
	shapeHigh   = 26.0   // of a row
	shapesHigh  = 1000.0 // of the rows of a picture: it fits one screen
	smallWidth  = draw.CharWidth * 10 / 12
)

// resultParts are the boxes and the dtype of a result as they are drawn.
type resultParts struct {
	dims []string
	text string
	wide float64
}

// parts are those of a row's results; a dtype that several in a row have is said once.
func (r *shapeRow) parts() []resultParts {
	out := make([]resultParts, len(r.results))
	for i, res := range r.results {
		for _, n := range res.Shape[:min(len(res.Shape), 8)] {
			out[i].dims = append(out[i].dims, fmt.Sprint(n))
			out[i].wide += boxWide(fmt.Sprint(n)) + 3
		}
		text := res.Dtype
		if len(res.Shape) > 8 {
			text = fmt.Sprintf("… %d more ", len(res.Shape)-8) + text
		}
		if i+1 < len(r.results) {
			if text == r.results[i+1].Dtype {
				text = ""
			}
			text += ","
		}
		out[i].text = text
		out[i].wide += float64(draw.Width(text))*draw.CharWidth + 12
	}
	return out
}

func boxWide(n string) float64 { return float64(draw.Width(n))*draw.CharWidth + 12 }

// callText is a call in lines of n columns.
func callText(s string, n int) (lines []string) {
	var parts []string
	for _, part := range strings.SplitAfter(s, ", ") {
		if name, shape, ok := strings.Cut(part, " ["); ok && draw.Width(strings.TrimRight(part, " ")) > n {
			parts = append(parts, draw.Clip(name, n-1)+" ") // the shape matters more than the end of a long name
			part = "[" + shape
		}
		parts = append(parts, part)
	}
	for _, part := range parts {
		if k := len(lines); k > 0 && draw.Width(lines[k-1]+strings.TrimRight(part, " ")) <= n {
			lines[k-1] += part
		} else {
			lines = append(lines, part)
		}
	}
	if len(lines) > callLines {
		lines = append(lines[:callLines-1], strings.Join(lines[callLines-1:], ""))
	}
	for i := range lines {
		lines[i] = draw.Clip(strings.TrimRight(lines[i], " "), n)
	}
	return lines
}

// draw is the table; the result's dimensions are boxes. It is so narrow that its letters can be read on a page of 420
// px: long calls have two lines, and results that have no room beside each other stand one below the other.
func (v *ShapeRun) draw() *draw.Canvas {
	c := new(draw.Canvas)
	rows := v.rows()
	var w [5]float64
	result := 0.0 // the width of the widest result
	for i := range rows {
		r := &rows[i]
		for k, s := range []string{r.place, r.name, draw.Clip(r.call, pictureCall)} {
			w[k] = max(w[k], float64(draw.Width(s))*draw.CharWidth)
		}
		w[3] = max(w[3], float64(draw.Width(r.bytes))*smallWidth)
		w[4] = max(w[4], float64(draw.Width(r.flops))*smallWidth)
		for _, part := range r.parts() {
			result = max(result, part.wide)
		}
	}
	x := [5]float64{8, 8 + w[0] + 16}
	if w[0] == 0 {
		x[1] = 8
	}
	x[2] = x[1] + w[1] + 16
	edge := draw.NarrowWidth - 16 - w[4] - 12 - w[3] - 12 // of the results
	w[2] = min(w[2], max(leastCall*draw.CharWidth, edge-result-36-x[2]))
	boxes := x[2] + w[2] + 36
	columns := int(w[2]/draw.CharWidth + 0.5)
	end := boxes
	y := 8.0
	type cost struct {
		y     float64
		texts [2]string
	}
	var costs []cost
	cut := false
	for k := range rows {
		r := &rows[k]
		if left := len(rows) - 1 - k; left > 0 && (y > shapesHigh || c.Elements.Len() > draw.MaxPicture*2/3) {
			if !cut { // the last row says how a run ended
				c.Text(x[1], y+17, "start", fmt.Sprintf("… %s more in the text", draw.Counted(left, "line")), draw.Faint)
				cut, y = true, y+shapeHigh
			}
			continue
		}
		if r.remark != "" {
			c.Text(x[1], y+17, "start", r.remark, draw.Faint)
			y += shapeHigh
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
		call := callText(r.call, columns)
		for i, l := range call {
			at := x[2]
			if i > 0 {
				at += draw.CharWidth
			}
			c.Text(at, y+17+callLine*float64(i), "start", l, "")
		}
		high := shapeHigh + callLine*float64(len(call)-1)
		if r.failed {
			c.Text(boxes-18, y+17, "middle", "✗", `font-weight="bold" `+draw.RedText)
			c.Path(fmt.Sprintf("M%s %sH%sV%sH%sZ", draw.Num(x[1]-4), draw.Num(y+1), draw.Num(boxes-4),
				draw.Num(y+high-1), draw.Num(x[1]-4)), draw.Red, `stroke-width="2"`)
			y += high
			continue
		}
		c.Text(boxes-18, y+17, "middle", "→", draw.Faint)
		reach, lines := drawResults(c, r.parts(), boxes, y, edge)
		end = max(end, reach)
		costs = append(costs, cost{y, [2]string{r.bytes, r.flops}})
		y += max(high, shapeHigh*float64(lines))
	}
	x[3] = end + 12 + w[3]
	x[4] = x[3] + 12 + w[4]
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

// drawResults draws results from x to edge, in as many lines as it takes, and returns how far they reach.
func drawResults(c *draw.Canvas, parts []resultParts, x, y, edge float64) (end float64, lines int) {
	at := x
	end, lines = x, 1
	for _, r := range parts {
		if at > x && at+r.wide > edge+0.5 {
			at, lines = x, lines+1
		}
		top := y + shapeHigh*float64(lines-1)
		for d, n := range r.dims {
			c.Rect(at, top+2, boxWide(n), 22, draw.Hue(d), 0.25, "")
			c.Text(at+boxWide(n)/2, top+17, "middle", n, "")
			at += boxWide(n) + 3
		}
		c.Text(at+4, top+17, "start", r.text, draw.Faint)
		at += float64(draw.Width(r.text))*draw.CharWidth + 12
		end = max(end, at)
	}
	return end, lines
}
