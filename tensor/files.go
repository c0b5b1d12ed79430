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
	op   string
	file *os.File
	from io.Reader // the file, or what looks at the memory where its size is not known
	stop func() bool
	size int64 // of a plain file
}

// readStep is after how many bytes a reader looks at the memory that is left.
const readStep = 1 << 20

// bounded is a reader of data whose size is not known beforehand.
type bounded struct {
	op          string
	r           io.Reader
	taken, fits int // bytes that were read, and those that may be before memory is looked at again
}

// Bounded returns a reader of r whose data must fit into the memory budget, as who reads keeps it. It panics with an
// *Error of op if it does not, or at an interrupt.
func Bounded(op string, r io.Reader) io.Reader { return &bounded{op: op, r: r, fits: readStep} }

func (b *bounded) Read(p []byte) (int, error) {
	Interrupted(b.op)
	n, err := b.r.Read(p)
	if b.taken += n; b.taken > b.fits { // a buffer that grows, by a quarter, is there twice meanwhile
		MustFit(b.op, float64(max(readStep, b.taken+b.taken/4)))
		b.fits = b.taken + readStep
	}
	return n, err
}

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
	f := &File{op: op, file: file, from: Bounded(op, file)}
	if err != nil {
		f.fail(err)
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		f.from, f.size = file, info.Size()
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
	n, err := f.from.Read(p)
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
func (f *File) Size() int64 { return f.size }

// Close closes the file.
func (f *File) Close() error {
	f.stop()
	return f.file.Close()
}

// ReadAll reads the rest of the file.
func (f *File) ReadAll() []byte {
	if f.size == 0 { // it may not be known
		b, err := io.ReadAll(f)
		if err != nil {
			f.fail(err)
		}
		return b
	}
	b := bytes.NewBuffer(make([]byte, 0, f.size+bytes.MinRead))
	if _, err := b.ReadFrom(f); err != nil {
		f.fail(err)
	}
	return b.Bytes()
}
