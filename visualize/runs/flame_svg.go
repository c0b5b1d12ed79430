package runs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

const (
	flameWidth = draw.NarrowWidth - 24.0
	flameRow   = 20.0
)

// picture draws the flame from the top: what is beneath a box was called by it, and as wide as it took long. The
// lanes of the goroutines stand below.
func (t *Timing) picture() *draw.Canvas {
	c := new(draw.Canvas)
	c.Wide = flameWidth
	y := c.Lines(8, 18, draw.Clip(t.head(), 180), draw.Strong) - 5
	if len(t.Root) == 0 {
		c.Text(8, y+14, "start", "no operator was called", "")
		return c
	}
	w := flameSVG{c: c, scale: flameWidth / float64(max(1, t.Nanos, sumNanos(t.Root))), low: y + flameRow, total: t.Nanos}
	c.Rect(8, y, flameWidth, flameRow-2, "none", 0, "")
	c.Text(12, y+13, "start", "the function   "+nanosText(t.Nanos), "")
	w.nodes(t.Root, 8, y+flameRow)
	y = w.low + 14
	if w.left > 0 {
		c.Text(8, y+6, "start", "… "+draw.Counted(w.left, "more bar")+" too narrow to draw", draw.Small)
		y += 18
	}
	y = c.Lines(8, y+6, legend(t.Root)+"   width is time", draw.Small) - 1
	if len(t.Workers) > 0 {
		c.Text(8, y+8, "start", "workers   "+t.shared(), draw.Strong)
		y += 18
		for i, l := range t.Workers {
			if i >= maxWorkers {
				c.Text(8, y+12, "start", "… "+draw.Counted(len(t.Workers)-i, "more worker"), "")
				y += flameRow
				break
			}
			c.Text(8, y+13, "start", workerName(l.Worker), "")
			c.Box(98, y+8, flameWidth-90, 1, `fill="currentColor" fill-opacity="0.3"`, "")
			for _, s := range l.Spans {
				x := 98 + float64(s[0])/float64(max(1, t.Nanos))*(flameWidth-90)
				c.Rect(x, y+1, max(0.8, min(98+flameWidth-90-x, float64(s[1]-s[0])/float64(max(1, t.Nanos))*(flameWidth-90))),
					flameRow-5, draw.Hue(2), 0.45, "")
			}
			c.Text(98, y+flameRow+7, "start", l.says(t.Nanos), draw.Small)
			y += flameRow + 14
		}
	}
	if t.Machine != nil {
		y = c.Lines(8, y+12, t.Machine.String(), draw.Small) - 7
	}
	if t.Error != "" {
		c.Warn(8, y+14, "✗ "+draw.Clip(t.Error, 200))
	}
	return c
}

// flameKinds are the kinds of nodes from the top, as a legend names them.
var flameKinds = [][2]string{{"module", "module"}, {"function", "function"}, {"line", "line"},
	{"backward", "backward pass"}, {"operator", "operator"}, {"kernel", "kernel (hatched, ▸)"}}

// legend names the kinds of nodes that there are.
func legend(list []*FlameNode) string {
	there := map[string]bool{}
	var walk func(list []*FlameNode)
	walk = func(list []*FlameNode) {
		for _, n := range list {
			there[n.Kind] = true
			walk(n.Inner)
		}
	}
	walk(list)
	var names []string
	for _, k := range flameKinds {
		if there[k[0]] {
			names = append(names, k[1])
		}
	}
	return strings.Join(names, " · ")
}

func sumNanos(list []*FlameNode) (n int64) {
	for _, x := range list {
		n += x.Nanos
	}
	return n
}

type flameSVG struct {
	c     *draw.Canvas
	scale float64
	low   float64
	left  int
	total int64
}

func (w *flameSVG) nodes(list []*FlameNode, x, y float64) {
	for _, n := range list {
		bw := float64(n.Nanos) * w.scale
		if bw < 0.7 || w.c.Elements.Len() > draw.MaxPicture/2 || y > 900 {
			w.left += 1 + countNodes(n.Inner)
			x += bw
			continue
		}
		w.low = max(w.low, y+flameRow)
		look := draw.Filled(draw.Hue(n.hue()), 0.25)
		if n.Kind == "line" {
			look += draw.MarkLine(n.Name)
		}
		w.c.Box(x, y, bw, flameRow-2, look, n.title(w.total))
		if n.Kind == "kernel" { // a hatch doubles the hue
			var d strings.Builder
			for k := 6.0; k < bw && k < 800; k += 6 {
				fmt.Fprintf(&d, "M%s %sl-5 %s", draw.Num(x+k), draw.Num(y+2), draw.Num(flameRow-6))
			}
			if d.Len() > 0 {
				w.c.Path(d.String(), draw.Hue(2), `stroke-opacity="0.25"`)
			}
		}
		if room := int((bw - 6) / draw.CharWidth); room >= 3 {
			text := n.label()
			if draw.Width(text) > room { // what tells it from others
				text = strings.TrimPrefix(text, "nn.functional.")
			}
			if draw.Width(text)+len("  999.9 µs") <= room {
				text += "  " + nanosText(n.Nanos)
			}
			w.c.Text(x+4, y+13, "start", draw.Clip(text, room), `pointer-events="none"`)
		}
		w.nodes(n.Inner, x, y+flameRow)
		x += bw
	}
}

// title is what a bar says where the pointer rests.
func (n *FlameNode) title(total int64) string {
	s := n.Kind + "  " + n.label() + "\n" + nanosText(n.Nanos) + ", " + shareText(float64(n.Nanos), float64(total)) +
		" of the function"
	if n.Times > 1 {
		s += ", " + nanosText(n.Nanos/int64(n.Times)) + " each"
	}
	if own := n.Nanos - sumNanos(n.Inner); own > 0 && len(n.Inner) > 0 {
		s += "\nwithout what is beneath: " + nanosText(own)
	}
	return s
}

func countNodes(list []*FlameNode) (n int) {
	for _, x := range list {
		n += 1 + countNodes(x.Inner)
	}
	return n
}

// SVG draws the flame and the lanes of the goroutines, complete in itself.
func (t *Timing) SVG() string { return t.picture().Alone("timing flame") }

// HTML is the picture, with the tables beneath.
func (t *Timing) HTML() string {
	return draw.Frame(t.picture().Image("timing flame") + tableHTML(t.rows()) + draw.Details("as text", t.Text(false)))
}

// tableHTML is a table whose first row is the heading, and how many rows were left out.
func tableHTML(rows [][]string, left int) string {
	if len(rows) < 2 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<div style="width:0;min-width:100%;overflow-x:auto">` + // on a narrow page it scrolls by itself
		`<table style="border-collapse:collapse;margin:6px 0;font-size:12px">`)
	for k, r := range rows {
		b.WriteString("<tr>")
		for i, s := range r {
			tag, align := "td", "right"
			if k == 0 {
				tag = "th"
			}
			if i == 0 {
				align = "left"
			}
			fmt.Fprintf(&b, `<%s style="text-align:%s;padding:1px 8px;white-space:nowrap">%s</%s>`, tag, align,
				draw.Escape(s), tag)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table></div>")
	if left > 0 {
		b.WriteString("<div>… " + draw.Counted(left, "more row") + "</div>")
	}
	return b.String()
}

// MIMEBundle is the view in all forms.
func (t *Timing) MIMEBundle() map[string]any { return draw.Bundle(t) }
