package interp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gotorch/interp/check"
)

// Front is what a sink may be besides: a place where the user types the next cell.
type Front interface {
	SetNextInput(text string)
}

// Terminal is what a sink may be besides: a terminal that other programs may use.
type Terminal interface {
	// Attach gives the terminal to run, which other programs read from and draw on.
	Attach(run func(in, out *os.File) error) error
}

// front is the running cell's sink as a T, if it is one.
func front[T any](s *Session) (t T, ok bool) {
	if sink := s.sink.Load(); sink != nil {
		t, ok = (*sink).(T)
	}
	return t, ok
}

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

func fileError(err error) *Error { return &Error{Name: "FileError", Value: err.Error()} }

// runMagic runs a file's cells in the session. What the file defines is live afterwards.
func (s *Session) runMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	words := words(arg)
	for len(words) > 0 && (words[0] == "-i" || words[0] == "-e") { // IPython's: the names of the session are there, os.Exit ends the cell alone
		words = words[1:]
	}
	if len(words) > 0 && (words[0] == "-t" || words[0] == "-p" || words[0] == "-d") {
		return nil, usage("%%run takes a file and its arguments; %%time, %%prof and %%trace look at a statement: %%prof main() after %%run FILE")
	}
	if len(words) == 0 {
		return nil, usage("%%run FILE [ARGUMENT …]")
	}
	name := unquoted(words[0])
	text, err := os.ReadFile(name)
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
	parts, err := s.Parts(name, text)
	if err != nil {
		return nil, fileError(fmt.Errorf("%s: %w", name, err))
	}
	args := os.Args
	os.Args = append([]string{name}, words[1:]...)
	s.mu.Lock()
	called := s.called
	s.called = filepath.Base(name)
	s.mu.Unlock()
	defer func() {
		os.Args = args
		s.mu.Lock()
		s.called = called
		s.mu.Unlock()
	}()
	var all []Value
	for _, p := range parts {
		vals, err := s.evalText(ctx, n, p.Text())
		all = append(all, vals...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func (s *Session) loadMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) == "" {
		return nil, usage("%%load FILE")
	}
	text, err := os.ReadFile(unquoted(arg))
	if err != nil {
		return nil, fileError(err)
	}
	if err := isText(text); err != nil {
		return nil, fileError(fmt.Errorf("%s: %w", unquoted(arg), err))
	}
	f, ok := front[Front](s)
	if !ok { // nobody types here
		return textValue(strings.TrimRight(string(text), "\n")), nil
	}
	f.SetNextInput(strings.TrimRight(string(text), "\n"))
	return nil, nil
}

// writeTo writes a text to a file, over what it holds or behind it.
func writeTo(name string, flags int, text string) error {
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// saveMagic writes cells as a file that %run and gotorch-repl run take.
func (s *Session) saveMagic(_ context.Context, n int, arg string) ([]Value, *Error) {
	name, rest := cutWord(arg)
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	for name == "-f" || name == "-r" || name == "-a" { // IPython's: a file is written over unasked, and holds what was typed
		if name == "-a" {
			flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
		}
		name, rest = cutWord(rest)
	}
	if err := s.restricted("%save"); err != nil {
		return nil, err
	}
	if name == "" {
		return nil, usage("%%save [-a] FILE [N | N-M …]")
	}
	numbers, uerr := ranges(rest, n-1)
	if uerr != nil {
		return nil, uerr
	}
	asked := strings.TrimSpace(rest) != ""
	in := s.typedCells()
	var b strings.Builder
	count := 0
	for _, i := range numbers {
		src, ok := in[i]
		s.mu.Lock()
		failed := s.outs.failed[i]
		s.mu.Unlock()
		if !ok || failed && !asked || !asked && strings.HasPrefix(strings.TrimSpace(src), "%save") {
			continue
		}
		fmt.Fprintf(&b, "// %%%% In[%d]\n%s\n\n", i, strings.TrimRight(src, "\n"))
		count++
	}
	if count == 0 {
		return nil, usage("there are no cells to save")
	}
	if err := writeTo(unquoted(name), flags, strings.TrimRight(b.String(), "\n")+"\n"); err != nil {
		return nil, fileError(err)
	}
	cells := "cells"
	if count == 1 {
		cells = "cell"
	}
	return textValue(fmt.Sprintf("%d %s saved to %s", count, cells, unquoted(name))), nil
}

// editMagic lets the user write a cell in their editor, and runs it: a new one, a file, a cell by its number, or a
// function by its name.
func (s *Session) editMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	if err := s.restricted("%edit"); err != nil {
		return nil, err
	}
	t, ok := front[Terminal](s)
	if !ok {
		return nil, usage("%%edit needs a terminal")
	}
	arg = strings.TrimSpace(arg)
	name, text := "", ""
	if k, err := strconv.Atoi(arg); err == nil {
		src, ok := s.typedCells()[k]
		if !ok {
			return nil, usage("there is no cell %d", k)
		}
		text = src
	} else {
		s.mu.Lock()
		text = s.sourceOf(s.env.Lookup(arg))
		s.mu.Unlock()
		if text == "" {
			name = unquoted(arg)
			if err := s.editable(name); err != nil {
				return nil, err
			}
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
	s.mu.Lock()
	s.edited = src // what the history shows in place of %edit
	s.mu.Unlock()
	parts, perr := s.Parts(orElse(name, "cell.go"), done)
	if perr != nil {
		return nil, fileError(perr)
	}
	if !isFile(done) {
		parts = []Part{{Src: src}}
	}
	var all []Value
	for _, p := range parts {
		vals, err := s.evalText(ctx, n, p.Src)
		all = append(all, vals...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// editable refuses to open a new file where the name of something built in was meant.
func (s *Session) editable(name string) *Error {
	if name == "" {
		return nil
	}
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	s.mu.Lock()
	_, ok := check.Describe(s.env, name, len(name))
	s.mu.Unlock()
	if ok && filepath.Ext(name) != ".go" {
		return usage("%s is built in and has no text to edit: ??%s tells what it does, and a function of that name takes its place here", name, name)
	}
	return nil
}

// EditText lets the user write a text in the editor that $VISUAL or $EDITOR names, and gives what they wrote.
func (s *Session) EditText(ctx context.Context, t Terminal, text string) (string, error) {
	if err := s.restricted("an editor"); err != nil {
		return "", err
	}
	done, err := s.edit(ctx, t, "", text)
	if err != nil {
		return "", err
	}
	return string(done), nil
}

// edit opens a file in the user's editor, or a text where the name is empty, and reads what was written.
func (s *Session) edit(ctx context.Context, t Terminal, name, text string) ([]byte, *Error) {
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
