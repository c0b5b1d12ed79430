package line

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/term"
)

// Dumb reads cells from a terminal that cannot move its cursor: a line at a
// time, edited by the terminal's driver.
type Dumb struct {
	in    io.Reader
	out   io.Writer
	whole func(src string) (whole bool, indent string)
	want  chan func() (string, error) // what reads a line in place of the reader, or nil
	lines chan lineOrErr
	busy  bool // a line has been asked for and did not come yet
}

type lineOrErr struct {
	line string
	err  error
}

// NewDumb makes a reader over in that prompts on out.
func NewDumb(in io.Reader, out io.Writer, whole func(src string) (bool, string)) *Dumb {
	d := &Dumb{in: in, out: out, whole: whole, want: make(chan func() (string, error), 1), lines: make(chan lineOrErr, 1)}
	go func() {
		r := bufio.NewReader(in)
		for read := range d.want {
			if read != nil && r.Buffered() == 0 {
				s, err := read()
				d.lines <- lineOrErr{s, err}
				continue
			}
			s, err := r.ReadString('\n')
			if err == io.EOF && s != "" {
				err = nil
			}
			d.lines <- lineOrErr{strings.TrimRight(s, "\r\n"), err}
		}
	}()
	return d
}

// Write prints.
func (d *Dumb) Write(p []byte) (int, error) { return d.out.Write(p) }

// SetNext shows a text that is to be typed: here it cannot be put where the cell is.
func (d *Dumb) SetNext(src string) { fmt.Fprintln(d.out, src) }

// Line reads one line; Ctrl-C gives ErrInterrupt.
func (d *Dumb) Line(prompt string) (string, error) {
	fmt.Fprint(d.out, prompt)
	return d.line(nil)
}

// Secret reads one line that a terminal does not show.
func (d *Dumb) Secret() (string, error) {
	f, ok := d.in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return d.line(nil)
	}
	fd := int(f.Fd())
	was, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	defer fmt.Fprintln(d.out)   // which was typed, and not shown
	defer term.Restore(fd, was) // after Ctrl-C, too, when the line is still being read
	return d.line(func() (string, error) {
		b, err := term.ReadPassword(fd)
		return string(b), err
	})
}

// line waits for a line.
func (d *Dumb) line(read func() (string, error)) (string, error) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	if !d.busy {
		d.want <- read
		d.busy = true
	}
	select {
	case l := <-d.lines:
		d.busy = false
		return l.line, l.err
	case <-interrupts:
		fmt.Fprintln(d.out)
		return "", ErrInterrupt
	}
}

// Read reads a cell: lines until they are whole, or two of them are empty.
func (d *Dumb) Read(prompt, more string) (string, error) {
	src, err := d.Line(prompt)
	for err == nil {
		if whole, _ := d.whole(src); whole || emptyEnd(src) {
			return src, nil
		}
		var next string
		next, err = d.Line(more)
		src += "\n" + next
	}
	return "", err
}
