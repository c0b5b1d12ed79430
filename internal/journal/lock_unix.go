//go:build unix && !solaris && !aix

package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes a file for this process until it is closed, and reports whether no other has it.
func lock(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }
