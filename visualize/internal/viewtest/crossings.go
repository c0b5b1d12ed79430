package viewtest

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

// box is an outlined rectangle of a picture.
type box struct{ left, top, right, bottom float64 }

// checkCrossings reports texts that stand across the side of a box: partly in it and partly beside it.
func checkCrossings(t testing.TB, svg string) {
	t.Helper()
	n := 0
	boxes := boxesOf(svg)
	for _, text := range TextsOf(svg) {
		middle := (text.Top + text.Bottom) / 2
		for _, b := range boxes {
			if middle < b.top || middle > b.bottom {
				continue
			}
			for _, side := range []float64{b.left, b.right} {
				if side < text.Left+3 || side > text.Right-3 {
					continue
				}
				if n++; n <= 5 {
					t.Errorf("%q (%.0f to %.0f, %.0f) stands across the side of a box from %.0f to %.0f", text.String,
						text.Left, text.Right, text.Bottom, b.left, b.right)
				}
				break
			}
		}
	}
}

// boxesOf finds the outlined rectangles of a picture, but for those that are turned or have a size of their own.
func boxesOf(svg string) (boxes []box) {
	type place struct { // what an element gives to those within it
		x, y float64
		line bool
		off  bool
	}
	stack := []place{{}}
	d := xml.NewDecoder(strings.NewReader(svg))
	d.Entity = map[string]string{}
	for {
		tok, err := d.Token()
		if err != nil {
			return boxes
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			at, attr := stack[len(stack)-1], map[string]string{}
			for _, a := range tok.Attr {
				attr[a.Name.Local] = a.Value
			}
			if move := attr["transform"]; move != "" {
				var x, y float64
				n, _ := fmt.Sscanf(strings.ReplaceAll(move, ",", " "), "translate(%g %g)", &x, &y)
				at.x, at.y, at.off = at.x+x, at.y+y, at.off || n != 2
			}
			if tok.Name.Local == "svg" && len(stack) > 1 {
				at.off = at.off || attr["viewBox"] != ""
				at.x, at.y = at.x+number(attr["x"]), at.y+number(attr["y"])
			}
			if s := attr["stroke"]; s != "" {
				at.line = s != "none"
			}
			stack = append(stack, at)
			if tok.Name.Local == "rect" && at.line && !at.off {
				x, y := at.x+number(attr["x"]), at.y+number(attr["y"])
				boxes = append(boxes, box{x, y, x + number(attr["width"]), y + number(attr["height"])})
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}
