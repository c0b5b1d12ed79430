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
	smallWidth = draw.CharWidth * 10 / 12
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
		lo, hi, y = b.draw(c, y, s.ID)
		first = false
	}
	y += 18
	return c.Sentence(bandsLeft, y, draw.Clip(l.Example, maxSum), draw.Faint)
}

// fitting is the band with as many blocks as have room for their indices and addresses: a part of a number is another
// number.
func (b *Band) fitting() *Band {
	for most := len(b.Blocks); most > 1; most-- {
		out := b.within(most)
		each, _ := out.widths()
		fits := true
		for k := range out.Blocks {
			block := &out.Blocks[k]
			fits = fits && draw.Width("["+block.label()+"]") <= columnsIn(each) &&
				float64(draw.Width(block.address())+1)*smallWidth <= each
		}
		if fits {
			return out
		}
	}
	return b.within(1)
}

// columnsIn is how many letters have room in a box.
func columnsIn(wide float64) int { return int((wide - 4) / draw.CharWidth) }

// widths are how far the blocks lie apart in a picture, and how wide each of them is.
func (b *Band) widths() (each, wide float64) {
	room := bandsWide
	for k := range b.Blocks {
		if b.elided(k) > 0 {
			room -= gapWidth
		}
	}
	each = room / float64(len(b.Blocks))
	if b.Gap() > 0 {
		return each, min(max(leastGap, each*float64(b.Block)/float64(draw.Abs(b.Jump))), each-leastGap)
	}
	return each, each // where there is a negative gap, the next one begins before its end
}

// draw draws the blocks of a band, a stride apart, in the colour of their dimension, and returns where the chosen one
// lies and where what is drawn ends. Indices and values stand in the blocks, or above them where gaps make these too
// narrow.
func (b *Band) draw(c *draw.Canvas, y float64, storage uint64) (from, to, end float64) {
	b = b.fitting()
	each, wide := b.widths()
	heads := y + 13
	for k := range b.Blocks {
		if draw.Width(b.Blocks[k].headIn(columnsIn(each))) > columnsIn(wide) {
			heads, y = y+12, y+17
			break
		}
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
		c.Text(left[k]+3, heads, "start", block.headIn(columnsIn(each)), "")
		c.Text(left[k], y+blockHigh+10, "start", block.address(), draw.Small)
	}
	return from, to, y + blockHigh + 13
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
