// Package task tells code that cells call which run of a cell its goroutine works for: whether that run is to end,
// how to wait so that an interrupt ends the wait, and where it reads and writes. It knows no interpreter; the engine
// implements [Task].
//
//	task.go         the interface, and the task of the current goroutine
//	wait.go         waiting and computing so that an interrupt ends it
//	streams.go      where a run reads and writes
//	goroutine_*     the identity of a goroutine, and how much stack it uses
package task

import "sync"

// Task is a goroutine that works for a run of a cell. The engine implements it.
type Task interface {
	// Owner is the engine whose run it is.
	Owner() any

	// Stop is closed when the run and its goroutines are to end.
	Stop() <-chan struct{}

	// Ended is closed when the run has ended.
	Ended() <-chan struct{}

	// Interrupted reports whether an interrupt has stopped the run.
	Interrupted() bool

	// Exit ends the goroutine, as runtime.Goexit does.
	Exit()

	// ExitIfStopped ends the goroutine if its run was stopped, so that what called a wait does not go on as if the
	// wait were over. The run's own goroutine returns: the engine makes it leave.
	ExitIfStopped()

	// Detach calls f on another goroutine and waits until it returns. It returns false when the run is stopped first;
	// f then goes on alone, with nothing of the interpreter on its stack, and what it writes to must not be touched.
	Detach(f func()) bool

	// Pause is called before a wait inside a statement that a defer statement follows: mu.Lock(); defer mu.Unlock() is
	// one step, which an interrupt finds done or not begun, but the wait is no part of it. resume, called after the wait,
	// returns false if all is being stopped: what was waited for must then be returned.
	Pause() (resume func() bool)

	// AfterStop calls f before the deferred calls of the stopped goroutine.
	AfterStop(f func())

	// Go calls f on a new goroutine of the run.
	Go(f func())

	// Child turns f into the work of a new goroutine of the run, which must call the result once.
	Child(f func()) func()

	// Hold counts work that the run has to end before it is over, until release is called.
	Hold() (release func())

	// Room is how many bytes the session may still allocate, when want are asked for.
	Room(want int) int

	// Several reports whether goroutines of cells run besides the cell's own.
	Several() bool

	// Uses says that host code reads the map at an address, or writes it, until release is called. It panics where
	// another goroutine writes the map now, or uses it where this one writes.
	Uses(at uintptr, write bool) (release func())

	// Streams are those that the goroutine reads and writes instead of the session's current ones, or nil.
	Streams() *Streams
}

// tasks finds the task of a goroutine by the goroutine's ID.
var tasks sync.Map

// Register makes t the task of this goroutine until unregister is called.
func Register(t Task) (unregister func()) {
	id := ID()
	tasks.Store(id, t)
	return func() { tasks.Delete(id) }
}

// Current is the task of this goroutine, nil if it works for no run.
func Current() Task {
	if t, ok := tasks.Load(ID()); ok {
		return t.(Task)
	}
	return nil
}
