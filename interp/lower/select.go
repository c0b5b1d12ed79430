package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// selectStmt evaluates the channels and the values to be sent, in the order of the text, asks the engine for the case,
// and switches on the number:
//
//	var v T; var ok bool; x := value
//	switch rt·.Select("osd", c, &v, &ok, d, &x) { case 0: … case 1: … case 2: … }
func (f *fn) selectStmt(s *ast.SelectStmt) []ast.Stmt {
	g := f.breakable()
	var out []ast.Stmt
	variable := func(t types.Type) string {
		n := f.temp()
		out = append(out, &ast.DeclStmt{Decl: f.varDecl(n, f.typ(f.u, t))})
		return n
	}
	address := func(n string) ast.Expr { return &ast.UnaryExpr{OpPos: f.pos, Op: token.AND, X: f.id(n)} }
	plan := ""
	var operands []ast.Expr
	channel := func(e ast.Expr) {
		n := f.temp()
		out = append(out, f.define(n, f.expr(e)))
		operands = append(operands, f.id(n))
	}
	k := f.temp()
	sw := &ast.SwitchStmt{Switch: s.Select, Tag: f.id(k),
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	for i, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		clause := &ast.CaseClause{Case: cc.Case, Colon: cc.Colon, List: []ast.Expr{f.intLit(i)}}
		switch x := cc.Comm.(type) {
		case nil:
			plan += "d"
		case *ast.SendStmt:
			plan += "s"
			channel(x.Chan)
			t := f.chanOf(x.Chan).Elem()
			v := variable(t)
			out = append(out, f.assign(f.id(v), token.ASSIGN, f.to(x.Value, t)))
			operands = append(operands, address(v))
		case *ast.ExprStmt:
			plan += "r"
			channel(ast.Unparen(x.X).(*ast.UnaryExpr).X)
		case *ast.AssignStmt:
			from := ast.Unparen(x.Rhs[0]).(*ast.UnaryExpr).X
			channel(from)
			given := []types.Type{f.chanOf(from).Elem(), types.Typ[types.Bool]}
			plan += []string{"v", "o"}[len(x.Lhs)-1]
			for i, l := range x.Lhs {
				n := variable(given[i])
				operands = append(operands, address(n))
				if blank(l) {
					continue
				}
				var v ast.Expr = f.id(n)
				if !f.isNew(l) {
					v = f.convert(v, given[i], f.typeOf(l))
				}
				clause.Body = append(clause.Body, f.store(l, v))
			}
		}
		clause.Body = append(clause.Body, g.stmts(cc.Body)...)
		sw.Body.List = append(sw.Body.List, clause)
	}
	return append(out, f.define(k, f.rtCall("Select", append([]ast.Expr{f.strLit(plan)}, operands...)...)), sw)
}
