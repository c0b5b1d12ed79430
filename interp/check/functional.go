package check

import (
	"go/ast"
	"go/types"
)

// Note: names for functions and for tensors. PyTorch calls the gradient of a tensor and that of a function both grad;
// Go has one signature for a name. In a cell the first argument decides: autograd.Grad(y, x) takes tensors, and
// autograd.Grad(f) is autograd.GradOf(f), or GradTree(f) where f takes one list, map or struct of tensors.

// byFunction has the names, in package autograd, of what takes a function: of tensors, and of one value that holds
// tensors.
var byFunction = map[string]struct{ tensors, tree string }{
	"Grad":         {"GradOf", "GradTree"},
	"GradOf":       {"GradOf", "GradTree"},
	"ValueAndGrad": {"ValueAndGrad", "ValueAndGradTree"},
}

// ofFunction gives a call of package autograd the name that suits the function that it receives.
func (r *resolver) ofFunction(c *ast.CallExpr) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) == 0 {
		return
	}
	names, ok := byFunction[s.Sel.Name]
	if !ok {
		return
	}
	o, ok := r.u.info.Uses[s.Sel].(*types.Func)
	if !ok || o.Pkg() == nil || o.Pkg().Path() != "gotorch/autograd" || o.Signature().Recv() != nil {
		return
	}
	t := r.typ(c.Args[0])
	if t == nil {
		return
	}
	f, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	to := names.tensors
	if f.Params().Len() == 1 && !f.Variadic() && !r.isTensor(f.Params().At(0).Type()) {
		to = names.tree
	}
	if to != s.Sel.Name {
		s.Sel = r.ident(to, s.Sel.Pos())
		r.changed++
	}
}
