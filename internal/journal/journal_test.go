package journal

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// TestMain is also the process that is ended: see crash.
func TestMain(m *testing.M) {
	if dir := os.Getenv("JOURNAL_TEST_DIR"); dir != "" {
		j, err := Open(dir, "test", os.Getenv("JOURNAL_TEST_KEY"))
		if err != nil {
			panic(err)
		}
		j.Begin(1, "a := 1")()
		j.Begin(2, "%restore")()
		done := j.Begin(3, "b := `\n.\n`")
		switch os.Getenv("JOURNAL_TEST_END") {
		case "idle":
			done()
			go func() { panic("late") }()
			select {}
		case "killed":
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		case "stack":
			os.Exit(overflow(0))
		case "lock":
			new(sync.Mutex).Unlock()
		case "order":
			j.Close()
			os.Exit(0)
		}
		m := map[int]int{}
		for range 8 {
			go func() {
				for {
					m[1]++
				}
			}()
		}
		select {}
	}
	os.Exit(m.Run())
}

// overflow calls itself until the stack is full.
func overflow(n int) int {
	if n < 0 {
		return 0
	}
	return overflow(n+1) + n
}

// crash has a process write a journal and end.
func crash(t *testing.T, dir, key, end string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_DIR="+dir, "JOURNAL_TEST_KEY="+key, "JOURNAL_TEST_END="+end)
	err := cmd.Run()
	if (err == nil) != (end == "order") {
		t.Fatalf("%s: %v", end, err)
	}
}

func TestLost(t *testing.T) {
	for _, c := range []struct {
		end, cause string
		done       int
		fatal      bool
	}{
		{"order", "", 0, false},
		{"map", "fatal error: two goroutines used one map", 1, true},
		{"stack", "fatal error: stack overflow", 1, true},
		{"lock", "fatal error: a lock was unlocked", 1, true},
		{"idle", "panic: late", 2, false},
		{"killed", "it was killed", 1, true},
	} {
		dir := t.TempDir()
		crash(t, dir, "k", c.end)
		if l := Find(dir, "other", "k"); l != nil {
			t.Errorf("%s: another kind finds %+v", c.end, l)
		}
		l := Find(dir, "test", "k")
		if c.end == "order" {
			if l != nil {
				t.Errorf("a session that ended in order left %+v", l)
			}
			continue
		}
		if l == nil || len(l.Cells) != c.done || (l.Fatal != nil) != c.fatal || !strings.HasPrefix(l.Cause, c.cause) {
			t.Errorf("%s: %+v", c.end, l)
			continue
		}
		if l.Cells[0] != (Cell{1, "a := 1"}) || c.fatal && *l.Fatal != (Cell{3, "b := `\n.\n`"}) {
			t.Errorf("%s: %+v", c.end, l)
		}
		if l := Find(dir, "test", "k"); l != nil {
			t.Errorf("%s: offered twice: %+v", c.end, l)
		}
	}
}

// TestFindOthers: a process with a key of its own finds what one in the same directory left, and leaves alone what
// lives and what belongs to others.
func TestFindOthers(t *testing.T) {
	dir := t.TempDir()
	j, err := Open(dir, "test", "alive")
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(1, "x")
	if l := Find(dir, "test", "new"); l != nil {
		t.Errorf("that of a process that lives: %+v", l)
	}
	crash(t, dir, "gone", "fatal")
	if l := Find(dir, "test", "new"); l == nil || l.Fatal == nil {
		t.Errorf("that of the same directory: %+v", l)
	}
	crash(t, dir, "gone", "fatal")
	t.Chdir(t.TempDir())
	if l := Find(dir, "test", "new"); l != nil {
		t.Errorf("that of another directory: %+v", l)
	}
	if l := Find(dir, "test", "gone"); l == nil {
		t.Error("that with the same key is not found")
	}
	j.Close()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	var none *Journal
	none.Begin(1, "")()
	none.Close()
}
