package viewtest

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotorch/visualize/draw"
)

// svgText is a text of a picture, and where it stands.
type svgText struct {
	s                        string
	left, top, right, bottom float64
}

// checkOverlaps reports texts of a picture that stand upon one another, which nobody could read.
func checkOverlaps(t testing.TB, svg string) {
	t.Helper()
	texts := textsOf(svg)
	slices.SortStableFunc(texts, func(a, b svgText) int { return cmp.Compare(a.top, b.top) })
	n := 0
	for i, a := range texts {
		for _, b := range texts[i+1:] {
			if b.top >= a.bottom {
				break
			}
			w, h := min(a.right, b.right)-max(a.left, b.left), min(a.bottom, b.bottom)-max(a.top, b.top)
			if w < 3 || h < 4 {
				continue
			}
			if n++; n <= 5 {
				t.Errorf("%q (%.0f, %.0f) and %q (%.0f, %.0f) overlap by %.0f × %.0f", a.s, a.left, a.bottom, b.s, b.left,
					b.bottom, w, h)
			}
		}
	}
}

// textsOf finds the texts of a picture. Those that are turned or have a size of their own in a transformation other
// than a translation are left out.
func textsOf(svg string) []svgText {
	type place struct { // what an element gives to those within it
		x, y         float64
		anchor, size string
		off          bool
	}
	var out []svgText
	var open *svgText
	stack := []place{{}}
	d := xml.NewDecoder(strings.NewReader(svg))
	d.Entity = map[string]string{}
	var attr map[string]string
	for {
		tok, err := d.Token()
		if err != nil {
			return out
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			at := stack[len(stack)-1]
			attr = map[string]string{}
			for _, a := range tok.Attr {
				attr[a.Name.Local] = a.Value
			}
			if move := attr["transform"]; move != "" {
				var x, y float64
				if n, _ := fmt.Sscanf(strings.ReplaceAll(move, ",", " "), "translate(%g %g)", &x, &y); n == 2 {
					at.x, at.y = at.x+x, at.y+y
				} else {
					at.off = true
				}
			}
			if tok.Name.Local == "svg" && len(stack) > 1 {
				at.off = at.off || attr["viewBox"] != ""
				at.x, at.y = at.x+number(attr["x"]), at.y+number(attr["y"])
			}
			if tok.Name.Local == "text" && !at.off {
				open = &svgText{left: at.x + number(attr["x"]), bottom: at.y + number(attr["y"]) + 2}
			}
			if a := attr["text-anchor"]; a != "" {
				at.anchor = a
			}
			if s := attr["font-size"]; s != "" {
				at.size = s
			}
			stack = append(stack, at)
		case xml.CharData:
			if open != nil && len(stack) > 1 {
				open.s += string(tok)
			}
		case xml.EndElement:
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if tok.Name.Local != "text" || open == nil {
				continue
			}
			size := 12.0
			if at.size != "" {
				size = number(at.size)
			}
			w := float64(draw.Width(open.s)) * draw.CharWidth * size / 12
			switch at.anchor {
			case "middle":
				open.left -= w / 2
			case "end":
				open.left -= w
			}
			open.right, open.top = open.left+w, open.bottom-0.8*size
			out = append(out, *open)
			open = nil
		}
	}
}

func number(s string) float64 {
	x, _ := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
	return x
}
