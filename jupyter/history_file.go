package jupyter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
)

// historyFile is the file that keeps cells across sessions. Several kernels may share it: what one
// writes is whole lines, each time one append.
type historyFile struct {
	name    string // empty means none
	log     *log.Logger
	session int
	broken  bool // it cannot be written, and that was said
}

// record is a line of the file: a session that began, a cell that was typed, or the output of one.
// The session stands first: sessionOf counts on it.
type record struct {
	Session int     `json:"session"`
	Kernel  string  `json:"kernel,omitempty"` // of the line that claims a session's number
	Line    int     `json:"line,omitempty"`
	Input   *string `json:"input,omitempty"`
	Output  *string `json:"output,omitempty"`
}

// Bounds of what is read from the file, and of the file.
const (
	historyRead = 8 << 20
	historyMost = 64 << 20
)

// begin takes a session number that no other kernel has.
func (f *historyFile) begin() {
	if f.name == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(f.name), 0o700); err != nil {
		f.fail(err)
		return
	}
	f.shorten()
	last, end, whole := f.last()
	f.session = last + 1
	if !whole {
		f.write([]byte("\n"))
	}
	// Two kernels may claim the same number; the one whose line came first has it.
	me := newID()
	for range 100 {
		f.append(record{Session: f.session, Kernel: me})
		if f.broken {
			return
		}
		var text []byte
		text, end = f.read(end)
		if owner(text, f.session) == me {
			return
		}
		for line := range bytes.Lines(text) {
			f.session = max(f.session, sessionOf(line))
		}
		f.session++
	}
}

// last is the highest session number, and where the file ends; whole is false when that is in the
// middle of a line, because a disk was full. The file passes through a small buffer: the cells of a
// long history are in the way here.
func (f *historyFile) last() (session int, end int64, whole bool) {
	file, skip, end, err := openTail(f.name, 0)
	if err != nil {
		f.unread(err)
		return 0, 0, true
	}
	defer file.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(file, skip, end-skip), 64<<10)
	for whole = skip == 0; ; {
		piece, err := in.ReadSlice('\n')
		if whole {
			session = max(session, sessionOf(piece))
		}
		if err == io.EOF {
			return session, end, whole && len(piece) == 0
		}
		if whole = err == nil; !whole && err != bufio.ErrBufferFull {
			f.unread(err)
			return session, end, true
		}
	}
}

// read returns what stands in the file from a place on, from the beginning of a line, and where that
// ends.
func (f *historyFile) read(from int64) (text []byte, end int64) {
	file, skip, end, err := openTail(f.name, from)
	if err == nil {
		defer file.Close()
		text = make([]byte, end-skip)
		_, err = file.ReadAt(text, skip)
	}
	if err != nil {
		f.unread(err)
		return nil, 0
	}
	if skip > from {
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
			text = rest
		}
	}
	return text, end
}

// openTail opens a file of which what stands from a place on is to be read, at most the last
// historyRead bytes: those from skip to end. A file that has become shorter is read from its beginning.
func openTail(name string, from int64) (file *os.File, skip, end int64, err error) {
	if file, err = os.Open(name); err != nil {
		return nil, 0, 0, err
	}
	st, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, 0, err
	}
	end = st.Size()
	if from > end {
		from = 0
	}
	return file, max(from, end-historyRead), end, nil
}

// unread says that the file could not be read; that there is none yet is no fault.
func (f *historyFile) unread(err error) {
	if !os.IsNotExist(err) {
		f.fail(err)
	}
}

// sessionOf returns the session of a line, 0 if it has none. Only the beginning is looked at: the
// lines of a long history are many.
func sessionOf(line []byte) int {
	rest, ok := bytes.CutPrefix(line, []byte(`{"session":`))
	if !ok {
		return 0
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	if n == len(rest) || rest[n] != ',' {
		return 0 // cut off
	}
	session, _ := strconv.Atoi(string(rest[:n]))
	return session
}

// owner is the kernel that claimed a session's number first.
func owner(text []byte, session int) string {
	for line := range bytes.Lines(text) {
		var r record
		if sessionOf(line) == session && json.Unmarshal(line, &r) == nil && r.Kernel != "" {
			return r.Kernel
		}
	}
	return ""
}

// others reads the cells of all sessions but this one.
func (f *historyFile) others() (entries []entry) {
	if f.name == "" {
		return nil
	}
	text, _ := f.read(0)
	type place struct{ session, line int }
	at := map[place]int{}
	for line := range bytes.Lines(text) {
		var r record
		if s := sessionOf(line); s < 1 || s == f.session || json.Unmarshal(line, &r) != nil {
			continue // this session's, cut off, or not ours
		}
		p := place{r.Session, r.Line}
		i, there := at[p]
		switch {
		case r.Kernel != "":
		case r.Input != nil:
			at[p] = len(entries)
			entries = append(entries, entry{Session: r.Session, Line: r.Line, Input: *r.Input})
		case r.Output != nil && there:
			entries[i].Output = r.Output
		}
	}
	return entries
}

// shorten keeps the end of a file that has grown too long.
func (f *historyFile) shorten() {
	st, err := os.Stat(f.name)
	if err != nil || st.Size() <= historyMost {
		return
	}
	text, _ := f.read(0)
	if f.broken {
		return
	}
	tmp := f.name + "." + newID()
	if err = os.WriteFile(tmp, text, 0o600); err == nil {
		err = os.Rename(tmp, f.name)
	}
	if err != nil {
		os.Remove(tmp)
		f.log.Printf("history: %v", err)
	}
}

// append writes lines. When that fails once, it is not tried again.
func (f *historyFile) append(rs ...record) {
	if f.name == "" || f.broken || len(rs) == 0 {
		return
	}
	var text []byte
	for _, r := range rs {
		line, err := marshal(r)
		if err != nil {
			f.fail(err)
			return
		}
		text = append(append(text, line...), '\n')
	}
	f.write(text)
}

// write appends to the file, which another kernel may have replaced: it is not kept open.
func (f *historyFile) write(text []byte) {
	file, err := os.OpenFile(f.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(text)
		if e := file.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		f.fail(err)
	}
}

func (f *historyFile) fail(err error) {
	if !f.broken {
		f.log.Printf("history is no longer kept on disk: %v", err)
	}
	f.broken = true
}
