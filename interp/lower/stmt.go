package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"gotorch/interp/engine"
)

// function lowers a function's type and body; f is the function's own.
func (f *fn) function(t *ast.FuncType, b *ast.BlockStmt) (*ast.FuncType, *ast.BlockStmt) {
	params := f.fields(t.Params, f.sig.Params(), f.sig.Variadic())
	var results []*ast.Field
	if t.Results != nil {
		results = f.fields(t.Results, f.sig.Results(), false)
	}
	var body []ast.Stmt
	if !defers(b) {
		if callsCode(b) {
			body = append(body, f.exprStmt(f.rtCall("Enter")))
		}
		if t.Results != nil && len(t.Results.List) > 0 && len(t.Results.List[0].Names) > 0 {
			f.rets = names(results)
		}
		body = append(body, f.stmts(b.List)...)
		return f.funcType(params, results), &ast.BlockStmt{Lbrace: b.Lbrace, List: body, Rbrace: b.Rbrace}
	}
	for _, r := range results { // all have names: the closure assigns to them
		if len(r.Names) == 0 {
			r.Names = []*ast.Ident{f.id(f.temp())}
		}
	}
	f.rets, f.outer = names(results), true
	body = append(body, f.exprStmt(f.rtCall("Enter")))
	body = append(body, f.protected(f.stmtsWithDefers(b.List))...)
	body = append(body, f.ret(f.ids(f.rets)...))
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

// protected makes a closure of a body and has the engine run it and what it
// defers.
func (f *fn) protected(body []ast.Stmt) []ast.Stmt {
	return []ast.Stmt{
		f.define(f.defers, f.rtCall("Defers")),
		f.exprStmt(f.rtCall("Protect", f.id(f.defers), f.paren(f.funcLit(f.funcType(nil, nil), body...)))),
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
func (f *fn) fields(l *ast.FieldList, tuple *types.Tuple, variadic bool) []*ast.Field {
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
	for _, s := range list {
		out = append(out, f.stmtAt(s)...)
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
	return append(f.mark(s), f.stmt(s)...)
}

// mark notes the line of a statement that may panic or call.
func (f *fn) mark(n ast.Node) []ast.Stmt {
	if f.u.cell == 0 || !risky(n) {
		return nil
	}
	line := f.u.fset.Position(n.Pos()).Line
	code := Code(f.u.cell, line)
	if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) > 0 {
		if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
			f.prog.Assigns[code] = id.Name
		}
	}
	if raceEnabled {
		return []ast.Stmt{f.exprStmt(f.rtCall("Line", f.intLit(code)))}
	}
	return []ast.Stmt{f.assign(f.id(engine.LineVar), token.ASSIGN, f.intLit(code))}
}

// risky: a statement that can panic or calls something, by itself and not by
// the statements inside of it.
func risky(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt, *ast.GoStmt, *ast.SelectorExpr:
			found = true
		case *ast.BinaryExpr:
			found = found || x.Op == token.QUO || x.Op == token.REM || x.Op == token.SHL || x.Op == token.SHR || x.Op == token.EQL
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
		return one(&ast.IncDecStmt{X: f.expr(s.X), TokPos: s.TokPos, Tok: s.Tok})
	case *ast.SendStmt:
		ch := f.typeOf(s.Chan).Underlying().(*types.Chan)
		return one(&ast.SendStmt{Chan: f.expr(s.Chan), Arrow: s.Arrow, Value: f.to(s.Value, ch.Elem())})
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

// isNew reports whether an identifier on the left of := is a new variable.
func (f *fn) isNew(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && f.u.info.Defs[id] != nil
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (f *fn) assignStmt(s *ast.AssignStmt) []ast.Stmt {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE { // x op= y
		return one(&ast.AssignStmt{Lhs: []ast.Expr{f.expr(s.Lhs[0])}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{f.expr(s.Rhs[0])}})
	}
	if len(s.Lhs) == 1 {
		return one(f.store(s.Lhs[0], f.rhs(s.Lhs[0], s.Rhs[0])))
	}
	var out []ast.Stmt
	targets := make([]ast.Expr, len(s.Lhs))
	for i, l := range s.Lhs {
		targets[i] = f.target(l, &out)
	}
	exprs, temps := f.temps(len(s.Lhs))
	if len(s.Rhs) == 1 {
		tuple, ok := f.typeOf(s.Rhs[0]).(*types.Tuple)
		if !ok {
			refuse(s, "the interpreter cannot take this apart")
		}
		for i, l := range s.Lhs {
			if blank(l) {
				exprs[i] = f.id("_")
			}
		}
		if !allBlank(s.Lhs) {
			out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{f.several(s.Rhs[0])}})
		} else {
			out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{f.several(s.Rhs[0])}})
		}
		for i, l := range s.Lhs {
			if !blank(l) {
				x := ast.Expr(f.id(temps[i]))
				if !f.isNew(l) {
					x = f.convert(x, tuple.At(i).Type(), f.typeOf(l))
				}
				out = append(out, f.storeTo(l, targets[i], x))
			}
		}
		return out
	}
	for i, l := range s.Lhs {
		x := f.rhs(l, s.Rhs[i])
		if blank(l) {
			out = append(out, f.assign(f.id("_"), token.ASSIGN, x))
			continue
		}
		if isNil(f.typeOf(s.Rhs[i])) { // a temporary needs a type
			out = append(out, &ast.DeclStmt{Decl: f.varDecl(temps[i], f.typ(f.u, f.typeOf(l)))})
			continue
		}
		if isInterface(f.typeOf(l)) {
			d := f.varDecl(temps[i], f.typ(f.u, f.typeOf(l)))
			out = append(out, &ast.DeclStmt{Decl: d}, f.assign(f.id(temps[i]), token.ASSIGN, x))
			continue
		}
		out = append(out, f.define(temps[i], x))
	}
	for i, l := range s.Lhs {
		if !blank(l) {
			out = append(out, f.storeTo(l, targets[i], f.id(temps[i])))
		}
	}
	return out
}

