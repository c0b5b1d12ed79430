package result

import (
	"fmt"
	"strings"

	"gotorch/interp/syntax"
	"gotorch/visualize"
	"gotorch/visualize/draw"
)

// Error is how a cell failed.
type Error struct {
	// Name is the kind: SyntaxError, TypeError (what the check found),
	// TensorError, Panic, RuntimeError, Interrupted, RecursionError, Exit,
	// Busy, UsageError (of a magic), InternalError.
	Name  string
	Value string // what is wrong, in a line; several problems are several lines

	Cell      string // "In[3]"
	Line, Col int    // from 1; Col is 0 where only the line is known
	Source    string // the line's text

	Problems []syntax.Diagnostic // of SyntaxError and TypeError: all of them
	Frames   []Frame             // of a panic: the user's functions, innermost first
	Panic    any                 // of a panic: its value, such as a *tensor.Error

	// Picture shows what an error of a tensor is about, nil where there is nothing to draw. Text and Traceback end with
	// it.
	Picture visualize.View

	Origin any // where it happened, as the session notes it
}

// Frame is a function of a user's that a panic passed through.
type Frame struct {
	Func string // "f", "(*Stack).Pop"; empty for the cell itself
	Cell string
	Line int // of the panic in the innermost frame, else where the function begins
}

// Error is the first line of the message.
func (e *Error) Error() string {
	if len(e.Problems) > 0 {
		d := e.Problems[0]
		return fmt.Sprintf("%d:%d: %s", d.Line, d.Col, d.Msg)
	}
	return e.Value
}

// Unwrap returns the panic's value if it is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Panic.(error)
	return err
}

// Text is the whole message: for problems of the text each with its line and a
// caret, for panics the line, the functions and the picture.
func (e *Error) Text() string { return e.text() + e.picture(false) }

// ColorText is Text in a terminal's colours.
func (e *Error) ColorText() string { return "\x1b[31m" + e.text() + "\x1b[0m" + e.picture(true) }

func (e *Error) picture(color bool) string {
	if e.Picture == nil {
		return ""
	}
	return "\n\n" + strings.TrimRight(e.Picture.Text(color), "\n")
}

func (e *Error) text() string {
	var b strings.Builder
	for i, d := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		if !strings.HasPrefix(e.Cell, "In[") && d.Line > 0 { // of a file
			b.WriteString(e.Cell + ":")
		}
		b.WriteString(d.String())
	}
	if len(e.Problems) > 0 {
		return b.String()
	}
	b.WriteString(e.Value)
	if e.Line > 0 {
		fmt.Fprintf(&b, "\n  at %s:%d", e.Cell, e.Line)
		if len(e.Frames) > 0 && e.Frames[0].Func != "" {
			fmt.Fprintf(&b, " in %s", e.Frames[0].Func)
		}
		if src := strings.TrimSpace(e.Source); src != "" {
			b.WriteString("\n      " + src)
			if e.Col > 0 && e.Picture == nil {
				b.WriteString("\n      " + e.pad() + "^")
			}
		}
	}
	for i, f := range e.Frames {
		if i == 0 || f.Func == "" {
			continue
		}
		if i > 12 {
			fmt.Fprintf(&b, "\n  … %d more calls", len(e.Frames)-i)
			break
		}
		fmt.Fprintf(&b, "\n  called from %s (%s:%d)", f.Func, f.Cell, f.Line)
	}
	return b.String()
}

// pad is the white space before the caret under Source, whose own is not shown.
func (e *Error) pad() string {
	indent := len(e.Source) - len(strings.TrimLeft(e.Source, " \t"))
	return syntax.Diagnostic{Source: e.Source[indent:], Col: e.Col - indent}.Pad()
}

// Traceback is Text in lines for a notebook, in colour: the name, the carets, where it was, and the picture.
func (e *Error) Traceback() []string {
	lines := strings.Split(e.text(), "\n")
	for i, l := range lines {
		switch rest := strings.TrimLeft(l, " "); {
		case rest != "" && strings.Trim(rest, "^") == "":
			lines[i] = l[:len(l)-len(rest)] + "\x1b[31m" + rest + "\x1b[0m"
		case i > 0 && len(l)-len(rest) == 2 && (strings.HasPrefix(rest, "at ") || strings.HasPrefix(rest, "called from ")):
			lines[i] = "\x1b[1m" + l + "\x1b[0m"
		}
	}
	lines[0] = "\x1b[31m" + e.Name + "\x1b[0m: " + lines[0]
	return strings.Split(draw.OnPage(strings.Join(lines, "\n")+e.picture(true)), "\n")
}
