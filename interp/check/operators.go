package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"gotorch/interp/syntax"
)

// methods are the operators' names.
var methods = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div", token.REM: "Remainder", syntax.At: "Matmul",
	token.EQL: "Eq", token.NEQ: "Ne", token.LSS: "Lt", token.LEQ: "Le", token.GTR: "Gt", token.GEQ: "Ge",
	token.AND: "BitwiseAnd", token.OR: "BitwiseOr", token.XOR: "BitwiseXor", token.SHL: "BitwiseLeftShift",
	token.SHR: "BitwiseRightShift",
}

// mirrored are the methods for a number on the left.
var mirrored = map[token.Token]string{
	token.ADD: "Add", token.MUL: "Mul", token.EQL: "Eq", token.NEQ: "Ne", token.LSS: "Gt", token.LEQ: "Ge",
	token.GTR: "Lt", token.GEQ: "Le", token.AND: "BitwiseAnd", token.OR: "BitwiseOr", token.XOR: "BitwiseXor",
}

// functions are those without a mirrored method, called on both operands.
var functions = map[token.Token]string{
	token.REM: "Remainder", token.SHL: "BitwiseLeftShift", token.SHR: "BitwiseRightShift",
}

// pythonLevel is how an operator binds in Python's grammar; higher binds more.
func pythonLevel(op token.Token) int {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return 1
	case token.OR:
		return 2
	case token.XOR:
		return 3
	case token.AND:
		return 4
	case token.SHL, token.SHR:
		return 5
	case token.ADD, token.SUB:
		return 6
	case token.MUL, token.QUO, token.REM, syntax.At:
		return 7
	}
	return 0
}

// outerOp is the operator of an operand that stands without parentheses.
func (r *resolver) outerOp(e ast.Expr) (token.Token, bool) {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return b.Op, true
	}
	op, ok := r.ops[e]
	return op, ok && !r.paren[e]
}

// grouping rejects what Go groups in one way and Python in another.
func (r *resolver) grouping(b *ast.BinaryExpr) bool {
	p := pythonLevel(b.Op)
	for i, operand := range []ast.Expr{b.X, b.Y} {
		op, ok := r.outerOp(operand)
		q := pythonLevel(op)
		if !ok || p == 0 || q == 0 {
			continue
		}
		if p == 1 && q == 1 {
			r.problem(b.OpPos, b, "comparisons of tensors do not chain: write (a %s b) & (b %s c)", syntax.OpString(op),
				syntax.OpString(b.Op))
			return false
		}
		if q < p || i == 1 && q == p {
			in, all := r.text(operand), r.text(b)
			as := "(" + in + ")" + all[min(len(in), len(all)):]
			if i == 1 {
				as = all[:max(len(all)-len(in), 0)] + "(" + in + ")"
			}
			r.problem(b.OpPos, b, "Go groups this as %s, PyTorch does not: add parentheses", as)
			return false
		}
	}
	return true
}

func (r *resolver) op(e ast.Expr, op token.Token) ast.Expr {
	r.ops[e] = op
	return e
}

func (r *resolver) binary(x *ast.BinaryExpr) ast.Expr {
	for _, operand := range []ast.Expr{x.X, x.Y} {
		if li, ok := r.isList(operand); ok {
			r.problem(x.OpPos, x, "%s is not defined on a list: write New(%s)", syntax.OpString(x.Op), r.text(li))
			return nil
		}
	}
	tx, ty := r.typ(x.X), r.typ(x.Y)
	if s, ok := x.Y.(*ast.StarExpr); ok && x.Op == token.MUL && s.Star == x.OpPos+1 {
		switch {
		case r.isTensor(tx):
			r.problem(x.OpPos, x, "Go has no **: write %s.Pow(%s)", r.text(x.X), r.text(s.X))
			return nil
		case r.isTensor(r.typ(s.X)):
			r.problem(x.OpPos, x, "Go has no **: write Pow(%s, %s)", r.text(x.X), r.text(s.X))
			return nil
		}
	}
	if tx == nil || ty == nil {
		return nil
	}
	a, b := r.isTensor(tx), r.isTensor(ty)
	op := syntax.OpString(x.Op)
	if !a && !b {
		if x.Op == syntax.At {
			r.problem(x.OpPos, x, "@ is the product of two tensors; here stand %s and %s", r.describe(x.X), r.describe(x.Y))
		}
		return nil
	}
	other, to := x.Y, ty
	if !a {
		other, to = x.X, tx
	}
	switch x.Op {
	case token.LAND, token.LOR:
		r.problem(x.OpPos, x, "%s joins bools; for tensors write %s, or take one bool out: x.ItemBool()", op, op[:1])
		return nil
	case token.EQL, token.NEQ:
		if _, ok := to.Underlying().(*types.Interface); isNil(to) || ok && !isTypeParam(to) {
			return nil // Go's own comparison
		}
	case token.AND_NOT:
		if a && b && r.grouping(x) {
			from := r.spanOf(x)
			not := r.method(x.Y, "BitwiseNot", r.spanOf(x.Y), x.OpPos)
			return r.op(r.method(x.X, "BitwiseAnd", from, x.OpPos, not), token.AND)
		}
	}
	name, ok := methods[x.Op]
	switch {
	case !ok || !(a && b) && !isScalar(to):
		r.problem(x.OpPos, x, "%s is not defined on %s and %s", op, r.describe(x.X), r.describe(x.Y))
		return nil
	case x.Op == syntax.At && !(a && b):
		r.problem(x.OpPos, x, "@ is the product of two tensors; %s is %s: write *", r.text(other), r.describe(other))
		return nil
	}
	if !r.grouping(x) || !(a && b) && !r.wholeDivision(other) {
		return nil
	}
	from := r.spanOf(x)
	if a {
		return r.op(r.method(x.X, name, from, x.OpPos, x.Y), x.Op)
	}
	return r.op(r.numberLeft(x, from), x.Op)
}

