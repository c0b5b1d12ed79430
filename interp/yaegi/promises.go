package yaegi

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Note: memory that is promised
//
// Between the check of a size and the allocation a goroutine may be held up, by the collector above all. If a thousand
// goroutines ask for 300 MB each, all would be told that there is room before the first has its memory. So what a
// goroutine was told that it may allocate counts as used until it has been allocated: until the process has allocated
// that much, or the goroutine asks again or ends, or some time has gone by.

// lasting is how long a promise counts that is not kept. Checks may ask for more than is allocated then.
const lasting = time.Second

// promises are what goroutines may allocate.
type promises struct {
	mu    sync.Mutex
	of    map[*member]promise
	sum   int       // bytes of all
	owed  int       // what of it has not been allocated, at most
	total int       // bytes that the process had allocated, ever, when owed was counted
	swept time.Time // when old ones were removed
}

type promise struct {
	bytes int
	at    time.Time
}

// ask returns how many bytes are left of limit for m; where that is want or more they are promised to it.
func (p *promises) ask(m *member, want, limit int) (left int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	inUse, total := memory()
	now := time.Now()
	p.remove(m)
	if now.Sub(p.swept) > lasting/8 {
		p.swept = now
		for o, x := range p.of {
			if now.Sub(x.at) > lasting {
				p.remove(o)
			}
		}
	}
	p.owed = min(max(0, p.owed-(total-p.total)), p.sum)
	p.total = total
	if left = limit - inUse - p.owed; want <= left {
		if p.of == nil {
			p.of = map[*member]promise{}
		}
		p.of[m] = promise{want, now}
		p.sum += want
		p.owed += want
	}
	return left
}

func (p *promises) remove(m *member) {
	p.sum -= p.of[m].bytes
	delete(p.of, m)
}

// drop forgets what a goroutine that ends was promised.
func (p *promises) drop(m *member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(m)
}

// hand gives what m was promised to another goroutine, which allocates for it and may live longer.
func (p *promises) hand(m, to *member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x, ok := p.of[m]; ok {
		delete(p.of, m)
		p.of[to] = x
	}
}

// others reports whether there are promises to other goroutines than m.
func (p *promises) others(m *member) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, mine := p.of[m]
	return len(p.of) > 1 || len(p.of) == 1 && !mine
}

// room is how many bytes a goroutine of cells may still allocate; the dead are counted out where it matters, and what
// others were promised where they do not allocate it.
func (e *Engine) room(m *member, want int) (left int) {
	limit := e.limit()
	if limit <= 0 {
		return want
	}
	e.large.note(live()+want, limit)
	if left = e.promises.ask(m, want, limit); want <= left || want > limit {
		return left
	}
	for end := time.Now().Add(2 * lasting); ; {
		runtime.GC()
		debug.FreeOSMemory()
		if left = e.promises.ask(m, want, limit); want <= left || !e.promises.others(m) || time.Now().After(end) {
			return left
		}
		select {
		case <-m.run.stop:
			return left
		case <-time.After(lasting / 8):
		}
	}
}
