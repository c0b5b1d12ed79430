package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"gotorch/interp/core"
)

// Note: what makes much of little
//
// s + s and append(b, b...) ask for as much memory as there is already, in one
// step, which nothing could stop. So the statements that do such things have the
// runtime look at the lengths first, while the engine says, in a variable, that
// much memory is in use: else they look at that variable and nothing more. Looked
// at are operands that can be evaluated twice, names and what is reached from
// them; where the statement calls functions, names alone.

// lengths collects the checks of the sizes of what a statement makes.
type lengths struct {
	*fn
	calls bool // the statement calls functions
	asks  []ast.Stmt
}

// large returns the statements to insert before a statement, for what it does itself, not for the statements inside of
// it.
func (f *fn) large(s ast.Stmt) []ast.Stmt {
	l := &lengths{fn: f}
	switch s := s.(type) {
	case *ast.AssignStmt:
		l.calls = f.calls(s)
		if s.Tok == token.ADD_ASSIGN && f.isText(s.Lhs[0]) {
			l.text(s.Lhs[0], s.Rhs[0])
			break
		}
		for _, x := range s.Rhs {
			l.askAbout(x)
		}
	case *ast.DeclStmt:
		l.calls = f.calls(s)
		for _, sp := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := sp.(*ast.ValueSpec); ok {
				for _, x := range v.Values {
					l.askAbout(x)
				}
			}
		}
	case *ast.ReturnStmt:
		l.calls = f.calls(s)
		for _, x := range s.Results {
			l.askAbout(x)
		}
	case *ast.ExprStmt:
		l.calls = f.calls(s)
		l.askAbout(s.X)
	case *ast.SendStmt:
		l.calls = f.calls(s)
		l.askAbout(s.Value)
	}
	return l.guard(s)
}

// largeShown is large for an expression that a cell ends with.
func (f *fn) largeShown(e ast.Expr) []ast.Stmt {
	l := &lengths{fn: f, calls: f.calls(e)}
	l.askAbout(e)
	return l.guard(e)
}

func (l *lengths) guard(n ast.Node) []ast.Stmt {
	if len(l.asks) == 0 {
		return nil
	}
	cond := ast.Expr(l.id(core.LargeVar))
	if core.Race {
		cond = l.rtCall("Large")
	}
	return one(l.ifStmt(cond, append(l.line(n), l.asks...)...))
}

func (l *lengths) ask(name string, args ...ast.Expr) {
	l.asks = append(l.asks, l.exprStmt(l.rtCall(name, args...)))
}

// calls reports whether a statement calls functions or waits for channels.
func (f *fn) calls(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || x.Op == token.ARROW
		case *ast.CallExpr:
			tv := f.u.info.Types[ast.Unparen(x.Fun)]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		}
		return !found
	})
	return found
}

func (f *fn) isText(e ast.Expr) bool {
	b, ok := f.typeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// askAbout adds the checks for an expression and for those of its operands that are evaluated in any case.
func (l *lengths) askAbout(e ast.Expr) {
	if l.u.info.Types[e].Value != nil {
		return
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch {
		case x.Op == token.ADD && l.isText(x):
			l.text(x)
		case x.Op == token.LAND || x.Op == token.LOR:
			l.askAbout(x.X)
		default:
			l.askAbout(x.X)
			l.askAbout(x.Y)
		}
	case *ast.UnaryExpr:
		l.askAbout(x.X)
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if _, ok := el.(*ast.CompositeLit); !ok { // it may have no type of its own
				l.askAbout(el)
			}
		}
	case *ast.IndexExpr:
		l.askAbout(x.X)
	case *ast.SelectorExpr:
		if l.u.info.Selections[x] != nil {
			l.askAbout(x.X)
		}
	case *ast.CallExpr:
		l.call(x)
	}
}

func (l *lengths) call(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	tv := l.u.info.Types[fun]
	switch {
	case tv.IsType() && len(e.Args) == 1:
		if size := l.copied(l.typeOf(fun), l.typeOf(e.Args[0])); size > 0 && l.plain(e.Args[0]) {
			l.ask("Copied", l.length(e.Args[0]), l.intLit(size))
			return
		}
	case tv.IsBuiltin():
		id, _ := fun.(*ast.Ident)
		if b, ok := l.object(id).(*types.Builtin); ok && b.Name() == "append" && len(e.Args) > 1 {
			l.append(e)
		}
	}
	if _, ok := fun.(*ast.SelectorExpr); ok {
		l.askAbout(fun)
	}
	for _, a := range e.Args {
		if tv := l.u.info.Types[a]; !tv.IsType() && !tv.IsNil() {
			l.askAbout(a)
		}
	}
}

// text adds the check for a concatenation of strings.
func (l *lengths) text(es ...ast.Expr) {
	var sum ast.Expr
	bytes := 0 // of constants
	var operand func(e ast.Expr)
	operand = func(e ast.Expr) {
		if v := l.u.info.Types[e].Value; v != nil {
			bytes += len(constant.StringVal(v))
			return
		}
		if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
			operand(b.X)
			operand(b.Y)
			return
		}
		if !l.plain(e) {
			l.askAbout(e)
			return
		}
		if n := l.length(e); sum == nil {
			sum = n
		} else {
			sum = l.bin(sum, token.ADD, n)
		}
	}
	for _, e := range es {
		operand(e)
	}
	if sum != nil {
		l.ask("Text", l.bin(sum, token.ADD, l.intLit(bytes)))
	}
}

// append adds the check for a list that becomes longer.
func (l *lengths) append(e *ast.CallExpr) {
	s, ok := l.typeOf(e).Underlying().(*types.Slice)
	if !ok {
		return
	}
	n, c, more := l.intLit(0), l.intLit(0), l.intLit(len(e.Args)-1)
	if !l.u.info.Types[e.Args[0]].IsNil() && l.plain(e.Args[0]) {
		n, c = l.length(e.Args[0]), l.call2("cap", e.Args[0])
	}
	if e.Ellipsis.IsValid() {
		last := e.Args[1]
		if v := l.u.info.Types[last].Value; v != nil {
			more = l.intLit(len(constant.StringVal(v)))
		} else if l.plain(last) {
			more = l.length(last)
		}
	}
	l.ask("Append", n, c, more, l.intLit(max(1, l.sizeof(s.Elem()))))
}

func (l *lengths) length(e ast.Expr) ast.Expr { return l.call2("len", e) }

func (l *lengths) call2(name string, e ast.Expr) ast.Expr {
	return l.fn.call(l.id(name), l.expr(e))
}

// copied is how many bytes a conversion makes at most of each element of what it copies; 0 for those that copy
// nothing.
func (f *fn) copied(to, from types.Type) int {
	text := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString != 0
	}
	if s, ok := to.Underlying().(*types.Slice); ok && text(from) {
		return f.sizeof(s.Elem())
	}
	if _, ok := from.Underlying().(*types.Slice); ok && text(to) {
		return 1
	}
	return 0
}

// plain reports whether an operand may be evaluated before its statement, and twice.
func (l *lengths) plain(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := l.object(x).(*types.Var)
		return ok
	case *ast.BasicLit:
		return !l.calls
	case *ast.SelectorExpr:
		if sel := l.u.info.Selections[x]; sel == nil || sel.Kind() != types.FieldVal {
			return false
		}
		return !l.calls && l.plain(x.X)
	case *ast.IndexExpr:
		return !l.calls && l.plain(x.X) && (l.plain(x.Index) || l.u.info.Types[x.Index].Value != nil)
	case *ast.StarExpr:
		return !l.calls && l.plain(x.X)
	}
	return false
}
