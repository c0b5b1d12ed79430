package visualize

import (
	"fmt"
	"strings"
)

// picture draws the bytes at the marks as a skyline, what is held for backward hatched, and below it a bar for each of the largest storages, from
// the mark before which it was made to the one that did not find it.
func (t *MemoryTimeline) picture() *canvas {
	c := new(canvas)
	if len(t.Storages) == 0 || len(t.Marks) == 0 {
		c.text(8, 18, "start", "no storage was made", "")
		if t.Error != "" {
			c.warn(8, 38, clip("✗ "+t.Error, 110))
		}
		return c
	}
	head := fmt.Sprintf("peak %s at %s", bytesText(t.Peak), t.PeakOp)
	c.text(8, 18, "start", clip(head, 110), bar)
	rest := strings.TrimPrefix(t.head(), head)
	c.text(8, 36, "start", spaced(strings.TrimSpace(rest)), small)
	const left, top, high = 84.0, 48.0, 110.0
	n := len(t.Marks)
	step := min(60.0, 760.0/float64(n))
	y := func(b int) float64 { return top + high - float64(b)/float64(max(1, t.Peak))*high }
	for i, m := range t.Marks {
		x := left + float64(i)*step
		tip := fmt.Sprintf("%s %s: %s, %s held for backward", m.Site, m.After, bytesText(m.Live), bytesText(m.Saved))
		c.rect(x, y(m.Live), step, top+high-y(m.Live), hue(0), 0.3, tip)
		if m.Saved > 0 {
			c.rect(x, y(m.Saved), step, top+high-y(m.Saved), hue(5), 0.3, tip)
			c.path(hatch(x, y(m.Saved), step, top+high-y(m.Saved)), hue(5), thin)
		}
	}
	c.path(fmt.Sprintf("M%s %sH%s", num(left), num(y(t.Peak)), num(left+step*float64(n))), "currentColor", `stroke-dasharray="3 3" stroke-opacity="0.6"`)
	c.text(left+step*float64(n)+6, y(t.Peak)+4, "start", "peak", small)
	c.text(left-6, y(t.Peak)+9, "end", bytesText(t.Peak), "")
	c.text(left-6, top+high, "end", "0 B", "")
	c.path(fmt.Sprintf("M%s %sV%sH%s", num(left), num(top), num(top+high), num(left+step*float64(n))), "currentColor", thin)
	at := top + high + 16
	last, free := "", left
	for i, m := range t.Marks { // where the lines begin whose calls the marks follow
		if x := left + float64(i)*step; m.Site != last && m.Site != "" && x >= free {
			c.path(fmt.Sprintf("M%s %sv5", num(x), num(top+high)), "currentColor", "")
			c.text(x+2, at, "start", m.Site, small)
			last, free = m.Site, x+float64(width(m.Site)+1)*charWidth
		}
	}
	c.text(left, at+16, "start", "a column: what there is after a call   hatched: held for the backward pass   a bar: a storage, from its making until it was found gone", small)
	row := at + 28
	list, more := t.largest()
	for _, i := range list {
		s := &t.Storages[i]
		from, to := float64(s.MadeMark), float64(n)
		if s.GoneMark >= 0 {
			to = float64(min(n, s.GoneMark))
		}
		x, w := left+from*step, max(3, (to-from)*step)
		c.text(left-6, row+12, "end", bytesText(s.Bytes), "")
		c.rect(x, row, w, 15, hue(0), 0.25, s.label()+"   "+s.end(t)+"   "+s.held())
		if s.SavedFrom >= 0 {
			hx, hw := left+float64(s.SavedFrom)*step, float64(s.SavedTo-s.SavedFrom+1)*step
			c.rect(hx, row, hw, 15, hue(5), 0.25, s.held())
			c.path(hatch(hx, row, hw, 15), hue(5), thin)
		}
		text := s.label()
		if s.GoneMark < 0 {
			text += "   there at the end"
		}
		if tw := float64(width(text)) * charWidth; x+w+6+tw <= 900 || x-left < tw+6 {
			c.text(x+w+6, row+12, "start", text, "")
		} else {
			c.text(x-6, row+12, "end", text, "")
		}
		row += 20
	}
	if more > 0 {
		c.text(left, row+12, "start", "… "+counted(more, "more storage")+", none larger", "")
		row += 20
	}
	how := t.how()
	if at := strings.Index(how, ". "); at > 0 {
		c.text(8, row+16, "start", how[:at+1], small)
		c.text(8, row+32, "start", how[at+2:], small)
	}
	if t.Error != "" {
		c.warn(8, row+52, clip("✗ "+t.Error, 110))
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
			fmt.Fprintf(&d, "M%s %sl-%s %s", num(x+k), num(top), num(fall), num(fall))
		}
	}
	if d.Len() == 0 {
		return fmt.Sprintf("M%s %sv%s", num(x+w/2), num(y), num(h))
	}
	return d.String()
}

// SVG draws the timeline, complete in itself.
func (t *MemoryTimeline) SVG() string { return t.picture().alone("memory timeline") }

// HTML is the picture with the text beneath.
func (t *MemoryTimeline) HTML() string {
	return pictured(t.picture(), "memory timeline", t.Text(false))
}

// MIMEBundle is the view in all forms.
func (t *MemoryTimeline) MIMEBundle() map[string]any { return bundle(t) }
