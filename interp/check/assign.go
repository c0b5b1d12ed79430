package check

import (
	"go/ast"
	"go/token"

	"gotorch/interp/syntax"
)

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM,
	token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR,
}

// assignOp is an assignment's operator, @ included, and how it is written.
func (r *resolver) assignOp(a *ast.AssignStmt) (op token.Token, text string) {
	if r.atSet[a] {
		return syntax.At, "@="
	}
	return assignOps[a.Tok], a.Tok.String()
}

// stmt resolves one statement whose expressions were resolved already; nil
// leaves it.
func (r *resolver) stmt(s ast.Stmt) ast.Stmt {
	switch x := s.(type) {
	case *ast.IncDecStmt:
		if _, _, ok := r.indexed(x.X); ok || r.isTensor(r.typ(x.X)) {
			r.problem(x.TokPos, x, "%s counts Go's numbers; for a tensor write %s %s= 1", x.Tok, r.text(x.X),
				x.Tok.String()[:1])
		}
	case *ast.SendStmt:
		if r.isTensor(r.typ(x.Chan)) {
			r.problem(x.Arrow, x, "Go reads <- as a channel's arrow: write %s < -%s", r.text(x.Chan), r.text(x.Value))
		}
	case *ast.IfStmt:
		r.condition(x.Cond, "an if")
	case *ast.ForStmt:
		r.condition(x.Cond, "a for")
	case *ast.SwitchStmt:
		if x.Tag != nil && r.isTensor(r.typ(x.Tag)) {
			r.problem(x.Tag.Pos(), x.Tag, "a switch compares whole values: a tensor has none to compare; use if and Equal")
			break
		}
		if x.Tag == nil {
			for _, c := range x.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					r.condition(e, "a case")
				}
			}
		}
	case *ast.ReturnStmt:
		r.results(x)
	case *ast.RangeStmt:
		if li, ok := r.isList(x.X); ok {
			if q := r.freeList(li, false); q != nil {
				x.X = q
				r.changed++
			}
		} else if r.isTensor(r.typ(x.X)) {
			r.problem(x.X.Pos(), x.X,
				"range does not go over a tensor: write for i := range %[1]s.Size(0), or for _, row := range %[1]s.Unbind()",
				r.text(x.X))
		}
	case *ast.ExprStmt:
		if li, ok := r.isList(x.X); ok {
			if q := r.freeList(li, false); q != nil {
				x.X = q
				r.changed++
			}
		}
	case *ast.AssignStmt:
		return r.assign(x)
	}
	return nil
}

func (r *resolver) results(x *ast.ReturnStmt) {
	if len(r.sigs) == 0 || r.sigs[len(r.sigs)-1] == nil {
		return
	}
	want := r.sigs[len(r.sigs)-1].Results()
	for i, e := range x.Results {
		if li, ok := r.isList(e); ok && i < want.Len() {
			if q := r.typedList(li, want.At(i).Type()); q != nil {
				x.Results[i] = q
				r.changed++
			}
		}
	}
}

// condition rejects a tensor where one bool is needed.
func (r *resolver) condition(e ast.Expr, what string) {
	if e == nil || !r.isTensor(r.typ(e)) {
		return
	}
	s := r.spanOf(ast.Unparen(e))
	t := r.textOf(s)
	op, made := r.ops[ast.Unparen(e)]
	if !made || op.Precedence() != token.EQL.Precedence() {
		r.problem(s.lo, e, "%s is a tensor; %s needs one bool: %s.ItemBool()", t, what, t)
		return
	}
	more := ""
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && op == token.EQL && len(c.Args) == 1 &&
		r.isTensor(r.typ(c.Args[0])) {
		if f, ok := c.Fun.(*ast.SelectorExpr); ok {
			more = "; for whole tensors " + r.text(f.X) + ".Equal(" + r.text(c.Args[0]) + ")"
		}
	}
	r.problem(s.lo, e, "%s compares element by element and gives a tensor; %s needs one bool: (%s).All().ItemBool()%s",
		t, what, t, more)
}

func (r *resolver) valueSpec(x *ast.ValueSpec) {
	for i, v := range x.Values {
		li, ok := r.isList(v)
		if !ok {
			continue
		}
		var q ast.Expr
		if x.Type == nil {
			q = r.freeList(li, false)
		} else if t := r.u.info.Types[x.Type].Type; t != nil {
			q = r.typedList(li, t)
		}
		if q != nil {
			x.Values[i] = q
			r.changed++
		}
	}
}

