package interp

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/interp/yaegi"
)

// runPackages runs the packages from disk that a cell needs and that have not run, each after those that it imports.
func (s *Session) runPackages(ctx context.Context, c *check.Checked) *Error {
	for _, i := range slices.Concat(c.Used, c.NewImports) {
		if p := s.disk.Package(i.Pkg); p != nil {
			if err := s.runPackage(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Session) runPackage(ctx context.Context, p *check.Package) *Error {
	s.mu.Lock()
	done := s.ran[p]
	s.mu.Unlock()
	if done {
		return nil
	}
	for _, dep := range p.Imports {
		if err := s.runPackage(ctx, dep); err != nil {
			return err
		}
	}
	prog, err := s.lowerPackage(p)
	if err == nil {
		rerr := s.perform(ctx, prog)
		err = s.ranPackage(p, prog, rerr)
	}
	if err != nil {
		s.disk.Forget(p) // it is read and run anew when it is imported again
	}
	return err
}

// lowerPackage checks what cells may not do, and lowers a package.
func (s *Session) lowerPackage(p *check.Package) (*lower.Program, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ds := slices.Concat(reserved(p.Checked), s.safe(p.Checked), tooBig(p.Checked)); len(ds) > 0 {
		return nil, packageError(p, ds)
	}
	for _, f := range p.Sources {
		s.serial++
		f.Number = s.serial
	}
	prog, err := s.low.Lower(p.Checked, p.Sources[0].Number)
	if err != nil {
		u := err.(*lower.Unsupported)
		return nil, packageError(p, syntax.Diagnostics{p.At(u.Pos, u.Pos, u.Msg)})
	}
	for _, f := range p.Sources {
		s.note(f.Number, &source{name: f.Text.Name, text: f.Text.Src, prog: prog, base: p.Begin()}, nil)
	}
	return prog, nil
}

// packageError is what is wrong with a package, by file and line.
func packageError(p *check.Package, ds syntax.Diagnostics) *Error {
	e := &Error{Name: "ImportError"}
	lines := []string{fmt.Sprintf("package %s cannot be used in cells:", p.Path)}
	for _, d := range ds {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", p.TextAt(d.Pos).Name, d.Line, d.Col, d.Msg))
	}
	e.Value = strings.Join(lines, "\n")
	return e
}

// ranPackage makes a package that has run one that cells may use.
func (s *Session) ranPackage(p *check.Package, prog *lower.Program, rerr error) *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if unperformed(rerr) {
		return s.runError(rerr)
	}
	s.progress.end()
	if ce, ok := rerr.(*yaegi.CompileError); ok {
		s.low.Undo(prog)
		text := fmt.Sprintf("the interpreter does not take what package %s was lowered to: %s", p.Path, ce.Text)
		return &Error{Name: "InternalError", Value: text}
	}
	for _, d := range p.Defs {
		release(d)
		d.Prev = nil
	}
	s.eng.Drop(prog.Local...)
	for _, f := range p.Sources {
		s.cells[f.Number].prog = nil
	}
	if rerr != nil {
		return s.runError(rerr)
	}
	s.ran[p] = true
	return nil
}

// reload reads the packages whose files have changed again, and those that import them, and runs them. With an error
// they stay what they were.
func (s *Session) reload(ctx context.Context) (paths []string, err *Error) {
	changed := s.disk.Changed()
	if len(changed) == 0 {
		return nil, nil
	}
	fresh, old, rerr := s.disk.Reload(changed)
	if rerr != nil {
		return nil, &Error{Name: "ImportError", Value: rerr.Error()}
	}
	s.mu.Lock()
	s.env.Reloaded(fresh, old)
	var again []*check.Package
	for i, p := range fresh {
		if s.ran[old[i]] {
			again = append(again, p)
		}
		delete(s.ran, old[i])
	}
	s.mu.Unlock()
	for _, p := range again {
		if err := s.runPackage(ctx, p); err != nil {
			return paths, err
		}
		paths = append(paths, p.Path)
	}
	slices.Sort(paths)
	return paths, nil
}

// refresh reloads packages before a cell: with %autoreload always, else where the cell imports something. Of
// %autoreload an error is no reason not to run the cell.
func (s *Session) refresh(ctx context.Context, imports bool) *Error {
	if !imports && !s.autoreload {
		return nil
	}
	_, err := s.reload(ctx)
	if err != nil && !imports {
		io.WriteString(s.eng.Stderr(), "%autoreload: "+err.Text()+"\n")
		return nil
	}
	return err
}

// Reload and SetAutoreload are for %autoreload.
func (c commands) Reload(ctx context.Context) ([]string, *Error) { return c.reload(ctx) }

func (c commands) SetAutoreload(on bool) { c.autoreload = on }

var diskNames atomic.Int64

// diskName is a name that no source of a session has.
func diskName(shown string) string { return fmt.Sprintf("%s·disk%d", shown, diskNames.Add(1)) }
