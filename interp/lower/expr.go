package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// fn lowers the body of a function, or the statements of a cell.
type fn struct {
	*cell
	u      *unit
	names  map[types.Object]string // of locals; shared by a function and its closures
	sig    *types.Signature        // what return gives; nil for a cell
	rets   []string                // the results' names, where return assigns to them
	outer  bool                    // return assigns and leaves the closure of a function that defers
	defers string                  // what holds the function's deferred calls
	top    bool                    // the cell itself: definitions are globals
	loops  int                     // around the statement, in this function
	depth  int                     // of functions, for variables that are captured
	self   *Symbol                 // the function that this is the body of
	yield  *yield                  // inside the body of a range over a function
	entry  string                  // what keeps the line that the function was called from
	direct string                  // what holds the panic that recover ends
	ends   map[string]string       // label of a switch or select → the label that break takes
}

func (k *cell) newFn(u *unit, sig *types.Signature) *fn {
	return &fn{cell: k, u: u, names: map[types.Object]string{}, sig: sig}
}

// inner is a closure of f.
func (f *fn) inner(sig *types.Signature) *fn {
	g := *f
	g.loops = 0
	g.sig, g.top, g.depth, g.yield, g.rets, g.outer, g.defers, g.entry, g.direct, g.ends = sig, false, f.depth+1, nil, nil, false, "", "", "", nil
	return &g
}

// temp makes a name that nobody else has.
func (f *fn) temp() string {
	f.n2()
	return fmt.Sprintf("t_%d", f.Lowerer.n)
}

func (k *cell) n2() { k.Lowerer.n++ }

// local is the name of a local object.
func (f *fn) local(o types.Object) string {
	if o.Name() == "_" {
		return "_"
	}
	n, ok := f.names[o]
	if !ok {
		f.n2()
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

// at gives a node the place of another.
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
		return f.funcLitExpr(e)
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
		return f.call(f.id(f.asserter(f.typeOf(e.Type), false)), f.anyOf(e.X))
	case *ast.CallExpr:
		return f.callExpr(e)
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: f.expr(e.X)}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				return &ast.UnaryExpr{OpPos: e.OpPos, Op: token.AND, X: f.composite(lit)}
			}
			f.capture(e.X)
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
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return
		}
	}
}

// literal writes a constant.
func (f *fn) literal(v constant.Value, t types.Type) ast.Expr {
	b, ok := t.Underlying().(*types.Basic)
	if !ok { // an interface: the constant has its default type
		switch v.Kind() {
		case constant.Bool:
			b = types.Typ[types.Bool]
		case constant.String:
			b = types.Typ[types.String]
		case constant.Int:
			b = types.Typ[types.Int]
		case constant.Float:
			b = types.Typ[types.Float64]
		default:
			b = types.Typ[types.Complex128]
		}
		t = b
	}
	if b.Info()&types.IsUntyped != 0 {
		b = types.Default(b).(*types.Basic)
		t = b
	}
	var x ast.Expr
	plain := types.Typ[types.Int]
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		x, plain = f.id(strconv.FormatBool(constant.BoolVal(v))), types.Typ[types.Bool]
	case info&types.IsString != 0:
		x, plain = f.strLit(constant.StringVal(v)), types.Typ[types.String]
	case info&types.IsInteger != 0:
		i := constant.ToInt(v)
		text := i.ExactString()
		neg := strings.HasPrefix(text, "-")
		x = &ast.BasicLit{ValuePos: f.pos, Kind: token.INT, Value: strings.TrimPrefix(text, "-")}
		if neg {
			x = &ast.UnaryExpr{OpPos: f.pos, Op: token.SUB, X: x}
		}
	case info&types.IsFloat != 0:
		x, plain = f.float(v, b.Kind() == types.Float32), nil
	default:
		re, im := f.float(constant.Real(v), b.Kind() == types.Complex64), f.float(constant.Imag(v), b.Kind() == types.Complex64)
		part := "float64"
		if b.Kind() == types.Complex64 {
			part = "float32"
		}
		c := f.call(f.id("complex"), f.call(f.id(part), re), f.call(f.id(part), im))
		if _, named := t.(*types.Named); !named {
			return c
		}
		x, plain = c, nil
	}
	if plain != nil && types.Identical(t, plain) {
		return x
	}
	if n, ok := t.(*types.Named); ok { // a type of cells over int is int
		if _, _, declared := f.declared(f.u, n); declared && plain != nil && types.Identical(b, plain) {
			return x
		}
	}
	return f.call(f.typ(f.u, t), x)
}

