package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"gotorch/interp/syntax"
)

// index resolves x[…] on a tensor.
func (r *resolver) index(e ast.Expr) ast.Expr {
	x, at, ok := r.indexed(e)
	if !ok {
		if ie, is := e.(*ast.IndexExpr); is {
			r.notTensor(ie)
		}
		return nil
	}
	parts, _, ok := r.parts(e)
	if !ok {
		return r.asSubscript(e)
	}
	return r.method(x, "Index", r.spanOf(e), at, parts...)
}

// indexed returns what e is an index of, and whether that is a tensor.
func (r *resolver) indexed(e ast.Expr) (x ast.Expr, at token.Pos, tensor bool) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		x, at = e.X, e.Lbrack
	case *ast.IndexListExpr:
		x, at = e.X, e.Lbrack
	case *ast.SliceExpr:
		x, at = e.X, e.Lbrack
	default:
		return nil, 0, false
	}
	return x, at, r.isTensor(r.typ(x))
}

// parts resolves what stands between the brackets. ok is false while
// something's type is not known, or when something is wrong. A basic index
// gives a view.
func (r *resolver) parts(e ast.Expr) (parts []ast.Expr, basic, ok bool) {
	var in []ast.Expr
	switch x := e.(type) {
	case *ast.IndexExpr:
		in = []ast.Expr{x.Index}
		if c, is := x.Index.(*ast.CompositeLit); is && r.forms.Kinds[c] == syntax.Subscript {
			in = c.Elts
		}
	case *ast.IndexListExpr:
		in = x.Indices
	case *ast.SliceExpr:
		if !r.rangeOK(x.Low, x.High, x.Max) {
			return nil, false, false
		}
		return []ast.Expr{r.slice(x.Lbrack+1, x.Low, x.High, x.Max)}, true, true
	}
	basic = true
	for _, p := range in {
		q, view, ok := r.part(p)
		if !ok {
			return nil, false, false
		}
		parts = append(parts, q)
		basic = basic && view
	}
	return parts, basic, true
}

func (r *resolver) part(p ast.Expr) (q ast.Expr, view, ok bool) {
	if c, is := p.(*ast.CompositeLit); is {
		switch r.forms.Kinds[c] {
		case syntax.Dots:
			return r.exported("Ellipsis", c.Pos()), true, true
		case syntax.Range:
			if !r.rangeOK(c.Elts...) {
				return nil, false, false
			}
			return r.slice(c.Lbrace, c.Elts[0], c.Elts[1], c.Elts[2]), true, true
		case syntax.List:
			q := r.freeList(c, true)
			return q, false, q != nil
		}
	}
	t := r.typ(p)
	if t == nil {
		return nil, false, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UntypedNil:
			return r.exported("None", p.Pos()), true, true
		case u.Info()&types.IsBoolean != 0:
			return p, false, true
		case u.Info()&types.IsInteger != 0:
			return p, true, true
		}
		if tv := r.u.info.Types[p]; tv.Value != nil && isUntyped(u) && constant.ToInt(tv.Value).Kind() == constant.Int {
			return &ast.CallExpr{Fun: r.ident("int", p.Pos()), Lparen: p.Pos(), Args: []ast.Expr{p}, Rparen: p.End()},
				true, true
		}
	case *types.Slice, *types.Array:
		return p, false, true
	default:
		if r.isTensor(t) {
			return p, false, true
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() == r.u.tensor && r.u.tensor != nil {
			return p, true, true // Colon, None, a Slice
		}
	}
	r.problem(p.Pos(), p, "an index is an int, a range, a list or a tensor; %s is %s", r.text(p), r.describe(p))
	return nil, false, false
}

func (r *resolver) rangeOK(es ...ast.Expr) bool {
	for _, e := range es {
		if syntax.Missing(e) {
			continue
		}
		t := r.typ(e)
		if t == nil {
			return false
		}
		if !isInteger(t) && !isNil(t) {
			r.problem(e.Pos(), e, "the parts of a range are ints; %s is %s", r.text(e), r.describe(e))
			return false
		}
	}
	return true
}

// slice makes tensor.Slice(lo, hi, step), or Colon where all are left out.
func (r *resolver) slice(at token.Pos, lo, hi, step ast.Expr) ast.Expr {
	if syntax.Missing(lo) && syntax.Missing(hi) && syntax.Missing(step) {
		return r.exported("Colon", at)
	}
	c := &ast.CallExpr{Fun: r.exported("Slice", at), Lparen: at, Rparen: at}
	for _, e := range []ast.Expr{lo, hi, step} {
		if syntax.Missing(e) {
			e = r.ident("nil", at)
		} else {
			c.Rparen = max(c.Rparen, e.End())
		}
		c.Args = append(c.Args, e)
	}
	return c
}

// asSubscript: go/types does not look at the parts of x[lo:hi] where x cannot
// be sliced; in a subscript's carrier it does. nil leaves e.
func (r *resolver) asSubscript(e ast.Expr) ast.Expr {
	x, ok := e.(*ast.SliceExpr)
	if !ok || !r.isTensor(r.typ(x.X)) {
		return nil
	}
	c := &ast.CompositeLit{Lbrace: x.Lbrack, Rbrace: x.Rbrack - 1}
	for _, p := range []ast.Expr{x.Low, x.High, x.Max} {
		if p == nil {
			p = syntax.NewMissing(x.Lbrack)
		}
		c.Elts = append(c.Elts, p)
	}
	if r.forms.Kinds == nil {
		r.forms.Kinds = map[*ast.CompositeLit]syntax.Kind{}
	}
	sub := &ast.CompositeLit{Lbrace: x.Lbrack, Elts: []ast.Expr{c}, Rbrace: x.Rbrack}
	r.forms.Kinds[c], r.forms.Kinds[sub] = syntax.Range, syntax.Subscript
	r.changed++
	ie := &ast.IndexExpr{X: x.X, Lbrack: x.Lbrack, Index: sub, Rbrack: x.Rbrack}
	r.spans[ie] = r.spanOf(x)
	if r.lhs[x] {
		r.lhs[ie] = true
	}
	return ie
}

// notTensor is for an index that only tensors take, on something else.
func (r *resolver) notTensor(e *ast.IndexExpr) {
	c, ok := e.Index.(*ast.CompositeLit)
	if !ok {
		return
	}
	kind := r.forms.Kinds[c]
	t := r.typ(e.X)
	if t == nil || kind == syntax.NotForm {
		return
	}
	if m, ok := t.Underlying().(*types.Map); ok && kind == syntax.List {
		if q := r.typedList(c, m.Key()); q != nil {
			e.Index = q
			r.changed++
		}
		return
	}
	at, what := c.Pos(), "a list"
	if kind == syntax.Subscript {
		at, what = c.Elts[0].Pos(), "ranges with steps, ..., and several parts"
	}
	r.problem(at, c, "only tensors take %s as an index; %s is %s", what, r.text(e.X), r.describe(e.X))
}
