package interp

import (
	"go/ast"

	"gotorch/interp/syntax"
)

// statement is one that stands in a cell by itself or in a block: where it begins, and its nodes, those of inner
// statements aside.
type statement struct {
	line, col int
	local     bool // it is inside of a function or a block
	nodes     []ast.Node
}

// statementsAt calls f for every node of the statement that begins at a line and column, or is the last that begins
// before it in that line; without a column, of all that begin in the line. Those that stand in inner statements are
// left out.
func statementsAt(cell *syntax.Cell, line, col int, f func(ast.Node)) {
	for _, st := range statementsOf(cell, line, col) {
		for _, n := range st.nodes {
			f(n)
		}
	}
}

func statementsOf(cell *syntax.Cell, line, col int) []*statement {
	var all []*statement
	var open func(n ast.Node, local bool)
	open = func(n ast.Node, local bool) {
		at := cell.Fset.Position(n.Pos())
		st := &statement{line: at.Line, col: at.Column, local: local}
		all = append(all, st)
		ast.Inspect(n, func(m ast.Node) bool {
			var inner []ast.Stmt
			switch m := m.(type) {
			case nil:
				return false
			case *ast.BlockStmt:
				inner = m.List
			case *ast.CaseClause:
				for _, x := range m.List {
					ast.Inspect(x, func(y ast.Node) bool {
						if y != nil {
							st.nodes = append(st.nodes, y)
						}
						return true
					})
				}
				inner = m.Body
			case *ast.CommClause:
				inner = m.Body
				if m.Comm != nil {
					open(m.Comm, true)
				}
			case *ast.LabeledStmt:
				inner = []ast.Stmt{m.Stmt}
				for _, s := range inner {
					open(s, local)
				}
				return false
			default:
				st.nodes = append(st.nodes, m)
				return true
			}
			for _, s := range inner {
				open(s, true)
			}
			return false
		})
	}
	for _, d := range cell.Decls {
		open(d, false)
	}
	for _, s := range cell.Stmts {
		open(s, false)
	}
	for _, x := range cell.Show {
		open(x, false)
	}
	best := 0
	for _, st := range all {
		if st.line == line && col > 0 && st.col <= col {
			best = max(best, st.col)
		}
	}
	var found []*statement
	for _, st := range all {
		if st.line == line && (best == 0 || st.col == best) {
			found = append(found, st)
		}
	}
	return found
}
