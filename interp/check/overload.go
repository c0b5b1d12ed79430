package check

import (
	"go/ast"
	"go/token"
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
	if f.fn == nil {
		return false
	}
	recv := f.fn.Signature().Recv()
	if f.name == "Size" && recv != nil && r.isTensor(recv.Type()) && len(c.Args)+len(keys) == 0 {
		return r.rename(c, "Shape")
	}
	if !f.isOp {
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
	case f.name == "Arange":
		return r.limits(c, keys)
	case f.name == "Narrow":
		to = r.narrowBy(args, keys)
	case f.name == "Tensordot" && r.dimPair(c, keys):
		to = "TensordotDims"
	case f.name == "Where" && f.fn.Signature().Recv() == nil && len(c.Args) == 1 && len(keys) == 0:
		to = "NonzeroAsTuple"
	}
	return to != "" && r.rename(c, to)
}

// rename gives the function that c calls another name. It reports whether it could.
func (r *resolver) rename(c *ast.CallExpr, to string) bool {
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

// limits puts the keywords start, end and step of Arange where it takes them, in this order. It reports whether there
// were any.
func (r *resolver) limits(c *ast.CallExpr, keys []syntax.Keyword) bool {
	given := map[string]syntax.Keyword{}
	var rest []syntax.Keyword
	for _, k := range keys {
		switch k.Name.Name {
		case "start", "end", "step":
			given[k.Name.Name] = k
		default:
			rest = append(rest, k)
		}
	}
	if len(given) == 0 || c.Ellipsis.IsValid() {
		return false
	}
	args := c.Args[:len(c.Args):len(c.Args)]
	names := []string{"start", "end", "step"}
	if k, ok := given["end"]; ok && len(args) == 0 && len(given) == 1 { // a lone end begins at 0
		args = append(args, k.Value)
		delete(given, "end")
	}
	for i := len(args); i < len(names) && len(given) > 0; i++ {
		k, ok := given[names[i]]
		switch {
		case ok:
			args = append(args, k.Value)
			delete(given, names[i])
		case i == 0:
			args = append(args, &ast.BasicLit{ValuePos: c.Rparen, Kind: token.INT, Value: "0"})
		case i == 1 && len(args) == 1: // the one limit was the end
			args = []ast.Expr{&ast.BasicLit{ValuePos: c.Rparen, Kind: token.INT, Value: "0"}, args[0]}
		}
	}
	if len(given) > 0 {
		return false // the keyword is refused as any other
	}
	c.Args = args
	r.forms.Keywords[c] = rest
	if len(rest) == 0 {
		delete(r.forms.Keywords, c)
	}
	r.changed++
	return true
}

// narrowBy is the name of the form whose start is a tensor, "" where it is a number.
func (r *resolver) narrowBy(args []ast.Expr, keys []syntax.Keyword) string {
	var start ast.Expr
	if len(args) > 1 {
		start = args[1]
	}
	for _, k := range keys {
		if k.Name.Name == "start" {
			start = k.Value
		}
	}
	if start == nil {
		return ""
	}
	t := r.typ(start)
	if t == nil {
		t = r.simpleType(start)
	}
	if t != nil && r.isTensor(t) {
		return "NarrowTensor"
	}
	return ""
}

// dimPair makes two arguments of dims, a list of two lists: the dimensions of each tensor. It reports whether it did.
func (r *resolver) dimPair(c *ast.CallExpr, keys []syntax.Keyword) bool {
	var dims ast.Expr
	switch {
	case len(c.Args) == 3 && len(keys) == 0:
		dims = c.Args[2]
	case len(c.Args) == 2 && len(keys) == 1 && keys[0].Name.Name == "dims":
		dims = keys[0].Value
	default:
		return false
	}
	li, ok := r.isList(dims)
	if !ok || len(li.Elts) != 2 {
		return false
	}
	for _, e := range li.Elts {
		if _, ok := r.isList(e); !ok {
			return false
		}
	}
	c.Args = append(c.Args[:2:2], li.Elts...)
	delete(r.forms.Keywords, c)
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
