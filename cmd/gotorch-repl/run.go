package main

import (
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
	File        string   `arg:"" help:"A Go program, a file of cells, or a notebook."`
	Args        []string `arg:"" optional:"" passthrough:"" help:"What the program finds in os.Args."`
	Output      string   `short:"o" help:"Write the notebook with its outputs to this file." placeholder:"FILE"`
	AllowErrors bool     `help:"Go on after a cell that failed."`
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
	os.Args = append([]string{r.File}, r.Args...)
	f := file{s, filepath.Base(r.File), plainSink{out: os.Stdout, err: os.Stderr, in: os.Stdin}, r.AllowErrors}
	switch {
	case isNotebook:
		return runNotebook(ctx, s, text, r)
	case isProgram(text):
		return f.program(ctx, string(text))
	case marked.Match(text):
		return f.cells(ctx, marks(string(text)))
	}
	return f.cells(ctx, whole(s, string(text)))
}

// isProgram reports whether text begins with package main.
func isProgram(text []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}

var packageClause = regexp.MustCompile(`(?m)^package\s+main[ \t]*;?`)

// file is a file of Go that is run in a session. Messages have its name, and
// the lines are its own.
type file struct {
	s           *interp.Session
	name        string
	sink        plainSink
	allowErrors bool
}

// eval runs a part of the file that begins after skip lines.
func (f file) eval(ctx context.Context, src string, skip int) error {
	values, err := f.s.EvalCell(ctx, interp.Cell{Src: strings.Repeat("\n", skip) + src, Name: f.name}, f.sink)
	for _, v := range values {
		fmt.Fprintln(f.sink.out, plainText(v, false))
	}
	if err == nil {
		return nil
	}
	if n, ok := exitOf(err); ok {
		return exitStatus(n)
	}
	fmt.Fprintln(f.sink.err, errorText(err, false))
	return errFailed
}

// program declares what the program declares and calls its main.
func (f file) program(ctx context.Context, text string) error {
	at := packageClause.FindStringIndex(text)
	if at == nil {
		return errors.New("the package clause stands where it cannot be found")
	}
	text = text[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + text[at[1]:]
	if err := f.eval(ctx, text, 0); err != nil {
		return err
	}
	return f.eval(ctx, "main()", 0)
}

// part is a cell of a file.
type part struct {
	src  string
	skip int // the lines before it
}

// cells runs cells until one fails.
func (f file) cells(ctx context.Context, parts []part) error {
	var failed error
	for _, p := range parts {
		if err := f.eval(ctx, p.src, p.skip); err != nil {
			if failed = err; !f.allowErrors || err != errFailed || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}

// marked is the line with which a cell of a file begins.
var marked = regexp.MustCompile(`(?m)^// ?%%.*$`)

// marks splits a file at lines "// %%".
func marks(text string) (parts []part) {
	var src []string
	begin := 0
	flush := func() {
		if cell := strings.Join(src, "\n"); strings.TrimSpace(cell) != "" {
			parts = append(parts, part{cell, begin})
		}
		src = nil
	}
	for i, l := range strings.Split(text, "\n") {
		if marked.MatchString(l) {
			flush()
			begin = i + 1
			continue
		}
		src = append(src, strings.TrimSuffix(l, "\r"))
	}
	flush()
	return parts
}

// whole splits a file as the prompt would take it: a line, and more where one
// is not whole.
func whole(s *interp.Session, text string) (parts []part) {
	line := 0
	cells(s, strings.NewReader(text), func(src string, lines int) {
		if strings.TrimSpace(src) != "" {
			parts = append(parts, part{src, line})
		}
		line += lines
	})
	return parts
}

var exitCode = regexp.MustCompile(`os\.Exit\((-?\d+)\)`)

// exitOf gives the status with which a cell asked to exit.
func exitOf(err error) (int, bool) {
	var e *interp.Error
	if errors.As(err, &e) && e.Name == "Exit" {
		if m := exitCode.FindStringSubmatch(e.Value); m != nil {
			n, err := strconv.Atoi(m[1])
			return n, err == nil
		}
	}
	return 0, false
}
