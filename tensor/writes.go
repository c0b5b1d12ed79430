package tensor

import (
	"slices"
	"sync"
)

// Note: who wrote. A storage always knows its last write, for the errors of autograd. Where a hook knows where the
// code stands (see [Hooks]), it keeps a log as well, from the second write on: the first writes and the last, so that
// it stays small however long a loop runs. A program that sets no site pays one comparison. Nothing in it leads to a
// tensor.

// Write describes a write to a storage.
//
//gotorch:internal
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

// noteOf describes writes by the operator in one of its forms, without version and site. It is made once, and nobody
// changes it.
func (o *Op) noteOf(v Variant) *Write {
	at := &o.notes[0]
	if v == InPlace {
		at = &o.notes[1]
	}
	if w := at.Load(); w != nil {
		return w
	}
	w := &Write{Op: o.Name}
	if v == InPlace {
		w.Op += "_"
	}
	at.CompareAndSwap(nil, w)
	return at.Load()
}

// LastWrite describes the last write, nil if there was none.
func (s *Storage) LastWrite() *Write {
	w := s.last.Load()
	if w == nil || w.Version != 0 {
		return w
	}
	return &Write{Op: w.Op, Version: s.version.Load()}
}

// Writes lists the writes that are known, the oldest first: in a session the first 16 and the last 16, elsewhere the
// last. The numbers of their versions tell how many are left out.
func (s *Storage) Writes() []Write {
	var out []Write
	if l := s.log.Load(); l != nil {
		l.mu.Lock()
		for _, w := range slices.Concat(l.first, l.last) {
			out = append(out, *w)
		}
		l.mu.Unlock()
	} else if w := s.LastWrite(); w != nil {
		out = append(out, *w)
	}
	slices.SortFunc(out, func(a, b Write) int { return int(a.Version) - int(b.Version) })
	return slices.CompactFunc(out, func(a, b Write) bool { return a.Version == b.Version })
}

// MarkWritten notes that x's elements were written to through [Elems], so that autograd knows. w names the writer; it
// must not change later.
//
//gotorch:internal
func MarkWritten(x *Tensor, w *Write) { x.st.now().wrote(w) }

// wrote notes a write. w names the operator; it is kept itself where nobody knows where the code stands.
func (s *Storage) wrote(w *Write) {
	version := s.version.Add(1)
	f := currentHooks().Site
	l := s.log.Load()
	if f == nil && l == nil {
		s.last.Store(w)
		return
	}
	w = &Write{Op: w.Op, Version: version}
	if f != nil {
		w.Site = f()
	}
	before := s.last.Swap(w)
	if l == nil {
		if before == nil {
			return
		}
		s.log.CompareAndSwap(nil, new(writeLog))
		l = s.log.Load()
		if before.Version == 0 {
			before = &Write{Op: before.Op, Version: version - 1}
		}
		l.add(before) // writers that meet here may note a write twice; Writes tells it once
	}
	l.add(w)
}
