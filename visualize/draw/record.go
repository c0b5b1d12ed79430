package draw

import (
	"fmt"

	"gotorch/tensor"
)

// A Recorder sees the calls of operators of one goroutine.
type Recorder interface {
	// Watch sees a call before it is made, and makes it: c.Next().
	Watch(c *tensor.Call)
}

func init() {
	tensor.RegisterFallback(tensor.KeyTrace, func(c *tensor.Call) {
		if r, ok := tensor.CurrentScope().Trace.(Recorder); ok {
			r.Watch(c)
			return
		}
		c.Next()
	})
}

// WithRecorder runs f with a recorder that sees the calls of this goroutine.
func WithRecorder(recorder Recorder, f func()) {
	tensor.InScope(func(s *tensor.Scope) {
		s.Trace = recorder
		s.Include(tensor.Set(tensor.KeyTrace))
	}, f)
}

// Record runs f with a recorder and returns the panic that ended f. done is called at the end, with the panic in
// words; but not where the goroutine exits inside f: nobody reads a recording then.
func Record(recorder Recorder, f func(), done func(failure string)) (panicked any) {
	ended := false
	defer func() {
		failure := ""
		if !ended {
			if panicked = recover(); panicked == nil {
				return // runtime.Goexit
			}
			failure = OneLine(fmt.Sprint(panicked), 300)
		}
		done(failure)
	}()
	WithRecorder(recorder, f)
	ended = true
	return nil
}
