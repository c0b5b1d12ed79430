package streams

import (
	"fmt"
	"slices"

	work "gotorch/internal/streams"
	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/runs"
)

// StreamTimeline is what the host and the streams of devices that answer later did while a function ran:
// timeline_text.go, timeline_svg.go and timeline_chrome.go show it.
type StreamTimeline struct {
	Nanos int64          `json:"ns"`    // until the streams had no more work
	Lanes []TimelineLane `json:"lanes"` // the host's first
	Error string         `json:"error,omitempty"`

	byID []*TimelineSpan // see spans
}

// TimelineLane is what the host did, or one stream.
type TimelineLane struct {
	Name  string          `json:"name"` // host, async:0 default, async:0 stream 1
	Spans []*TimelineSpan `json:"spans"`
}

// TimelineSpan is something that the host or a stream did. Times are nanoseconds since the beginning.
type TimelineSpan struct {
	ID    int    `json:"id"`   // from 1, in the order in which they were asked for
	Lane  int    `json:"lane"` // of Lanes
	Op    string `json:"op"`
	Kind  string `json:"kind"`           // call, wait, read, write; of a stream: kernel, copy, sleep, record, wait
	Site  string `json:"site,omitempty"` // the cell and line that asked for it
	Asked int64  `json:"asked_ns"`
	Begin int64  `json:"begin_ns"`
	End   int64  `json:"end_ns"`
	Open  bool   `json:"open,omitempty"`  // it had not ended when the recording did
	By    int    `json:"by,omitempty"`    // the host's span that asked for it
	After int    `json:"after,omitempty"` // of a wait: what it waits for
	Early int    `json:"early,omitempty"` // of a read or write of pinned memory: a copy of it that had not ended
}

// maxTimeline is how many spans a timeline keeps.
const maxTimeline = 2000

// Timeline runs f and shows what the host and the streams did meanwhile: the host's calls, its waiting and its reads
// and writes of pinned memory; the kernels, copies and waits of each stream; who asked for what, and which wait waited
// for which event. It waits until the streams have no more work. A panic of f goes on. Without a device that answers
// later, such as async:0, it panics with an *Error.
func Timeline(f func()) *StreamTimeline {
	t, panicked := RecordTimeline(f)
	if panicked != nil {
		panic(panicked)
	}
	return t
}

// RecordTimeline runs f like [Timeline] and returns the view also when f panics, with the panic's value, with which
// the caller should panic again.
func RecordTimeline(f func()) (t *StreamTimeline, panicked any) {
	r, panicked := work.Watch(f)
	if r == nil {
		panic(tensor.Errorf("timeline", "no device with streams is there").
			WithHint(`import _ "gotorch/backends/async" brings one`))
	}
	t = timelineOf(r)
	if panicked != nil {
		t.Error = draw.OneLine(fmt.Sprint(panicked), 200)
	}
	return t, panicked
}

// timelineOf arranges what was recorded in lanes.
func timelineOf(r *work.Recording) *StreamTimeline {
	t := &StreamTimeline{Nanos: r.Nanos, Lanes: []TimelineLane{{Name: work.Host}}}
	ids := map[*work.Span]int{}
	lanes := map[string]int{work.Host: 0}
	for _, s := range r.Spans {
		if len(t.byID) == maxTimeline {
			break
		}
		if s.Kind == work.Record && s.Op != work.Record { // the host's waiting made it
			continue
		}
		lane, known := lanes[s.Lane]
		if !known {
			lane = len(t.Lanes)
			lanes[s.Lane] = lane
			t.Lanes = append(t.Lanes, TimelineLane{Name: s.Lane})
		}
		x := &TimelineSpan{ID: len(t.byID) + 1, Op: draw.Tidy(s.Op), Kind: s.Kind, Site: draw.Tidy(s.Site.String()),
			Asked: s.Asked, Begin: s.Begin, End: s.End, Lane: lane}
		if s.Begin == 0 && lane > 0 {
			x.Begin = t.Nanos
		}
		if s.End == 0 {
			x.End, x.Open = t.Nanos, true
		}
		x.End = max(x.Begin, x.End)
		ids[s] = x.ID
		t.byID = append(t.byID, x)
		t.Lanes[lane].Spans = append(t.Lanes[lane].Spans, x)
	}
	slices.SortStableFunc(t.Lanes[1:], func(a, b TimelineLane) int { return compareNames(a.Name, b.Name) })
	for i, l := range t.Lanes {
		for _, s := range l.Spans {
			s.Lane = i
		}
	}
	for _, s := range r.Spans {
		if x := t.span(ids[s]); x != nil {
			x.By, x.Early, x.After = t.caller(x), ids[s.Early], ids[s.After]
			if s.After != nil && x.After == 0 {
				x.After = t.before(lanesIndex(t, s.After.Lane), s.After.Asked)
			}
		}
	}
	return t
}

