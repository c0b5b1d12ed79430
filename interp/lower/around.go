package lower

import (
	"go/ast"

	"gotorch/interp/core"
)

// Around puts the statements of a program into a closure and passes it to the function of package rt· with that name.
func Around(p *Program, name string) {
	f := p.File.Decls[len(p.File.Decls)-1].(*ast.FuncDecl)
	at := f.Body.Lbrace
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: at, Params: &ast.FieldList{Opening: at, Closing: at}}, Body: f.Body}
	call := &ast.CallExpr{Fun: &ast.SelectorExpr{X: &ast.Ident{NamePos: at, Name: core.RuntimeName},
		Sel: &ast.Ident{NamePos: at, Name: name}}, Lparen: at, Args: []ast.Expr{lit}, Rparen: at}
	f.Body = &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{&ast.ExprStmt{X: call}}, Rbrace: at}
}
