package result

import (
	"io"

	"gotorch/visualize/display"
)

// Sink takes what a cell prints while it runs.
type Sink interface {
	display.Sink
	Stdout() io.Writer
	Stderr() io.Writer

	// Stdin is what the cell reads; nil means that there is nothing to read.
	Stdin() io.Reader
}

// discard is a sink for output that nobody sees.
type discard struct{}

func (discard) Display(string, display.Bundle) {}
func (discard) Update(string, display.Bundle)  {}
func (discard) Clear(bool)                     {}
func (discard) Stdout() io.Writer              { return io.Discard }
func (discard) Stderr() io.Writer              { return io.Discard }
func (discard) Stdin() io.Reader               { return nil }

// Discard is a Sink for output that nobody sees.
var Discard Sink = discard{}
