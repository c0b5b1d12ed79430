package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestErrors: a tensor.Error is constructed by tensor.Errorf alone, and what it returns is used: a statement that only
// calls it would go on as if nothing were wrong.
func TestErrors(t *testing.T) {
	handWritten(t, func(name string, text []byte) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "tensor/error.go") {
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		inside := file.Name.Name == "tensor"
		named := func(x ast.Expr, name string) bool {
			switch x := x.(type) {
			case *ast.SelectorExpr:
				pkg, ok := x.X.(*ast.Ident)
				return ok && pkg.Name == "tensor" && x.Sel.Name == name
			case *ast.Ident:
				return inside && x.Name == name
			}
			return false
		}
		constructs := func(x ast.Expr) bool {
			for {
				c, ok := x.(*ast.CallExpr)
				if !ok {
					return false
				}
				if named(c.Fun, "Errorf") {
					return true
				}
				sel, ok := c.Fun.(*ast.SelectorExpr) // OnArg, WithHint, WithDetails
				if !ok {
					return false
				}
				x = sel.X
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				if constructs(n.X) {
					t.Errorf("%s: the error is not raised: panic(tensor.Errorf(…))", fset.Position(n.Pos()))
				}
			case *ast.CompositeLit:
				if n.Type != nil && named(n.Type, "Error") {
					t.Errorf("%s: tensor.Errorf constructs errors", fset.Position(n.Pos()))
				}
			}
			return true
		})
	})
}
