package interp

import (
	"context"
	"sync"

	"gotorch/interp/lower"
	"gotorch/interp/yaegi"
)

// going is what the cell that runs has come to. The cell's own goroutine writes here, and one that was interrupted may
// still do so when the session goes on without it: it finds the door closed.
type going struct {
	mu      sync.Mutex
	open    bool
	symbols map[int]*lower.Symbol // of its variables
	step    int                   // how many steps it has made
	shown   []Value
}

func (g *going) begin(p *lower.Program) {
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

// end closes the door, and gives what there is.
func (g *going) end() (step int, shown []Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	step, shown = g.step, g.shown
	g.open, g.step, g.shown, g.symbols = false, 0, nil, nil
	return step, shown
}

// declare notes the place of a variable.
func (g *going) declare(id int, place any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if sym := g.symbols[id]; sym != nil {
		sym.Slot = place
	}
}

// reach notes that so many steps have been made.
func (g *going) reach(step int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		g.step = step
	}
}

// show adds a value.
func (g *going) show(v Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		g.shown = append(g.shown, v)
	}
}

// perform runs a program. A cell before it that has not left is waited for first, so that all that is noted is the
// program's.
func (s *Session) perform(ctx context.Context, p *lower.Program) error {
	if err := s.eng.WaitIdle(); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.low.Undo(p)
		return err
	}
	s.going.begin(p)
	return s.eng.Run(ctx, &p.Program)
}

// unperformed says of an error of perform that the program was not run.
func unperformed(err error) bool {
	st, ok := err.(*yaegi.Stopped)
	return ok && st.Kind == yaegi.Busy
}
