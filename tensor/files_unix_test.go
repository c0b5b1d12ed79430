//go:build unix

package tensor_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gotorch/tensor"
)

// fileError is the text of the error that f panics with, when a context is done after a while.
func fileError(t *testing.T, f func()) (text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	defer func() {
		if e, ok := recover().(*tensor.Error); ok {
			text = e.Error()
		}
	}()
	tensor.WithContext(ctx, f)
	return ""
}

// TestPipes: an interrupt ends the wait for the other end of a pipe, and for bytes from it or room in it.
func TestPipes(t *testing.T) {
	pipe := ""
	another := func() {
		pipe = filepath.Join(t.TempDir(), "pipe")
		if err := unix.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
	}
	for name, f := range map[string]func(){
		"open":  func() { tensor.OpenFile("op", pipe) },
		"write": func() { tensor.WriteFile("op", pipe) },
		"npy":   func() { tensor.LoadNpy(pipe) },
		"map":   func() { tensor.MapFile("op", pipe) },
	} {
		another()
		if got := fileError(t, f); !strings.Contains(got, "interrupted") {
			t.Errorf("%s: %q", name, got)
		}
	}
	another()
	other, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	read := func() {
		f := tensor.OpenFile("op", pipe)
		defer f.Close()
		f.ReadAll()
	}
	if got := fileError(t, read); !strings.Contains(got, "interrupted") {
		t.Errorf("read: %q", got)
	}
	fill := func() {
		f := tensor.CreateFile("op", pipe)
		defer f.Close()
		io.Copy(f, endless{})
	}
	if got := fileError(t, fill); !strings.Contains(got, "interrupted") {
		t.Errorf("write: %q", got)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestEndlessFile: what is read of a device must fit into the budget.
func TestEndlessFile(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	defer tensor.SetMemoryBudget(tensor.MemoryBudget())
	tensor.SetMemoryBudget(8 << 20)
	defer func() {
		if e, ok := recover().(*tensor.Error); !ok || !strings.Contains(e.Error(), "memory budget") {
			t.Errorf("panic %v", e)
		}
	}()
	tensor.LoadImage("/dev/zero")
}
