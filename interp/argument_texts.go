package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/tensor"
	"strings"
)

// argTexts are the arguments, as they were typed, of the call of pkg.callee (or callee) in the statement that runs;
// nil where there is no such call in its line, or more than one.
func (s *Session) argTexts(pkg, callee string) []string {
	code := s.eng.Line()
	number, line := lower.Decode(code)
	s.mu.Lock()
	src := s.cells[number]
	s.mu.Unlock()
	if src == nil {
		return nil
	}
	return argTextsOf(src.text, line, lower.Column(code), pkg, callee)
}

// paramNames are the names of the parameters of the function that a call of widgets.callee in the statement that runs
// received: as typed in a function literal, else from the type of the variable or function.
func (s *Session) paramNames(callee string) (names []string) {
	args := s.argTexts("widgets", callee)
	if len(args) == 0 {
		return nil
	}
	head := args[0] // its body, if it has one, stands in one line now and need not parse
	for i, r := range args[0] {
		if r == '{' {
			if t, err := parser.ParseExpr(args[0][:i]); err == nil {
				if _, ok := t.(*ast.FuncType); ok {
					head = args[0][:i]
					break
				}
			}
		}
	}
	x, err := parser.ParseExpr(head)
	if err != nil {
		return nil
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncType:
		for _, f := range x.Params.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
	case *ast.Ident:
		s.mu.Lock()
		defer s.mu.Unlock()
		d := s.env.Lookup(x.Name)
		if s.last != nil { // the cell that runs may have defined it again
			for _, own := range s.last.Defs {
				if own.Name == x.Name {
					d = own
				}
			}
		}
		if d == nil || d.Obj == nil {
			return nil
		}
		if sig, ok := d.Type().Underlying().(*types.Signature); ok {
			for i := range sig.Params().Len() {
				names = append(names, sig.Params().At(i).Name())
			}
		}
	}
	return names
}

// argTextsOf finds the one call of pkg.callee in the statement of text that begins at a line and column.
func argTextsOf(text string, line, col int, pkg, callee string) []string {
	cell, _ := syntax.Parse(token.NewFileSet(), "cell", text)
	if cell == nil {
		return nil
	}
	var calls []*ast.CallExpr
	statementsAt(cell, line, col, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && calleeIs(call.Fun, pkg, callee) {
			calls = append(calls, call)
		}
	})
	if len(calls) != 1 {
		return nil
	}
	call := calls[0]
	out := make([]string, len(call.Args))
	for i, a := range call.Args {
		lo, hi := cell.Fset.Position(a.Pos()).Offset, cell.Fset.Position(a.End()).Offset
		if lo < 0 || hi > len(text) || lo >= hi {
			return nil
		}
		out[i] = strings.Join(strings.Fields(text[lo:hi]), " ")
	}
	return out
}

// sourceLine is the text of a line, "" where the place is not one of the session's.
func (s *Session) sourceLine(at tensor.Site) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found *source
	last := 0
	for n, src := range s.cells { // a name that was given again is the latest cell's
		if src.name == at.Cell && n > last {
			found, last = src, n
		}
	}
	if found == nil {
		return ""
	}
	if lines := strings.Split(found.text, "\n"); at.Line >= 1 && at.Line <= len(lines) {
		return lines[at.Line-1]
	}
	return ""
}

// calleeIs reports whether a call's function is written pkg.name.
func calleeIs(fun ast.Expr, pkg, name string) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg
}
