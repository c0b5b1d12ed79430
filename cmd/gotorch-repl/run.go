package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/term"

	"gotorch/internal/lazyre"
	"gotorch/interp"
	"gotorch/visualize/display"
)

type runCommand struct {
	File        string   `arg:"" help:"A Go program, a file of cells, or a notebook; - is standard input."`
	Args        []string `arg:"" optional:"" passthrough:"" help:"What the program finds in os.Args."`
	Output      string   `short:"o" help:"Write the notebook with its outputs to this file; one that ends in .html becomes a page." placeholder:"FILE"`
	AllowErrors bool     `help:"Go on after a cell that failed, and exit with 0."`

	Parameter []string      `short:"p" sep:"none" help:"Set a parameter of the notebook: NAME=VALUE, after its cell that is tagged parameters." placeholder:"NAME=VALUE"`
	Timeout   time.Duration `help:"Interrupt a cell of the notebook that takes longer, such as 30s." placeholder:"DURATION"`
	Progress  bool          `help:"Say on standard error which cell of the notebook runs."`
}

// forProgram marks what stands behind run PROGRAM.go as that program's own: -h and -name x are its flags.
func forProgram(args []string) []string {
	at := slices.Index(args, "run")
	if at < 0 {
		return args
	}
	for i := at + 1; i < len(args) && args[i] != "--"; i++ {
		if filepath.Ext(args[i]) == ".go" {
			return slices.Insert(slices.Clone(args), i+1, "--")
		}
	}
	return args
}

// Run runs the file by what it is.
func (r runCommand) Run() error {
	read := os.ReadFile
	if r.File == "-" {
		read = func(string) ([]byte, error) { return io.ReadAll(os.Stdin) }
	}
	text, err := read(r.File)
	if err != nil {
		return err
	}
	isNotebook := filepath.Ext(r.File) == ".ipynb"
	if r.Output != "" && !isNotebook {
		return fmt.Errorf("-o is for notebooks; %s is none", r.File)
	}
	if len(r.Parameter) > 0 && !isNotebook {
		return fmt.Errorf("-p is for notebooks; %s is none", r.File)
	}
	if err := outputWritable(r.Output); err != nil {
		return err
	}
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
	if len(r.Args) > 0 && r.Args[0] == "--" { // which forProgram put there
		r.Args = r.Args[1:]
	}
	os.Args = append([]string{r.File}, r.Args...)
	out := ""
	if r.Output != "" {
		out = filepath.Dir(r.Output)
	}
	if err := confined("", out); err != nil {
		return err
	}
	if isNotebook {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return runNotebook(ctx, s, text, r)
	}
	return runText(s, r.File, text, r.AllowErrors)
}

// runText runs a program or cells; its messages have name.
func runText(s *interp.Session, name string, text []byte, allowErrors bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	f := file{s, filepath.Base(name), plain(os.Stdout, os.Stderr, os.Stdin), allowErrors}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		f.sink.Screen = display.NewScreen(os.Stdout, screenSize, colorOK(os.Stdout))
	}
	parts, err := s.Parts(name, text)
	if err != nil {
		return err
	}
	return f.cells(ctx, parts)
}

// file is a file of Go that is run in a session. Messages have its name, and
// the lines are its own.
type file struct {
	s           *interp.Session
	name        string
	sink        plainSink
	allowErrors bool
}

// eval runs a part of the file.
func (f file) eval(ctx context.Context, p interp.Part) error {
	values, err := f.s.EvalCell(ctx, interp.Cell{Src: p.Text(), Name: f.name}, f.sink)
	for _, v := range values {
		fmt.Fprintln(f.sink.Screen, plainText(v, false))
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

// cells runs cells until one fails, or all where errors are allowed: those are then no failure.
func (f file) cells(ctx context.Context, parts []interp.Part) error {
	for _, p := range parts {
		if err := f.eval(ctx, p); err != nil && (!f.allowErrors || err != errFailed || ctx.Err() != nil) {
			return err
		}
	}
	return nil
}

var exitCode = lazyre.New(`os\.Exit\((-?\d+)\)`)

// exitOf returns the status with which a cell asked to exit.
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

// screenSize is the size of the terminal that standard output is.
func screenSize() (columns, rows int) {
	columns, rows, _ = term.GetSize(int(os.Stdout.Fd()))
	return columns, rows
}
