package interp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gotorch/interp/core"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
	"gotorch/visualize"
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

	code   int // where it happened, as the engine notes it
	raised *yaegi.Panic
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

// Unwrap gives the panic's value if it is an error.
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
			lines[i] = "\x1b[36m" + l + "\x1b[0m"
		}
	}
	lines[0] = "\x1b[31m" + e.Name + "\x1b[0m: " + lines[0]
	return strings.Split(strings.Join(lines, "\n")+e.picture(true), "\n")
}

// checkError is what the reader or the check found.
func (s *Session) checkError(name string, ds syntax.Diagnostics) *Error {
	ds = s.translate(ds)
	e := &Error{Name: "TypeError", Cell: name, Problems: ds}
	var msgs []string
	for _, d := range ds {
		msgs = append(msgs, fmt.Sprintf("%d:%d: %s", d.Line, d.Col, d.Msg))
	}
	e.Value = strings.Join(msgs, "\n")
	if len(ds) > 0 {
		e.Line, e.Col, e.Source = ds[0].Line, ds[0].Col, ds[0].Source
	}
	return e
}

// runError is how a run ended.
func (s *Session) runError(err error) *Error {
	var p *yaegi.Panic
	if errors.As(err, &p) {
		return s.panicError(p)
	}
	var st *yaegi.Stopped
	if errors.As(err, &st) {
		e := &Error{Name: map[yaegi.Kind]string{yaegi.Interrupted: "Interrupted", yaegi.Depth: "RecursionError", yaegi.Exit: "Exit", yaegi.Memory: "MemoryError", yaegi.Busy: "Busy"}[st.Kind], Value: st.Text}
		if st.Kind != yaegi.Interrupted {
			s.locate(e, st.Line)
		}
		return e
	}
	return &Error{Name: "InternalError", Value: err.Error()}
}

// inGoroutine ends the text of a panic in a goroutine that a cell started.
const inGoroutine = " (in a goroutine)"

// panicError is a panic that the cell did not recover.
func (s *Session) panicError(p *yaegi.Panic) *Error {
	e := &Error{Name: "Panic", Value: "panic: " + p.Text, Panic: p.Value}
	switch v := p.Value.(type) {
	case *tensor.Error:
		e.Name, e.Value = "TensorError", v.Error()
	case interface{ RuntimeError() }:
		e.Name, e.Value = "RuntimeError", p.Text
	}
	if p.Go {
		e.Value += inGoroutine
	}
	e.code, e.raised = p.Line, p
	s.locate(e, p.Line)
	p.Frames = slices.DeleteFunc(p.Frames, func(f yaegi.Frame) bool {
		return strings.HasPrefix(f.File, core.Hidden) || lower.IsHelper(f.Func)
	})
	for i, f := range p.Frames {
		fr := Frame{Func: f.Func, Cell: shownName(f.File), Line: f.Line}
		if place, ok := s.place(f.Func); ok {
			fr.Func = place.Name
			if at := s.eng.FileSet().Position(place.Pos); at.Line > 0 {
				fr.Cell, fr.Line = shownName(at.Filename), at.Line
			}
		} else if strings.HasPrefix(f.Func, "init") {
			fr.Func = ""
		}
		if i == 0 && e.Line > 0 {
			fr.Cell, fr.Line = e.Cell, e.Line
		}
		e.Frames = append(e.Frames, fr)
	}
	return e
}

// locate puts the line that the engine noted into an error.
func (s *Session) locate(e *Error, code int) {
	number, line := lower.Decode(code)
	src := s.cells[number]
	if src == nil {
		return
	}
	e.Cell, e.Line = src.name, line
	if ls := strings.Split(src.text, "\n"); line >= 1 && line <= len(ls) {
		e.Source = ls[line-1]
	}
}

// place finds the function that the engine knows by a name.
func (s *Session) place(name string) (lower.Place, bool) {
	name, closure, _ := strings.Cut(name, ".func")
	if p, ok := s.funcs[name]; ok {
		p.Name += closure
		return p, true
	}
	return lower.Place{}, false
}