func lanesIndex(t *StreamTimeline, name string) int {
	return slices.IndexFunc(t.Lanes, func(l TimelineLane) bool { return l.Name == name })
}

// compareNames sorts "stream 2" before "stream 10".
func compareNames(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// span is the span with an ID, nil for 0.
func (t *StreamTimeline) span(id int) *TimelineSpan {
	if all := t.spans(); id > 0 && id <= len(all) {
		return all[id-1]
	}
	return nil
}

// spans are those of all lanes, by ID.
func (t *StreamTimeline) spans() []*TimelineSpan {
	if t.byID == nil {
		for _, l := range t.Lanes {
			t.byID = append(t.byID, l.Spans...)
		}
		slices.SortFunc(t.byID, func(a, b *TimelineSpan) int { return a.ID - b.ID })
	}
	return t.byID
}

// caller is the host's innermost span in which a stream was asked for x.
func (t *StreamTimeline) caller(x *TimelineSpan) (id int) {
	if x.Lane == 0 {
		return 0
	}
	for _, h := range t.Lanes[0].Spans {
		if h.Kind == work.Call && h.Begin <= x.Asked && x.Asked <= h.End {
			id = h.ID
		}
	}
	return id
}

// before is the last work that the stream had been asked for at a time.
func (t *StreamTimeline) before(lane int, asked int64) (id int) {
	if lane < 0 {
		return 0
	}
	for _, s := range t.Lanes[lane].Spans {
		if s.Asked <= asked && s.Kind != work.Record {
			id = s.ID
		}
	}
	return id
}

// works reports whether a stream is at work in the span: it does not wait.
func (s *TimelineSpan) works() bool {
	return s.Kind == work.Kernel || s.Kind == work.Copy || s.Kind == work.Sleep
}

// nanos is how long it took.
func (s *TimelineSpan) nanos() int64 { return s.End - s.Begin }

// letters name the first spans.
const letters = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// label is one letter, • for those for which there is none.
func (s *TimelineSpan) label() string { return labelOf(s.ID) }

func labelOf(id int) string {
	if id < 1 || id > len(letters) {
		return "•"
	}
	return letters[id-1 : id]
}

// name is the operator, and what is done with it where that says more.
func (s *TimelineSpan) name() string {
	switch {
	case s.works() || s.Kind == s.Op:
		return s.Op
	}
	return s.Op + " (" + s.Kind + ")"
}

// because says who asked for the span, what it waits for, or what it came before. other names a span.
func (t *StreamTimeline) because(s *TimelineSpan, other func(*TimelineSpan) string) string {
	switch {
	case s.Early > 0:
		found := "finds old numbers"
		if s.Kind == work.Write {
			found = "changes what it copies"
		}
		return fmt.Sprintf("✗ before %s ends: %s", other(t.span(s.Early)), found)
	case s.After > 0:
		return "waits for " + other(t.span(s.After))
	case s.Kind == work.Wait && s.Lane > 0:
		return "waits until it is released"
	case s.By > 0:
		return "asked for by " + other(t.span(s.By))
	}
	return ""
}

// tip tells all about a span.
func (t *StreamTimeline) tip(s *TimelineSpan) string {
	text := s.label() + "  " + s.name()
	if s.Site != "" {
		text += "  " + s.Site
	}
	text += fmt.Sprintf("\n%s: from %s to %s, %s", t.Lanes[s.Lane].Name, runs.Duration(s.Begin), runs.Duration(s.End),
		runs.Duration(s.nanos()))
	if s.Open {
		text += ", not ended"
	}
	if s.Lane > 0 {
		text += "\nasked for at " + runs.Duration(s.Asked)
	}
	if b := t.because(s, func(o *TimelineSpan) string { return o.label() + " " + o.name() }); b != "" {
		text += "\n" + b
	}
	return text
}

// hazards are the host's reads and writes that came before a copy had ended.
func (t *StreamTimeline) hazards() (list []*TimelineSpan) {
	for _, s := range t.Lanes[0].Spans {
		if s.Early > 0 {
			list = append(list, s)
		}
	}
	return list
}

// warning says what a hazard is.
func (t *StreamTimeline) warning(s *TimelineSpan) string {
	c := t.span(s.Early)
	what := "it read old numbers"
	if s.Kind == work.Write {
		what = "it changed what was yet to be copied"
	}
	late := ", " + runs.Duration(c.End-s.Begin) + " later"
	if c.Open {
		late = ""
	}
	at := ""
	if s.Site != "" {
		at = " in " + s.Site
	}
	return fmt.Sprintf("✗ the host's %s of pinned memory (%s%s) came before the copy %s ended%s: %s", s.Kind,
		s.label(), at, c.label(), late, what)
}
