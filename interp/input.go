package interp

import (
	"context"
	"io"

	"gotorch/interp/shell"
	"gotorch/interp/split"
	"gotorch/interp/syntax"
)

// Part is a cell of a file.
type Part = split.FileCell

// Parts splits a file into cells: see [split.File].
func (s *Session) Parts(name string, text []byte) ([]Part, error) {
	return split.File(name, text, s.whole)
}

// ReadCells splits what is read as the prompt would take it: see [split.Lines].
func (s *Session) ReadCells(r io.Reader, each func(src string, lines int)) error {
	return split.Lines(r, s.whole, each)
}

func (s *Session) whole(src string) bool {
	whole, _ := s.IsWhole(src)
	return whole
}

// IsComplete reports whether src is a whole cell, and for one that is not, how far its next line is indented.
func (s *Session) IsComplete(src string) (syntax.Verdict, string) { return s.shell.IsComplete(src) }

// IsWhole reports whether lines that were typed one by one, without the end of the last, are a whole cell, and how far
// the next is indented where they are not. Under %%name a cell goes on until an empty line.
func (s *Session) IsWhole(src string) (bool, string) { return s.shell.IsWhole(src) }

// EditText lets the user write a text in the editor that $VISUAL or $EDITOR names, and returns what they wrote.
func (s *Session) EditText(ctx context.Context, t shell.Terminal, text string) (string, error) {
	return s.shell.EditText(ctx, t, text)
}

// Defines lists the names that a cell's text declares at its top level: see [syntax.Defines].
func Defines(src string) []string { return syntax.Defines(src) }

// PlainGo is a cell's text as Go, commands replaced by what they stand for: see [shell.PlainGo].
func PlainGo(src string) []string { return shell.PlainGo(src) }
