package jupyter

import (
	"errors"
	"log"
	"slices"
	"sync"
	"time"
)

// entry is one cell of the history.
type entry struct {
	Session int
	Line    int
	Input   string
	Output  *string
}

// history is the cells typed, in this session and those before it. A cell only leaves a note. The
// notes are taken, in their order, by a goroutine that comes soon after the first and is there while
// there are any: it alone touches the file, so that neither the start nor a cell waits for a disk.
type history struct {
	log *log.Logger

	mu      sync.Mutex
	waiting []note
	size    int         // bytes of what waits
	state   int         // of the goroutine
	timer   *time.Timer // calls work when there have been notes for a moment
	lost    bool        // a note was dropped, and that was said

	// Of the goroutine.
	file    historyFile
	begun   bool
	asked   bool
	before  []entry // of other sessions, read when they are requested
	entries []entry // of this session
	kept    int     // bytes of those
}

// note is one thing for the history to do: a cell that was typed, the output of one, or a question.
type note struct {
	line   int
	input  *string
	output *string
	ask    func()
}

func (n note) size() (bytes int) {
	for _, s := range []*string{n.input, n.output} {
		if s != nil {
			bytes += len(*s)
		}
	}
	return bytes
}

// Bounds of what is kept in memory, of one output, of the notes that wait, and of the time that a
// question waits for those before it.
const (
	historyKept   = 8 << 20
	historyOutput = 16 << 10
	historyNotes  = 100_000
	historyQueue  = 16 << 20
	historyWait   = 5 * time.Second
)

// historySoon is how long notes gather before they are taken: those of many short cells are one write.
const historySoon = 20 * time.Millisecond

// Where the goroutine of a history is.
const (
	away   = iota // there are no notes
	coming        // when historySoon is over
	working
)

var errHistory = errors.New("the history's file does not answer")

func newHistory(file string, l *log.Logger) *history {
	return &history{log: l, file: historyFile{name: file, log: l, session: 1}}
}

// put leaves a note. When too many wait, because the disk does not answer, it is dropped.
func (h *history) put(n note) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.waiting) >= historyNotes || len(h.waiting) > 0 && h.size+n.size() > historyQueue {
		if !h.lost {
			h.lost = true
			h.log.Printf("history: cells are not kept: %v", errHistory)
		}
		return false
	}
	h.waiting = append(h.waiting, n)
	h.size += n.size()
	switch {
	case n.ask != nil && h.state != working:
		h.state = working
		go h.work()
	case h.state == away:
		h.state = coming
		if h.timer == nil {
			h.timer = time.AfterFunc(historySoon, h.come)
		} else {
			h.timer.Reset(historySoon)
		}
	}
	return true
}

// come is work, unless a question has made it begin before.
func (h *history) come() {
	h.mu.Lock()
	begin := h.state == coming
	if begin {
		h.state = working
	}
	h.mu.Unlock()
	if begin {
		h.work()
	}
}

// work takes notes until there are none. What it has taken at once is written at once.
func (h *history) work() {
	for {
		h.mu.Lock()
		notes := h.waiting
		h.waiting, h.size = nil, 0
		if len(notes) == 0 {
			h.state = away
		}
		h.mu.Unlock()
		if len(notes) == 0 {
			return
		}
		if !h.begun {
			h.begun = true
			h.file.begin()
		}
		var records []record
		for _, n := range notes {
			if n.ask != nil {
				h.file.append(records...)
				records = records[:0]
				n.ask()
				continue
			}
			if h.keep(n) {
				records = append(records, record{Session: h.file.session, Line: n.line, Input: n.input, Output: n.output})
			}
		}
		h.file.append(records...)
	}
}

// do calls f when all notes before it have been taken, and returns after it.
func (h *history) do(f func(), wait time.Duration) error {
	done := make(chan struct{})
	if !h.put(note{ask: func() { f(); close(done) }}) {
		return errHistory
	}
	select {
	case <-done:
		return nil
	case <-time.After(wait):
		return errHistory
	}
}

// drain waits until the notes have been taken.
func (h *history) drain(wait time.Duration) {
	h.mu.Lock()
	idle := h.state == away
	h.mu.Unlock()
	if idle {
		return
	}
	if err := h.do(func() {}, wait); err != nil {
		h.log.Printf("history: %v", err)
	}
}

// begin notes a cell before it runs.
func (h *history) begin(line int, input string) { h.put(note{line: line, input: &input}) }

// end notes the text of its result, if it has one.
func (h *history) end(line int, output string) {
	if output == "" {
		return
	}
	if len(output) > historyOutput {
		output = output[:wholeRunes([]byte(output[:historyOutput]))] + "…"
	}
	h.put(note{line: line, output: &output})
}

// keep takes a note to memory. It is false for the output of a cell that has been forgotten.
func (h *history) keep(n note) bool {
	if n.input != nil {
		h.entries = append(h.entries, entry{Session: h.file.session, Line: n.line, Input: *n.input})
	} else {
		i := len(h.entries) - 1
		for i >= 0 && h.entries[i].Line != n.line {
			i--
		}
		if i < 0 {
			return false
		}
		h.entries[i].Output = n.output
	}
	h.forget(n.size())
	return true
}

// forget keeps in memory what a later session would read, when that many bytes more have come.
func (h *history) forget(more int) {
	if h.kept += more; h.kept < historyKept {
		return
	}
	total := 0
	for i := len(h.entries) - 1; i > 0; i-- {
		total += len(h.entries[i].Input)
		if out := h.entries[i].Output; out != nil {
			total += len(*out)
		}
		if total > historyKept/2 {
			h.entries = slices.Clone(h.entries[i:])
			break
		}
	}
	h.kept = historyKept / 2
}

// all returns the cells of the sessions before this one, then those of this one.
func (h *history) all() []entry {
	if !h.asked {
		h.asked = true
		h.before = h.file.others()
	}
	return append(slices.Clip(h.before), h.entries...)
}
