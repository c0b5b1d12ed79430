package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// Helpers are small functions of the interpreter that the lowering writes when
// it first needs them.

const helperName = "h"

// IsHelper reports whether a function of lowered code is a helper, which the user did not write.
func IsHelper(name string) bool { return strings.HasPrefix(name, helperName+"·") }

// helper returns the name of a function, made from text if it is new. In the text
// NAME is its name; an identifier in parts stands for a node.
func (k *cell) helper(key, text string, parts map[string]func() ast.Expr) string {
	if n, ok := k.helpers[key]; ok {
		return n
	}
	name, _ := k.number(helperName)
	remember(k, k.helpers, key, name)
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil {
		panic("interp/lower: helper: " + err.Error())
	}
	parts["NAME"] = func() ast.Expr { return k.id(name) }
	parts["RT"] = func() ast.Expr { return k.id("rt·") }
	d := f.Decls[0]
	k.fill(reflect.ValueOf(d), parts)
	k.funcs = append(k.funcs, d)
	return name
}

var posType, exprType, identType = reflect.TypeFor[token.Pos](), reflect.TypeFor[ast.Expr](),
	reflect.TypeFor[*ast.Ident]()

// fill puts parts in place of names and moves all to the cell's beginning.
func (k *cell) fill(v reflect.Value, parts map[string]func() ast.Expr) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if id, ok := v.Interface().(*ast.Ident); ok && v.Type() == exprType {
			if p := parts[id.Name]; p != nil {
				v.Set(reflect.ValueOf(p()))
				return
			}
		}
		k.fill(v.Elem(), parts)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Type() == identType {
			id := v.Interface().(*ast.Ident)
			if p := parts[id.Name]; p != nil && v.CanSet() {
				v.Set(reflect.ValueOf(p().(*ast.Ident)))
				return
			}
		}
		k.fill(v.Elem(), parts)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Type() == posType {
				if f.Int() != 0 {
					f.SetInt(int64(k.pos))
				}
				continue
			}
			k.fill(f, parts)
		}
	case reflect.Slice:
		for i := range v.Len() {
			k.fill(v.Index(i), parts)
		}
	}
}

// asserter is x.(T), with its ok or panicking; from is x's type.
func (f *fn) asserter(from, t types.Type, commaOk bool) string {
	key := f.key(f.u, t)
	id := func() ast.Expr { return f.intLit(f.desc(f.u, t).ID) }
	typ := func() ast.Expr { return f.typ(f.u, t) }
	f.desc(f.u, t)
	out := "v.(T)"
	if isInterface(t) && !f.compiledInterface(f.u, t) {
		out = "v"
	}
	if s, ok := t.Underlying().(*types.Struct); ok && s.NumFields() == 0 { // v.(T) looks for the first field
		out = "func() T { var z T; return z }()"
	}
	parts := map[string]func() ast.Expr{"ID": id, "T": typ}
	if commaOk {
		return f.helper("ok "+key,
			"func NAME(x interface{}) (T, bool) { v, ok := RT.As(x, ID); var z T; if ok { z = "+out+" }; return z, "+
				"ok }", parts)
	}
	static := f.shownName(f.u, from)
	parts["STATIC"] = func() ast.Expr { return f.strLit(static) }
	return f.helper("must "+static+" "+key,
		"func NAME(x interface{}) T { v := RT.Must(x, ID, STATIC); return "+out+" }", parts)
}

// adapter turns the value of an any into one of a host interface.
func (f *fn) adapter(t types.Type) string {
	typ := func() ast.Expr { return f.typ(f.u, t) }
	return f.helper("to "+f.key(f.u, t),
		"func NAME(x interface{}) T { if x == nil { var z T; return z }; v := RT.Adapt(x, (*T)(nil)); return v.(T) }",
		map[string]func() ast.Expr{"T": typ})
}

// minmax is min or max of two values.
func (f *fn) minmax(name string, t types.Type) string {
	op := map[string]string{"min": "<", "max": ">"}[name]
	text := "func NAME(a, b T) T { if b OP a { return b }; return a }"
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		zero := map[string]string{"min": "1/b < 0", "max": "1/a < 0"}[name]
		text = "func NAME(a, b T) T { if a != a { return a }; if b != b { return b }; if a == 0 && b == 0 { if " +
			zero + " { return b }; return a }; if b OP a { return b }; return a }"
	}
	return f.helper(name+" "+f.key(f.u, t), strings.ReplaceAll(text, "OP", op),
		map[string]func() ast.Expr{"T": func() ast.Expr { return f.typ(f.u, t) }})
}

// valueDecl is var name = x.
func (k *cell) valueDecl(name string, x ast.Expr) *ast.GenDecl {
	return &ast.GenDecl{TokPos: k.pos, Tok: token.VAR,
		Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{k.id(name)}, Values: []ast.Expr{x}}}}
}
