package visualize

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"gotorch/tensor"
)

// Trace is what the dispatcher did while a function ran: a tree of calls, each with the keys that it went through.
type Trace struct {
	Calls []*TracedCall `json:"calls"`
	More  int           `json:"more,omitempty"`  // calls beyond maxEvents, which are only counted
	Error string        `json:"error,omitempty"` // the panic that ended the function
}

// TracedCall is one call of an operator.
type TracedCall struct {
	Op     string        `json:"op"`
	Args   []string      `json:"args"`
	Keys   []string      `json:"keys"` // the key set that it began with, highest first, without Trace
	Site   string        `json:"site,omitempty"`
	Steps  []Step        `json:"steps"`
	Inner  []*TracedCall `json:"calls,omitempty"` // what its kernels called
	Result []string      `json:"result,omitempty"`
	Bytes  int           `json:"bytes"` // of the results, where they are new
	Nanos  int64         `json:"ns"`    // with everything beneath, but without the time that tracing took
	Note   string        `json:"note,omitempty"`
	Error  string        `json:"error,omitempty"`

	like uint64 // equal for calls that are folded into one line; see likeness
}

// Step is what happened at one key.
type Step struct {
	Key  string `json:"key"`
	Kind string `json:"kind"` // kernel, fallback, composite, fallthrough
	What string `json:"what,omitempty"`
}

// TraceFunc runs f and shows what the dispatcher did for it, in this goroutine. A panic of f goes on.
func TraceFunc(f func()) *Trace {
	t, panicked := Record(f)
	if panicked != nil {
		panic(panicked)
	}
	return t
}

// Record runs f like [TraceFunc] and gives the trace also when f panics, with the panic's value, with which the caller should panic again.
func Record(f func()) (t *Trace, panicked any) {
	r := newRecorder()
	ended := false
	defer func() {
		if !ended {
			if panicked = recover(); panicked == nil {
				return // runtime.Goexit: nobody reads the trace
			}
		}
		t = r.write()
		if panicked != nil {
			t.Error = oneLine(fmt.Sprint(panicked), 300)
		}
	}()
	tensor.InScope(func(s *tensor.Scope) {
		s.Trace = r
		s.Include(tensor.Set(tensor.KeyTrace))
	}, f)
	ended = true
	return nil, nil
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
	for _, s := range []string{c.Op, c.Site, c.Error, strings.Join(c.Args, "\x00"), strings.Join(c.Keys, " ")} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	for _, in := range c.Inner {
		h.Write(binary.LittleEndian.AppendUint64(nil, in.likeness()))
	}
	c.like = h.Sum64() | 1
	return c.like
}

// fold is calls that are repeated.
type fold struct {
	calls []*TracedCall // one round
	all   []*TracedCall // all rounds
	times int
}

// maxPeriod is how many calls a round has that is looked for.
const maxPeriod = 48

// folded groups calls into rounds that are alike and follow each other. A call that is not repeated is a fold of its own.
func folded(calls []*TracedCall) (folds []fold) {
	for i := 0; i < len(calls); {
		best := fold{calls[i : i+1], calls[i : i+1], 1}
		for p := 1; p <= maxPeriod && i+2*p <= len(calls); p++ {
			end := i + p
			for end < len(calls) && calls[end].likeness() == calls[end-p].likeness() {
				end++
			}
			if n := (end - i) / p; n > 1 {
				best = fold{calls[i : i+p], calls[i : i+n*p], n}
				break
			}
		}
		folds = append(folds, best)
		i += len(best.all)
	}
	return folds
}

// nanos is the time that all rounds took, with what is beneath them.
func (f *fold) nanos() (n int64) {
	for _, c := range f.all {
		n += c.Nanos
	}
	return n
}

// count is the number of calls in all rounds, inner ones included.
func (f *fold) count() int { return (&Trace{Calls: f.all}).Count() }

// says is × 50, with the times.
func (f *fold) says() string {
	return fmt.Sprintf("%s × %d   %s a round, %s in all", counted(len(f.calls), "call"), f.times, nanosText(f.nanos()/int64(f.times)), nanosText(f.nanos()))
}
