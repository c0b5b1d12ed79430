package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"

	"gotorch/interp/core"
)

// escapes reports whether a closure or a pointer may keep a variable, so that each iteration must have its own.
func escapes(name string, nodes ...ast.Node) bool {
	found := false
	for _, n := range nodes {
		if n == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.FuncLit:
				found = found || uses(x, name)
				return false
			case *ast.UnaryExpr:
				found = found || x.Op == token.AND && uses(x.X, name)
			case *ast.CallExpr: // a host method may take its address
				if s, ok := x.Fun.(*ast.SelectorExpr); ok {
					found = found || uses(s.X, name)
				}
			case *ast.SliceExpr:
				found = found || uses(x.X, name)
			}
			return !found
		})
	}
	return found
}

// changes reports whether a statement assigns to a variable.
func changes(name string, body ast.Node) bool {
	found := false
	is := func(e ast.Expr) {
		id, ok := e.(*ast.Ident)
		found = found || ok && id.Name == name
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				is(ast.Unparen(l))
			}
		case *ast.IncDecStmt:
			is(ast.Unparen(x.X))
		}
		return !found
	})
	return found
}

// loopVariables gives each iteration of a for loop its own variables, copied from those of the one before, where a
// closure or a pointer may keep them:
//
//	first, p := true, &v
//	for ; ; first = false { w := *p; if !first { post }; p = &w; if !cond { break }; body }
func loopVariables(r *rewriter, c *cursor) {
	var loop *ast.ForStmt
	label := ""
	switch n := c.Node().(type) {
	case *ast.ForStmt:
		if _, ok := c.Parent().(*ast.LabeledStmt); ok {
			return
		}
		loop = n
	case *ast.LabeledStmt:
		loop, _ = n.Stmt.(*ast.ForStmt)
		label = n.Label.Name
	}
	if loop == nil {
		return
	}
	var vars []string
	nodes := []ast.Node{loop.Body}
	if loop.Cond != nil {
		nodes = append(nodes, loop.Cond)
	}
	if loop.Post != nil {
		nodes = append(nodes, loop.Post)
	}
	for _, v := range r.LoopVars[loop] {
		if escapes(v, nodes...) {
			vars = append(vars, v)
		}
	}
	if len(vars) == 0 {
		return
	}
	first := r.temp()
	out := []ast.Stmt{r.define(first, r.id("true"))}
	var head, keep []ast.Stmt
	for _, v := range vars {
		p, own := r.temp(), r.temp()
		out = append(out, r.define(p, r.address(v)))
		for _, n := range nodes {
			rename(n, v, own)
		}
		head = append(head, r.define(own, &ast.StarExpr{Star: r.pos, X: r.id(p)}))
		keep = append(keep, r.assign(p, r.address(own)))
	}
	if loop.Post != nil {
		head = append(head, r.ifStmt(r.not(r.id(first)), loop.Post))
	}
	head = append(head, keep...)
	if loop.Cond != nil {
		head = append(head, r.ifStmt(r.not(loop.Cond), &ast.BranchStmt{TokPos: r.pos, Tok: token.BREAK}))
	}
	loop.Cond, loop.Post = nil, r.assign(first, r.id("false"))
	loop.Body.List = append(head, loop.Body.List...)
	c.Replace(r.blockOf(append(out, labeled(r, label, loop))...))
}

func labeled(r *rewriter, label string, s ast.Stmt) ast.Stmt {
	if label == "" {
		return s
	}
	return &ast.LabeledStmt{Label: r.id(label), Colon: s.Pos(), Stmt: s}
}

// rename gives a variable another name in a node.
func rename(n ast.Node, from, to string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == from {
			id.Name = to
		}
		return true
	})
}

// rangeVariables gives the body of a range statement its own variables where a closure or a pointer may keep them, or
// where it assigns to them: the interpreter counts by them.
func rangeVariables(r *rewriter, c *cursor) {
	s, ok := c.Node().(*ast.RangeStmt)
	if !ok || s.Tok != token.DEFINE {
		return
	}
	if _, ok := r.typeOf(s.X).(*types.Basic); ok {
		return // rangeBasic gives it its own variables
	}
	var head []ast.Stmt
	own := func(e ast.Expr) ast.Expr {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" || !escapes(id.Name, s.Body) && !changes(id.Name, s.Body) {
			return e
		}
		n := r.temp()
		head = append(head, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: r.pos, Tok: token.DEFINE,
			Rhs: []ast.Expr{r.id(n)}})
		return r.id(n)
	}
	if s.Key != nil {
		s.Key = own(s.Key)
	}
	if s.Value != nil {
		s.Value = own(s.Value)
	}
	s.Body.List = append(head, s.Body.List...)
}

