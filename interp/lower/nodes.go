package lower

import (
	"go/ast"
	"go/token"
	"strconv"

	"gotorch/interp/core"
)

// Small constructors of nodes. Nodes without a position in the source have the position of the cell's beginning.

func (k *cell) id(name string) *ast.Ident { return &ast.Ident{NamePos: k.pos, Name: name} }

func (k *cell) intLit(n int) ast.Expr {
	if n < 0 {
		return &ast.UnaryExpr{OpPos: k.pos, Op: token.SUB, X: k.intLit(-n)}
	}
	return &ast.BasicLit{ValuePos: k.pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

func (k *cell) strLit(s string) ast.Expr {
	return &ast.BasicLit{ValuePos: k.pos, Kind: token.STRING, Value: strconv.Quote(s)}
}

func (k *cell) call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Lparen: k.pos, Args: args, Rparen: k.pos}
}

// rtCall calls a function of package rt·.
func (k *cell) rtCall(name string, args ...ast.Expr) *ast.CallExpr {
	return k.call(k.sel(k.id(core.RuntimeName), name), args...)
}

func (k *cell) sel(x ast.Expr, name string) ast.Expr {
	return &ast.SelectorExpr{X: x, Sel: k.id(name)}
}

func (k *cell) exprStmt(e ast.Expr) ast.Stmt { return &ast.ExprStmt{X: e} }

func (k *cell) block(list []ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: k.pos, List: list, Rbrace: k.pos}
}

func (k *cell) assign(lhs ast.Expr, tok token.Token, rhs ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{lhs}, TokPos: k.pos, Tok: tok, Rhs: []ast.Expr{rhs}}
}

func (k *cell) define(name string, e ast.Expr) ast.Stmt {
	return k.assign(k.id(name), token.DEFINE, e)
}

func (k *cell) paren(e ast.Expr) ast.Expr {
	return &ast.ParenExpr{Lparen: k.pos, X: e, Rparen: k.pos}
}

func (k *cell) assert(x, typ ast.Expr) ast.Expr {
	return &ast.TypeAssertExpr{X: x, Lparen: k.pos, Type: typ, Rparen: k.pos}
}

func (k *cell) varDecl(name string, typ ast.Expr) *ast.GenDecl {
	return &ast.GenDecl{TokPos: k.pos, Tok: token.VAR,
		Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{k.id(name)}, Type: typ}}}
}

func (k *cell) field(name string, typ ast.Expr) *ast.Field {
	f := &ast.Field{Type: typ}
	if name != "" {
		f.Names = []*ast.Ident{k.id(name)}
	}
	return f
}

func (k *cell) funcType(params, results []*ast.Field) *ast.FuncType {
	t := &ast.FuncType{Func: k.pos, Params: &ast.FieldList{Opening: k.pos, List: params, Closing: k.pos}}
	if len(results) > 0 {
		t.Results = &ast.FieldList{Opening: k.pos, List: results, Closing: k.pos}
	}
	return t
}

func (k *cell) funcLit(t *ast.FuncType, body ...ast.Stmt) ast.Expr {
	return &ast.FuncLit{Type: t, Body: k.block(body)}
}

func (k *cell) ret(es ...ast.Expr) ast.Stmt { return &ast.ReturnStmt{Return: k.pos, Results: es} }

func (k *cell) ifStmt(cond ast.Expr, then ...ast.Stmt) ast.Stmt {
	return &ast.IfStmt{If: k.pos, Cond: cond, Body: k.block(then)}
}

func (k *cell) not(e ast.Expr) ast.Expr {
	return &ast.UnaryExpr{OpPos: k.pos, Op: token.NOT, X: k.paren(e)}
}

func (k *cell) bin(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.BinaryExpr{X: x, OpPos: k.pos, Op: op, Y: y}
}

// pkg names a host package in the file.
func (k *cell) pkg(path, name string) ast.Expr {
	alias := k.imports[path]
	if alias == "" {
		alias = name + "·"
		for _, other := range k.imports {
			if other == alias {
				_, n := k.number("")
				alias = name + "·" + strconv.Itoa(n)
			}
		}
		k.imports[path] = alias
	}
	return k.id(alias)
}
