package runs

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Trace is what the dispatcher did while a function ran: a tree of calls, each with the keys that it went through.
type Trace struct {
	Calls     []*TracedCall `json:"calls"`
	More      int           `json:"more,omitempty"`         // calls beyond maxEvents, which are only counted
	Error     string        `json:"error,omitempty"`        // the panic that ended the function
	Nanos     int64         `json:"ns"`                     // that the function took, without the time that tracing took
	Recording int64         `json:"recording_ns,omitempty"` // that tracing took
	// the work of loops that were shared out, where it was asked for
	Spans []Span `json:"spans,omitempty"`
	// whether every call is shown with its keys, however many they are
	All bool `json:"all,omitempty"`
}

// Span is the part that one goroutine had in a kernel's loop.
type Span struct {
	Worker int   `json:"worker"` // 0 is the goroutine that called the operator, others are its helpers
	Start  int64 `json:"start_ns"`
	Nanos  int64 `json:"ns"`
	Chunks int   `json:"chunks"`
	Call   int   `json:"call"` // the number of the call, in the order in which calls began
}

// TracedCall is one call of an operator.
type TracedCall struct {
	Op      string        `json:"op"`
	Args    []string      `json:"args"`
	Inputs  []Sized       `json:"inputs,omitempty"` // the tensors among the arguments
	Keys    []string      `json:"keys"`             // the key set that it began with, highest first, without Trace
	Modes   []string      `json:"modes,omitempty"`  // what held for the goroutine then: NoGrad, Backward
	Cell    string        `json:"cell,omitempty"`   // where it stands in the user's code
	Line    int           `json:"line,omitempty"`
	Func    string        `json:"func,omitempty"`    // of a cell, in which that is
	Modules []string      `json:"modules,omitempty"` // in whose forward pass it stands, from the outside
	Of      string        `json:"of,omitempty"`      // in a backward pass: the line of the forward pass, In[4]:1
	Steps   []Step        `json:"steps"`
	Inner   []*TracedCall `json:"calls,omitempty"` // what its kernels called
	Result  []string      `json:"result,omitempty"`
	Outputs []Sized       `json:"outputs,omitempty"`   // the results
	Bytes   int           `json:"bytes"`               // of the results, where they are new
	Moved   int           `json:"moved,omitempty"`     // bytes that the kernel must read or write at least
	Flops   float64       `json:"flops,omitempty"`     // of its kernel; see tensor.Call.Flops
	Start   int64         `json:"start_ns"`            // since the beginning, without the time that tracing took
	Nanos   int64         `json:"ns"`                  // with everything beneath, but without the time that tracing took
	Kernel  int64         `json:"kernel_ns,omitempty"` // of that, in the device's kernel
	Note    string        `json:"note,omitempty"`
	Error   string        `json:"error,omitempty"`

	like uint64 // equal for calls that are folded into one line; see likeness
}

// Sized tells the dtype and shape of a tensor.
type Sized struct {
	Dtype string `json:"dtype"`
	Shape []int  `json:"shape"`
}

func (s Sized) numel() float64 {
	n := 1.0
	for _, d := range s.Shape {
		n *= float64(d)
	}
	return n
}

// Site is where the call stands, In[4]:2, "" where that is unknown.
func (c *TracedCall) Site() string { return tensor.Site{Cell: c.Cell, Line: c.Line}.String() }

// Step is what happened at one key.
type Step struct {
	Key  string `json:"key"`
	Kind string `json:"kind"` // kernel, fallback, composite, fallthrough
	What string `json:"what,omitempty"`
	Left string `json:"left,omitempty"` // the keys with which a wrapping kernel calls on: {CPU}
}

// TraceFunc runs f and shows what the dispatcher did for it, in this goroutine. A panic of f goes on.
func TraceFunc(f func()) *Trace {
	t, panicked := Record(f)
	if panicked != nil {
		panic(panicked)
	}
	return t
}

// Record runs f like [TraceFunc] and returns the trace also when f panics, with the panic's value, with which the
// caller should panic again.
func Record(f func()) (t *Trace, panicked any) { return recordShared(f) }

