package visualize

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// rgb is a colour of three parts from 0 to 1.
type rgb [3]float64

// hex reads #0072b2 or #fff.
func hex(s string) (c rgb, ok bool) {
	if !strings.HasPrefix(s, "#") {
		return c, false
	}
	if s = s[1:]; len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	n, err := strconv.ParseUint(s, 16, 32)
	for i := range c {
		c[i] = float64(n>>(16-8*i)&255) / 255
	}
	return c, err == nil && len(s) == 6
}

// over is the colour that is seen where c lies over d.
func (c rgb) over(d rgb, opacity float64) rgb {
	for i := range c {
		c[i] = c[i]*opacity + d[i]*(1-opacity)
	}
	return c
}

// luminance and contrast are those of the Web Content Accessibility Guidelines, 2.1.
func (c rgb) luminance() float64 {
	l := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		if c[i] <= 0.03928 {
			l += weight * c[i] / 12.92
		} else {
			l += weight * math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return l
}

func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// page is a scheme: paper and ink of its pictures.
type page struct {
	name       string
	paper, ink rgb
}

func pages() []page {
	of := func(name, paper, ink string) page {
		p, _ := hex(paper)
		i, _ := hex(ink)
		return page{name, p, i}
	}
	return []page{of("light", "#ffffff", "#1f2328"), of("dark", "#1a1c20", "#e6e6e6")}
}

// painted is a box of a picture.
type painted struct {
	x, y, w, h float64
	fill       rgb
	opacity    float64
}

// at reports whether two boxes lie at the same place.
func (b painted) at(o painted) bool { return b.x == o.x && b.y == o.y && b.w == o.w && b.h == o.h }

// wanting walks through a picture as it is painted, and tells what is wanting in contrast against what lies beneath:
// 4.5 of text, 3 of lines and boxes, for which their outline may stand. Lines that are fainter than half are
// decoration: grids, hatches. Fills are tints: outlines are held against the paper.
func wanting(t *testing.T, svg string, p page) (faults []string) {
	type state struct {
		attributes map[string]string
		opacity    float64
	}
	stack := []state{{map[string]string{"fill": "ink"}, 1}}
	var boxes, lined []painted
	colour := func(s, class string) (rgb, bool) {
		if class == "red" && p.name == "dark" {
			s = "#ff9248"
		}
		if s == "currentColor" || s == "ink" {
			return p.ink, true
		}
		return hex(s)
	}
	beneath := func(x, y float64) rgb {
		c := p.paper
		for _, b := range boxes {
			if x >= b.x && x <= b.x+b.w && y >= b.y && y <= b.y+b.h {
				c = b.fill.over(c, b.opacity)
			}
		}
		return c
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	var text strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			return faults
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.CharData:
			text.Write(e)
		case xml.StartElement:
			text.Reset()
			above := stack[len(stack)-1]
			s := state{map[string]string{}, above.opacity}
			for k, v := range above.attributes {
				s.attributes[k] = v
			}
			for _, a := range e.Attr {
				s.attributes[a.Name.Local] = a.Value
				if n, err := strconv.ParseFloat(a.Value, 64); err == nil && a.Name.Local == "opacity" {
					s.opacity *= n
				}
			}
			if e.Name.Local == "svg" {
				s.attributes["fill"] = "ink"
			}
			stack = append(stack, s)
			number := func(name string, absent float64) float64 {
				if n, err := strconv.ParseFloat(s.attributes[name], 64); err == nil {
					return n
				}
				return absent
			}
			if v, ok := strings.CutPrefix(s.attributes["style"], "fill:"); ok && e.Name.Local == "text" {
				s.attributes["fill"] = v
			}
			fill, filled := colour(s.attributes["fill"], s.attributes["class"])
			stroke, stroked := colour(s.attributes["stroke"], s.attributes["class"])
			thick := number("stroke-opacity", 1) * s.opacity
			switch e.Name.Local {
			case "rect":
				if s.attributes["class"] == "back" {
					continue
				}
				b := painted{number("x", 0), number("y", 0), number("width", 0), number("height", 0), fill,
					number("fill-opacity", 1) * s.opacity}
				under := beneath(b.x+b.w/2, b.y+b.h/2)
				outline := under
				if stroked && stroke != p.ink {
					outline = stroke.over(under, thick)
					around := p.paper
					if n := len(lined); n > 0 && !filled && lined[n-1].at(b) { // a line along a thicker one
						around = lined[n-1].fill
					}
					lined = append(lined, painted{b.x, b.y, b.w, b.h, outline, 1})
					if c := contrast(outline, around); c < 3 && contrast(fill.over(under, b.opacity), p.paper) < 3 {
						faults = append(faults, fmt.Sprintf("%s: %.2f: a box of %s, opacity %.2f, outlined in %s", p.name,
							c, s.attributes["fill"], b.opacity, s.attributes["stroke"]))
					}
				}
				if filled {
					boxes = append(boxes, b)
				}
			case "path":
				if !stroked || stroke == p.ink || thick < 0.6 {
					continue
				}
				if c := contrast(stroke.over(p.paper, thick), p.paper); c < 3 {
					faults = append(faults, fmt.Sprintf("%s: %.2f: a line in %s, opacity %.2f", p.name, c,
						s.attributes["stroke"], thick))
				}
			}
		case xml.EndElement:
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if e.Name.Local != "text" {
				text.Reset()
				continue
			}
			x, _ := strconv.ParseFloat(s.attributes["x"], 64)
			y, _ := strconv.ParseFloat(s.attributes["y"], 64)
			long := float64(len([]rune(text.String()))) * 7
			switch s.attributes["text-anchor"] {
			case "middle":
				x -= long / 2
			case "end":
				x -= long
			}
			fill, _ := colour(s.attributes["fill"], s.attributes["class"])
			for _, at := range []float64{1, long / 2, long - 1} {
				under := beneath(x+at, y-4)
				if c := contrast(fill.over(under, s.opacity), under); c < 4.5 {
					faults = append(faults, fmt.Sprintf("%s: %.2f: %q in %s, opacity %.2f", p.name, c, text.String(),
						s.attributes["fill"], s.opacity))
					break
				}
			}
		}
	}
}

