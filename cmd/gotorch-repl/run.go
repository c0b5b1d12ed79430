package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gotorch/interp"
)

type runCommand struct {
	File        string `arg:"" help:"A Go program, a file of cells, or a notebook."`
	Output      string `short:"o" help:"Write the notebook with its outputs to this file." placeholder:"FILE"`
	AllowErrors bool   `help:"Go on after a cell of a notebook that failed."`
}

// Run runs the file by what it is.
func (r runCommand) Run() error {
	text, err := os.ReadFile(r.File)
	if err != nil {
		return err
	}
	isNotebook := filepath.Ext(r.File) == ".ipynb"
	if r.Output != "" && !isNotebook {
		return fmt.Errorf("-o is for notebooks; %s is none", r.File)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := newSession()
	defer s.Close()
	if dir := filepath.Dir(r.File); isNotebook && dir != "." { // a notebook's files lie beside it
		out, err := filepath.Abs(r.Output)
		if err != nil {
			return err
		}
		if r.Output != "" {
			r.Output = out
		}
		if err := os.Chdir(dir); err != nil {
			return err
		}
	}
	switch {
	case isNotebook:
		return runNotebook(ctx, s, text, r)
	case isProgram(text):
		return runProgram(ctx, s, string(text))
	case bytes.Contains(text, []byte("\n// %%")) || bytes.HasPrefix(text, []byte("// %%")):
		return runMarked(ctx, s, string(text))
	}
	return runCells(s, bytes.NewReader(text), os.Stdout, os.Stderr)
}

// isProgram reports whether text begins with package main.
func isProgram(text []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}

var packageClause = regexp.MustCompile(`(?m)^package\s+main[ \t]*;?`)

// runProgram declares what the program declares and calls its main. Lines keep their numbers.
func runProgram(ctx context.Context, s *interp.Session, text string) error {
	sink := plainSink{out: os.Stdout, err: os.Stderr, in: os.Stdin}
	at := packageClause.FindStringIndex(text)
	if at == nil {
		return errors.New("the package clause stands where it cannot be found")
	}
	text = text[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + text[at[1]:]
	for _, src := range []string{text, "main()"} {
		if err := evalPlain(ctx, s, src, sink); err != nil {
			return statusOf(err)
		}
	}
	return nil
}

var exitCode = regexp.MustCompile(`os\.Exit\((\d+)\)`)

// statusOf is the exit status that a program asked for, or that of a failure.
func statusOf(err error) error {
	var e *interp.Error
	if errors.As(err, &e) && e.Name == "Exit" {
		if m := exitCode.FindStringSubmatch(e.Value); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return exitStatus(n)
			}
		}
	}
	return errFailed
}

// runMarked runs a file whose cells begin with lines "// %%".
func runMarked(ctx context.Context, s *interp.Session, text string) error {
	sink := plainSink{out: os.Stdout, err: os.Stderr}
	var failed error
	for _, src := range regexp.MustCompile(`(?m)^// %%.*$`).Split(text, -1) {
		if strings.TrimSpace(src) == "" {
			continue
		}
		if err := evalPlain(ctx, s, strings.Trim(src, "\n"), sink); err != nil {
			failed = errFailed
		}
	}
	return failed
}
