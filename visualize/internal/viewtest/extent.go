package viewtest

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
)

// DrawingWidth is how far what is drawn in a picture reaches to the right, without its texts.
func DrawingWidth(svg string) (drawing float64) {
	stack := []float64{0} // what elements move to the right
	d := xml.NewDecoder(strings.NewReader(svg))
	d.Entity = map[string]string{}
	for {
		tok, err := d.Token()
		if err != nil {
			return drawing
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			x := stack[len(stack)-1]
			attr := map[string]string{}
			for _, a := range tok.Attr {
				attr[a.Name.Local] = a.Value
			}
			var dx, dy float64
			if n, _ := fmt.Sscanf(strings.ReplaceAll(attr["transform"], ",", " "), "translate(%g %g)", &dx, &dy); n == 2 {
				x += dx
			}
			switch tok.Name.Local {
			case "svg":
				if len(stack) > 1 {
					x += number(attr["x"])
				}
			case "rect", "image":
				if attr["class"] != "back" {
					drawing = max(drawing, x+number(attr["x"])+number(attr["width"]))
				}
			case "circle":
				drawing = max(drawing, x+number(attr["cx"])+number(attr["r"]))
			case "path":
				drawing = max(drawing, x+pathRight(attr["d"]))
			}
			stack = append(stack, x)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

var pathParts = regexp.MustCompile(`[A-Za-z]|-?[\d.]+(?:e-?\d+)?`)

// pathRight is the right end of the points of a path.
func pathRight(d string) (right float64) {
	x, command, n := 0.0, byte('M'), 0
	for _, part := range pathParts.FindAllString(d, -1) {
		if c := part[0]; c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			command, n = c, 0
			continue
		}
		v := number(part)
		across := n%2 == 0
		n++
		switch command {
		case 'H', 'h':
			across = true
		case 'V', 'v':
			across = false
		case 'A', 'a': // radii, a turn and two flags, then the end
			across = n%7 == 6
		}
		if !across {
			continue
		}
		if command >= 'a' {
			v += x
		}
		x = v
		right = max(right, x)
	}
	return right
}
