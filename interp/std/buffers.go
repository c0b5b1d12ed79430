package std

import (
	"bufio"
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Buffers that grow in compiled code: each growth is checked against the memory budget before it is made. Without
// that, one call could take twice the budget between two looks of the watcher of memory.

// bufferMethods are those of bytes.Buffer that allocate in proportion to what it holds.
var bufferMethods = map[string]func(e *env.Env) any{
	"Buffer.Write": func(*env.Env) any {
		return func(b *bytes.Buffer, p []byte) (int, error) {
			roomIn("bytes.Buffer.Write", b, len(p))
			return b.Write(p)
		}
	},
	"Buffer.WriteString": func(*env.Env) any {
		return func(b *bytes.Buffer, s string) (int, error) {
			roomIn("bytes.Buffer.WriteString", b, len(s))
			return b.WriteString(s)
		}
	},
	"Buffer.String": func(*env.Env) any {
		return func(b *bytes.Buffer) string {
			if b != nil {
				rt.Fits("bytes.Buffer.String", b.Len())
			}
			return b.String()
		}
	},
	"Buffer.ReadFrom": func(e *env.Env) any {
		return detach("Buffer.ReadFrom", reflect.ValueOf(func(b *bytes.Buffer, r io.Reader) (total int64, err error) {
			for r = e.Source(r); ; {
				roomIn("bytes.Buffer.ReadFrom", b, bytes.MinRead)
				b.Grow(bytes.MinRead)
				free := b.AvailableBuffer()
				n, err := r.Read(free[:cap(free)])
				b.Write(free[:n])
				total += int64(n)
				if err != nil {
					if err == io.EOF {
						err = nil
					}
					return total, err
				}
			}
		})).Interface()
	},
}

// roomIn checks what a buffer of bytes is about to allocate for n more.
func roomIn(name string, b *bytes.Buffer, n int) {
	if b != nil && n > b.Available() && b.Len()+n > b.Cap()/2 {
		rt.Fits(name, 2*b.Cap()+n)
	}
}

// writeBuilder is the method Write of strings.Builder.
func writeBuilder(*env.Env) any {
	return func(b *strings.Builder, p []byte) (int, error) {
		roomInBuilder("strings.Builder.Write", b, len(p))
		return b.Write(p)
	}
}

// writeStringBuilder is the method WriteString of strings.Builder.
func writeStringBuilder(*env.Env) any {
	return func(b *strings.Builder, s string) (int, error) {
		roomInBuilder("strings.Builder.WriteString", b, len(s))
		return b.WriteString(s)
	}
}

func roomInBuilder(name string, b *strings.Builder, n int) {
	if b != nil && b.Len()+n > b.Cap() {
		rt.Fits(name, max(b.Cap()+b.Cap()/4, b.Len()+n))
	}
}

// scannerMethods are those of bufio.Scanner.
var scannerMethods = map[string]func(*env.Env) any{"Scanner.Buffer": scannerBuffer}

// scannerBuffer is the method Buffer of bufio.Scanner. A scanner doubles its buffer up to a size that many set to all
// there is; it is made so small that the two buffers fit that are there while one is copied. A line that is longer is
// then the scanner's own error.
func scannerBuffer(*env.Env) any {
	return func(s *bufio.Scanner, buf []byte, most int) {
		if t := task.Current(); t != nil && most > 1<<20 {
			most = min(most, max(1<<20, t.Room(1)/3))
		}
		s.Buffer(buf, most)
	}
}

// lineMethods are those of bufio.Reader that collect what they read until there is a delimiter.
var lineMethods = map[string]any{
	"Reader.ReadBytes": readBytes,
	"Reader.ReadString": func(b *bufio.Reader, delim byte) (string, error) {
		line, err := readBytes(b, delim)
		rt.Fits("bufio.Reader.ReadString", len(line))
		return string(line), err
	},
}

func readBytes(b *bufio.Reader, delim byte) ([]byte, error) {
	for line := []byte{}; ; {
		part, err := b.ReadSlice(delim)
		if n := len(line) + len(part); n > cap(line) && cap(line) > 0 {
			rt.Fits("bufio.Reader.ReadBytes", cap(line)/4+n)
			line = slices.Grow(line, cap(line)/4+len(part))
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// readAll is io.ReadAll, called by a name.
func readAll(name string, r io.Reader) ([]byte, error) {
	b := make([]byte, 0, 512)
	for {
		if len(b) == cap(b) {
			more := cap(b)/4 + 512
			rt.Fits(name, cap(b)+more)
			b = slices.Grow(b, more)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}
