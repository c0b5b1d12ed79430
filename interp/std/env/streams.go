package env

import (
	"context"
	"errors"
	"io"
	"time"

	"gotorch/internal/ask"
	"gotorch/interp/task"
)

// SetStreams says where output goes from now on.
func (e *Env) SetStreams(s task.Streams) {
	e.streams.Store(&s)
	e.inLine.Store(false)
}

// SessionStreams are those that are set.
func (e *Env) SessionStreams() *task.Streams { return e.streams.Load() }

// Streams are those of the run that this goroutine works for, if it goes on after that, and else those that are set.
func (e *Env) Streams() *task.Streams {
	if t := task.Current(); t != nil && t.Owner() == e.Engine {
		if s := t.Streams(); s != nil {
			return s
		}
	}
	return e.streams.Load()
}

// Stdout writes to the session's output, after what is still on its way through the pipes.
func (e *Env) Stdout() io.Writer { return output{e, false} }

// Stderr writes to the session's stream for errors, likewise.
func (e *Env) Stderr() io.Writer { return output{e, true} }

// DirectStderr writes to the stream for errors at once, one write at a time with the goroutines of cells.
func (e *Env) DirectStderr() io.Writer { return direct{e, true} }

// output writes to the stream that is set when it is called, or to the file that a cell has put in its place.
type output struct {
	e   *Env
	err bool
}

func (w output) Write(p []byte) (int, error) {
	if f := w.e.files.assigned(w.err); f != nil {
		return f.Write(p)
	}
	w.e.Flush()
	return direct(w).Write(p)
}

// direct writes to the stream at once.
type direct output

func (w direct) Write(p []byte) (int, error) {
	s := w.e.Streams()
	out := s.Out
	if w.err {
		out = s.Err
	}
	if out == nil || len(p) == 0 {
		return len(p), nil
	}
	w.e.writing.Lock()
	defer w.e.writing.Unlock()
	return out.Write(p)
}

// Stdin reads the session's input.
func (e *Env) Stdin() io.Reader { return input{e} }

// input reads the stream that is set when it is called. A Read of that which an interrupt ends returns
// [context.Canceled].
type input struct{ e *Env }

func (r input) Read(p []byte) (int, error) {
	in := r.e.streams.Load().In
	if in == nil {
		return 0, io.EOF
	}
	if !r.e.inLine.Load() { // the user may be asked
		r.e.Flush()
	}
	n, err := in.Read(p)
	if errors.Is(err, context.Canceled) {
		return 0, unanswered()
	}
	if n > 0 {
		r.e.inLine.Store(p[n-1] != '\n')
	}
	return n, err
}

// unanswered waits, after the user has interrupted a question, for the stop, which is under way. What asked must not
// go on before it as if nothing had been typed.
func unanswered() error {
	select {
	case <-task.Stop():
	case <-time.After(5 * time.Second): // it was no cell's
	}
	task.ExitIfStopped()
	return ErrInterrupted
}

// Ask asks the user for a line; a secret one is not shown.
func (e *Env) Ask(prompt string, secret bool) (string, error) {
	put := e.streams.Load().Ask
	if put == nil {
		return "", ask.ErrNobody
	}
	e.Flush() // what was printed before the question stands above it
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func(stop <-chan struct{}) {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}(task.Stop())
	s, err := put(ctx, prompt, secret)
	if errors.Is(err, context.Canceled) {
		return "", unanswered()
	}
	return s, err
}
