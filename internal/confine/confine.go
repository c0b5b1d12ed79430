// Package confine has the system hold what the restricted mode promises, whatever a cell comes to run: no file outside
// a few is written, no program started, no other process signalled, no connection made. On Linux it uses
// no_new_privs, Landlock for files and a seccomp filter for system calls, on all threads; what was opened before
// stays usable. Elsewhere there is nothing of the kind, and [Apply] says so.
package confine

import "strings"

// Rules say what stays possible.
type Rules struct {
	Write []string // files, and folders with all in them, that may be written; they need not exist
	Read  []string // what may be read; nil is everything
}

// Report says what holds.
type Report struct {
	Files   string // what restricts files: "Landlock, version 7"; empty if nothing does
	Calls   string // what restricts system calls
	Missing string // why something is missing; empty if nothing is
}

// String is a sentence about the report.
func (r Report) String() string {
	var has []string
	if r.Files != "" {
		has = append(has, r.Files)
	}
	if r.Calls != "" {
		has = append(has, r.Calls)
	}
	text := strings.Join(has, "; ")
	switch {
	case r.Missing == "":
		return text
	case text == "":
		return r.Missing
	}
	return text + "; " + r.Missing
}
