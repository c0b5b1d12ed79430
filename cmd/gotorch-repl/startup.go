package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gotorch/interp"
)

// configFile is a file of the user's configuration directory, "" where there is none.
func configFile(name string) string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gotorch", name)
}

// startup are the cells that a session begins with.
type startup struct {
	Startup string `help:"The file of cells that a session begins with; none for none. Usually startup.go in the configuration directory, if it is there." placeholder:"FILE"`
}

// file is the name of the file, empty where there is none to read.
func (u startup) file() string {
	switch u.Startup {
	case "none":
		return ""
	case "":
		return configFile("startup.go")
	}
	return u.Startup
}

// begin runs those cells. They have no numbers, and what they end with is not shown; an error is said, and the next
// cell runs.
func (u startup) begin(ctx context.Context, s *interp.Session, sink interp.Sink, fail func(error)) {
	name := u.file()
	if name == "" {
		return
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) && u.Startup == "" {
		return
	}
	var parts []interp.Part
	if err == nil {
		parts, err = s.Parts(name, text)
	}
	if err != nil {
		fail(fmt.Errorf("the start-up file: %w", err))
		return
	}
	for _, p := range parts {
		if ctx.Err() != nil {
			return
		}
		if _, err := s.EvalCell(ctx, interp.Cell{Src: p.Text(), Name: filepath.Base(name), Silent: true}, sink); err != nil {
			fail(err)
		}
	}
}

// toErrors writes errors as they are written without a terminal.
func toErrors(w io.Writer) func(error) {
	return func(err error) { fmt.Fprintln(w, errorText(err, false)) }
}
