package streams

import (
	"cmp"
	"fmt"
	"slices"

	work "gotorch/internal/streams"
	"gotorch/visualize/draw"
	"gotorch/visualize/runs"
)

// interval is a part of the time.
type interval struct{ from, to int64 }

// union joins what overlaps.
func union(list []interval) (out []interval) {
	slices.SortFunc(list, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	for _, x := range list {
		if n := len(out); n > 0 && x.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, x.to)
		} else if x.to > x.from {
			out = append(out, x)
		}
	}
	return out
}

// common is how long a time of both lists is in common; each is a union.
func common(a, b []interval) (n int64) {
	for _, x := range a {
		for _, y := range b {
			n += max(0, min(x.to, y.to)-max(x.from, y.from))
		}
	}
	return n
}

func length(list []interval) (n int64) {
	for _, x := range list {
		n += x.to - x.from
	}
	return n
}

// times is when a lane has spans of which f holds.
func (t *StreamTimeline) times(lane int, f func(*TimelineSpan) bool) (list []interval) {
	for _, s := range t.Lanes[lane].Spans {
		if f(s) {
			list = append(list, interval{s.Begin, s.End})
		}
	}
	return union(list)
}

func isWait(s *TimelineSpan) bool { return s.Kind == work.Wait }

// hostWaits is how long the host waits.
func (t *StreamTimeline) hostWaits() int64 { return length(t.times(0, isWait)) }

// busiest are the two streams that work longest at the same time.
func (t *StreamTimeline) busiest() (a, b int, both int64) {
	work := make([][]interval, len(t.Lanes))
	for i := range t.Lanes {
		work[i] = t.times(i, (*TimelineSpan).works)
	}
	for i := 1; i < len(work); i++ {
		for k := i + 1; k < len(work); k++ {
			if n := common(work[i], work[k]); n > both {
				a, b, both = i, k, n
			}
		}
	}
	return a, b, both
}

// Caption says what overlapped, how long the host waited and for what, or what came too early.
func (t *StreamTimeline) Caption() string {
	if len(t.spans()) == 0 {
		return ""
	}
	if h := t.hazards(); len(h) > 0 {
		s, c := h[0], t.span(h[0].Early)
		found := "it found the numbers of before"
		if s.Kind == work.Write {
			found = "the copy takes what was written after it was asked for"
		}
		ended := fmt.Sprintf("ended only at %s", runs.Duration(c.End))
		if c.Open {
			ended = "had not ended when the recording did"
		}
		return fmt.Sprintf("The host's %s of pinned memory came at %s, and the copy of it on %s, asked for at %s, %s: %s.",
			s.Kind, runs.Duration(s.Begin), t.Lanes[c.Lane].Name, runs.Duration(c.Asked), ended, found)
	}
	var all []interval
	for i := range t.Lanes[1:] {
		all = append(all, t.times(i+1, (*TimelineSpan).works)...)
	}
	work := union(all)
	text := fmt.Sprintf("The streams worked for %s", runs.Duration(length(work)))
	if a, b, both := t.busiest(); both > 0 {
		text += fmt.Sprintf(", %s and %s at the same time for %s of it", t.Lanes[a].Name, t.Lanes[b].Name,
			runs.Duration(both))
	} else if len(t.Lanes) > 2 {
		text += ", never two at the same time"
	}
	if waits := t.times(0, isWait); len(waits) > 0 {
		text += fmt.Sprintf("; the host waited %s", runs.Duration(length(waits)))
		if s := t.longestWait(0); s != nil {
			text += fmt.Sprintf(", longest in %s", s.Op)
			if o := t.span(s.After); o != nil {
				text += fmt.Sprintf(" for %s on %s", o.Op, t.Lanes[o.Lane].Name)
			}
		}
	} else {
		text += "; the host never waited"
	}
	for i := range t.Lanes[1:] {
		s := t.longestWait(i + 1)
		if s == nil {
			continue
		}
		if o := t.span(s.After); o != nil {
			return text + fmt.Sprintf("; %s stood for %s until an event of %s.", t.Lanes[i+1].Name, runs.Duration(s.nanos()),
				t.Lanes[o.Lane].Name)
		}
	}
	return text + "."
}

// longestWait is the longest wait of a lane, nil for none.
func (t *StreamTimeline) longestWait(lane int) (longest *TimelineSpan) {
	for _, s := range t.Lanes[lane].Spans {
		if isWait(s) && (longest == nil || s.nanos() > longest.nanos()) {
			longest = s
		}
	}
	return longest
}

// timelineHow tells how to read the picture.
const timelineHow = "width is time   dotted: asked for   solid: an event, or an end, and who waited for it"

func (t *StreamTimeline) title() string { return draw.Clip("timeline   "+t.head(), 110) }
