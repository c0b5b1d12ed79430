package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"gotorch/interp/core"
)

// escapes reports whether a closure or a pointer may keep one of a loop's
// variables, so that each iteration must have its own.
func (f *fn) escapes(o types.Object, nodes ...ast.Node) bool {
	found := false
	uses := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.u.info.Uses[id] == o {
				found = true
			}
			return !found
		})
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.FuncLit:
				uses(x)
				return false
			case *ast.UnaryExpr:
				if x.Op == token.AND {
					uses(x.X)
				}
			case *ast.SelectorExpr: // a method may take its address
				if s := f.u.info.Selections[x]; s != nil && s.Kind() == types.MethodVal {
					uses(x.X)
				}
			case *ast.SliceExpr:
				uses(x.X)
			case *ast.RangeStmt: // may become a closure
				if _, ok := f.in(f.u, f.u.info.TypeOf(x.X)).Underlying().(*types.Signature); ok {
					uses(x)
				}
			case *ast.GoStmt, *ast.DeferStmt:
				uses(x)
			}
			return !found
		})
	}
	return found
}

// changes reports whether a loop's body assigns to the loop's own variable, by which the interpreter counts.
func (f *fn) changes(o types.Object, body ast.Node) bool {
	found := false
	is := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && f.u.info.Uses[id] == o {
			found = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				is(l)
			}
		case *ast.IncDecStmt:
			is(x.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{x.Key, x.Value} {
				if e != nil {
					is(e)
				}
			}
		}
		return !found
	})
	return found
}

// loopBody lowers the body of a loop: break and continue in it are its own.
func (f *fn) loopBody(b *ast.BlockStmt) []ast.Stmt {
	g := *f
	g.loops++
	if g.yield != nil {
		y := *g.yield
		y.breaks, y.continues = y.breaks+1, y.continues+1
		g.yield = &y
	}
	return append(f.turn(), g.stmts(b.List)...)
}

// turn gives way to other goroutines, where there are many: in the loops of cells that start some.
func (f *fn) turn() []ast.Stmt {
	if !f.goes {
		return nil
	}
	call := f.exprStmt(f.rtCall("Turn"))
	if core.Race {
		return one(call)
	}
	return one(f.ifStmt(f.id(core.TurnVar), call))
}

// goes reports whether what a statement or function says starts a goroutine.
func goes(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || x.Sel.Name == "Go" || x.Sel.Name == "AfterFunc"
		}
		return !found
	})
	return found
}

// breakable gives a copy of f in which a bare break belongs to a statement
// inside of it.
func (f *fn) breakable() *fn {
	g := *f
	if g.yield != nil {
		y := *g.yield
		y.breaks++
		g.yield = &y
	}
	return &g
}

func (f *fn) label(name string, s ast.Stmt) ast.Stmt {
	if name == "" {
		return s
	}
	return &ast.LabeledStmt{Label: f.id(name), Colon: s.Pos(), Stmt: s}
}

// forStmt lowers a for loop. Where a closure or a pointer keeps the loop's
// variables, each iteration has its own, copied from the one before.
func (f *fn) forStmt(s *ast.ForStmt, label string) []ast.Stmt {
	var vars []*types.Var
	var nodes []ast.Node
	nodes = append(nodes, s.Body)
	if s.Cond != nil {
		nodes = append(nodes, s.Cond)
	}
	if s.Post != nil {
		nodes = append(nodes, s.Post)
	}
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, l := range a.Lhs {
			if o, ok := f.u.info.Defs[l.(*ast.Ident)].(*types.Var); ok && o != nil && f.escapes(o, nodes...) {
				vars = append(vars, o)
			}
		}
	}
	var pre []ast.Stmt
	if s.Init != nil {
		pre = f.stmtAt(s.Init)
	}
	if len(vars) == 0 {
		loop := &ast.ForStmt{For: s.For}
		if s.Cond != nil {
			loop.Cond = f.expr(s.Cond)
		}
		if s.Post != nil {
			p := f.stmt(s.Post)
			if len(p) == 1 {
				loop.Post = p[0]
			} else { // several statements: a closure of none
				loop.Post = f.exprStmt(f.call(f.funcLit(f.funcType(nil, nil), p...)))
			}
		}
		loop.Body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: f.loopBody(s.Body), Rbrace: s.Body.Rbrace}
		return one(f.block(append(pre, f.label(label, loop))))
	}
	// first, p := true, &outer
	// for ; ; first = false { v := *p; if !first { post }; p = &v; if !cond { break }; body }
	first := f.temp()
	out := append(pre, f.define(first, f.id("true")))
	var head, keep []ast.Stmt
	for _, v := range vars {
		p := f.temp()
		out = append(out, f.define(p, &ast.UnaryExpr{OpPos: f.pos, Op: token.AND, X: f.id(f.local(v))}))
		delete(f.names, v)
		head = append(head, f.define(f.local(v), &ast.StarExpr{Star: f.pos, X: f.id(p)}))
		keep = append(keep, f.assign(f.id(p), token.ASSIGN, &ast.UnaryExpr{OpPos: f.pos, Op: token.AND, X: f.id(f.local(v))}))
	}
	if s.Post != nil {
		head = append(head, f.ifStmt(f.not(f.id(first)), f.stmt(s.Post)...))
	}
	head = append(head, keep...)
	if s.Cond != nil {
		head = append(head, f.ifStmt(f.not(f.expr(s.Cond)), &ast.BranchStmt{TokPos: f.pos, Tok: token.BREAK}))
	}
	loop := &ast.ForStmt{For: s.For, Post: f.assign(f.id(first), token.ASSIGN, f.id("false")),
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, f.loopBody(s.Body)...), Rbrace: s.Body.Rbrace}}
	return one(f.block(append(out, f.label(label, loop))))
}

