package tensor

import (
	"slices"
	"sync"
)

// Note: who wrote. A storage always knows its last write, for the errors of autograd. Where somebody knows where the code stands (see [SetSite]), it
// keeps a log as well, from the second write on: the first writes and the last, so that it stays small however long a loop runs. A program that sets
// no site pays one comparison. Nothing in it leads to a tensor.

// Write tells of a write to a storage.
type Write struct {
	Op      string // the operator as it was called: "mul_"
	Version uint32 // the version that the write made
	Site    Site
}

// keptWrites is how many writes a log keeps of each end.
const keptWrites = 16

// writeLog holds the first writes to a storage, and the last ones in a ring.
type writeLog struct {
	mu    sync.Mutex
	first []*Write
	last  []*Write
	next  int // where the ring goes on
}

func (l *writeLog) add(w *Write) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case len(l.first) < keptWrites:
		l.first = append(l.first, w)
	case len(l.last) < keptWrites:
		l.last = append(l.last, w)
	default:
		l.last[l.next] = w
		l.next = (l.next + 1) % keptWrites
	}
}

// LastWrite tells of the last write, nil if there was none.
func (s *Storage) LastWrite() *Write { return s.last.Load() }

// Writes lists the writes that are known, the oldest first: in a session the first 16 and the last 16, elsewhere the last. The numbers of
// their versions tell how many are left out.
func (s *Storage) Writes() []Write {
	var out []Write
	if l := s.log.Load(); l != nil {
		l.mu.Lock()
		for _, w := range slices.Concat(l.first, l.last) {
			out = append(out, *w)
		}
		l.mu.Unlock()
	} else if w := s.last.Load(); w != nil {
		out = append(out, *w)
	}
	slices.SortFunc(out, func(a, b Write) int { return int(a.Version) - int(b.Version) })
	return slices.CompactFunc(out, func(a, b Write) bool { return a.Version == b.Version })
}

// wrote notes a write by the operator op.
func (s *Storage) wrote(op string) {
	w := &Write{Op: op, Version: s.version.Add(1)}
	f := siteHook.Load()
	if f != nil {
		w.Site = (*f)()
	}
	before := s.last.Swap(w)
	l := s.log.Load()
	if l == nil {
		if f == nil || before == nil {
			return
		}
		s.log.CompareAndSwap(nil, new(writeLog))
		l = s.log.Load()
		l.add(before) // writers that meet here may note a write twice; Writes tells it once
	}
	l.add(w)
}
