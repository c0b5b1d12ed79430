package streams

import (
	"fmt"

	work "gotorch/internal/streams"
	"gotorch/visualize/draw"
	"gotorch/visualize/runs"
)

const (
	timelineLeft  = 134.0 // of the lanes
	timelineRight = draw.NarrowWidth - 24
	timelineRow   = 20.0
	timelineGap   = 26.0 // between lanes, for arrows
	timelineTop   = 56.0
	maxArrows     = 200
)

// timelinePlot places spans in the picture.
type timelinePlot struct {
	t    *StreamTimeline
	c    *draw.Canvas
	top  map[*TimelineSpan]float64
	lane []float64 // where each lane ends
	left int       // spans that were not drawn
}

// x is the place of a time.
func (p *timelinePlot) x(nanos int64) float64 {
	return timelineLeft + (timelineRight-timelineLeft)*float64(nanos)/float64(max(1, p.t.Nanos))
}

// picture draws the lanes from the top, the host's first, and arrows between them.
func (t *StreamTimeline) picture() *draw.Canvas {
	c := new(draw.Canvas)
	c.Text(8, 18, "start", t.title(), draw.Strong)
	if len(t.spans()) == 0 {
		c.Text(8, 38, "start", "no stream was asked for anything", "")
		return t.faults(c, 56)
	}
	p := &timelinePlot{t: t, c: c, top: map[*TimelineSpan]float64{}}
	y := timelineTop
	for i, l := range t.Lanes {
		if i == timelineLanes {
			c.Text(8, y+14, "start", "… "+draw.Counted(len(t.Lanes)-i, "more stream"), "")
			y += timelineRow
			break
		}
		y = p.place(l, y)
		p.lane = append(p.lane, y)
		y += timelineGap
	}
	p.axis(y - timelineGap)
	p.arrows()
	for i := range p.lane { // each has its share of the picture
		begun := c.Elements.Len()
		p.spans(t.Lanes[i], begun+max(0, draw.MaxPicture-begun)/(len(p.lane)-i))
	}
	if p.left > 0 {
		c.Text(8, y, "start", "… "+draw.Counted(p.left, "more span"), draw.Small)
		y += 18
	}
	y = c.Lines(8, y, timelineHow, draw.Small) + 4
	return t.faults(c, y)
}

// place gives each span of a lane a row: spans that lie within others stand beneath them. It returns where the lane
// ends.
func (p *timelinePlot) place(l TimelineLane, y float64) float64 {
	p.c.Text(8, y+13, "start", draw.Clip(l.Name, 16), "")
	ends := []int64{-1}
	for _, s := range l.Spans {
		row := 0
		for row < len(ends) && ends[row] > s.Begin {
			row++
		}
		if row == len(ends) {
			ends = append(ends, 0)
		}
		ends[row] = max(ends[row], s.End)
		p.top[s] = y + float64(min(row, 3))*timelineRow
	}
	high := float64(min(len(ends), 4)) * timelineRow
	p.c.Path(fmt.Sprintf("M%s %sH%s", draw.Num(timelineLeft), draw.Num(y+high-1), draw.Num(timelineRight)),
		"currentColor", `stroke-opacity="0.3"`)
	return y + high
}

// axis draws the times, and lines down through the lanes.
func (p *timelinePlot) axis(bottom float64) {
	step := axisStep(p.t.Nanos)
	for at := int64(0); at <= p.t.Nanos; at += step {
		x := p.x(at)
		p.c.Path(fmt.Sprintf("M%s %sV%s", draw.Num(x), draw.Num(timelineTop-6), draw.Num(bottom)), "currentColor",
			`stroke-opacity="0.12"`)
		label := runs.Duration(at)
		if at == 0 {
			label = "0"
		}
		if x+float64(draw.Width(label))*draw.CharWidth/2 <= timelineRight+8 {
			p.c.Text(x, timelineTop-12, "middle", label, draw.Faint)
		}
	}
}

// axisStep is 1, 2 or 5 times a power of ten, between four and ten of which are the whole.
func axisStep(whole int64) int64 {
	for power := int64(1); ; power *= 10 {
		for _, k := range []int64{1, 2, 5} {
			if whole/(k*power) <= 8 || power >= 1e17 {
				return k * power
			}
		}
	}
}

// spans draws those of a lane, each with its name where there is room. Short ones that stand close are drawn as one.
func (p *timelinePlot) spans(l TimelineLane, most int) {
	for i := 0; i < len(l.Spans); i++ {
		s := l.Spans[i]
		if p.c.Elements.Len() > most {
			p.left++
			continue
		}
		x, end, many := p.x(s.Begin), p.x(s.End), 1
		for ; i+1 < len(l.Spans) && end-x < 3; i++ {
			next := l.Spans[i+1]
			if p.top[next] != p.top[s] || next.Kind != s.Kind || next.Early > 0 || p.x(next.Begin)-end > 2 ||
				p.x(next.End)-x > 5 {
				break
			}
			end, many = p.x(next.End), many+1
		}
		w := max(2, end-x)
		p.span(s, x, w, many)
		if s.Early > 0 && w < 4*draw.CharWidth && (i+1 == len(l.Spans) || p.x(l.Spans[i+1].Begin) > x+w+14) {
			p.c.Text(x+w+3, p.top[s]+12, "start", "✗", draw.RedText)
		}
	}
}

