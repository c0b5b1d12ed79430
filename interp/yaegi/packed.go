package yaegi

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
)

// Packages that compress, sum and scan, for cells: what they read from may never end, what they are given may be long, and what they print goes
// to the session's streams.

// packed are their names, by package.
var packed = map[string]func(e *Engine) map[string]any{
	"compress/gzip": func(e *Engine) map[string]any {
		return map[string]any{
			"NewReader": func(r io.Reader) (*gzip.Reader, error) { return gzip.NewReader(e.waiting(r)) },
			"NewWriter": func(w io.Writer) *gzip.Writer { return gzip.NewWriter(e.sink(w)) },
		}
	},
	"compress/zlib": func(e *Engine) map[string]any {
		return map[string]any{
			"NewReader":     func(r io.Reader) (io.ReadCloser, error) { return zlib.NewReader(e.waiting(r)) },
			"NewReaderDict": func(r io.Reader, d []byte) (io.ReadCloser, error) { return zlib.NewReaderDict(e.waiting(r), d) },
			"NewWriter":     func(w io.Writer) *zlib.Writer { return zlib.NewWriter(e.sink(w)) },
		}
	},
	"compress/flate": func(e *Engine) map[string]any {
		return map[string]any{
			"NewReader":     func(r io.Reader) io.ReadCloser { return flate.NewReader(e.waiting(r)) },
			"NewReaderDict": func(r io.Reader, d []byte) io.ReadCloser { return flate.NewReaderDict(e.waiting(r), d) },
		}
	},
	"compress/bzip2": func(e *Engine) map[string]any {
		return map[string]any{"NewReader": func(r io.Reader) io.Reader { return bzip2.NewReader(e.waiting(r)) }}
	},
	"archive/tar": func(e *Engine) map[string]any {
		return map[string]any{
			"NewReader": func(r io.Reader) *tar.Reader { return tar.NewReader(e.waiting(r)) },
			"NewWriter": func(w io.Writer) *tar.Writer { return tar.NewWriter(e.sink(w)) },
		}
	},
	"archive/zip": func(e *Engine) map[string]any {
		return map[string]any{"NewWriter": func(w io.Writer) *zip.Writer { return zip.NewWriter(e.sink(w)) }}
	},
	"crypto/md5":  func(e *Engine) map[string]any { return map[string]any{"Sum": long(e, md5.Sum)} },
	"crypto/sha1": func(e *Engine) map[string]any { return map[string]any{"Sum": long(e, sha1.Sum)} },
	"crypto/sha256": func(e *Engine) map[string]any {
		return map[string]any{"Sum256": long(e, sha256.Sum256), "Sum224": long(e, sha256.Sum224)}
	},
	"crypto/sha512": func(e *Engine) map[string]any {
		return map[string]any{"Sum512": long(e, sha512.Sum512), "Sum384": long(e, sha512.Sum384)}
	},
}

// long makes of a function of bytes one that an interrupt need not wait for where there are many.
func long[T any](e *Engine, f func([]byte) T) func([]byte) T {
	return func(b []byte) (out T) {
		if len(b) < 1<<20 {
			return f(b)
		}
		result := new(T)
		if e.leave(func() { *result = f(b) }) {
			out = *result
		}
		return out
	}
}

func init() {
	methods["text/scanner.Scanner.Init"] = func(e *Engine) any {
		return func(s *scanner.Scanner, src io.Reader) *scanner.Scanner {
			s.Init(e.waiting(src))
			s.Error = func(s *scanner.Scanner, msg string) {
				pos := s.Position
				if !pos.IsValid() {
					pos = s.Pos()
				}
				io.WriteString(writer{e, true}, pos.String()+": "+msg+"\n")
			}
			return s
		}
	}
}
