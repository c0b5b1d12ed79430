package tensor

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	old := MemoryBudget()
	defer SetMemoryBudget(old)
	SetMemoryBudget(MemoryUsed() + 8<<20)
	x := Alloc("zeros", []int{5 << 20}, Uint8, CPU)
	err := Try(func() { Alloc("zeros", []int{5 << 20}, Uint8, CPU) })
	if err == nil || !strings.Contains(err.Error(), "5242880 bytes") {
		t.Errorf("a second five megabytes of eight: %v", err)
	}
	runtime.KeepAlive(x)
	x = nil
	for range 200 { // once the first is dead there is room
		if err = Try(func() { Alloc("zeros", []int{5 << 20}, Uint8, CPU) }); err == nil {
			return
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	t.Errorf("memory is not given back: %v", err)
}

func TestSizesThatDoNotFit(t *testing.T) {
	for _, shape := range [][]int{{1 << 20, 1 << 20, 1 << 20, 1 << 20}, {1 << 62, 2}, {-1}, {1 << 20, 1 << 20}} {
		if err := Try(func() { Alloc("zeros", shape, Float32, CPU) }); err == nil {
			t.Errorf("%v was allocated", shape)
		}
	}
	if x := Alloc("empty", []int{1 << 20, 1 << 20}, Float32, Meta); x.Numel() != 1<<40 || x.Storage().Nbytes() != 1<<42 {
		t.Errorf("meta: %d elements, %d bytes", x.Numel(), x.Storage().Nbytes())
	}
	if x := Alloc("empty", []int{0, 1 << 62, 1 << 62}, Float32, CPU); x.Numel() != 0 {
		t.Errorf("an empty tensor has %d elements", x.Numel())
	}
}

// The limits of the machine's uppermost cgroup are always looked at, each once.
func TestMemoryLimits(t *testing.T) {
	files := memoryLimits()
	for _, want := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		n := 0
		for _, f := range files {
			if f == want {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is %d times among %v", want, n, files)
		}
	}
}
