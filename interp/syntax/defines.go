package syntax

import (
	"go/ast"
	"go/token"
)

// Defines returns the names that a cell's text declares at its top level, in order; those that it could read where the
// text is not whole.
func Defines(src string) (names []string) {
	cell, _ := Parse(token.NewFileSet(), "cell", src)
	if cell == nil {
		return nil
	}
	add := func(xs ...*ast.Ident) {
		for _, x := range xs {
			names = append(names, x.Name)
		}
	}
	specs := func(d ast.Decl) {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, s := range g.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					add(s.Names...)
				case *ast.TypeSpec:
					add(s.Name)
				}
			}
		}
	}
	for _, d := range cell.Decls {
		specs(d)
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			add(f.Name)
		}
	}
	for _, s := range cell.Stmts {
		switch s := s.(type) {
		case *ast.DeclStmt:
			specs(s.Decl)
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if id, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE {
					add(id)
				}
			}
		}
	}
	return names
}

// Inspect goes through the nodes of a cell, those of keyword arguments too, as [ast.Inspect] does.
func (c *Cell) Inspect(f func(ast.Node) bool) {
	var in func(n ast.Node)
	in = func(n ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == nil || !f(m) {
				return false
			}
			if call, ok := m.(*ast.CallExpr); ok {
				for _, k := range c.Keywords[call] {
					in(k.Value)
				}
			}
			return true
		})
	}
	for _, d := range c.Decls {
		in(d)
	}
	for _, s := range c.Stmts {
		in(s)
	}
	for _, x := range c.Show {
		in(x)
	}
}
