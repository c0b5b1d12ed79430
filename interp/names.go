package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
	"gotorch/tensor"
)

// Note: the names of tensors. A tensor does not know what a user calls it. A view asks the session, while it is
// made, which of the live variables hold a tensor, and what was typed as the arguments of the call that made the view.
// Both are looked up when asked and then forgotten, so that a name keeps no tensor alive.

// search is [values.Near] or [values.Far].
type search = func(v reflect.Value, name string) map[*tensor.Tensor]string

// tensorNames finds the tensors that live variables hold: x, ws[0], m.Weight. Of several names of one tensor the
// shortest is taken, and of those the first.
func (s *Session) tensorNames(find search) map[*tensor.Tensor]string {
	names := map[*tensor.Tensor]string{}
	s.eachName(find, func(x *tensor.Tensor, name string) { values.Better(names, x, name) })
	return names
}

// allNames finds every name of a tensor, and for those without one the Out[3] that keeps it.
func (s *Session) allNames() map[*tensor.Tensor][]string {
	names := map[*tensor.Tensor][]string{}
	s.eachName(values.Near, func(x *tensor.Tensor, name string) { names[x] = append(names[x], name) })
	kept := map[*tensor.Tensor][]string{}
	s.eachOut(values.Near, func(x *tensor.Tensor, name string) { kept[x] = append(kept[x], name) })
	for x, out := range kept {
		if names[x] == nil {
			names[x] = out
		}
	}
	return names
}

// eachOut calls found for every tensor that Out has, once for each value.
func (s *Session) eachOut(find search, found func(x *tensor.Tensor, name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, v := range s.outs.vals {
		for x, name := range find(reflect.ValueOf(v), "Out["+strconv.Itoa(n)+"]") {
			found(x, name)
		}
	}
}

// eachName calls found for every tensor that live variables hold, once for each variable.
func (s *Session) eachName(find search, found func(x *tensor.Tensor, name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	vars := map[string]reflect.Value{}
	for _, d := range s.env.Names() {
		if d.Kind == check.Var {
			vars[d.Name] = values.Of(d)
		}
	}
	if src := s.cells[s.serial]; src != nil && src.prog != nil { // what the running cell has defined so far
		for _, sym := range src.prog.Slots {
			if sym.Def != nil && sym.Slot != nil {
				vars[sym.Def.Name] = reflect.ValueOf(sym.Slot).Elem()
			}
		}
	}
	for name, v := range vars {
		if name == "In" || name == "Out" || values.IsOut(name) {
			continue
		}
		for x, name := range find(v, name) {
			found(x, name)
		}
	}
}

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
// was given: those of the function as it was typed, or those of the variable's or function's type.
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
		if s.last != nil { // the cell that runs may have defined it anew
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
