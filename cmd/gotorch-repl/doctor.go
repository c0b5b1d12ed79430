package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"gotorch/internal/line"
	"gotorch/jupyter"
)

type doctorCommand struct{}

// verdict is what a check thinks of what it found.
type verdict int

const (
	fine verdict = iota
	note         // may be meant so
	wrong
)

// doctor writes down what checks find.
type doctor struct {
	out    io.Writer
	color  bool
	width  int
	wrong  int
	topic  string
	before string // the topic that stands at the line's beginning already

	data  []string        // where Jupyter looks
	specs []jupyter.Found // ours among the kernelspecs there
	has   bool            // there is a jupyter in PATH
}

// checks are all checks, in order.
var checks = []struct {
	topic string
	run   func(*doctor)
}{
	{"program", checkProgram},
	{"jupyter", checkJupyter},
	{"kernelspec", checkSpecs},
	{"kernel", checkKernels},
	{"settings", checkSettings},
	{"files", checkFiles},
	{"terminal", checkTerminal},
	{"machine", checkMachine},
	{"restricted", checkConfined}, // the last: it restricts this process
}

// Run checks everything. The exit status is 1 when something is wrong.
func (doctorCommand) Run() error {
	d := &doctor{out: os.Stdout, color: colorOK(os.Stdout), width: math.MaxInt}
	if t, err := line.Console(); err == nil && term.IsTerminal(int(os.Stdout.Fd())) {
		d.width, _ = t.Size()
	}
	for _, c := range checks {
		d.topic = c.topic
		c.run(d)
	}
	switch d.wrong {
	case 0:
		fmt.Fprintln(d.out, "\nNothing is wrong.")
		return nil
	case 1:
		fmt.Fprintln(d.out, "\nOne thing is wrong.")
	default:
		fmt.Fprintf(d.out, "\n%d things are wrong.\n", d.wrong)
	}
	return errFailed
}

// says writes what was found, and what to do about it if todo is not empty.
func (d *doctor) says(v verdict, todo, format string, args ...any) {
	mark := [...]struct{ text, color string }{fine: {"ok   ", "32"}, note: {"note ", "33"}, wrong: {"wrong", "31"}}[v]
	if v == wrong {
		d.wrong++
	}
	text := mark.text
	if d.color {
		text = "\x1b[" + mark.color + "m" + text + "\x1b[0m"
	}
	topic := d.topic
	if topic == d.before {
		topic = ""
	}
	d.before = d.topic
	const indent = 18
	fmt.Fprintf(d.out, "%s %-11s %s\n", text, topic, folded(fmt.Sprintf(format, args...), indent, d.width))
	if todo != "" {
		fmt.Fprintf(d.out, "%*s→ %s\n", indent, "", folded(todo, indent+2, d.width))
	}
}

// folded breaks text between words, so that after an indent it fits into the width; words stay whole.
func folded(text string, indent, width int) string {
	var b strings.Builder
	at := 0
	for _, para := range strings.Split(text, "\n") {
		if b.Len() > 0 {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = 0
		}
		for i, w := range strings.Fields(para) {
			n := len([]rune(w))
			if i > 0 && at+1+n > max(width-indent, 20) {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = 0
			} else if i > 0 {
				b.WriteByte(' ')
				at++
			}
			b.WriteString(w)
			at += n
		}
	}
	return b.String()
}

// oneOf reports whether an environment variable has one of the values, or none.
func oneOf(value string, values ...string) bool { return value == "" || slices.Contains(values, value) }
