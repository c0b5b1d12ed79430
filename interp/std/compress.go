package std

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"io"
	"text/scanner"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Packages that compress, sum and scan, for cells: what they read from may never end, what they are given may be
// long, and what they print goes to the session's streams.
var readers = map[string]env.Patch{
	"compress/gzip": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader": func(r io.Reader) (*gzip.Reader, error) { return gzip.NewReader(e.Waiting(r)) },
			"NewWriter": func(w io.Writer) *gzip.Writer { return gzip.NewWriter(e.Sink(w)) },
		})
	}},
	"compress/zlib": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader": func(r io.Reader) (io.ReadCloser, error) { return zlib.NewReader(e.Waiting(r)) },
			"NewReaderDict": func(r io.Reader, d []byte) (io.ReadCloser,
				error) {
				return zlib.NewReaderDict(e.Waiting(r), d)
			},
			"NewWriter": func(w io.Writer) *zlib.Writer { return zlib.NewWriter(e.Sink(w)) },
		})
	}},
	"compress/flate": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{
			"NewReader":     func(r io.Reader) io.ReadCloser { return flate.NewReader(e.Waiting(r)) },
			"NewReaderDict": func(r io.Reader, d []byte) io.ReadCloser { return flate.NewReaderDict(e.Waiting(r), d) },
		})
	}},
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
	"crypto/md5": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"Sum": detached(md5.Sum)})
	}},
	"crypto/sha1": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"Sum": detached(sha1.Sum)})
	}},
	"crypto/sha256": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"Sum256": detached(sha256.Sum256), "Sum224": detached(sha256.Sum224)})
	}},
	"crypto/sha512": {Names: func(e *env.Env, t env.Table) {
		t.Set(map[string]any{"Sum512": detached(sha512.Sum512), "Sum384": detached(sha512.Sum384)})
	}},

	"text/scanner": {Methods: map[string]func(e *env.Env) any{"Scanner.Init": initScanner}},
}

// detached turns a function of bytes into one that an interrupt need not wait for where there are many.
func detached[T any](f func([]byte) T) func([]byte) T {
	return func(b []byte) (out T) {
		if len(b) < 1<<20 {
			return f(b)
		}
		result := new(T)
		if task.Detach(func() { *result = f(b) }) {
			out = *result
		}
		return out
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
