//go:build amd64 || arm64

package confine

import (
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Note: the filter lets through the calls that Go's runtime and library make for work inside the process, and rejects
// all others, those included that later kernels add. What is rejected looks as if the kernel did not have it (ENOSYS),
// for which libraries have fallbacks; what a cell may have meant to do fails with EPERM. Each call's branch returns:
// nothing falls through to the next with an argument in the accumulator.

// Where a filter finds the call: struct seccomp_data. Both architectures are little-endian.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

const (
	permit  = uint32(unix.SECCOMP_RET_ALLOW)
	refuse  = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPERM)
	missing = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.ENOSYS)
)

// test is a condition on the low half of an argument; the kernel looks at no more of these arguments.
type test struct {
	arg  int
	cond bpf.JumpTest
	val  uint32
}

// rule is a call that is let through if one of the lists of tests holds in whole.
type rule struct {
	call uint32
	any  [][]test
}

// one lets a call through whose argument is one of some values.
func one(call uint32, arg int, vals ...uint32) rule {
	r := rule{call: call}
	for _, v := range vals {
		r.any = append(r.any, []test{{arg, bpf.JumpEqual, v}})
	}
	return r
}

// conditional are the calls that depend on their arguments, for the process pid.
func conditional(pid uint32) []rule {
	return []rule{
		{unix.SYS_CLONE, [][]test{{{0, bpf.JumpBitsSet, unix.CLONE_THREAD}}}}, // threads, no processes
		one(unix.SYS_KILL, 0, pid),
		one(unix.SYS_TGKILL, 0, pid),
		one(unix.SYS_PRLIMIT64, 0, 0, pid),
		one(unix.SYS_SCHED_SETAFFINITY, 0, 0),
		one(unix.SYS_PRCTL, 0, unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA, unix.PR_GET_DUMPABLE),
		one(unix.SYS_FCNTL, 1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
			unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_GETPIPE_SZ), // no owner that is sent signals
		one(unix.SYS_IOCTL, 1, unix.TCGETS, unix.TCSETS, unix.TCSETSW, unix.TCSETSF, unix.TIOCGWINSZ, unix.TIOCGPGRP,
			unix.TIOCINQ), // nothing typed into the terminal
	}
}

// opening are the calls that open a file, with the argument that says how.
func opening(landlocked bool) (rules []rule, plain []uint32) {
	for call, arg := range opens {
		if landlocked {
			plain = append(plain, call)
			continue
		}
		const writes = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC | unix.O_APPEND
		rules = append(rules, rule{call, [][]test{{{arg, bpf.JumpBitsNotSet, writes}}}})
	}
	if landlocked {
		plain = append(plain, changing...)
	}
	slices.Sort(plain)
	slices.SortFunc(rules, func(a, b rule) int { return int(a.call) - int(b.call) })
	return rules, plain
}

// filter is the program for a process.
func filter(pid uint32, landlocked bool) []bpf.Instruction {
	rules, plain := opening(landlocked)
	rules = append(conditional(pid), rules...)
	p := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: refuse},
		bpf.LoadAbsolute{Off: offNumber, Size: 4},
	}
	on := func(call uint32, then ...bpf.Instruction) {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: uint8(len(then))})
		p = append(p, then...)
	}
	for _, call := range slices.Concat(frequent, plain, within) {
		on(call, bpf.RetConstant{Val: permit})
	}
	for _, r := range rules {
		var then []bpf.Instruction
		for _, all := range r.any {
			for i, t := range all {
				then = append(then, bpf.LoadAbsolute{Off: uint32(offArgs + 8*t.arg), Size: 4})
				left := 2*(len(all)-1-i) + 1
				then = append(then, bpf.JumpIf{Cond: t.cond, Val: t.val, SkipFalse: uint8(left)})
			}
			then = append(then, bpf.RetConstant{Val: permit})
		}
		on(r.call, append(then, bpf.RetConstant{Val: refuse})...)
	}
	for _, call := range outside {
		on(call, bpf.RetConstant{Val: refuse})
	}
	return append(p, bpf.RetConstant{Val: missing})
}
