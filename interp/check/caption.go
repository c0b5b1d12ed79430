package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"gotorch/interp/syntax"
)

// viewsPath is the package whose functions give views.
const viewsPath = "gotorch/visualize"

// Note: caption=true. Functions that give a view take tensors, or programs, of any number, so no parameter could be
// the option that puts a sentence beneath. The option is one for all of them: visualize.Strides(x, caption=true) is
// visualize.Caption(visualize.Strides(x), true).

// captions is visualize.Caption where f gives a view that has a sentence; nil for others.
func (f *callee) captions() *types.Func {
	if f.fn == nil || f.fn.Pkg() == nil || f.fn.Signature().Recv() != nil || f.fn.Signature().Results().Len() != 1 {
		return nil
	}
	if p := f.fn.Pkg().Path(); p != viewsPath && !strings.HasPrefix(p, viewsPath+"/") {
		return nil
	}
	view := f.fn.Signature().Results().At(0).Type()
	if m, _, _ := types.LookupFieldOrMethod(view, true, f.fn.Pkg(), "Caption"); m == nil {
		return nil
	}
	caption, _ := f.fn.Pkg().Scope().Lookup("Caption").(*types.Func)
	return caption
}

// captioned turns a call with the keyword caption, f(x, caption=true), into visualize.Caption(f(x), true).
func (r *resolver) captioned(c *ast.CallExpr, f *callee, keys []syntax.Keyword) ast.Expr {
	at := slices.IndexFunc(keys, func(k syntax.Keyword) bool { return k.Name.Name == "caption" })
	fun, qualified := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if at < 0 || !qualified {
		return nil
	}
	caption := f.captions()
	pkg, ok := fun.X.(*ast.Ident)
	if caption == nil || !ok {
		return nil
	}
	k, from := keys[at], r.spanOf(c)
	r.forms.Keywords[c] = slices.Delete(slices.Clone(keys), at, at+1)
	if len(keys) == 1 {
		delete(r.forms.Keywords, c)
	}
	call := &ast.CallExpr{Fun: &ast.SelectorExpr{X: r.ident(pkg.Name, pkg.Pos()), Sel: r.ident("Caption", fun.Sel.Pos())},
		Lparen: c.Lparen, Args: []ast.Expr{c, k.Value}, Rparen: c.Rparen}
	return r.made(call, from, caption.Signature().Results().At(0).Type())
}
