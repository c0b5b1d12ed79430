package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// loopBody lowers the body of a loop: break and continue in it are its own.
func (f *fn) loopBody(b *ast.BlockStmt) []ast.Stmt {
	g := *f
	if g.yield != nil {
		y := *g.yield
		y.breaks, y.continues = y.breaks+1, y.continues+1
		g.yield = &y
	}
	return g.stmts(b.List)
}

// startsGoroutines reports whether a statement or function contains a go statement.
func startsGoroutines(n ast.Node) bool {
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

// breakable returns a copy of f in which a bare break belongs to a statement
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

// forStmt lowers a for loop. Its variables are declared in front of it; the program notes that each iteration has its
// own.
func (f *fn) forStmt(s *ast.ForStmt, label string) []ast.Stmt {
	var vars []string
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, l := range a.Lhs {
			if o, ok := f.u.info.Defs[l.(*ast.Ident)].(*types.Var); ok {
				vars = append(vars, f.local(o))
			}
		}
	}
	var pre []ast.Stmt
	if s.Init != nil {
		pre = f.stmtAt(s.Init)
	}
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
	if len(vars) > 0 {
		f.prog.NoteLoop(loop, vars)
	}
	return one(f.block(append(pre, f.label(label, loop))))
}

// rangeStmt lowers a range statement. One that assigns to variables defines others and assigns these.
func (f *fn) rangeStmt(s *ast.RangeStmt, label string) []ast.Stmt {
	t := f.typeOf(s.X)
	if u, ok := t.Underlying().(*types.Signature); ok {
		return f.rangeFunc(s, u, label)
	}
	loop := &ast.RangeStmt{For: s.For, TokPos: f.pos, Tok: token.DEFINE, X: f.expr(s.X)}
	kt, vt := rangeTypes(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			kt = f.countType(s, t)
			loop.X = f.call(f.typ(f.u, kt), loop.X)
		} else {
			loop.X = f.call(f.id("string"), loop.X)
		}
		f.prog.Note(loop.X, u)
	case *types.Pointer:
		f.prog.Note(loop.X, u)
	}
	if isChan(t) {
		loop.X = f.channelOf(loop.X, t)
	}
	var pre []ast.Stmt
	if n, ok := arrayLen(t); ok && (s.Value == nil || blank(s.Value)) { // elements are not looked at, nor is the array
		if f.calls(s.X) {
			pre = one(f.drop(loop.X))
		}
		loop.X = f.call(f.id("int"), f.intLit(n))
		f.prog.Note(loop.X, types.Typ[types.Int])
	}
	var head []ast.Stmt
	part := func(e ast.Expr, from types.Type) ast.Expr {
		if e == nil || blank(e) {
			return nil
		}
		if s.Tok == token.DEFINE {
			return at(f.id(f.local(f.u.info.Defs[e.(*ast.Ident)])), e)
		}
		n := f.temp()
		head = append(head, f.store(e, f.convert(f.id(n), from, f.typeOf(e))))
		return f.id(n)
	}
	if s.Tok == token.ASSIGN && s.Value != nil && !blank(s.Key) && !blank(s.Value) { // to both at once
		_, names := f.temps(2)
		lhs, from := []ast.Expr{s.Key, s.Value}, []types.Type{kt, vt}
		targets := make([]ast.Expr, 2)
		for i, l := range lhs {
			if _, ok := ast.Unparen(l).(*ast.Ident); !ok {
				targets[i] = f.target(l, lhs, &head)
			}
		}
		for i, l := range lhs {
			head = append(head, f.storeTo(l, targets[i], f.convert(f.id(names[i]), from[i], f.typeOf(l))))
		}
		loop.Key, loop.Value = f.id(names[0]), f.id(names[1])
	} else {
		loop.Key, loop.Value = part(s.Key, kt), part(s.Value, vt)
	}
	if v := loop.Value; v != nil && isChan(vt) { // the interpreter takes this for a range over a channel
		list := f.temp()
		pre = one(f.define(list, loop.X))
		if loop.Key == nil {
			loop.Key = f.id(f.temp())
		}
		loop.X, loop.Value = f.id(list), nil
		element := &ast.IndexExpr{X: f.id(list), Lbrack: f.pos, Index: f.id(loop.Key.(*ast.Ident).Name), Rbrack: f.pos}
		head = append(one(f.define(v.(*ast.Ident).Name, element)), head...)
		if u, ok := t.Underlying().(*types.Pointer); ok {
			f.prog.Note(loop.X, u)
		}
	}
	if loop.Key == nil && loop.Value != nil {
		loop.Key = f.id("_")
	}
	if loop.Key == nil {
		loop.Tok = token.ILLEGAL
	}
	var before []ast.Stmt
	if m, ok := t.Underlying().(*types.Map); ok {
		var first []ast.Stmt
		before, first = f.rangeMap(loop, t, m, startsGoroutines(s.Body))
		head = append(first, head...)
	}
	loop.Body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, f.loopBody(s.Body)...), Rbrace: s.Body.Rbrace}
	if pre = append(pre, before...); len(pre) > 0 {
		return one(f.block(append(pre, f.label(label, loop))))
	}
	return one(f.label(label, loop))
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// countType is the type in which a range over a number counts.
func (f *fn) countType(s *ast.RangeStmt, t types.Type) types.Type {
	switch {
	case s.Key == nil || blank(s.Key):
		return types.Default(t)
	case s.Tok == token.DEFINE:
		return f.in(f.u, f.u.info.Defs[s.Key.(*ast.Ident)].Type())
	}
	return f.typeOf(s.Key)
}

