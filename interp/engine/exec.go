package engine

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"time"

	"gotorch/interp/rt"
)

// Note: programs that cells start
//
// A program stands in a process group of its own. An interrupt of the cell that
// started it is an interrupt of the whole group; what has not ended politeness
// later is killed. Programs of earlier cells run on, until the session ends:
// those are asked to end (SIGTERM).
//
// What compiled code calls on goroutines of its own while a program runs (a
// cell's io.Writer as Stdout, a cell's Cancel) works as a goroutine of the cell.

// politeness is how long an interrupted program has to end by itself.
const politeness = 250 * time.Millisecond

// programs are those that cells have started and that have not ended, as far as
// anybody has asked.
type programs struct {
	mu sync.Mutex
	of map[*os.Process]*program
}

// program is one of them.
type program struct {
	p     *os.Process
	done  chan struct{} // closed when it has ended
	once  sync.Once
	ended bool // it was told to
}

func (p *program) finished() { p.once.Do(func() { close(p.done) }) }

// startProgram is Cmd.Start.
func (e *Engine) startProgram(c *exec.Cmd) error {
	if c.Process == nil {
		alone(c)
		one := sameWriter(c.Stdout, c.Stderr)
		c.Stdin, c.Stdout, c.Stderr = e.programReader(c.Stdin), e.programWriter(c.Stdout), e.programWriter(c.Stderr)
		if one {
			c.Stderr = c.Stdout
		}
		if cancel := c.Cancel; cancel != nil {
			c.Cancel = func() (err error) { e.child(func() { err = cancel() })(); return err }
		}
	}
	old := c.Process
	err := c.Start()
	if err != nil || c.Process == old {
		return err
	}
	p := &program{p: c.Process, done: make(chan struct{})}
	e.programs.mu.Lock()
	defer e.programs.mu.Unlock()
	if e.programs.of == nil {
		e.programs.of = map[*os.Process]*program{}
	}
	e.programs.of[c.Process] = p
	if m := me(); m != nil {
		go func() {
			select {
			case <-p.done:
				return
			case <-m.run.ended:
			case <-m.run.stop:
			}
			if m.run.interrupted() {
				e.endProgram(p)
			}
		}()
	}
	return nil
}

// waitProgram is Cmd.Wait.
func (e *Engine) waitProgram(c *exec.Cmd) (err error) {
	process := c.Process
	e.programs.mu.Lock()
	p := e.programs.of[process]
	e.programs.mu.Unlock()
	wait := func() {
		err = c.Wait()
		if p != nil {
			e.programs.mu.Lock()
			delete(e.programs.of, p.p)
			e.programs.mu.Unlock()
			p.finished()
		}
	}
	if !e.leave(wait) {
		return errInterrupted
	}
	return err
}

// runProgram is Cmd.Run.
func (e *Engine) runProgram(c *exec.Cmd) error {
	if err := e.startProgram(c); err != nil {
		return err
	}
	return e.waitProgram(c)
}

// programOutput is Cmd.Output.
func (e *Engine) programOutput(c *exec.Cmd) ([]byte, error) {
	if c.Stdout != nil {
		return nil, errors.New("exec: Stdout already set")
	}
	var out bytes.Buffer
	var errs *opening
	c.Stdout = &out
	if c.Stderr == nil {
		errs = new(opening)
		c.Stderr = errs
	}
	err := e.runProgram(c)
	if err == errInterrupted { // out may still be written to
		return nil, err
	}
	if ee, ok := err.(*exec.ExitError); ok && errs != nil {
		ee.Stderr = errs.text
	}
	return out.Bytes(), err
}

// programCombined is Cmd.CombinedOutput.
func (e *Engine) programCombined(c *exec.Cmd) ([]byte, error) {
	if c.Stdout != nil {
		return nil, errors.New("exec: Stdout already set")
	}
	if c.Stderr != nil {
		return nil, errors.New("exec: Stderr already set")
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := e.runProgram(c)
	if err == errInterrupted {
		return nil, err
	}
	return out.Bytes(), err
}

// opening keeps the beginning of what is written to it.
type opening struct{ text []byte }

func (b *opening) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), 64<<10-len(b.text))]...)
	return len(p), nil
}

// endProgram interrupts a program and what it started, and kills what does not end.
func (e *Engine) endProgram(p *program) {
	e.programs.mu.Lock()
	if e.programs.of[p.p] == nil || p.ended {
		e.programs.mu.Unlock()
		return
	}
	p.ended = true
	e.programs.mu.Unlock()
	interruptGroup(p.p)
	select {
	case <-p.done:
	case <-time.After(politeness):
		killGroup(p.p)
	}
}

// close ends the programs that are left when the session ends.
func (ps *programs) close() {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	for _, p := range ps.of {
		if p.ended {
			killGroup(p.p)
		} else {
			endGroup(p.p)
		}
	}
	ps.of = nil
}

// sameWriter reports whether two writers are one; values of cells are wrapped anew wherever compiled code gets them.
func sameWriter(a, b io.Writer) (same bool) {
	defer func() { recover() }() // what cannot be compared
	return a != nil && rt.Equal(a, b)
}

// interrupted says whether an interrupt has stopped the run.
func (r *run) interrupted() bool {
	c := r.cause.Load()
	if c == nil {
		return false
	}
	s, ok := (*c).(*Stopped)
	return ok && s.Kind == Interrupted
}

// programWriter is what a program writes to in place of w: a cell's writer is called as a goroutine of the cell.
func (e *Engine) programWriter(w io.Writer) io.Writer {
	if w == nil || !callsBack(reflect.ValueOf(w)) {
		return w
	}
	return &childWriter{e, w}
}

// programReader is what it reads from.
func (e *Engine) programReader(r io.Reader) io.Reader {
	if r == nil || !callsBack(reflect.ValueOf(r)) {
		return r
	}
	return childReader{e, r}
}

type childWriter struct {
	e *Engine
	w io.Writer
}

func (c *childWriter) Write(p []byte) (n int, err error) {
	err = errInterrupted
	c.e.child(func() { n, err = c.w.Write(p) })()
	return n, err
}

type childReader struct {
	e *Engine
	r io.Reader
}

func (c childReader) Read(p []byte) (n int, err error) {
	err = errInterrupted
	c.e.child(func() { n, err = c.r.Read(p) })()
	return n, err
}
