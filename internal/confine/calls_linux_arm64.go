package confine

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

// opens are the calls that open files, with the argument that has the flags.
var opens = map[uint32]int{unix.SYS_OPENAT: 2}

// The calls of calls_linux.go that this architecture has in addition.
var (
	withinHere = []uint32{
		unix.SYS_FSTATAT,
	}
	changingHere []uint32
	outsideHere  []uint32
)
