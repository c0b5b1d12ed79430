package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"gotorch/interp/core"
)

// Note: maps of several goroutines. A statement that writes a map, or reads one and calls nothing, tells the engine
// so while goroutines of cells run; see package yaegi. With none it looks at a variable, twice.

// usesMaps returns the statements to insert before and after a statement that uses maps itself, not in the statements
// inside of it.
func (f *fn) usesMaps(s ast.Stmt) (before, after []ast.Stmt) {
	switch x := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt:
	case *ast.ExprStmt:
		c, ok := ast.Unparen(x.X).(*ast.CallExpr)
		if !ok || !f.isBuiltin(c, "delete") {
			return nil, nil
		}
	default:
		return nil, nil
	}
	if f.calls(s) {
		return nil, nil
	}
	l := &lengths{fn: f}
	var uses []ast.Stmt
	add := func(m ast.Expr, write bool) {
		if l.plain(m) {
			uses = append(uses, f.touch(f.expr(m), write))
		}
	}
	written := map[ast.Expr]bool{}
	switch x := s.(type) {
	case *ast.AssignStmt:
		for _, e := range x.Lhs {
			written[ast.Unparen(e)] = true
		}
	case *ast.IncDecStmt:
		written[ast.Unparen(x.X)] = true
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR { // the right side may not be looked at
				return false
			}
		case *ast.IndexExpr:
			if f.isMap(x.X) {
				add(x.X, written[x])
			}
		case *ast.CallExpr:
			if f.isBuiltin(x, "delete") {
				add(x.Args[0], true)
			}
		}
		return true
	})
	if len(uses) == 0 {
		return nil, nil
	}
	return one(f.beside(uses...)), one(f.beside(f.exprStmt(f.rtCall("Untouch"))))
}

// writesMap lowers m[k] = v and m[k] += v where k or v are made by calls: these come first, and only the writing tells
// the engine. It returns nil for other statements.
func (f *fn) writesMap(s *ast.AssignStmt) []ast.Stmt {
	if len(s.Lhs) != 1 || s.Tok == token.DEFINE {
		return nil
	}
	x, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	l := &lengths{fn: f}
	if !ok || !f.isMap(x.X) || !f.calls(s) && l.plain(x.X) || s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
		return nil
	}
	m := f.typeOf(x.X).Underlying().(*types.Map)
	out, whole := f.heldMap(x.X)
	hold := func(v ast.Expr, t types.Type) ast.Expr {
		if f.u.info.Types[v].Value != nil || isNil(f.typeOf(v)) {
			return f.to(v, t)
		}
		n := f.temp()
		out = append(out, &ast.DeclStmt{Decl: f.varDecl(n, f.typ(f.u, t))},
			f.assign(f.id(n), token.ASSIGN, f.to(v, t)))
		return f.id(n)
	}
	key := hold(x.Index, m.Key())
	if isInterface(m.Key()) && !f.compiledInterface(f.u, m.Key()) {
		key = f.rtCall("Key", key)
	}
	value := hold(s.Rhs[0], m.Elem())
	return append(out, f.beside(f.touch(whole(), true)),
		&ast.AssignStmt{Lhs: []ast.Expr{&ast.IndexExpr{X: whole(), Lbrack: x.Lbrack, Index: key,
			Rbrack: x.Rbrack}}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{value}},
		f.beside(f.exprStmt(f.rtCall("Untouch"))))
}

// countsInMap lowers m[k]++ where m or k are made by calls, or m lies in another map.
func (f *fn) countsInMap(s *ast.IncDecStmt) []ast.Stmt {
	x, ok := ast.Unparen(s.X).(*ast.IndexExpr)
	l := &lengths{fn: f}
	if !ok || !f.isMap(x.X) || !f.calls(s) && l.plain(x.X) {
		return nil
	}
	out, whole := f.heldMap(x.X)
	k := f.temp()
	t := f.typeOf(x.X).Underlying().(*types.Map).Key()
	out = append(out, &ast.DeclStmt{Decl: f.varDecl(k, f.typ(f.u, t))},
		f.assign(f.id(k), token.ASSIGN, f.keyOf(x.Index, t)))
	return append(out, f.beside(f.touch(whole(), true)),
		&ast.IncDecStmt{X: &ast.IndexExpr{X: whole(), Lbrack: x.Lbrack, Index: f.id(k), Rbrack: x.Rbrack},
			TokPos: s.TokPos, Tok: s.Tok}, f.beside(f.exprStmt(f.rtCall("Untouch"))))
}

