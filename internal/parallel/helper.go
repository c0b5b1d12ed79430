package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/internal/simd"
)

// Note: helpers. Each CPU that the process may use has one helper: a goroutine locked to a thread that is pinned to
// the CPU, because a thread that is woken tends to be put on the CPU of the thread that woke it, where the two take
// turns. A loop invites helpers of other CPUs than the one it runs on. A helper waits for an invitation in its inbox:
// it spins for some microseconds, since loops come one after the other, and then sleeps. An invitation that it has not
// accepted when the caller is done with all chunks is retracted, so a helper that is slow to wake up costs only the
// call that woke it.

// spinTime is how long a helper looks for the next loop before it sleeps.
const spinTime = 50 * time.Microsecond

// helper is a thread that works on loops of others.
type helper struct {
	number int
	place  int // of its CPU among those that the process may use
	cpu    int // that it is pinned to; -1 for none
	inbox  atomic.Pointer[loop]
	_      [64]byte // the caller writes the inbox while the helper waits on parked
	parked parking
}

// accepted marks the inbox of a helper that works.
var accepted = new(loop)

// helpers has those that exist; started holds its writers apart.
var (
	helpers atomic.Pointer[[]*helper]
	started sync.Mutex
)

// invite offers the loop to up to want helpers that are free, and appends those to guests. It returns the place of the
// CPU that the caller runs on.
func (l *loop) invite(guests []*helper, want int) (_ []*helper, place int) {
	here := currentCPU()
	for _, h := range crew(want) {
		if h.cpu >= 0 && h.cpu == here {
			place = h.place
			continue
		}
		if len(guests) == want || len(guests) == cap(guests) {
			continue
		}
		l.helpers.Add(1) // before the helper can be done
		if !h.inbox.CompareAndSwap(nil, l) {
			l.helpers.Done()
			continue
		}
		h.parked.wake()
		guests = append(guests, h)
	}
	return guests, place
}

// retract takes the loop back from a helper that has not accepted it.
func (h *helper) retract(l *loop) {
	if h.inbox.CompareAndSwap(l, nil) {
		l.helpers.Done()
	}
}

// cpus has the CPUs that helpers are pinned to. They are asked for at the start, since a program may pin its threads.
var cpus = allowedCPUs()

// Settle keeps the calling goroutine on its thread and that thread on the first CPU of the process, so that each loop
// finds the caches of a CPU as the one before left them. It is for programs that measure; the others let the system
// choose.
func Settle() {
	runtime.LockOSThread()
	if len(cpus) > 0 {
		pin(cpus[0])
	}
}

// crew returns the helpers, at least one more than want where they are pinned: the caller occupies one of their CPUs.
func crew(want int) []*helper {
	if hs := helpers.Load(); hs != nil && len(*hs) > want {
		return *hs
	}
	started.Lock()
	defer started.Unlock()
	var hs []*helper
	if old := helpers.Load(); old != nil {
		hs = append(hs, *old...)
	}
	for len(hs) <= want {
		h := &helper{number: len(hs) + 1, place: len(hs), cpu: -1}
		if len(hs) < len(cpus) {
			h.cpu = cpus[len(hs)]
		}
		hs = append(hs, h)
		go h.run()
	}
	helpers.Store(&hs)
	return hs
}

// run works on the loops that the helper is invited to, forever.
func (h *helper) run() {
	runtime.LockOSThread()
	if h.cpu >= 0 {
		pin(h.cpu)
	}
	defer func() { go h.run() }() // a loop's body called runtime.Goexit: this thread ends, and another takes its place
	for {
		h.help(h.next())
	}
}

// next waits for an invitation and accepts it.
func (h *helper) next() *loop {
	for {
		for begin := time.Now(); ; {
			for range 32 {
				if l := h.inbox.Load(); l != nil && h.inbox.CompareAndSwap(l, accepted) {
					l.busy.Add(1)
					return l
				}
				simd.Pause(8)
			}
			if time.Since(begin) > spinTime {
				break
			}
		}
		h.parked.sleep(func() bool { return h.inbox.Load() == nil })
	}
}

// help works on a loop that was accepted.
func (h *helper) help(l *loop) {
	defer func() {
		h.inbox.Store(nil)
		l.busy.Add(-1)
		l.helpers.Done()
	}()
	if within := l.around.Within; within != nil {
		within(func() { l.work(h.number, h.place) })
	} else {
		l.work(h.number, h.place)
	}
}
