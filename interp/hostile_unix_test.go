//go:build unix

package interp

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// makeFIFO makes a pipe with a name, which nobody writes.
func makeFIFO(t *testing.T) string {
	t.Helper()
	name := filepath.Join(openDir(t), "fifo.npy")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Skip(err)
	}
	return name
}

// openDir makes a folder that every user may write.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hostile")
	if err == nil {
		err = os.Chmod(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// nobody is the user without rights.
const nobody = 65534

// giveUpRights makes the superuser's process that of a user who can change nothing: cells are hostile.
func giveUpRights() error {
	if os.Getuid() != 0 {
		return nil
	}
	groups := func(id int) error { return syscall.Setgroups([]int{id}) }
	for _, f := range []func(int) error{groups, syscall.Setgid, syscall.Setuid} {
		if err := f(nobody); err != nil {
			return err
		}
	}
	return nil
}
