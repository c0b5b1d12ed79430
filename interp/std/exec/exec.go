// Package exec is os/exec for cells: an interrupt of a cell ends the programs that it started.
package exec

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
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Note: programs that cells start
//
// A program stands in a process group of its own. An interrupt of the cell that
// started it is an interrupt of the whole group; what has not ended politeness
// later is killed. Programs of earlier cells run on, until the session ends:
// those are asked to end (SIGTERM).
//
// What host code calls on goroutines of its own while a program runs (a
// cell's io.Writer as Stdout, a cell's Cancel) works as a goroutine of the cell.

// Patch is package os/exec for cells.
var Patch = env.Patch{Methods: map[string]func(*env.Env) any{
	"Cmd.Start":          func(e *env.Env) any { return func(c *exec.Cmd) error { return start(e, c) } },
	"Cmd.Wait":           func(e *env.Env) any { return func(c *exec.Cmd) error { return wait(e, c) } },
	"Cmd.Run":            func(e *env.Env) any { return func(c *exec.Cmd) error { return run(e, c) } },
	"Cmd.Output":         func(e *env.Env) any { return func(c *exec.Cmd) ([]byte, error) { return output(e, c) } },
	"Cmd.CombinedOutput": func(e *env.Env) any { return func(c *exec.Cmd) ([]byte, error) { return combined(e, c) } },
}}

// politeness is how long an interrupted program has to end by itself.
const politeness = 250 * time.Millisecond

// programs are those that cells have started and that nobody has seen end.
type programs struct {
	mu sync.Mutex
	of map[*os.Process]*program
}

// of are the programs of a session.
func of(e *env.Env) *programs { return env.State(e, func() *programs { return &programs{} }) }

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

// start is Cmd.Start.
func start(e *env.Env, c *exec.Cmd) error {
	if c.Process != nil {
		return c.Start() // which says that it has been
	}
	t, p := task.Current(), &program{done: make(chan struct{})}
	if t != nil {
		adoptCallbacks(c, t, p)
	}
	ownGroup(c)
	if err := c.Start(); err != nil {
		p.finished()
		return err
	}
	p.p = c.Process
	ps := of(e)
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.of == nil {
		ps.of = map[*os.Process]*program{}
	}
	ps.of[c.Process] = p
	if t != nil {
		go func() {
			select {
			case <-p.done:
				return
			case <-t.Ended():
			case <-t.Stop():
			}
			if t.Interrupted() {
				ps.end(p)
			}
		}()
	}
	return nil
}

// adoptCallbacks makes the readers, writers and functions that a cell gave to a program work on goroutines of the
// cell's run, which counts them until the program has ended.
func adoptCallbacks(c *exec.Cmd, t task.Task, p *program) {
	one := sameWriter(c.Stdout, c.Stderr)
	calls := false
	if c.Stdin != nil && env.CallsBack(reflect.ValueOf(c.Stdin)) {
		c.Stdin, calls = childReader{t, c.Stdin}, true
	}
	for _, w := range []*io.Writer{&c.Stdout, &c.Stderr} {
		if *w != nil && env.CallsBack(reflect.ValueOf(*w)) {
			*w, calls = &childWriter{t, *w}, true
		}
	}
	if one {
		c.Stderr = c.Stdout
	}
	if cancel := c.Cancel; cancel != nil {
		c.Cancel = func() (err error) {
			err = env.ErrInterrupted
			t.Child(func() { err = cancel() })()
			return err
		}
	}
	if calls {
		p.ended = t.Hold()
	}
}

// wait is Cmd.Wait.
func wait(e *env.Env, c *exec.Cmd) error {
	var err error // not to be touched where the wait was left alone
	process, ps := c.Process, of(e)
	ps.mu.Lock()
	p := ps.of[process]
	ps.mu.Unlock()
	finish := func() {
		err = c.Wait()
		if p != nil {
			ps.mu.Lock()
			delete(ps.of, p.p)
			ps.mu.Unlock()
			p.finished()
		}
	}
	if !task.Detach(finish) {
		return env.ErrInterrupted
	}
	return err
}

// run is Cmd.Run.
func run(e *env.Env, c *exec.Cmd) error {
	if err := start(e, c); err != nil {
		return err
	}
	return wait(e, c)
}

// output is Cmd.Output.
func output(e *env.Env, c *exec.Cmd) ([]byte, error) {
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
	err := run(e, c)
	if err == env.ErrInterrupted { // out may still be written to
		return nil, err
	}
	if ee, ok := err.(*exec.ExitError); ok && errs != nil {
		ee.Stderr = errs.text
	}
	return out.Bytes(), err
}

// combined is Cmd.CombinedOutput.
func combined(e *env.Env, c *exec.Cmd) ([]byte, error) {
	if c.Stdout != nil {
		return nil, errors.New("exec: Stdout already set")
	}
	if c.Stderr != nil {
		return nil, errors.New("exec: Stderr already set")
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := run(e, c)
	if err == env.ErrInterrupted {
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

// end interrupts a program and what it started, and kills what does not end.
func (ps *programs) end(p *program) {
	ps.mu.Lock()
	if ps.of[p.p] == nil || p.told {
		ps.mu.Unlock()
		return
	}
	p.told = true
	ps.mu.Unlock()
	interruptGroup(p.p)
	select {
	case <-p.done:
	case <-time.After(politeness):
		killGroup(p.p)
	}
}

// Close ends the programs that are left when the session ends.
func (ps *programs) Close() error {
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
	return nil
}

// sameWriter reports whether two writers are one; values of cells are wrapped again wherever host code gets them.
func sameWriter(a, b io.Writer) (same bool) {
	defer func() { recover() }() // what cannot be compared
	return a != nil && rt.Equal(a, b)
}

// childWriter and childReader call a cell's writer and reader.
type childWriter struct {
	t task.Task
	w io.Writer
}

func (c *childWriter) Write(p []byte) (n int, err error) {
	err = env.ErrInterrupted
	c.t.Child(func() { n, err = c.w.Write(p) })()
	if n == 0 && err == nil && stopped(c.t) {
		err = env.ErrInterrupted
	}
	return n, err
}

type childReader struct {
	t  task.Task
	in io.Reader
}

func (c childReader) Read(p []byte) (n int, err error) {
	err = env.ErrInterrupted
	c.t.Child(func() { n, err = c.in.Read(p) })()
	if n == 0 && err == nil && stopped(c.t) {
		err = env.ErrInterrupted
	}
	return n, err
}

// stopped reports whether the run of a task is to end.
func stopped(t task.Task) bool {
	select {
	case <-t.Stop():
		return true
	default:
		return false
	}
}
