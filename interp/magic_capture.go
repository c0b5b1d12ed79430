package interp

import (
	"context"
	"io"
	"strconv"
	"strings"
	"sync"

	"gotorch/interp/syntax"
)

// capturedSink is a sink that keeps what is printed, and shows nothing. What the cell's goroutines print after it has
// ended goes on to where it would have gone.
type capturedSink struct {
	discard
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

// captureMagic runs the cell under it, which prints and shows nothing. What it printed is the value of the name that
// it is told. An error is shown, with what was printed before it.
func (s *Session) captureMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	first, src, _ := strings.Cut(strings.TrimLeft(arg, "\n"), "\n")
	name := strings.TrimSpace(first)
	if strings.TrimSpace(src) == "" || name != "" && firstWord.FindString(name) != name {
		return nil, usage("%%%%capture NAME, and under it the cell")
	}
	if name != "" {
		if v, _ := syntax.Completeness(name + " := 1"); v == syntax.Invalid {
			return nil, usage("%s is no name", name)
		}
	}
	was := *s.sink.Load()
	to := &capturedSink{was: was}
	s.eng.Flush()
	s.direct(to)
	_, err := s.evalText(ctx, n, strings.Repeat("\n", strings.Count(arg[:len(arg)-len(src)], "\n"))+src)
	s.eng.Flush()
	s.direct(was)
	to.end(was.Stdout())
	if err != nil {
		io.WriteString(was.Stdout(), to.String())
		return nil, err
	}
	if name == "" {
		return nil, nil
	}
	_, err = s.evalGo(ctx, s.cellName(n), name+" := "+strconv.Quote(to.String()))
	return nil, err
}
