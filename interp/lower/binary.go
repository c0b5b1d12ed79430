package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (f *fn) binary(e *ast.BinaryExpr) ast.Expr {
	tx, ty := f.typeOf(e.X), f.typeOf(e.Y)
	if (e.Op == token.EQL || e.Op == token.NEQ) && !isNil(tx) && !isNil(ty) {
		byRuntime := isInterface(tx) || isInterface(ty)
		switch tx.Underlying().(type) {
		case *types.Struct, *types.Array:
			byRuntime = true
		}
		if byRuntime {
			var x, y ast.Expr
			if isInterface(tx) || isInterface(ty) {
				x, y = f.anyOf(e.X), f.anyOf(e.Y)
			} else {
				x, y = f.expr(e.X), f.expr(e.Y)
			}
			eq := f.rtCall("Equal", x, y)
			if e.Op == token.NEQ {
				return f.not(eq)
			}
			return eq
		}
	}
	if (e.Op == token.EQL || e.Op == token.NEQ) && !isNil(tx) && !isNil(ty) && (unclear(tx) || unclear(ty)) {
		return f.same(f.expr(e.X), e.Op, f.expr(e.Y))
	}
	if e.Op == token.SHL || e.Op == token.SHR {
		x := f.expr(e.X)
		if f.u.info.Types[e.X].Value != nil { // a number without a type shifted by a variable is no number without a type
			x = f.rtCall("Any", x)
			x = f.assert(x, f.typ(f.u, f.typeOf(e.X)))
		}
		return &ast.BinaryExpr{X: x, OpPos: e.OpPos, Op: e.Op, Y: f.shiftBy(e.Y)}
	}
	x, y := f.expr(e.X), f.expr(e.Y)
	if e.Op == token.LAND || e.Op == token.LOR {
		x = f.branching(x)
	}
	return &ast.BinaryExpr{X: x, OpPos: e.OpPos, Op: e.Op, Y: y}
}

// unclear reports whether the interpreter may take one type of channels or pointers for two: what they lead to is a struct that leads to
// itself, or made of one, which it knows by different names at different places.
func unclear(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Chan:
		_, basic := t.Elem().Underlying().(*types.Basic)
		return !basic
	case *types.Pointer:
		switch e := t.Elem().Underlying().(type) {
		case *types.Basic, *types.Struct, *types.Interface:
			return false
		case *types.Pointer:
			return unclear(e)
		}
		return true
	}
	return false
}

// same compares channels or pointers whose types are unclear.
func (f *fn) same(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	eq := ast.Expr(f.rtCall("Same", x, y))
	if op == token.NEQ {
		return f.not(eq)
	}
	return eq
}

// branching readies the left side of && or ||. Where a literal of a struct, list, map or function, or a name in parentheses, may be the first thing that is done for
// it, the interpreter would do, in its place, the branch: something else has to come first.
func (k *cell) branching(x ast.Expr) ast.Expr {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit, *ast.FuncLit:
			found = true
		case *ast.ParenExpr:
			switch ast.Unparen(n).(type) {
			case *ast.BinaryExpr, *ast.CallExpr:
			default:
				found = true
			}
		}
		return !found
	})
	if found {
		return k.paren(k.bin(k.rtCall("Yes"), token.LAND, x))
	}
	return x
}

// shiftBy lowers how far something is shifted; where that may be negative the runtime looks.
func (f *fn) shiftBy(e ast.Expr) ast.Expr {
	tv := f.u.info.Types[e]
	b, ok := f.typeOf(e).Underlying().(*types.Basic)
	if tv.Value != nil || !ok {
		return f.expr(e)
	}
	if b.Info()&types.IsUnsigned != 0 {
		if _, ok := ast.Unparen(e).(*ast.BinaryExpr); ok { // the interpreter would want operands of the type that is shifted
			return f.call(f.id("uint64"), f.expr(e))
		}
		return f.expr(e)
	}
	if and, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && and.Op == token.AND && f.u.info.Types[and.Y].Value != nil && constant.Sign(f.u.info.Types[and.Y].Value) >= 0 {
		return f.expr(e)
	}
	x := f.expr(e)
	if b.Kind() != types.Int {
		x = f.call(f.id("int"), x)
	}
	return f.rtCall("Shift", x)
}
