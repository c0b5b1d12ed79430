package tensor

// Recorder sees the calls of operators of one goroutine.
type Recorder interface {
	// Watch sees a call before it is made, and makes it: c.Next().
	Watch(c *Call)
}

func init() {
	RegisterFallback(KeyTrace, func(c *Call) {
		if r, ok := CurrentScope().Trace.(Recorder); ok {
			r.Watch(c)
			return
		}
		c.Next()
	})
}

// WithRecorder runs f with a recorder that sees the calls of this goroutine.
func WithRecorder(recorder Recorder, f func()) {
	InScope(func(s *Scope) {
		s.Trace = recorder
		s.Include(Set(KeyTrace))
	}, f)
}
