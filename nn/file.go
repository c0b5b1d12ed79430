package nn

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

	"gotorch/tensor"
)

// writeFile writes a file by f, so that it is there whole or as it was: into another one in the same folder, which
// then takes the name. What is no plain file, such as a device, is written to as it is.
func writeFile(op, path string, f func(w io.Writer) error) {
	fail := func(err error) {
		if err != nil {
			panic(tensor.Errorf(op, "%v", err))
		}
	}
	plain := true
	if info, err := os.Stat(path); err == nil {
		plain = info.Mode().IsRegular()
	}
	if !plain {
		file := tensor.WriteFile(op, path)
		defer file.Close()
		fail(f(file))
		return
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	fail(err)
	done := false
	defer func() {
		if !done {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	w := bufio.NewWriterSize(file, 1<<16)
	fail(f(w))
	fail(w.Flush())
	fail(file.Chmod(0o644))
	fail(file.Sync())
	fail(file.Close())
	fail(os.Rename(file.Name(), path))
	done = true
}
