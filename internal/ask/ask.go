// Package ask asks for a line: of a user at a terminal, or of what is piped in.
package ask

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// ErrNobody says that there is nobody to ask.
var ErrNobody = fmt.Errorf("nobody can be asked here: %w", io.EOF)

// Line writes prompt to out and reads a line of in, without its end; what follows the line is left in the reader. A
// secret that is typed at a terminal is not shown. The error is io.EOF where there is no line, or ctx's: then the
// terminal is as it was, and one more line may still be swallowed.
func Line(ctx context.Context, in io.Reader, out io.Writer, prompt string, secret bool) (string, error) {
	io.WriteString(out, prompt)
	read := func() (string, error) { return readLine(in) }
	if f, ok := in.(*os.File); ok && secret && term.IsTerminal(int(f.Fd())) {
		fd := int(f.Fd())
		was, err := term.GetState(fd)
		if err != nil {
			return "", err
		}
		read = func() (string, error) {
			b, err := term.ReadPassword(fd)
			return string(b), err
		}
		defer io.WriteString(out, "\n") // which was typed, and not shown
		defer term.Restore(fd, was)
	}
	type answer struct {
		line string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		s, err := read()
		answered <- answer{s, err}
	}()
	select {
	case a := <-answered:
		return a.line, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// readLine reads no further than the end of the line.
func readLine(in io.Reader) (string, error) {
	var line []byte
	var b [1]byte
	for {
		n, err := in.Read(b[:])
		switch {
		case n > 0 && b[0] == '\n':
			return strings.TrimSuffix(string(line), "\r"), nil
		case n > 0:
			line = append(line, b[0])
		}
		if err == io.EOF && len(line) > 0 { // the last line has no end
			return string(line), nil
		}
		if err != nil {
			return "", err
		}
	}
}
