package runs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// String is the text without colour.
func (v *RandomView) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *RandomView) MIMEBundle() map[string]any { return draw.Bundle(v) }

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
	s := d.Op + " → " + draw.Clip(d.Result, 40)
	if d.Site != "" {
		s += "   " + draw.Clip(d.Site, 50)
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
		fmt.Fprintf(&b, "%s   %s\n", draw.Bold(color, s.Name), s.Algorithm)
		for _, r := range s.rows() {
			fmt.Fprintf(&b, "  %s  %s\n", draw.Dim(color, draw.PadRight(r[0], 6)), r[1])
		}
		b.WriteString(s.drawsText(color))
	}
	if v.More > 0 {
		fmt.Fprintf(&b, "\n… %s\n", draw.Counted(v.More, "more generator"))
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
		return "  " + draw.Dim(color, "draws ") + "  " + s.empty() + "\n"
	}
	var b strings.Builder
	w, n := draw.Width("numbers"), draw.Width("drawn")
	runs := s.runs()
	for i := range runs {
		r := &runs[i]
		w, n = max(w, draw.Width(r.span())), max(n, draw.Width(r.count()))
	}
	fmt.Fprintf(&b, "  %s  %s  %s  %s\n", draw.Dim(color, "draws "), draw.PadLeft("numbers", w),
		draw.PadLeft("drawn", n), "by")
	if s.More > 0 {
		fmt.Fprintf(&b, "          … %s before\n", draw.Counted(s.More, "draw"))
	}
	for i := range runs {
		r := &runs[i]
		if r.Note != "" {
			fmt.Fprintf(&b, "          %s\n", draw.Dim(color, "-- "+r.Note))
		}
		fmt.Fprintf(&b, "          %s  %s  %s\n", draw.Paint(color, r.first, draw.PadLeft(r.span(), w)),
			draw.PadLeft(r.count(), n), r.what())
	}
	if s.Since != "" {
		fmt.Fprintf(&b, "          %s\n", draw.Dim(color, "-- "+s.Since))
	}
	return b.String()
}

// drawRun is one draw, or several that a loop has made: each of the same call, which took as many numbers, begins
// where the one before has ended.
type drawRun struct {
	Draw      // from the first number of all to the last
	first, n  int
	eachDrawn uint64
}

// longRun is how many equal draws are listed in one line.
const longRun = 3

func (s *RandomState) runs() []drawRun {
	var out []drawRun
	for i := 0; i < len(s.Draws); {
		d := s.Draws[i]
		n := 1
		for ; i+n < len(s.Draws); n++ {
			before, next := &s.Draws[i+n-1], &s.Draws[i+n]
			if next.Note != "" || next.From != before.To || next.To-next.From != d.To-d.From || next.what() != d.what() {
				break
			}
		}
		if n < longRun {
			n = 1
		}
		r := drawRun{d, i, n, d.To - d.From}
		r.To = s.Draws[i+n-1].To
		out = append(out, r)
		i += n
	}
	return out
}

// count tells how many numbers a run took: 512, or 18 × 512.
func (r *drawRun) count() string {
	if r.n > 1 {
		return fmt.Sprintf("%d × %d", r.n, r.eachDrawn)
	}
	return fmt.Sprint(r.eachDrawn)
}

// took tells how many numbers a run took, and which.
func (r *drawRun) took() string { return fmt.Sprintf("%s drawn, %s", r.count(), r.span()) }

// SVG draws the generators.
func (v *RandomView) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *RandomView) HTML() string { return draw.Pictured(v.draw(), v.label(), v.Text(false)) }

func (v *RandomView) label() string {
	s := &v.Generators[0]
	return fmt.Sprintf("%s, %s, seed %d, %d numbers drawn", s.Name, s.Algorithm, s.Seed, s.Drawn)
}

// draw draws, for each generator, the words of the state as a strip on which the last draws stand, and the list of
// draws.
func (v *RandomView) draw() *draw.Canvas {
	c := new(draw.Canvas)
	y := 18.0
	for i := range v.Generators {
		y = v.Generators[i].drawState(c, y) + 30
	}
	if v.More > 0 {
		c.Text(8, y, "start", fmt.Sprintf("… %s", draw.Counted(v.More, "more generator")), draw.Faint)
	}
	return c
}

func (s *RandomState) drawState(c *draw.Canvas, y float64) float64 {
	const strip = 624.0
	c.Text(8, y, "start", s.Name, draw.Strong)
	c.Text(8+float64(draw.Width(s.Name)+3)*draw.CharWidth, y, "start", s.Algorithm, draw.Faint)
	for _, r := range s.rows() {
		y += 18
		c.Text(8, y, "start", r[0], draw.Faint)
		y = c.Sentence(64, y, r[1], "")
	}
	y += 30
	left := 56.0
	// The strip is one making of the state: the words from begin on.
	begin := uint64(0)
	if s.Drawn > 0 {
		begin = (s.Drawn - 1) / stateWords * stateWords
	}
	c.Text(8, y+14, "start", "words", draw.Faint)
	c.Rect(left, y, strip, 18, "none", 0, fmt.Sprintf("the %d words of the state", stateWords))
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
		c.Rect(left+float64(a-begin), y, float64(b-a), 18, draw.Hue(i), 0.4, d.span()+": "+d.what())
		if b-a >= 24 {
			c.Text(left+float64(a+b-2*begin)/2, y+13, "middle", fmt.Sprint(i+1), "")
		}
	}
	at := left + float64(s.Position)
	c.Path(fmt.Sprintf("M%s %sv26", draw.Num(at), draw.Num(y-4)), draw.Red, `stroke-width="2"`)
	c.Text(min(at, left+strip-20), y+36, "middle", "next", "")
	c.Grow(left+strip+8, y+40)
	y += 46
	if len(s.Draws) == 0 {
		c.Text(8, y+10, "start", s.empty(), draw.Faint)
		return y + 10
	}
	if s.More > 0 {
		y += 18
		c.Text(8, y, "start", fmt.Sprintf("… %s before", draw.Counted(s.More, "draw")), draw.Faint)
	}
	took, runs := 0, s.runs()
	for i := range runs {
		took = max(took, draw.Width(runs[i].took()))
	}
	for i := range runs {
		r := &runs[i]
		if r.Note != "" {
			y += 18
			y = c.Sentence(64, y, r.Note, draw.Faint)
		}
		y += 18
		c.Rect(40, y-11, 14, 14, draw.Hue(r.first), 0.4, "")
		c.Text(34, y, "end", fmt.Sprint(r.first+1), "")
		c.Text(64, y, "start", r.took(), "")
		y = c.Sentence(64+float64(took+2)*draw.CharWidth, y, spaced(r.what()), "")
	}
	if s.Since != "" {
		y += 18
		y = c.Sentence(64, y, s.Since, draw.Faint)
	}
	return y
}
