package runs

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// Caption follows the first call through the dispatcher.
func (t *Trace) Caption() string {
	if len(t.Calls) == 0 {
		return ""
	}
	c := t.Calls[0]
	var keys []string
	for _, s := range c.Steps {
		keys = append(keys, s.Key)
	}
	times := draw.InWords(len(keys), "time")
	if len(keys) == 1 {
		times = "once"
	}
	text := fmt.Sprintf("%s is dispatched %s, at %s", c.Op, times, draw.And(keys, 6))
	if len(keys) == 0 {
		text = c.Op + " reaches no kernel"
	}
	if n := below(c); n > 0 {
		text += fmt.Sprintf(", and calls %s beneath", draw.InWords(n, "other operator"))
	}
	if c.Bytes > 0 {
		text += fmt.Sprintf("; its result takes %s", bytesize.Text(c.Bytes))
	}
	if n := len(t.Calls) + t.More - 1; n > 0 {
		text += fmt.Sprintf(". It is the first of %s", draw.Counted(n+1, "call"))
	}
	return text + "."
}

// below counts the calls beneath a call.
func below(c *TracedCall) (n int) {
	for _, i := range c.Inner {
		n += 1 + below(i)
	}
	return n
}

// Caption says which operator took the largest part of the time.
func (t *Timing) Caption() string {
	if len(t.Operators) == 0 || t.Nanos <= 0 {
		return ""
	}
	o := t.Operators[0]
	return fmt.Sprintf("Of %s, %s took the longest by itself: %s, %.0f %% of the time.", draw.Counted(t.Calls, "call"),
		o.Op,
		draw.Counted(o.Calls, "call"), 100*float64(o.Nanos)/float64(t.Nanos))
}

// Caption says how high the memory went, where, and what is left of it.
func (t *MemoryTimeline) Caption() string {
	if len(t.Storages) == 0 {
		return ""
	}
	text := fmt.Sprintf("The most that was in use at once is %s", bytesize.Text(t.Peak))
	if t.PeakOp != "" {
		text += ", in " + t.PeakOp
	}
	if t.PeakSaved > 0 {
		text += fmt.Sprintf("; up to %s were held for the backward pass", bytesize.Text(t.PeakSaved))
	}
	if n := len(t.Marks); n > 0 {
		text += fmt.Sprintf(", and %s of the %s that were made are there at the end", bytesize.Text(t.Marks[n-1].Live),
			bytesize.Text(t.Made))
	}
	return text + "."
}

// Caption says how far the generator has come.
func (v *RandomView) Caption() string {
	if len(v.Generators) == 0 {
		return ""
	}
	g := v.Generators[0]
	name := g.Name
	if strings.HasSuffix(name, "generator") {
		name = "The " + name
	}
	return fmt.Sprintf("%s has given %s since it was seeded with %d: the same seed and the same calls give the same "+
		"numbers again.", name, draw.Counted(int(g.Drawn), "number"), g.Seed)
}
