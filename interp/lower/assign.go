package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

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
	if out := f.writesMap(s); out != nil {
		return out
	}
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE { // x op= y
		y := f.expr(s.Rhs[0])
		if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
			y = f.shiftCount(s.Rhs[0], y)
			f.noteVariable(y, s.Rhs[0])
		}
		return one(&ast.AssignStmt{Lhs: []ast.Expr{f.expr(s.Lhs[0])}, TokPos: s.TokPos, Tok: s.Tok,
			Rhs: []ast.Expr{y}})
	}
	if len(s.Lhs) == 1 {
		if u, ok := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW && !blank(s.Lhs[0]) {
			return f.received(s)
		}
		return one(f.store(s.Lhs[0], f.rhs(s.Lhs[0], s.Rhs[0])))
	}
	var out []ast.Stmt
	targets := make([]ast.Expr, len(s.Lhs))
	for i, l := range s.Lhs {
		if _, ok := ast.Unparen(l).(*ast.Ident); !ok {
			targets[i] = f.target(l, s.Lhs, &out)
		}
	}
	exprs, temps := f.temps(len(s.Lhs))
	if len(s.Rhs) == 1 {
		tuple, ok := f.typeOf(s.Rhs[0]).(*types.Tuple)
		if !ok {
			refuse(s, "the interpreter cannot take this apart")
		}
		out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: s.TokPos, Tok: token.DEFINE,
			Rhs: []ast.Expr{f.several(s.Rhs[0])}})
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
			out = append(out, f.drop(x))
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

// received assigns what a channel sends: the target is evaluated first.
func (f *fn) received(s *ast.AssignStmt) []ast.Stmt {
	l := s.Lhs[0]
	var out []ast.Stmt
	var target ast.Expr
	if _, ok := ast.Unparen(l).(*ast.Ident); !ok {
		target = f.target(l, s.Lhs, &out)
	}
	x := f.expr(s.Rhs[0])
	if !f.isNew(l) {
		x = f.convert(x, f.typeOf(s.Rhs[0]), f.typeOf(l))
	}
	return append(out, f.storeTo(l, target, x))
}

// target lowers the left side of an assignment to several targets: indices, and the pointers, slices and maps that
// lead there, are looked up before anything is stored. p, p.next = p.next, nil stores into what p was.
func (f *fn) target(l ast.Expr, all []ast.Expr, out *[]ast.Stmt) ast.Expr {
	hold := func(src, x ast.Expr) ast.Expr {
		if id, ok := ast.Unparen(src).(*ast.Ident); ok && !f.assignedIn(id, all) {
			return x
		}
		t := f.temp()
		*out = append(*out, f.define(t, x))
		return f.id(t)
	}
	switch e := ast.Unparen(l).(type) {
	case *ast.IndexExpr:
		x := f.index(e).(*ast.IndexExpr)
		if _, ok := f.typeOf(e.X).Underlying().(*types.Array); ok {
			x.X = f.target(e.X, all, out)
		} else {
			x.X = hold(e.X, x.X)
		}
		if f.u.info.Types[e.Index].Value == nil {
			x.Index = hold(e.Index, x.Index)
		}
		return x
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: hold(e.X, f.expr(e.X))}
	case *ast.SelectorExpr:
		sel := f.u.info.Selections[e]
		if sel == nil { // of a package
			break
		}
		t := f.typeOf(e.X)
		_, index, _ := types.LookupFieldOrMethod(t, true, f.u.pkg, e.Sel.Name)
		x := ast.Expr(nil)
		if _, ok := t.Underlying().(*types.Pointer); ok {
			x = hold(e.X, f.expr(e.X))
		} else {
			x = f.target(e.X, all, out)
		}
		for i := range index {
			if _, ok := t.Underlying().(*types.Pointer); ok && i > 0 {
				x = hold(e, x)
			}
			x, t = f.path(x, t, index[i:i+1])
		}
		return x
	}
	return f.expr(l)
}

// assignedIn reports whether a name is among what a statement assigns to.
func (f *fn) assignedIn(id *ast.Ident, all []ast.Expr) bool {
	for _, l := range all {
		if other, ok := ast.Unparen(l).(*ast.Ident); ok && f.object(other) == f.object(id) {
			return true
		}
	}
	return false
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

// drop is _ = x. The interpreter has one variable for all blank names of a function, with the type of the first.
func (f *fn) drop(x ast.Expr) ast.Stmt { return f.define(f.temp(), x) }

func (f *fn) store(l ast.Expr, x ast.Expr) ast.Stmt {
	if blank(l) {
		return f.drop(x)
	}
	t := ast.Expr(nil)
	if _, ok := l.(*ast.Ident); !ok {
		t = f.expr(l)
	}
	return f.storeTo(l, t, x)
}

// storeTo assigns or defines; target is nil for names.
func (f *fn) storeTo(l, target, x ast.Expr) ast.Stmt {
	if target == nil {
		id := ast.Unparen(l).(*ast.Ident)
		o := f.object(id)
		if f.isNew(l) && f.u.def(o) == nil {
			return &ast.AssignStmt{Lhs: []ast.Expr{at(f.id(f.local(o)), id)}, TokPos: f.pos, Tok: token.DEFINE,
				Rhs: []ast.Expr{x}}
		}
		target = f.ident(id)
	}
	return &ast.AssignStmt{Lhs: []ast.Expr{target}, TokPos: l.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

// several lowers an expression with several values: a call, or one of the form v, ok.
func (f *fn) several(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		t := f.typeOf(x.Type)
		return f.call(f.id(f.asserter(f.typeOf(x.X), t, true)), f.anyOf(x.X))
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
			out = append(out, &ast.AssignStmt{Lhs: exprs, TokPos: f.pos, Tok: token.DEFINE,
				Rhs: []ast.Expr{f.several(v.Values[0])}})
			for i, n := range v.Names {
				if n.Name == "_" {
					out = append(out, f.drop(f.id(temps[i])))
					continue
				}
				out = append(out, f.declareVar(n, f.convert(f.id(temps[i]), tuple.At(i).Type(),
					f.u.info.Defs[n].Type()))...)
			}
			continue
		}
		for i, n := range v.Names {
			var x ast.Expr
			if i < len(v.Values) {
				if n.Name == "_" {
					out = append(out, f.drop(f.expr(v.Values[i])))
					continue
				}
				x = f.expr(v.Values[i])
				x = f.convert(x, f.typeOf(v.Values[i]), f.in(f.u, f.u.info.Defs[n].Type()))
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
		return one(&ast.AssignStmt{Lhs: []ast.Expr{f.ident(n)}, TokPos: n.Pos(), Tok: token.ASSIGN,
			Rhs: []ast.Expr{x}})
	}
	out := one(&ast.DeclStmt{Decl: f.varDecl(f.local(o), f.typ(f.u, o.Type()))})
	if x != nil {
		out = append(out, f.assign(f.id(f.local(o)), token.ASSIGN, x))
	}
	return out
}
