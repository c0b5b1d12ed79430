package jupyter

import (
	"bytes"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// found is all of a history.
func found(t *testing.T, h *history) []entry {
	t.Helper()
	got, err := h.find(historyQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestHistorySurvivesDamage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	os.WriteFile(file, []byte("{\"session\":3,\"line\":1,\"input\":\"a\"}\n{\"sess\nnull\n5\n"+
		"{\"session\":-1,\"line\":1,\"input\":\"no\"}\n{\"session\":3,\"line\":9,\"output\":\"of nothing\"}\n"+
		"{\"session\":4,\"li"), 0o600)
	h := newHistory(file, log.New(io.Discard, "", 0))
	h.begin(1, "b")
	got := found(t, h)
	if len(got) != 2 || got[0].Input != "a" || got[1].Session != 5 {
		t.Errorf("%+v", got)
	}
}

func TestHistoryWithoutADisk(t *testing.T) {
	var lines bytes.Buffer
	h := newHistory("/dev/full", log.New(&lines, "", 0))
	h.begin(1, "a")
	h.begin(2, "b")
	h.end(1, "out")
	if got := found(t, h); len(got) != 2 || *got[0].Output != "out" {
		t.Errorf("%+v", got)
	}
	if n := strings.Count(lines.String(), "\n"); n != 1 {
		t.Errorf("%d lines of complaint:\n%s", n, &lines)
	}
}

func TestHistoryInMemoryIsBounded(t *testing.T) {
	h := newHistory("", log.New(io.Discard, "", 0))
	cell := strings.Repeat("x", 100_000)
	for i := range 1000 {
		h.begin(i+1, cell)
		h.end(i+1, cell[:10_000])
		if i%50 == 0 {
			h.drain(historyWait)
		}
	}
	if n := len(found(t, h)); n < 10 || n > 2*historyKept/len(cell) {
		t.Errorf("%d cells of 100 KB are kept", n)
	}
	if got := found(t, h); got[len(got)-1].Line != 1000 || got[len(got)-1].Output == nil {
		t.Error("the last cell is not there")
	}
}

func TestHistoryIsShortened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	line := `{"session":1,"line":1,"input":"` + strings.Repeat("x", 1<<16) + "\"}\n"
	os.WriteFile(file, []byte(strings.Repeat(line, historyMost/len(line)+10)), 0o600)
	h := newHistory(file, log.New(io.Discard, "", 0))
	h.begin(1, "new")
	h.drain(historyWait)
	st, err := os.Stat(file)
	if err != nil || st.Size() > historyRead+1000 {
		t.Errorf("%v, %v", st.Size(), err)
	}
	if got := found(t, h); got[len(got)-1].Session != 2 {
		t.Errorf("session %d", got[len(got)-1].Session)
	}
}

// Kernels that begin at the same time have different numbers, and lose nothing of each other.
func TestHistorySessionsDiffer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	const kernels = 8
	all := make([]*history, kernels)
	var group sync.WaitGroup
	for i := range all {
		all[i] = newHistory(file, log.New(io.Discard, "", 0))
		group.Go(func() {
			for line := range 10 {
				all[i].begin(line+1, "cell")
			}
			all[i].drain(historyWait)
		})
	}
	group.Wait()
	var sessions []int
	for _, h := range all {
		sessions = append(sessions, h.file.session)
	}
	slices.Sort(sessions)
	if n := len(slices.Compact(sessions)); n != kernels {
		t.Errorf("%d sessions of %d kernels: %v", n, kernels, sessions)
	}
	if n := len(found(t, newHistory(file, log.New(io.Discard, "", 0)))); n != 10*kernels {
		t.Errorf("%d cells", n)
	}
}
