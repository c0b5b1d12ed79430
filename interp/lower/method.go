package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"gotorch/interp/core"
)

// selector lowers x.f: a name of a package, a field, a method value or a
// method expression.
func (f *fn) selector(e *ast.SelectorExpr) ast.Expr {
	if f.isPackage(e.X) {
		return f.qualified(e)
	}
	sel := f.u.info.Selections[e]
	if sel == nil {
		refuse(e, "%s is not known", e.Sel.Name)
	}
	switch sel.Kind() {
	case types.FieldVal:
		t := f.typeOf(e.X)
		_, index, _ := types.LookupFieldOrMethod(t, true, f.u.pkg, e.Sel.Name)
		if index == nil {
			index = sel.Index()
		}
		x, _ := f.path(f.expr(e.X), t, index)
		if se, ok := x.(*ast.SelectorExpr); ok {
			se.Sel.NamePos = e.Sel.Pos()
		}
		return x
	case types.MethodVal:
		return f.methodValue(e)
	default:
		return f.methodExpr(e)
	}
}

// qualified is a name of a package: of the host, or from disk.
func (f *fn) qualified(e *ast.SelectorExpr) ast.Expr {
	switch o := f.object(e.Sel).(type) {
	case *types.TypeName:
		return f.typ(f.u, f.typeOf(e))
	case *types.Func:
		if in, ok := f.u.info.Instances[e.Sel]; ok {
			return at(f.id(f.instance(o, in.TypeArgs, e)), e)
		}
		if f.u.def(o) != nil {
			return f.ident(e.Sel)
		}
		return &ast.SelectorExpr{X: f.pkgAt(o.Pkg(), e.X), Sel: at(f.id(o.Name()), e.Sel)}
	case *types.Var:
		if f.u.def(o) != nil {
			return f.ident(e.Sel)
		}
		if _, ok := o.Type().Underlying().(*types.Basic); ok {
			return f.paren(&ast.StarExpr{Star: e.Pos(), X: f.sel(f.pkg(o.Pkg().Path(), o.Pkg().Name()),
				o.Name()+core.PointerVar)})
		}
		return &ast.SelectorExpr{X: f.pkgAt(o.Pkg(), e.X), Sel: at(f.id(o.Name()), e.Sel)}
	}
	refuse(e, "%s cannot be used here", e.Sel.Name)
	return nil
}

// pkgAt is the name of a host package, at the place of n. The interpreter looks for the import in the file that the
// name stands in, and a program has its imports in one; elsewhere the name stands at the program's beginning.
func (f *fn) pkgAt(p *types.Package, n ast.Node) *ast.Ident {
	id := f.pkg(p.Path(), p.Name()).(*ast.Ident)
	if file := f.eng.FileSet().File(f.pos); file == nil || file != f.eng.FileSet().File(n.Pos()) {
		return id
	}
	return at(id, n)
}

// path walks through the fields of an index, embedded ones included.
func (f *fn) path(x ast.Expr, t types.Type, index []int) (ast.Expr, types.Type) {
	for _, i := range index {
		t = types.Unalias(t)
		p, pointer := t.Underlying().(*types.Pointer)
		if pointer {
			t = types.Unalias(p.Elem())
		}
		st := t.Underlying().(*types.Struct)
		if s, ok := ast.Unparen(x).(*ast.StarExpr); ok { // (*p).f is p.f, if *p is not a pointer itself
			if !pointer {
				x = s.X
			}
		}
		x = &ast.SelectorExpr{X: x, Sel: f.id(fieldName(st, i))}
		t = st.Field(i).Type()
	}
	return x, t
}

// lookup finds the method that a selector means, with type parameters
// replaced.
func (f *fn) lookup(e *ast.SelectorExpr, t types.Type) (*types.Func, []int) {
	o, index, _ := types.LookupFieldOrMethod(t, true, f.u.pkg, e.Sel.Name)
	m, ok := o.(*types.Func)
	if !ok {
		refuse(e, "%s has no method %s", t, e.Sel.Name)
	}
	return m, index
}

// selected is x.m(args).
func (f *fn) selected(e *ast.SelectorExpr, args []ast.Expr) *ast.CallExpr {
	t := f.typeOf(e.X)
	m, index := f.lookup(e, t)
	c := f.methodCall(f.expr(e.X), t, index, m, args, e.X)
	if se, ok := c.Fun.(*ast.SelectorExpr); ok { // a host method: errors say where it was called
		se.Sel.NamePos = e.Sel.Pos()
	}
	return c
}

// methodCall calls a method of x, of type t, found at index. src is x's text,
// if it may be a variable whose address is taken.
func (f *fn) methodCall(x ast.Expr, t types.Type, index []int, m *types.Func, args []ast.Expr,
	src ast.Expr) *ast.CallExpr {
	for _, i := range index[:len(index)-1] {
		if !f.structIsOurs(t) {
			break // host code finds its own way
		}
		x, t = f.path(x, t, []int{i})
	}
	t = types.Unalias(f.in(f.u, t))
	if isInterface(t) {
		if f.compiledInterface(f.u, t) {
			if n, ok := t.(*types.Named); ok {
				if name, ok := f.waits(n, m, false); ok {
					return f.call(f.sel(f.id(core.RuntimeName), name), append([]ast.Expr{x}, args...)...)
				}
			}
			return f.call(&ast.SelectorExpr{X: x, Sel: f.id(m.Name())}, args...)
		}
		sig := f.in(f.u, m.Type()).(*types.Signature)
		return f.call(f.assert(f.rtCall("Method", x, f.strLit(m.Name())), f.sigType(f.u, sig)), args...)
	}
	_, have := t.Underlying().(*types.Pointer)
	_, want := types.Unalias(m.Type().(*types.Signature).Recv().Type()).(*types.Pointer)
	named := types.Unalias(t)
	if p, ok := named.(*types.Pointer); ok {
		named = types.Unalias(p.Elem())
	}
	n, ok := named.(*types.Named)
	if !ok {
		panic(&Unsupported{f.pos, fmt.Sprintf("%s has no method %s that cells can call", t, m.Name())})
	}
	ms := f.methodOf(f.u, n, m)
	if ms == nil { // compiled
		if want && !have && src != nil {
			f.capture(src)
		}
		if name, ok := f.waits(n, m, want); ok {
			return f.call(f.sel(f.id(core.RuntimeName), name),
				append([]ast.Expr{f.receiver(x, want, have)}, args...)...)
		}
		return f.call(&ast.SelectorExpr{X: x, Sel: f.id(m.Name())}, args...)
	}
	if want && !have && src != nil {
		f.capture(src)
	}
	return f.call(f.id(ms.ref), append([]ast.Expr{f.receiver(x, want, have)}, args...)...)
}

