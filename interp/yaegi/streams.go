package yaegi

import (
	"io"
	"time"

	"gotorch/interp/std"
	"gotorch/interp/task"
)

// SetStreams sets the streams that cells write to and read from.
func (e *Engine) SetStreams(s task.Streams) { e.Env.SetStreams(s) }

// Flush waits until what cells wrote to os.Stdout and os.Stderr has reached the streams.
func (e *Engine) Flush() { e.Env.Flush() }

// FlushStopped is Flush after an interrupt.
func (e *Engine) FlushStopped() { e.Env.FlushStopped() }

// Stderr writes to the stream for errors, one write at a time with the goroutines of cells.
func (e *Engine) Stderr() io.Writer { return e.Env.DirectStderr() }

// Ask asks the user for a line; a secret one is not shown.
func (e *Engine) Ask(prompt string, secret bool) (string, error) { return e.Env.Ask(prompt, secret) }

// AfterFunc is time.AfterFunc for functions of cells.
func (e *Engine) AfterFunc(d time.Duration, f func()) *time.Timer { return std.AfterFunc(e.Env, d, f) }

// Close ends what host packages keep for the session. The engine runs nothing after it.
func (e *Engine) Close() { e.Env.Close() }
