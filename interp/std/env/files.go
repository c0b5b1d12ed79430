package env

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// files are those that cells know as os.Stdout and os.Stderr: pipes,
// made when package os is first used. What is written to them through fmt goes
// straight to the stream; what host code writes is carried over.
type files struct {
	once     sync.Once
	out, err *pipe
	in       *os.File // an empty file, in whose place the session's input is read

	seen struct{ in, out, err *os.File } // the variables, to which cells may assign
}

func (s *files) open(e *Env) {
	s.once.Do(func() {
		s.out, s.err = newPipe(direct{e, false}), newPipe(direct{e, true})
		s.in, _ = os.Open(os.DevNull)
		s.restore()
	})
}

// assigned is the file that a cell has put in place of os.Stdout or os.Stderr, nil for the session's own.
func (s *files) assigned(err bool) *os.File {
	f, own := s.seen.out, s.out
	if err {
		f, own = s.seen.err, s.err
	}
	if own == nil || f == own.w {
		return nil
	}
	return f
}

// restore puts back what a cell has set to nil: the interpreter cannot use a variable that holds no file.
func (s *files) restore() {
	if s.out == nil || s.err == nil {
		return
	}
	for _, v := range []struct{ seen, is **os.File }{{&s.seen.in, &s.in}, {&s.seen.out, &s.out.w},
		{&s.seen.err, &s.err.w}} {
		if *v.seen == nil {
			*v.seen = *v.is
		}
	}
}

// pipe is a file whose text goes to a writer.
type pipe struct {
	w       *os.File
	to      io.Writer
	mark    chan struct{}
	stopped atomic.Bool // an interrupt came: what is written until the next mark is of no use
}

// flushMark is written to a pipe to learn when all before it has been read.
var flushMark = []byte("\x00gotorch flush\x00")

func newPipe(to io.Writer) *pipe {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	p := &pipe{w: w, to: to, mark: make(chan struct{})}
	go p.copy(r)
	return p
}

func (p *pipe) copy(r *os.File) {
	defer r.Close()
	buf := make([]byte, 1<<16)
	var held []byte
	late := 0 // bytes that came after an interrupt
	for {
		n, err := r.Read(buf)
		if held = append(held, buf[:n]...); p.stopped.Load() {
			if late += n; late > lateMost && len(held) > len(flushMark) { // the mark may have begun
				held = append(held[:0], held[max(0, lastMark(held)):]...)
			}
		}
		for {
			before, after, ok := bytes.Cut(held, flushMark)
			if !ok {
				break
			}
			p.to.Write(before)
			held, late = append([]byte(nil), after...), 0
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

// lateMost is how many bytes are carried over after an interrupt: those that were on their way.
const lateMost = 1 << 18

// lastMark is where the mark stands at the end of b, or its beginning may.
func lastMark(b []byte) int {
	if i := bytes.Index(b, flushMark); i >= 0 {
		return i
	}
	return len(b) - len(flushMark)
}

// flush waits until all that was written has been carried over, and after an interrupt leaves most of it out.
func (p *pipe) flush(stopped bool) {
	if p == nil {
		return
	}
	p.stopped.Store(stopped)
	defer p.stopped.Store(false)
	if _, err := p.w.Write(flushMark); err == nil { // else a cell has closed it
		<-p.mark
	}
}

// Flush waits until what cells wrote to os.Stdout and os.Stderr has reached the streams.
func (e *Env) Flush() {
	e.files.out.flush(false)
	e.files.err.flush(false)
}

// FlushStopped is Flush after an interrupt. A write that goes on without its cell may have much left: no more than
// 256 KB of it are carried over.
func (e *Env) FlushStopped() {
	e.files.out.flush(true)
	e.files.err.flush(true)
}

// close ends what carries over the output of cells.
func (s *files) close() {
	s.once.Do(func() {})
	for _, p := range []*pipe{s.out, s.err} {
		if p != nil {
			p.w.Close()
		}
	}
}

// OpenFiles makes the files, for package os of cells: variables for those three, to which cells may assign, that are
// nil where there are no pipes; and the files themselves by their descriptors.
func (e *Env) OpenFiles() (in, out, err **os.File) {
	e.files.open(e)
	f := &e.files
	if f.in != nil {
		in = &f.seen.in
	}
	if f.out != nil && f.err != nil {
		out, err = &f.seen.out, &f.seen.err
	}
	return in, out, err
}

// File is the file that cells know by a descriptor; nil for any but the first three.
func (e *Env) File(fd uintptr) *os.File {
	switch fd {
	case 0:
		return e.files.in
	case 1:
		return e.files.out.w
	case 2:
		return e.files.err.w
	}
	return nil
}

// RestoreFiles puts back what a cell has set to nil, before the next one runs.
func (e *Env) RestoreFiles() { e.files.restore() }
