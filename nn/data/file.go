package data

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gotorch/tensor"
)

// mostBytes is how many bytes a file may have after it is unpacked.
const mostBytes = 1<<31 - 1

// open opens a file, unpacked if its name ends with .gz. A file that cannot be read is an *Error.
func open(op, path string) (io.Reader, func()) {
	f := tensor.OpenFile(op, path)
	if !strings.HasSuffix(path, ".gz") {
		return bufio.NewReaderSize(f, 1<<16), func() { f.Close() }
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		panic(tensor.Errorf(op, "%s: %v", path, err))
	}
	// what is unpacked may be a thousand times as large as the file
	return tensor.Bounded(op, io.LimitReader(z, mostBytes)), func() { f.Close() }
}

// find is the first of some names, each also with .gz, that is a file in dir.
func find(op, dir string, names ...string) string {
	for _, n := range names {
		for _, end := range []string{"", ".gz"} {
			path := filepath.Join(dir, n+end)
			if s, err := os.Stat(path); err == nil && !s.IsDir() {
				return path
			}
		}
	}
	panic(tensor.Errorf(op, "%s has no file %s", dir, strings.Join(names, " or ")))
}

// grow reads n bytes into memory that grows as they come, so that a wrong header asks for no more than the file has.
func grow(op, path string, r io.Reader, n int) []byte {
	if n < 0 || n > mostBytes {
		panic(tensor.Errorf(op, "%s says that it has %d bytes", path, n))
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		panic(tensor.Errorf(op, "%s: %v", path, err))
	}
	if len(b) < n {
		panic(tensor.Errorf(op, "%s ends after %d of %d bytes", path, len(b), n))
	}
	return b
}