func (f *fn) rangeStmt(s *ast.RangeStmt, label string) []ast.Stmt {
	t := f.typeOf(s.X)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			return f.rangeInt(s, t, label)
		}
		return f.rangeString(s, label)
	case *types.Signature:
		return f.rangeFunc(s, u, label)
	case *types.Pointer: // to an array
		if s.Value == nil {
			break
		}
	}
	loop := &ast.RangeStmt{For: s.For, TokPos: f.pos, Tok: token.DEFINE, X: f.expr(s.X)}
	if _, ok := t.Underlying().(*types.Pointer); ok {
		loop.X = &ast.StarExpr{Star: f.pos, X: f.paren(loop.X)}
		if s.Value != nil && !blank(s.Value) { // the array itself, not a copy
			loop.X = &ast.SliceExpr{X: f.paren(loop.X), Lbrack: f.pos, Rbrack: f.pos}
		}
	}
	key, kt, val, vt := rangeTypes(t)
	_, _ = key, val
	var head []ast.Stmt
	part := func(e ast.Expr, from types.Type) ast.Expr {
		if e == nil || blank(e) {
			return nil
		}
		n := f.temp()
		if s.Tok == token.DEFINE {
			o := f.u.info.Defs[e.(*ast.Ident)]
			if !f.escapes(o, s.Body) && !f.changes(o, s.Body) {
				return at(f.id(f.local(o)), e)
			}
			head = append(head, f.define(f.local(o), f.id(n)))
		} else {
			head = append(head, f.store(e, f.convert(f.id(n), from, f.typeOf(e))))
		}
		return f.id(n)
	}
	loop.Key, loop.Value = part(s.Key, kt), part(s.Value, vt)
	if loop.Key == nil && loop.Value != nil {
		loop.Key = f.id("_")
	}
	if loop.Key == nil {
		loop.Tok = token.ILLEGAL
	}
	loop.Body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, f.loopBody(s.Body)...), Rbrace: s.Body.Rbrace}
	return one(f.label(label, loop))
}

// rangeTypes are the types of what a range over t gives.
func rangeTypes(t types.Type) (key bool, kt types.Type, val bool, vt types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return true, types.Typ[types.Int], true, u.Elem()
	case *types.Array:
		return true, types.Typ[types.Int], true, u.Elem()
	case *types.Map:
		return true, u.Key(), true, u.Elem()
	case *types.Chan:
		return true, u.Elem(), false, nil
	case *types.Basic:
		return true, types.Typ[types.Int], true, types.Typ[types.Int32]
	case *types.Pointer:
		return rangeTypes(u.Elem())
	}
	return false, nil, false, nil
}

// rangeInt counts.
func (f *fn) rangeInt(s *ast.RangeStmt, t types.Type, label string) []ast.Stmt {
	if s.Tok == token.DEFINE && s.Key != nil && !blank(s.Key) {
		t = f.in(f.u, f.u.info.Defs[s.Key.(*ast.Ident)].Type())
	} else if s.Key != nil && !blank(s.Key) {
		t = f.typeOf(s.Key)
	} else {
		t = types.Default(t)
	}
	n, i := f.temp(), f.temp()
	typ := func(x ast.Expr) ast.Expr { return f.call(f.typ(f.u, t), x) }
	var head []ast.Stmt
	if s.Key != nil && !blank(s.Key) {
		if s.Tok == token.DEFINE {
			head = append(head, f.define(f.local(f.u.info.Defs[s.Key.(*ast.Ident)]), f.id(i)))
		} else {
			head = append(head, f.store(s.Key, f.id(i)))
		}
	}
	loop := &ast.ForStmt{For: s.For, Init: f.define(i, typ(f.intLit(0))), Cond: f.bin(f.id(i), token.LSS, f.id(n)),
		Post: &ast.IncDecStmt{X: f.id(i), TokPos: f.pos, Tok: token.INC},
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, f.loopBody(s.Body)...), Rbrace: s.Body.Rbrace}}
	return one(f.block([]ast.Stmt{f.define(n, typ(f.expr(s.X))), f.label(label, loop)}))
}

