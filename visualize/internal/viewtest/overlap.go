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

// SVGText is a text of a picture, and where it stands.
type SVGText struct {
	String                   string
	Left, Top, Right, Bottom float64
}

// checkOverlaps reports texts of a picture that stand upon one another, which nobody could read.
func checkOverlaps(t testing.TB, svg string) {
	t.Helper()
	texts := TextsOf(svg)
	slices.SortStableFunc(texts, func(a, b SVGText) int { return cmp.Compare(a.Top, b.Top) })
	n := 0
	for i, a := range texts {
		for _, b := range texts[i+1:] {
			if b.Top >= a.Bottom {
				break
			}
			w, h := min(a.Right, b.Right)-max(a.Left, b.Left), min(a.Bottom, b.Bottom)-max(a.Top, b.Top)
			if w < 3 || h < 4 {
				continue
			}
			if n++; n <= 5 {
				t.Errorf("%q (%.0f, %.0f) and %q (%.0f, %.0f) overlap by %.0f × %.0f", a.String, a.Left, a.Bottom,
					b.String, b.Left, b.Bottom, w, h)
			}
		}
	}
}

// TextsOf finds the texts of a picture. Those that are turned or have a size of their own in a transformation other
// than a translation are left out.
func TextsOf(svg string) []SVGText {
	type place struct { // what an element gives to those within it
		x, y         float64
		anchor, size string
		off          bool
	}
	var out []SVGText
	var open *SVGText
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
				open = &SVGText{Left: at.x + number(attr["x"]), Bottom: at.y + number(attr["y"]) + 2}
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
				open.String += string(tok)
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
			w := float64(draw.Width(open.String)) * draw.CharWidth * size / 12
			switch at.anchor {
			case "middle":
				open.Left -= w / 2
			case "end":
				open.Left -= w
			}
			open.Right, open.Top = open.Left+w, open.Bottom-0.8*size
			out = append(out, *open)
			open = nil
		}
	}
}

func number(s string) float64 {
	x, _ := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
	return x
}
