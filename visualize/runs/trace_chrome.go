package runs

import (
	"bufio"
	"encoding/json"
	"io"
)

// Note: Chrome's trace-event format, its JSON object form: {"traceEvents": […]}, where an event has a name, a phase
// ph, a process pid, a thread tid, and a time ts in microseconds. Complete events (ph X) have a duration dur,
// metadata events (ph M) name processes and threads, instant events (ph i) have a scope s, an arrow goes from an event
// ph s to one ph f with the same id. Perfetto and chrome://tracing open it.

// ChromeEvent is one event of that format.
type ChromeEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Ts    float64        `json:"ts"` // microseconds
	Dur   *float64       `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Scope string         `json:"s,omitempty"`
	ID    int            `json:"id,omitempty"` // of an arrow
	Bind  string         `json:"bp,omitempty"` // e: its end is the slice around it
	Args  map[string]any `json:"args,omitempty"`
}

// Chrome writes the trace in Chrome's trace-event format, which ui.perfetto.dev and chrome://tracing open: a slice
// for each call with its arguments, keys and place, one for each kernel, and a thread for each helper goroutine.
func (t *Trace) Chrome(w io.Writer) error {
	b := bufio.NewWriter(w)
	c := chromeWriter{b: b}
	c.raw(`{"displayTimeUnit":"ns","traceEvents":[`)
	c.event(ChromeEvent{Name: "process_name", Phase: "M", Pid: 1, Args: map[string]any{"name": "gotorch"}})
	c.event(ChromeEvent{Name: "thread_name", Phase: "M", Pid: 1, Args: map[string]any{"name": workerName(0)}})
	named := map[int]bool{0: true}
	c.calls(t.Calls)
	for _, s := range t.Spans {
		if s.Worker == 0 {
			continue // its work is that of the kernels
		}
		if !named[s.Worker] {
			named[s.Worker] = true
			c.event(ChromeEvent{Name: "thread_name", Phase: "M", Pid: 1, Tid: s.Worker,
				Args: map[string]any{"name": workerName(s.Worker)}})
		}
		c.slice("loop", "worker", s.Worker, s.Start, s.Nanos, map[string]any{"call": s.Call, "chunks": s.Chunks})
	}
	if t.Error != "" {
		c.event(ChromeEvent{Name: "error: " + t.Error, Cat: "error", Phase: "i", Ts: micros(t.Nanos), Pid: 1, Scope: "p"})
	}
	c.raw("\n]}\n")
	if c.err != nil {
		return c.err
	}
	return b.Flush()
}

// WriteChrome writes the events that events calls put with.
func WriteChrome(w io.Writer, events func(put func(ChromeEvent))) error {
	b := bufio.NewWriter(w)
	c := chromeWriter{b: b}
	c.raw(`{"displayTimeUnit":"ns","traceEvents":[`)
	events(c.event)
	c.raw("\n]}\n")
	if c.err != nil {
		return c.err
	}
	return b.Flush()
}

func micros(n int64) float64 { return float64(n) / 1e3 }

type chromeWriter struct {
	b   *bufio.Writer
	n   int
	err error
}

func (c *chromeWriter) raw(s string) {
	if c.err == nil {
		_, c.err = c.b.WriteString(s)
	}
}

func (c *chromeWriter) event(e ChromeEvent) {
	data, err := json.Marshal(e)
	if err != nil && c.err == nil {
		c.err = err
	}
	if c.n > 0 {
		c.raw(",")
	}
	c.n++
	c.raw("\n" + string(data))
}

func (c *chromeWriter) slice(name, cat string, tid int, start, nanos int64, args map[string]any) {
	dur := micros(nanos)
	c.event(ChromeEvent{Name: name, Cat: cat, Phase: "X", Ts: micros(start), Dur: &dur, Pid: 1, Tid: tid, Args: args})
}

func (c *chromeWriter) calls(list []*TracedCall) {
	for _, e := range list {
		args := map[string]any{"args": e.Args, "keys": e.Keys}
		for name, s := range map[string]string{"site": e.Site(), "note": e.Note, "error": e.Error} {
			if s != "" {
				args[name] = s
			}
		}
		if len(e.Result) > 0 {
			args["result"] = e.Result
		}
		if e.Bytes > 0 {
			args["bytes"] = e.Bytes
		}
		c.slice(e.Op, "operator", 0, e.Start, e.Nanos, args)
		if from, to := e.kernelSpan(); to > from {
			c.slice(e.kernelName(), "kernel", 0, from, to-from, nil)
		}
		c.calls(e.Inner)
	}
}

// kernelSpan is when the call's kernel ran. What follows a kernel in a call is short, so it is taken to be its last;
// it begins no later than the calls that it makes.
func (e *TracedCall) kernelSpan() (from, to int64) {
	if e.Kernel <= 0 {
		return 0, 0
	}
	to = e.Start + e.Nanos
	from = max(e.Start, to-e.Kernel)
	if len(e.Inner) > 0 {
		from = max(e.Start, min(from, e.Inner[0].Start))
	}
	return from, to
}
