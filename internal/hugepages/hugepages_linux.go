// Package hugepages asks the system for huge pages where large blocks of Go's heap lie.
package hugepages

import (
	"bytes"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Note: huge pages. The system zeroes and maps memory that is new to the process page by page, which takes longer than
// a cheap operator, and so does what the runtime gave back in the meantime. With huge pages that happens once for two
// megabytes. The system must be asked for them after the runtime has mapped memory: what was said of addresses before
// is forgotten then. So each step by which the heap grows is looked at once, when the first tensor or option
// appears in it.

const (
	growBits = 22 // Go's heap grows in multiples of four megabytes
	pageSize = 2 << 20
)

// advised has the steps of the heap whose pages may be huge; seen, the last ones that were looked up, so that a tensor
// costs a comparison.
var (
	seen    [64]atomic.Uintptr
	advised struct {
		sync.Mutex
		steps map[uintptr]bool
	}
)

// Advise asks the system for huge pages where n bytes at p lie.
func Advise(p unsafe.Pointer, n int) {
	for step := uintptr(p) >> growBits; step <= (uintptr(p)+uintptr(n)-1)>>growBits; step++ {
		if seen[step%uintptr(len(seen))].Load() != step {
			adviseStep(step, uintptr(p))
		}
	}
}

// adviseStep asks for huge pages in a step of the heap. p lies in it or before: one page there exists already, so that
// the others around it would be small ones too.
func adviseStep(step, p uintptr) {
	advised.Lock()
	defer advised.Unlock()
	seen[step%uintptr(len(seen))].Store(step)
	if advised.steps[step] || !Supported() {
		return
	}
	if advised.steps == nil {
		advised.steps = map[uintptr]bool{}
	}
	advised.steps[step] = true
	// an error means that the pages stay as they are
	unix.Syscall(unix.SYS_MADVISE, step<<growBits, 1<<growBits, unix.MADV_HUGEPAGE)
	if p>>growBits == step {
		unix.Syscall(unix.SYS_MADVISE, p&^(pageSize-1), pageSize, unix.MADV_COLLAPSE)
	}
}

// Supported reports whether the system may use them.
var Supported = sync.OnceValue(func() bool {
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && !bytes.Contains(text, []byte("[never]"))
})
