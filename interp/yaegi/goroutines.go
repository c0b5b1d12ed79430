package yaegi

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Goroutine is a goroutine that a cell started and that still runs.
type Goroutine struct {
	Line  int // of the go statement, as [Engine.Line] gives it
	Began time.Time
	ID    int // counted from 1
}

// goroutines are those that run.
type goroutines struct {
	mu   sync.Mutex
	last int
	all  map[int]going
}

// going is a goroutine with the run that it belongs to.
type going struct {
	Goroutine
	run *run // nil for host code that a cell waits for, or no longer waits for
}

// halt asks all to end.
func (g *goroutines) halt() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, x := range g.all {
		if x.run != nil {
			x.run.halt()
		}
	}
}

// halting is how many of those that were asked to end have not ended.
func (g *goroutines) halting() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, x := range g.all {
		if x.run != nil && x.run.halted() {
			n++
		}
	}
	return n
}

// of reports whether one of a run's goroutines has not ended.
func (g *goroutines) of(r *run) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, x := range g.all {
		if x.run == r {
			return true
		}
	}
	return false
}

// noteGoroutine notes a goroutine that the running statement starts, until done is called.
func (e *Engine) noteGoroutine(r *run) (done func()) {
	g := &e.goroutines
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all == nil {
		g.all = map[int]going{}
	}
	g.last++
	id := g.last
	g.all[id] = going{Goroutine{e.Line(), time.Now(), id}, r}
	e.turns.count(len(g.all))
	e.touches.count(len(g.all))
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.all, id)
		e.turns.count(len(g.all))
		e.touches.count(len(g.all))
	}
}

// GoroutineCount is how many goroutines that cells started still run.
func (e *Engine) GoroutineCount() int { return len(e.Goroutines()) }

// Goroutines are the goroutines that cells started and that still run, the oldest first.
func (e *Engine) Goroutines() []Goroutine {
	e.goroutines.mu.Lock()
	defer e.goroutines.mu.Unlock()
	var out []Goroutine
	for _, g := range e.goroutines.all {
		out = append(out, g.Goroutine)
	}
	slices.SortFunc(out, func(a, b Goroutine) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
