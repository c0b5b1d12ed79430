//go:build unix

package interp

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// makeFIFO makes a pipe with a name, which nobody writes or reads, but everybody may.
func makeFIFO(t *testing.T) string {
	t.Helper()
	name := filepath.Join(openDir(t), "fifo.npy")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Skip(err)
	}
	os.Chmod(name, 0o666)
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

// TestPackageOfPipes: a folder with a pipe, a link to a device, or too much in it is imported or refused at once.
func TestPackageOfPipes(t *testing.T) {
	dir := openDir(t)
	for _, name := range []string{"pipe", "device"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe", "x.go"), 0o666); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "device", "x.go")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gomod", "pipe", "device"} {
		d := filepath.Join(dir, name)
		if name == "gomod" {
			d = filepath.Join(dir, "a", "gomod")
			if err := os.MkdirAll(d, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(filepath.Join(dir, "a", "go.mod"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(filepath.Dir(d))
		s := New(Options{})
		got := cell(s, `import "./`+filepath.Base(d)+`"`)
		if !strings.Contains(got, "tests, or for other systems") && !strings.Contains(got, "no Go in") {
			t.Errorf("%s: %s", name, got)
		}
		s.Close()
	}
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