// rangeTypes are the types of what a range over t yields.
func rangeTypes(t types.Type) (key, value types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return types.Typ[types.Int], u.Elem()
	case *types.Array:
		return types.Typ[types.Int], u.Elem()
	case *types.Map:
		return u.Key(), u.Elem()
	case *types.Chan:
		return u.Elem(), nil
	case *types.Basic:
		return types.Typ[types.Int], types.Typ[types.Int32]
	case *types.Pointer:
		return rangeTypes(u.Elem())
	}
	return nil, nil
}

// yield is the state of a loop over a function, whose body is a closure: break,
// continue and return leave the closure and say in flag where to go on.
type yield struct {
	outer             *fn
	label             string
	flag              string
	state             string // whether the body may be called: see bodyRuns
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

// States of the body of a loop over a function. The function may call the body only while the body is not running,
// has not panicked and has not left the loop (flag), and the loop is not over.
const (
	bodyWaits = 0
	bodyRuns  = 1 // or has panicked, or left the loop
	bodyOver  = 2
)

func (f *fn) rangeFunc(s *ast.RangeStmt, sig *types.Signature, label string) []ast.Stmt {
	ys := f.in(f.u, sig.Params().At(0).Type()).Underlying().(*types.Signature)
	y := &yield{outer: f, label: label, flag: f.temp(), state: f.temp(), exits: new([]exit),
		labels: map[string]bool{}}
	out := []ast.Stmt{f.define(y.flag, f.intLit(0)), f.define(y.state, f.intLit(bodyWaits))}
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
	not := func(name string, n int) ast.Expr { return f.bin(f.id(name), token.NEQ, f.intLit(n)) }
	setState := func(n int) ast.Stmt { return f.assign(f.id(y.state), token.ASSIGN, f.intLit(n)) }
	check := f.exprStmt(f.rtCall("BodyCalled", f.id(y.state), f.id(y.flag)))
	body := []ast.Stmt{f.ifStmt(f.bin(not(y.state, bodyWaits), token.LOR, not(y.flag, 0)), check), setState(bodyRuns)}
	body = append(append(body, head...), g.stmts(s.Body.List)...)
	body = append(body, setState(bodyWaits), f.ret(f.id("true")))
	lit := f.funcLit(f.funcType(params, []*ast.Field{f.field("", f.id("bool"))}), body...)
	out = append(out, f.exprStmt(f.call(f.expr(s.X), lit)))
	is := func(n int) ast.Expr { return f.bin(f.id(y.flag), token.EQL, f.intLit(n)) }
	out = append(out, f.ifStmt(f.bin(f.bin(f.id(y.state), token.EQL, f.intLit(bodyRuns)), token.LAND, is(0)),
		f.exprStmt(f.rtCall("BodyLost"))), setState(bodyOver))
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

// returnHeld returns the values that the closure of a loop has saved.
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
		return []ast.Stmt{f.assign(f.id(y.state), token.ASSIGN, f.intLit(bodyWaits)), f.ret(f.id("true"))}
	case own && s.Tok == token.BREAK:
		return leave(flagBreak)
	}
	code := flagFirst + len(*y.exits)
	*y.exits = append(*y.exits, exit{code, s.Tok, label})
	return leave(code)
}

// labeled lowers a statement with a label. A switch or select becomes several statements: goto means the first of
// them, break the last, which has a label of its own for that.
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
