package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// fn lowers the body of a function, or the statements of a cell.
type fn struct {
	*cell
	u         *unit
	names     map[types.Object]string // of locals; shared by a function and its closures
	sig       *types.Signature        // what return gives; nil for a cell
	rets      []string                // the results' names, where return assigns to them
	outer     bool                    // return assigns and leaves the closure of a function that defers
	defers    string                  // what holds the function's deferred calls
	top       bool                    // the cell itself: definitions are globals
	depth     int                     // of functions, for variables that are captured
	self      *Symbol                 // the function that this is the body of
	yield     *yield                  // inside the body of a range over a function
	entry     string                  // what keeps the line that the function was called from
	panicking string                  // what holds the panic that recover ends
	ends      map[string]string       // label of a switch or select → the label that break takes
}

func (k *cell) newFn(u *unit, sig *types.Signature) *fn {
	return &fn{cell: k, u: u, names: map[types.Object]string{}, sig: sig}
}

// inner is a closure of f.
func (f *fn) inner(sig *types.Signature) *fn {
	g := *f
	g.sig, g.top, g.depth, g.yield, g.rets, g.outer, g.defers, g.entry, g.panicking, g.ends = sig, false, f.depth+1,
		nil, nil, false, "", "", "", nil
	return &g
}

// temp makes a new name.
func (f *fn) temp() string {
	f.Lowerer.n++
	return fmt.Sprintf("t_%d", f.Lowerer.n)
}

// local is the name of a local object.
func (f *fn) local(o types.Object) string {
	if o.Name() == "_" {
		return "_"
	}
	n, ok := f.names[o]
	if !ok {
		f.Lowerer.n++
		n = fmt.Sprintf("%s_%d", o.Name(), f.Lowerer.n)
		f.names[o] = n
	}
	return n
}

// typeOf is the type of an expression, with type parameters replaced.
func (f *fn) typeOf(e ast.Expr) types.Type {
	t := f.u.info.TypeOf(e)
	if t == nil {
		refuse(e, "the type of this is not known")
	}
	return types.Unalias(f.in(f.u, t))
}

func (f *fn) object(id *ast.Ident) types.Object {
	if o := f.u.info.Uses[id]; o != nil {
		return o
	}
	return f.u.info.Defs[id]
}

// at gives a node the position of another.
func at(id *ast.Ident, n ast.Node) *ast.Ident { id.NamePos = n.Pos(); return id }

// expr lowers an expression that has one value, or a call of any.
func (f *fn) expr(e ast.Expr) ast.Expr {
	if tv, ok := f.u.info.Types[e]; ok && tv.Value != nil {
		return f.literal(tv.Value, f.typeOf(e))
	}
	switch e := e.(type) {
	case *ast.Ident:
		return f.ident(e)
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: e.Lparen, X: f.expr(e.X), Rparen: e.Rparen}
	case *ast.FuncLit:
		return f.closure(e)
	case *ast.CompositeLit:
		return f.composite(e)
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.IndexExpr:
		return f.index(e)
	case *ast.IndexListExpr:
		return f.instanceOf(e, e.X)
	case *ast.SliceExpr:
		if _, ok := f.typeOf(e.X).Underlying().(*types.Array); ok {
			f.capture(e.X)
		}
		r := &ast.SliceExpr{X: f.expr(e.X), Lbrack: e.Lbrack, Slice3: e.Slice3, Rbrack: e.Rbrack}
		if e.Low != nil {
			r.Low = f.expr(e.Low)
		}
		if e.High != nil {
			r.High = f.expr(e.High)
		}
		if e.Max != nil {
			r.Max = f.expr(e.Max)
		}
		return r
	case *ast.TypeAssertExpr:
		return f.call(f.id(f.asserter(f.typeOf(e.X), f.typeOf(e.Type), false)), f.anyOf(e.X))
	case *ast.CallExpr:
		return f.callExpr(e)
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: f.expr(e.X)}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				return &ast.UnaryExpr{OpPos: e.OpPos, Op: token.AND, X: f.composite(lit)}
			}
			return f.address(e)
		}
		if e.Op == token.ARROW {
			return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: f.channel(e.X)}
		}
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: f.expr(e.X)}
	case *ast.BinaryExpr:
		return f.binary(e)
	}
	if f.u.info.Types[e].IsType() {
		return f.typ(f.u, f.typeOf(e))
	}
	refuse(e, "the interpreter cannot do this (%T)", e)
	return nil
}

