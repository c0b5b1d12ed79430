package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (f *fn) composite(e *ast.CompositeLit) ast.Expr {
	t := f.typeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok { // {…} for &T{…}
		return &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: f.compositeOf(e, types.Unalias(p.Elem()))}
	}
	return f.compositeOf(e, t)
}

func (f *fn) compositeOf(e *ast.CompositeLit, t types.Type) ast.Expr {
	out := &ast.CompositeLit{Type: f.typ(f.u, t), Lbrace: e.Lbrace, Rbrace: e.Rbrace}
	elem := func(v ast.Expr, want types.Type) ast.Expr { return f.to(v, want) }
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				name := kv.Key.(*ast.Ident).Name
				for j := range u.NumFields() {
					if u.Field(j).Name() == name {
						out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: at(f.id(fieldName(u, j)), kv.Key), Colon: kv.Colon, Value: elem(kv.Value, u.Field(j).Type())})
					}
				}
				continue
			}
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: at(f.id(fieldName(u, i)), el), Colon: el.Pos(), Value: elem(el, u.Field(i).Type())})
		}
	case *types.Map:
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: elem(kv.Key, u.Key()), Colon: kv.Colon, Value: elem(kv.Value, u.Elem())})
		}
	case *types.Slice:
		out.Elts = f.elements(e, u.Elem())
	case *types.Array:
		out.Elts = f.elements(e, u.Elem())
	default:
		refuse(e, "the interpreter cannot make a %s", t)
	}
	return out
}

func (f *fn) elements(e *ast.CompositeLit, t types.Type) []ast.Expr {
	var out []ast.Expr
	at := 0
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			n, _ := constant.Int64Val(constant.ToInt(f.u.info.Types[kv.Key].Value))
			at = int(n)
			out = append(out, &ast.KeyValueExpr{Key: f.expr(kv.Key), Colon: kv.Colon, Value: f.to(kv.Value, t)})
		} else if x := ast.Unparen(f.to(el, t)); dereferences(x) {
			// with an index, for the interpreter fails where it asks for the type of a field of *p before it has looked at p
			out = append(out, &ast.KeyValueExpr{Key: f.intLit(at), Colon: el.Pos(), Value: x})
		} else {
			out = append(out, x)
		}
		at++
	}
	return out
}

// dereferences reports whether x, closures in it left out, says *p.
func dereferences(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.StarExpr:
			found = true
		}
		return !found
	})
	return found
}

func (f *fn) funcLitExpr(e *ast.FuncLit) ast.Expr {
	return f.closure(f.typeOf(e).(*types.Signature), f.plainLit(e))
}

func (f *fn) plainLit(e *ast.FuncLit) *ast.FuncLit {
	g := f.inner(f.typeOf(e).(*types.Signature))
	ft, body := g.function(e.Type, e.Body)
	return &ast.FuncLit{Type: ft, Body: body}
}

// closure gives a closure that a loop makes again and again a frame of its own
// to be made in: when a closure returns, yaegi puts back what the place where it
// was made held before, also from another goroutine and also if that place
// holds the next closure by then.
func (f *fn) closure(sig *types.Signature, lit ast.Expr) ast.Expr {
	if f.loops == 0 {
		return lit
	}
	return f.call(f.funcLit(f.funcType(nil, []*ast.Field{f.field("", f.sigType(f.u, sig))}), f.ret(lit)))
}