func allBlank(l []ast.Expr) bool {
	for _, e := range l {
		if !blank(e) {
			return false
		}
	}
	return true
}

// target lowers what is assigned to, when several things are: its operands are
// evaluated before anything is stored.
func (f *fn) target(l ast.Expr, out *[]ast.Stmt) ast.Expr {
	hold := func(x ast.Expr) ast.Expr {
		t := f.temp()
		*out = append(*out, f.define(t, x))
		return f.id(t)
	}
	switch e := ast.Unparen(l).(type) {
	case *ast.Ident:
		return nil
	case *ast.IndexExpr:
		x := f.index(e).(*ast.IndexExpr)
		if f.u.info.Types[e.Index].Value == nil {
			x.Index = hold(x.Index)
		}
		return x
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: hold(f.expr(e.X))}
	}
	return f.expr(l)
}

// rhs lowers what is assigned to l.
func (f *fn) rhs(l, r ast.Expr) ast.Expr {
	if blank(l) || f.isNew(l) {
		if isNil(f.typeOf(r)) {
			return f.expr(r)
		}
		return f.expr(r)
	}
	return f.to(r, f.typeOf(l))
}

func (f *fn) store(l ast.Expr, x ast.Expr) ast.Stmt {
	if blank(l) {
		return f.assign(f.id("_"), token.ASSIGN, x)
	}
	var none []ast.Stmt
	t := ast.Expr(nil)
	if _, ok := l.(*ast.Ident); !ok {
		t = f.expr(l)
	}
	_ = none
	return f.storeTo(l, t, x)
}

// storeTo assigns or defines; target is nil for names.
func (f *fn) storeTo(l, target, x ast.Expr) ast.Stmt {
	if target == nil {
		id := ast.Unparen(l).(*ast.Ident)
		o := f.object(id)
		if f.isNew(l) && f.u.def(o) == nil {
			return &ast.AssignStmt{Lhs: []ast.Expr{at(f.id(f.local(o)), id)}, TokPos: f.pos, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
		}
		target = f.ident(id)
	}
	return &ast.AssignStmt{Lhs: []ast.Expr{target}, TokPos: l.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

// several lowers an expression with several values: a call, or v, ok.
func (f *fn) several(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		t := f.typeOf(x.Type)
		return f.call(f.id(f.asserter(t, true)), f.anyOf(x.X))
	default:
		return f.expr(x)
	}
}

// varStmt is a var declaration among statements.
func (f *fn) varStmt(g *ast.GenDecl) []ast.Stmt {
	var out []ast.Stmt
	if g.Tok != token.VAR {
		return nil
	}
	for _, sp := range g.Specs {
		v := sp.(*ast.ValueSpec)
		if len(v.Values) == 1 && len(v.Names) > 1 {
			exprs, temps := f.temps(len(v.Names))
			tuple := f.typeOf(v.Values[0]).(*types.Tuple)
			out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: f.pos, Tok: token.DEFINE, Rhs: []ast.Expr{f.several(v.Values[0])}})
			for i, n := range v.Names {
				if n.Name == "_" {
					out = append(out, f.assign(f.id("_"), token.ASSIGN, f.id(temps[i])))
					continue
				}
				out = append(out, f.declareVar(n, f.convert(f.id(temps[i]), tuple.At(i).Type(), f.u.info.Defs[n].Type()))...)
			}
			continue
		}
		for i, n := range v.Names {
			var x ast.Expr
			if i < len(v.Values) {
				if n.Name == "_" {
					out = append(out, f.assign(f.id("_"), token.ASSIGN, f.expr(v.Values[i])))
					continue
				}
				x = f.to(v.Values[i], f.in(f.u, f.u.info.Defs[n].Type()))
			} else if n.Name == "_" {
				continue
			}
			out = append(out, f.declareVar(n, x)...)
		}
	}
	return out
}

