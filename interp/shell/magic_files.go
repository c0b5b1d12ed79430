package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/result"
	"gotorch/interp/split"
)

// unquoted is a file's name as it was typed, with ~ for the home directory.
func unquoted(arg string) string {
	arg = strings.TrimSpace(arg)
	if len(arg) >= 2 && (arg[0] == '"' || arg[0] == '\'') && arg[len(arg)-1] == arg[0] {
		arg = arg[1 : len(arg)-1]
	}
	if rest, ok := strings.CutPrefix(arg, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			return home + rest
		}
	}
	return arg
}

func fileError(err error) *Error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &Error{Name: "Interrupted", Value: "interrupted"}
	}
	return &Error{Name: "FileError", Value: err.Error()}
}

// runMagic runs a file's cells in the session. What the file defines is live afterwards.
func (s *Shell) runMagic(ctx context.Context, arg string) ([]Value, *Error) {
	words := split.Words(arg)
	// IPython's: the names of the session are there, os.Exit ends the cell alone
	for len(words) > 0 && (words[0] == "-i" || words[0] == "-e") {
		words = words[1:]
	}
	if len(words) > 0 && (words[0] == "-t" || words[0] == "-p" || words[0] == "-d") {
		return nil, usage("%%run takes a file and its arguments; %%time, %%prof and %%trace look at a statement: %%prof " +
			"main() after %%run FILE")
	}
	if len(words) == 0 {
		return nil, usage("%%run FILE [ARGUMENT …]")
	}
	name := unquoted(words[0])
	text, err := readCells(ctx, name)
	if err != nil {
		return nil, fileError(err)
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, fileError(err)
	}
	if slices.Contains(s.running, full) {
		return nil, usage("%s is running: it would run itself without an end", name)
	}
	s.running = append(s.running, full)
	defer func() { s.running = s.running[:len(s.running)-1] }()
	parts, err := s.Split(name, text)
	if err != nil {
		return nil, fileError(fmt.Errorf("%s: %w", name, err))
	}
	args := os.Args
	os.Args = append([]string{name}, words[1:]...)
	defer func() { os.Args = args }()
	var all []Value
	var failed *Error
	s.File(filepath.Base(name), func() { all, failed = s.evalAll(ctx, parts) })
	return all, failed
}

// evalAll runs parts of a file, up to the first that fails.
func (s *Shell) evalAll(ctx context.Context, parts []string) (all []Value, err *Error) {
	for _, p := range parts {
		vals, err := s.Eval(ctx, p)
		if all = append(all, vals...); err != nil {
			return all, err
		}
	}
	return all, nil
}

func (s *Shell) loadMagic(ctx context.Context, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) == "" {
		return nil, usage("%%load FILE")
	}
	text, err := readCells(ctx, unquoted(arg))
	if err != nil {
		return nil, fileError(err)
	}
	if err := split.IsText(text); err != nil {
		return nil, fileError(fmt.Errorf("%s: %w", unquoted(arg), err))
	}
	return s.typeNext(strings.TrimRight(string(text), "\n"))
}

// typeNext puts a text where the next cell is typed; where nobody types, it is shown.
func (s *Shell) typeNext(text string) ([]Value, *Error) {
	f := s.Front()
	if f == nil {
		return result.Text(text), nil
	}
	f.SetNextInput(text)
	return nil, nil
}

