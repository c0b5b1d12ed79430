package runs

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// picture draws the bytes at the marks as a skyline, what is held for backward hatched, and below it a bar for each
// of the largest storages, from the mark before which it was made to the one that did not find it.
func (t *MemoryTimeline) picture() *draw.Canvas {
	c := new(draw.Canvas)
	if len(t.Storages) == 0 || len(t.Marks) == 0 {
		c.Text(8, 18, "start", "no storage was made", "")
		if t.Error != "" {
			c.Warn(8, 38, "✗ "+draw.Clip(t.Error, 200))
		}
		return c
	}
	head := fmt.Sprintf("peak %s at %s", bytesize.Text(t.Peak), t.PeakOp)
	rest := strings.TrimPrefix(t.head(), head)
	const left, high, right = 84.0, 110.0, draw.NarrowWidth - 16.0
	n := len(t.Marks)
	step := min(60.0, (right-left-40)/float64(n))
	c.Wide = left + step*float64(n)
	top := c.Lines(8, 18, draw.Clip(head, 160), draw.Strong) + 1
	top = c.Lines(8, top, spaced(strings.TrimSpace(rest)), draw.Small) - 3
	y := func(b int) float64 { return top + high - float64(b)/float64(max(1, t.Peak))*high }
	for i, m := range t.Marks {
		x := left + float64(i)*step
		tip := fmt.Sprintf("%s %s: %s, %s held for backward", m.Site, m.After, bytesize.Text(m.Live), bytesize.Text(m.Saved))
		end := c.Marked(m.Site)
		c.Rect(x, y(m.Live), step, top+high-y(m.Live), draw.Hue(0), 0.3, tip)
		if m.Saved > 0 {
			c.Rect(x, y(m.Saved), step, top+high-y(m.Saved), draw.Hue(5), 0.3, tip)
			c.Path(hatch(x, y(m.Saved), step, top+high-y(m.Saved)), draw.Hue(5), draw.Thin)
		}
		end()
	}
	c.Path(fmt.Sprintf("M%s %sH%s", draw.Num(left), draw.Num(y(t.Peak)), draw.Num(left+step*float64(n))), "currentColor",
		`stroke-dasharray="3 3" stroke-opacity="0.6"`)
	c.Text(left+step*float64(n)+6, y(t.Peak)+4, "start", "peak", draw.Small)
	c.Text(left-6, y(t.Peak)+9, "end", bytesize.Text(t.Peak), "")
	c.Text(left-6, top+high, "end", "0 B", "")
	c.Path(fmt.Sprintf("M%s %sV%sH%s", draw.Num(left), draw.Num(top), draw.Num(top+high), draw.Num(left+step*float64(n))),
		"currentColor", draw.Thin)
	at := top + high + 16
	last, free := "", left
	for i, m := range t.Marks { // where the lines begin whose calls the marks follow
		if x := left + float64(i)*step; m.Site != last && m.Site != "" && x >= free {
			c.Path(fmt.Sprintf("M%s %sv5", draw.Num(x), draw.Num(top+high)), "currentColor", "")
			c.Text(x+2, at, "start", m.Site, draw.Small)
			last, free = m.Site, x+float64(draw.Width(m.Site)+1)*draw.CharWidth
		}
	}
	row := c.Lines(left, at+16, "a column: what there is after a call   hatched: held for the backward pass   a bar: "+
		"a storage, from its making until it was found gone", draw.Small) - 3
	list, more := t.largest()
	var bars []timelineBar
	tall := 0.0
	for _, i := range list {
		bars = append(bars, t.barOf(&t.Storages[i], left, right, step))
		tall += bars[len(bars)-1].high()
	}
	for len(bars) > 1 && row+tall > barsEnd {
		least := 0
		for k := range bars {
			if bars[k].Bytes <= bars[least].Bytes {
				least = k
			}
		}
		tall -= bars[least].high()
		bars = slices.Delete(bars, least, least+1)
		more++
	}
	for _, b := range bars {
		b.draw(c, row, left, t)
		row += b.high()
	}
	if more > 0 {
		c.Text(left, row+12, "start", "… "+draw.Counted(more, "more storage")+", none larger", "")
		row += 20
	}
	how := t.how()
	row = c.Lines(8, row+16, how, draw.Small)
	if t.Error != "" {
		c.Warn(8, row+6, "✗ "+draw.Clip(t.Error, 200))
	}
	return c
}

// hatch is a path of slanted lines within a box.
func hatch(x, y, w, h float64) string {
	var d strings.Builder
	gap := max(6, w/60)
	for k := gap; k <= w; k += gap {
		run := min(k, h, 8)
		for top := y; top < y+h-1 && d.Len() < 2400; top += 12 {
			fall := min(run, y+h-top)
			fmt.Fprintf(&d, "M%s %sl-%s %s", draw.Num(x+k), draw.Num(top), draw.Num(fall), draw.Num(fall))
		}
	}
	if d.Len() == 0 {
		return fmt.Sprintf("M%s %sv%s", draw.Num(x+w/2), draw.Num(y), draw.Num(h))
	}
	return d.String()
}

// SVG draws the timeline, complete in itself.
func (t *MemoryTimeline) SVG() string { return t.picture().Alone("memory timeline") }

// HTML is the picture with the text beneath.
func (t *MemoryTimeline) HTML() string {
	return draw.Pictured(t.picture(), "memory timeline", t.Text(false))
}

// MIMEBundle is the view in all forms.
func (t *MemoryTimeline) MIMEBundle() map[string]any { return draw.Bundle(t) }
