package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const extension = ".cells"

// kept is how long the journal of an earlier process is offered.
const kept = 7 * 24 * time.Hour

var errBusy = errors.New("another process writes this journal")

// Cell is one that a lost session has run.
type Cell struct {
	N   int
	Src string
}

// Lost is the journal of a process that did not end in order.
type Lost struct {
	Cells []Cell // that were done
	Fatal *Cell  // the one that ran when the process ended, or nil
	Cause string // what the runtime said
	When  time.Time
}

// Find takes the newest journal of a kind that a process left behind: the one with this key, or one of a process that
// was started in this directory. It is offered once: Find removes the file, and what is too old. It returns nil where
// there is none.
func Find(dir, kind, key string) *Lost {
	names, _ := filepath.Glob(filepath.Join(dir, kind+"-*"+extension))
	at, _ := os.Getwd()
	var found *Lost
	file := ""
	for _, name := range names {
		lost, in, over := read(name)
		own := key != "" && filepath.Base(name) == kind+"-"+key+extension
		switch {
		case over:
			os.Remove(name)
		case lost == nil, !own && in != at:
		case found == nil || lost.When.After(found.When) || own:
			found, file = lost, name
		}
	}
	if file != "" {
		os.Remove(file)
	}
	return found
}

// read reads a journal; lost is nil where its process still runs. over says that nobody wants it any more.
func read(name string) (lost *Lost, dir string, over bool) {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, "", false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || !lock(file) {
		return nil, "", false
	}
	if time.Since(info.ModTime()) > kept {
		return nil, "", true
	}
	lost = &Lost{When: info.ModTime()}
	var crash []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, most+1<<10)
	for lines.Scan() && len(crash) < 100 {
		text := lines.Bytes()
		var r record
		switch {
		case len(crash) == 0 && bytes.Equal(text, []byte(".")):
			if lost.Fatal != nil {
				lost.Cells, lost.Fatal = append(lost.Cells, *lost.Fatal), nil
			}
		case len(crash) == 0 && bytes.HasPrefix(text, []byte("{")) && json.Unmarshal(text, &r) == nil:
			if r.Src == "" {
				dir = r.Dir
			} else if strings.TrimSpace(r.Src) != Command {
				if lost.Fatal != nil { // begun while another ran
					lost.Cells = append(lost.Cells, *lost.Fatal)
				}
				lost.Fatal = &Cell{r.N, r.Src}
			}
		default:
			crash = append(crash, string(text))
		}
	}
	lost.Cause = cause(crash)
	return lost, dir, len(lost.Cells) == 0 && lost.Fatal == nil
}

// Command is the cell that runs what was lost: it is no part of a session.
const Command = "%restore"

// causes tell by the frames of a fatal error what it was: the runtime writes the stacks to a journal, but not the line
// before them.
var causes = []struct{ frame, cause string }{
	{"maps.fatal(", "fatal error: two goroutines used one map, and one wrote it"},
	{"sync.fatal(", "fatal error: a lock was unlocked that nobody held"},
	{"runtime.newstack(", "fatal error: stack overflow in compiled code"},
	{"runtime.(*mheap).", "fatal error: out of memory"},
	{"runtime.sysMap", "fatal error: out of memory"},
	{"runtime.mallocgc", "fatal error: out of memory"},
	{"runtime.checkmcount(", "fatal error: too many threads"},
	{"runtime.fatal(", "fatal error"},
	{"runtime.throw(", "fatal error of Go's runtime"},
}

// cause tells why a process ended by what the runtime said.
func cause(lines []string) string {
	for _, begin := range []string{"fatal error: ", "panic: ", "runtime: ", "SIG"} {
		for _, l := range lines {
			if strings.HasPrefix(l, begin) {
				return l
			}
		}
	}
	for _, c := range causes {
		if slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, c.frame) }) {
			return c.cause
		}
	}
	if len(lines) > 0 {
		return "Go's runtime ended it"
	}
	return "it was killed; systems do that where memory is short"
}
