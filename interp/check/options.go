package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gotorch/interp/syntax"
)

// spreadOption: dim=dims spreads where dims turns out to be a slice.
func (r *resolver) spreadOption(c *ast.CallExpr) {
	if !r.spread[c] || len(c.Args) != 1 || c.Ellipsis.IsValid() {
		return
	}
	if t := r.typ(c.Args[0]); t != nil {
		if _, ok := t.Underlying().(*types.Slice); ok {
			c.Ellipsis = c.Args[0].End()
			r.changed++
		}
		delete(r.spread, c)
	}
}

func (r *resolver) factoryMethod(name string) bool {
	with, _ := r.u.tensor.Scope().Lookup("With").(*types.Func)
	if with == nil || with.Signature().Results().Len() != 1 {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(with.Signature().Results().At(0).Type(), true, r.u.tensor, name)
	return m != nil
}

// simpleType is the type of a name that go/types has not looked at, because
// keywords were taken out of the call.
func (r *resolver) simpleType(e ast.Expr) types.Type {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	scope := r.u.pkg.Scope().Innermost(id.Pos())
	if scope == nil {
		return nil
	}
	if _, o := scope.LookupParent(id.Name, id.Pos()); o != nil {
		return o.Type()
	}
	return nil
}

// alongDim points to MaxDim where Max was given a dimension.
func (r *resolver) alongDim(f *callee) string {
	if f.fn == nil || f.fn.Signature().Recv() == nil || r.tensor == nil || len(f.op.Options) > 0 {
		return ""
	}
	if o, _, _ := types.LookupFieldOrMethod(r.tensor, true, r.u.pkg, f.name+"Dim"); o == nil {
		return ""
	}
	return "; along a dimension it is " + f.name + "Dim"
}

// omitted stands for an option that is given as None.
var omitted ast.Expr = &ast.BadExpr{}

// optionArg makes the option of a keyword: dim=1 is opt.Dim(1), and a value
// that is an option itself stays, dtype=Int32. nil when it is none (said).
func (r *resolver) optionArg(f *callee, k syntax.Keyword) ast.Expr {
	key, at := k.Name.Name, k.Name.Pos()
	if f.isOp && !slices.Contains(f.op.Options, key) && !slices.Contains(f.op.Keyword, key) && key != "out" {
		r.problem(at, k.Name, "%s takes no keyword %s%s", f.name, key, r.takes(f))
		return nil
	}
	ctor := r.optionOf(f, key)
	if ctor == nil {
		r.problem(at, k.Name, "%s takes no keyword %s%s", f.name, key, r.takes(f))
		return nil
	}
	if id, ok := k.Value.(*ast.Ident); ok && (id.Name == "nil" || id.Name == "None") {
		return omitted
	}
	param := ctor.Signature().Params().At(0).Type()
	// a tensor is an option too, for To alone: weight=w is opt.Weight(w)
	if !ctor.Signature().Variadic() && types.AssignableTo(param, r.option) && !r.isTensor(param) {
		if _, list := r.isList(k.Value); !list {
			return r.checkedOption(k, param)
		}
	}
	c := &ast.CallExpr{Fun: &ast.SelectorExpr{X: r.ident(r.u.hide(ctor.Pkg()), at), Sel: r.ident(ctor.Name(), at)},
		Lparen: k.Eq, Args: []ast.Expr{k.Value}, Rparen: k.Value.End() - 1}
	r.origin[c] = span{at, k.Value.End()}
	li, isList := r.isList(k.Value)
	switch {
	case isList && ctor.Signature().Variadic():
		c.Args = li.Elts
	case isList:
		var v ast.Expr
		if i, ok := param.Underlying().(*types.Interface); ok && i.Empty() {
			if v = r.freeList(li, true); v == nil && r.unknown(li) {
				// its elements have no types yet: a later round gives it one
				return c
			}
		} else {
			v = r.typedList(li, param)
		}
		if v == nil {
			return nil
		}
		c.Args[0] = v
	case ctor.Signature().Variadic():
		r.spread[c] = true // once the type of the value is known
	}
	return c
}

// optionOf is the function that makes an option of f: one of f's package, such as nn.Bias, or of package opt.
func (r *resolver) optionOf(f *callee, key string) *types.Func {
	if f.fn != nil && f.fn.Pkg() != nil && !f.isOp && r.option != nil {
		o, ok := f.fn.Pkg().Scope().Lookup(camel(key)).(*types.Func)
		if ok && o.Exported() && o.Signature().Params().Len() == 1 && o.Signature().Results().Len() == 1 &&
			types.Identical(o.Signature().Results().At(0).Type(), r.option) {
			return o
		}
	}
	return r.optionFunc(key)
}

// optionFunc is the function of package opt that makes the option, nil when there is none.
func (r *resolver) optionFunc(key string) *types.Func {
	if r.opts == nil {
		return nil
	}
	if f, ok := r.opts.Scope().Lookup(camel(key)).(*types.Func); ok && f.Signature().Params().Len() == 1 {
		return f
	}
	return nil
}

// tensorOption: the keyword's value is a tensor, or may be one, as that of min.
func (r *resolver) tensorOption(key string) bool {
	f := r.optionFunc(key)
	if f == nil {
		return false
	}
	t := f.Signature().Params().At(0).Type()
	a, ok := t.(*types.Alias)
	return r.isTensor(t) || ok && a.Obj().Name() == "Operand" && a.Obj().Pkg().Path() == TensorPath
}

// checkedOption returns a value that is an option by itself, of the type that
// its keyword wants.
func (r *resolver) checkedOption(k syntax.Keyword, want types.Type) ast.Expr {
	switch v := k.Value.(type) {
	case *ast.Ident: // dtype=float32, dtype=int
		if d := r.named(v.Name, want); types.Universe.Lookup(v.Name) != nil && d != "" {
			r.problem(v.Pos(), v, "%s is a type of Go's; the %s is %s", v.Name, k.Name.Name, d)
			return nil
		}
	case *ast.BasicLit: // dtype="float32"
		key, of := k.Name.Name, want
		if r.isDevice(want) { // its names are strings: x.To("meta"), but x.To(Float32)
			key, of = "dtype", r.u.tensor.Scope().Lookup("Dtype").Type()
		}
		if s, err := strconv.Unquote(v.Value); err == nil && r.named(s, of) != "" {
			r.problem(v.Pos(), v, "the %s is %s, without quotes", key, r.named(s, of))
			return nil
		}
	}
	t := r.typ(k.Value)
	if t == nil {
		t = r.simpleType(k.Value)
	}
	if r.isDevice(want) {
		if d := r.namedDevice(k.Value, t); d != nil { // device="async:0"
			return d
		}
		if t == nil { // a string, perhaps, as a later round knows
			r.devices[k.Value] = true
		}
	}
	if t != nil && !types.AssignableTo(t, want) {
		r.problem(k.Value.Pos(), k.Value, "%s wants %s; %s is %s", k.Name.Name, article(r.typeName(want)), r.text(k.Value),
			article(strings.TrimPrefix(r.typeName(t), "untyped ")))
		return nil
	}
	if b, ok := k.Value.(*ast.BasicLit); ok {
		r.problem(k.Value.Pos(), k.Value, "%s wants %s; %s is %s", k.Name.Name, article(r.typeName(want)), b.Value,
			map[token.Token]string{
				token.INT: "an int", token.FLOAT: "a float", token.STRING: "a string", token.CHAR: "a rune",
				token.IMAG: "a complex number"}[b.Kind])
		return nil
	}
	return k.Value
}

// named is the name of package tensor that one of PyTorch's stands for; "" where there is none of the type that is
// wanted.
func (r *resolver) named(s string, want types.Type) string {
	s = strings.TrimPrefix(s, "torch.")
	for _, name := range []string{camel(s), camel(s + "64"), strings.ToUpper(s)} { // float32, int, cpu
		if o := r.u.tensor.Scope().Lookup(name); o != nil && types.AssignableTo(o.Type(), want) {
			return name
		}
	}
	return ""
}

// unknown: an element of the list has no type yet.
func (r *resolver) unknown(c *ast.CompositeLit) bool {
	for _, e := range c.Elts {
		if in, ok := r.isList(e); ok && r.unknown(in) || !ok && r.typ(e) == nil {
			return true
		}
	}
	return false
}

// camel turns one of PyTorch's names into Go's case, word by word; an
// underscore at the end stays.
func camel(s string) string {
	base, inPlace := strings.CutSuffix(s, "_")
	var b strings.Builder
	for _, w := range strings.Split(base, "_") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	if inPlace {
		b.WriteByte('_')
	}
	return b.String()
}

// snake is PyTorch's way of writing a Go parameter.
func snake(s string) string {
	var b strings.Builder
	for i, c := range strings.TrimSuffix(s, "_") {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}
