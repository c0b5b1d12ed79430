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
	"strings"
	"syscall"

	"golang.org/x/term"

	"gotorch/internal/lazyre"
	"gotorch/internal/line"
	"gotorch/interp"
	"gotorch/interp/check"
	"gotorch/interp/learn"
	"gotorch/interp/result"
	"gotorch/visualize"
	"gotorch/visualize/display"
)

type replCommand struct {
	Code    *string `short:"c" help:"Run this code and end." placeholder:"CODE"`
	History string  `help:"The file that keeps what was typed; none keeps nothing." placeholder:"FILE"`
	startup `embed:""`

	first string // a cell that runs when the prompt has begun
}

// Run starts the prompt, or runs cells: those of -c, or of standard input where that is no terminal.
func (r replCommand) Run() error {
	if r.Code != nil {
		s := newSession()
		defer s.Close()
		go s.Warm() // while the first cell is being read
		os.Args = []string{"-c"}
		if err := confined("", ""); err != nil {
			return err
		}
		return runText(s, "-c", []byte(*r.Code), false)
	}
	kept := keepCells("prompt", "")
	defer kept.close()
	s := kept.session
	go s.Warm()
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		io.WriteString(os.Stderr, kept.offer())
		kept.pipeClosed()
		if err := confined(r.Startup, ""); err != nil {
			return err
		}
		if r.Startup != "" { // a script does not depend on the user who runs it
			r.begin(context.Background(), s, plain(os.Stdout, os.Stderr, nil), toErrors(os.Stderr))
		}
		if r.first != "" {
			evalPlain(context.Background(), s, r.first, plain(os.Stdout, os.Stderr, nil))
		}
		return runCells(s, os.Stdin, os.Stdout, os.Stderr)
	}
	p := &prompter{session: s, offer: kept.offer(), color: colorOK(os.Stdout), first: r.first}
	signal.Notify(make(chan os.Signal, 1), stops...) // between two cells they end nothing
	history := r.historyFile()
	p.newcomer = neverBegan(history)
	if d := os.Getenv("TERM"); d == "dumb" || !term.IsTerminal(int(os.Stdout.Fd())) {
		p.in = line.NewDumb(os.Stdin, os.Stdout, p.whole)
		p.shown = display.NewScreen(p.in, nil, p.color)
		if err := confined(r.startup.file(), ""); err != nil {
			return err
		}
		return p.loop(r.startup)
	}
	t, err := line.Console()
	if err != nil {
		return err
	}
	p.in = line.New(line.Config{Terminal: t, History: history, Color: p.color, Whole: p.whole, Complete: p.complete,
		Hint: p.hint, Edit: p.edit})
	p.shown = display.NewScreen(p.in, t.Size, p.color)
	if err := confined(r.startup.file(), history); err != nil {
		return err
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGHUP)
	go func() { // the terminal is left as it was found
		<-ended
		t.Cooked()
		kept.journal.Close()
		os.Exit(1)
	}()
	return p.loop(r.startup)
}

// stops are what stops a cell: Ctrl-C, and Ctrl-\, which would end the program.
var stops = []os.Signal{os.Interrupt, syscall.SIGQUIT}

// historyFile is where what was typed is kept.
func (r replCommand) historyFile() string {
	switch r.History {
	case "none":
		return ""
	case "":
		file := configFile("history")
		if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
			return ""
		}
		return file
	}
	return r.History
}

const banner = `gotorch %s  Go with tensors: x := Arange(6).View(2, 3);  x @ x.T()
? shows what can be typed, %%help all commands; Tab completes, Ctrl-D leaves.
`

// neverBegan reports whether this is the first start: nothing has been typed, and no lesson begun.
func neverBegan(history string) bool {
	if info, err := os.Stat(history); err == nil && info.Size() > 0 {
		return false
	}
	names, _ := os.ReadDir(learn.UserDir())
	return len(names) == 0
}

// reader is where cells are typed: a [line.Editor], or a [line.Dumb].
type reader interface {
	io.Writer
	Read(prompt, more string) (string, error)
	Line(prompt string) (string, error)
	Secret() (string, error)
	SetNext(src string)
}

// prompter is the prompt.
type prompter struct {
	in       reader
	session  *interp.Session
	color    bool
	shown    *display.Screen // around in, while a cell runs and after
	long     string          // the last value that was longer than the screen
	offer    string          // what is said of a session that was lost
	first    string          // the cell to begin with
	newcomer bool            // nothing was ever typed here
	stopped  bool            // Ctrl-C was typed into a line that a program read: the editor has shown it
}

// loop runs cells until the end of the input. Ctrl-C never ends it.
func (p *prompter) loop(first startup) error {
	hello := fmt.Sprintf(banner, version())
	if p.newcomer && p.first == "" {
		hello += "%learn begins lessons that run here: how tensors lie in memory, what happens when you add.\n"
	}
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 20 {
		hello = wrap(hello, w-1)
	}
	io.WriteString(p.in, hello+p.offer)
	p.begin(first)
	if p.first != "" {
		p.runCell(interp.Cell{Src: p.first, Silent: true})
	}
	for {
		first := fmt.Sprintf("In[%d]: ", p.session.Count()+1)
		src, err := p.in.Read(first, strings.Repeat(" ", len(first)-5)+"...: ")
		switch {
		case errors.Is(err, line.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch strings.TrimSpace(src) {
		case "":
			if p.session.InLesson() { // Enter leads on
				p.runCell(interp.Cell{Src: "%learn next", Silent: true})
			}
			continue
		case "%page":
			p.page()
			continue
		}
		if leaves(src) {
			return nil
		}
		p.run(src)
	}
}

// leaves says that who typed src wants to leave.
func leaves(src string) bool {
	switch strings.TrimSpace(src) {
	case "exit", "quit", "exit()", "quit()", "%exit", "%quit":
		return true
	}
	return false
}

// whole reports whether a cell is whole, and how far the next line is indented.
func (p *prompter) whole(src string) (bool, string) { return p.session.IsWhole(src) }

// complete offers names to the editor. Where nothing was typed inside of a call it offers what the call takes and what
// cells have defined, not all that could stand there.
func (p *prompter) complete(src string, cursor int) (start int, list []line.Candidate) {
	found := p.session.Complete(src, cursor)
	if typed := strings.TrimSpace(src[:cursor]); strings.HasPrefix(typed, "%") && src == typed {
		for _, own := range []check.Candidate{{Text: "%exit", Sig: "leaves"},
			{Text: "%page", Sig: "shows all of a value that was too long for the screen"}} {
			if strings.HasPrefix(own.Text, typed) {
				own.Type = "magic"
				found.Candidates = append(found.Candidates, own)
			}
		}
	}
	isArgument := func(m check.Candidate) bool { return m.Type == "argument" }
	short := found.Start == cursor && slices.ContainsFunc(found.Candidates, isArgument)
	for _, m := range found.Candidates {
		if short && !isArgument(m) && m.Type != "var" {
			continue
		}
		note := strings.TrimSpace(m.Type + "  " + m.Sig)
		if m.Type == "func" || m.Type == "method" {
			note = strings.TrimPrefix(m.Sig, "func")
		}
		list = append(list, line.Candidate{Text: m.Text, Note: note})
	}
	return found.Start, list
}

// typed is a cell's standard input at the prompt: lines that the user types.
type typed struct {
	p    *prompter
	stop context.CancelFunc
	rest []byte
}

func (t *typed) Read(b []byte) (int, error) {
	if len(t.rest) == 0 {
		s, err := t.line(func() (string, error) { return t.p.in.Line("") })
		if err != nil {
			return 0, err
		}
		t.rest = []byte(s + "\n")
	}
	n := copy(b, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// line is what the user types; Ctrl-C stops the cell.
func (t *typed) line(read func() (string, error)) (string, error) {
	t.p.shown.Begin()
	s, err := read()
	if errors.Is(err, line.ErrInterrupt) {
		t.p.stopped = true
		t.stop()
		return "", context.Canceled
	}
	return s, err
}

// begin runs the start-up file; Ctrl-C stops it.
func (p *prompter) begin(first startup) {
	ctx, stop := signal.NotifyContext(context.Background(), stops...)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.shown.Begin()
	first.begin(ctx, p.session, p.sink(cancel), p.fail)
}

// hint shows the parameters of the function whose call is being typed.
func (p *prompter) hint(src string, cursor int) line.Hint {
	sig, ok := p.session.Signature(src, cursor)
	if !ok {
		return line.Hint{}
	}
	const mark = "\x00"
	parts := strings.Split(sig.Text(mark, mark), mark)
	if len(parts) != 3 {
		return line.Hint{Before: parts[0]}
	}
	return line.Hint{Before: parts[0], Current: parts[1], After: parts[2]}
}

// step lets the user go through a value that has steps, where the terminal can do that.
func (p *prompter) step(v interp.Value) bool {
	steps, ok := v.V.(display.Stepper)
	if !ok || steps.Steps() == 0 {
		return false
	}
	e, ok := p.in.(*line.Editor)
	return ok && e.Step(steps.Steps(), func(i int) string { return steps.Step(i, p.color) }) == nil
}

// fail shows an error, broken between words where the terminal is narrow.
func (p *prompter) fail(err error) {
	text := errorText(err, p.color)
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 20 {
		text = wrapMessage(text, w-1)
	}
	var e *interp.Error
	if errors.As(err, &e) && e.Name == "Interrupted" && !p.stopped {
		fmt.Fprintln(p.shown) // the terminal has written ^C where the cursor was
	}
	fmt.Fprintln(p.shown, text)
}

// proseCommand are the commands that tell something in lines of words.
var proseCommand = lazyre.New(`^%(?:help|lsmagic|magic|quickref|mem|who|whos|who_ls|keep|depth)\b`)

// run runs the next cell.
func (p *prompter) run(src string) { p.runCell(interp.Cell{Src: src}) }

// runCell runs a cell; Ctrl-C interrupts it.
func (p *prompter) runCell(c interp.Cell) {
	src := c.Src
	ctx, stop := signal.NotifyContext(context.Background(), stops...)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.shown.Begin()
	p.stopped = false
	columns, _, _ := term.GetSize(int(os.Stdout.Fd()))
	visualize.SetTextWidth(columns)
	values, err := p.session.EvalCell(ctx, c, p.sink(cancel))
	values, beneath := result.Beneath(values, err != nil)
	p.values(src, values, columns)
	if err != nil {
		p.fail(err)
	}
	p.values(src, beneath, columns)
}

// values shows what a cell gives.
func (p *prompter) values(src string, values []interp.Value, columns int) {
	for _, v := range values {
		if p.step(v) {
			continue
		}
		text := plainText(v, p.color)
		if asked := strings.TrimSpace(src); strings.HasPrefix(asked, "?") || strings.HasSuffix(asked, "?") {
			if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 20 {
				text = wrap(text, min(w-1, 100))
			}
		} else if _, ok := v.V.(visualize.View); (ok || v.Aside || proseCommand.MatchString(asked)) && columns > 20 {
			text = wrap(text, columns)
		}
		if v.Aside {
			text = "\n" + text + "\n"
		}
		p.show(text)
	}
}