// heldMap gives statements after which whole is the map, which is found once.
func (f *fn) heldMap(e ast.Expr) (out []ast.Stmt, whole func() ast.Expr) {
	l := &lengths{fn: f}
	if l.plain(e) {
		return nil, func() ast.Expr { return f.expr(e) }
	}
	n := f.temp()
	out = []ast.Stmt{f.define(n, f.expr(e))}
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && f.isMap(x.X) && l.plain(x.X) {
		out = []ast.Stmt{f.beside(f.touch(f.expr(x.X), false)), out[0], f.beside(f.exprStmt(f.rtCall("Untouch")))}
	}
	return out, func() ast.Expr { return f.id(n) }
}

// rangeMap has a range over a map go through a copy while goroutines of cells run, which may write the map. What is no
// longer in the map is passed over, and values are those that it has now. It returns the statements before the loop,
// and the first ones of its body; several says that the loop itself starts goroutines.
func (f *fn) rangeMap(loop *ast.RangeStmt, t types.Type, m *types.Map, several bool) (before, first []ast.Stmt) {
	whole, over := f.temp(), f.temp()
	before = []ast.Stmt{f.define(whole, loop.X), f.define(over, f.id(whole))}
	part := f.assign(f.id(over), token.ASSIGN, f.assert(f.rtCall("Snap", f.id(whole)), f.typ(f.u, t)))
	if several {
		before = append(before, part)
	} else {
		before = append(before, f.beside(part))
	}
	loop.X = f.id(over)
	if loop.Key == nil {
		loop.Key, loop.Tok = f.id(f.temp()), token.DEFINE
	} else if blank(loop.Key) {
		loop.Key = f.id(f.temp())
	}
	key := func() ast.Expr { return f.id(loop.Key.(*ast.Ident).Name) }
	now, ok := f.temp(), f.temp()
	read := &ast.AssignStmt{Lhs: f.ids([]string{now, ok}), TokPos: f.pos, Tok: token.DEFINE,
		Rhs: []ast.Expr{&ast.IndexExpr{X: f.id(whole), Index: key()}}}
	check := []ast.Stmt{f.touch(f.id(whole), false), read, f.exprStmt(f.rtCall("Untouch")),
		f.ifStmt(&ast.UnaryExpr{OpPos: f.pos, Op: token.NOT, X: f.id(ok)},
			&ast.BranchStmt{TokPos: f.pos, Tok: token.CONTINUE})}
	if loop.Value != nil && !blank(loop.Value) {
		check = append(check, f.assign(f.id(loop.Value.(*ast.Ident).Name), token.ASSIGN, f.id(now)))
	} else {
		check = append(check, f.assign(f.id("_"), token.ASSIGN, f.id(now)))
	}
	return before, one(f.beside(check...))
}

func (f *fn) isMap(e ast.Expr) bool {
	if tv := f.u.info.Types[e]; tv.IsType() || tv.Type == nil || isGeneric(tv.Type) {
		return false
	}
	_, ok := f.typeOf(e).Underlying().(*types.Map)
	return ok
}

func (f *fn) isBuiltin(c *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := f.object(id).(*types.Builtin)
	return ok && b.Name() == name
}

func (f *fn) touch(m ast.Expr, write bool) ast.Stmt {
	word := "false"
	if write {
		word = "true"
	}
	return f.exprStmt(f.rtCall("Touch", m, f.id(word)))
}

// beside makes statements conditional: they run only while goroutines of cells do.
func (f *fn) beside(list ...ast.Stmt) ast.Stmt {
	cond := ast.Expr(f.id(core.SeveralVar))
	if core.Race {
		cond = f.rtCall("Several")
	}
	return f.ifStmt(cond, list...)
}
