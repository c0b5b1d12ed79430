package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// switchStmt lowers an expression switch. One over interfaces, structs or
// arrays becomes a switch without a tag whose cases ask the runtime.
func (f *fn) switchStmt(s *ast.SwitchStmt) []ast.Stmt {
	var pre []ast.Stmt
	if s.Init != nil {
		pre = f.stmtAt(s.Init)
	}
	g := f.breakable()
	out := &ast.SwitchStmt{Switch: s.Switch}
	var tag ast.Expr
	var tagType types.Type
	byRuntime := false
	if s.Tag != nil {
		tagType = f.typeOf(s.Tag)
		byRuntime = isInterface(tagType)
		switch tagType.Underlying().(type) {
		case *types.Struct, *types.Array:
			byRuntime = true
		}
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				if t := f.typeOf(e); isInterface(t) && !isNil(t) {
					byRuntime = true
				}
			}
		}
		n := f.temp()
		if byRuntime {
			pre = append(pre, &ast.DeclStmt{Decl: f.varDecl(n, f.anyType())},
				f.assign(f.id(n), token.ASSIGN, f.anyOf(s.Tag)))
		} else {
			pre = append(pre, f.define(n, f.expr(s.Tag)))
		}
		tag = f.id(n)
	}
	body := &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: cc.Case, Colon: cc.Colon, Body: g.stmts(cc.Body)}
		for _, e := range cc.List {
			switch {
			case tag == nil && isInterface(f.typeOf(e)): // it is compared with true
				clause.List = append(clause.List, f.rtCall("Equal", f.id("true"), f.anyOf(e)))
			case tag == nil:
				clause.List = append(clause.List, f.expr(e))
			case isNil(f.typeOf(e)):
				clause.List = append(clause.List, f.bin(tag, token.EQL, f.id("nil")))
			case byRuntime:
				clause.List = append(clause.List, f.rtCall("Equal", tag, f.anyOf(e)))
			default:
				x := f.expr(e)
				f.noteReference(tag, tagType)
				f.noteReference(x, f.typeOf(e))
				clause.List = append(clause.List, f.bin(tag, token.EQL, x))
			}
		}
		body.List = append(body.List, clause)
	}
	out.Body = body
	if len(pre) == 0 {
		return one(out)
	}
	return append(pre, out)
}

// typeSwitch asks the runtime which clause it is and switches on the number.
func (f *fn) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	var out []ast.Stmt
	if s.Init != nil {
		out = f.stmtAt(s.Init)
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = ast.Unparen(a.X).(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		x = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X
	}
	v, k := f.temp(), f.temp()
	out = append(out, &ast.DeclStmt{Decl: f.varDecl(v, f.anyType())}, f.assign(f.id(v), token.ASSIGN, f.anyOf(x)))
	args := []ast.Expr{f.id(v)}
	g := f.breakable()
	sw := &ast.SwitchStmt{Switch: s.Switch, Tag: f.id(k),
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: cc.Case, Colon: cc.Colon}
		for _, e := range cc.List {
			clause.List = append(clause.List, f.intLit(len(args)-1))
			if t := f.typeOf(e); isNil(t) {
				args = append(args, f.intLit(-1))
			} else {
				args = append(args, f.intLit(f.desc(f.u, t).ID))
			}
		}
		if o := f.u.info.Implicits[cc]; o != nil && usesObject(f.u.info, cc.Body, o) {
			var val ast.Expr = f.id(v)
			t := types.Unalias(f.in(f.u, o.Type()))
			if len(cc.List) == 1 && !isNil(f.typeOf(cc.List[0])) {
				val = f.call(f.id(f.asserter(f.typeOf(x), t, false)), f.id(v))
			} else {
				val = f.convert(val, types.Universe.Lookup("any").Type(), t)
			}
			clause.Body = append(clause.Body, f.define(f.local(o), val))
			delete(f.names, nil)
		}
		clause.Body = append(clause.Body, g.stmts(cc.Body)...)
		sw.Body.List = append(sw.Body.List, clause)
	}
	out = append(out, f.define(k, f.rtCall("Switch", args...)), sw)
	return out
}

func usesObject(info *types.Info, list []ast.Stmt, o types.Object) bool {
	found := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && info.Uses[id] == o {
				found = true
			}
			return !found
		})
	}
	return found
}