// element rejects what cannot be put into a tensor.
func (r *resolver) element(e ast.Expr) bool {
	if li, ok := r.isList(e); ok {
		r.problem(li.Pos(), li, "a list cannot be put into a tensor: write New(%s)", r.text(li))
		return false
	}
	t := r.typ(e)
	if t == nil {
		return false
	}
	if !r.isTensor(t) && !isScalar(t) {
		r.problem(e.Pos(), e, "a tensor's elements can be set from a tensor or a number; %s is %s", r.text(e), r.describe(e))
		return false
	}
	return true
}

// put makes recv.IndexPut_(tensor.Ix{parts}, v).
func (r *resolver) put(recv ast.Expr, parts []ast.Expr, v ast.Expr, from span, at token.Pos) ast.Stmt {
	ix := &ast.CompositeLit{Type: r.exported("Ix", at), Lbrace: at, Elts: parts, Rbrace: at}
	return &ast.ExprStmt{X: r.method(recv, "IndexPut_", from, at, ix, v)}
}

// listTo gives a list on the right of an assignment the type of its left.
func (r *resolver) listTo(a *ast.AssignStmt, i int) {
	li, ok := r.isList(a.Rhs[i])
	if !ok {
		return
	}
	var q ast.Expr
	if a.Tok == token.DEFINE {
		q = r.freeList(li, false)
	} else if t := r.typ(a.Lhs[i]); a.Tok == token.ASSIGN && t != nil {
		q = r.typedList(li, t)
	} else if id, ok := a.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
		q = r.freeList(li, false)
	}
	if q != nil {
		a.Rhs[i] = q
		r.changed++
	}
}

func (r *resolver) assign(a *ast.AssignStmt) ast.Stmt {
	for i, x := range a.Lhs {
		if _, _, ok := r.indexed(x); !ok {
			if ie, is := x.(*ast.IndexExpr); is {
				r.notTensor(ie)
			}
			if len(a.Lhs) == len(a.Rhs) {
				r.listTo(a, i)
			}
		}
	}
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return r.assignMany(a)
	}
	lhs, rhs := a.Lhs[0], a.Rhs[0]
	recv, at, index := r.indexed(lhs)
	switch {
	case a.Tok == token.DEFINE && index:
		r.problem(a.TokPos, a, ":= declares names; write = to set elements")
		return nil
	case a.Tok == token.ASSIGN && index:
		parts, _, ok := r.parts(lhs)
		if !ok {
			return r.lookInside(a)
		}
		if !r.element(rhs) {
			return nil
		}
		return r.put(recv, parts, rhs, r.spanOf(a), at)
	case a.Tok == token.ASSIGN || a.Tok == token.DEFINE:
		return nil
	case index:
		return r.updateElements(a, recv, at)
	}
	return r.update(a)
}

// lookInside lets go/types see the parts of an index on the left.
func (r *resolver) lookInside(a *ast.AssignStmt) ast.Stmt {
	for i, x := range a.Lhs {
		if y := r.asSubscript(x); y != nil {
			a.Lhs[i] = y
		}
	}
	return nil
}

// updateElements resolves x[…] += y: in place on a view, else by IndexPut_ of
// the result, the operands evaluated once.
func (r *resolver) updateElements(a *ast.AssignStmt, recv ast.Expr, at token.Pos) ast.Stmt {
	lhs, rhs := a.Lhs[0], a.Rhs[0]
	op, _ := r.assignOp(a)
	parts, basic, ok := r.parts(lhs)
	if !ok {
		return r.lookInside(a)
	}
	if !r.element(rhs) {
		return nil
	}
	if !r.canUpdate(a, op, rhs) {
		return nil
	}
	from, of := r.spanOf(a), r.spanOf(lhs)
	if basic && op != syntax.At {
		view := r.method(recv, "Index", of, at, parts...)
		return &ast.ExprStmt{X: r.method(view, methods[op]+"_", from, a.TokPos, rhs)}
	}
	var pre []ast.Stmt
	once := func(e ast.Expr) ast.Expr {
		if simple(e) {
			return e
		}
		n := r.temp()
		pre = append(pre, &ast.AssignStmt{Lhs: []ast.Expr{r.ident(n, e.Pos())}, TokPos: e.Pos(), Tok: token.DEFINE,
			Rhs: []ast.Expr{e}})
		return r.ident(n, e.Pos())
	}
	recv = once(recv)
	for i := range parts {
		parts[i] = once(parts[i])
	}
	value := r.method(r.method(recv, "Index", of, at, parts...), methods[op], from, a.TokPos, rhs)
	put := r.put(recv, append([]ast.Expr{}, parts...), value, from, at)
	if pre == nil {
		return put
	}
	return &ast.BlockStmt{Lbrace: a.Pos(), List: append(pre, put), Rbrace: a.End() - 1}
}

