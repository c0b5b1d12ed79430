package main

import (
	"os"

	"golang.org/x/term"

	"gotorch/interp"
	"gotorch/visualize"
)

// newSession makes the session that the prompt, the kernel and run share.
func newSession() *interp.Session {
	return interp.New(interp.Options{Safe: cli.Safe, Read: cli.Read, NoSkip: noSkip(), Ended: giving.ended})
}

// colorOK reports whether f takes colour.
func colorOK(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// plainText is a value as a terminal shows it.
func plainText(v interp.Value, color bool) string {
	if _, ok := v.V.(visualize.View); ok || v.Aside {
		return v.Bundle.Text(color)
	}
	return v.Text
}
