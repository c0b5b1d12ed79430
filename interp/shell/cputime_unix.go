//go:build unix

package shell

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used of its processors, for itself and in the system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
