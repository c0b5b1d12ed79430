package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note: function literals that hold no more than they use
//
// The interpreter's closures hold the frame of the function that they are made in, with all of its variables. A
// finalizer would so hold the object that it waits for. Where a function literal is the argument of such a call, it is
// made by a function of its own, which gets the variables that the literal uses as arguments: if nobody assigns to
// them, a copy is as good.

// lifts reports whether the function literals among a call's arguments are to hold what they use alone.
func (f *fn) lifts(fun ast.Expr) bool {
	o := f.packageFunc(fun)
	return o != nil && o.Pkg().Path() == "runtime" && (o.Name() == "SetFinalizer" || o.Name() == "AddCleanup")
}

// lifted lowers a function literal, or a method expression, as a call of a function that makes it; ok is false where
// that would be something else.
func (f *fn) lifted(e ast.Expr, isAny bool) (x ast.Expr, ok bool) {
	sig, ok := f.typeOf(e).(*types.Signature)
	if !ok {
		return nil, false
	}
	var params []*ast.Field
	var args []ast.Expr
	var vars []*types.Var
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		if vars, ok = f.uses(e); !ok {
			return nil, false
		}
	case *ast.SelectorExpr:
		if sel := f.u.info.Selections[e]; sel == nil || sel.Kind() != types.MethodExpr {
			return nil, false
		}
	default:
		return nil, false
	}
	for _, v := range vars {
		params = append(params, f.field(f.local(v), f.typ(f.u, v.Type())))
		args = append(args, f.id(f.local(v)))
	}
	g := f.inner(types.NewSignatureType(nil, nil, nil, nil, nil, false))
	name, _ := f.number("lifted")
	f.prog.owned = append(f.prog.owned, f.eng.Own(name))
	results := []*ast.Field{f.field("", f.anyType())}
	f.vars = append(f.vars, f.varDecl(name, f.funcType(params, results)))
	makes := f.funcLit(f.funcType(params, results), f.ret(f.rtCall("Any", g.expr(e))))
	f.inits = append(f.inits, f.assign(f.id(name), token.ASSIGN, makes)) // whose frame it has, not the caller's
	x = f.call(f.id(name), args...)
	if !isAny {
		x = f.assert(x, f.sigType(f.u, sig))
	}
	return x, true
}

// uses are the variables of the functions around it that a literal uses; ok is false where one of them is assigned to.
func (f *fn) uses(lit *ast.FuncLit) (vars []*types.Var, ok bool) {
	if !slices.ContainsFunc(f.trees, func(n ast.Node) bool { return n.Pos() <= lit.Pos() && lit.End() <= n.End() }) {
		return nil, false
	}
	ok = true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, isID := n.(*ast.Ident)
		if !isID {
			return true
		}
		v, isVar := f.u.info.Uses[id].(*types.Var)
		if !isVar || v.IsField() || f.u.def(v) != nil || v.Pkg() != f.u.pkg {
			return true
		}
		if inside := lit.Pos() <= v.Pos() && v.Pos() < lit.End(); !inside && !slices.Contains(vars, v) {
			vars = append(vars, v)
		}
		return true
	})
	for _, n := range f.trees {
		ast.Inspect(n, func(n ast.Node) bool {
			for _, e := range assigned(n) {
				if e == nil {
					continue
				}
				if id, isID := ast.Unparen(e).(*ast.Ident); isID {
					if v, isVar := f.u.info.Uses[id].(*types.Var); isVar && slices.Contains(vars, v) {
						ok = false
					}
				}
			}
			return ok
		})
	}
	return vars, ok
}

// assigned are the expressions that a statement may assign to; an address may be used to do so later.
func assigned(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	}
	return nil
}
