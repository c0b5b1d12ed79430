package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/chzyer/readline"
	"golang.org/x/term"

	"gotorch/interp"
	"gotorch/interp/syntax"
)

type replCommand struct {
	History string `help:"The file that keeps what was typed; none keeps nothing." placeholder:"FILE"`
}

// Run starts the prompt, or runs cells from standard input where that is no terminal.
func (r replCommand) Run() error {
	s := newSession()
	defer s.Close()
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return runCells(s, os.Stdin, os.Stdout, os.Stderr)
	}
	return r.prompt(s)
}

// historyFile is where what was typed is kept.
func (r replCommand) historyFile() string {
	switch r.History {
	case "none":
		return ""
	case "":
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(dir, "gotorch")
		if os.MkdirAll(dir, 0o700) != nil {
			return ""
		}
		return filepath.Join(dir, "history")
	}
	return r.History
}

const banner = `gotorch %s  Go with tensors: x := Arange(6).View(2, 3);  x @ x.T();  x[:, 1:]
%%help lists commands, ?name explains a name, Tab completes, Ctrl-C stops a cell, Ctrl-D leaves.
`

// prompt reads cells until the end of the input.
func (r replCommand) prompt(s *interp.Session) error {
	rl, err := readline.NewEx(&readline.Config{
		HistoryFile:            r.historyFile(),
		HistorySearchFold:      true,
		DisableAutoSaveHistory: true,
		InterruptPrompt:        "^C",
		EOFPrompt:              "exit",
		UniqueEditLine:         false,
	})
	if err != nil {
		return err
	}
	defer rl.Close()
	completer := &completer{session: s}
	rl.Config.AutoComplete = completer
	color := colorOK(os.Stdout)
	fmt.Fprintf(rl.Stdout(), banner, version())
	p := &prompter{rl: rl, session: s, color: color, completer: completer}
	for {
		src, err := p.read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case strings.TrimSpace(src) == "":
			continue
		case strings.TrimSpace(src) == "exit" || strings.TrimSpace(src) == "quit":
			return nil
		}
		p.run(src)
	}
}

type prompter struct {
	rl        *readline.Instance
	session   *interp.Session
	color     bool
	completer *completer
}

// read reads one cell: lines until they are whole. Ctrl-C drops what was typed; it never ends the session.
func (p *prompter) read() (string, error) {
	var lines []string
	indent := ""
	for {
		first := fmt.Sprintf("In[%d]: ", p.session.Count()+1)
		if len(lines) > 0 {
			first = strings.Repeat(" ", len(first)-5) + "...: "
		}
		p.rl.SetPrompt(paintPrompt(p.color, first))
		p.completer.before = strings.Join(lines, "\n")
		line, err := p.rl.ReadlineWithDefault(indent)
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			return "", nil
		case err != nil:
			return "", err
		}
		lines = append(lines, line)
		src := strings.Join(lines, "\n")
		if strings.TrimSpace(line) != "" {
			p.rl.SaveHistory(line)
		}
		verdict, next := p.session.IsComplete(src)
		if strings.TrimSpace(src) == "" || verdict != syntax.Incomplete {
			return src, nil
		}
		if n := len(lines); n > 1 && strings.TrimSpace(lines[n-1]) == "" && strings.TrimSpace(lines[n-2]) == "" {
			return src, nil // two empty lines end what will not become whole
		}
		indent = next
	}
}

func paintPrompt(color bool, s string) string {
	if !color {
		return s
	}
	return "\x1b[32m" + s + "\x1b[0m"
}

// run runs a cell; Ctrl-C interrupts it.
func (p *prompter) run(src string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	go func() {
		select {
		case <-interrupts:
			cancel()
		case <-ctx.Done():
		}
	}()
	out := p.rl.Stdout()
	values, err := p.session.Eval(ctx, src, plainSink{out: out, err: p.rl.Stderr(), color: p.color})
	for _, v := range values {
		fmt.Fprintln(out, plainText(v, p.color))
	}
	if err != nil {
		text := errorText(err)
		if p.color {
			text = "\x1b[31m" + text + "\x1b[0m"
		}
		fmt.Fprintln(out, text)
	}
}

// completer offers names to readline.
type completer struct {
	session *interp.Session
	before  string // the lines of the cell that were typed already
}

// Do gives the rests of the names that can stand at pos, and how many runes before it they complete.
func (c *completer) Do(line []rune, pos int) (rests [][]rune, length int) {
	src := string(line)
	offset := len(string(line[:pos]))
	if c.before != "" {
		src = c.before + "\n" + src
		offset += len(c.before) + 1
	}
	found := c.session.Complete(src, offset)
	if found.Start > offset || found.Start < 0 {
		return nil, 0
	}
	typed := src[found.Start:offset]
	for _, m := range found.Candidates {
		if rest, ok := strings.CutPrefix(m.Text, typed); ok && rest != "" {
			rests = append(rests, []rune(rest))
		}
	}
	return rests, utf8.RuneCountInString(typed)
}