// numberLeft resolves number op tensor. Where both sides may do something, the
// number is still evaluated first.
func (r *resolver) numberLeft(x *ast.BinaryExpr, from span) ast.Expr {
	mirror := func(n, t ast.Expr) ast.Expr {
		switch x.Op {
		case token.SUB:
			c := &ast.CallExpr{Fun: r.exported("Rsub", x.OpPos), Lparen: x.OpPos, Args: []ast.Expr{t, n}, Rparen: from.hi - 1}
			return r.made(c, from, r.tensor)
		case token.QUO:
			return r.method(r.method(t, "Reciprocal", from, x.OpPos), "Mul", from, x.OpPos, n)
		}
		if name, ok := mirrored[x.Op]; ok {
			return r.method(t, name, from, x.OpPos, n)
		}
		c := &ast.CallExpr{Fun: r.exported(functions[x.Op], x.OpPos), Lparen: x.OpPos, Args: []ast.Expr{n, t},
			Rparen: from.hi - 1}
		return r.made(c, from, r.tensor)
	}
	if _, keepsOrder := functions[x.Op]; keepsOrder || !hasCall(x.X) || !hasCall(x.Y) {
		return mirror(x.X, x.Y)
	}
	at := x.X.Pos()
	n, t := r.temp(), r.temp()
	body := mirror(r.ident(n, at), r.ident(t, at))
	fn := &ast.FuncLit{
		Type: &ast.FuncType{Func: at, Params: &ast.FieldList{Opening: at, Closing: at},
			Results: &ast.FieldList{List: []*ast.Field{{Type: &ast.StarExpr{Star: at, X: r.exported("Tensor", at)}}}}},
		Body: &ast.BlockStmt{Lbrace: at, Rbrace: from.hi - 1, List: []ast.Stmt{
			&ast.AssignStmt{Lhs: []ast.Expr{r.ident(n, at), r.ident(t, at)}, TokPos: at, Tok: token.DEFINE,
				Rhs: []ast.Expr{x.X, x.Y}},
			&ast.ReturnStmt{Return: at, Results: []ast.Expr{body}},
		}},
	}
	return r.made(&ast.CallExpr{Fun: fn, Lparen: from.hi - 1, Rparen: from.hi - 1}, from, r.tensor)
}

// wholeDivision rejects a constant such as 1/2 beside a tensor: it is 0.
func (r *resolver) wholeDivision(e ast.Expr) bool {
	q, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || q.Op != token.QUO {
		return true
	}
	n, d := r.u.info.Types[q.X], r.u.info.Types[q.Y]
	if n.Value == nil || d.Value == nil || n.Value.Kind() != constant.Int || d.Value.Kind() != constant.Int ||
		constant.Sign(d.Value) == 0 ||
		!isUntyped(n.Type) || !isUntyped(d.Type) || constant.Sign(constant.BinaryOp(n.Value, token.REM, d.Value)) == 0 {
		return true
	}
	r.problem(q.OpPos, q, "%s is the whole number %s in Go: write %s.0/%s", r.text(q),
		constant.BinaryOp(n.Value, token.QUO_ASSIGN, d.Value), n.Value, d.Value)
	return false
}

func (r *resolver) unary(x *ast.UnaryExpr) ast.Expr {
	if !r.isTensor(r.typ(x.X)) {
		return nil
	}
	from := r.spanOf(x)
	switch x.Op {
	case token.SUB:
		return r.method(x.X, "Neg", from, x.OpPos)
	case token.XOR:
		return r.method(x.X, "BitwiseNot", from, x.OpPos)
	case token.ADD:
		return r.made(x.X, from, r.tensor)
	case token.NOT:
		r.problem(x.OpPos, x, "! is for one bool; for a tensor write ^%s", r.text(x.X))
	case token.AND:
		if _, ok := r.origin[ast.Unparen(x.X)]; ok {
			r.problem(x.OpPos, x, "%s is a view made here, it has no address; between two tensors & is their bitwise and",
				r.text(x.X))
		}
	}
	return nil
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// isScalar: a number or a bool, or a type parameter that can be nothing else.
func isScalar(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return types.ConvertibleTo(types.Typ[types.Int8], p) && !types.ConvertibleTo(p, types.Typ[types.String])
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// OperatorMethod is the name of the method that an operator stands for, also in an assignment such as +=; "" where it
// stands for none.
func OperatorMethod(op token.Token) string {
	switch plain, ok := assignOps[op]; {
	case op == syntax.AtAssign:
		op = syntax.At
	case ok:
		op = plain
	}
	return methods[op]
}
