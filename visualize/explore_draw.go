package visualize

import "fmt"

// Text shows the frames as lanes of one map.
func (e *Explorer) Text(color bool) string {
	text := e.Map.Text(color)
	if e.Note != "" {
		text += "\n  " + e.Note
	}
	return text
}

// String is the text without colour.
func (e *Explorer) String() string { return e.Text(false) }

func (e *Explorer) picture() *canvas {
	c := e.Map.picture()
	if e.Note != "" {
		c.text(6, c.h+12, "start", e.Note, faint)
	}
	return c
}

// SVG draws the frames as lanes of one map, complete in itself.
func (e *Explorer) SVG() string { return e.picture().alone("views of one storage") }

// HTML shows the frames one at a time.
func (e *Explorer) HTML() string {
	out := ""
	if e.Note != "" {
		out = "<div>" + esc(e.Note) + "</div>"
	}
	text := details("as text", e.Text(false))
	room := maxHTML - 2000 - len(out) - len(text)
	if room < 0 {
		text, room = "", maxHTML-2000-len(out)
	}
	var labels, frames []string
	for i, f := range e.Frames {
		c := new(canvas)
		one := e.Map.Storages[0]
		one.Lanes = one.Lanes[i : i+1]
		one.draw(c, 16, false)
		img := c.image(fmt.Sprintf("%s: shape %v stride %v offset %d", f.Title, f.Shape, f.Stride, f.Offset))
		if room -= len(img) + len(f.Title)*2 + 300; room < 0 {
			out += "<div>" + esc(counted(len(e.Frames)-i, "more frame")+" in the text") + "</div>"
			break
		}
		labels, frames = append(labels, clip(f.Title, maxName)), append(frames, img)
	}
	return frame(out + scrub(labels, frames, 0) + text)
}
