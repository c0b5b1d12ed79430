package memory

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

const (
	bandsLeft  = 24.0
	bandsWide  = 500.0 // letters stay legible where a narrow page shrinks the picture
	blockHigh  = 18.0
	funnel     = 12.0 // between a block and the band that enlarges it
	storageBar = 12.0
	leastGap   = 3.0 // of a gap and of a block in a picture, however small it is
)

// drawNested draws the lanes of a storage as bands of nested blocks.
func (s *StorageMap) drawNested(c *draw.Canvas, y float64) float64 {
	for i := range s.Lanes {
		y = s.Lanes[i].drawNested(c, y, i, s) + 14
	}
	return y
}

// drawNested draws a lane: the storage to scale, and beneath it a band for each dimension, which enlarges the block
// of the chosen element in the band above.
func (l *Lane) drawNested(c *draw.Canvas, y float64, tint int, s *StorageMap) float64 {
	y += draw.LineHeight
	c.Rect(8, y-10, 10, 10, draw.Hue(tint), 0.4, "")
	name := draw.Clip(l.Name, draw.MaxName)
	c.Text(bandsLeft, y, "start", name, draw.Strong)
	c.Grow(bandsLeft+bandsWide, y)
	if x := bandsLeft + float64(draw.Width(name)+2)*draw.CharWidth*1.05; draw.Width(l.details()) <= c.Columns(x) {
		c.Text(x, y, "start", l.details(), "")
	} else {
		y = c.Sentence(bandsLeft, y+draw.LineHeight, l.details(), "")
	}
	y += 8
	bar := AliasName{Parts: l.Parts}
	bar.drawPart(c, bandsLeft, y, bandsWide, storageBar, tint, s.ID, cuts(s.Bytes, l.Size, scaleBar))
	y += storageBar + 14
	line := "storage to scale: " + l.reaches(s.Bytes)
	if w := l.walk(); w != "" {
		line += "; " + w
	}
	y = c.Sentence(bandsLeft, y, line, draw.Faint)
	if l.Unbanded {
		y += 16
		c.Text(bandsLeft, y, "start", "its blocks are left out", draw.Faint)
	}
	lo, hi := bandsLeft, bandsLeft+bandsWide // of what the next band enlarges
	first := true
	for k := range l.Bands {
		b := &l.Bands[k]
		if !first && b.Jump != 0 { // between the words of two bands, clear of both
			c.Path(fmt.Sprintf("M%s %sL%s %sM%s %sL%s %s", draw.Num(lo), draw.Num(y+1), draw.Num(bandsLeft),
				draw.Num(y+funnel), draw.Num(hi), draw.Num(y+1), draw.Num(bandsLeft+bandsWide), draw.Num(y+funnel)),
				"currentColor", `stroke-opacity="0.4" stroke-dasharray="2 3"`)
			y += funnel
		}
		c.Rect(8, y+9, 10, 10, draw.Hue(b.Dim), 0.4, "")
		y = c.Sentence(bandsLeft, y+18, b.about(), "")
		if y += 6; b.Jump == 0 {
			continue
		}
		from, to := b.draw(c, y, s.ID)
		lo, hi, first = from, to, false
		y += blockHigh + 13
	}
	y += 18
	return c.Sentence(bandsLeft, y, draw.Clip(l.Example, 110), draw.Faint)
}

// draw draws the blocks of a band, a stride apart, in the colour of their dimension, and returns where the chosen one
// lies.
func (b *Band) draw(c *draw.Canvas, y float64, storage uint64) (from, to float64) {
	room := bandsWide
	for k := range b.Blocks {
		if b.elided(k) > 0 {
			room -= gapWidth
		}
	}
	each := room / float64(len(b.Blocks))
	wide := each
	switch {
	case b.Gap() > 0:
		wide = min(max(leastGap, each*float64(b.Block)/float64(draw.Abs(b.Jump))), each-leastGap)
	case b.Gap() < 0: // the next one begins before its end
		wide = each
	}
	x := bandsLeft
	left := make([]float64, len(b.Blocks))
	for k := range b.Blocks {
		if n := b.elided(k); n > 0 {
			c.Text(x+gapWidth/2, y+13, "middle", "⋯", "")
			x += gapWidth
		}
		left[k] = x
		x += each
	}
	if b.Gap() > 0 {
		b.drawGaps(c, left, y, wide, each)
	}
	c.Group(draw.Filled(draw.Hue(b.Dim), 0.2))
	for k := range b.Blocks {
		block := &b.Blocks[k]
		attributes, w := draw.MarkBytes(storage, block.At, b.Block), wide
		if block.Chosen {
			attributes, from, to = attributes+` fill-opacity="0.55"`, left[k], left[k]+w
		}
		tip := fmt.Sprintf("index %d of dim %d: +%d to +%d B", block.Index, b.Dim, block.At, block.At+b.Block)
		if block.Value != "" {
			tip += ": " + block.Value
		}
		c.Box(left[k], y, w, blockHigh, attributes, tip)
	}
	c.End()
	if b.Gap() < 0 { // what a block shares with the next
		for k := range b.Blocks {
			share := min(each, each*float64(-b.Gap())/float64(b.Block))
			c.Path(fmt.Sprintf("M%s %sh%s", draw.Num(left[k]+each-share), draw.Num(y+blockHigh-2), draw.Num(share)), draw.Red,
				`stroke-width="3"`)
		}
	}
	for k := range b.Blocks {
		block := &b.Blocks[k]
		c.Text(left[k]+3, y+13, "start", block.headIn(int((each-4)/draw.CharWidth)), "")
		c.Text(left[k], y+blockHigh+10, "start", draw.Clip(block.address(), max(int(each/6.2), 5)), draw.Small)
	}
	return from, to
}

// drawGaps hatches the bytes between blocks that no index reaches.
func (b *Band) drawGaps(c *draw.Canvas, left []float64, y, wide, each float64) {
	var d strings.Builder
	for k := range left {
		for at := wide + 2; at < each; at += 5 {
			run := min(blockHigh, each-at)
			fmt.Fprintf(&d, "M%s %sl%s %s", draw.Num(left[k]+at), draw.Num(y+blockHigh), draw.Num(run), draw.Num(-run))
		}
	}
	c.Path(d.String(), "currentColor", `stroke-opacity="0.25"`)
}
