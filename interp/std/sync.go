package std

import (
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Mutex is sync.Mutex for cells: an interrupt ends the wait for it, and
// unlocking it when it is not locked is a panic and not the end of the process.
type Mutex struct{ held atomic.Pointer[chan struct{}] }

// token is the channel that holds one element while m is locked.
func (m *Mutex) token() chan struct{} {
	if c := m.held.Load(); c != nil {
		return *c
	}
	c := make(chan struct{}, 1)
	m.held.CompareAndSwap(nil, &c)
	return *m.held.Load()
}

// Lock locks m.
func (m *Mutex) Lock() {
	c := m.token()
	select {
	case c <- struct{}{}:
		return
	default:
	}
	resume, stop := task.Pause(), task.Stop()
	select {
	case c <- struct{}{}:
		if !resume() {
			<-c
			<-stop
			task.ExitIfStopped()
		}
	case <-stop:
		task.ExitIfStopped()
	}
}

// TryLock locks m if it is free.
func (m *Mutex) TryLock() bool {
	select {
	case m.token() <- struct{}{}:
		return true
	default:
		return false
	}
}

// Unlock unlocks m. It panics if m is not locked.
func (m *Mutex) Unlock() {
	select {
	case <-m.token():
	default:
		panic("sync: unlock of unlocked mutex")
	}
}

// RWMutex is sync.RWMutex for cells, as [Mutex] is sync.Mutex.
type RWMutex struct {
	mu      sync.RWMutex
	writer  atomic.Bool
	readers atomic.Int32
}

// poll tries until it works or the run is stopped.
func poll(try func() bool, undo func()) bool {
	if try() {
		return true
	}
	resume, stop := task.Pause(), task.Stop()
	for d := 20 * time.Microsecond; ; d = min(2*d, time.Millisecond) {
		select {
		case <-stop:
			task.ExitIfStopped()
			return false
		case <-time.After(d):
			if !try() {
				continue
			}
			if resume() {
				return true
			}
			undo()
			<-stop
			task.ExitIfStopped()
			return false
		}
	}
}

// Lock locks m for writing.
func (m *RWMutex) Lock() {
	if poll(m.mu.TryLock, m.mu.Unlock) {
		m.writer.Store(true)
	}
}

// TryLock locks m for writing if it is free.
func (m *RWMutex) TryLock() bool {
	ok := m.mu.TryLock()
	if ok {
		m.writer.Store(true)
	}
	return ok
}

// Unlock ends a Lock. It panics if m is not locked for writing.
func (m *RWMutex) Unlock() {
	if !m.writer.CompareAndSwap(true, false) {
		panic("sync: Unlock of unlocked RWMutex")
	}
	m.mu.Unlock()
}

// RLock locks m for reading.
func (m *RWMutex) RLock() {
	if poll(m.mu.TryRLock, m.mu.RUnlock) {
		m.readers.Add(1)
	}
}

// TryRLock locks m for reading if no writer has it.
func (m *RWMutex) TryRLock() bool {
	ok := m.mu.TryRLock()
	if ok {
		m.readers.Add(1)
	}
	return ok
}

// RUnlock ends an RLock. It panics if m is not locked for reading.
func (m *RWMutex) RUnlock() {
	for {
		n := m.readers.Load()
		if n == 0 {
			panic("sync: RUnlock of unlocked RWMutex")
		}
		if m.readers.CompareAndSwap(n, n-1) {
			m.mu.RUnlock()
			return
		}
	}
}

// RLocker returns m's read lock as a Locker.
func (m *RWMutex) RLocker() sync.Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

// WaitGroup is sync.WaitGroup for cells: an interrupt ends the wait.
type WaitGroup struct {
	mu   sync.Mutex
	n    int
	done chan struct{} // closed when n falls to 0; nil while nobody waits
}

// Add adds to the counter. It panics if that falls below zero.
func (g *WaitGroup) Add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += n
	if g.n < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if g.n == 0 && g.done != nil {
		close(g.done)
		g.done = nil
	}
}

// Done takes one from the counter.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait waits until the counter is zero.
func (g *WaitGroup) Wait() {
	g.mu.Lock()
	if g.n == 0 {
		g.mu.Unlock()
		return
	}
	if g.done == nil {
		g.done = make(chan struct{})
	}
	c := g.done
	g.mu.Unlock()
	select {
	case <-c:
	case <-task.Stop():
		task.ExitIfStopped()
	}
}

// Go runs f in a goroutine that the counter counts.
func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	run := func() { defer g.Done(); f() }
	if t := task.Current(); t != nil {
		t.Go(run)
		return
	}
	go run()
}

// Once is sync.Once for cells: an interrupt ends the wait of a call inside the
// function of another.
type Once struct {
	mu   Mutex
	done atomic.Bool
}

// Do calls f the first time.
func (o *Once) Do(f func()) {
	if o.done.Load() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.done.Load() {
		defer o.done.Store(true)
		f()
	}
}

// Cond is sync.Cond for cells: an interrupt ends the wait.
type Cond struct {
	L sync.Locker

	mu      sync.Mutex
	waiting []chan struct{}
}

// NewCond makes a Cond.
func NewCond(l sync.Locker) *Cond { return &Cond{L: l} }

// Wait unlocks L, waits for Signal or Broadcast and locks it again.
func (c *Cond) Wait() {
	woken := make(chan struct{})
	c.mu.Lock()
	c.waiting = append(c.waiting, woken)
	c.mu.Unlock()
	c.L.Unlock()
	select {
	case <-woken:
	case <-task.Stop():
		task.Current().AfterStop(c.L.Lock) // the deferred calls that are made next find L locked
		task.ExitIfStopped()
		return
	}
	c.L.Lock()
}

// Signal wakes the one that has waited longest.
func (c *Cond) Signal() { c.wake(1) }

// Broadcast wakes all that wait.
func (c *Cond) Broadcast() { c.wake(-1) }

func (c *Cond) wake(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n < 0 || n > len(c.waiting) {
		n = len(c.waiting)
	}
	for _, w := range c.waiting[:n] {
		close(w)
	}
	c.waiting = append([]chan struct{}(nil), c.waiting[n:]...)
}

func patchSync(e *env.Env, t env.Table) {
	t["Mutex"], t["RWMutex"], t["WaitGroup"] = reflect.ValueOf((*Mutex)(nil)), reflect.ValueOf((*RWMutex)(nil)),
		reflect.ValueOf((*WaitGroup)(nil))
	t["Once"], t["Cond"] = reflect.ValueOf((*Once)(nil)), reflect.ValueOf((*Cond)(nil))
	t.Set(map[string]any{
		"NewCond":  NewCond,
		"OnceFunc": func(f func()) func() { o := new(Once); return func() { o.Do(f) } },
	})
}
