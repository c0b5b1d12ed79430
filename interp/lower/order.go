package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// order returns the order in which the expressions of a list are computed, nil where that is from left to right. Go
// does not define when a variable is read that is listed with a call which changes it, but its compiler reads it last:
// return v, json.Unmarshal(b, &v) gives the new v.
func (f *fn) order(es []ast.Expr) []int {
	late := false
	for i, e := range es {
		late = late || !calls(e) && i < len(es)-1 && f.changedBy(e, es[i+1:])
	}
	if !late {
		return nil
	}
	var first, last []int
	for i, e := range es {
		if calls(e) {
			first = append(first, i)
		} else {
			last = append(last, i)
		}
	}
	return append(first, last...)
}

func calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// changedBy reports whether calls in a list get the address of a variable that e reads.
func (f *fn) changedBy(e ast.Expr, list []ast.Expr) (found bool) {
	read := map[types.Object]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := f.object(id).(*types.Var); ok {
				read[v] = true
			}
		}
		return true
	})
	for _, x := range list {
		if len(read) == 0 || !calls(x) {
			continue
		}
		ast.Inspect(x, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
				if id, ok := root(u.X); ok && read[f.object(id)] {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// root is the variable that a field or an element belongs to.
func root(e ast.Expr) (*ast.Ident, bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x, true
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return nil, false
		}
	}
}
