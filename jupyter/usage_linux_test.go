package jupyter

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// What cells have started is the kernel's, as long as it runs.
func TestUsageOfPrograms(t *testing.T) {
	c := exec.Command("sh", "-c", "cat; exit") // a child, and its own
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Skip(err)
	}
	// until sh has started cat
	for begin := time.Now(); len(family(c.Process.Pid)) < 2 && time.Since(begin) < 20*time.Second; {
		time.Sleep(time.Millisecond)
	}
	if of := family(c.Process.Pid); len(of) < 2 {
		if _, err := os.Stat("/proc/thread-self/children"); err != nil {
			in.Close()
			c.Wait()
			t.Skip("the system does not tell of children")
		}
		t.Errorf("a program's programs: %v", of)
	}
	all := family(os.Getpid())
	if !slices.Contains(all, c.Process.Pid) {
		t.Errorf("%d is not among %v", c.Process.Pid, all)
	}
	if processMemory(c.Process.Pid) <= 0 {
		t.Error("it has no memory")
	}
	in.Close()
	c.Wait()
	if all := family(os.Getpid()); slices.Contains(all, c.Process.Pid) {
		t.Errorf("%d has ended", c.Process.Pid)
	}
}

// Questions that come too close are answered from what was before.
func TestUsageOfSeveral(t *testing.T) {
	var m meter
	t0 := time.Now()
	at := func(ms int) *sample { return &sample{at: t0.Add(time.Duration(ms) * time.Millisecond)} }
	first, second, third := at(0), at(5000), at(10000)
	for _, c := range []struct{ now, want *sample }{
		{first, nil}, {at(1), nil}, {second, first}, {at(5001), first}, {at(5099), first}, {third, second},
		{at(10050), second},
	} {
		if got := m.since(c.now); got != c.want {
			t.Errorf("at %v: compared with %v, want %v", c.now.at.Sub(t0), got, c.want)
		}
	}
}

// A share of the time is that between two samples; a process that has come or gone, or another with an old number,
// adds nothing.
func TestUsageShares(t *testing.T) {
	t0 := time.Now()
	last := &sample{at: t0, cpu: map[process]time.Duration{{1, 5}: time.Second, {2, 6}: 9 * time.Second,
		{3, 7}: time.Second}, busy: time.Second, all: 10 * time.Second}
	now := &sample{at: t0.Add(2 * time.Second),
		cpu:    map[process]time.Duration{{1, 5}: 4 * time.Second, {3, 8}: 5 * time.Second, {4, 9}: time.Second},
		memory: 7, busy: 2 * time.Second, all: 14 * time.Second}
	got := map[string]any{}
	now.fill(got, last)
	if got["kernel_cpu"] != 150.0 || got["host_cpu_percent"] != 25.0 || got["kernel_memory"] != int64(7) ||
		got["host_virtual_memory"] == nil {
		t.Errorf("%v", got)
	}
	first := map[string]any{}
	(&sample{at: t0, busy: time.Second, all: time.Second}).fill(first, nil)
	if _, ok := first["host_cpu_percent"]; ok || first["kernel_cpu"] != 0.0 {
		t.Errorf("at first: %v", first)
	}
	if _, ok := first["kernel_memory"]; ok {
		t.Errorf("at first: %v", first)
	}
}