func (f *fn) float(v constant.Value, single bool) ast.Expr {
	var text string
	var x float64
	if single {
		s, _ := constant.Float32Val(v)
		x, text = float64(s), strconv.FormatFloat(float64(s), 'g', -1, 32)
	} else {
		x, _ = constant.Float64Val(v)
		text = strconv.FormatFloat(x, 'g', -1, 64)
	}
	text = strings.TrimPrefix(text, "-")
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	lit := &ast.BasicLit{ValuePos: f.pos, Kind: token.FLOAT, Value: text}
	if math.Signbit(x) {
		return &ast.UnaryExpr{OpPos: f.pos, Op: token.SUB, X: lit}
	}
	return lit
}

// to lowers an expression and converts it to a type that it can be assigned to.
func (f *fn) to(e ast.Expr, want types.Type) ast.Expr {
	if want == nil {
		return f.expr(e)
	}
	return f.convert(f.expr(e), f.typeOf(e), want)
}

// convert makes an assignment's conversion explicit: mostly what goes into an
// interface.
func (f *fn) convert(x ast.Expr, from, to types.Type) ast.Expr {
	to = types.Unalias(f.in(f.u, to))
	from = types.Unalias(f.in(f.u, from))
	if isNil(from) {
		return x
	}
	if !isInterface(to) {
		_, a := from.Underlying().(*types.Struct)
		_, b := to.Underlying().(*types.Struct)
		if a && b && f.key(f.u, from) != f.key(f.u, to) {
			return f.call(f.typ(f.u, to), x)
		}
		return x
	}
	keep := f.compiledInterface(f.u, to)
	switch {
	case isInterface(from) && keep:
		if f.key(f.u, from) == f.key(f.u, to) {
			return x
		}
		return f.call(f.id(f.adapter(to)), x)
	case isInterface(from):
		if f.compiledInterface(f.u, from) {
			return f.rtCall("Norm", x)
		}
		return x
	case f.nominal(f.u, from):
		x = f.rtCall("Box", f.intLit(f.desc(f.u, from).ID), x)
		if keep {
			return f.call(f.id(f.adapter(to)), x)
		}
		return x
	case !keep:
		if _, ok := from.Underlying().(*types.Signature); ok {
			return f.rtCall("Any", x)
		}
		if f.once() && isTensor(from) {
			return f.rtCall("Tensor", x)
		}
	}
	return x
}

// once says whether what is lowered runs once, in the cell itself.
func (f *fn) once() bool { return f.sig == nil && f.depth == 0 && f.loops == 0 }

// isTensor says whether t is *tensor.Tensor. The interpreter lists all methods of a type, hundreds here, wherever a value of it
// goes into an interface: 0.2 ms for each such place in a cell. A compiled function that takes the tensor and gives the interface spares that,
// but costs more where it runs often.
func isTensor(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "Tensor" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "gotorch/tensor"
}

// anyOf lowers an expression to what any holds of it.
func (f *fn) anyOf(e ast.Expr) ast.Expr { return f.to(e, types.Universe.Lookup("any").Type()) }

