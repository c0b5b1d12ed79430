package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"gotorch/internal/ask"
	"gotorch/internal/lazyre"
	"gotorch/interp"
	"gotorch/interp/result"
	"gotorch/interp/syntax"
	"gotorch/jupyter"
	"gotorch/visualize/display"
	"gotorch/visualize/widgets"
)

type kernelCommand struct {
	File    string `arg:"" help:"The connection file that Jupyter wrote."`
	startup `embed:""`
}

// Run serves until the front end ends it.
func (k kernelCommand) Run() error {
	// Who the kernel is can be asked before the session is there.
	ready := make(chan struct{}) // the sockets are there, and --safe holds: cells may run
	name := filepath.Base(k.File)
	kept := sync.OnceValue(func() kept { return keepCells("kernel", strings.TrimSuffix(name, filepath.Ext(name))) })
	session := sync.OnceValue(func() *interp.Session {
		s := kept().session
		<-ready
		k.begin(context.Background(), s, plain(os.Stderr, os.Stderr, nil), toErrors(os.Stderr))
		return s
	})
	go session()
	history := ""
	if dir, err := os.UserConfigDir(); err == nil {
		if dir = filepath.Join(dir, "gotorch"); os.MkdirAll(dir, 0o700) == nil {
			history = filepath.Join(dir, "kernel_history.jsonl")
		}
	}
	served := false
	bound := func() error {
		kept() // it opens a file, which --safe would not let it
		if err := confined(k.file(), history); err != nil {
			return err
		}
		served = true
		close(ready)
		return nil
	}
	offer := func() string { return kept().offer() }
	s := &kernelSession{session: session, front: widgets.NewFront(), offer: offer}
	err := jupyter.Run(context.Background(), k.File, s, jupyter.Options{HistoryFile: history, Bound: bound})
	if served {
		session()
		kept().close()
	}
	return err
}

// kernelSession shows a session of cells to package jupyter.
type kernelSession struct {
	session func() *interp.Session // waits until it is there
	front   *widgets.Front
	offer   func() string // what is said of a session that was lost, with its first cell
	once    sync.Once
}

// goLanguage is what front ends and notebooks are told of the language.
var goLanguage = jupyter.Language{Name: "go", Version: runtime.Version()[2:], MimeType: "text/x-go",
	FileExtension: ".go", PygmentsLexer: "go", CodeMirrorMode: "go"}

// Info describes the language.
func (k *kernelSession) Info() jupyter.Info {
	return jupyter.Info{
		Implementation: "gotorch", ImplementationVersion: version(),
		Language: goLanguage,
		Banner:   "gotorch " + version() + ": Go with tensors. %help lists commands.",
		HelpLinks: []jupyter.HelpLink{
			{Text: "The Go language", URL: "https://go.dev/ref/spec"},
			{Text: "PyTorch's operators", URL: "https://pytorch.org/docs/stable/torch.html"},
		},
	}
}

// Warm runs a cell that leaves no trace, so that package tensor is known to the checker when the first of the user's
// comes.
func (k *kernelSession) Warm(ctx context.Context) {
	k.session().EvalCell(ctx, interp.Cell{Src: "0", Silent: true}, interp.Discard)
}

// kernelSink sends what a cell prints to the front end.
type kernelSink struct {
	ctx   context.Context
	out   jupyter.Output
	front *widgets.Front
}

func (s kernelSink) Stdout() io.Writer { return s.out.Stdout() }
func (s kernelSink) Stderr() io.Writer { return s.out.Stderr() }
func (s kernelSink) Stdin() io.Reader  { return &asked{s: s} }
func (s kernelSink) Display(id string, b display.Bundle) {
	s.out.Display(id, jupyter.Bundle{Data: b.All(), Metadata: b.Metadata})
}
func (s kernelSink) Update(id string, b display.Bundle) {
	s.out.Update(id, jupyter.Bundle{Data: b.All(), Metadata: b.Metadata})
}
func (s kernelSink) Clear(wait bool)          { s.out.Clear(wait) }
func (s kernelSink) SetNextInput(text string) { s.out.SetNextInput(text, true) }
func (s kernelSink) Offer(text string)        { s.out.SetNextInput(text, false) }
func (s kernelSink) Manner() display.Manner   { return display.InPlace }

// Widgets is the session's widgets, and the connection of those that this cell makes.
func (s kernelSink) Widgets() (*widgets.Front, func(widgets.Message)) {
	return s.front, sender(s.out)
}

func sender(out jupyter.Output) func(widgets.Message) {
	// a comm that the front end has closed is no fault
	return func(m widgets.Message) { out.Comm(jupyter.CommMessage(m)) }
}

// CommsAsked tells the widgets that a front end wants to know of them.
func (k *kernelSession) CommsAsked(target string) { k.front.Asked(target) }

// Comm returns what a front end says to the widgets. What the program wants to be called then runs as a cell does;
// what it prints goes to the cell that made the widget.
func (k *kernelSession) Comm(ctx context.Context, m jupyter.CommMessage, out jupyter.Output) (known bool) {
	return k.front.Receive(widgets.Message(m), sender(out), func(sink display.Sink, f func()) {
		to, ok := sink.(kernelSink)
		if !ok {
			to = kernelSink{out: out, front: k.front}
		}
		to.ctx = ctx
		if err := k.session().Call(ctx, to, f); err != nil {
			to.out.Fail(failure(err))
		}
	})
}

