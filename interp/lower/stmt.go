package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"gotorch/interp/check"
	"gotorch/interp/core"
)

// function lowers a function's type and body; f is the function's own.
func (f *fn) function(t *ast.FuncType, b *ast.BlockStmt) (*ast.FuncType, *ast.BlockStmt) {
	params := f.fields(t.Params, f.sig.Params(), true, f.sig.Variadic())
	var results []*ast.Field
	if t.Results != nil {
		results = f.fields(t.Results, f.sig.Results(), false, false)
	}
	named := t.Results != nil && len(t.Results.List) > 0 && len(t.Results.List[0].Names) > 0
	var body []ast.Stmt
	if !defers(b) {
		if callsCode(b) {
			body = append(body, f.enter(b)...)
		}
		if named {
			f.rets = names(results)
		}
		body = append(body, f.remember(b)...)
		body = append(body, f.enterArrays(b)...)
		body = append(body, f.stmts(b.List)...)
		if f.sig.Results().Len() == 0 {
			body = append(body, f.restore()...)
		}
		return f.funcType(params, results), &ast.BlockStmt{Lbrace: b.Lbrace, List: body, Rbrace: b.Rbrace}
	}
	for _, r := range results { // all have names: the closure assigns to them
		if len(r.Names) == 0 {
			r.Names = []*ast.Ident{f.id(f.temp())}
		}
	}
	f.outer = true
	f.rets = names(results)
	body = append(body, f.enter(b)...)
	body = append(body, f.remember(b)...)
	body = append(body, f.enterArrays(b)...)
	body = append(body, f.protected(f.stmtsWithDefers(b.List))...)
	body = append(body, f.restore()...)
	body = append(body, f.ret())
	return f.funcType(params, results), &ast.BlockStmt{Lbrace: b.Lbrace, List: body, Rbrace: b.Rbrace}
}

func names(fields []*ast.Field) []string {
	var out []string
	for _, r := range fields {
		out = append(out, r.Names[0].Name)
	}
	return out
}

func (f *fn) ids(names []string) []ast.Expr {
	var out []ast.Expr
	for _, n := range names {
		out = append(out, f.id(n))
	}
	return out
}

// stmtsWithDefers lowers the body of a function that defers.
func (f *fn) stmtsWithDefers(list []ast.Stmt) []ast.Stmt {
	f.defers = f.temp()
	return f.stmts(list)
}

// protected turns a body into a closure and has the engine run it and what it defers.
func (f *fn) protected(body []ast.Stmt) []ast.Stmt {
	return []ast.Stmt{
		f.define(f.defers, f.rtCall("Defers")),
		f.exprStmt(f.rtCall("Protect", f.id(f.defers), f.funcLit(f.funcType(nil, nil), body...))),
	}
}

// defers reports whether a body has a defer statement of its own.
func defers(b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.DeferStmt:
			found = true
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// fields writes parameters or results under their names in the interpreter.
func (f *fn) fields(l *ast.FieldList, tuple *types.Tuple, params, variadic bool) []*ast.Field {
	var out []*ast.Field
	i := 0
	for _, fl := range l.List {
		n := max(1, len(fl.Names))
		for j := range n {
			t := tuple.At(i).Type()
			var typ ast.Expr
			if variadic && i == tuple.Len()-1 {
				typ = &ast.Ellipsis{Ellipsis: f.pos, Elt: f.typ(f.u, f.in(f.u, t).Underlying().(*types.Slice).Elem())}
			} else {
				typ = f.typ(f.u, t)
			}
			name := ""
			if len(fl.Names) == 0 && params { // beside a receiver that has one
				name = f.temp()
			}
			if len(fl.Names) > 0 {
				name = f.temp()
				if o := f.u.info.Defs[fl.Names[j]]; o != nil && o.Name() != "_" {
					name = f.local(o)
				}
			}
			out = append(out, f.field(name, typ))
			i++
		}
	}
	return out
}

// callsCode reports whether a body calls anything, so that it may recurse.
func callsCode(b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if _, ok := n.(*ast.CallExpr); ok {
			found = true
		}
		return !found
	})
	return found
}

func (f *fn) stmts(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for i, s := range list {
		out = append(append(out, f.beginStep(list[i:])...), f.stmtAt(s)...)
	}
	return out
}

func (f *fn) body(b *ast.BlockStmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: f.stmts(b.List), Rbrace: b.Rbrace}
}

