package runs

import (
	"runtime"
	"sync/atomic"
	"time"
	"weak"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: when memory is free. Nobody frees a storage: it is free when nothing leads to it any more, and the garbage
// collector alone finds that out. So the collector is run at marks, before calls that the function itself makes and
// at its end, and weak pointers tell which storages are gone. Of each is known when it was last used and at which
// mark it was gone; it became free between the two. Marks are before every call at first; where there are many, or
// where collecting takes long, before every second, fourth and so on.

const (
	maxStorages = 4000                  // that are followed; more are counted
	markEvery   = 120                   // marks before they become fewer
	markTime    = 60 * time.Millisecond // of collecting, likewise,
	surely      = 8                     // but not before so many marks: a few calls are shown call by call
)

// memoryWatch follows the storages that a function makes.
type memoryWatch struct {
	zero        time.Duration
	storages    []*held
	at          map[weak.Pointer[tensor.Storage]]*held
	before      map[weak.Pointer[tensor.Storage]]int // bytes of storages that were there already and were used
	nodes       []weak.Pointer[autograd.Node]
	marks       []memoryMark
	top         int // the last call that the function itself made, -1 before
	calls       int // since the last mark
	every       int
	nextFewer   int
	nextTime    time.Duration
	collecting  time.Duration
	live, most  int
	mostMark    int
	mostStorage int // the storage with which the most was reached
	more        int
	moreBytes   int
}

// held is a storage that is followed.
type held struct {
	ptr             weak.Pointer[tensor.Storage]
	bytes           int
	device          tensor.Device
	op              string
	site            tensor.Site
	born, used      time.Duration
	bornMark, usedM int
	goneMark        int // -1 while it is there
	grown           bool
	savers          []string // the nodes that keep it, in the order in which that was seen
	savedFrom       int      // marks
	savedTo         int
	name            string
}

// memoryMark is what there is at a mark.
type memoryMark struct {
	at          time.Duration
	call        int // the last call before it
	calls       int
	live, saved int
}

func newMemoryWatch(zero time.Duration) *memoryWatch {
	return &memoryWatch{zero: zero, at: map[weak.Pointer[tensor.Storage]]*held{},
		before: map[weak.Pointer[tensor.Storage]]int{}, top: -1, every: 1, nextFewer: markEvery, nextTime: markTime}
}

// watchers counts the recorders that watch memory.
var watchers atomic.Int32

// watchStorage is told of a new storage on the goroutine that makes it.
func watchStorage(s, grown *tensor.Storage, op string) {
	r := recording()
	if r == nil || r.memory == nil {
		return
	}
	begin := clock()
	m := r.memory
	if grown != nil { // the new memory is now that of s
		m.replaced(s, grown)
	} else {
		m.made(r, s, op, begin-r.zero-r.spent)
	}
	r.spent += clock() - begin
}

func (m *memoryWatch) made(r *recorder, s *tensor.Storage, op string, now time.Duration) {
	if len(m.storages) >= maxStorages {
		m.more++
		m.moreBytes += s.Nbytes()
		return
	}
	h := &held{ptr: weak.Make(s), bytes: s.Nbytes(), device: s.Device(), op: op, site: draw.CurrentSite(), born: now,
		used: now, bornMark: len(m.marks), usedM: len(m.marks), goneMark: -1, savedFrom: -1}
	if n := len(r.open); n > 0 {
		h.site = r.events.at(r.open[0]).site
	}
	m.storages = append(m.storages, h)
	m.at[h.ptr] = h
	if m.live += h.bytes; m.live > m.most {
		m.most, m.mostMark, m.mostStorage = m.live, len(m.marks), len(m.storages)-1
	}
}

// replaced notes that s has the memory of grown, which is no storage of its own any more.
func (m *memoryWatch) replaced(s, grown *tensor.Storage) {
	old, now := m.at[weak.Make(s)], m.at[weak.Make(grown)]
	if now == nil {
		return
	}
	if old != nil && old != now {
		old.goneMark, old.grown = len(m.marks), true
		m.live -= old.bytes
	}
	delete(m.at, now.ptr)
	now.ptr = weak.Make(s)
	m.at[now.ptr] = now
}

// touched notes that a call that has ended now read or wrote the storages of its tensors.
func (m *memoryWatch) touched(c *tensor.Call, now time.Duration) {
	note := func(_ int, x *tensor.Tensor) {
		p := weak.Make(x.Storage())
		if h := m.at[p]; h != nil {
			h.used, h.usedM = now, len(m.marks)
		} else if len(m.before) < maxStorages {
			m.before[p] = x.Storage().Nbytes()
		}
	}
	c.EachTensor(note)
	for i, x := range c.Results() {
		if x != nil {
			note(i, x)
		}
	}
}

// saves notes a node that may keep tensors.
func (m *memoryWatch) saves(n *autograd.Node) {
	if len(n.SavedNames()) > 0 || n.Inner() != nil {
		m.nodes = append(m.nodes, weak.Make(n))
	}
}

// begins is called before the function itself calls an operator.
func (m *memoryWatch) begins(now time.Duration, id int) {
	if m.calls >= m.every {
		m.mark(now)
	}
	m.calls++
	m.top = id
}

// mark runs the collector and notes what is left.
func (m *memoryWatch) mark(now time.Duration) {
	begin := clock()
	runtime.GC()
	m.collecting += clock() - begin
	k := len(m.marks)
	for _, h := range m.storages {
		if h.goneMark < 0 && h.ptr.Value() == nil {
			h.goneMark = k
			m.live -= h.bytes
		}
	}
	nodes := m.nodes[:0]
	saved := map[*held]bool{}
	for _, p := range m.nodes {
		n := p.Value()
		if n == nil {
			continue
		}
		nodes = append(nodes, p)
		list := n.Saved()
		if in := n.Inner(); in != nil {
			list = append(list, in.Saved()...)
		}
		for _, s := range list {
			if s.Freed || s.Tensor == nil {
				continue
			}
			if h := m.at[weak.Make(s.Tensor.Storage())]; h != nil {
				saved[h] = true
				h.savedBy(n.Name()+" ("+s.Name+")", k)
			}
		}
	}
	m.nodes = nodes
	mark := memoryMark{at: now, call: m.top, calls: m.calls, live: m.live}
	for h := range saved {
		mark.saved += h.bytes
	}
	m.marks = append(m.marks, mark)
	m.calls = 0
	if len(m.marks) >= m.nextFewer || m.collecting > m.nextTime && len(m.marks) >= surely {
		m.every *= 2
		m.nextFewer, m.nextTime = len(m.marks)+markEvery/3, m.collecting+markTime/3
	}
}

// savedBy notes that a node keeps the storage at mark k.
func (h *held) savedBy(who string, k int) {
	if h.savedFrom < 0 {
		h.savedFrom = k
	}
	h.savedTo = k
	for _, s := range h.savers {
		if s == who {
			return
		}
	}
	if len(h.savers) < 4 {
		h.savers = append(h.savers, who)
	}
}

// ends makes the last mark, and gives names to storages that variables hold.
func (m *memoryWatch) ends(now time.Duration) {
	m.mark(now)
	for x, name := range draw.LiveNames() {
		if h := m.at[weak.Make(x.Storage())]; h != nil && (h.name == "" || name < h.name) {
			h.name = draw.Clip(name, draw.MaxName)
		}
	}
}