// rangeString goes through a string's runes by the places of their bytes: the interpreter would count runes.
func (f *fn) rangeString(s *ast.RangeStmt, label string) []ast.Stmt {
	str, i, r, w := f.temp(), f.temp(), f.temp(), f.temp()
	head := []ast.Stmt{&ast.AssignStmt{Lhs: f.ids([]string{r, w}), TokPos: f.pos, Tok: token.ASSIGN, Rhs: []ast.Expr{f.rtCall("Rune", f.id(str), f.id(i))}}}
	for _, part := range []struct {
		to   ast.Expr
		from string
		t    types.BasicKind
	}{{s.Key, i, types.Int}, {s.Value, r, types.Rune}} {
		switch {
		case part.to == nil || blank(part.to):
		case s.Tok == token.DEFINE:
			head = append(head, f.define(f.local(f.u.info.Defs[part.to.(*ast.Ident)]), f.id(part.from)))
		default:
			head = append(head, f.store(part.to, f.convert(f.id(part.from), types.Typ[part.t], f.typeOf(part.to))))
		}
	}
	loop := &ast.ForStmt{For: s.For, Init: f.define(i, f.intLit(0)), Cond: f.bin(f.id(i), token.LSS, f.call(f.id("len"), f.id(str))),
		Post: &ast.AssignStmt{Lhs: []ast.Expr{f.id(i)}, TokPos: f.pos, Tok: token.ADD_ASSIGN, Rhs: []ast.Expr{f.id(w)}},
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, f.loopBody(s.Body)...), Rbrace: s.Body.Rbrace}}
	return one(f.block([]ast.Stmt{
		f.define(str, f.call(f.id("string"), f.expr(s.X))),
		&ast.DeclStmt{Decl: f.varDecl(r, f.id("rune"))}, &ast.DeclStmt{Decl: f.varDecl(w, f.id("int"))},
		f.label(label, loop)}))
}

// yield is the state of a loop over a function, whose body is a closure: break,
// continue and return leave the closure and say in flag where to go on.
type yield struct {
	outer             *fn
	label             string
	flag              string
	rets              []string
	exits             *[]exit
	breaks, continues int // enclosing statements inside the body to which a bare break, continue belongs
	labels            map[string]bool
}

type exit struct {
	code  int // what flag holds
	tok   token.Token
	label string
}

const (
	flagBreak  = 1
	flagReturn = 2
	flagFirst  = 3
)

func (f *fn) rangeFunc(s *ast.RangeStmt, sig *types.Signature, label string) []ast.Stmt {
	ys := f.in(f.u, sig.Params().At(0).Type()).Underlying().(*types.Signature)
	y := &yield{outer: f, label: label, flag: f.temp(), exits: new([]exit), labels: map[string]bool{}}
	out := []ast.Stmt{f.define(y.flag, f.intLit(0))}
	g := f.inner(ys)
	g.yield = y
	res := f.returns()
	if res != nil && len(f.returnNames()) == 0 {
		for i := range res.Len() {
			n := f.temp()
			y.rets = append(y.rets, n)
			out = append(out, &ast.DeclStmt{Decl: f.varDecl(n, f.typ(f.u, res.At(i).Type()))})
		}
	}
	var params []*ast.Field
	var head []ast.Stmt
	for i := range ys.Params().Len() {
		e := s.Key
		if i == 1 {
			e = s.Value
		}
		n, pt := f.temp(), ys.Params().At(i).Type()
		if e != nil && !blank(e) {
			if s.Tok == token.DEFINE {
				n = g.local(f.u.info.Defs[e.(*ast.Ident)])
			} else {
				head = append(head, g.store(e, g.convert(f.id(n), pt, f.typeOf(e))))
			}
		}
		params = append(params, f.field(n, f.typ(f.u, pt)))
	}
	body := append(head, g.stmts(s.Body.List)...)
	body = append(body, f.ret(f.id("true")))
	lit := f.funcLit(f.funcType(params, []*ast.Field{f.field("", f.id("bool"))}), body...)
	out = append(out, f.exprStmt(f.call(f.expr(s.X), lit)))
	is := func(n int) ast.Expr { return f.bin(f.id(y.flag), token.EQL, f.intLit(n)) }
	if f.top || f.sig == nil && f.yield == nil {
		out = append(out, f.ifStmt(is(flagReturn), f.ret()))
	} else {
		out = append(out, f.ifStmt(is(flagReturn), f.returnHeld(y.rets)...))
	}
	for _, e := range *y.exits {
		b := &ast.BranchStmt{TokPos: f.pos, Tok: e.tok}
		if e.label != "" {
			b.Label = f.id(e.label)
		}
		out = append(out, f.ifStmt(is(e.code), f.branch(b)...))
	}
	return one(f.block(out))
}

