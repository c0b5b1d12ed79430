package streams

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	work "gotorch/internal/streams"
	"gotorch/visualize/draw"
	"gotorch/visualize/runs"
)

const (
	timelineWide  = 80 // columns
	timelineRows  = 40 // spans in the table
	timelineLanes = 12
)

// timelineFill are the characters of a span's columns, by kind, and its hue.
var timelineFill = map[string]struct {
	fill string
	hue  int
}{
	work.Call: {"▒", 0}, work.Wait: {"░", 5}, work.Read: {"R", 6}, work.Write: {"W", 6},
	work.Kernel: {"█", 2}, work.Copy: {"▓", 1}, work.Sleep: {"─", 4}, work.Record: {"◆", 3},
}

// timelineKinds are the kinds in the order of the legend.
var timelineKinds = []string{work.Call, work.Kernel, work.Copy, work.Sleep, work.Wait, work.Read,
	work.Write, work.Record}

// String is the text without colour.
func (t *StreamTimeline) String() string { return t.Text(false) }

// MIMEBundle is the view in all forms.
func (t *StreamTimeline) MIMEBundle() map[string]any { return draw.Bundle(t) }

// head sums up.
func (t *StreamTimeline) head() string {
	n := len(t.Lanes) - 1
	text := fmt.Sprintf("%s   %s", runs.Duration(t.Nanos), draw.Counted(n, "stream"))
	if w := t.hostWaits(); w > 0 {
		text += "   the host waits " + runs.Duration(w)
	}
	return text
}

// Text draws a line for the host and one for each stream, and lists what stands in them.
func (t *StreamTimeline) Text(color bool) string {
	lines := []string{draw.Bold(color, "timeline") + "   " + t.head()}
	if len(t.spans()) == 0 {
		lines = append(lines, "no stream was asked for anything")
	} else {
		lines = append(lines, t.lanesText(color)...)
		lines = append(lines, "")
		for _, l := range draw.Wrap(t.legend(), draw.TextWidth(timelineWide)) {
			lines = append(lines, draw.Dim(color, l))
		}
		lines = append(lines, t.table(color)...)
	}
	for i, s := range t.hazards() {
		if i == 3 {
			lines = append(lines, fmt.Sprintf("✗ and %d more", len(t.hazards())-3))
			break
		}
		for k, l := range draw.Wrap(t.warning(s), draw.TextWidth(timelineWide)-2) {
			if k > 0 {
				l = "  " + l
			}
			lines = append(lines, draw.Paint(color, 5, l))
		}
	}
	if t.Error != "" {
		for _, l := range draw.Wrap("✗ "+t.Error, draw.TextWidth(timelineWide)) {
			lines = append(lines, draw.Paint(color, 5, l))
		}
	}
	return strings.Join(lines, "\n")
}

// lanesText are the axis and the lanes.
func (t *StreamTimeline) lanesText(color bool) (lines []string) {
	name := 0
	for _, l := range t.Lanes {
		name = max(name, draw.Width(l.Name))
	}
	name = min(name, 24)
	n := max(20, draw.TextWidth(timelineWide)-name-2)
	half, end := runs.Duration(t.Nanos/2), runs.Duration(t.Nanos)
	axis := "0" + draw.PadLeft(half, n/2-1+draw.Width(half)/2)
	axis += draw.PadLeft(end, n-draw.Width(axis))
	lines = append(lines, draw.Dim(color, strings.Repeat(" ", name+2)+axis))
	for i, l := range t.Lanes {
		if i == timelineLanes {
			lines = append(lines, "… "+draw.Counted(len(t.Lanes)-i, "more stream"))
			break
		}
		lines = append(lines, draw.PadRight(draw.Clip(l.Name, name), name)+"  "+t.laneText(l.Spans, n, color))
	}
	return lines
}

// laneText is a lane in n columns: long spans first, so that short ones within them are seen.
func (t *StreamTimeline) laneText(spans []*TimelineSpan, n int, color bool) string {
	type cell struct {
		text string
		hue  int
		of   *TimelineSpan // whose letter it is
	}
	cells := make([]cell, n)
	sorted := slices.Clone(spans)
	slices.SortStableFunc(sorted, func(a, b *TimelineSpan) int { return cmp.Compare(b.nanos(), a.nanos()) })
	at := func(nanos int64) int { return int(float64(nanos) / float64(max(1, t.Nanos)) * float64(n)) }
	for _, s := range sorted {
		look := timelineFill[s.Kind]
		from := min(at(s.Begin), n-1)
		to := max(from+1, min(at(s.End), n))
		for k := from; k < to; k++ {
			c := &cells[k]
			switch {
			case k > from && c.of != nil: // a letter stays
			case k > from:
				*c = cell{look.fill, look.hue, nil}
			case len(t.spans()) > len(letters): // there is no letter for each
				if c.text == "" {
					*c = cell{look.fill, look.hue, nil}
				}
			case c.of != nil:
				c.text = "+"
			default:
				*c = cell{s.label(), look.hue, s}
			}
		}
	}
	var b strings.Builder
	for _, c := range cells {
		if c.text == "" {
			b.WriteString(draw.Dim(color, "·"))
		} else {
			b.WriteString(draw.Paint(color, c.hue, c.text))
		}
	}
	return b.String()
}

// legend names the characters that stand in the lanes.
func (t *StreamTimeline) legend() string {
	var parts []string
	for _, k := range timelineKinds {
		if k == work.Read || k == work.Write || k == work.Record {
			continue // they are short, and have their letter
		}
		if slices.ContainsFunc(t.spans(), func(s *TimelineSpan) bool { return s.Kind == k }) {
			parts = append(parts, timelineFill[k].fill+" "+k)
		}
	}
	if len(t.spans()) <= len(letters) {
		parts = append(parts, "+ several", "a letter: where a span begins")
	}
	return strings.Join(parts, "   ")
}

// rows are the cells of the table, and how many spans are left out.
func (t *StreamTimeline) rows() (g *draw.Tabular, left int) {
	g = &draw.Tabular{Head: []string{"", "what", "lane", "line", "begins", "takes", ""}}
	sorted := slices.Clone(t.spans())
	slices.SortStableFunc(sorted, func(a, b *TimelineSpan) int { return cmp.Compare(a.Begin, b.Begin) })
	for _, s := range sorted {
		if len(g.Rows) == timelineRows {
			left++
			continue
		}
		takes := runs.Duration(s.nanos())
		switch {
		case s.Open:
			takes = "not ended"
		case s.Kind == work.Record:
			takes = ""
		}
		why := t.because(s, (*TimelineSpan).label)
		if s.Early > 0 {
			why = "✗ before " + labelOf(s.Early) + " ends"
		}
		why = strings.Replace(strings.Replace(why, "asked for by ", "← ", 1), "waits for ", "after ", 1)
		why = strings.Replace(why, "waits until it is released", "held", 1)
		g.Rows = append(g.Rows, []string{s.label(), draw.Clip(s.name(), 14), shortLane(t.Lanes[s.Lane].Name),
			draw.Clip(s.Site, 14), runs.Duration(s.Begin), takes, why})
		g.Hues = append(g.Hues, timelineFill[s.Kind].hue)
	}
	return g, left
}

// shortLane is the stream without its device.
func shortLane(name string) string {
	if _, stream, ok := strings.Cut(name, " "); ok {
		return stream
	}
	return name
}

func (t *StreamTimeline) table(color bool) []string {
	g, left := t.rows()
	lines := g.Text("", color)
	if left > 0 {
		lines = append(lines, "… "+draw.Counted(left, "more span"))
	}
	return lines
}
