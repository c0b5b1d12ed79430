package env

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"

	"gotorch/interp/task"
)

// ErrInterrupted is the error of a read or a write that an interrupt ended.
var ErrInterrupted = errors.New("interrupted")

// Source is what host code reads in place of r: the session's input for os.Stdin,
// and of files and of cells' readers, which may never end, one that looks at the
// interruption.
func (e *Env) Source(r io.Reader) io.Reader {
	f, ok := r.(*os.File)
	switch {
	case !ok && r != nil && CallsBack(reflect.ValueOf(r)):
		return cellReader{stopReader{r}} // once stopped, a cell's method does nothing, forever
	case !ok || f == nil:
		return r
	case f == e.files.in:
		return input{e}
	}
	return stopReader{f}
}

// Endless is Source for host code that reads until the end of r. Readers of compiled code, such as rand.Reader, may
// have no end either, so each read first checks for an interrupt. Otherwise a call whose cell was interrupted would go
// on reading in the background.
func (e *Env) Endless(r io.Reader) io.Reader {
	switch s := e.Source(r).(type) {
	case nil, *bytes.Reader, *bytes.Buffer, *strings.Reader, input, stopReader, cellReader:
		return s
	default:
		return stopReader{s}
	}
}

// cellReader is a reader of a cell's.
type cellReader struct{ stopReader }

// stopReader ends when the run of the goroutine that reads is stopped.
type stopReader struct{ r io.Reader }

func (s stopReader) Read(p []byte) (int, error) {
	select {
	case <-task.Stop():
		return 0, ErrInterrupted
	default:
	}
	n, err := s.r.Read(p)
	if n == 0 && err == nil && task.Stopped() {
		err = ErrInterrupted
	}
	return n, err
}

// Interruptible returns a reader of r, which is known to be no cell's, that ends when the run is stopped.
func Interruptible(r io.Reader) io.Reader { return stopReader{r} }

// Waiting is what host code that an interrupt must end reads in place of r: reads that may block run on another
// goroutine.
func (e *Env) Waiting(r io.Reader) io.Reader {
	switch r := r.(type) {
	case nil, *bytes.Reader, *bytes.Buffer, *strings.Reader:
		return r
	case *bufio.Reader:
		return &waitingBytes{waitingReader{r}, r}
	}
	if CallsBack(reflect.ValueOf(r)) {
		return e.Source(r)
	}
	return waitingReader{e.Source(r)}
}

// waitingReader reads on another goroutine.
type waitingReader struct {
	r io.Reader
}

func (w waitingReader) Read(p []byte) (int, error) {
	var n int
	var err error
	own := make([]byte, min(len(p), 1<<16)) // p may be used again when the read is left alone
	if !task.Detach(func() { n, err = w.r.Read(own) }) {
		return 0, ErrInterrupted
	}
	return copy(p, own[:n]), err
}

// waitingBytes is one of a reader with a buffer.
type waitingBytes struct {
	waitingReader
	b *bufio.Reader
}

func (w *waitingBytes) Read(p []byte) (n int, err error) {
	if w.b.Buffered() > 0 {
		return w.b.Read(p)
	}
	return w.waitingReader.Read(p)
}

func (w *waitingBytes) ReadByte() (byte, error) {
	if w.b.Buffered() == 0 {
		var err error
		if !task.Detach(func() { _, err = w.b.Peek(1) }) {
			return 0, ErrInterrupted
		}
		if err != nil {
			return 0, err
		}
	}
	return w.b.ReadByte()
}
