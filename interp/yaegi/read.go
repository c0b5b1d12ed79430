package yaegi

import (
	"errors"
	"io"
	"os"
	"reflect"

	"gotorch/interp/rt"
)

// errInterrupted is what a read gives that an interrupt ended.
var errInterrupted = errors.New("interrupted")

// source gives what is read in place of r: the session's input for os.Stdin,
// and of files and of cells' readers, which may never end, one that looks at the
// interruption.
func (e *Engine) source(r io.Reader) io.Reader {
	f, ok := r.(*os.File)
	switch {
	case !ok && r != nil && callsBack(reflect.ValueOf(r)):
		return cellReader{stopReader{r}} // once stopped, a cell's method does nothing, for ever
	case !ok || f == nil:
		return r
	case f == e.stdout.in:
		return reader{e}
	}
	return stopReader{f}
}

// cellReader is a reader of a cell's.
type cellReader struct{ stopReader }

// stopReader ends when the run of the goroutine that reads is stopped.
type stopReader struct{ r io.Reader }

func (s stopReader) Read(p []byte) (int, error) {
	select {
	case <-here():
		return 0, errInterrupted
	default:
	}
	n, err := s.r.Read(p)
	if n == 0 && err == nil && Halted() {
		err = errInterrupted
	}
	return n, err
}

// readFile is os.ReadFile.
func (e *Engine) readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		rt.Len(int(info.Size()), 1)
	}
	return io.ReadAll(stopReader{f})
}
