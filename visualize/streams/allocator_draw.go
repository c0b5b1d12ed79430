package streams

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

const (
	maxSegments    = 24 // that are drawn of a device
	maxBlockTables = 4  // of them whose blocks are listed
	maxBlockRows   = 16 // of a segment that are listed
	maxBlocksDrawn = 96 // of a segment that have a box each
	allocatorBar   = 58 // columns
	allocatorLeft  = 24.0
	allocatorWide  = draw.NarrowWidth - allocatorLeft - 90 // beside it stands where it ends
	allocatorHigh  = 18.0
	allocatorScale = 5 // pixels for the line under a bar
)

// blockLook is how a block is drawn, by its state.
var blockLook = map[string]struct {
	hue     int
	opacity float64
}{usedBlock: {0, 0.4}, waitingBlock: {1, 0.4}}

// String is the text without colour.
func (v *AllocatorMap) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *AllocatorMap) MIMEBundle() map[string]any { return draw.Bundle(v) }

// SVG draws the segments as bars to scale.
func (v *AllocatorMap) SVG() string { return v.picture().Alone(v.title()) }

// HTML is the picture, with its text beneath.
func (v *AllocatorMap) HTML() string { return draw.Pictured(v.picture(), v.title(), v.Text(false)) }

// Text draws a bar for each segment, a second one of its beginning where that is all that is used, and lists the
// blocks.
func (v *AllocatorMap) Text(color bool) string {
	var out []string
	for i := range v.Devices {
		s := &v.Devices[i]
		out = append(out, draw.Bold(color, "allocator of "+s.Device))
		for _, h := range s.head() {
			out = append(out, "  "+h)
		}
		for k := range s.Segments {
			if k == maxSegments {
				out = append(out, "… "+draw.Counted(len(s.Segments)-k, "more segment"))
				break
			}
			out = append(out, s.Segments[k].text(k, color)...)
		}
		if len(s.Segments) > 0 {
			out = append(out, draw.Dim(color, "█ used   ▓ in part   ░ rounded up   · free   ▒ freed, a stream may read it"))
		}
	}
	return strings.Join(out, "\n")
}

func (g *AllocatorSegment) text(i int, color bool) []string {
	out := []string{draw.Paint(color, i, g.title(i)), "  " + g.bar(g.Bytes, color) + " to +" + bytesize.Text(g.Bytes)}
	if end := g.reach(); end < g.Bytes {
		out = append(out, "  "+g.bar(end, color)+" to +"+bytesize.Text(end))
	}
	if i >= maxBlockTables {
		return out
	}
	t := &draw.Tabular{Head: []string{"at", "bytes", "asked for", ""}}
	for k, b := range g.Blocks {
		if k == maxBlockRows {
			break
		}
		asked := ""
		if b.Asked > 0 {
			asked = fmt.Sprint(b.Asked)
		}
		t.Rows = append(t.Rows, []string{fmt.Sprintf("+%d", b.Offset), fmt.Sprint(b.Bytes), asked,
			draw.Clip(b.label(), 40)})
	}
	out = append(out, t.Text("  ", color)...)
	if n := len(g.Blocks) - maxBlockRows; n > 0 {
		out = append(out, "  … "+draw.Counted(n, "more block"))
	}
	return out
}

// bar is the segment from its beginning to end, to scale: a column shows what most of it is that is not free.
func (g *AllocatorSegment) bar(end int, color bool) string {
	n := min(allocatorBar, draw.TextWidth(80)-18)
	type column struct{ used, waiting, lost float64 } // shares
	columns := make([]column, n)
	scale := float64(n) / float64(max(1, end))
	share := func(from, to int, add func(c *column, part float64)) {
		lo, hi := float64(from)*scale, float64(to)*scale
		for k := int(lo); k < n && float64(k) < hi; k++ {
			add(&columns[k], min(hi, float64(k+1))-max(lo, float64(k)))
		}
	}
	for _, b := range g.Blocks {
		switch stop := b.Offset + b.Bytes; b.State {
		case usedBlock:
			share(b.Offset, b.Offset+b.Asked, func(c *column, part float64) { c.used += part })
			share(b.Offset+b.Asked, stop, func(c *column, part float64) { c.lost += part })
		case waitingBlock:
			share(b.Offset, stop, func(c *column, part float64) { c.waiting += part })
		}
	}
	var bar strings.Builder
	for _, c := range columns {
		switch {
		case c.used+c.waiting+c.lost == 0:
			bar.WriteString(draw.Dim(color, "·"))
		case c.waiting > max(c.used, c.lost):
			bar.WriteString(draw.Paint(color, blockLook[waitingBlock].hue, "▒"))
		case c.lost > c.used:
			bar.WriteString(draw.Paint(color, blockLook[usedBlock].hue, "░"))
		case c.used > 0.9:
			bar.WriteString(draw.Paint(color, blockLook[usedBlock].hue, "█"))
		default:
			bar.WriteString(draw.Paint(color, blockLook[usedBlock].hue, "▓"))
		}
	}
	return "▏" + bar.String() + "▕"
}

// picture draws the devices one below the other.
func (v *AllocatorMap) picture() *draw.Canvas {
	c := new(draw.Canvas)
	y := 0.0
	for i := range v.Devices {
		y = v.Devices[i].draw(c, y+18) + 8
	}
	return c
}

