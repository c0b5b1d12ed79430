package draw

import (
	"fmt"

	"gotorch/tensor"
)

// WithRecorder runs f with a recorder that sees the calls of this goroutine.
func WithRecorder(recorder any, f func()) {
	tensor.InScope(func(s *tensor.Scope) {
		s.Trace = recorder
		s.Include(tensor.Set(tensor.KeyTrace))
	}, f)
}

// Record is traced, and gives the panic that ended f. done is called at the end, with the panic in words; but not where the goroutine ends
// inside of f: nobody reads a recording then.
func Record(recorder any, f func(), done func(failure string)) (panicked any) {
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
