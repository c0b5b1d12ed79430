package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// bareLiteral puts a composite literal that is assigned in parentheses.
func bareLiteral(r *rewriter, c *cursor) {
	if s, ok := c.Node().(*ast.AssignStmt); ok && len(s.Rhs) == 1 {
		if lit, ok := s.Rhs[0].(*ast.CompositeLit); ok {
			s.Rhs[0] = r.paren(lit)
		}
	}
}

// leftOfBranch makes sure that the left operand of && and || does not begin with a branch.
func leftOfBranch(r *rewriter, c *cursor) {
	if b, ok := c.Node().(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		b.X = r.branching(b.X)
	}
}

func (r *rewriter) branching(x ast.Expr) ast.Expr {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit, *ast.FuncLit:
			found = true
		case *ast.ParenExpr:
			switch ast.Unparen(n).(type) {
			case *ast.BinaryExpr, *ast.CallExpr:
			default:
				found = true
			}
		}
		return !found
	})
	if found && r.skip != "left of a branch" {
		return r.paren(r.binary(r.runtime("Yes"), token.LAND, x))
	}
	return x
}

// hostClosure puts closures that are passed to host functions in parentheses: the interpreter then gives them the
// variables as they are.
func hostClosure(r *rewriter, c *cursor) {
	call, ok := c.Node().(*ast.CallExpr)
	if !ok {
		return
	}
	if _, ok := call.Fun.(*ast.SelectorExpr); !ok {
		return
	}
	for i, a := range call.Args {
		if lit, ok := a.(*ast.FuncLit); ok {
			call.Args[i] = r.paren(lit)
		}
	}
}

// closureInLoop makes each closure that a loop creates in its own frame.
func closureInLoop(r *rewriter, c *cursor) {
	lit, ok := c.Node().(*ast.FuncLit)
	if !ok || r.function().loops == 0 {
		return
	}
	if call, ok := c.Parent().(*ast.CallExpr); ok && (c.Name() == "Fun" || isRuntime(call, "Defer", "Protect")) {
		return
	}
	typ := &ast.FuncType{Func: r.pos, Params: unnamed(lit.Type.Params), Results: unnamed(lit.Type.Results)}
	outer := &ast.FuncType{Func: r.pos, Params: &ast.FieldList{Opening: r.pos, Closing: r.pos},
		Results: &ast.FieldList{List: []*ast.Field{{Type: typ}}}}
	c.Replace(r.call(r.lit(outer, &ast.ReturnStmt{Return: r.pos, Results: []ast.Expr{lit}})))
}

// unnamed is a list of parameters or results without their names.
func unnamed(l *ast.FieldList) *ast.FieldList {
	if l == nil {
		return nil
	}
	out := &ast.FieldList{Opening: l.Opening, Closing: l.Closing}
	for _, f := range l.List {
		for range max(1, len(f.Names)) {
			out.List = append(out.List, &ast.Field{Type: f.Type})
		}
	}
	return out
}

// dereferencedElement gives an element of a list that dereferences a pointer its index.
func dereferencedElement(r *rewriter, c *cursor) {
	lit, ok := c.Node().(*ast.CompositeLit)
	if !ok {
		return
	}
	at := 0
	for i, x := range lit.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			n, ok := index(kv.Key)
			if !ok { // a field or the key of a map
				return
			}
			at = n
		} else if x = ast.Unparen(x); dereferences(x) {
			lit.Elts[i] = &ast.KeyValueExpr{Key: r.int(at), Colon: x.Pos(), Value: x}
		}
		at++
	}
}

// index is the value of an index of a list's element, a constant as it was lowered.
func index(x ast.Expr) (int, bool) {
	if c, ok := x.(*ast.CallExpr); ok && len(c.Args) == 1 {
		if id, ok := c.Fun.(*ast.Ident); ok && types.Universe.Lookup(id.Name) != nil { // of another type than int
			x = c.Args[0]
		}
	}
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return 0, false
	}
	n, err := strconv.Atoi(lit.Value)
	return n, err == nil
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

// sameReference compares channels and pointers by what they refer to, where the interpreter may take one type for two.
func sameReference(r *rewriter, c *cursor) {
	b, ok := c.Node().(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || !unclear(r.typeOf(b.X)) && !unclear(r.typeOf(b.Y)) {
		return
	}
	eq := ast.Expr(r.runtime("Same", b.X, b.Y))
	if b.Op == token.NEQ {
		eq = r.not(eq)
	}
	c.Replace(eq)
}

// unclear reports whether the interpreter may take one type of channels or pointers for two: they point to a struct
// that refers to itself, or to a type with such a struct, which it knows by different names in different places.
func unclear(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Chan:
		_, basic := t.Elem().Underlying().(*types.Basic)
		return !basic
	case *types.Pointer:
		seen := map[types.Type]bool{} // a pointer may point to its own type
		for p := t; !seen[p]; {
			seen[p] = true
			switch e := p.Elem().Underlying().(type) {
			case *types.Basic, *types.Struct, *types.Interface:
				return false
			case *types.Pointer:
				p = e
			}
		}
		return true
	}
	return false
}

// shiftedConstant gives a constant that is shifted by a variable its type.
func shiftedConstant(r *rewriter, c *cursor) {
	b, ok := c.Node().(*ast.BinaryExpr)
	if !ok || b.Op != token.SHL && b.Op != token.SHR || r.Types[b.X] == nil {
		return
	}
	typ := ast.Expr(r.id("int"))
	if conv, ok := b.X.(*ast.CallExpr); ok {
		typ = conv.Fun
	}
	b.X = &ast.TypeAssertExpr{X: r.runtime("Any", b.X), Lparen: r.pos, Type: typ, Rparen: r.pos}
}

// shiftCount checks by how much a value is shifted.
func shiftCount(r *rewriter, c *cursor) {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		if n.Op == token.SHL || n.Op == token.SHR {
			n.Y = r.checkedCount(n.Y)
		}
	case *ast.AssignStmt:
		if n.Tok == token.SHL_ASSIGN || n.Tok == token.SHR_ASSIGN {
			n.Rhs[0] = r.checkedCount(n.Rhs[0])
		}
	}
}

func (r *rewriter) checkedCount(y ast.Expr) ast.Expr {
	b, ok := r.typeOf(y).(*types.Basic)
	if !ok { // a constant
		return y
	}
	sum, isBinary := ast.Unparen(y).(*ast.BinaryExpr)
	switch {
	case b.Info()&types.IsUnsigned != 0 && isBinary: // the interpreter expects operands of the type that is shifted
		return r.call(r.id("uint64"), y)
	case b.Info()&types.IsUnsigned != 0:
		return y
	case isBinary && sum.Op == token.AND && isLiteral(sum.Y):
		return y
	case b.Kind() != types.Int:
		y = r.call(r.id("int"), y)
	}
	return r.runtime("Shift", y)
}

// isLiteral reports whether an expression is a constant that is not negative, as it was lowered.
func isLiteral(x ast.Expr) bool {
	_, ok := index(x)
	return ok
}

// directedChannel makes a channel of one direction out of one of both.
func directedChannel(r *rewriter, c *cursor) {
	call, ok := c.Node().(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok || id.Name != "make" {
		return
	}
	if t, ok := call.Args[0].(*ast.ChanType); ok && t.Dir != ast.SEND|ast.RECV {
		call.Args[0] = &ast.ChanType{Begin: t.Begin, Dir: ast.SEND | ast.RECV, Value: t.Value}
		c.Replace(r.call(r.paren(t), call))
	}
}
