package interp

import (
	"context"
	"gotorch/internal/ask"
	"gotorch/interp/result"
	"gotorch/interp/task"
	"gotorch/visualize/display"
	"io"
	"strings"
	"sync"
)

// Sink takes what a cell prints while it runs.
type Sink = result.Sink

// Discard is a Sink for output that nobody sees.
var Discard = result.Discard

// attach makes sink the one that output goes to.
func (s *Session) attach(sink Sink) {
	if sink == nil {
		sink = Discard
	}
	s.sendTo(sink)
	running.Store(s)
}

func (s *Session) sendTo(sink Sink) {
	s.sink.Store(&sink)
	in := sink.Stdin()
	s.eng.SetStreams(task.Streams{Out: sink.Stdout(), Err: sink.Stderr(), In: in, Ask: asker(sink, in)})
}

// flush waits until what a cell printed has reached the streams; after an interrupt it leaves most of it out.
func (s *Session) flush(ctx context.Context) {
	if ctx.Err() != nil {
		s.eng.FlushStopped()
		return
	}
	s.eng.Flush()
}

// redirect sends what f prints, in a cell or a call that runs, to another sink.
func (s *Session) redirect(to display.Sink, out io.Writer, f func()) {
	was := s.sink.Load()
	if was == nil {
		f()
		return
	}
	s.eng.Flush()
	s.sendTo(redirected{to, out, *was})
	defer func() {
		s.eng.Flush()
		s.sendTo(*was)
	}()
	f()
}

// redirected is a sink in place of another.
type redirected struct {
	display.Sink
	out io.Writer
	was Sink
}

func (r redirected) Inner() display.Sink { return r.Sink }

func (r redirected) Stdout() io.Writer { return r.out }
func (r redirected) Stderr() io.Writer { return r.out }
func (r redirected) Stdin() io.Reader  { return r.was.Stdin() }

// capturedSink is a sink that keeps what is printed, and shows nothing. What the cell's goroutines print after it has
// ended goes on to where it would have gone.
type capturedSink struct {
	Sink
	was Sink

	mu   sync.Mutex
	text strings.Builder
	on   io.Writer // set when the cell has ended
}

func (c *capturedSink) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.on != nil {
		return c.on.Write(p)
	}
	return c.text.Write(p)
}

func (c *capturedSink) end(on io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
}

func (c *capturedSink) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

func (c *capturedSink) Stdout() io.Writer { return c }
func (c *capturedSink) Stderr() io.Writer { return c }
func (c *capturedSink) Stdin() io.Reader  { return c.was.Stdin() }

// An Asker is a [Sink] that has a way of its own to ask the user for a line; a secret one is not shown. Of others
// the question goes to Stdout, and the answer comes from Stdin. The error is io.EOF at the end of the input, or ctx's.
type Asker interface {
	Ask(ctx context.Context, prompt string, secret bool) (string, error)
}

// asker is how a sink with this input asks; nil where there is nobody to ask.
func asker(sink Sink, in io.Reader) func(ctx context.Context, prompt string, secret bool) (string, error) {
	switch to := sink.(type) {
	case Asker:
		return to.Ask
	case redirected: // the question is for the user, not for what takes the output
		return asker(to.was, in)
	case *capturedSink:
		return asker(to.was, in)
	}
	if in != nil {
		return func(ctx context.Context, prompt string, secret bool) (string, error) {
			return ask.Line(ctx, in, sink.Stdout(), prompt, secret)
		}
	}
	return nil
}
