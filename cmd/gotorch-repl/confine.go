package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gotorch/internal/confine"
	"gotorch/interp/learn"
)

// confined has the system hold what --safe promises, from here on and for good: it is called when all is open that the
// program needs, before the first cell runs. The file or folder that write names stays writable, and the file that
// read names can be read where --read restricts reading; an empty name is none. An error means that the promise does
// not hold, and no cell is to run.
func confined(read, write string) error {
	if !cli.Safe {
		if len(cli.Read) > 0 {
			return errors.New("--read restricts reading in the restricted mode: it wants --safe")
		}
		return nil
	}
	rules := confine.Rules{}
	if write != "" {
		// The rule is for the file itself, so it must be there.
		if f, err := os.OpenFile(write, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			f.Close()
		}
		rules.Write = []string{write}
	}
	if dir := learn.UserDir(); dir != "" && os.MkdirAll(dir, 0o700) == nil { // the progress in lessons
		rules.Write = append(rules.Write, dir)
	}
	for _, dir := range cli.Read {
		full, err := filepath.Abs(dir)
		if err == nil {
			_, err = os.Stat(full)
		}
		if err != nil {
			return fmt.Errorf("--read: %w", err)
		}
		rules.Read = append(rules.Read, full)
	}
	if len(rules.Read) > 0 && read != "" {
		rules.Read = append(rules.Read, read)
	}
	report, err := confine.Apply(rules)
	if err != nil {
		return fmt.Errorf("--safe: %w", err)
	}
	if report.Missing != "" {
		fmt.Fprintf(os.Stderr, "gotorch-repl: --safe: cells are restricted by the names they may use; %s\n", report)
	}
	return nil
}

// checkConfined is about what holds the restricted mode's promise beside the list of names.
func checkConfined(d *doctor) {
	r := confine.Available()
	if cli.Safe {
		if err := confined("", ""); err != nil {
			d.says(wrong, "", "%v", err)
			return
		}
		d.says(verdictOf(r), "", "--safe: cells use the names that are allowed; active beneath: %s", r)
		return
	}
	d.says(verdictOf(r), "", "--safe would use, beneath the list of allowed names: %s", r)
}

// verdictOf: a system that lacks something is worth a note.
func verdictOf(r confine.Report) verdict {
	if r.Missing != "" {
		return note
	}
	return fine
}
