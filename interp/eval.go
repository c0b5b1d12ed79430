package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"slices"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/split"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
	"gotorch/interp/yaegi"
)

// cellName is what messages call the running cell.
func (s *Session) cellName() string {
	if s.called != "" {
		return s.called
	}
	return fmt.Sprintf("In[%d]", s.n)
}

// evalText runs a text that may hold commands.
func (s *Session) evalText(ctx context.Context, src string) ([]Value, *Error) {
	if declares, program, ok := split.WholeFile(src); ok {
		if _, err := s.evalGo(ctx, declares); err != nil || !program {
			return nil, err
		}
		return s.evalGo(ctx, "main()")
	}
	var all []Value
	for p := range split.Cell(src, s.shell.IsGo) {
		var vals []Value
		var err *Error
		if p.Kind == split.Go {
			vals, err = s.evalGo(ctx, p.Text)
		} else {
			vals, err = s.shell.Run(ctx, p)
		}
		if all = append(all, vals...); err != nil {
			return all, err
		}
	}
	return all, nil
}

// evalGo runs Go.
func (s *Session) evalGo(ctx context.Context, src string) ([]Value, *Error) {
	if strings.TrimSpace(src) == "" {
		return nil, nil
	}
	name := s.cellName()
	c, p, err := s.prepare(ctx, name, src)
	if err != nil {
		return nil, err
	}
	rerr := s.perform(ctx, p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if unperformed(rerr) {
		return nil, s.runError(rerr)
	}
	s.noteLocals()
	step, shown := s.progress.end()
	vals := runesShown(c, functionsShown(c, src, shown))
	if ce, ok := rerr.(*yaegi.CompileError); ok {
		s.low.Undo(p)
		return nil, &Error{Name: "InternalError", Value: "the interpreter does not take what this cell was lowered to: " +
			ce.Text, Cell: name}
	}
	s.commit(c, p, step)
	if rerr != nil {
		return vals, s.runError(rerr)
	}
	return vals, nil
}

// checked reads and checks a text that is not run.
func (s *Session) checked(src string) (*check.Checked, *Error) {
	name := s.cellName()
	s.declareHistory(src)
	s.mu.Lock()
	defer s.mu.Unlock()
	cell, perr := syntax.Parse(token.NewFileSet(), name, src)
	if perr != nil {
		return nil, s.checkError(name, perr.(syntax.Diagnostics))
	}
	s.history.resolve(cell)
	c, ds := check.Check(s.env, cell)
	if len(ds) == 0 {
		ds = s.safe(c)
	}
	if len(ds) > 0 {
		return nil, s.checkError(name, ds)
	}
	return c, nil
}

// prepare reads, checks and lowers a text.
func (s *Session) prepare(ctx context.Context, name, src string) (*check.Checked, *lower.Program, *Error) {
	s.declareHistory(src)
	cell, err := s.parse(name, src)
	if err != nil {
		return nil, nil, err
	}
	if err := s.refresh(ctx, len(cell.Imports) > 0); err != nil {
		return nil, nil, err
	}
	c, err := s.check(name, cell)
	if err != nil {
		return nil, nil, err
	}
	if err := s.runPackages(ctx, c); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	number := s.serial
	p, lerr := s.low.Lower(c, number)
	if lerr != nil {
		u := lerr.(*lower.Unsupported)
		return nil, nil, s.checkError(name, syntax.Diagnostics{cell.At(u.Pos, u.Pos, u.Msg)})
	}
	s.note(number, &source{name: name, text: src, prog: p, base: token.Pos(c.Cell.File.Base())}, funcsOf(c))
	s.last = c
	return c, p, nil
}

// parse reads a text that is to run.
func (s *Session) parse(name, src string) (*syntax.Cell, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cell, err := syntax.Parse(s.eng.FileSet(), s.fileName(name), src)
	if err != nil {
		return nil, s.checkError(name, err.(syntax.Diagnostics))
	}
	return cell, nil
}

// check checks a text that is to run.
func (s *Session) check(name string, cell *syntax.Cell) (*check.Checked, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.resolve(cell)
	c, ds := check.Check(s.env, cell)
	if len(ds) == 0 {
		ds = slices.Concat(reserved(c), s.safe(c), tooBig(c))
	}
	if len(ds) > 0 {
		return nil, s.checkError(name, ds)
	}
	return c, nil
}

// fileName is a file name that no source has had: the engine needs distinct
// names. What follows the · is not shown, see [check.CellName].
func (s *Session) fileName(name string) string {
	if s.files == nil {
		s.files = map[string]bool{}
	}
	if s.files[name] {
		s.sameNames++
		return fmt.Sprintf("%s·%d", name, s.sameNames)
	}
	s.files[name] = true
	return name
}

// note records a source that is submitted to the engine, and the functions that it declares. Readers of s.submitted
// hold shorter lists, so an element that is appended is not theirs to see before it is complete.
func (s *Session) note(number int, src *source, funcs []funcLines) {
	s.cells[number] = src
	maps.Copy(s.funcs, src.prog.Funcs)
	var all []submitted
	if old := s.submitted.Load(); old != nil {
		all = *old
	}
	for len(all) < number-1 {
		all = append(all, submitted{})
	}
	all = append(all, submitted{name: src.name, assigns: src.prog.Assigns, funcs: funcs})
	s.submitted.Store(&all)
}

// funcsOf says where the functions of a source stand.
func funcsOf(c *check.Checked) []funcLines {
	var funcs []funcLines
	for _, d := range c.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil && len(f.Recv.List) == 1 {
			t := f.Recv.List[0].Type
			if p, ok := t.(*ast.StarExpr); ok {
				t = p.X
			}
			if id, ok := t.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		funcs = append(funcs, funcLines{name, c.Fset.Position(f.Pos()).Line, c.Fset.Position(f.End()).Line})
	}
	return funcs
}

// commit makes the definitions of the steps that a cell has completed live.
func (s *Session) commit(c *check.Checked, p *lower.Program, step int) {
	reached := map[*check.Def]bool{}
	for i, d := range p.Steps {
		reached[d] = i < step
	}
	keep := func(d *check.Def) bool { r, ok := reached[d]; return !ok || r }
	s.env.Commit(c, keep)
	if note := s.stale(c, keep); note != "" {
		io.WriteString(s.eng.Stderr(), note)
	}
	for _, d := range c.Defs {
		if keep(d) {
			release(d)
			d.Prev = nil // or all that a name ever meant would be kept
		}
	}
	s.eng.Drop(p.Local...)
	c.Done()
	for n := s.serial; n > 0 && s.cells[n] != nil && s.cells[n].prog != nil; n-- {
		s.cells[n].prog = nil
	}
}

// release sets a redefined variable to zero, unless the new definition is the
// same variable.
func release(d *check.Def) {
	if d.Prev == nil || d.Prev.Kind != check.Var {
		return
	}
	old, _ := d.Prev.Engine.(*lower.Symbol)
	if now, ok := d.Engine.(*lower.Symbol); !ok || old == nil || now.Slot != old.Slot {
		values.Release(d.Prev)
	}
}

// orphan shows the panic of a goroutine whose cell has ended.
func (s *Session) orphan(p *yaegi.Panic) {
	s.mu.Lock()
	err := s.panicError(p)
	s.mu.Unlock()
	s.explain(err)
	fmt.Fprintln(s.eng.Stderr(), err.Text())
}
