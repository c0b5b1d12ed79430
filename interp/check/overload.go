package check

import (
	"go/ast"
	"go/types"

	"gotorch/interp/syntax"
)

// Note: overloads. PyTorch has some operators under one name that return different things: x.max() a tensor, x.max(1)
// values and indices, x.max(y) the greater elements. In Go each has a name of its own. Cells may use PyTorch's: the
// arguments say which one is meant.

// overloads are the names of the other forms: with a dimension, and with another tensor.
var overloads = map[string]struct{ dim, other string }{
	"Max":       {"MaxDim", "Maximum"},
	"Min":       {"MinDim", "Minimum"},
	"Median":    {"MedianDim", ""},
	"Nanmedian": {"NanmedianDim", ""},
}

// overload gives a call the name of the form that its arguments ask for. It reports whether it did.
func (r *resolver) overload(c *ast.CallExpr, f *callee, keys []syntax.Keyword) bool {
	if !f.isOp || f.fn == nil {
		return false
	}
	args := c.Args
	if f.fn.Signature().Recv() == nil && len(args) > 0 {
		args = args[1:]
	}
	to := ""
	forms, ok := overloads[f.name]
	switch {
	case ok:
		to = form(r, args, keys, forms.dim, forms.other)
	case f.name == "Where" && f.fn.Signature().Recv() == nil && len(c.Args) == 1 && len(keys) == 0:
		to = "NonzeroAsTuple"
	}
	if to == "" {
		return false
	}
	switch x := ast.Unparen(c.Fun).(type) {
	case *ast.SelectorExpr:
		x.Sel = r.ident(to, x.Sel.Pos())
	case *ast.Ident:
		c.Fun = r.exported(to, x.Pos())
	default:
		return false
	}
	r.changed++
	return true
}

// form is the name that arguments ask for, "" where it is the one without a dimension or another tensor.
func form(r *resolver, args []ast.Expr, keys []syntax.Keyword, dim, other string) string {
	for _, k := range keys {
		name := k.Name.Name
		if torch, ok := numpyWords[name]; ok {
			name = torch
		}
		switch name {
		case "dim":
			return dim
		case "other":
			return other
		}
	}
	if len(args) == 0 {
		return ""
	}
	t := r.typ(args[0])
	if t == nil {
		return ""
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		return dim
	}
	if r.isTensor(t) {
		return other
	}
	return ""
}
