// Package journal keeps the cells of a session in a file while it runs, so that a session whose process was ended can
// be run again.
//
//	journal.go   writing
//	lost.go      finding the journals of processes that have exited
//	lock_*.go    whether a process still writes
//
// A journal holds a line of JSON for each cell that began, and a line with a point when it is done. What the runtime
// says when it ends the process comes last: it is written to the same file. The journal of a session that ended in
// order is removed.
package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"time"
)

// most is how many bytes of cells a journal takes; what comes later is left out.
const most = 16 << 20

// Journal is that of this process. Its methods may be called on nil, which keeps nothing.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	size int
}

// record is a line of a journal. The first has no cell.
type record struct {
	Dir   string    `json:",omitempty"` // the directory in which the session began
	Began time.Time `json:",omitzero"`
	N     int       `json:",omitempty"`
	Src   string    `json:",omitempty"`
}

// Open begins a journal in a folder, which it makes. kind is what the process is, key names it among others of its
// kind: one that starts later with the same key finds what this one leaves. An empty key is the process's number.
func Open(dir, kind, key string) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if key == "" {
		key = strconv.Itoa(os.Getpid())
	}
	file, err := os.OpenFile(filepath.Join(dir, kind+"-"+key+extension), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if !lock(file) {
		file.Close()
		return nil, errBusy
	}
	if err := file.Truncate(0); err != nil {
		file.Close()
		return nil, err
	}
	j := &Journal{file: file}
	at, _ := os.Getwd()
	j.write(record{Dir: at, Began: time.Now()})
	if err := debug.SetCrashOutput(file, debug.CrashOptions{}); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

func (j *Journal) write(r record) {
	text, err := json.Marshal(r)
	if err != nil || j.size+len(text) > most {
		return
	}
	n, _ := j.file.Write(append(text, '\n'))
	j.size += n
}

// Begin says that a cell is about to run; done says that it has.
func (j *Journal) Begin(n int, src string) (done func()) {
	if j == nil {
		return func() {}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil || j.size+len(src) > most {
		return func() {}
	}
	j.write(record{N: n, Src: src})
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		if j.file != nil {
			j.file.WriteString(".\n")
		}
	}
}

// Close ends the journal of a session that ended in order. Where the file cannot be removed, it is left empty.
func (j *Journal) Close() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return
	}
	debug.SetCrashOutput(nil, debug.CrashOptions{})
	j.file.Truncate(0)
	name := j.file.Name()
	j.file.Close()
	j.file = nil
	os.Remove(name)
}
