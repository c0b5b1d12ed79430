package viewtest

import (
	"sync"

	"gotorch/visualize/display"
)

// Sink keeps the last text that is displayed, and counts.
type Sink struct {
	mu           sync.Mutex
	Shown, Count int
	Last         string
}

func (s *Sink) see(b display.Bundle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Count++
	s.Last = b.Text(false)
}

func (s *Sink) Display(_ string, b display.Bundle) { s.Shown++; s.see(b) }
func (s *Sink) Update(_ string, b display.Bundle)  { s.see(b) }
func (s *Sink) Clear(bool)                         {}
