package confine

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

// opens are the calls that open files, with the argument that has the flags.
var opens = map[uint32]int{unix.SYS_OPENAT: 2, unix.SYS_OPEN: 1}

// The calls of calls_linux.go that this architecture has in addition.
var (
	withinHere = []uint32{
		unix.SYS_NEWFSTATAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_GETDENTS,
		unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD, unix.SYS_PIPE,
		unix.SYS_DUP2, unix.SYS_ARCH_PRCTL, unix.SYS_TIME, unix.SYS_ALARM, unix.SYS_GETPGRP, unix.SYS_GETRLIMIT,
		unix.SYS_PAUSE,
	}
	changingHere = []uint32{
		unix.SYS_MKDIR, unix.SYS_UNLINK, unix.SYS_RENAME,
	}
	outsideHere = []uint32{
		unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CREAT, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN,
		unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_MKNOD,
		unix.SYS_SYMLINK, unix.SYS_LINK, unix.SYS_UNLINK, unix.SYS_RENAME,
	}
)
