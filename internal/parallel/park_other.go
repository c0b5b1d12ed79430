//go:build !linux

package parallel

import "sync"

// parking is where one thread sleeps.
type parking struct {
	mu     sync.Mutex
	asleep bool
	bell   sync.Cond
}

// sleep blocks until wake is called, unless idle reports that there is work already.
func (p *parking) sleep(idle func() bool) {
	p.mu.Lock()
	p.bell.L = &p.mu
	p.asleep = true
	for p.asleep && idle() {
		p.bell.Wait()
	}
	p.asleep = false
	p.mu.Unlock()
}

// wake ends a sleep that has begun, or is about to.
func (p *parking) wake() {
	p.mu.Lock()
	if p.asleep {
		p.asleep = false
		p.bell.Signal()
	}
	p.mu.Unlock()
}

// allowedCPUs lists the CPUs that helpers are pinned to: none, as other systems place threads well by themselves.
func allowedCPUs() []int { return nil }

func pin(int) {}

// currentCPU is unknown.
func currentCPU() int { return -1 }