// asked is a cell's standard input: each read that finds nothing asks the user for a line.
type asked struct {
	s    kernelSink
	rest []byte
}

func (a *asked) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		line, err := a.s.out.Input(a.s.ctx, "", false)
		if err != nil {
			if errors.Is(err, jupyter.ErrNoInput) {
				return 0, io.EOF
			}
			return 0, err
		}
		a.rest = []byte(line + "\n")
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Ask asks in a field of the front end.
func (s kernelSink) Ask(ctx context.Context, prompt string, secret bool) (string, error) {
	line, err := s.out.Input(ctx, prompt, secret)
	if errors.Is(err, jupyter.ErrNoInput) {
		err = ask.ErrNobody
	}
	return line, err
}

// helpQuery is a cell that asks for help and nothing else: ?name, name?, name??.
var helpQuery = lazyre.New(`^\s*(?:\?{1,2}\s*([\pL_][\pL\pN_.]*)|([\pL_][\pL\pN_.]*)\?{1,2})\s*$`)

// Execute runs a cell. Help is shown beside the notebook.
func (k *kernelSession) Execute(ctx context.Context, cell jupyter.Cell, out jupyter.Output) *jupyter.Failure {
	if m := helpQuery.FindStringSubmatch(cell.Code); m != nil {
		name := m[1] + m[2]
		if b, ok := k.Inspect(ctx, name, utf8.RuneCountInString(name), strings.Count(cell.Code, "?")-1); ok {
			out.Page(b)
			return nil
		}
	}
	if leaves(cell.Code) {
		name, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(cell.Code), "%"), "(")
		if _, ok := k.session().Look(name); !ok { // a cell has defined no such name
			out.Exit()
			return nil
		}
	}
	if !cell.Silent {
		k.once.Do(func() { io.WriteString(out.Stderr(), k.offer()) })
	}
	values, err := k.session().
		EvalCell(ctx, interp.Cell{Src: cell.Code, Count: cell.Count, Silent: cell.Silent || !cell.Store},
			kernelSink{ctx, out, k.front})
	values, beneath := result.Beneath(values, err != nil)
	for i, v := range values {
		rich := v.Rich()
		b := jupyter.Bundle{Data: rich.All(), Metadata: rich.Metadata}
		if i < len(values)-1 || v.Aside { // a cell has one result; what stands before it is shown
			out.Display("", b)
		} else {
			out.Result(b)
		}
	}
	if b, rest := errorPicture(err); b.Data != nil && !cell.Silent {
		out.Display("", jupyter.Bundle{Data: b.All(), Metadata: b.Metadata})
		err = rest
	}
	f := failure(err)
	for _, v := range beneath {
		rich := v.Rich()
		f.After = append(f.After, jupyter.Bundle{Data: rich.All(), Metadata: rich.Metadata})
	}
	return f
}

// errorPicture is the picture of an error, and the error without it: a page has the picture itself where a traceback
// would have its text.
func errorPicture(err error) (display.Bundle, error) {
	var e *interp.Error
	if !errors.As(err, &e) || e.Picture == nil {
		return display.Bundle{}, err
	}
	rest := *e
	rest.Picture = nil
	return display.Of(e.Picture), &rest
}

func failure(err error) *jupyter.Failure {
	if err == nil {
		return nil
	}
	var e *interp.Error
	if errors.As(err, &e) {
		return &jupyter.Failure{Name: e.Name, Value: e.Value, Traceback: e.Traceback()}
	}
	return &jupyter.Failure{Name: "Error", Value: err.Error()}
}

// Evaluate returns the value of an expression.
func (k *kernelSession) Evaluate(ctx context.Context, expr string) (jupyter.Bundle, *jupyter.Failure) {
	values, err := k.session().EvalCell(ctx, interp.Cell{Src: expr, Silent: true}, interp.Discard)
	if err != nil {
		return jupyter.Bundle{}, failure(err)
	}
	if len(values) == 0 {
		return jupyter.Text(""), nil
	}
	rich := values[len(values)-1].Rich()
	return jupyter.Bundle{Data: rich.All(), Metadata: rich.Metadata}, nil
}

// byteOffset turns a count of code points into one of bytes.
func byteOffset(code string, runes int) int {
	at := 0
	for ; runes > 0 && at < len(code); runes-- {
		_, n := utf8.DecodeRuneInString(code[at:])
		at += n
	}
	return at
}

// Complete lists names.
func (k *kernelSession) Complete(_ context.Context, code string, cursor int) jupyter.Completion {
	found := k.session().Complete(code, byteOffset(code, cursor))
	c := jupyter.Completion{Start: utf8.RuneCountInString(code[:found.Start]),
		End: utf8.RuneCountInString(code[:found.End])}
	for _, m := range found.Candidates {
		c.Matches = append(c.Matches, jupyter.Match{Text: m.Text, Type: m.Type, Signature: m.Sig})
	}
	return c
}

// IsComplete says what Enter should do.
func (k *kernelSession) IsComplete(code string) (jupyter.Completeness, string) {
	v, indent := k.session().IsComplete(code)
	return map[syntax.Verdict]jupyter.Completeness{syntax.Complete: jupyter.Complete,
		syntax.Incomplete: jupyter.Incomplete, syntax.Invalid: jupyter.Invalid}[v], indent
}
