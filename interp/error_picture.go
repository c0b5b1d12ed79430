package interp

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/visualize"
)

// Note: pictures of errors. A view draws the details of an error; the session supplies the names of the operands. For
// them the line that failed is parsed again, and searched for calls of the operator as users write them: x + y,
// x.Add(y), Add(x, y). This happens after the cell, when no lock is held.

// explain finds where in its line an error is, and draws what it is about.
func (s *Session) explain(e *Error) {
	s.pinpoint(e)
	err, ok := e.Panic.(error)
	if !ok {
		return
	}
	code := codeOf(e)
	number, line := lower.Decode(code)
	s.mu.Lock()
	src := s.cells[number]
	s.mu.Unlock()
	h := &host{Session: s, operands: func(op string) [][]string {
		if src == nil {
			return nil
		}
		from, _ := e.Origin.(origin)
		return operandTextsOf(src, line, from, op)
	}}
	h.bind(func() { e.Picture = visualize.Explain(err) })
}

// callers are the operators that a user may have called where another failed.
var callers = map[string][]string{
	"mm": {"matmul", "linear"}, "addmm": {"linear"}, "mv": {"matmul"}, "dot": {"matmul"}, "bmm": {"matmul"},
	"_reshape_alias": {"reshape"}, "_unsafe_view": {"reshape"}, "select": {"index"}, "_index": {"index"},
}

// opCall is a call of an operator as it was typed: the place of its name or sign, and its operands.
type opCall struct {
	at    token.Pos
	texts []string
}

// operandTextsOf returns the operands of the calls of op in the statement of a source that failed.
func operandTextsOf(src *source, line int, from origin, op string) (found [][]string) {
	cell, _ := syntax.Parse(token.NewFileSet(), "cell", src.text)
	if cell == nil {
		return nil
	}
	for _, c := range callsOf(cell, src, line, from, op) {
		found = append(found, c.texts)
	}
	return found
}

// callsOf finds the calls of op in the statement that failed, of a cell that was parsed from a source: the call that
// the engine noted, or all of them where it noted none of these.
func callsOf(cell *syntax.Cell, src *source, line int, from origin, op string) (found []opCall) {
	text, name := src.text, plainName(op)
	isOp := func(called string) bool {
		called = plainName(called)
		if called == name {
			return true
		}
		for _, c := range callers[op] {
			if called == plainName(c) {
				return true
			}
		}
		return false
	}
	typed := func(n ast.Node) string {
		lo, hi := cell.Fset.Position(n.Pos()).Offset, cell.Fset.Position(n.End()).Offset
		if lo < 0 || hi > len(text) || lo >= hi {
			return ""
		}
		return strings.Join(strings.Fields(text[lo:hi]), " ")
	}
	add := func(at token.Pos, es ...ast.Expr) {
		var texts []string
		if len(es) > 0 {
			if list, ok := es[0].(*ast.CompositeLit); ok { // Cat([]*Tensor{x, y})
				es = list.Elts
			}
		}
		for _, e := range es {
			texts = append(texts, typed(e))
		}
		found = append(found, opCall{at, texts})
	}
	statementsAt(cell, line, lower.Column(from.code), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if isOp(check.OperatorMethod(n.Op)) {
				add(n.OpPos, n.X, n.Y)
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				break
			}
			if _, isName := n.Lhs[0].(*ast.Ident); n.Tok == token.ASSIGN && !isName && (op == "copy_" || op == "index_put_") {
				add(n.TokPos, n.Rhs[0])
			} else if isOp(check.OperatorMethod(n.Tok)) {
				add(n.TokPos, n.Lhs[0], n.Rhs[0])
			}
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				if isOp(fun.Name) {
					add(n.Fun.Pos(), n.Args...)
				}
			case *ast.SelectorExpr:
				if !isOp(fun.Sel.Name) {
					break
				}
				if x, ok := fun.X.(*ast.Ident); ok && x.Name == "tensor" {
					add(fun.Sel.Pos(), n.Args...)
				} else {
					add(fun.Sel.Pos(), append([]ast.Expr{fun.X}, n.Args...)...)
				}
			}
		}
	})
	if from.raised != nil {
		noted := from.raised.Call - src.base + token.Pos(cell.File.Base())
		if i := slices.IndexFunc(found, func(c opCall) bool { return c.at == noted }); i >= 0 {
			return found[i : i+1]
		}
	}
	return found
}

// plainName is the name of an operator without the marks that differ between Go and PyTorch: index_select and
// IndexSelect_ are the same.
func plainName(op string) string {
	if at := strings.LastIndexByte(op, '.'); at >= 0 {
		op = op[at+1:]
	}
	return strings.ToLower(strings.ReplaceAll(op, "_", ""))
}