func (s *AllocatorState) draw(c *draw.Canvas, y float64) float64 {
	c.Text(8, y, "start", "allocator of "+s.Device, draw.Strong)
	y += 18
	for _, h := range s.head() {
		y = c.Lines(8, y, h, "")
	}
	for k := range s.Segments {
		if k == maxSegments || c.Elements.Len() > draw.MaxPicture {
			c.Text(8, y+8, "start", "… "+draw.Counted(len(s.Segments)-k, "more segment"), "")
			y += 22
			break
		}
		g := &s.Segments[k]
		c.Text(8, y+10, "start", g.title(k), draw.Faint)
		y = g.draw(c, y+18, g.Bytes)
		if end := g.reach(); end < g.Bytes { // a closer look at the beginning
			x := allocatorLeft + max(1, allocatorWide*float64(end)/float64(g.Bytes))
			c.Path(fmt.Sprintf("M%s %sL%s %sM%s %sL%s %s", draw.Num(allocatorLeft), draw.Num(y-18), draw.Num(allocatorLeft),
				draw.Num(y), draw.Num(x), draw.Num(y-18), draw.Num(allocatorLeft+allocatorWide), draw.Num(y)), "currentColor",
				`stroke-dasharray="2 3" stroke-opacity="0.5"`)
			y = g.draw(c, y, end)
		}
	}
	if len(s.Segments) > 0 {
		y = c.Sentence(8, y+6, "to scale   filled: used, hatched: rounded up   dashed: free   "+
			"other hue: freed, a stream may still read it", draw.Small) + 8
	}
	return y
}

// draw draws the segment from its beginning to end, and returns where the next thing may stand.
func (g *AllocatorSegment) draw(c *draw.Canvas, y float64, end int) float64 {
	scale := allocatorWide / float64(max(1, end))
	c.Box(allocatorLeft, y, allocatorWide, allocatorHigh,
		`fill="none" stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="3 3"`, "")
	if len(g.Blocks) > maxBlocksDrawn {
		g.strips(c, y, end)
	}
	for i := range g.Blocks {
		b := &g.Blocks[i]
		if b.Offset >= end {
			break
		}
		if len(g.Blocks) > maxBlocksDrawn {
			break
		}
		x, w := allocatorLeft+float64(b.Offset)*scale, float64(min(b.Bytes, end-b.Offset))*scale
		if b.State == freeBlock {
			c.Box(x, y, max(1, w), allocatorHigh, `fill="currentColor" fill-opacity="0.02" stroke="none"`, b.tip())
		} else {
			look := blockLook[b.State]
			c.Rect(x, y, max(1, w), allocatorHigh, draw.Hue(look.hue), look.opacity, b.tip())
			if lost := float64(b.Bytes-b.Asked) * scale; b.State == usedBlock && lost > 3 {
				c.Path(slanted(x+w-lost, y, lost, allocatorHigh), "currentColor", draw.Thin)
			}
		}
		if room := int((w - 8) / draw.CharWidth); room >= 3 {
			text := b.label()
			if with := text + "  " + bytesize.Text(b.Bytes); draw.Width(with) <= room {
				text = with
			}
			if b.State == freeBlock {
				c.Text(x+4, y+13, "start", draw.Clip(text, room), draw.Faint)
			} else {
				c.Text(x+4, y+13, "start", draw.Clip(text, room), "")
			}
		}
	}
	y += allocatorHigh + allocatorScale
	c.Text(allocatorLeft+allocatorWide+6, y-10, "start", "+"+bytesize.Text(end), draw.Small)
	if len(g.Blocks) > maxBlocksDrawn {
		c.Text(allocatorLeft, y+8, "start", draw.Counted(len(g.Blocks), "block")+": the stronger, the more of it is used",
			draw.Small)
		y += 14
	}
	return y + 12
}

// strips draws what share is in use, where there are too many blocks for one box each.
func (g *AllocatorSegment) strips(c *draw.Canvas, y float64, end int) {
	const n = 156
	var taken [n]float64 // bytes
	each := float64(end) / n
	for _, b := range g.Blocks {
		if b.State == freeBlock {
			continue
		}
		lo, hi := float64(b.Offset)/each, float64(b.Offset+b.Bytes)/each
		for k := int(lo); k < n && float64(k) < hi; k++ {
			taken[k] += (min(hi, float64(k+1)) - max(lo, float64(k))) * each
		}
	}
	level := func(k int) int { return int(taken[k]/each*10 + 0.5) }
	for k := 0; k < n; {
		from, sum := k, 0.0
		for ; k < n && level(k) == level(from); k++ {
			sum += taken[k]
		}
		if sum == 0 {
			continue
		}
		tip := fmt.Sprintf("%s of %s are used, from +%s on", bytesize.Text(sum), bytesize.Text(each*float64(k-from)),
			bytesize.Text(each*float64(from)))
		c.Rect(allocatorLeft+float64(from)*allocatorWide/n, y, float64(k-from)*allocatorWide/n, allocatorHigh, draw.Hue(0),
			0.05+0.05*float64(level(from)), tip)
	}
}

// slanted is a hatch within a box.
func slanted(x, y, w, h float64) string {
	var d strings.Builder
	for k, gap := 4.0, max(5, w/60); k <= w; k += gap {
		run := min(k, h-2)
		fmt.Fprintf(&d, "M%s %sl-%s %s", draw.Num(x+k), draw.Num(y+1), draw.Num(run), draw.Num(run))
	}
	return d.String()
}
