package std

import (
	"context"
	"time"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Packages time and context for cells: an interrupt ends a sleep, and what a timer calls is a goroutine of a cell.

func patchTime(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Sleep":     task.Sleep,
		"AfterFunc": func(d time.Duration, f func()) *time.Timer { return AfterFunc(e, d, f) },
	})
}

func patchContext(e *env.Env, t env.Table) {
	t.Set(map[string]any{"AfterFunc": func(ctx context.Context, f func()) func() bool {
		return context.AfterFunc(ctx, timer(e, f))
	}})
}

// AfterFunc is time.AfterFunc for functions of cells.
func AfterFunc(e *env.Env, d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, timer(e, f))
}

// timer turns f into what a timer calls: it runs as a goroutine of the cell that runs then, and prints under the one
// that made the timer.
func timer(e *env.Env, f func()) func() {
	streams := e.Streams()
	return func() { e.Engine.Child(streams, f)() }
}
