package interp

import (
	"context"
	"sync"

	"gotorch/interp/lower"
	"gotorch/interp/yaegi"
)

// progress is what the running cell has done so far: the variables it has made, the steps it has completed and the
// values it has shown. The goroutine of the cell writes to it. One that was interrupted may write after the session
// has gone on; nothing is recorded then, since open is false.
type progress struct {
	mu      sync.Mutex
	open    bool
	symbols map[int]*lower.Symbol // of its variables
	step    int                   // steps that are completed
	shown   []Value
}

func (g *progress) begin(p *lower.Program) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open, g.step, g.shown, g.symbols = true, 0, nil, nil
	if len(p.Slots) > 0 {
		g.symbols = make(map[int]*lower.Symbol, len(p.Slots))
	}
	for _, sym := range p.Slots {
		g.symbols[sym.ID] = sym
	}
}

// end stops recording and returns what was recorded.
func (g *progress) end() (step int, shown []Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	step, shown = g.step, g.shown
	g.open, g.step, g.shown, g.symbols = false, 0, nil, nil
	return step, shown
}

// declare records the address of a variable.
func (g *progress) declare(id int, place any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if sym := g.symbols[id]; sym != nil {
		sym.Slot = place
	}
}

// reach records that this many steps are completed.
func (g *progress) reach(step int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		g.step = step
	}
}

// show records a value that the cell shows.
func (g *progress) show(v Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		g.shown = append(g.shown, v)
	}
}

// perform runs a program. It first waits for an earlier cell that has not returned, so that only this program is
// recorded.
func (s *Session) perform(ctx context.Context, p *lower.Program) error {
	if err := s.eng.WaitIdle(); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.low.Undo(p)
		return err
	}
	s.progress.begin(p)
	return s.eng.Run(ctx, &p.Program)
}

// unperformed reports whether an error of perform means that the program did not run.
func unperformed(err error) bool {
	st, ok := err.(*yaegi.Stopped)
	return ok && st.Kind == yaegi.Busy
}
