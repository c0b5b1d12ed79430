//go:build unix

package jupyter

import "syscall"

// tryWrite writes what the system takes without waiting, and returns the number of bytes. An error is left for the
// next write that waits.
func tryWrite(c syscall.RawConn, b []byte) (n int) {
	c.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), b)
		return true
	})
	return max(0, n)
}