// rangeArrayPointer ranges over the array that a pointer leads to: itself, and no copy, where its elements are used.
func rangeArrayPointer(r *rewriter, c *cursor) {
	s, ok := c.Node().(*ast.RangeStmt)
	if !ok {
		return
	}
	if _, ok := r.typeOf(s.X).(*types.Pointer); !ok {
		return
	}
	s.X = &ast.StarExpr{Star: r.pos, X: r.paren(s.X)}
	if s.Value != nil {
		s.X = &ast.SliceExpr{X: r.paren(s.X), Lbrack: r.pos, Rbrack: r.pos}
	}
}

// rangeBasic counts and goes through strings by for loops.
func rangeBasic(r *rewriter, c *cursor) {
	label := ""
	n := c.Node()
	if l, ok := n.(*ast.LabeledStmt); ok {
		label, n = l.Label.Name, l.Stmt
	} else if _, ok := c.Parent().(*ast.LabeledStmt); ok {
		return
	}
	s, ok := n.(*ast.RangeStmt)
	if !ok {
		return
	}
	b, ok := r.typeOf(s.X).(*types.Basic)
	if !ok {
		return
	}
	var before []ast.Stmt
	var loop *ast.ForStmt
	if b.Info()&types.IsInteger != 0 {
		before, loop = r.rangeInt(s)
	} else {
		before, loop = r.rangeString(s)
	}
	c.Replace(r.blockOf(append(before, labeled(r, label, loop))...))
}

// own defines a variable of a range statement in its loop's body.
func (r *rewriter) own(head *[]ast.Stmt, v ast.Expr, from string) {
	if id, ok := v.(*ast.Ident); ok && id.Name != "_" {
		*head = append(*head, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: r.pos, Tok: token.DEFINE,
			Rhs: []ast.Expr{r.id(from)}})
	}
}

// rangeInt counts. What is ranged over is a conversion to the type that is counted in.
func (r *rewriter) rangeInt(s *ast.RangeStmt) ([]ast.Stmt, *ast.ForStmt) {
	n, i := r.temp(), r.temp()
	var head []ast.Stmt
	r.own(&head, s.Key, i)
	zero := r.call(s.X.(*ast.CallExpr).Fun, r.int(0))
	return []ast.Stmt{r.define(n, s.X)}, &ast.ForStmt{For: s.For, Init: r.define(i, zero),
		Cond: r.binary(r.id(i), token.LSS, r.id(n)),
		Post: &ast.IncDecStmt{X: r.id(i), TokPos: r.pos, Tok: token.INC},
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, s.Body.List...), Rbrace: s.Body.Rbrace}}
}

// rangeString goes through a string's runes by the places of their bytes.
func (r *rewriter) rangeString(s *ast.RangeStmt) ([]ast.Stmt, *ast.ForStmt) {
	str, i, char, width := r.temp(), r.temp(), r.temp(), r.temp()
	head := []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{r.id(char), r.id(width)}, TokPos: r.pos, Tok: token.ASSIGN,
		Rhs: []ast.Expr{r.runtime("Rune", r.id(str), r.id(i))}}}
	r.own(&head, s.Key, i)
	r.own(&head, s.Value, char)
	return []ast.Stmt{r.define(str, s.X), r.declare(char, r.id("rune")), r.declare(width, r.id("int"))},
		&ast.ForStmt{For: s.For, Init: r.define(i, r.int(0)),
			Cond: r.binary(r.id(i), token.LSS, r.call(r.id("len"), r.id(str))),
			Post: &ast.AssignStmt{Lhs: []ast.Expr{r.id(i)}, TokPos: r.pos, Tok: token.ADD_ASSIGN,
				Rhs: []ast.Expr{r.id(width)}},
			Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(head, s.Body.List...), Rbrace: s.Body.Rbrace}}
}

// giveWay lets loops yield to other goroutines, in programs that start some; see Note: turns.
func giveWay(r *rewriter, c *cursor) {
	if !r.Goes {
		return
	}
	b, ok := c.Node().(*ast.BlockStmt)
	if !ok || !isLoopBody(c) {
		return
	}
	turn := r.exprStmt(r.runtime("Turn"))
	if !core.Race {
		turn = r.ifStmt(r.id(core.TurnVar), turn)
	}
	b.List = append([]ast.Stmt{turn}, b.List...)
}