// saveMagic writes cells as a file that %run and gotorch-repl run take.
func (s *Shell) saveMagic(ctx context.Context, arg string) ([]Value, *Error) {
	name, rest := split.CutWord(arg)
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	// IPython's: a file is written over unasked, and holds what was typed
	for name == "-f" || name == "-r" || name == "-a" {
		if name == "-a" {
			flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
		}
		name, rest = split.CutWord(rest)
	}
	if err := s.Restricted("%save"); err != nil {
		return nil, err
	}
	if name == "" {
		return nil, usage("%%save [-a] FILE [N | N-M …]")
	}
	numbers, uerr := ranges(rest, s.Count()-1)
	if uerr != nil {
		return nil, uerr
	}
	asked := strings.TrimSpace(rest) != ""
	in := s.Cells()
	var b strings.Builder
	count := 0
	for _, i := range numbers {
		src, ok := in[i]
		if !ok || s.Failed(i) && !asked || !asked && strings.HasPrefix(strings.TrimSpace(src), "%save") {
			continue
		}
		fmt.Fprintf(&b, "// %%%% In[%d]\n%s\n\n", i, strings.TrimRight(src, "\n"))
		count++
	}
	if count == 0 {
		return nil, usage("there are no cells to save")
	}
	if err := writeTo(ctx, unquoted(name), flags, strings.TrimRight(b.String(), "\n")+"\n"); err != nil {
		return nil, fileError(err)
	}
	cells := "cells"
	if count == 1 {
		cells = "cell"
	}
	return result.Text(fmt.Sprintf("%d %s saved to %s", count, cells, unquoted(name))), nil
}

// editMagic lets the user write a cell in their editor, and runs it: a new one, a file, a cell by its number, or a
// function by its name.
func (s *Shell) editMagic(ctx context.Context, arg string) ([]Value, *Error) {
	if err := s.Restricted("%edit"); err != nil {
		return nil, err
	}
	t := s.Terminal()
	if t == nil {
		return nil, usage("%%edit needs a terminal")
	}
	arg = strings.TrimSpace(arg)
	name, text := "", ""
	if k, err := strconv.Atoi(arg); err == nil {
		src, ok := s.Cells()[k]
		if !ok {
			return nil, usage("there is no cell %d", k)
		}
		text = src
	} else if text = s.SourceOf(arg); text == "" {
		name = unquoted(arg)
		if err := s.editable(name); err != nil {
			return nil, err
		}
	}
	done, err := s.edit(ctx, t, name, text)
	if err != nil {
		return nil, err
	}
	src := string(done)
	if strings.TrimSpace(src) == "" {
		return nil, nil
	}
	s.Edited(src) // what the history shows in place of %edit
	parts, perr := s.Split(cmp.Or(name, "cell.go"), done)
	if perr != nil {
		return nil, fileError(perr)
	}
	if !split.IsFile(done) {
		parts = []string{src}
	}
	return s.evalAll(ctx, parts)
}

// editable does not open a new file where the name of something built in was meant.
func (s *Shell) editable(name string) *Error {
	if name == "" {
		return nil
	}
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	env, done := s.Env()
	_, ok := check.Describe(env, name, len(name))
	done()
	if ok && filepath.Ext(name) != ".go" {
		return usage("%s is built in and has no text to edit: ??%s tells what it does, and a function of that name takes "+
			"its place here", name, name)
	}
	return nil
}

// EditText lets the user edit a text in the editor that $VISUAL or $EDITOR names, and returns the result.
func (s *Shell) EditText(ctx context.Context, t Terminal, text string) (string, error) {
	if err := s.Restricted("an editor"); err != nil {
		return "", err
	}
	done, err := s.edit(ctx, t, "", text)
	if err != nil {
		return "", err
	}
	return string(done), nil
}

// edit opens a file in the user's editor, or a text where the name is empty, and reads what was written.
func (s *Shell) edit(ctx context.Context, t Terminal, name, text string) ([]byte, *Error) {
	if name == "" {
		f, err := os.CreateTemp("", "cell-*.go")
		if err != nil {
			return nil, fileError(err)
		}
		defer os.Remove(f.Name())
		f.WriteString(text)
		f.Close()
		name = f.Name()
	}
	editor := strings.Fields(os.Getenv("VISUAL"))
	if len(editor) == 0 {
		editor = strings.Fields(os.Getenv("EDITOR"))
	}
	if len(editor) == 0 {
		editor = []string{"vi"}
	}
	err := t.Attach(func(in, out *os.File) error {
		return attached(ctx, in, out, editor[0], append(editor[1:], name)...)
	})
	if err != nil {
		return nil, fileError(fmt.Errorf("%s: %w", editor[0], err))
	}
	done, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError(err)
	}
	return done, nil
}
