package lower

import (
	"go/ast"
	"go/types"

	"gotorch/interp/core"
)

// goStmt evaluates the function and its arguments and passes a closure to the engine, which keeps panics in bounds.
func (f *fn) goStmt(s *ast.GoStmt) []ast.Stmt {
	pre, call := f.frozen(s.Call)
	out := append(pre, f.exprStmt(f.rtCall("Go", f.funcLit(f.funcType(nil, nil), f.exprStmt(call)))))
	if len(pre) == 0 {
		return out
	}
	return one(f.block(out))
}

// frozen lowers a call that is made later: the function and the arguments are kept in temporaries.
func (f *fn) frozen(c *ast.CallExpr) (pre []ast.Stmt, call ast.Expr) {
	if len(c.Args) == 1 {
		if tuple, ok := f.typeOf(c.Args[0]).(*types.Tuple); ok { // the call that gives the arguments is made now
			def, ids := f.spread(c.Args[0], tuple)
			pre, c = append(pre, def), f.callOf(c, ids)
		}
	}
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
		return pre, x
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
		if id, ok := fun.X.(*ast.Ident); ok && f.isPkg(id.Name) {
			break
		}
		if se, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok { // not fun: see methodValue
			if sel := f.u.info.Selections[se]; sel != nil && sel.Kind() == types.MethodVal {
				cc.Fun = hold(f.methodValue(se))
				break
			}
		}
		cc.Fun = hold(fun)
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
	if name == core.RuntimeName {
		return true
	}
	for _, n := range k.imports {
		if n == name {
			return true
		}
	}
	return false
}

// deferStmt evaluates the function and its arguments and leaves the call to
// the engine.
func (f *fn) deferStmt(s *ast.DeferStmt) []ast.Stmt {
	if id, ok := ast.Unparen(s.Call.Fun).(*ast.Ident); ok {
		if b, ok := f.object(id).(*types.Builtin); ok && b.Name() == "recover" {
			// It ends the panic that this function was deferred for, if any, not one of its own.
			return one(f.exprStmt(f.rtCall("Defer", f.id(f.deferring()),
				f.funcLit(f.funcType(nil, nil), f.exprStmt(f.recoverCall())))))
		}
	}
	pre, call := f.frozen(s.Call)
	return append(pre, f.exprStmt(f.rtCall("Defer", f.id(f.deferring()),
		f.funcLit(f.funcType(nil, nil), f.exprStmt(call)))))
}

// beginStep makes one step, for interrupts, of a statement and a defer statement that follows it: mu.Lock(); defer
// mu.Unlock().
func (f *fn) beginStep(list []ast.Stmt) []ast.Stmt {
	if len(list) < 2 || f.deferring() == "" {
		return nil
	}
	if _, ok := list[1].(*ast.DeferStmt); !ok {
		return nil
	}
	switch list[0].(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.DeclStmt:
		if callsCode(list[0]) {
			return one(f.exprStmt(f.rtCall("BeginStep", f.id(f.deferring()))))
		}
	}
	return nil
}

// enter begins a function that may recurse or recover.
func (f *fn) enter(b *ast.BlockStmt) []ast.Stmt {
	if !f.recovers(b) {
		return one(f.exprStmt(f.rtCall("Enter")))
	}
	f.panicking = f.temp()
	return one(f.define(f.panicking, f.rtCall("EnterRecovering")))
}

// recovers reports whether a body calls recover, and not in a closure.
func (f *fn) recovers(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if o, ok := f.object(n).(*types.Builtin); ok && o.Name() == "recover" {
				found = true
			}
		}
		return !found
	})
	return found
}

// recoverCall is recover(). In the body of a range over a function it ends no panic, for that body is called by the
// function.
func (f *fn) recoverCall() ast.Expr {
	if f.yield != nil || f.panicking == "" { // or among a cell's statements
		return f.rtCall("Recover", f.id("nil"))
	}
	return f.rtCall("Recover", f.id(f.panicking))
}

// deferring is what holds the deferred calls of the function around.
func (f *fn) deferring() string {
	if f.yield != nil {
		return f.yield.outer.deferring()
	}
	return f.defers
}
