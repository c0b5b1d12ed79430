package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"gotorch/interp/syntax"
	"gotorch/tensor/opdef"
)

// Note: resolving the tensor syntax
//
// go/types gives types to what is Go; the resolver walks the tree from the
// leaves up and replaces each tensor form whose operands have types by the
// calls that it means; then go/types looks again, until nothing changes. Nearly
// every cell takes two rounds. What a round makes has a type at once (known),
// so that chains of operators resolve in one.
//
// == and != of two tensors are Go too, and mean something else there: a round
// that finds some resolves them and nothing else.

// span is a piece of the text.
type span struct{ lo, hi token.Pos }

type resolver struct {
	u      *unit
	forms  *syntax.Forms
	tensor types.Type // *tensor.Tensor, or nil
	option types.Type // tensor.Option, or nil
	opts   *types.Package

	spans  map[ast.Node]span        // of nodes as they were read
	origin map[ast.Node]span        // of nodes that were made: the text they came from
	known  map[ast.Expr]types.Type  // of nodes that were made: their type
	ops    map[ast.Expr]token.Token // of nodes that were made: the operator they came from
	paren  map[ast.Expr]bool        // of those: it stood in parentheses
	spread map[*ast.CallExpr]bool   // options whose argument may be a slice to spread
	sigs   []*types.Signature       // of the functions around
	atSet  map[*ast.AssignStmt]bool // x @= y, which go/types sees as x %= y
	lhs    map[ast.Expr]bool        // indices that are assigned to
	temps  int

	devices map[ast.Expr]bool // values of the keyword device whose type is not known yet

	assigned map[token.Pos]bool // where names stand that = gives a value

	declared []*opdef.Sig // operators that this cell defines

	problems []located
	changed  int // in this round
}

// located is something wrong, with the text it is about.
type located struct {
	at  token.Pos
	of  span
	msg string
}

func newResolver(u *unit) *resolver {
	r := &resolver{
		u: u, forms: &u.cell.Forms,
		spans: map[ast.Node]span{}, origin: map[ast.Node]span{}, known: map[ast.Expr]types.Type{},
		ops:   map[ast.Expr]token.Token{},
		paren: map[ast.Expr]bool{}, spread: map[*ast.CallExpr]bool{}, lhs: map[ast.Expr]bool{},
		devices: map[ast.Expr]bool{},
		atSet:   map[*ast.AssignStmt]bool{}, assigned: map[token.Pos]bool{},
	}
	if u.tensor != nil {
		if o := u.tensor.Scope().Lookup("Tensor"); o != nil {
			r.tensor = types.NewPointer(o.Type())
		}
		if o := u.tensor.Scope().Lookup("Option"); o != nil {
			r.option = o.Type()
		}
		r.opts, _ = u.Import(OptPath)
	}
	for _, d := range u.cell.Decls {
		r.note(d)
	}
	r.declared = declaredIn(u.cell.Decls, u.fn.Body)
	r.note(u.fn.Body)
	return r
}

// note records where every node stands, before anything moves.
func (r *resolver) note(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return true
		case *ast.CallExpr:
			for _, k := range r.forms.Keywords[n] {
				r.note(k.Name)
				r.note(k.Value)
			}
		case *ast.AssignStmt:
			if n.Tok == syntax.AtAssign {
				n.Tok, r.atSet[n] = token.REM_ASSIGN, true
			}
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.ASSIGN {
					r.assigned[id.Pos()] = true
				}
				r.noteLHS(x)
			}
		case *ast.IncDecStmt:
			r.noteLHS(n.X)
		}
		if n != nil {
			r.spans[n] = span{n.Pos(), n.End()}
		}
		return true
	})
}

func (r *resolver) noteLHS(x ast.Expr) {
	switch x.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr:
		r.lhs[x] = true
	}
}

