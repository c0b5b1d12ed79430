//go:build unix

package jupyter

import (
	"bytes"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A disk that does not answer holds up no cell, does not fill the memory, and costs a question no more
// than its time.
func TestHistoryOfADiskThatHangs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	var lines bytes.Buffer
	h := newHistory(file, log.New(&lines, "", 0))
	cell := strings.Repeat("x", historyQueue/100)
	begin := time.Now()
	for i := range 300 {
		h.begin(i+1, cell)
	}
	if d := time.Since(begin); d > time.Second {
		t.Errorf("300 notes took %v", d)
	}
	h.mu.Lock()
	waiting := len(h.waiting)
	h.mu.Unlock()
	if waiting > 101 {
		t.Errorf("%d cells wait", waiting)
	}
	if err := h.do(func() {}, 10*time.Millisecond); err == nil {
		t.Error("the file answers")
	}
	if n := strings.Count(lines.String(), "\n"); n != 1 {
		t.Errorf("%d lines of complaint:\n%s", n, &lines)
	}
	// The disk comes back: what waited is there.
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	go io.Copy(io.Discard, f)
	if got := found(t, h); got[len(got)-1].Line < waiting {
		t.Errorf("cell %d is the last, of %d that waited", got[len(got)-1].Line, waiting)
	}
}