func (f *fn) binary(e *ast.BinaryExpr) ast.Expr {
	tx, ty := f.typeOf(e.X), f.typeOf(e.Y)
	if (e.Op == token.EQL || e.Op == token.NEQ) && !isNil(tx) && !isNil(ty) {
		byRuntime := isInterface(tx) || isInterface(ty)
		switch tx.Underlying().(type) {
		case *types.Struct, *types.Array:
			byRuntime = true
		}
		if byRuntime {
			var x, y ast.Expr
			if isInterface(tx) || isInterface(ty) {
				x, y = f.anyOf(e.X), f.anyOf(e.Y)
			} else {
				x, y = f.expr(e.X), f.expr(e.Y)
			}
			eq := f.rtCall("Equal", x, y)
			if e.Op == token.NEQ {
				return f.not(eq)
			}
			return eq
		}
	}
	if (e.Op == token.EQL || e.Op == token.NEQ) && !isNil(tx) && !isNil(ty) && (unclear(tx) || unclear(ty)) {
		return f.same(f.expr(e.X), e.Op, f.expr(e.Y))
	}
	if e.Op == token.SHL || e.Op == token.SHR {
		x := f.expr(e.X)
		if f.u.info.Types[e.X].Value != nil { // a number without a type shifted by a variable is no number without a type
			x = f.rtCall("Any", x)
			x = f.assert(x, f.typ(f.u, f.typeOf(e.X)))
		}
		return &ast.BinaryExpr{X: x, OpPos: e.OpPos, Op: e.Op, Y: f.shiftBy(e.Y)}
	}
	x, y := f.expr(e.X), f.expr(e.Y)
	if e.Op == token.LAND || e.Op == token.LOR {
		x = f.branching(x)
	}
	return &ast.BinaryExpr{X: x, OpPos: e.OpPos, Op: e.Op, Y: y}
}

// unclear reports whether the interpreter may take one type of channels or pointers for two: what they lead to is a struct that leads to
// itself, or made of one, which it knows by different names at different places.
func unclear(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Chan:
		_, basic := t.Elem().Underlying().(*types.Basic)
		return !basic
	case *types.Pointer:
		switch e := t.Elem().Underlying().(type) {
		case *types.Basic, *types.Struct, *types.Interface:
			return false
		case *types.Pointer:
			return unclear(e)
		}
		return true
	}
	return false
}

// same compares channels or pointers whose types are unclear.
func (f *fn) same(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	eq := ast.Expr(f.rtCall("Same", x, y))
	if op == token.NEQ {
		return f.not(eq)
	}
	return eq
}

// branching readies the left side of && or ||. Where a literal of a struct, list, map or function, or a name in parentheses, may be the first thing that is done for
// it, the interpreter would do, in its place, the branch: something else has to come first.
func (k *cell) branching(x ast.Expr) ast.Expr {
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
	if found {
		return k.paren(k.bin(k.rtCall("Yes"), token.LAND, x))
	}
	return x
}

// shiftBy lowers how far something is shifted; where that may be negative the runtime looks.
func (f *fn) shiftBy(e ast.Expr) ast.Expr {
	tv := f.u.info.Types[e]
	b, ok := f.typeOf(e).Underlying().(*types.Basic)
	if tv.Value != nil || !ok {
		return f.expr(e)
	}
	if b.Info()&types.IsUnsigned != 0 {
		if _, ok := ast.Unparen(e).(*ast.BinaryExpr); ok { // the interpreter would want operands of the type that is shifted
			return f.call(f.id("uint64"), f.expr(e))
		}
		return f.expr(e)
	}
	if and, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && and.Op == token.AND && f.u.info.Types[and.Y].Value != nil && constant.Sign(f.u.info.Types[and.Y].Value) >= 0 {
		return f.expr(e)
	}
	x := f.expr(e)
	if b.Kind() != types.Int {
		x = f.call(f.id("int"), x)
	}
	return f.rtCall("Shift", x)
}