// run runs f with the recorder on.
func (r *recorder) run(f func()) (t *Trace, panicked any) {
	panicked = draw.Record(r, f, func(failure string) {
		r.total = clock() - r.zero - r.spent
		t = r.write()
		t.Error = failure
	})
	return t, panicked
}

// failure is the call's error, unless a call beneath it tells it.
func (c *TracedCall) failure() string {
	if slices.ContainsFunc(c.Inner, func(in *TracedCall) bool { return in.Error == c.Error }) {
		return ""
	}
	return c.Error
}

// unsaid reports whether the error is none that a call of the trace tells.
func (t *Trace) unsaid() bool {
	return t.Error != "" && !slices.ContainsFunc(t.Calls, func(c *TracedCall) bool { return c.Error == t.Error })
}

// Count is the number of calls in the trace, inner ones included.
func (t *Trace) Count() int {
	n := t.More
	var add func([]*TracedCall)
	add = func(cs []*TracedCall) {
		for _, c := range cs {
			n++
			add(c.Inner)
		}
	}
	add(t.Calls)
	return n
}

// likeness is equal for calls of the same operator, at the same place, with the same arguments, keys and inner calls.
func (c *TracedCall) likeness() uint64 {
	if c.like != 0 {
		return c.like
	}
	h := fnv.New64a()
	for _, s := range []string{c.Op, c.Site(), c.Error, strings.Join(c.Args, "\x00"), strings.Join(c.Keys, " "),
		strings.Join(c.Modes, " ")} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	for _, s := range c.Steps {
		h.Write([]byte(s.What))
		h.Write([]byte{0})
	}
	for _, in := range c.Inner {
		h.Write(binary.LittleEndian.AppendUint64(nil, in.likeness()))
	}
	c.like = h.Sum64() | 1
	return c.like
}

// rounds is calls that are repeated.
type rounds struct {
	calls []*TracedCall // one round
	all   []*TracedCall // all rounds
	times int
}

// maxPeriod is how many calls a round has that is looked for.
const maxPeriod = 48

// folded groups calls into rounds that are alike and follow each other. A call that is not repeated is a fold of its
// own.
func folded(calls []*TracedCall) (folds []rounds) {
	for i := 0; i < len(calls); {
		best := rounds{calls[i : i+1], calls[i : i+1], 1}
		for p := 1; p <= maxPeriod && i+2*p <= len(calls); p++ {
			end := i + p
			for end < len(calls) && calls[end].likeness() == calls[end-p].likeness() {
				end++
			}
			if n := (end - i) / p; n > 1 {
				best = rounds{calls[i : i+p], calls[i : i+n*p], n}
				break
			}
		}
		folds = append(folds, best)
		i += len(best.all)
	}
	return folds
}

// nanos is the time that all rounds took, with what is beneath them.
func (f *rounds) nanos() (n int64) {
	for _, c := range f.all {
		n += c.Nanos
	}
	return n
}

// count is the number of calls in all rounds, inner ones included.
func (f *rounds) count() int { return (&Trace{Calls: f.all}).Count() }

// says is × 50, with the times.
func (f *rounds) says() string {
	return fmt.Sprintf("%s × %d   %s a round, %s in all", draw.Counted(len(f.calls), "call"), f.times,
		nanosText(f.nanos()/int64(f.times)), nanosText(f.nanos()))
}

// states is the key set and the modes of a call.
func (c *TracedCall) states() string {
	s := "keys {" + strings.Join(c.Keys, " ") + "}"
	if len(c.Modes) > 0 {
		s += "   in " + strings.Join(c.Modes, ", ")
	}
	return s
}

// says is what happened at a step, with the keys that it called on with.
func (s Step) says() string {
	text := s.What
	switch {
	case s.Kind == "fallthrough":
		return "↓ no kernel here: falls through"
	case text == "":
		text = s.Kind
	}
	if s.Left != "" {
		text += "   ↻ redispatch " + s.Left
	}
	return text
}
