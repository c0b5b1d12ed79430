package memory

import (
	"fmt"
	"slices"

	"gotorch/visualize/draw"
)

// bounded is the map with the bands of as many frames as have room in one picture.
func (e *Explorer) bounded() *StrideMap {
	m := *e.Map
	m.Storages = slices.Clone(m.Storages)
	for i := range m.Storages {
		m.Storages[i].Lanes = slices.Clone(m.Storages[i].Lanes)
	}
	m.bound()
	return &m
}

// Text shows the frames as lanes of one map.
func (e *Explorer) Text(color bool) string {
	text := e.bounded().Text(color)
	if e.Note != "" {
		text += "\n  " + e.Note
	}
	return text
}

// String is the text without colour.
func (e *Explorer) String() string { return e.Text(false) }

func (e *Explorer) picture() *draw.Canvas {
	c := e.bounded().picture()
	if e.Note != "" {
		c.Lines(6, c.H+12, e.Note, draw.Faint)
	}
	return c
}

// SVG draws the frames as lanes of one map, complete in itself.
func (e *Explorer) SVG() string { return e.picture().Alone("views of one storage") }

// HTML shows the frames one at a time.
func (e *Explorer) HTML() string {
	out := ""
	if e.Note != "" {
		out = "<div>" + draw.Escape(e.Note) + "</div>"
	}
	text := draw.Details("as text", e.Text(false))
	room := draw.MaxHTML - 2000 - len(out) - len(text)
	if room < 0 {
		text, room = "", draw.MaxHTML-2000-len(out)
	}
	var labels, frames []string
	for i, f := range e.Frames {
		c := new(draw.Canvas)
		one := e.Map.Storages[0]
		one.Lanes = one.Lanes[i : i+1]
		one.draw(c, 16, one.Nested)
		img := c.Image(fmt.Sprintf("%s: shape %v stride %v offset %d", f.Title, f.Shape, f.Stride, f.Offset))
		if room -= len(img) + len(f.Title)*2 + 300; room < 0 {
			out += "<div>" + draw.Escape(draw.Counted(len(e.Frames)-i, "more frame")+" in the text") + "</div>"
			break
		}
		labels, frames = append(labels, draw.Clip(f.Title, draw.MaxName)), append(frames, img)
	}
	return draw.Frame(out + draw.Frames(labels, frames, 0) + text)
}
