package yaegi

import "go/ast"

// cursor is the current node of a walk: its position in its parent, and what a rewrite does to it.
type cursor struct {
	node, parent ast.Node
	name         string // the field of parent that holds it
	index        int    // its place in a list of statements, else -1
	before       []ast.Stmt
}

func (c *cursor) Node() ast.Node          { return c.node }
func (c *cursor) Parent() ast.Node        { return c.parent }
func (c *cursor) Name() string            { return c.name }
func (c *cursor) Index() int              { return c.index }
func (c *cursor) Replace(n ast.Node)      { c.node = n }
func (c *cursor) InsertBefore(s ast.Stmt) { c.before = append(c.before, s) }

// file walks through a program. Package astutil's Apply does the same for all of Go; it takes several times as long,
// for it finds the fields by reflection.
func (r *rewriter) file(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			r.genDecl(d)
		case *ast.FuncDecl:
			r.funcs = append(r.funcs, enclosing{results: resultNames(d.Type)})
			r.block(d.Body, d, "Body")
			c := cursor{node: d, index: -1}
			r.apply(&c)
			r.funcs = r.funcs[:len(r.funcs)-1]
		}
	}
}

func (r *rewriter) genDecl(d *ast.GenDecl) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok { // types need nothing
			r.exprs(v.Values, v, "Values")
		}
	}
}

func (r *rewriter) exprs(list []ast.Expr, parent ast.Node, name string) {
	for i, x := range list {
		list[i] = r.expr(x, parent, name)
	}
}

// expr walks through an expression and returns what it becomes.
func (r *rewriter) expr(x ast.Expr, parent ast.Node, name string) ast.Expr {
	switch x := x.(type) {
	case nil:
		return nil
	case *ast.BinaryExpr:
		x.X, x.Y = r.expr(x.X, x, "X"), r.expr(x.Y, x, "Y")
	case *ast.CallExpr:
		x.Fun = r.expr(x.Fun, x, "Fun")
		r.exprs(x.Args, x, "Args")
	case *ast.CompositeLit:
		r.exprs(x.Elts, x, "Elts")
	case *ast.FuncLit:
		r.funcs = append(r.funcs, enclosing{results: resultNames(x.Type)})
		r.block(x.Body, x, "Body")
		r.funcs = r.funcs[:len(r.funcs)-1]
	case *ast.ParenExpr:
		x.X = r.expr(x.X, x, "X")
		return x
	case *ast.SelectorExpr:
		x.X = r.expr(x.X, x, "X")
		return x
	case *ast.IndexExpr:
		x.X, x.Index = r.expr(x.X, x, "X"), r.expr(x.Index, x, "Index")
		return x
	case *ast.SliceExpr:
		x.X, x.Low = r.expr(x.X, x, "X"), r.expr(x.Low, x, "Low")
		x.High, x.Max = r.expr(x.High, x, "High"), r.expr(x.Max, x, "Max")
		return x
	case *ast.StarExpr:
		x.X = r.expr(x.X, x, "X")
		return x
	case *ast.UnaryExpr:
		x.X = r.expr(x.X, x, "X")
		return x
	case *ast.TypeAssertExpr:
		x.X = r.expr(x.X, x, "X")
		return x
	case *ast.KeyValueExpr:
		x.Key, x.Value = r.expr(x.Key, x, "Key"), r.expr(x.Value, x, "Value")
		return x
	default: // names, literals, types
		return x
	}
	c := cursor{node: x, parent: parent, name: name, index: -1}
	r.apply(&c)
	return c.node.(ast.Expr)
}

// block walks through a block that is no statement of its own: a body.
func (r *rewriter) block(b *ast.BlockStmt, parent ast.Node, name string) {
	if b == nil {
		return
	}
	b.List = r.list(b.List, b, "List")
	if r.Goes {
		c := cursor{node: b, parent: parent, name: name, index: -1}
		r.apply(&c)
	}
}

// loop walks through the body of a loop.
func (r *rewriter) loop(b *ast.BlockStmt, parent ast.Node) {
	r.function().loops++
	b.List = r.list(b.List, b, "List")
	r.function().loops--
	if r.Goes {
		c := cursor{node: b, parent: parent, name: "Body", index: -1}
		r.apply(&c)
	}
}

// list walks through statements and returns what they become.
func (r *rewriter) list(list []ast.Stmt, parent ast.Node, name string) []ast.Stmt {
	var out []ast.Stmt // once something was inserted
	for i, s := range list {
		n, before := r.stmtAt(s, parent, name, i)
		if len(before) > 0 && out == nil {
			out = append(make([]ast.Stmt, 0, len(list)+len(before)), list[:i]...)
		}
		if out != nil {
			out = append(append(out, before...), n)
		} else {
			list[i] = n
		}
	}
	if out != nil {
		return out
	}
	return list
}

// stmt walks through a statement that is in no list.
func (r *rewriter) stmt(s ast.Stmt, parent ast.Node, name string) ast.Stmt {
	if s == nil {
		return nil
	}
	n, _ := r.stmtAt(s, parent, name, -1)
	return n
}

func (r *rewriter) stmtAt(s ast.Stmt, parent ast.Node, name string, index int) (ast.Stmt, []ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		r.exprs(s.Lhs, s, "Lhs")
		r.exprs(s.Rhs, s, "Rhs")
	case *ast.SendStmt:
		s.Chan, s.Value = r.expr(s.Chan, s, "Chan"), r.expr(s.Value, s, "Value")
	case *ast.ReturnStmt:
		r.exprs(s.Results, s, "Results")
	case *ast.ForStmt:
		s.Init, s.Cond = r.stmt(s.Init, s, "Init"), r.expr(s.Cond, s, "Cond")
		s.Post = r.stmt(s.Post, s, "Post")
		r.loop(s.Body, s)
	case *ast.RangeStmt:
		s.X = r.expr(s.X, s, "X")
		r.loop(s.Body, s)
	case *ast.LabeledStmt:
		s.Stmt = r.stmt(s.Stmt, s, "Stmt")
	case *ast.SwitchStmt:
		s.Init, s.Tag = r.stmt(s.Init, s, "Init"), r.expr(s.Tag, s, "Tag")
		r.block(s.Body, s, "Body")
	case *ast.CaseClause:
		r.exprs(s.List, s, "List")
		s.Body = r.list(s.Body, s, "Body")
	case *ast.ExprStmt:
		s.X = r.expr(s.X, s, "X")
		return s, nil
	case *ast.IncDecStmt:
		s.X = r.expr(s.X, s, "X")
		return s, nil
	case *ast.IfStmt:
		s.Init, s.Cond = r.stmt(s.Init, s, "Init"), r.expr(s.Cond, s, "Cond")
		r.block(s.Body, s, "Body")
		s.Else = r.stmt(s.Else, s, "Else")
		return s, nil
	case *ast.BlockStmt:
		r.block(s, parent, name)
		return s, nil
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			r.genDecl(d)
		}
		return s, nil
	default: // of those that are in core Go: branch and empty statements
		return s, nil
	}
	c := cursor{node: s, parent: parent, name: name, index: index}
	r.apply(&c)
	return c.node.(ast.Stmt), c.before
}

// apply applies the rewrites to a node whose children are done.
func (r *rewriter) apply(c *cursor) {
	for i := range Quirks {
		if q := &Quirks[i]; q.Rewrite != nil && q.Name != r.skip {
			q.Rewrite(r, c)
		}
	}
}