// returns are the results of the function that return leaves.
func (f *fn) returns() *types.Tuple {
	if f.yield != nil {
		return f.yield.outer.returns()
	}
	if f.sig == nil {
		return nil
	}
	return f.sig.Results()
}

// returnNames are the variables that a return out of a closure assigns to.
func (f *fn) returnNames() []string {
	if f.yield != nil {
		if len(f.yield.rets) > 0 {
			return f.yield.rets
		}
		return f.yield.outer.returnNames()
	}
	return f.rets
}

// returnHeld returns what the closure of a loop has put aside.
func (f *fn) returnHeld(rets []string) []ast.Stmt {
	switch {
	case f.yield != nil:
		return []ast.Stmt{f.assign(f.id(f.yield.flag), token.ASSIGN, f.intLit(flagReturn)), f.ret(f.id("false"))}
	case f.outer:
		return one(f.ret())
	case len(rets) > 0:
		return one(f.ret(f.ids(rets)...))
	}
	return one(f.ret(f.ids(f.rets)...))
}

func (f *fn) yieldReturn(s *ast.ReturnStmt) []ast.Stmt {
	return append(f.hold(s), f.assign(f.id(f.yield.flag), token.ASSIGN, f.intLit(flagReturn)), f.ret(f.id("false")))
}

func (f *fn) branch(s *ast.BranchStmt) []ast.Stmt {
	y := f.yield
	label := ""
	if s.Label != nil {
		label = s.Label.Name
	}
	if y == nil || y.labels[label] || s.Tok == token.FALLTHROUGH ||
		label == "" && (s.Tok == token.BREAK && y.breaks > 0 || s.Tok == token.CONTINUE && y.continues > 0) {
		b := &ast.BranchStmt{TokPos: s.TokPos, Tok: s.Tok}
		if n := f.ends[label]; n != "" && s.Tok == token.BREAK {
			label = n
		}
		if label != "" {
			b.Label = f.id(label)
		}
		return one(b)
	}
	leave := func(code int) []ast.Stmt {
		return []ast.Stmt{f.assign(f.id(y.flag), token.ASSIGN, f.intLit(code)), f.ret(f.id("false"))}
	}
	own := label == "" || label == y.label
	switch {
	case s.Tok == token.GOTO:
		refuse(s, "goto out of a range over a function is not available in cells")
	case own && s.Tok == token.CONTINUE:
		return one(f.ret(f.id("true")))
	case own && s.Tok == token.BREAK:
		return leave(flagBreak)
	}
	code := flagFirst + len(*y.exits)
	*y.exits = append(*y.exits, exit{code, s.Tok, label})
	return leave(code)
}

// labeled lowers a statement with a label. A switch or select becomes several statements: goto means the first of them, break the last, which
// has a label of its own for that.
func (f *fn) labeled(s *ast.LabeledStmt) []ast.Stmt {
	name := s.Label.Name
	if f.yield != nil {
		f.yield.labels[name] = true
	}
	switch x := s.Stmt.(type) {
	case *ast.ForStmt:
		return append(f.mark(x), f.forStmt(x, name)...)
	case *ast.RangeStmt:
		return append(f.mark(x), f.rangeStmt(x, name)...)
	}
	end := ""
	switch s.Stmt.(type) {
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		end = f.temp()
		f.ends = maps.Clone(f.ends)
		if f.ends == nil {
			f.ends = map[string]string{}
		}
		f.ends[name] = end
	}
	l := f.stmtAt(s.Stmt)
	if len(l) == 0 {
		return one(f.label(name, &ast.EmptyStmt{Semicolon: s.Colon}))
	}
	last := len(l) - 1
	l[last] = f.label(end, l[last])
	if end == "" || last > 0 {
		l[0] = f.label(name, l[0])
	} else { // break and goto mean one statement
		l[0] = f.label(name, f.block(one(l[0])))
	}
	return l
}