func (r *resolver) canUpdate(a *ast.AssignStmt, op token.Token, rhs ast.Expr) bool {
	t := r.typ(rhs)
	_, text := r.assignOp(a)
	if methods[op] == "" || !r.isTensor(t) && (!isScalar(t) || op == syntax.At) {
		r.problem(a.TokPos, a, "%s is not defined on a tensor and %s", text, r.describe(rhs))
		return false
	}
	return r.wholeDivision(rhs)
}

// update resolves x += y: in place, as in Python. There is no matrix product
// in place; x @= y gives the name x another tensor.
func (r *resolver) update(a *ast.AssignStmt) ast.Stmt {
	lhs, rhs := a.Lhs[0], a.Rhs[0]
	op, text := r.assignOp(a)
	tl, tr := r.typ(lhs), r.typ(rhs)
	if !r.isTensor(tl) {
		if tl != nil && (op == syntax.At || r.isTensor(tr)) {
			r.problem(a.TokPos, a, "%s is %s and cannot become a tensor: declare it as one, or take the number out with "+
				"%s.Item()", r.text(lhs), r.describe(lhs), r.text(rhs))
		}
		return nil
	}
	if li, ok := r.isList(rhs); ok {
		r.problem(a.TokPos, a, "%s is not defined on a list: write New(%s)", text, r.text(li))
		return nil
	}
	if tr == nil || !r.canUpdate(a, op, rhs) {
		return nil
	}
	from := r.spanOf(a)
	if op != syntax.At {
		return &ast.ExprStmt{X: r.method(lhs, methods[op]+"_", from, a.TokPos, rhs)}
	}
	if !simple(lhs) {
		r.problem(a.TokPos, a, "%s is evaluated twice by @=: write it as x = x @ y, with a name for x", r.text(lhs))
		return nil
	}
	return &ast.AssignStmt{Lhs: a.Lhs, TokPos: a.TokPos, Tok: token.ASSIGN,
		Rhs: []ast.Expr{r.method(lhs, methods[op], from, a.TokPos, rhs)}}
}

// assignMany resolves a, x[0] = 1, y. First the operands of the left, then the
// values, then the stores, as Go says.
func (r *resolver) assignMany(a *ast.AssignStmt) ast.Stmt {
	type store struct {
		recv  ast.Expr
		parts []ast.Expr
		at    token.Pos
	}
	stores := map[int]store{}
	for i, x := range a.Lhs {
		recv, at, ok := r.indexed(x)
		if !ok {
			continue
		}
		if a.Tok == token.DEFINE {
			r.problem(a.TokPos, a, ":= declares names; write = to set elements")
			return nil
		}
		changed, temps := r.changed, r.temps
		parts, _, ok := r.parts(x)
		if !ok {
			return r.lookInside(a)
		}
		if len(a.Rhs) == len(a.Lhs) && !r.element(a.Rhs[i]) {
			r.changed, r.temps = changed, temps
			return nil
		}
		stores[i] = store{recv, parts, at}
	}
	if len(stores) == 0 || a.Tok != token.ASSIGN {
		return nil
	}
	at := a.Pos()
	var pre, post []ast.Stmt
	keep := func(e ast.Expr) ast.Expr {
		if b, ok := e.(*ast.BasicLit); ok {
			return b
		}
		n := r.temp()
		pre = append(pre, &ast.AssignStmt{Lhs: []ast.Expr{r.ident(n, at)}, TokPos: at, Tok: token.DEFINE,
			Rhs: []ast.Expr{e}})
		return r.ident(n, at)
	}
	lhs := append([]ast.Expr{}, a.Lhs...)
	from := r.spanOf(a)
	for i := range lhs {
		s, ok := stores[i]
		if !ok {
			continue
		}
		s.recv = keep(s.recv)
		for j := range s.parts {
			s.parts[j] = keep(s.parts[j])
		}
		n := r.temp()
		value := &ast.ValueSpec{Names: []*ast.Ident{r.ident(n, at)}, Type: r.ident("any", at)}
		pre = append(pre, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: at, Tok: token.VAR, Specs: []ast.Spec{value}}})
		lhs[i] = r.ident(n, at)
		post = append(post, r.put(s.recv, s.parts, r.ident(n, at), from, s.at))
	}
	mid := &ast.AssignStmt{Lhs: lhs, TokPos: a.TokPos, Tok: token.ASSIGN, Rhs: a.Rhs}
	r.changed++
	return &ast.BlockStmt{Lbrace: at, List: append(append(pre, mid), post...), Rbrace: a.End() - 1}
}