// receiver turns x into the receiver of a method that wants a pointer or a value.
func (f *fn) receiver(x ast.Expr, want, have bool) ast.Expr {
	switch {
	case want && !have:
		return &ast.UnaryExpr{OpPos: f.pos, Op: token.AND, X: f.paren(x)}
	case !want && have:
		return &ast.StarExpr{Star: f.pos, X: f.paren(x)}
	}
	return x
}

// waits returns the function of package rt· for a host method, of n itself, that may take long.
func (f *fn) waits(n *types.Named, m *types.Func, pointer bool) (string, bool) {
	if n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 {
		return "", false
	}
	recv := types.Unalias(m.Type().(*types.Signature).Recv().Type())
	if p, ok := recv.(*types.Pointer); ok {
		recv = types.Unalias(p.Elem())
	}
	if r, ok := recv.(*types.Named); !ok || r.Obj() != n.Obj() {
		return "", false // promoted from a field
	}
	return f.eng.WaitingMethod(n.Obj().Pkg().Path(), n.Obj().Name(), m.Name(), pointer)
}

// structIsOurs: t is a struct, or a pointer to one, that a cell wrote.
func (f *fn) structIsOurs(t types.Type) bool {
	t = types.Unalias(f.in(f.u, t))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return true
	}
	_, _, declared := f.declared(f.u, n)
	return declared
}

// methodOf returns a method that cells declare; nil for host ones.
func (k *cell) methodOf(u *unit, recv types.Type, m *types.Func) *methodSym {
	n, ok := types.Unalias(k.in(u, recv)).(*types.Named)
	if !ok {
		return nil
	}
	d := u.def(n.Origin().Obj())
	if d == nil {
		return nil
	}
	s := k.symbol(d)
	ms := s.methods[m.Name()]
	if ms == nil || n.TypeArgs().Len() == 0 {
		return ms
	}
	return &methodSym{ref: k.methodInstance(u, s, ms, n), sig: ms.sig}
}

// methodValue is x.m without a call: a closure over the receiver as it is now. The interpreter's own method values of
// host types have the type of the method expression.
func (f *fn) methodValue(e *ast.SelectorExpr) ast.Expr {
	t := f.typeOf(e.X)
	m, index := f.lookup(e, t)
	if len(index) == 1 || !f.structIsOurs(t) {
		if isInterface(t) && !f.compiledInterface(f.u, t) {
			return f.assert(f.rtCall("Method", f.expr(e.X), f.strLit(m.Name())),
				f.sigType(f.u, f.in(f.u, m.Type()).(*types.Signature)))
		}
	}
	sig := f.typeOf(e).(*types.Signature)
	_, want := types.Unalias(m.Type().(*types.Signature).Recv().Type()).(*types.Pointer)
	recv, rt := f.expr(e.X), t
	for len(index) > 1 && f.structIsOurs(rt) { // the embedded value whose method it is
		recv, rt = f.path(recv, rt, index[:1])
		rt, index = types.Unalias(f.in(f.u, rt)), index[1:]
	}
	p, have := rt.Underlying().(*types.Pointer)
	switch {
	case len(index) > 1 || isInterface(rt):
	case want && !have: // the variable, not its value
		f.capture(e.X)
		recv, rt = &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: f.paren(recv)}, types.NewPointer(rt)
	case !want && have: // what it points to now
		recv, rt = &ast.StarExpr{Star: e.Pos(), X: f.paren(recv)}, types.Unalias(p.Elem())
	}
	r := f.temp()
	params, args := f.params(sig)
	c := f.methodCall(f.id(r), rt, index, m, args, nil)
	c.Ellipsis = ellipsis(sig, f.pos)
	var body ast.Stmt = f.exprStmt(c)
	if sig.Results().Len() > 0 {
		body = f.ret(c)
	}
	in := f.funcLit(f.funcType(params, f.results(sig)), body)
	return f.call(f.funcLit(f.funcType([]*ast.Field{f.field(r, f.typ(f.u, rt))},
		[]*ast.Field{f.field("", f.sigType(f.u, sig))}), f.ret(in)), recv)
}

// methodExpr is T.m.
func (f *fn) methodExpr(e *ast.SelectorExpr) ast.Expr {
	t := f.typeOf(e.X)
	m, index := f.lookup(e, t)
	sig := f.typeOf(e).(*types.Signature)
	params, args := f.params(sig)
	c := f.methodCall(args[0], t, index, m, args[1:], nil)
	c.Ellipsis = ellipsis(sig, f.pos)
	var body ast.Stmt = f.exprStmt(c)
	if sig.Results().Len() > 0 {
		body = f.ret(c)
	}
	return f.funcLit(f.funcType(params, f.results(sig)), body)
}
