//go:build linux || darwin

package tensor

import (
	"math"
	"syscall"
)

// addressSpace is the limit to the process's address space (ulimit -v) in bytes, 0 where there is none.
func addressSpace() int64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) != nil || uint64(r.Cur) >= math.MaxInt64 {
		return 0
	}
	return int64(r.Cur)
}
