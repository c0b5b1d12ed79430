package interp

import (
	"context"
	"io"
	"maps"
	"reflect"
	"slices"
	"time"

	"gotorch/internal/journal"
	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/shell"
	"gotorch/interp/values"
	"gotorch/tensor"
	"gotorch/visualize"
)

// commands is a session as the commands of its cells see it.
type commands struct{ *Session }

var _ shell.Session = commands{}

func (c commands) Eval(ctx context.Context, src string) ([]Value, *Error) {
	return c.evalText(ctx, src)
}
func (c commands) Go(ctx context.Context, src string) ([]Value, *Error) { return c.evalGo(ctx, src) }
func (c commands) Check(src string) (*check.Checked, *Error)            { return c.checked(src) }

// Record runs a cell whose statements stand inside of record, on the cell's own goroutine: what is recorded belongs to
// a goroutine.
func (c commands) Record(ctx context.Context, src string, record shell.Recorder, dry bool) ([]Value, *Error) {
	s := c.Session
	checked, p, err := s.prepare(ctx, s.cellName(), src)
	if err != nil {
		return nil, err
	}
	var restore func()
	if dry {
		restore = s.snapshot()
	}
	views := make(chan visualize.View, 1) // one that was interrupted may come to it when nobody waits any more
	s.eng.Extend("Around", func(run func()) {
		view, panicked := record(func() {
			if dry { // a recorder may run it again: variables are then as they were
				defer func() {
					s.mu.Lock()
					defer s.mu.Unlock()
					restore()
				}()
			}
			run()
		})
		if view != nil {
			views <- view
		}
		if panicked != nil {
			panic(panicked)
		}
	})
	lower.Around(p, "Around")
	rerr := s.perform(ctx, p)
	s.mu.Lock()
	defer s.mu.Unlock()
	step, _ := s.progress.end()
	switch {
	case dry:
		restore()
		s.low.Undo(p)
	case !unperformed(rerr):
		s.commit(checked, p, step)
	}
	var vals []Value
	select {
	case view := <-views:
		vals = append(vals, s.valueOf(view))
	default:
	}
	if rerr != nil {
		return vals, s.runError(rerr)
	}
	return vals, nil
}

// snapshot records the tensors that variables hold, and returns the function that restores them.
func (s *Session) snapshot() (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var vars []reflect.Value
	for _, d := range s.env.Names() {
		if v := values.Slot(d); v.IsValid() {
			vars = append(vars, v)
		}
	}
	return values.Snapshot(vars)
}

func (c commands) Sample(every time.Duration, f func()) (found map[shell.Place]int, looks int) {
	lines, stop, stopped := map[int]int{}, make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				lines[c.eng.Line()]++
				looks++
			}
		}
	}()
	c.low.EveryLine = true
	f()
	c.low.EveryLine = false
	close(stop)
	<-stopped
	c.mu.Lock()
	defer c.mu.Unlock()
	found = map[shell.Place]int{}
	for code, n := range lines {
		if _, line := lower.Decode(code); line > 0 { // the statements of a line are one row
			found[c.placeOf(code)] += n
		}
	}
	return found, looks
}

// placeOf is the line that the engine noted. s.mu is held.
func (s *Session) placeOf(code int) shell.Place {
	at := &Error{}
	s.locate(at, code)
	return shell.Place{Cell: at.Cell, Line: at.Line, Source: at.Source}
}

func (c commands) File(name string, f func()) {
	called := c.called
	c.rename(name)
	defer c.rename(called)
	f()
}

func (s *Session) rename(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.called = name
}

func (c commands) Aside(f func()) {
	last := c.last
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = last
}

func (c commands) Goroutines() (all []shell.Goroutine) {
	running := c.eng.Goroutines()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range running {
		all = append(all, shell.Goroutine{ID: g.ID, Began: g.Began, Place: c.placeOf(g.Line)})
	}
	return all
}

func (c commands) StopGoroutines() (ended, left int, err *Error) {
	ended, failed := c.eng.StopGoroutines()
	if failed != nil {
		return 0, 0, c.runError(failed)
	}
	return ended, c.Session.Goroutines(), nil
}

func (c commands) Cells() map[int]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.history.in)
}

func (c commands) Lost() *journal.Lost                  { return c.opts.Lost }
func (c commands) Found()                               { c.opts.Lost = nil }
func (c commands) Note(n int, src string) (done func()) { return c.opts.Journal.Begin(n, src) }

func (c commands) Failed(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.history.failed[n]
}

func (c commands) Shown(n int) (Value, bool) {
	c.mu.Lock()
	v, ok := c.history.vals[n]
	c.mu.Unlock()
	if !ok {
		return Value{}, false
	}
	return c.valueOf(v), true
}

func (c commands) LastGo() (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		return "", false
	}
	return c.last.Go(), true
}

func (c commands) Edited(src string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.edited = src
}

func (c commands) Keep() (limit, has int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opts.Keep, len(c.history.order)
}

func (c commands) SetKeep(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opts.Keep = n
	c.forgetOldest()
	c.updateInOut()
}

func (c commands) SourceOf(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sourceOf(c.env.Lookup(name))
}

func (c commands) Split(name string, text []byte) (texts []string, err error) {
	parts, err := c.Parts(name, text)
	for _, p := range parts {
		texts = append(texts, p.Text())
	}
	return texts, err
}

func (c commands) Env() (env *check.Env, done func()) {
	c.mu.Lock()
	return c.env, c.mu.Unlock
}

func (c commands) Describe(name string, detail bool) (Help, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.describe(name, len(name), detail, true)
}

func (c commands) Tensors() (named, kept map[*tensor.Tensor]string) {
	named, kept = c.tensorNames(values.Far), map[*tensor.Tensor]string{}
	c.eachOut(values.Far, func(x *tensor.Tensor, name string) {
		if named[x] == "" {
			values.Better(kept, x, name)
		}
	})
	return named, kept
}

func (c commands) Forget(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.env.Names() {
		if len(names) == 0 || slices.Contains(names, d.Name) {
			values.Release(d)
			c.env.Forget(d.Name)
		}
	}
	if len(names) == 0 {
		c.env.ForgetDefined()
		c.registrations.undo()
		c.history = history{}
	}
}

func (c commands) Stdout() io.Writer { return (*c.sink.Load()).Stdout() }
func (c commands) Stderr() io.Writer { return (*c.sink.Load()).Stderr() }

func (c commands) Front() shell.Front {
	f, _ := (*c.sink.Load()).(shell.Front)
	return f
}

func (c commands) Terminal() shell.Terminal {
	t, _ := (*c.sink.Load()).(shell.Terminal)
	return t
}

func (c commands) Capture(f func()) (printed string) {
	was := *c.sink.Load()
	to := &capturedSink{Sink: Discard, was: was}
	c.eng.Flush()
	c.sendTo(to)
	f()
	c.eng.Flush()
	c.sendTo(was)
	to.end(was.Stdout())
	return to.String()
}

func (c commands) NoSkip() bool                  { return c.opts.NoSkip }
func (c commands) Restricted(what string) *Error { return c.restricted(what) }
func (c commands) Stack() int                    { return c.eng.Stack() }
func (c commands) SetStack(n int)                { c.eng.SetStack(n) }
