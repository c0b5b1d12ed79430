package shell

import (
	"context"
	"fmt"
	"io"
	"os"
)

// longest is how many bytes a file of cells may have.
const longest = 64 << 20

// readCells reads a file of cells. Pipes and devices are rejected: they may never end.
func readCells(ctx context.Context, name string) ([]byte, error) {
	return apart(ctx, func() ([]byte, error) {
		f, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, err
		case f.IsDir():
		case !f.Mode().IsRegular():
			return nil, fmt.Errorf("%s is a pipe or a device, which may never end: write its text to a file", name)
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		text, err := io.ReadAll(io.LimitReader(file, longest+1)) // a file of the system's may say that it is empty
		if err == nil && len(text) > longest {
			err = fmt.Errorf("%s has %d bytes or more: a file of cells has at most %d", name, len(text), longest)
		}
		return text, err
	})
}

// apart runs f, which reads or writes a file, on a goroutine of its own: a pipe without another end, a file of the
// system's or a server that does not answer may keep it waiting, and an interrupt ends the wait.
func apart[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	c := make(chan result, 1)
	go func() {
		v, err := f()
		c <- result{v, err}
	}()
	select {
	case r := <-c:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// writeTo writes a text to a file, over what it holds or behind it.
func writeTo(ctx context.Context, name string, flags int, text string) error {
	_, err := apart(ctx, func() (int, error) {
		f, err := os.OpenFile(name, flags, 0o666)
		if err != nil {
			return 0, err
		}
		n, err := f.WriteString(text)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		return n, err
	})
	return err
}
