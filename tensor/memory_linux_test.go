package tensor

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"gotorch/internal/hugepages"
)

// vmFlags are what the system says of the mapping that p lies in.
func vmFlags(t *testing.T, p unsafe.Pointer) []string {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			inside = from <= uintptr(p) && uintptr(p) < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && inside {
			return strings.Fields(flags)
		}
	}
	t.Fatalf("no mapping has %p", p)
	return nil
}

// TestHugePages: memory that the heap grows by later is on huge pages too, for elements as for tensors themselves.
func TestHugePages(t *testing.T) {
	if !hugepages.Supported() || raceEnabled {
		t.Skip("the system has no huge pages, or memory is watched")
	}
	const hugePage = 2 << 20
	probe, err := unix.Mmap(-1, 0, 2*hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(probe)
	if err := unix.Madvise(probe, unix.MADV_HUGEPAGE); err != nil ||
		!slices.Contains(vmFlags(t, unsafe.Pointer(&probe[0])), "hg") {
		t.Skip("the system takes no advice, as an emulated one")
	}
	var all []*Tensor
	for range 40 { // ten steps of the heap
		all = append(all, Empty(1<<18), Empty(2))
	}
	for i, x := range all {
		for _, p := range []unsafe.Pointer{x.st.data, unsafe.Pointer(x)} {
			flags := vmFlags(t, p)
			if !slices.Contains(flags, "hg") {
				t.Fatalf("tensor %d: memory at %p has flags %v, want hg", i, p, flags)
			}
		}
	}
}
