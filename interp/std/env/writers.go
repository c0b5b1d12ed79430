package env

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"strings"

	"gotorch/interp/task"
)

// Target is where package fmt of cells writes in place of w: the session's streams for os.Stdout and os.Stderr.
func (e *Env) Target(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok || e.files.out == nil || e.files.err == nil {
		return w
	}
	switch f {
	case e.files.out.w:
		return output{e, false}
	case e.files.err.w:
		return output{e, true}
	}
	return w
}

// Sink is what host code that an interrupt must end writes to in place of w.
func (e *Env) Sink(w io.Writer) io.Writer {
	switch w := e.Target(w).(type) {
	case nil:
		return w
	case *bytes.Buffer, *strings.Builder, output:
		return stopWriter{w}
	default:
		if w == io.Discard || CallsBack(reflect.ValueOf(w)) {
			return stopWriter{w}
		}
		return waitingWriter{w}
	}
}

// stopWriter fails when the run of the goroutine that writes is stopped.
type stopWriter struct{ w io.Writer }

func (s stopWriter) Write(p []byte) (int, error) {
	if task.Stopped() {
		return 0, ErrInterrupted
	}
	n, err := s.w.Write(p)
	if n < len(p) && err == nil && task.Stopped() {
		err = ErrInterrupted
	}
	return n, err
}

// waitingWriter writes on another goroutine.
type waitingWriter struct {
	w io.Writer
}

func (w waitingWriter) Write(p []byte) (int, error) {
	var n int // these are not to be touched where the call was left alone
	var err error
	own := bytes.Clone(p)
	if !task.Detach(func() { n, err = w.w.Write(own) }) {
		return 0, ErrInterrupted
	}
	return n, err
}
