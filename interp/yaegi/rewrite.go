package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"gotorch/interp/core"
)

// rewriter applies the rewrites of the quirks to one program, in one walk: at each node, when its children are done,
// in the order of the table. What a rewrite inserts is not walked again.
type rewriter struct {
	*core.Program
	pos   token.Pos // of what has no place in the text: the program's beginning
	names *int      // counts the names that rewrites have made
	funcs []enclosing
	skip  string // a quirk that is left as it is, for tests
}

// enclosing is a function that the walk is in.
type enclosing struct {
	loops   int      // around the node
	results []string // names of its results, if they have any
}

// rewrite applies the rewrites of [Quirks] to a program.
func (e *Engine) rewrite(p *core.Program) {
	r := &rewriter{Program: p, pos: p.File.Package, names: &e.rewritten, skip: e.skip}
	r.file(p.File)
}

// function is the innermost one around the node; a package's variables have none.
func (r *rewriter) function() *enclosing {
	if len(r.funcs) == 0 {
		return &enclosing{}
	}
	return &r.funcs[len(r.funcs)-1]
}

func isLoopBody(c *cursor) bool {
	switch c.Parent().(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return c.Name() == "Body"
	}
	return false
}

func resultNames(t *ast.FuncType) (names []string) {
	if t.Results == nil {
		return nil
	}
	for _, f := range t.Results.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

// before inserts statements in front of the node, a statement without a label.
func (r *rewriter) before(c *cursor, list ...ast.Stmt) {
	if c.Index() >= 0 {
		for _, s := range list {
			c.InsertBefore(s)
		}
		return
	}
	all := append(list, c.Node().(ast.Stmt))
	if c.Name() == "Post" { // one statement: a closure of several
		c.Replace(r.exprStmt(r.call(r.lit(&ast.FuncType{Func: r.pos, Params: &ast.FieldList{}}, all...))))
		return
	}
	c.Replace(r.blockOf(all...))
}

// uses reports whether a variable's name occurs in a node. Every variable of a program has a name of its own.
func uses(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

// typeOf is the type of an expression, where the lowering noted it, else nil.
func (r *rewriter) typeOf(e ast.Expr) types.Type {
	if t := r.Types[e]; t != nil {
		return t.Underlying()
	}
	return nil
}

// isRuntime reports whether a call is one of a function of the runtime.
func isRuntime(c *ast.CallExpr, names ...string) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	if !ok || id.Name != core.RuntimeName {
		return false
	}
	for _, n := range names {
		if s.Sel.Name == n {
			return true
		}
	}
	return false
}

// temp makes a name that nothing else has.
func (r *rewriter) temp() string {
	*r.names++
	return "q_" + strconv.Itoa(*r.names)
}

func (r *rewriter) id(name string) *ast.Ident { return &ast.Ident{NamePos: r.pos, Name: name} }

func (r *rewriter) int(n int) ast.Expr {
	return &ast.BasicLit{ValuePos: r.pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

func (r *rewriter) paren(x ast.Expr) ast.Expr {
	return &ast.ParenExpr{Lparen: r.pos, X: x, Rparen: r.pos}
}

func (r *rewriter) call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Lparen: r.pos, Args: args, Rparen: r.pos}
}

// runtime calls a function of the runtime.
func (r *rewriter) runtime(name string, args ...ast.Expr) *ast.CallExpr {
	return r.call(&ast.SelectorExpr{X: r.id(core.RuntimeName), Sel: r.id(name)}, args...)
}

func (r *rewriter) binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.BinaryExpr{X: x, OpPos: r.pos, Op: op, Y: y}
}

func (r *rewriter) not(x ast.Expr) ast.Expr {
	return &ast.UnaryExpr{OpPos: r.pos, Op: token.NOT, X: r.paren(x)}
}

func (r *rewriter) address(name string) ast.Expr {
	return &ast.UnaryExpr{OpPos: r.pos, Op: token.AND, X: r.id(name)}
}

func (r *rewriter) exprStmt(x ast.Expr) ast.Stmt { return &ast.ExprStmt{X: x} }

func (r *rewriter) define(name string, x ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{r.id(name)}, TokPos: r.pos, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
}

func (r *rewriter) assign(name string, x ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{r.id(name)}, TokPos: r.pos, Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

func (r *rewriter) declare(name string, typ ast.Expr) ast.Stmt {
	return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: r.pos, Tok: token.VAR,
		Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{r.id(name)}, Type: typ}}}}
}

func (r *rewriter) blockOf(list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: r.pos, List: list, Rbrace: r.pos}
}

func (r *rewriter) ifStmt(cond ast.Expr, then ...ast.Stmt) ast.Stmt {
	return &ast.IfStmt{If: r.pos, Cond: cond, Body: r.blockOf(then...)}
}

func (r *rewriter) lit(t *ast.FuncType, body ...ast.Stmt) *ast.FuncLit {
	return &ast.FuncLit{Type: t, Body: r.blockOf(body...)}
}
