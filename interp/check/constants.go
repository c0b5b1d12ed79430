package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"

	"gotorch/internal/bytesize"
	"gotorch/interp/syntax"
)

// textLimit is how many bytes a constant string may have. go/types makes each sum of strings anew, so that a few
// constants that double each other take gigabytes before anything of the cell runs.
const textLimit = 1 << 24

// longTexts finds the first sum of constant strings that is too long. It looks at the text alone, before go/types
// computes any: a name counts as the constant of the cell, or of an earlier one, that is called so.
func (u *unit) longTexts() syntax.Diagnostics {
	m := &textMeter{env: u.env, consts: map[string]ast.Expr{}, sizes: map[ast.Expr]int{}}
	m.walk(u.cell, func(n ast.Node) {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
			m.declare(d)
		}
	})
	var ds syntax.Diagnostics
	m.walk(u.cell, func(n ast.Node) {
		if sum, ok := n.(*ast.BinaryExpr); ok && len(ds) == 0 && m.size(sum) > textLimit {
			ds = append(ds, u.cell.At(sum.Pos(), sum.End(), fmt.Sprintf("a constant string of more than %s: make it a "+
				"variable, or use strings.Repeat", bytesize.Text(textLimit))))
		}
	})
	return ds
}

// textMeter estimates the lengths of constant strings.
type textMeter struct {
	env    *Env
	consts map[string]ast.Expr // of the cell, by name
	sizes  map[ast.Expr]int
}

func (m *textMeter) walk(c *syntax.Cell, visit func(ast.Node)) {
	look := func(n ast.Node) bool {
		visit(n)
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

func (m *textMeter) declare(d *ast.GenDecl) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
			for i, name := range v.Names {
				m.consts[name.Name] = v.Values[i]
			}
		}
	}
}

// size is the length of e as a constant string: 0 where it is none, and no more than twice the limit.
func (m *textMeter) size(e ast.Expr) (n int) {
	if n, ok := m.sizes[e]; ok {
		return n
	}
	m.sizes[e] = 0 // a constant that is made of itself
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			n = len(e.Value)
		}
	case *ast.ParenExpr:
		n = m.size(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			n = m.size(e.X) + m.size(e.Y)
		}
	case *ast.Ident:
		if x, ok := m.consts[e.Name]; ok {
			n = m.size(x)
		} else if d := m.env.Lookup(e.Name); d != nil && d.Val != nil && d.Val.Kind() == constant.String {
			n = len(constant.StringVal(d.Val))
		}
	}
	n = min(n, 2*textLimit)
	m.sizes[e] = n
	return n
}