// declareVar declares one variable; x is nil for the zero value.
func (f *fn) declareVar(n *ast.Ident, x ast.Expr) []ast.Stmt {
	o := f.u.info.Defs[n]
	if f.u.def(o) != nil {
		if x == nil {
			x = f.zero(f.in(f.u, o.Type()))
		}
		return one(&ast.AssignStmt{Lhs: []ast.Expr{f.ident(n)}, TokPos: n.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{x}})
	}
	out := one(&ast.DeclStmt{Decl: f.varDecl(f.local(o), f.typ(f.u, o.Type()))})
	if x != nil {
		out = append(out, f.assign(f.id(f.local(o)), token.ASSIGN, x))
	}
	return out
}

func (f *fn) returnStmt(s *ast.ReturnStmt) []ast.Stmt {
	if f.yield != nil {
		return f.yieldReturn(s)
	}
	if f.outer {
		return append(f.hold(s), &ast.ReturnStmt{Return: s.Return})
	}
	if len(s.Results) == 0 || f.sig == nil {
		return one(&ast.ReturnStmt{Return: s.Return})
	}
	res := f.sig.Results()
	if len(s.Results) == 1 && res.Len() > 1 {
		tuple := f.typeOf(s.Results[0]).(*types.Tuple)
		exprs, temps := f.temps(res.Len())
		out := one(&ast.AssignStmt{Lhs: exprs, TokPos: s.Return, Tok: token.DEFINE, Rhs: []ast.Expr{f.several(s.Results[0])}})
		var vals []ast.Expr
		for i, t := range temps {
			vals = append(vals, f.convert(f.id(t), tuple.At(i).Type(), res.At(i).Type()))
		}
		return append(out, &ast.ReturnStmt{Return: s.Return, Results: vals})
	}
	out := &ast.ReturnStmt{Return: s.Return}
	for i, r := range s.Results {
		out.Results = append(out.Results, f.to(r, res.At(i).Type()))
	}
	return one(out)
}

// goStmt evaluates the function and its arguments and hands a closure to the
// engine, which keeps panics in bounds.
func (f *fn) goStmt(s *ast.GoStmt) []ast.Stmt {
	pre, call := f.frozen(s.Call)
	out := append(pre, f.exprStmt(f.rtCall("Go", f.paren(f.funcLit(f.funcType(nil, nil), f.exprStmt(call))))))
	if len(pre) == 0 {
		return out
	}
	return one(f.block(out))
}

// frozen lowers a call that is made later: what it calls and with what is held
// in temporaries.
func (f *fn) frozen(c *ast.CallExpr) (pre []ast.Stmt, call ast.Expr) {
	x := f.expr(c)
	for {
		p, ok := x.(*ast.ParenExpr)
		if !ok {
			break
		}
		x = p.X
	}
	cc, ok := x.(*ast.CallExpr)
	if !ok {
		return nil, x
	}
	hold := func(e ast.Expr) ast.Expr {
		switch e.(type) {
		case *ast.BasicLit, *ast.FuncLit:
			return e
		}
		if id, ok := e.(*ast.Ident); ok && (id.Name == "nil" || id.Name == "true" || id.Name == "false") {
			return e
		}
		t := f.temp()
		pre = append(pre, f.define(t, e))
		return f.id(t)
	}
	switch fun := cc.Fun.(type) {
	case *ast.Ident, *ast.FuncLit, *ast.ParenExpr:
	case *ast.SelectorExpr:
		if id, ok := fun.X.(*ast.Ident); !ok || !f.isPkg(id.Name) {
			cc.Fun = hold(fun)
		}
	default:
		cc.Fun = hold(fun)
	}
	builtin := false
	if id, ok := cc.Fun.(*ast.Ident); ok {
		builtin = types.Universe.Lookup(id.Name) != nil
	}
	for i, a := range cc.Args {
		if builtin && i == 0 && isTypeNode(a) {
			continue
		}
		cc.Args[i] = hold(a)
	}
	return pre, cc
}