// TestContrast: every text of every picture stands out from what it is written on, and every line and box, on
// light and on dark pages.
func TestContrast(t *testing.T) {
	for _, e := range examples {
		svg := e.make(viewtest.NewSession(t)).SVG()
		for _, p := range pages() {
			for i, fault := range wanting(t, svg, p) {
				if i == 3 {
					break
				}
				t.Errorf("%s: %s", e.name, fault)
			}
		}
	}
}

var (
	pictures = regexp.MustCompile(`(?s)<svg.*?</svg>|<img[^>]*>`)
	coloured = regexp.MustCompile(`<[^>]*style="[^"]*(?:color|opacity):[^>]*>`)
	colourOf = regexp.MustCompile(`[";]color:(#[0-9a-f]+)`)
	faintOf  = regexp.MustCompile(`[";]opacity:([0-9.]+)`)
	classOf  = regexp.MustCompile(`class="(red|ink[0-9])"`)
	ruleOf   = regexp.MustCompile(`\.gotorch-view \.(red|ink[0-9])\{color:light-dark\((#[0-9a-f]+),(#[0-9a-f]+)\)!`)
)

// papers are the backgrounds of notebooks: Jupyter's, those of VS Code's themes, GitHub's, and of exported pages.
var papers = map[string][]string{
	"light": {"#ffffff", "#f8f8f8"},
	"dark":  {"#111111", "#1e1e1e", "#1f1f1f", "#0d1117", "#1a1c20"},
}

// TestContrastOfPages: what is coloured in a page's own text stands out in either scheme: it has a class, whose rule
// has a colour for each, and a colour of its own that stands out from white where styles are taken away.
func TestContrastOfPages(t *testing.T) {
	seen := 0
	for _, e := range examples {
		html := e.make(viewtest.NewSession(t)).HTML()
		rules := map[string][2]string{}
		for _, m := range ruleOf.FindAllStringSubmatch(html, -1) {
			rules[m[1]] = [2]string{m[2], m[3]}
		}
		check := func(what, scheme, colour string, opacity float64) {
			for _, paper := range papers[scheme] {
				c, ok := hex(colour)
				back, _ := hex(paper)
				if k := contrast(c.over(back, opacity), back); !ok || k < 4.5 {
					t.Errorf("%s: %.2f: %s on %s: %s", e.name, k, colour, paper, what)
				}
			}
		}
		for _, tag := range coloured.FindAllString(pictures.ReplaceAllString(html, ""), -1) {
			if m := faintOf.FindStringSubmatch(tag); m != nil { // of the page's own ink
				opacity, _ := strconv.ParseFloat(m[1], 64)
				check(tag, "light", "#1f2328", opacity)
				check(tag, "dark", "#cccccc", opacity)
			}
			m := colourOf.FindStringSubmatch(tag)
			if m == nil {
				continue
			}
			seen++
			if c, ok := hex(m[1]); !ok || contrast(c, rgb{1, 1, 1}) < 4.5 {
				t.Errorf("%s: %s on white: %s", e.name, m[1], tag)
			}
			class := classOf.FindStringSubmatch(tag)
			if class == nil || rules[class[1]] == [2]string{} {
				t.Errorf("%s: no rule for dark pages: %s", e.name, tag)
				continue
			}
			check(tag, "light", rules[class[1]][0], 1)
			check(tag, "dark", rules[class[1]][1], 1)
		}
	}
	if seen == 0 {
		t.Error("no coloured text in any view")
	}
}

// TestContrastOfTerminals: a terminal's colours stand out from white and from black, and those of the errors in a
// notebook, whose page may be light or dark.
func TestContrastOfTerminals(t *testing.T) {
	steps := [6]float64{0, 95.0 / 255, 135.0 / 255, 175.0 / 255, 215.0 / 255, 1}
	for i, n := range draw.Ansi {
		n -= 16
		c := rgb{steps[n/36], steps[n/6%6], steps[n%6]}
		if w, b := contrast(c, rgb{1, 1, 1}), contrast(c, rgb{}); w < 3 || b < 4.5 {
			t.Errorf("colour %d: %.2f on white, %.2f on black", draw.Ansi[i], w, b)
		}
		var r, g, b float64
		text := draw.OnPage(draw.Paint(true, i, "name"))
		if _, err := fmt.Sscanf(text, "\x1b[38;2;%f;%f;%fm", &r, &g, &b); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		c = rgb{r / 255, g / 255, b / 255}
		for paper, least := range map[string]float64{"#ffffff": 4.5, "#111111": 4, "#1e1e1e": 3.5} {
			if back, _ := hex(paper); contrast(c, back) < least {
				t.Errorf("%s: %.2f on %s", text, contrast(c, back), paper)
			}
		}
	}
}
