package export

import (
	"go/ast"
	"go/token"
	"go/types"

	"gotorch/interp/check"
)

// notePointed notes the variables of the program whose address a cell takes: one that is defined again becomes another
// variable, as in the session, so that the pointer keeps the old one.
func (x *exporter) notePointed(c *check.Checked) {
	note := func(e ast.Expr) {
		for {
			switch n := ast.Unparen(e).(type) {
			case *ast.Ident:
				if o := object(c, n); o != nil {
					if d := c.Def(o); d != nil {
						x.pointed[d] = true
					}
				}
				return
			case *ast.SelectorExpr:
				e = n.X
			case *ast.IndexExpr:
				e = n.X
			default:
				return
			}
		}
	}
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.SliceExpr:
			if t := c.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					note(n.X)
				}
			}
		case *ast.SelectorExpr: // a method that takes a pointer
			s := c.Info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal {
				break
			}
			if _, have := s.Recv().Underlying().(*types.Pointer); have {
				break
			}
			if r := s.Obj().(*types.Func).Signature().Recv(); r != nil {
				if _, want := r.Type().(*types.Pointer); want {
					note(n.X)
				}
			}
		}
		return true
	}
	for _, d := range c.Decls {
		ast.Inspect(d, look)
	}
	for _, s := range c.Stmts {
		ast.Inspect(s, look)
	}
	for _, e := range c.Show {
		ast.Inspect(e, look)
	}
}
