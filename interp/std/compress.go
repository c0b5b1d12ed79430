package std

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/hex"
	"io"
	"text/scanner"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Packages that compress, sum and scan, for cells: what they read from may never end, what they receive may be long,
// and what they print goes to the session's streams.
var readers = map[string]env.Patch{
	"compress/gzip": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader": func(r io.Reader) (*gzip.Reader, error) { return gzip.NewReader(e.Waiting(r)) },
			"NewWriter": func(w io.Writer) *gzip.Writer { return gzip.NewWriter(e.Sink(w)) },
		})
	}, Methods: map[string]func(e *env.Env) any{"Writer.Write": inParts[*gzip.Writer]}},
	"compress/zlib": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader": func(r io.Reader) (io.ReadCloser, error) { return zlib.NewReader(e.Waiting(r)) },
			"NewReaderDict": func(r io.Reader, d []byte) (io.ReadCloser,
				error) {
				return zlib.NewReaderDict(e.Waiting(r), d)
			},
			"NewWriter": func(w io.Writer) *zlib.Writer { return zlib.NewWriter(e.Sink(w)) },
		})
	}, Methods: map[string]func(e *env.Env) any{"Writer.Write": inParts[*zlib.Writer]}},
	"compress/flate": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader":     func(r io.Reader) io.ReadCloser { return flate.NewReader(e.Waiting(r)) },
			"NewReaderDict": func(r io.Reader, d []byte) io.ReadCloser { return flate.NewReaderDict(e.Waiting(r), d) },
		})
	}, Methods: map[string]func(e *env.Env) any{"Writer.Write": inParts[*flate.Writer]}},
	"compress/bzip2": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"NewReader": func(r io.Reader) io.Reader { return bzip2.NewReader(e.Waiting(r)) }})
	}},
	"archive/tar": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader": func(r io.Reader) *tar.Reader { return tar.NewReader(e.Waiting(r)) },
			"NewWriter": func(w io.Writer) *tar.Writer { return tar.NewWriter(e.Sink(w)) },
		})
	}},
	"archive/zip": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"NewWriter": func(w io.Writer) *zip.Writer { return zip.NewWriter(e.Sink(w)) }})
	}},
	"encoding/hex": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"Dumper": func(w io.Writer) io.WriteCloser { return hex.Dumper(e.Sink(w)) }})
	}},
	"text/scanner": {Methods: map[string]func(e *env.Env) any{"Scanner.Init": initScanner}},
}

// part is how many bytes are compressed between two looks at interrupts.
const part = 1 << 16

// inParts is the method Write of a writer that works for long on what it receives.
func inParts[W io.Writer](*env.Env) any {
	return func(w W, b []byte) (n int, err error) {
		if len(b) <= part {
			return w.Write(b)
		}
		task.Stoppable(func(stop func()) {
			for len(b) > 0 && err == nil {
				stop()
				k := 0
				k, err = w.Write(b[:min(part, len(b))])
				n, b = n+k, b[min(part, len(b)):]
			}
		})
		return n, err
	}
}

// initScanner is Scanner.Init.
func initScanner(e *env.Env) any {
	return func(s *scanner.Scanner, src io.Reader) *scanner.Scanner {
		s.Init(e.Waiting(src))
		s.Error = func(s *scanner.Scanner, msg string) {
			pos := s.Position
			if !pos.IsValid() {
				pos = s.Pos()
			}
			io.WriteString(e.Stderr(), pos.String()+": "+msg+"\n")
		}
		return s
	}
}
