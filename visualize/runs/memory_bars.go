package runs

import (
	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// timelineBar is the time of a storage as a bar, with its label: beside the bar, or in the part of it where it has
// room, or else in a line above it.
type timelineBar struct {
	*MemoryStorage
	x, w         float64
	heldX, heldW float64 // what is held for the backward pass; no width: nothing
	label        string
	at           float64 // where the label stands
	anchor       string
	above        bool
}

const (
	barsEnd   = 1100.0 // how far down a picture bars reach: the rest is counted
	barHigh   = 15.0
	barStep   = 20.0
	lineAbove = 16.0
)

// barOf lays out the bar of a storage between left and right; the marks are a step apart.
func (t *MemoryTimeline) barOf(s *MemoryStorage, left, right, step float64) timelineBar {
	from, to := float64(s.MadeMark), float64(len(t.Marks))
	if s.GoneMark >= 0 {
		to = min(to, float64(s.GoneMark))
	}
	b := timelineBar{MemoryStorage: s, x: left + from*step, w: max(3, (to-from)*step), anchor: "start"}
	inside, room := b.x, b.w // the widest part without a line across it
	if s.SavedFrom >= 0 {
		b.heldX, b.heldW = left+float64(s.SavedFrom)*step, float64(s.SavedTo-s.SavedFrom+1)*step
		inside, room = b.heldX, b.heldW
		if before := b.heldX - b.x; before > room {
			inside, room = b.x, before
		}
		if after := b.x + b.w - b.heldX - b.heldW; after > room {
			inside, room = b.heldX+b.heldW, after
		}
	}
	text := s.label()
	if s.GoneMark < 0 {
		text += "   there at the end"
	}
	columns := func(px float64) int { return int(px / draw.CharWidth) }
	b.label = draw.Clip(text, columns(right-left-8))
	switch wide := draw.Width(b.label); {
	case wide <= columns(right-b.x-b.w-8):
		b.at = b.x + b.w + 6
	case wide <= columns(b.x-left-6):
		b.at, b.anchor = b.x-6, "end"
	case wide <= columns(room-8):
		b.at = inside + 4
	default:
		b.at, b.above = max(left, min(b.x, right-float64(wide)*draw.CharWidth)), true
	}
	return b
}

// high is how much of the picture's height the bar takes.
func (b *timelineBar) high() float64 {
	if b.above {
		return barStep + lineAbove
	}
	return barStep
}

// draw draws the bar from y on.
func (b *timelineBar) draw(c *draw.Canvas, y, left float64, t *MemoryTimeline) {
	line := y + 12
	if b.above {
		y += lineAbove
	}
	c.Text(left-6, y+12, "end", bytesize.Text(b.Bytes), "")
	end := c.Marked(b.Site)
	c.Rect(b.x, y, b.w, barHigh, draw.Hue(0), 0.25, b.MemoryStorage.label()+"   "+b.end(t)+"   "+b.held())
	if b.heldW > 0 {
		c.Rect(b.heldX, y, b.heldW, barHigh, draw.Hue(5), 0.25, b.held())
		c.Path(hatch(b.heldX, y, b.heldW, barHigh), draw.Hue(5), draw.Thin)
	}
	c.Text(b.at, line, b.anchor, b.label, "")
	end()
}