// span draws a span, or many from it on.
func (p *timelinePlot) span(s *TimelineSpan, x, w float64, many int) {
	look, y, tip := timelineFill[s.Kind], p.top[s], p.t.tip(s)
	if s.Kind == work.Record {
		w = 3
	}
	if many > 1 {
		tip = draw.Counted(many, "span") + ", the first:\n" + tip
	}
	fill := draw.Hue(look.hue)
	if s.Early > 0 {
		fill = draw.Red
	}
	p.c.Rect(x, y, w, timelineRow-4, fill, 0.35, tip)
	text := ""
	if room := int((w - 6) / draw.CharWidth); room >= 3 {
		text = s.name()
		if s.Early > 0 {
			text = "✗ " + text
		}
		text = draw.Clip(text, room)
		p.c.Text(x+4, y+12, "start", text, "")
	}
	if s.Kind == work.Wait { // a hatch doubles the hue
		if beside := float64(draw.Width(text))*draw.CharWidth + 6; text != "" && w-beside > 12 {
			x, w = x+beside, w-beside
		}
		p.c.Path(slanted(x, y, w, timelineRow-4), fill, draw.Thin)
	}
}

// arrows draws who asked for what, dotted, and what each wait waited for.
func (p *timelinePlot) arrows() {
	n, last := 0, map[int]float64{} // where a lane's latest dotted line ends
	for _, s := range p.t.spans() {
		y, drawn := p.top[s]
		if !drawn || n > maxArrows {
			continue
		}
		x := p.x(s.Begin)
		if s.Lane > 0 && len(p.lane) > 0 && s.Kind != work.Record && s.Begin < p.t.Nanos &&
			(last[s.Lane] == 0 || draw.Abs(int(x-last[s.Lane])) >= 2) {
			last[s.Lane] = x
			n++
			p.c.Path(fmt.Sprintf("M%s %sL%s %s", draw.Num(p.x(s.Asked)), draw.Num(p.lane[0]), draw.Num(x), draw.Num(y)),
				"currentColor", `stroke-dasharray="1 3" stroke-opacity="0.6"`)
		}
		if o := p.t.span(s.After); o != nil && p.reaches(o) {
			p.arrow(p.x(o.End), p.top[o]+timelineRow/2-2, p.x(s.End), p.edge(s, o), "currentColor")
		}
		if o := p.t.span(s.Early); o != nil && p.reaches(o) {
			p.arrow(x, y+timelineRow-4, p.x(o.End), p.top[o], draw.Red)
		}
	}
}

func (p *timelinePlot) reaches(s *TimelineSpan) bool { _, ok := p.top[s]; return ok }

// edge is the edge of a span that is nearer to another.
func (p *timelinePlot) edge(s, o *TimelineSpan) float64 {
	if p.top[o] > p.top[s] {
		return p.top[s] + timelineRow - 4
	}
	return p.top[s]
}

// arrow draws a line with a head at its end.
func (p *timelinePlot) arrow(x0, y0, x1, y1 float64, stroke string) {
	dir := 5.0
	if y1 > y0 {
		dir = -5
	}
	p.c.Path(fmt.Sprintf("M%s %sL%s %sM%s %sL%s %sL%s %s", draw.Num(x0), draw.Num(y0), draw.Num(x1), draw.Num(y1),
		draw.Num(x1-3.5), draw.Num(y1+dir), draw.Num(x1), draw.Num(y1), draw.Num(x1+3.5), draw.Num(y1+dir)), stroke,
		`stroke-width="1.2"`)
}

// faults are what came too early, and the error that ended the function.
func (t *StreamTimeline) faults(c *draw.Canvas, y float64) *draw.Canvas {
	for i, s := range t.hazards() {
		if i == 3 {
			break
		}
		y = c.Lines(8, y+12, t.warning(s), draw.RedText)
	}
	if t.Error != "" {
		c.Lines(8, y+12, "✗ "+t.Error, draw.RedText)
	}
	return c
}

// SVG draws the lanes, complete in itself.
func (t *StreamTimeline) SVG() string { return t.picture().Alone("timeline of streams") }

// HTML is the picture, with the text beneath.
func (t *StreamTimeline) HTML() string {
	return draw.Pictured(t.picture(), "timeline of streams", t.Text(false))
}
