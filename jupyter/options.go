package jupyter

import (
	"errors"
	"log"
)

// ErrNoInput says that the client takes no questions (allow_stdin is false).
var ErrNoInput = errors.New("this front end does not take input")

// Options of Run. The zero value is good.
type Options struct {
	// HistoryFile keeps the cells typed, across sessions. Empty means that history lasts as long
	// as the kernel.
	HistoryFile string

	// Log takes a line for each message that was dropped and the like. Nil means standard error.
	Log *log.Logger

	// OutputRate is how many bytes a second a cell may print for long; what is more is left out, and a
	// line says so. 0 means 500,000, which a notebook server lets pass; negative means no bound.
	OutputRate int

	// Bound, if it is not nil, is called when all sockets are there, before the first request is read. An error ends the
	// kernel.
	Bound func() error

	// NoSignals leaves SIGINT and SIGTERM to the program. Otherwise they interrupt and end the kernel.
	NoSignals bool
}