func isTypeNode(e ast.Expr) bool {
	switch e.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

func (k *cell) isPkg(name string) bool {
	if name == engine.RuntimeName {
		return true
	}
	for _, n := range k.imports {
		if n == name {
			return true
		}
	}
	return false
}

// hold assigns what a return statement gives to the results' names.
func (f *fn) hold(s *ast.ReturnStmt) []ast.Stmt {
	if len(s.Results) == 0 {
		return nil
	}
	res, dest := f.returns(), f.returnNames()
	exprs, temps := f.temps(res.Len())
	var out []ast.Stmt
	if len(s.Results) == 1 && res.Len() > 1 {
		tuple := f.typeOf(s.Results[0]).(*types.Tuple)
		out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: s.Return, Tok: token.DEFINE, Rhs: []ast.Expr{f.several(s.Results[0])}})
		for i, t := range temps {
			out = append(out, f.assign(f.id(dest[i]), token.ASSIGN, f.convert(f.id(t), tuple.At(i).Type(), res.At(i).Type())))
		}
		return out
	}
	if len(s.Results) == 1 {
		return one(f.assign(f.id(dest[0]), token.ASSIGN, f.to(s.Results[0], res.At(0).Type())))
	}
	for i, r := range s.Results {
		out = append(out, &ast.DeclStmt{Decl: f.varDecl(temps[i], f.typ(f.u, res.At(i).Type()))},
			f.assign(f.id(temps[i]), token.ASSIGN, f.to(r, res.At(i).Type())))
	}
	for i, t := range temps {
		out = append(out, f.assign(f.id(dest[i]), token.ASSIGN, f.id(t)))
	}
	return out
}

// deferStmt evaluates the function and its arguments and leaves the call to
// the engine.
func (f *fn) deferStmt(s *ast.DeferStmt) []ast.Stmt {
	pre, call := f.frozen(s.Call)
	return append(pre, f.exprStmt(f.rtCall("Defer", f.id(f.deferring()), f.paren(f.funcLit(f.funcType(nil, nil), f.exprStmt(call))))))
}

// deferring is what holds the deferred calls of the function around.
func (f *fn) deferring() string {
	if f.yield != nil {
		return f.yield.outer.deferring()
	}
	return f.defers
}

// printed reports whether an expression is a call whose results nobody wants to
// see: of fmt's printing functions.
func (f *fn) printed(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := f.object(s.Sel)
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "fmt" && (strings.HasPrefix(o.Name(), "Print") || strings.HasPrefix(o.Name(), "Fprint"))
}

// show passes the values of a final expression to the session.
func (f *fn) show(e ast.Expr, quiet bool) []ast.Stmt {
	tv := f.u.info.Types[ast.Unparen(e)]
	if tv.IsVoid() {
		return one(f.exprStmt(f.expr(ast.Unparen(e))))
	}
	if tuple, ok := f.typeOf(e).(*types.Tuple); ok {
		if tuple.Len() == 0 || f.printed(e) {
			return one(f.exprStmt(f.expr(ast.Unparen(e))))
		}
		exprs, temps := f.temps(tuple.Len())
		out := one(&ast.AssignStmt{Lhs: exprs, TokPos: f.pos, Tok: token.DEFINE, Rhs: []ast.Expr{f.several(e)}})
		if quiet {
			return out
		}
		for i, t := range temps {
			out = append(out, f.exprStmt(f.rtCall("Show", f.convert(f.id(t), tuple.At(i).Type(), types.Universe.Lookup("any").Type()))))
		}
		return out
	}
	if quiet {
		if _, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			return one(f.exprStmt(f.expr(ast.Unparen(e))))
		}
		return one(f.assign(f.id("_"), token.ASSIGN, f.expr(e)))
	}
	return one(f.exprStmt(f.rtCall("Show", f.anyOf(e))))
}
