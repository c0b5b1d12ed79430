package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"gotorch/interp/check"
	"gotorch/interp/symbols"
	"math"
	"strconv"
	"strings"
)

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
		re, im := f.float(constant.Real(v), b.Kind() == types.Complex64),
			f.float(constant.Imag(v), b.Kind() == types.Complex64)
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

// needsWrapper reports whether a nil for an interface must be written as a conversion to it. The interpreter looks up
// the interface's package, and crashes if no cell has used that; a conversion counts as a use.
func (f *fn) needsWrapper(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok || !isInterface(t) || n.Obj().Pkg() == nil || t.Underlying().(*types.Interface).NumMethods() == 0 {
		return false
	}
	_, known := symbols.Lookup(n.Obj().Pkg().Path())
	return known && f.compiledInterface(f.u, t)
}

// convert makes an assignment's conversion explicit: mostly what goes into an
// interface.
func (f *fn) convert(x ast.Expr, from, to types.Type) ast.Expr {
	to = types.Unalias(f.in(f.u, to))
	from = types.Unalias(f.in(f.u, from))
	if isNil(from) {
		if _, ok := to.Underlying().(*types.Signature); ok && f.hostForm(to) {
			return f.zero(to) // the interpreter does not return or keep a nil of such a type
		}
		if f.needsWrapper(to) {
			return f.call(f.id(f.adapter(to)), x)
		}
		return x
	}
	if !isInterface(to) {
		_, a := from.Underlying().(*types.Struct)
		_, b := to.Underlying().(*types.Struct)
		if a && b && f.key(f.u, from) != f.key(f.u, to) {
			return f.call(f.typ(f.u, to), x)
		}
		if (f.isSelf(f.u, from) || f.isSelf(f.u, to)) && f.key(f.u, from) != f.key(f.u, to) {
			return f.call(f.paren(f.typ(f.u, to)), x)
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
		if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.NOT { // the interpreter would set a bool in the interface
			return f.rtCall("Any", x)
		}
		if isTensor(from) {
			return f.rtCall("Tensor", x)
		}
	}
	return x
}

// isTensor reports whether t is *tensor.Tensor. The interpreter lists all methods of a type, hundreds here, wherever a
// value of it goes into an interface: 0.2 ms for each such place in a cell. A host function that takes the tensor and
// gives the interface spares that; package quick knows it.
func isTensor(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	return ok && check.IsTensor(p.Elem())
}

// anyOf lowers an expression to what any holds of it.
func (f *fn) anyOf(e ast.Expr) ast.Expr { return f.to(e, types.Universe.Lookup("any").Type()) }

// zero is the zero value of a type.
func (f *fn) zero(t types.Type) ast.Expr {
	n := f.temp()
	typ := f.typ(f.u, t)
	return f.call(f.funcLit(f.funcType(nil, []*ast.Field{f.field("", f.typ(f.u, t))}),
		&ast.DeclStmt{Decl: f.varDecl(n, typ)}, f.ret(f.id(n))))
}
