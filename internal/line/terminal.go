package line

import (
	"os"

	"github.com/chzyer/readline"
	"golang.org/x/term"
)

// console is the terminal that the program was started from. readline knows its
// modes, its sizes and Windows; keys are decoded before it sees them, for it
// does not know Home of all terminals, pastes, or words.
type console struct {
	t    *readline.Terminal
	cfg  *readline.Config
	last rune
}

// Paste brackets on and off.
const (
	bracketsOn  = "\x1b[?2004h"
	bracketsOff = "\x1b[?2004l"
)

// Console opens the terminal of standard input and output.
func Console() (Terminal, error) {
	cfg := &readline.Config{Stdin: &decoder{from: readline.Stdin}}
	t, err := readline.NewTerminal(cfg)
	if err != nil {
		return nil, err
	}
	return &console{t: t, cfg: cfg}, nil
}

func (c *console) Write(p []byte) (int, error) { return c.cfg.Stdout.Write(p) }

func (c *console) Raw() error {
	if err := c.t.EnterRawMode(); err != nil {
		return err
	}
	c.Write([]byte(bracketsOn))
	return nil
}

func (c *console) Cooked() error {
	c.Write([]byte(bracketsOff))
	return c.t.ExitRawMode()
}

// ReadKey lets readline read on: it stops by itself after Enter, Ctrl-C and
// Ctrl-D, so that what a cell reads is left for it.
func (c *console) ReadKey() rune {
	switch c.last {
	case 0, enter, ctrlJ, ctrlC, ctrlD:
		c.t.KickRead()
	}
	c.last = c.t.ReadRune()
	return c.last
}

func (c *console) Size() (width, height int) {
	w, h, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || w <= 0 {
		return 80, 24
	}
	return w, h
}

func (c *console) OnResize(f func()) { readline.DefaultOnWidthChanged(f) }

func (c *console) Suspend() { c.t.SleepToResume() }
