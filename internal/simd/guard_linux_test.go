package simd

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded returns n elements that end, or with front begin, at a page that cannot be read or written, so that a kernel
// that touches memory beside its slices ends the test.
func guarded[T any](t testing.TB, n int, front bool) []T {
	t.Helper()
	var z T
	size, page := n*int(unsafe.Sizeof(z)), unix.Getpagesize()
	inner := (size + page - 1) / page * page
	m, err := unix.Mmap(-1, 0, inner+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Skip("no guard pages: ", err)
	}
	t.Cleanup(func() { unix.Munmap(m) })
	for _, g := range [][]byte{m[:page], m[page+inner:]} {
		if err := unix.Mprotect(g, unix.PROT_NONE); err != nil {
			t.Skip("no guard pages: ", err)
		}
	}
	at := page + inner - size
	if front {
		at = page
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m[at:]))), n)
}
