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
	x, y := f.expr(e.X), f.expr(e.Y)
	switch {
	case e.Op == token.EQL || e.Op == token.NEQ:
		f.noteReference(x, tx)
		f.noteReference(y, ty)
	case e.Op == token.SHL || e.Op == token.SHR:
		if f.u.info.Types[e.X].Value != nil {
			f.prog.Note(x, tx)
		}
		y = f.shiftCount(e.Y, y)
		f.noteVariable(y, e.Y)
	}
	return &ast.BinaryExpr{X: x, OpPos: e.OpPos, Op: e.Op, Y: y}
}

// shiftCount is a shift's count: a constant such as 1.0 as a number without a fraction.
func (f *fn) shiftCount(e, x ast.Expr) ast.Expr {
	v := f.u.info.Types[e].Value
	if b, ok := f.typeOf(e).Underlying().(*types.Basic); v == nil || !ok || b.Info()&types.IsInteger != 0 {
		return x
	}
	return f.literal(constant.ToInt(v), types.Typ[types.Uint])
}

// noteReference notes the type of a channel or pointer that is compared.
func (f *fn) noteReference(x ast.Expr, t types.Type) {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Pointer:
		f.prog.Note(x, t)
	}
}

// noteVariable notes the type of x, which e was lowered to, if it is no constant.
func (f *fn) noteVariable(x, e ast.Expr) {
	if f.u.info.Types[e].Value == nil {
		f.prog.Note(x, f.typeOf(e))
	}
}
