//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// version is Landlock's, 0 where the kernel has none.
func version() int {
	v, err := abi.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return v
}

// filters reports whether the kernel takes seccomp filters.
func filters() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return e == 0
}

// Available says what Apply would use.
func Available() (r Report) {
	v, calls := version(), filters()
	if v > 0 {
		r.Files = fmt.Sprintf("Landlock, version %d", v)
	} else {
		r.Missing = "this kernel has no Landlock, or it is not enabled (lsm=landlock,…)"
	}
	switch {
	case calls && v > 0:
		r.Calls = "a seccomp filter"
	case calls:
		r.Calls = "a seccomp filter, which lets no file be opened for writing"
	case v > 0:
		r.Missing = "this kernel has no seccomp filters: other processes can be reached"
	default:
		r.Missing += ", and no seccomp filters"
	}
	return r
}

// Apply restricts the process, for good. An error means that what was asked for does not hold: then the process should
// end. Where the system lacks something, the report says what.
func Apply(r Rules) (Report, error) {
	has := Available()
	if has.Files == "" && r.Read != nil {
		return has, errors.New("reading cannot be restricted: " + has.Missing)
	}
	if has.Files != "" {
		if err := files(r); err != nil {
			return has, fmt.Errorf("restricting files by Landlock: %w", err)
		}
	}
	if has.Calls != "" {
		if err := calls(has.Files != ""); err != nil {
			return has, fmt.Errorf("restricting system calls by seccomp: %w", err)
		}
	}
	return has, nil
}

const (
	reading = landlock.AccessFSSet(abi.AccessFSReadFile | abi.AccessFSReadDir)
	file    = landlock.AccessFSSet(abi.AccessFSReadFile)
	change  = landlock.AccessFSSet(abi.AccessFSWriteFile | abi.AccessFSTruncate)
	inside  = landlock.AccessFSSet(abi.AccessFSRemoveFile|abi.AccessFSMakeReg) | reading | change
)

// system is what the standard library reads for itself: time zones, users, memory, entropy.
var system = []string{
	"/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/usr/share/zoneinfo", "/proc/self",
	"/proc/meminfo", "/proc/stat", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/dev/null", "/dev/zero",
	"/dev/urandom", "/dev/random", "/dev/tty",
}

// files restricts what can be opened, made and removed.
func files(r Rules) error {
	rules := []landlock.Rule{landlock.PathAccess(file|change, "/dev/null", "/dev/tty").IgnoreIfMissing()}
	add := func(path string, dir, other landlock.AccessFSSet) {
		access := other
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			access = dir
		}
		rules = append(rules, landlock.PathAccess(access, path).IgnoreIfMissing())
	}
	read := append(append([]string{}, r.Read...), system...)
	if r.Read == nil {
		read = []string{"/"}
	}
	for _, path := range read {
		add(path, reading, file)
	}
	for _, path := range r.Write {
		add(path, inside, file|change)
	}
	return landlock.V11.BestEffort().Restrict(rules...)
}

// calls restricts system calls. Where Landlock does not restrict files, no file can be opened for writing.
func calls(landlocked bool) error {
	program, err := bpf.Assemble(filter(uint32(os.Getpid()), landlocked))
	if err != nil {
		return err
	}
	raw := make([]unix.SockFilter, len(program))
	for i, p := range program {
		raw[i] = unix.SockFilter{Code: p.Op, Jt: p.Jt, Jf: p.Jf, K: p.K}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	fprog := unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]}
	thread, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&fprog)))
	runtime.KeepAlive(raw)
	switch {
	case e != 0:
		return e
	case thread != 0:
		return fmt.Errorf("thread %d does not take the filter: %w", thread, syscall.EBUSY)
	}
	return nil
}
