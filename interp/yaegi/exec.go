package yaegi

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
	told  bool   // to end
	ended func() // what is to be done then, or nil
}

func (p *program) finished() {
	p.once.Do(func() {
		close(p.done)
		if p.ended != nil {
			p.ended()
		}
	})
}

// startProgram is Cmd.Start.
func (e *Engine) startProgram(c *exec.Cmd) error {
	if c.Process != nil {
		return c.Start() // which says that it has been
	}
	m, p := me(), &program{done: make(chan struct{})}
	if m != nil {
		e.called(c, m.run, p)
	}
	alone(c)
	if err := c.Start(); err != nil {
		p.finished()
		return err
	}
	p.p = c.Process
	e.programs.mu.Lock()
	defer e.programs.mu.Unlock()
	if e.programs.of == nil {
		e.programs.of = map[*os.Process]*program{}
	}
	e.programs.of[c.Process] = p
	if m != nil {
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

// called makes of what a cell gave a program to call the work of goroutines of the cell's run: that has them until the program has ended.
func (e *Engine) called(c *exec.Cmd, r *run, p *program) {
	one := sameWriter(c.Stdout, c.Stderr)
	calls := false
	if c.Stdin != nil && callsBack(reflect.ValueOf(c.Stdin)) {
		c.Stdin, calls = childReader{e, r, c.Stdin}, true
	}
	for _, w := range []*io.Writer{&c.Stdout, &c.Stderr} {
		if *w != nil && callsBack(reflect.ValueOf(*w)) {
			*w, calls = &childWriter{e, r, *w}, true
		}
	}
	if one {
		c.Stderr = c.Stdout
	}
	if cancel := c.Cancel; cancel != nil {
		c.Cancel = func() (err error) {
			err = errInterrupted
			e.childOf(r, func() { err = cancel() })()
			return err
		}
	}
	if calls {
		p.ended = e.starts(r)
	}
}

// waitProgram is Cmd.Wait.
func (e *Engine) waitProgram(c *exec.Cmd) error {
	var err error // not to be touched where the wait was left alone
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
	if e.programs.of[p.p] == nil || p.told {
		e.programs.mu.Unlock()
		return
	}
	p.told = true
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
		if p.told {
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

// childWriter and childReader call a cell's writer and reader.
type childWriter struct {
	e *Engine
	r *run
	w io.Writer
}

func (c *childWriter) Write(p []byte) (n int, err error) {
	err = errInterrupted
	c.e.childOf(c.r, func() { n, err = c.w.Write(p) })()
	if n == 0 && err == nil && c.r.halted() {
		err = errInterrupted
	}
	return n, err
}

type childReader struct {
	e  *Engine
	r  *run
	in io.Reader
}

func (c childReader) Read(p []byte) (n int, err error) {
	err = errInterrupted
	c.e.childOf(c.r, func() { n, err = c.in.Read(p) })()
	if n == 0 && err == nil && c.r.halted() {
		err = errInterrupted
	}
	return n, err
}
