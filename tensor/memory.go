package tensor

import (
	"strings"
	"unsafe"

	"gotorch/internal/hugepages"
)

// Note: the memory of results. Elements of the host lie on Go's heap, where every pointer and slice into them keeps
// them alive: kernels may hold a slice of a tensor that nobody refers to any more. Most results are overwritten whole
// by their kernel, so their memory is not zeroed first, which would cost as much as a cheap operator. Large blocks lie
// on huge pages, because the system zeroes and maps fresh memory page by page. With the build tag poison, memory that
// is not zeroed is filled with ones (NaN in every floating point type), so that the tests find an operator that relies
// on zeros.

// hugeBytes is the size from which blocks are worth huge pages.
const hugeBytes = 1 << 18

// hostMemory returns the address of n bytes on Go's heap, aligned to 8 bytes at least, with room for a pointer behind
// the last one.
func hostMemory(n int, zeroed bool) unsafe.Pointer {
	if n >= cachedFrom && inCache(n) {
		return cached(n+8, zeroed)
	}
	if n >= cachedTo {
		blocks.passed(n)
	}
	if zeroed {
		p := unsafe.Pointer(unsafe.SliceData(make([]uint64, n/8+1)))
		adviseHuge(p, n)
		return p
	}
	return unsafe.Pointer(uncleared(n + 8))
}

// inCache reports whether blocks of n bytes are kept for reuse.
func inCache(n int) bool { return n >= ownedFrom && n < cachedTo && !raceEnabled }

// uncleared is n bytes of anything.
func uncleared(n int) *byte {
	// a Builder is the one public way to memory that the runtime does not zero
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0) // so that the string has an address
	p := unsafe.StringData(b.String())
	adviseHuge(unsafe.Pointer(p), n)
	return p
}

// spoil fills memory that need not be zero with ones, in tests.
func (s *Storage) spoil() {
	bytes := hostBytes(s)
	for i := range bytes {
		bytes[i] = 0xff
	}
}

func adviseHuge(p unsafe.Pointer, n int) {
	if n >= hugeBytes {
		hugepages.Advise(p, n)
	}
}
