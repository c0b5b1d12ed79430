package interp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/core"
	"gotorch/interp/hints"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
)

// origin is where a panic happened, as the engine noted it.
type origin struct {
	code   int
	raised *yaegi.Panic
}

// codeOf is the place of an error, as [lower.Decode] reads it.
func codeOf(e *Error) int {
	o, _ := e.Origin.(origin)
	return o.code
}

// checkError is what the reader or the check found.
func (s *Session) checkError(name string, ds syntax.Diagnostics) *Error {
	ds = hints.Names{Env: s.env, Safe: s.opts.Safe}.Translate(ds)
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
		e := &Error{Name: map[yaegi.Kind]string{yaegi.Interrupted: "Interrupted", yaegi.Depth: "RecursionError",
			yaegi.Exit: "Exit", yaegi.Memory: "MemoryError", yaegi.Busy: "Busy"}[st.Kind], Value: st.Text}
		s.locate(e, st.Line)
		if ops := tensor.Left(); st.Kind == yaegi.Interrupted && len(ops) > 0 {
			e.Value += fmt.Sprintf(": the work of %s goes on to its end, which takes a processor; its results are "+
				"thrown away", strings.Join(slices.Compact(slices.Sorted(slices.Values(ops))), ", "))
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
	e.Origin = origin{p.Line, p}
	s.locate(e, p.Line)
	p.Frames = slices.DeleteFunc(p.Frames, func(f yaegi.Frame) bool {
		return strings.HasPrefix(f.File, core.Hidden) || lower.IsHelper(f.Func)
	})
	for i, f := range p.Frames {
		fr := Frame{Func: f.Func, Cell: check.CellName(f.File), Line: f.Line}
		if place, ok := s.place(f.Func); ok {
			fr.Func = place.Name
			if at := s.eng.FileSet().Position(place.Pos); at.Line > 0 {
				fr.Cell, fr.Line = check.CellName(at.Filename), at.Line
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
