package lower

import (
	"go/ast"
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
						out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: at(f.id(fieldName(u, j)), kv.Key),
							Colon: kv.Colon, Value: elem(kv.Value, u.Field(j).Type())})
					}
				}
				continue
			}
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: at(f.id(fieldName(u, i)), el), Colon: el.Pos(),
				Value: elem(el, u.Field(i).Type())})
		}
	case *types.Map:
		later := f.laterKeys(e, u.Key())
		for i, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			if later[i] {
				continue
			}
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: f.mapKey(elem(kv.Key, u.Key()), u.Key()), Colon: kv.Colon,
				Value: elem(kv.Value, u.Elem())})
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

func (f *fn) mapKey(k ast.Expr, t types.Type) ast.Expr {
	if _, constant := k.(*ast.BasicLit); constant || !isInterface(t) || f.compiledInterface(f.u, t) {
		return k
	}
	return f.rtCall("Key", k)
}

// laterKeys returns the elements of a map literal whose keys occur again, as those of a generic function's instance
// may: the last one counts.
func (f *fn) laterKeys(e *ast.CompositeLit, key types.Type) map[int]bool {
	if len(f.u.subst) == 0 {
		return nil
	}
	out, seen := map[int]bool{}, map[string]bool{}
	for i := len(e.Elts) - 1; i >= 0; i-- {
		kv := e.Elts[i].(*ast.KeyValueExpr)
		x := f.to(kv.Key, key)
		text := f.key(f.u, f.typeOf(kv.Key)) + " " + types.ExprString(x)
		if !constantText(x) {
			continue
		}
		if seen[text] {
			if calls(kv.Value) {
				refuse(kv, "two elements of this map have the key %s, and the value of the first calls a function: "+
					"assign the elements one by one", types.ExprString(kv.Key))
			}
			out[i] = true
		}
		seen[text] = true
	}
	return out
}

// constantText reports whether an expression is written without names of variables.
func constantText(e ast.Expr) bool {
	constant := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			constant = constant && (n.Name == "true" || n.Name == "false" || types.Universe.Lookup(n.Name) != nil)
		case *ast.FuncLit, *ast.CompositeLit, *ast.SelectorExpr:
			constant = false
		}
		return constant
	})
	return constant
}

func (f *fn) elements(e *ast.CompositeLit, t types.Type) []ast.Expr {
	var out []ast.Expr
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			out = append(out, &ast.KeyValueExpr{Key: f.expr(kv.Key), Colon: kv.Colon, Value: f.to(kv.Value, t)})
		} else {
			out = append(out, ast.Unparen(f.to(el, t)))
		}
	}
	return out
}

// closure lowers a function literal.
func (f *fn) closure(e *ast.FuncLit) *ast.FuncLit {
	g := f.inner(f.typeOf(e).(*types.Signature))
	ft, body := g.function(e.Type, e.Body)
	return &ast.FuncLit{Type: ft, Body: body}
}
