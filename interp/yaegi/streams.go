package yaegi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"gotorch/internal/ask"
)

// Streams are where a cell's output goes and its input comes from. What is nil
// is the null device.
type Streams struct {
	Out, Err io.Writer
	In       io.Reader
	Ask      func(ctx context.Context, prompt string, secret bool) (string, error) // nil where there is nobody to ask
}

// SetStreams says where output goes from now on.
func (e *Engine) SetStreams(s Streams) {
	e.streams.Store(&s)
	e.inLine.Store(false)
}

// streamsHere are those of the run that this goroutine belongs to, if it goes on after that, and else those that are set.
func (e *Engine) streamsHere() *Streams {
	switch m := me(); {
	case m == nil || m.engine != e:
	case m.streams != nil:
		return m.streams
	case m.run != e.now.Load() && m.run.streams != nil:
		return m.run.streams
	}
	return e.streams.Load()
}

// Stderr writes to the stream for errors, one at a time with the goroutines of cells.
func (e *Engine) Stderr() io.Writer { return direct{e, true} }

// writer writes to the stream that is set when it is called, after what is
// still on its way through the pipes.
type writer struct {
	e   *Engine
	err bool
}

func (w writer) Write(p []byte) (int, error) {
	if f := w.e.stdout.assigned(w.err); f != nil {
		return f.Write(p)
	}
	w.e.Flush()
	return direct(w).Write(p)
}

// direct writes to the stream at once.
type direct writer

func (w direct) Write(p []byte) (int, error) {
	s := w.e.streamsHere()
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

// reader reads the input that is set when it is called. A Read of that which an interrupt ends says [context.Canceled].
type reader struct{ e *Engine }

func (r reader) Read(p []byte) (int, error) {
	in := r.e.streams.Load().In
	if in == nil {
		return 0, io.EOF
	}
	if !r.e.inLine.Load() { // the person may be asked
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

// unanswered waits, after the person has interrupted a question, for the stop, which is under way. What asked must not go on before it
// as if nothing had been typed.
func unanswered() error {
	select {
	case <-here():
	case <-time.After(5 * time.Second): // it was no cell's
	}
	give()
	return errInterrupted
}

// Ask asks the person for a line; a secret one is not shown.
func (e *Engine) Ask(prompt string, secret bool) (string, error) {
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
	}(here())
	s, err := put(ctx, prompt, secret)
	if errors.Is(err, context.Canceled) {
		return "", unanswered()
	}
	return s, err
}

// stdout holds the files that cells know as os.Stdout and os.Stderr: pipes,
// made when package os is first used. What is written to them through fmt goes
// straight to the stream; what compiled code writes is carried over.
type stdout struct {
	once     sync.Once
	out, err *pipe
	in       *os.File // an empty file, in whose place the session's input is read

	seen struct{ in, out, err *os.File } // the variables, to which cells may assign
}

func (s *stdout) open(e *Engine) {
	s.once.Do(func() {
		s.out, s.err = newPipe(direct{e, false}), newPipe(direct{e, true})
		s.in, _ = os.Open(os.DevNull)
		s.restore()
	})
}

// assigned is the file that a cell has put in the place of os.Stdout or
// os.Stderr, nil for the session's own.
func (s *stdout) assigned(err bool) *os.File {
	f, own := s.seen.out, s.out
	if err {
		f, own = s.seen.err, s.err
	}
	if own == nil || f == own.w {
		return nil
	}
	return f
}

// restore gives back what a cell has set to nil: the interpreter cannot use a
// variable that holds no file.
func (s *stdout) restore() {
	if s.out == nil || s.err == nil {
		return
	}
	for _, v := range []struct{ seen, is **os.File }{{&s.seen.in, &s.in}, {&s.seen.out, &s.out.w}, {&s.seen.err, &s.err.w}} {
		if *v.seen == nil {
			*v.seen = *v.is
		}
	}
}

// pipe is a file whose text goes to a writer.
type pipe struct {
	w    *os.File
	to   io.Writer
	mark chan struct{}
}

// flushMark is written to a pipe to learn when all before it has been read.
var flushMark = []byte("\x00gotorch flush\x00")

func newPipe(to io.Writer) *pipe {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	p := &pipe{w, to, make(chan struct{})}
	go p.copy(r)
	return p
}

func (p *pipe) copy(r *os.File) {
	defer r.Close()
	buf := make([]byte, 1<<16)
	var held []byte
	for {
		n, err := r.Read(buf)
		held = append(held, buf[:n]...)
		for {
			before, after, ok := bytes.Cut(held, flushMark)
			if !ok {
				break
			}
			p.to.Write(before)
			held = append([]byte(nil), after...)
			p.mark <- struct{}{}
		}
		if k := bytes.IndexByte(held, 0); k < 0 || len(held) > len(flushMark)+k {
			p.to.Write(held)
			held = held[:0]
		}
		if err != nil {
			return
		}
	}
}

// flush waits until all that was written has been carried over.
func (p *pipe) flush() {
	if p == nil {
		return
	}
	if _, err := p.w.Write(flushMark); err == nil { // else a cell has closed it
		<-p.mark
	}
}

// Flush waits until what cells wrote to os.Stdout and os.Stderr has reached
// the streams.
func (e *Engine) Flush() {
	e.stdout.out.flush()
	e.stdout.err.flush()
}

// Close ends what carries over the output of cells. The engine runs nothing after it.
func (e *Engine) Close() {
	e.programs.close()
	e.stdout.once.Do(func() {})
	for _, p := range []*pipe{e.stdout.out, e.stdout.err} {
		if p != nil {
			p.w.Close()
		}
	}
}

// target gives where fmt should write in place of w.
func (e *Engine) target(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok || e.stdout.out == nil || e.stdout.err == nil {
		return w
	}
	switch f {
	case e.stdout.out.w:
		return writer{e, false}
	case e.stdout.err.w:
		return writer{e, true}
	}
	return w
}