// round walks the declarations once and reports whether anything changed.
func (r *resolver) round(decls []ast.Decl) bool {
	r.changed, r.problems, r.sigs = 0, nil, nil
	if r.tensor == nil && r.forms.Empty() && !r.hasAt() {
		return false
	}
	for _, d := range decls {
		r.walk(d, true)
	}
	if r.changed == 0 {
		r.problems = nil
		for _, d := range decls {
			r.walk(d, false)
		}
	}
	return r.changed > 0
}

func (r *resolver) hasAt() bool {
	for n := range r.spans {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == syntax.At {
			return true
		}
	}
	return len(r.atSet) > 0
}

// walk resolves below n, inner nodes first; with equality only == and !=.
func (r *resolver) walk(n ast.Node, equality bool) {
	astutil.Apply(n, func(c *astutil.Cursor) bool {
		switch x := c.Node().(type) {
		case *ast.FuncDecl:
			var s *types.Signature
			if f, ok := r.u.info.Defs[x.Name].(*types.Func); ok {
				s = f.Signature()
			}
			r.sigs = append(r.sigs, s)
		case *ast.FuncLit:
			s, _ := r.u.info.Types[x.Type].Type.(*types.Signature)
			r.sigs = append(r.sigs, s)
		}
		return true
	}, func(c *astutil.Cursor) bool {
		switch x := c.Node().(type) {
		case *ast.FuncDecl:
			r.sigs = r.sigs[:len(r.sigs)-1]
		case *ast.ValueSpec:
			if !equality {
				r.valueSpec(x)
			}
		case ast.Expr:
			if _, ok := x.(*ast.FuncLit); ok {
				r.sigs = r.sigs[:len(r.sigs)-1]
			}
			if r.lhs[x] {
				break
			}
			if y := r.expr(x, equality); y != nil && y != x {
				c.Replace(y)
			}
		case ast.Stmt:
			if equality {
				break
			}
			if y := r.stmt(x); y != nil {
				c.Replace(y)
			}
		}
		return true
	})
}

// expr resolves one node whose children were resolved already; nil leaves it.
func (r *resolver) expr(e ast.Expr, equality bool) ast.Expr {
	if equality {
		if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && r.isTensor(r.typ(b.X)) &&
			r.isTensor(r.typ(b.Y)) {
			return r.binary(b)
		}
		return nil
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		return r.binary(x)
	case *ast.UnaryExpr:
		return r.unary(x)
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr:
		return r.index(e)
	case *ast.ParenExpr: // a method call needs none around it
		if c, ok := x.X.(*ast.CallExpr); ok && r.origin[c] != (span{}) && !r.paren[c] {
			if _, lit := c.Fun.(*ast.FuncLit); !lit {
				r.paren[c] = true
				r.origin[c] = r.spanOf(x)
				return c
			}
		}
	case *ast.CallExpr:
		return r.call(x)
	case *ast.CompositeLit:
		r.elements(x)
	}
	return nil
}

// typ is the type of a value, or nil while it is not known.
func (r *resolver) typ(e ast.Expr) types.Type {
	if t, ok := r.known[e]; ok {
		return t
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return r.typ(x.X)
	case *ast.CallExpr: // a method of what this round made
		if s, ok := x.Fun.(*ast.SelectorExpr); ok {
			if f := r.madeMethod(s); f != nil && f.Signature().Results().Len() == 1 {
				return f.Signature().Results().At(0).Type()
			}
		}
	case *ast.BasicLit:
		if x.Kind == token.INT {
			return types.Typ[types.UntypedInt]
		}
	case *ast.UnaryExpr:
		if b, ok := x.X.(*ast.BasicLit); ok && x.Op == token.SUB && b.Kind == token.INT {
			return types.Typ[types.UntypedInt]
		}
	}
	tv, ok := r.u.info.Types[e]
	if !ok || tv.Type == nil || !tv.IsValue() && !tv.IsNil() || tv.Type == types.Typ[types.Invalid] {
		return nil
	}
	return tv.Type
}

