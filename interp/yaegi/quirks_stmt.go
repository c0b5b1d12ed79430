package yaegi

import (
	"go/ast"
	"go/token"
)

// received assigns what a channel sends through a variable.
func received(r *rewriter, c *cursor) {
	s, ok := c.Node().(*ast.AssignStmt)
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	u, ok := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW {
		return
	}
	if id, ok := s.Lhs[0].(*ast.Ident); ok && id.Name == "_" {
		return
	}
	// a block would hide the variable; the lowering puts such statements in lists
	if c.Index() < 0 && s.Tok == token.DEFINE {
		return
	}
	t := r.temp()
	define := r.define(t, s.Rhs[0])
	s.Rhs[0] = r.id(t)
	r.before(c, define)
}

// heldSend puts what is sent, and where to, into variables.
func heldSend(r *rewriter, c *cursor) {
	s, ok := c.Node().(*ast.SendStmt)
	if !ok {
		return
	}
	var pre []ast.Stmt
	hold := func(x ast.Expr) ast.Expr {
		switch x.(type) {
		case *ast.BasicLit, *ast.Ident:
			return x
		}
		t := r.temp()
		pre = append(pre, r.define(t, x))
		return r.id(t)
	}
	s.Chan = hold(s.Chan)
	s.Value = hold(s.Value)
	if len(pre) > 0 {
		r.before(c, pre...)
	}
}

// emptyClause puts a statement into an empty clause.
func emptyClause(r *rewriter, c *cursor) {
	if cc, ok := c.Node().(*ast.CaseClause); ok && len(cc.Body) == 0 {
		cc.Body = []ast.Stmt{r.exprStmt(r.runtime("Yes"))}
	}
}

// conditionList joins the conditions of a clause, in a switch without a value.
func conditionList(r *rewriter, c *cursor) {
	s, ok := c.Node().(*ast.SwitchStmt)
	if !ok || s.Tag != nil {
		return
	}
	for _, clause := range s.Body.List {
		cc := clause.(*ast.CaseClause)
		if len(cc.List) < 2 {
			continue
		}
		all := cc.List[0]
		for i, x := range cc.List[1:] {
			if i == 0 {
				all = r.branching(all)
			}
			all = r.binary(r.paren(all), token.LOR, r.paren(x))
		}
		cc.List = []ast.Expr{all}
	}
}

// defaultInMiddle chooses the clause first, by number, where fallthrough may enter or leave a default clause that is
// not the last:
//
//	k := 0; switch { case a: k = 0; default: k = 1; case b: k = 2 }; switch k { case 0: …; case 1: …; case 2: … }
func defaultInMiddle(r *rewriter, c *cursor) {
	n := c.Node()
	if l, ok := n.(*ast.LabeledStmt); ok { // the label is for break
		n = l.Stmt
	} else if _, ok := c.Parent().(*ast.LabeledStmt); ok {
		return
	}
	s, ok := n.(*ast.SwitchStmt)
	if !ok || s.Tag != nil || s.Init != nil {
		return
	}
	middle, falls := false, false
	for i, clause := range s.Body.List {
		cc := clause.(*ast.CaseClause)
		middle = middle || cc.List == nil && i < len(s.Body.List)-1
		if len(cc.Body) > 0 {
			b, ok := cc.Body[len(cc.Body)-1].(*ast.BranchStmt)
			falls = falls || ok && b.Tok == token.FALLTHROUGH
		}
	}
	if !middle || !falls || c.Index() < 0 {
		return
	}
	k := r.temp()
	choose := &ast.SwitchStmt{Switch: s.Switch, Body: r.blockOf()}
	for i, clause := range s.Body.List {
		cc := clause.(*ast.CaseClause)
		choose.Body.List = append(choose.Body.List, &ast.CaseClause{Case: cc.Case, List: cc.List, Colon: cc.Colon,
			Body: []ast.Stmt{r.assign(k, r.int(i))}})
		cc.List = []ast.Expr{r.int(i)}
	}
	s.Tag = r.id(k)
	r.before(c, r.define(k, r.int(0)), choose)
}

// namedResults turns a function's named results into variables.
func namedResults(r *rewriter, c *cursor) {
	switch n := c.Node().(type) {
	case *ast.ReturnStmt:
		if len(n.Results) == 0 {
			for _, name := range r.function().results {
				n.Results = append(n.Results, r.id(name))
			}
		}
	case *ast.FuncDecl:
		r.ownResults(n.Type, n.Body)
	case *ast.FuncLit:
		r.ownResults(n.Type, n.Body)
	}
}

func (r *rewriter) ownResults(t *ast.FuncType, body *ast.BlockStmt) {
	if len(resultNames(t)) == 0 {
		return
	}
	var vars []ast.Stmt
	for _, f := range t.Results.List {
		for _, n := range f.Names {
			vars = append(vars, r.declare(n.Name, f.Type))
		}
	}
	t.Results = unnamed(t.Results)
	at := 0
	if len(body.List) > 0 && entersFunction(body.List[0]) {
		at = 1
	}
	body.List = append(append(append([]ast.Stmt{}, body.List[:at]...), vars...), body.List[at:]...)
}

// entersFunction reports whether a statement is the call by which a function begins.
func entersFunction(s ast.Stmt) bool {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	call, ok := x.(*ast.CallExpr)
	return ok && isRuntime(call, "Enter", "EnterRecovering")
}
