package std

import (
	"bufio"
	"io"
	"reflect"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Packages bufio and io for cells: what they read from may never end, and sizes are checked.

func patchBufio(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"NewReader": func(r io.Reader) *bufio.Reader { return bufio.NewReader(e.Source(r)) },
		"NewReaderSize": func(r io.Reader, n int) *bufio.Reader {
			return bufio.NewReaderSize(e.Source(r),
				rt.Len(n, 1))
		},
		"NewScanner":    func(r io.Reader) *bufio.Scanner { return bufio.NewScanner(e.Source(r)) },
		"NewWriterSize": func(w io.Writer, n int) *bufio.Writer { return bufio.NewWriterSize(w, rt.Len(n, 1)) },
	})
}

func patchIO(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"ReadAll":  func(r io.Reader) ([]byte, error) { return readAll("io.ReadAll", e.Endless(r)) },
		"ReadFull": func(r io.Reader, b []byte) (int, error) { return io.ReadFull(e.Endless(r), b) },
		"ReadAtLeast": func(r io.Reader, b []byte, n int) (int, error) {
			return io.ReadAtLeast(e.Endless(r), b, n)
		},
		"Copy": func(w io.Writer, r io.Reader) (int64, error) { return io.Copy(e.Target(w), e.Endless(r)) },
		"CopyN": func(w io.Writer, r io.Reader, n int64) (int64, error) {
			return io.CopyN(e.Target(w), e.Endless(r), n)
		},
		"CopyBuffer": func(w io.Writer, r io.Reader, b []byte) (int64, error) {
			return io.CopyBuffer(e.Target(w), e.Endless(r), b)
		},
	})
}

// made reports whether a method of a type of package bufio works for ever on one that no function has made: it waits
// for room in a buffer of no bytes.
func made(typ, method string) bool {
	return (typ == "Reader" || typ == "Writer") && method != "Reset" && method != "Size"
}

// ifMade rejects readers and writers that no function has made.
func ifMade(typ string, fn reflect.Value) reflect.Value {
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		if b, ok := args[0].Interface().(interface{ Size() int }); ok && !args[0].IsNil() && b.Size() == 0 {
			panic(rt.Fault("bufio: a " + typ + " is made by New" + typ + ": this one has no buffer"))
		}
		return fn.Call(args)
	})
}
