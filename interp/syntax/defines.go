package syntax

import (
	"go/ast"
	"go/token"
)

// Defines gives the names that a cell's text declares at its top level, in order; those that it could read where the
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