func (f *fn) ident(e *ast.Ident) ast.Expr {
	switch o := f.object(e).(type) {
	case nil:
		return at(f.id(e.Name), e)
	case *types.Nil:
		return at(f.id("nil"), e)
	case *types.TypeName:
		return f.typ(f.u, f.typeOf(e))
	case *types.Var:
		if d := f.u.def(o); d != nil {
			s := f.symbol(d)
			if f.depth > 0 {
				s.Captured = true
			}
			return at(f.id(s.Name), e)
		}
		return at(f.id(f.local(o)), e)
	case *types.Func:
		if in, ok := f.u.info.Instances[e]; ok {
			return at(f.id(f.instance(o, in.TypeArgs, e)), e)
		}
		if d := f.u.def(o); d != nil {
			s := f.symbol(d)
			if s == f.self {
				return at(f.id(s.Name), e)
			}
			return at(f.id(s.ref), e)
		}
		if n, ok := f.sourceFunc(o); ok {
			return at(f.id(n), e)
		}
	}
	refuse(e, "%s cannot be used here", e.Name)
	return nil
}

// capture notes that a pointer into a global may be kept.
func (f *fn) capture(e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if o, ok := f.object(x).(*types.Var); ok {
				if d := f.u.def(o); d != nil {
					s := f.symbol(d)
					s.Captured, s.pointed = true, true
				}
			}
			return
		case *ast.SelectorExpr:
			if e = x.X; f.isPackage(e) {
				e = x.Sel
			}
		case *ast.IndexExpr:
			e = x.X
		default:
			return
		}
	}
}

// isPackage reports whether e is the name of a package.
func (f *fn) isPackage(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if ok {
		_, ok = f.object(id).(*types.PkgName)
	}
	return ok
}

func (f *fn) index(e *ast.IndexExpr) ast.Expr {
	if f.u.info.Types[e.X].IsType() || isGeneric(f.u.info.TypeOf(e.X)) {
		return f.instanceOf(e, e.X)
	}
	x := f.expr(e.X)
	if m, ok := f.typeOf(e.X).Underlying().(*types.Map); ok {
		return &ast.IndexExpr{X: x, Lbrack: e.Lbrack, Index: f.keyOf(e.Index, m.Key()), Rbrack: e.Rbrack}
	}
	if p, ok := f.typeOf(e.X).Underlying().(*types.Pointer); ok && f.hostArray(p.Elem()) {
		x = f.paren(&ast.StarExpr{Star: e.Pos(), X: x})
	}
	return &ast.IndexExpr{X: x, Lbrack: e.Lbrack, Index: f.expr(e.Index), Rbrack: e.Rbrack}
}

// keyOf is the key of a map. A key in an interface may contain itself, and its hash would never end.
func (f *fn) keyOf(e ast.Expr, t types.Type) ast.Expr {
	if isNil(f.typeOf(e)) { // it has the type of the keys
		return f.zero(t)
	}
	k := f.to(e, t)
	if !isInterface(t) || f.compiledInterface(f.u, t) || f.u.info.Types[e].Value != nil {
		return k
	}
	return f.rtCall("Key", k)
}

// hostArray reports whether t is an array type of a host package: the interpreter mistakes an element of such an
// array, behind a pointer, for the array.
func (f *fn) hostArray(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	_, _, declared := f.declared(f.u, n)
	return !declared
}

// address lowers &x, where x is no literal.
func (f *fn) address(e *ast.UnaryExpr) ast.Expr {
	f.capture(e.X)
	x := f.expr(e.X)
	switch y := ast.Unparen(x).(type) {
	case *ast.IndexExpr: // &p[i], where p points to an array: &(*p)[i]
		src, ok := ast.Unparen(e.X).(*ast.IndexExpr)
		if !ok {
			break
		}
		if _, ok := f.typeOf(src.X).Underlying().(*types.Pointer); ok {
			if _, ok := ast.Unparen(y.X).(*ast.StarExpr); !ok {
				y.X = f.paren(&ast.StarExpr{Star: f.pos, X: f.paren(y.X)})
			}
		}
	case *ast.StarExpr: // &*f()
		if _, ok := ast.Unparen(y.X).(*ast.CallExpr); ok {
			p, t := f.temp(), f.typ(f.u, f.typeOf(e))
			return f.call(f.funcLit(f.funcType([]*ast.Field{f.field(p, t)},
				[]*ast.Field{f.field("", f.typ(f.u, f.typeOf(e)))}),
				f.ret(&ast.UnaryExpr{OpPos: e.OpPos, Op: token.AND, X: &ast.StarExpr{Star: f.pos, X: f.id(p)}})), y.X)
		}
	}
	return &ast.UnaryExpr{OpPos: e.OpPos, Op: token.AND, X: x}
}

func isGeneric(t types.Type) bool {
	s, ok := t.(*types.Signature)
	return ok && s.TypeParams().Len() > 0
}

// instanceOf lowers F[T], a type or a function.
func (f *fn) instanceOf(e, x ast.Expr) ast.Expr {
	if f.u.info.Types[e].IsType() {
		return f.typ(f.u, f.typeOf(e))
	}
	return f.expr(x) // its identifier knows its type arguments
}