func (f *fn) index(e *ast.IndexExpr) ast.Expr {
	if f.u.info.Types[e.X].IsType() || isGeneric(f.u.info.TypeOf(e.X)) {
		return f.instanceOf(e, e.X)
	}
	x := f.expr(e.X)
	if m, ok := f.typeOf(e.X).Underlying().(*types.Map); ok {
		return &ast.IndexExpr{X: x, Lbrack: e.Lbrack, Index: f.to(e.Index, m.Key()), Rbrack: e.Rbrack}
	}
	return &ast.IndexExpr{X: x, Lbrack: e.Lbrack, Index: f.expr(e.Index), Rbrack: e.Rbrack}
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

func (f *fn) composite(e *ast.CompositeLit) ast.Expr {
	t := f.typeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok { // {…} for &T{…}
		return &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: f.compositeOf(e, types.Unalias(p.Elem()))}
	}
	return f.compositeOf(e, t)
}

func (f *fn) compositeOf(e *ast.CompositeLit, t types.Type) ast.Expr {
	out := &ast.CompositeLit{Type: f.typ(f.u, t), Lbrace: e.Lbrace, Rbrace: e.Rbrace}
	elem := func(v ast.Expr, want types.Type) ast.Expr { return f.to(v, want) }
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				name := kv.Key.(*ast.Ident).Name
				for j := range u.NumFields() {
					if u.Field(j).Name() == name {
						out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: at(f.id(fieldName(u, j)), kv.Key), Colon: kv.Colon, Value: elem(kv.Value, u.Field(j).Type())})
					}
				}
				continue
			}
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: at(f.id(fieldName(u, i)), el), Colon: el.Pos(), Value: elem(el, u.Field(i).Type())})
		}
	case *types.Map:
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: elem(kv.Key, u.Key()), Colon: kv.Colon, Value: elem(kv.Value, u.Elem())})
		}
	case *types.Slice:
		out.Elts = f.elements(e, u.Elem())
	case *types.Array:
		out.Elts = f.elements(e, u.Elem())
	default:
		refuse(e, "the interpreter cannot make a %s", t)
	}
	return out
}

func (f *fn) elements(e *ast.CompositeLit, t types.Type) []ast.Expr {
	var out []ast.Expr
	at := 0
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			n, _ := constant.Int64Val(constant.ToInt(f.u.info.Types[kv.Key].Value))
			at = int(n)
			out = append(out, &ast.KeyValueExpr{Key: f.expr(kv.Key), Colon: kv.Colon, Value: f.to(kv.Value, t)})
		} else if x := ast.Unparen(f.to(el, t)); dereferences(x) {
			// with an index, for the interpreter fails where it asks for the type of a field of *p before it has looked at p
			out = append(out, &ast.KeyValueExpr{Key: f.intLit(at), Colon: el.Pos(), Value: x})
		} else {
			out = append(out, x)
		}
		at++
	}
	return out
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

func (f *fn) funcLitExpr(e *ast.FuncLit) ast.Expr {
	return f.closure(f.typeOf(e).(*types.Signature), f.plainLit(e))
}

func (f *fn) plainLit(e *ast.FuncLit) *ast.FuncLit {
	g := f.inner(f.typeOf(e).(*types.Signature))
	ft, body := g.function(e.Type, e.Body)
	return &ast.FuncLit{Type: ft, Body: body}
}

// closure gives a closure that a loop makes again and again a frame of its own
// to be made in: when a closure returns, yaegi puts back what the place where it
// was made held before, also from another goroutine and also if that place
// holds the next closure by then.
func (f *fn) closure(sig *types.Signature, lit ast.Expr) ast.Expr {
	if f.loops == 0 {
		return lit
	}
	return f.call(f.funcLit(f.funcType(nil, []*ast.Field{f.field("", f.sigType(f.u, sig))}), f.ret(lit)))
}

// zero is the zero value of a type.
func (f *fn) zero(t types.Type) ast.Expr {
	n := f.temp()
	typ := f.typ(f.u, t)
	return f.call(f.funcLit(f.funcType(nil, []*ast.Field{f.field("", f.typ(f.u, t))}),
		&ast.DeclStmt{Decl: f.varDecl(n, typ)}, f.ret(f.id(n))))
}
