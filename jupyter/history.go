package jupyter

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// entry is one cell of the history.
type entry struct {
	Session int     `json:"session"`
	Line    int     `json:"line"`
	Input   string  `json:"input"`
	Output  *string `json:"output,omitempty"`
}

// record is a line of the history file: a session that began, a cell that was typed, or (Done) the
// output of one. Each is one append, so that several kernels may share the file.
type record struct {
	Session int     `json:"session"`
	Kernel  string  `json:"kernel,omitempty"` // of the line that claims a session's number
	Line    int     `json:"line,omitempty"`
	Input   *string `json:"input,omitempty"`
	Output  *string `json:"output,omitempty"`
}

// history is the cells typed, in this session and those before it. The file is not touched before
// the first cell or question, so that it costs no time at the start.
type history struct {
	file string
	log  *log.Logger

	mu      sync.Mutex
	loaded  bool
	session int
	entries []entry // in the order in which they were typed
	size    int     // bytes of those typed in this session
	broken  bool    // the file cannot be written
}

// Bounds of what is read from a history file, of the file, and of one output.
const (
	historyRead   = 8 << 20
	historyFile   = 64 << 20
	historyOutput = 16 << 10
)

func newHistory(file string, l *log.Logger) *history {
	return &history{file: file, log: l}
}

// load reads the file and takes a session number that no other kernel has.
func (h *history) load() {
	if h.loaded {
		return
	}
	h.loaded = true
	h.session = 1
	if h.file == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		h.fail(err)
		return
	}
	h.shorten()
	h.entries, h.session, _ = h.read("")
	h.session++
	// Two kernels may claim the same number; the one whose line came first has it.
	me := newID()
	for range 100 {
		h.append(record{Session: h.session, Kernel: me})
		if h.broken {
			return
		}
		_, last, owner := h.read(me)
		if owner == me {
			return
		}
		h.session = last + 1
	}
}

// read folds the file's records. It gives the highest session number, and which kernel claimed first
// the number that me claimed last.
func (h *history) read(me string) (entries []entry, last int, owner string) {
	text, err := readTail(h.file, historyRead)
	if err != nil {
		if !os.IsNotExist(err) {
			h.fail(err)
		}
		return nil, 0, ""
	}
	type place struct{ session, line int }
	at := map[place]int{}
	owners := map[int]string{}
	mine := 0
	for line := range bytes.Lines(text) {
		var r record
		if json.Unmarshal(line, &r) != nil || r.Session < 1 {
			continue // cut off, or not ours
		}
		last = max(last, r.Session)
		p := place{r.Session, r.Line}
		i, there := at[p]
		switch {
		case r.Kernel != "":
			if owners[r.Session] == "" {
				owners[r.Session] = r.Kernel
			}
			if r.Kernel == me {
				mine = r.Session
			}
		case r.Input != nil:
			at[p] = len(entries)
			entries = append(entries, entry{Session: r.Session, Line: r.Line, Input: *r.Input})
		case r.Output != nil && there:
			entries[i].Output = r.Output
		}
	}
	return entries, last, owners[mine]
}

// readTail reads at most the last n bytes of a file, from the beginning of a line.
func readTail(file string, n int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	skip := max(0, st.Size()-n)
	text, err := io.ReadAll(io.NewSectionReader(f, skip, n))
	if skip > 0 {
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
			text = rest
		}
	}
	return text, err
}

// shorten keeps the end of a file that has grown too long.
func (h *history) shorten() {
	st, err := os.Stat(h.file)
	if err != nil || st.Size() <= historyFile {
		return
	}
	text, err := readTail(h.file, historyRead)
	if err == nil {
		tmp := h.file + "." + newID()
		if err = os.WriteFile(tmp, text, 0o600); err == nil {
			err = os.Rename(tmp, h.file)
		}
		if err != nil {
			os.Remove(tmp)
		}
	}
	if err != nil {
		h.log.Printf("history: %v", err)
	}
}

// append writes one line. When that fails once, it is not tried again.
func (h *history) append(r record) {
	if h.file == "" || h.broken {
		return
	}
	line, err := marshal(r)
	if err != nil {
		h.fail(err)
		return
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		h.fail(err)
	}
}

func (h *history) fail(err error) {
	h.log.Printf("history is no longer kept on disk: %v", err)
	h.broken = true
}

// begin notes a cell before it runs.
func (h *history) begin(line int, input string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.load()
	h.entries = append(h.entries, entry{Session: h.session, Line: line, Input: input})
	h.forget(len(input))
	h.append(record{Session: h.session, Line: line, Input: &input})
}

// forget keeps in memory what a later session would read, when that many bytes more have come.
func (h *history) forget(more int) {
	if h.size += more; h.size < historyRead {
		return
	}
	total := 0
	for i := len(h.entries) - 1; i > 0; i-- {
		total += len(h.entries[i].Input)
		if out := h.entries[i].Output; out != nil {
			total += len(*out)
		}
		if total > historyRead/2 {
			h.entries = slices.Clone(h.entries[i:])
			break
		}
	}
	h.size = historyRead / 2
}

// end notes the text of its result, if it has one.
func (h *history) end(line int, output string) {
	if output == "" {
		return
	}
	if len(output) > historyOutput {
		output = output[:wholeRunes([]byte(output[:historyOutput]))] + "…"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.size += len(output)
	for i := len(h.entries) - 1; i >= 0; i-- {
		if e := &h.entries[i]; e.Session == h.session && e.Line == line {
			e.Output = &output
			h.append(record{Session: h.session, Line: line, Output: &output})
			return
		}
	}
}