// stmtAt lowers a statement and notes its line for messages.
func (f *fn) stmtAt(s ast.Stmt) []ast.Stmt {
	switch s.(type) {
	case *ast.BlockStmt, *ast.LabeledStmt, *ast.EmptyStmt, *ast.BranchStmt:
		return f.stmt(s)
	case *ast.DeclStmt:
		if s.(*ast.DeclStmt).Decl.(*ast.GenDecl).Tok != token.VAR {
			return nil
		}
	}
	before, after := f.usesMaps(s)
	out := append(append(append(f.mark(s), f.large(s)...), f.arrays(s)...), before...)
	return append(append(out, f.stmt(s)...), after...)
}

// mark notes the line of a statement, if it is one that does.
func (f *fn) mark(n ast.Node) []ast.Stmt {
	if !noted(n) && !f.EveryLine {
		return nil
	}
	return f.line(n)
}

// noted reports whether a statement notes its line: it may panic or call, or it is a loop, in which an interrupt may
// come.
func noted(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return risky(n)
}

// line notes the line of a statement.
func (f *fn) line(n ast.Node) []ast.Stmt {
	if f.u.cell == 0 {
		return nil
	}
	at := f.u.fset.Position(n.Pos())
	code := Code(f.u.numberOf(n), at.Line, at.Column)
	if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) > 0 {
		if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
			f.prog.Assigns[code] = id.Name
		}
	}
	if core.Race {
		return []ast.Stmt{f.exprStmt(f.rtCall("Line", f.intLit(code)))}
	}
	return []ast.Stmt{f.assign(f.id(core.LineVar), token.ASSIGN, f.intLit(code))}
}

// risky: a statement that can panic or calls something, by itself and not by
// the statements inside of it.
func risky(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt,
			*ast.GoStmt, *ast.SelectorExpr:
			found = true
		case *ast.BinaryExpr:
			found = found || x.Op == token.QUO || x.Op == token.REM || x.Op == token.SHL || x.Op == token.SHR ||
				x.Op == token.EQL
		case *ast.AssignStmt:
			found = found || x.Tok == token.QUO_ASSIGN || x.Tok == token.REM_ASSIGN
		case *ast.UnaryExpr:
			found = found || x.Op == token.ARROW
		case *ast.FuncLit, *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return false
		}
		return !found
	})
	return found
}

func one(s ast.Stmt) []ast.Stmt { return []ast.Stmt{s} }

// chanOf is the type of a channel.
func (f *fn) chanOf(e ast.Expr) *types.Chan { return f.typeOf(e).Underlying().(*types.Chan) }

func (f *fn) stmt(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return nil
	case *ast.ExprStmt:
		return one(&ast.ExprStmt{X: f.expr(ast.Unparen(s.X))})
	case *ast.AssignStmt:
		return f.assignStmt(s)
	case *ast.DeclStmt:
		return f.varStmt(s.Decl.(*ast.GenDecl))
	case *ast.IncDecStmt:
		if out := f.countsInMap(s); out != nil {
			return out
		}
		return one(&ast.IncDecStmt{X: f.expr(s.X), TokPos: s.TokPos, Tok: s.Tok})
	case *ast.SendStmt:
		return one(&ast.SendStmt{Chan: f.channel(s.Chan), Arrow: s.Arrow,
			Value: f.to(s.Value, f.chanOf(s.Chan).Elem())})
	case *ast.BlockStmt:
		return one(f.body(s))
	case *ast.IfStmt:
		return f.ifStatement(s)
	case *ast.ForStmt:
		return f.forStmt(s, "")
	case *ast.RangeStmt:
		return f.rangeStmt(s, "")
	case *ast.SwitchStmt:
		return f.switchStmt(s)
	case *ast.TypeSwitchStmt:
		return f.typeSwitch(s)
	case *ast.SelectStmt:
		return f.selectStmt(s)
	case *ast.LabeledStmt:
		return f.labeled(s)
	case *ast.BranchStmt:
		return f.branch(s)
	case *ast.ReturnStmt:
		return f.returnStmt(s)
	case *ast.GoStmt:
		return f.goStmt(s)
	case *ast.DeferStmt:
		return f.deferStmt(s)
	}
	refuse(s, "the interpreter cannot do this (%T)", s)
	return nil
}

