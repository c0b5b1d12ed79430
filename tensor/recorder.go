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

// ReadWatcher is a Recorder that is told where Go code reads values of tensors: what it does next may depend on them.
type ReadWatcher interface {
	// WatchRead: op ("item", "at", "data") reads all elements of x, or with an index one of them.
	WatchRead(op string, x *Tensor, index []int)
}

// noteRead tells the goroutine's recorder that x is read.
func (x *Tensor) noteRead(op string, index []int) {
	s := CurrentScope()
	if s == nil || s.Trace == nil || s.exclude.Has(KeyTrace) {
		return
	}
	if w, ok := s.Trace.(ReadWatcher); ok {
		w.WatchRead(op, x, index)
	}
}
