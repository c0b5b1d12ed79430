package yaegi

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/interp/task"
)

// member is a goroutine that works for a run: the engine's [task.Task].
type member struct {
	engine *Engine
	run    *run
	child  bool // it is not the run's own goroutine

	exiting bool // runtime.Goexit was called: what leaves its functions is no panic

	streams *task.Streams // where it reads and writes, where that is not its run's matter

	step      *Defers  // whose step has begun: see beginStep
	deferring int      // deferred calls that it is inside of
	calls     []func() // deferred calls that are still to be made
}

// current is the member that this goroutine is, nil for one that works for no run.
func current() *member {
	m, _ := task.Current().(*member)
	return m
}

// register notes that this goroutine works for r.
func (e *Engine) register(r *run, child bool) (unregister func()) {
	m := &member{engine: e, run: r, child: child}
	remove := task.Register(m)
	return func() {
		remove()
		e.promises.drop(m)
		if e.touches.on.Load() {
			e.touches.drop(m, func(touched) bool { return true })
		}
		if len(m.calls) > 0 {
			e.deferrals.putAside(m.calls)
		}
	}
}

func (m *member) Owner() any             { return m.engine }
func (m *member) Stop() <-chan struct{}  { return m.run.stop }
func (m *member) Ended() <-chan struct{} { return m.run.ended }
func (m *member) Go(f func())            { m.engine.spawn(f) }
func (m *member) Child(f func()) func()  { return m.engine.childOf(m.run, f) }
func (m *member) Hold() (release func()) { return m.engine.addGoroutine(m.run) }
func (m *member) Room(want int) int      { return m.engine.room(m, want) }
func (m *member) AfterStop(f func())     { m.calls = append(m.calls, f) }

// Interrupted reports whether an interrupt has stopped the run.
func (m *member) Interrupted() bool {
	c := m.run.cause.Load()
	if c == nil {
		return false
	}
	s, ok := (*c).(*Stopped)
	return ok && s.Kind == Interrupted
}

// Exit ends the goroutine.
func (m *member) Exit() {
	m.exiting = true
	runtime.Goexit()
}

// ExitIfStopped ends the goroutine if its run was stopped and it is not the run's own, which returns by itself, and
// sooner: the id stays bumped until it has.
func (m *member) ExitIfStopped() {
	if m.child && m.run.halted() {
		m.Exit()
	}
}

// Streams are those that the goroutine was started with, or those of its run if that is not the one that is going on.
func (m *member) Streams() *task.Streams {
	switch {
	case m.streams != nil:
		return m.streams
	case m.run != m.engine.now.Load():
		return m.run.streams
	}
	return nil
}

// Pause ends a step that is not to be stopped for as long as a wait in it takes; see [Engine.beginStep].
func (m *member) Pause() (resume func() bool) {
	if m.step == nil {
		return func() bool { return true }
	}
	e, d := m.engine, m.step
	e.endStep(d)
	return func() bool {
		if !e.deferrals.enter(m) {
			return false
		}
		d.step, m.step = m, d
		return true
	}
}

// Detach runs f on another goroutine; it returns false when the run is stopped before f has ended.
func (m *member) Detach(f func()) bool {
	e, r := m.engine, m.run
	done := make(chan any, 1)
	exited := false
	left := e.noteGoroutine(nil)
	promised := new(member)
	e.promises.hand(m, promised)
	go func() {
		unregister := e.register(r, true)
		normal := false
		defer func() {
			unregister()
			e.promises.drop(promised)
			left()
			v := recover()
			if !normal && v == nil {
				exited = true
			}
			done <- v
		}()
		f()
		normal = true
	}()
	select {
	case v := <-done:
		if v != nil {
			panic(v)
		}
		if exited {
			runtime.Goexit()
		}
		return true
	case <-r.stop:
		go parallel.Stray(done)
		if r.isOver() { // a goroutine whose cell has ended must not go on
			runtime.Goexit()
		}
		return false
	}
}