// madeMethod is the method that a selector on a made node names.
func (r *resolver) madeMethod(s *ast.SelectorExpr) *types.Func {
	t, ok := r.known[ast.Unparen(s.X)]
	if !ok {
		if c, is := ast.Unparen(s.X).(*ast.CallExpr); is && r.u.info.Types[c].Type == nil {
			t = r.typ(c)
		}
		if t == nil {
			return nil
		}
	}
	o, _, _ := types.LookupFieldOrMethod(t, true, r.u.pkg, s.Sel.Name)
	f, _ := o.(*types.Func)
	return f
}

func (r *resolver) isTensor(t types.Type) bool {
	return t != nil && r.tensor != nil && types.Identical(t, r.tensor)
}

func (r *resolver) spanOf(n ast.Node) span {
	if s, ok := r.origin[n]; ok {
		return s
	}
	if s, ok := r.spans[n]; ok {
		return s
	}
	return span{n.Pos(), n.End()}
}

// text is what was typed for a node.
func (r *resolver) text(n ast.Node) string { return r.textOf(r.spanOf(n)) }

func (r *resolver) textOf(s span) string {
	lo, hi := int(s.lo-r.u.at), int(s.hi-r.u.at)
	if lo < 0 || hi > len(r.u.cell.Src) || lo > hi {
		return "?"
	}
	return r.u.cell.Src[lo:hi]
}

// problem notes what is wrong with a node; of one place only the first.
func (r *resolver) problem(at token.Pos, n ast.Node, f string, args ...any) {
	for _, p := range r.problems {
		if p.at == at {
			return
		}
	}
	r.problems = append(r.problems, located{at, r.spanOf(n), fmt.Sprintf(f, args...)})
}

// made records an expression that replaces text.
func (r *resolver) made(e ast.Expr, from span, t types.Type) ast.Expr {
	r.known[e] = t
	r.origin[e] = from
	r.changed++
	return e
}

func (r *resolver) ident(name string, at token.Pos) *ast.Ident {
	return &ast.Ident{NamePos: at, Name: name}
}

// method makes recv.name(args), a tensor.
func (r *resolver) method(recv ast.Expr, name string, from span, at token.Pos, args ...ast.Expr) ast.Expr {
	switch recv.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		recv = &ast.ParenExpr{Lparen: recv.Pos(), X: recv, Rparen: recv.End()}
	}
	c := &ast.CallExpr{Fun: &ast.SelectorExpr{X: recv, Sel: r.ident(name, at)}, Lparen: at, Args: args,
		Rparen: max(from.hi-1, at)}
	return r.made(c, from, r.tensor)
}

// exported makes tensor.name.
func (r *resolver) exported(name string, at token.Pos) ast.Expr {
	return &ast.SelectorExpr{X: r.ident(hidTensor, at), Sel: r.ident(name, at)}
}

// temp is a name for a value that is needed twice.
func (r *resolver) temp() string {
	r.temps++
	return fmt.Sprintf("t·%d", r.temps)
}

func (r *resolver) isList(e ast.Expr) (*ast.CompositeLit, bool) {
	c, ok := e.(*ast.CompositeLit)
	return c, ok && r.forms.Kinds[c] == syntax.List
}

// hasCall reports whether evaluating e may do something.
func hasCall(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || x.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// simple: e may be evaluated twice, and in another order.
func simple(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return simple(x.X)
	case *ast.ParenExpr:
		return simple(x.X)
	case *ast.UnaryExpr:
		return x.Op != token.ARROW && simple(x.X)
	case *ast.BinaryExpr:
		return simple(x.X) && simple(x.Y)
	case *ast.CallExpr: // what was made of a range
		s, ok := x.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if id, ok := s.X.(*ast.Ident); !ok || id.Name != hidTensor {
			return false
		}
		for _, a := range x.Args {
			if !simple(a) {
				return false
			}
		}
		return true
	}
	return false
}