func (f *fn) ifStatement(s *ast.IfStmt) []ast.Stmt {
	var pre []ast.Stmt
	if s.Init != nil {
		pre = f.stmtAt(s.Init)
	}
	out := &ast.IfStmt{If: s.If, Cond: f.expr(s.Cond), Body: f.body(s.Body)}
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		out.Else = f.body(e)
	case *ast.IfStmt:
		l := f.ifStatement(e)
		if len(l) == 1 {
			out.Else = l[0]
		} else {
			out.Else = f.block(l)
		}
	}
	if len(pre) == 0 {
		return one(out)
	}
	return one(f.block(append(pre, out)))
}

func (f *fn) returnStmt(s *ast.ReturnStmt) []ast.Stmt {
	if f.yield != nil {
		return f.yieldReturn(s)
	}
	if f.outer {
		return append(f.hold(s), &ast.ReturnStmt{Return: s.Return})
	}
	if len(s.Results) == 0 || f.sig == nil {
		return append(f.restore(), &ast.ReturnStmt{Return: s.Return})
	}
	res := f.sig.Results()
	if len(s.Results) == 1 && res.Len() > 1 {
		tuple := f.typeOf(s.Results[0]).(*types.Tuple)
		exprs, temps := f.temps(res.Len())
		out := one(&ast.AssignStmt{Lhs: exprs, TokPos: s.Return, Tok: token.DEFINE,
			Rhs: []ast.Expr{f.several(s.Results[0])}})
		var vals []ast.Expr
		for i, t := range temps {
			vals = append(vals, f.convert(f.id(t), tuple.At(i).Type(), res.At(i).Type()))
		}
		return append(append(out, f.restore()...), &ast.ReturnStmt{Return: s.Return, Results: vals})
	}
	var values []ast.Expr
	for i, r := range s.Results {
		values = append(values, f.to(r, res.At(i).Type()))
	}
	return f.returning(s, values)
}

// hold assigns the values of a return statement to the results' names.
func (f *fn) hold(s *ast.ReturnStmt) []ast.Stmt {
	if len(s.Results) == 0 {
		return nil
	}
	res, dest := f.returns(), f.returnNames()
	exprs, temps := f.temps(res.Len())
	var out []ast.Stmt
	if len(s.Results) == 1 && res.Len() > 1 {
		tuple := f.typeOf(s.Results[0]).(*types.Tuple)
		out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: s.Return, Tok: token.DEFINE,
			Rhs: []ast.Expr{f.several(s.Results[0])}})
		for i, t := range temps {
			out = append(out, f.assign(f.id(dest[i]), token.ASSIGN,
				f.convert(f.id(t), tuple.At(i).Type(), res.At(i).Type())))
		}
		return out
	}
	if len(s.Results) == 1 {
		return one(f.assign(f.id(dest[0]), token.ASSIGN, f.to(s.Results[0], res.At(0).Type())))
	}
	order := f.order(s.Results)
	for n := range s.Results {
		i := n
		if order != nil {
			i = order[n]
		}
		out = append(out, &ast.DeclStmt{Decl: f.varDecl(temps[i], f.typ(f.u, res.At(i).Type()))},
			f.assign(f.id(temps[i]), token.ASSIGN, f.to(s.Results[i], res.At(i).Type())))
	}
	for i, t := range temps {
		out = append(out, f.assign(f.id(dest[i]), token.ASSIGN, f.id(t)))
	}
	return out
}

// show passes the values of a final expression to the session.
func (f *fn) show(e ast.Expr, quiet bool) []ast.Stmt {
	tv := f.u.info.Types[ast.Unparen(e)]
	if tv.IsVoid() {
		return one(f.exprStmt(f.expr(ast.Unparen(e))))
	}
	if tuple, ok := f.typeOf(e).(*types.Tuple); ok {
		if tuple.Len() == 0 || check.Prints(f.u.info, e) {
			return one(f.exprStmt(f.expr(ast.Unparen(e))))
		}
		exprs, temps := f.temps(tuple.Len())
		out := one(&ast.AssignStmt{Lhs: exprs, TokPos: f.pos, Tok: token.DEFINE, Rhs: []ast.Expr{f.several(e)}})
		if quiet {
			return out
		}
		for i, t := range temps {
			out = append(out, f.exprStmt(f.rtCall("Show",
				f.convert(f.id(t), tuple.At(i).Type(), types.Universe.Lookup("any").Type()))))
		}
		return out
	}
	if quiet {
		if _, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			return one(f.exprStmt(f.expr(ast.Unparen(e))))
		}
		return one(f.drop(f.expr(e)))
	}
	return one(f.exprStmt(f.rtCall("Show", f.anyOf(e))))
}
