//go:build unix

package shell

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestFilesInterrupt: an interrupt ends the wait for a file that does not answer, and a file without an end is
// not read for ever.
func TestFilesInterrupt(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := writeTo(ctx, pipe, os.O_WRONLY, "text"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a pipe that nobody reads: %v", err)
	}
	if _, err := readCells(t.Context(), pipe); err == nil {
		t.Error("a pipe is read")
	}
	const system = "/proc/kmsg" // a plain file, it says, but a read waits for the next message
	if f, err := os.Open(system); err != nil {
		t.Log(err)
	} else {
		f.Close()
		if _, err := readCells(ctx, system); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", system, err)
		}
	}
	long := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(long, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, longest+1); err != nil {
		t.Skip(err)
	}
	if _, err := readCells(t.Context(), long); err == nil {
		t.Error("a file of more than the limit is read")
	}
}
