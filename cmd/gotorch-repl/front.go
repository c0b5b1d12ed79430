package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"
)

// promptSink is where a cell of the prompt puts its output, and what else it may ask of the terminal.
type promptSink struct {
	plainSink
	p     *prompter
	typed *typed
}

// sink is where a cell puts its output; stop stops the cell.
func (p *prompter) sink(stop context.CancelFunc) promptSink {
	in := &typed{p: p, stop: stop}
	return promptSink{plainSink{p.shown, p.shown, in}, p, in}
}

// Ask lets the user type a line; what is printed last stands before it.
func (s promptSink) Ask(_ context.Context, prompt string, secret bool) (string, error) {
	io.WriteString(s.p.shown, prompt)
	if secret {
		return s.typed.line(s.p.in.Secret)
	}
	return s.typed.line(func() (string, error) { return s.p.in.Line("") })
}

// SetNextInput puts a text where the next cell is typed.
func (s promptSink) SetNextInput(text string) { s.p.in.SetNext(text) }

// Offer puts a text where the next cell is typed.
func (s promptSink) Offer(text string) { s.p.in.SetNext(text) }

// Attach returns the terminal to another program.
func (s promptSink) Attach(run func(in, out *os.File) error) error {
	defer s.p.shown.Begin()
	return run(os.Stdin, os.Stdout)
}

// edit lets the user write the cell that is being typed in an editor of theirs. Ctrl-C is the editor's.
func (p *prompter) edit(src string) (string, error) {
	return p.session.EditText(context.Background(), unshared{}, src)
}

// unshared is the terminal where no cell runs.
type unshared struct{}

// Attach returns the terminal to another program.
func (unshared) Attach(run func(in, out *os.File) error) error { return run(os.Stdin, os.Stdout) }

// elided is a text of which a terminal of so many rows shows the beginning and the end, if it is longer than two
// screens; rest says how many lines are left out.
func elided(text string, rows int) (shown string, left int) {
	const end = 4
	lines := strings.Split(text, "\n")
	if rows < 8 || len(lines) <= 2*rows {
		return text, 0
	}
	begin := rows - end - 3
	left = len(lines) - begin - end
	shown = strings.Join(lines[:begin], "\n")
	if strings.Contains(shown, "\x1b[") {
		shown += "\x1b[0m"
	}
	return shown + fmt.Sprintf("\n… %d lines more: %%page shows all …\n", left) +
		strings.Join(lines[len(lines)-end:], "\n"), left
}

// show prints a value; one that is longer than the screen is elided, and kept for %page.
func (p *prompter) show(text string) {
	_, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		rows = 0
	}
	shown, left := elided(text, rows)
	if left > 0 {
		p.long = text
	}
	fmt.Fprintln(p.shown, shown)
}

// page shows the last long value in the user's pager.
func (p *prompter) page() {
	if p.long == "" {
		fmt.Fprintln(p.in, "nothing has been left out")
		return
	}
	// a pager can start programs, and moves the cursor
	if cli.Safe || os.Getenv("TERM") == "dumb" && os.Getenv("PAGER") == "" {
		fmt.Fprintln(p.in, p.long)
		return
	}
	pager := strings.Fields(os.Getenv("PAGER"))
	if len(pager) == 0 || cli.Safe {
		pager = []string{"less", "-RS"}
		if _, err := exec.LookPath("less"); err != nil {
			fmt.Fprintln(p.in, p.long)
			return
		}
	}
	c := exec.Command(pager[0], pager[1:]...)
	c.Env = os.Environ()
	if cli.Safe {
		c.Env = append(c.Env, "LESSSECURE=1") // or less would give a shell
	}
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(p.long+"\n"), os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		fmt.Fprintf(p.in, "%s: %v\n", pager[0], err)
	}
}
