package tensor

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// File is a file that is being read or written. A pipe or a terminal may keep whoever opens or reads it waiting, and a
// device may have no end: an interrupt ends the wait, and what is read must fit into memory. Both panic with an
// *Error.
type File struct {
	op    string
	file  *os.File
	stop  func() bool
	whole int64 // the size of a plain file; of others -1, and what is read of them must fit into memory
	taken int   // bytes that were read
	fits  int   // bytes that may be taken before memory is looked at again
}

// readStep is after how many bytes a reader looks at the memory that is left.
const readStep = 1 << 20

// OpenFile opens a file to read it, for an operator or a function called op. It panics with an *Error if the file
// cannot be opened, or if an interrupt comes before a pipe has another end.
func OpenFile(op, path string) *File { return openFile(op, path, os.O_RDONLY) }

// WriteFile opens a file that exists to write to it, as [OpenFile] does to read.
func WriteFile(op, path string) *File { return openFile(op, path, os.O_WRONLY) }

// CreateFile makes a file, or empties it, to write to it, as [OpenFile] does to read.
func CreateFile(op, path string) *File { return openFile(op, path, os.O_RDWR|os.O_CREATE|os.O_TRUNC) }

func openFile(op, path string, flag int) *File {
	ctx := context.Background()
	if s := CurrentScope(); s != nil && s.Context != nil {
		ctx = s.Context
	}
	file, err := waitOpen(ctx, path, flag)
	f := &File{op: op, file: file, fits: readStep, whole: -1}
	if err != nil {
		f.fail(err)
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		f.whole = info.Size()
	}
	f.stop = context.AfterFunc(ctx, func() { file.SetDeadline(time.Unix(1, 0)) }) // what never waits has none
	return f
}

// waitOpen opens a file: one that may keep it waiting on a goroutine of its own, which closes it if nobody waits for
// it any more.
func waitOpen(ctx context.Context, path string, flag int) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeIrregular) == 0 {
		return os.OpenFile(path, flag, 0o666)
	}
	type opened struct {
		file *os.File
		err  error
	}
	result := make(chan opened)
	go func() {
		file, err := os.OpenFile(path, flag, 0o666)
		select {
		case result <- opened{file, err}:
		case <-ctx.Done():
			file.Close()
		}
	}()
	select {
	case r := <-result:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fail panics for an error.
func (f *File) fail(err error) {
	Interrupted(f.op)
	panic(Errorf(f.op, "%v", err))
}

// checked panics if an interrupt ended a read or a write, and is err else.
func (f *File) checked(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		f.fail(err)
	}
	return err
}

// Read reads bytes, as io.Reader says.
func (f *File) Read(p []byte) (int, error) {
	Interrupted(f.op)
	n, err := f.file.Read(p)
	if f.taken += n; f.whole < 0 && f.taken > f.fits { // who reads keeps it, in buffers that grow by halves
		MustFit(f.op, float64(max(readStep, f.taken/2)))
		f.fits = f.taken + readStep
	}
	return n, f.checked(err)
}

// ReadAt reads bytes at a place, as io.ReaderAt says.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	Interrupted(f.op)
	n, err := f.file.ReadAt(p, at)
	return n, f.checked(err)
}

// Rewind goes back to the first byte.
func (f *File) Rewind() {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		f.fail(err)
	}
}

// Write writes bytes, as io.Writer says.
func (f *File) Write(p []byte) (int, error) {
	Interrupted(f.op)
	n, err := f.file.Write(p)
	return n, f.checked(err)
}

// Size is how many bytes a plain file had when it was opened: 0 of a pipe or a device.
func (f *File) Size() int64 { return max(0, f.whole) }

// Close closes the file.
func (f *File) Close() error {
	f.stop()
	return f.file.Close()
}

// ReadAll reads the rest of the file.
func (f *File) ReadAll() []byte {
	b := bytes.NewBuffer(make([]byte, 0, f.Size()+bytes.MinRead))
	if _, err := b.ReadFrom(f); err != nil {
		f.fail(err)
	}
	return b.Bytes()
}
