package streams

import (
	"io"

	work "gotorch/internal/streams"
	"gotorch/visualize/runs"
)

// Chrome writes the timeline in Chrome's trace-event format, which ui.perfetto.dev and chrome://tracing open: a thread
// for the host and one for each stream, a slice for each span, and arrows from a call to what it asked for, and from
// what is waited for to the wait.
func (t *StreamTimeline) Chrome(w io.Writer) error {
	return runs.WriteChrome(w, t.events)
}

func micros(n int64) float64 { return float64(n) / 1e3 }

// events calls put with each event of the file.
func (t *StreamTimeline) events(put func(runs.ChromeEvent)) {
	named := func(what string, lane int, args map[string]any) {
		put(runs.ChromeEvent{Name: what, Phase: "M", Pid: 1, Tid: lane, Args: args})
	}
	named("process_name", 0, map[string]any{"name": "gotorch"})
	for i, l := range t.Lanes {
		named("thread_name", i, map[string]any{"name": l.Name})
		named("thread_sort_index", i, map[string]any{"sort_index": i})
	}
	arrows := 0
	arrow := func(name string, from *TimelineSpan, at int64, to *TimelineSpan, then int64) {
		arrows++
		put(runs.ChromeEvent{Name: name, Cat: name, Phase: "s", Ts: micros(at), Pid: 1, Tid: from.Lane, ID: arrows})
		put(runs.ChromeEvent{Name: name, Cat: name, Phase: "f", Ts: micros(then), Pid: 1, Tid: to.Lane, ID: arrows,
			Bind: "e"})
	}
	for _, s := range t.spans() {
		args := map[string]any{"id": s.ID, "asked_us": micros(s.Asked)}
		if s.Site != "" {
			args["site"] = s.Site
		}
		if why := t.because(s, (*TimelineSpan).name); why != "" {
			args["because"] = why
		}
		if s.Open {
			args["ended"] = false
		}
		took := micros(s.nanos())
		put(runs.ChromeEvent{Name: s.Op, Cat: s.Kind, Phase: "X", Ts: micros(s.Begin), Dur: &took, Pid: 1, Tid: s.Lane,
			Args: args})
		if h := t.span(s.By); h != nil && !s.Open && s.Kind != work.Record {
			arrow("asks", h, s.Asked, s, s.Begin)
		}
		if o := t.span(s.After); o != nil && !s.Open && !o.Open {
			arrow("waits", o, o.End, s, s.End)
		}
	}
	if t.Error != "" {
		put(runs.ChromeEvent{Name: "error: " + t.Error, Cat: "error", Phase: "i", Ts: micros(t.Nanos), Pid: 1, Scope: "p"})
	}
}
