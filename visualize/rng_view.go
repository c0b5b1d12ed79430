package visualize

import (
	"fmt"
	"strings"
)

// String is the text without colour.
func (v *RandomView) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *RandomView) MIMEBundle() map[string]any { return bundle(v) }

// span is the numbers of a draw: 0…11.
func (d *Draw) span() string {
	switch {
	case d.To == d.From:
		return "none"
	case d.To == d.From+1:
		return fmt.Sprint(d.From)
	}
	return fmt.Sprintf("%d…%d", d.From, d.To-1)
}

func (d *Draw) what() string {
	s := d.Op + " → " + clip(d.Result, 40)
	if d.Site != "" {
		s += "   " + clip(d.Site, 50)
	}
	return s
}

// Text tells what each generator is and lists the draws.
func (v *RandomView) Text(color bool) string {
	var b strings.Builder
	for i := range v.Generators {
		s := &v.Generators[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s   %s\n", bold(color, s.Name), s.Algorithm)
		for _, r := range s.rows() {
			fmt.Fprintf(&b, "  %s  %s\n", dim(color, padRight(r[0], 6)), r[1])
		}
		b.WriteString(s.drawsText(color))
	}
	if v.More > 0 {
		fmt.Fprintf(&b, "\n… %s\n", counted(v.More, "more generator"))
	}
	return strings.TrimRight(b.String(), "\n")
}

func (s *RandomState) empty() string {
	if s.Logged {
		return "no operator has drawn from it"
	}
	return "draws are written down in sessions only"
}

func (s *RandomState) drawsText(color bool) string {
	if len(s.Draws) == 0 {
		return "  " + dim(color, "draws ") + "  " + s.empty() + "\n"
	}
	var b strings.Builder
	w, n := width("numbers"), width("drawn")
	for i := range s.Draws {
		d := &s.Draws[i]
		w, n = max(w, width(d.span())), max(n, len(fmt.Sprint(d.To-d.From)))
	}
	fmt.Fprintf(&b, "  %s  %s  %s  %s\n", dim(color, "draws "), padLeft("numbers", w), padLeft("drawn", n), "by")
	if s.More > 0 {
		fmt.Fprintf(&b, "          … %s before\n", counted(s.More, "draw"))
	}
	for i := range s.Draws {
		d := &s.Draws[i]
		if d.Note != "" {
			fmt.Fprintf(&b, "          %s\n", dim(color, "-- "+d.Note))
		}
		fmt.Fprintf(&b, "          %s  %s  %s\n", paint(color, i, padLeft(d.span(), w)), padLeft(fmt.Sprint(d.To-d.From), n), d.what())
	}
	if s.Since != "" {
		fmt.Fprintf(&b, "          %s\n", dim(color, "-- "+s.Since))
	}
	return b.String()
}

// took tells how many numbers a call took, and which.
func (d *Draw) took() string { return fmt.Sprintf("%d drawn, %s", d.To-d.From, d.span()) }

// SVG draws the generators.
func (v *RandomView) SVG() string { return v.draw().alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *RandomView) HTML() string { return pictured(v.draw(), v.label(), v.Text(false)) }

func (v *RandomView) label() string {
	s := &v.Generators[0]
	return fmt.Sprintf("%s, %s, seed %d, %d numbers drawn", s.Name, s.Algorithm, s.Seed, s.Drawn)
}

// draw draws, for each generator, the words of the state as a strip on which the last draws stand, and the list of draws.
func (v *RandomView) draw() *canvas {
	c := new(canvas)
	y := 18.0
	for i := range v.Generators {
		y = v.Generators[i].drawState(c, y) + 30
	}
	if v.More > 0 {
		c.text(8, y, "start", fmt.Sprintf("… %s", counted(v.More, "more generator")), faint)
	}
	return c
}

func (s *RandomState) drawState(c *canvas, y float64) float64 {
	const strip = 624.0
	c.text(8, y, "start", s.Name, bar)
	c.text(8+float64(width(s.Name)+3)*charWidth, y, "start", s.Algorithm, faint)
	for _, r := range s.rows() {
		y += 18
		c.text(8, y, "start", r[0], faint)
		c.text(64, y, "start", r[1], "")
	}
	y += 30
	left := 64.0
	// The strip is one making of the state: the words from begin on.
	begin := uint64(0)
	if s.Drawn > 0 {
		begin = (s.Drawn - 1) / stateWords * stateWords
	}
	c.text(8, y+14, "start", "words", faint)
	c.rect(left, y, strip, 18, "none", 0, fmt.Sprintf("the %d words of the state", stateWords))
	from := 0 // the draws since the state was last seeded or set
	for i := range s.Draws {
		if s.Draws[i].Note != "" {
			from = i
		}
	}
	if n := len(s.Draws); n > 0 && s.Since != "" && s.Drawn < s.Draws[n-1].To {
		from = len(s.Draws)
	}
	for i := from; i < len(s.Draws); i++ {
		d := &s.Draws[i]
		if d.To <= begin || d.To == d.From {
			continue
		}
		a, b := max(d.From, begin), min(d.To, begin+stateWords)
		c.rect(left+float64(a-begin), y, float64(b-a), 18, hue(i), 0.4, d.span()+": "+d.what())
		if b-a >= 24 {
			c.text(left+float64(a+b-2*begin)/2, y+13, "middle", fmt.Sprint(i+1), "")
		}
	}
	at := left + float64(s.Position)
	c.path(fmt.Sprintf("M%s %sv26", num(at), num(y-4)), red, `stroke-width="2"`)
	c.text(min(at, left+strip-20), y+36, "middle", "next", "")
	c.grow(left+strip+8, y+40)
	y += 46
	if len(s.Draws) == 0 {
		c.text(8, y+10, "start", s.empty(), faint)
		return y + 10
	}
	if s.More > 0 {
		y += 18
		c.text(8, y, "start", fmt.Sprintf("… %s before", counted(s.More, "draw")), faint)
	}
	took := 0
	for i := range s.Draws {
		took = max(took, width(s.Draws[i].took()))
	}
	for i := range s.Draws {
		d := &s.Draws[i]
		if d.Note != "" {
			y += 18
			c.text(64, y, "start", d.Note, faint)
		}
		y += 18
		c.rect(40, y-11, 14, 14, hue(i), 0.4, "")
		c.text(34, y, "end", fmt.Sprint(i+1), "")
		c.text(64, y, "start", d.took(), "")
		c.text(64+float64(took+2)*charWidth, y, "start", d.what(), "")
	}
	if s.Since != "" {
		y += 18
		c.text(64, y, "start", s.Since, faint)
	}
	return y
}
