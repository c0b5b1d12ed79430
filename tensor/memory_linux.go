package tensor

import (
	"sync"

	"golang.org/x/sys/unix"
)

// arenaBytes is the unit in which Go's heap grows on 64-bit systems.
const arenaBytes = 64 << 20

// advised has the arenas whose pages may be huge.
var advised struct {
	sync.RWMutex
	arenas map[uintptr]bool
}

// adviseHugePages asks the system for huge pages in the arenas of n bytes at p, once for each arena.
func adviseHugePages(p uintptr, n int) {
	for a := p &^ (arenaBytes - 1); a < p+uintptr(n); a += arenaBytes {
		advised.RLock()
		done := advised.arenas[a]
		advised.RUnlock()
		if done {
			continue
		}
		advised.Lock()
		if advised.arenas == nil {
			advised.arenas = map[uintptr]bool{}
		}
		advised.arenas[a] = true
		advised.Unlock()
		// an error means that the pages stay as they are
		unix.Syscall(unix.SYS_MADVISE, a, arenaBytes, unix.MADV_HUGEPAGE)
	}
}
