// Package env is what host packages act on when cells call them: the session's streams in place of the process's, the
// engine that runs the cell, and what a package keeps for the session.
//
//	env.go       Env, and Patch: what a host package is to cells
//	streams.go   writing to and reading from the session's streams
//	files.go     os.Stdin, os.Stdout and os.Stderr of cells: pipes
//	readers.go   readers that an interrupt ends
//	writers.go   writers that an interrupt ends
//	callback.go  whether a value may call functions of cells
package env

import (
	"io"
	"reflect"
	"sync"
	"sync/atomic"

	"gotorch/interp/rt"
	"gotorch/interp/task"
)

// Engine is what host packages ask of the engine that runs cells.
type Engine interface {
	// Exit stops the run in place of ending the process.
	Exit(text string)

	// Child turns f into the work of a new goroutine of the cell that runs when it is called, once; it uses the
	// streams given.
	Child(s *task.Streams, f func()) func()

	// Report shows what a goroutine of a cell panicked with, where all else goes on.
	Report(panicked any)

	// GoroutineCount is how many goroutines that cells started still run.
	GoroutineCount() int
}

// Env belongs to a session.
type Env struct {
	Engine  Engine
	Runtime *rt.Runtime

	streams atomic.Pointer[task.Streams]
	inLine  atomic.Bool // the input that was read last does not end a line
	writing sync.Mutex  // held while something is written to a stream
	files   files

	mu    sync.Mutex
	state map[reflect.Type]any
}

// New makes the Env of a session.
func New(e Engine, r *rt.Runtime) *Env {
	env := &Env{Engine: e, Runtime: r, state: map[reflect.Type]any{}}
	env.streams.Store(&task.Streams{})
	return env
}

// State returns what a package keeps for the session in a T; make makes it when it is first asked for.
func State[T any](e *Env, make func() *T) *T {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := reflect.TypeFor[T]()
	if s, ok := e.state[key]; ok {
		return s.(*T)
	}
	s := make()
	e.state[key] = s
	return s
}

// Close ends what packages keep, by the method Close that it may have, and what carries over the output of cells.
func (e *Env) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.state {
		if c, ok := s.(io.Closer); ok {
			c.Close()
		}
	}
	e.files.close()
}

// Table is a host package as cells see it: its functions, types and variables by name.
type Table map[string]reflect.Value

// Set changes the meaning of names.
func (t Table) Set(values map[string]any) {
	for name, v := range values {
		t[name] = reflect.ValueOf(v)
	}
}

// Patch says where a host package means something else to cells than to host code.
type Patch struct {
	// Names changes the package's table, or is nil.
	Names func(e *Env, t Table)

	// Methods are the functions that stand for methods, by "Type.Method"; they take the receiver first. The types
	// stay as they are, so that host interfaces with them in their signatures do.
	Methods map[string]func(e *Env) any
}
