package parallel

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// parking is where one thread sleeps: a futex, because a wake-up through Go's scheduler passes through a second thread
// when the sleeper is locked to its own.
type parking struct {
	asleep atomic.Uint32
}

const (
	futexWait = 0 | 128 // FUTEX_WAIT, FUTEX_PRIVATE_FLAG
	futexWake = 1 | 128
)

// sleep blocks until wake is called, unless idle reports that there is work already.
func (p *parking) sleep(idle func() bool) {
	p.asleep.Store(1)
	for p.asleep.Load() == 1 && idle() {
		unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&p.asleep)), futexWait, 1, 0, 0, 0)
	}
	p.asleep.Store(0)
}

// wake ends a sleep that has begun, or is about to.
func (p *parking) wake() {
	if p.asleep.CompareAndSwap(1, 0) {
		unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&p.asleep)), futexWake, 1, 0, 0, 0)
	}
}

// allowedCPUs lists the CPUs that the process may run on.
func allowedCPUs() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(unix.Getpid(), &set) != nil {
		return nil
	}
	var cpus []int
	for i := range len(set) * int(unsafe.Sizeof(set[0])) * 8 {
		if set.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	return cpus[:min(len(cpus), runtime.NumCPU())]
}

// pin keeps the calling thread on a CPU. Where the system does not allow it, the thread runs anywhere.
func pin(cpu int) {
	var set unix.CPUSet
	set.Set(cpu)
	unix.SchedSetaffinity(0, &set)
}

// currentCPU is the CPU that the caller runs on now, -1 where that is unknown.
func currentCPU() int {
	var cpu uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); e != 0 {
		return -1
	}
	return int(cpu)
}
