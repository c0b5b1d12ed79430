package runs

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// MemoryTimeline is the memory of the tensors that a function made: how much there was after each call, how much of
// it is held for a backward pass, and for each storage who made it, where, and how long it was there.
type MemoryTimeline struct {
	// of the function, without the time that recording and collecting took
	Nanos       int64           `json:"ns"`
	Peak        int             `json:"peak"`         // bytes
	PeakMark    int             `json:"peak_mark"`    // the mark before which it was reached
	PeakOp      string          `json:"peak_op"`      // what was being made then
	PeakSaved   int             `json:"peak_saved"`   // the most that was held for backward at a mark
	Made        int             `json:"made"`         // bytes in all
	Marks       []MemoryMark    `json:"marks"`        // the collector ran at each
	Storages    []MemoryStorage `json:"storages"`     // in the order in which they were made
	Before      int             `json:"before"`       // storages that were there already and were used
	BeforeBytes int             `json:"before_bytes"` // their bytes, which are not counted elsewhere
	More        int             `json:"more,omitempty"`
	MoreBytes   int             `json:"more_bytes,omitempty"` // of storages beyond those that are followed
	Collecting  int64           `json:"collecting_ns"`        // that the collector took
	Error       string          `json:"error,omitempty"`      // the panic that ended the function
}

// MemoryMark is what there was at a mark, after a call that the function made.
type MemoryMark struct {
	After string `json:"after"` // the call
	Site  string `json:"site,omitempty"`
	Calls int    `json:"calls"` // since the mark before
	At    int64  `json:"at_ns"`
	Live  int    `json:"live"`  // bytes
	Saved int    `json:"saved"` // of these held for backward
}

// MemoryStorage is one storage.
type MemoryStorage struct {
	Bytes     int      `json:"bytes"`
	Op        string   `json:"op"`             // the operator that it was made for
	For       string   `json:"for,omitempty"`  // the name that was being assigned then
	Name      string   `json:"name,omitempty"` // the variable that held it at the end
	Site      string   `json:"site,omitempty"`
	Device    string   `json:"device"`
	Made      int64    `json:"made_ns"`
	Used      int64    `json:"used_ns"` // for the last time, by an operator
	MadeMark  int      `json:"made_mark"`
	UsedMark  int      `json:"used_mark"`
	GoneMark  int      `json:"gone_mark"`          // the first mark that did not find it, -1 if all did
	Grown     bool     `json:"grown,omitempty"`    // larger memory took its place
	Savers    []string `json:"savers,omitempty"`   // the nodes that held it for backward, and as what
	SavedFrom int      `json:"saved_from"`         // marks; -1 if nothing held it
	SavedTo   int      `json:"saved_to,omitempty"` // the last mark
}

// Memory runs f and shows the memory of the tensors that it makes. A panic of f goes on.
//
// A storage is free once nothing leads to it, and only the garbage collector finds that out. So the collector runs at
// marks: before each operator that f calls, or before fewer where there are many or where collecting takes long, and
// at the end. A storage is gone at the first mark that did not find it: it became free between its last use and then.
// What kernels need for themselves while they run is not counted, nor what other goroutines make.
func Memory(f func()) *MemoryTimeline {
	t, panicked := RecordMemory(f)
	if panicked != nil {
		panic(panicked)
	}
	return t
}

// RecordMemory runs f like [Memory] and returns the view also when f panics, with the panic's value, with which the
// caller should panic again.
func RecordMemory(f func()) (t *MemoryTimeline, panicked any) {
	watchers.Add(1)
	tensor.SetHooks(func(h *tensor.Hooks) { h.Storage = watchStorage })
	defer func() {
		if watchers.Add(-1) == 0 {
			tensor.SetHooks(func(h *tensor.Hooks) { h.Storage = nil })
		}
	}()
	r := newRecorder()
	m := newMemoryWatch(r.zero)
	r.memory = m
	trace, panicked := r.run(func() {
		f()
		begin := clock()
		m.ends(begin - r.zero - r.spent)
		r.spent += clock() - begin
	})
	if trace == nil {
		return nil, panicked
	}
	if panicked != nil {
		m.ends(r.total)
	}
	return m.view(trace, r), panicked
}

// view puts what was noted into words.
func (m *memoryWatch) view(trace *Trace, r *recorder) *MemoryTimeline {
	t := &MemoryTimeline{Nanos: trace.Nanos, Peak: m.most, PeakMark: m.mostMark, More: m.more, MoreBytes: m.moreBytes,
		Made: m.moreBytes, Before: len(m.before),
		Collecting: m.collecting.Nanoseconds(), Error: trace.Error}
	for _, n := range m.before {
		t.BeforeBytes += n
	}
	for _, k := range m.marks {
		mark := MemoryMark{After: "the beginning", Calls: k.calls, At: k.at.Nanoseconds(), Live: k.live, Saved: k.saved}
		if k.call >= 0 {
			e := r.events.at(k.call)
			mark.After, mark.Site = e.op.Name, draw.SiteText(e.site)
			if e.variant == tensor.InPlace {
				mark.After += "_"
			}
		}
		t.PeakSaved = max(t.PeakSaved, k.saved)
		t.Marks = append(t.Marks, mark)
	}
	for i, h := range m.storages {
		s := MemoryStorage{Bytes: h.bytes, Op: h.op, For: draw.Clip(draw.Tidy(h.site.Name), draw.MaxName), Name: h.name,
			Site: draw.SiteText(h.site), Device: h.device.String(), Made: h.born.Nanoseconds(), Used: h.used.Nanoseconds(),
			MadeMark: h.bornMark, UsedMark: h.usedM, GoneMark: h.goneMark, Grown: h.grown, Savers: h.savers,
			SavedFrom: h.savedFrom, SavedTo: h.savedTo}
		t.Made += h.bytes
		if i == m.mostStorage {
			t.PeakOp = s.label()
		}
		t.Storages = append(t.Storages, s)
	}
	return t
}

// label tells who made a storage, for what name and where: matmul → h @ In[2]:1.
func (s *MemoryStorage) label() string {
	text := s.Op
	switch {
	case s.Name != "":
		text += " → " + s.Name
	case s.For != "":
		text += " (for " + s.For + ")"
	}
	if s.Site != "" {
		text += " @ " + s.Site
	}
	return text
}

// end tells what became of a storage.
func (s *MemoryStorage) end(t *MemoryTimeline) string {
	switch {
	case s.Grown:
		return "grew: other memory took its place"
	case s.GoneMark < 0 && s.Name != "":
		return "there at the end, held by " + s.Name
	case s.GoneMark < 0:
		return "there at the end"
	case s.GoneMark < len(t.Marks):
		return "gone by " + nanosText(t.Marks[s.GoneMark].At)
	}
	return "gone"
}

// held tells who held it for backward.
func (s *MemoryStorage) held() string {
	if len(s.Savers) == 0 {
		return ""
	}
	text := "held for " + s.Savers[0]
	if len(s.Savers) > 1 {
		text += fmt.Sprintf(" and %d more", len(s.Savers)-1)
	}
	return text
}
