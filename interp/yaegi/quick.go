package yaegi

import (
	"fmt"
	"go/token"
	"reflect"
	"sync/atomic"

	"gotorch/interp/core"
	"gotorch/interp/task"
	"gotorch/interp/yaegi/quick"
)

// newQuick returns the Quick that replaces steps of the interpreter's programs by quicker ones.
func (e *Engine) newQuick() *quick.Quick {
	watched, entered := e.receivers()
	q, err := quick.New(e.inner.layout.node, quick.Options{
		Package: core.RuntimeName, LineVar: core.LineVar, FuncVar: core.FuncVar, Enter: e.enter,
		Globals: e.inner.globals.types, Stop: e.inner.id,
		Leaving: e.noteLeaving,
		Shared:  &e.touches.on,
		Using:   e.using,
		Watched: watched, Entered: entered,
		Exiting: func() bool { m := current(); return m != nil && m.exiting },
	})
	if err != nil {
		panic(fmt.Sprintf("interp/yaegi: %v: this package knows %s", err, version))
	}
	return q
}

// receivers are what notes the receivers of methods while somebody asks.
func (e *Engine) receivers() (on *atomic.Uintptr, entered func(reflect.Value) func()) {
	if e.rt == nil {
		return nil, nil
	}
	return e.rt.Receivers.On(), e.rt.Receivers.Enter
}

// noteLeaving notes that a panic leaves a function, as yaegi does for those that it calls itself.
func (e *Engine) noteLeaving(l quick.Left) {
	p := e.in.FileSet().Position(token.Pos(l.Pos))
	e.noise.add(fmt.Sprintf("%s: panic: %s(...)\n", p, l.Name), func() *held { return e.holdFrame(l.Frame) })
}

// holdFrame is holdPanicFrame where the frame is known.
func (e *Engine) holdFrame(frame pointer) *held {
	if n := e.inner.names; n != nil && e.holds.Add(1) <= heldMost {
		return &held{frame, task.ID(), e.Line(), n}
	}
	return nil
}
