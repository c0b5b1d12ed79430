//go:build unix

package tensor

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps n bytes of a file, so that writes are private.
func mapFile(f *os.File, n int) (data []byte, unmap func(), err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	return data, func() { unix.Munmap(data) }, err
}
