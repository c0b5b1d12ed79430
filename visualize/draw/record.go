package draw

import (
	"fmt"

	"gotorch/tensor"
)

// A Recorder sees the calls of operators of one goroutine.
type Recorder = tensor.Recorder

// WithRecorder runs f with a recorder that sees the calls of this goroutine.
func WithRecorder(recorder Recorder, f func()) { tensor.WithRecorder(recorder, f) }

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
