package main

import (
	"os"
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 400}, {4 << 20, 400}, {16 << 20, 400}, {32 << 20, 200}, {64 << 20, 100}, {1 << 34, 100}} {
		if got := percent(c.live); got != c.want {
			t.Errorf("%d MB live: %d%%, want %d%%", c.live>>20, got, c.want)
		}
	}
}

// TestMemoryGivenBack: a large tensor that nothing holds any more is the system's again soon after, though no cell
// runs.
func TestMemoryGivenBack(t *testing.T) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("this system does not say how large a process is")
	}
	f := front{startKernel(t), t}
	f.runs("1 + 1")
	before := f.resident()
	f.runs("x := Ones(1 << 26)") // 256 MB
	if large := f.resident(); large < before+200<<20 {
		t.Fatalf("%d MB with a tensor of 256 MB, %d MB before", large>>20, before>>20)
	}
	f.runs("x = nil")
	for range 20 {
		time.Sleep(2 * quiet)
		if f.resident() < before+50<<20 {
			return
		}
	}
	t.Errorf("%d MB without it, %d MB before", f.resident()>>20, before>>20)
}
