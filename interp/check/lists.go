package check

import (
	"go/ast"
	"go/types"
	"strings"

	"gotorch/interp/syntax"
)

var anyType = types.Universe.Lookup("any").Type()

// typedList makes a bracket list a value of type t; nil where it cannot be one
// (which is said), or cannot yet.
func (r *resolver) typedList(c *ast.CompositeLit, t types.Type) ast.Expr {
	if a, ok := t.(*types.Alias); ok && r.u.tensor != nil && a.Obj().Pkg() == r.u.tensor {
		switch a.Obj().Name() {
		case "Ints":
			return r.freeList(c, true)
		case "Operand", "Number":
			r.problem(c.Pos(), c, "here a tensor or a number is wanted: write New(%s)", r.text(c))
			return nil
		}
	}
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
		if n := len(c.Elts); int64(n) != u.Len() {
			r.problem(c.Pos(), c, "here %d elements are wanted; the list has %d", u.Len(), n)
			return nil
		}
	case *types.Interface:
		if isTypeParam(t) {
			return r.freeList(c, true)
		}
		if !u.Empty() {
			r.problem(c.Pos(), c, "a list cannot be %s", article(r.typeName(t)))
			return nil
		}
		t, elem = types.NewSlice(anyType), anyType
	default:
		if r.isTensor(t) || r.isTensor(types.NewPointer(t)) {
			r.problem(c.Pos(), c, "here a tensor is wanted: write New(%s)", r.text(c))
		} else {
			r.problem(c.Pos(), c, "here %s is wanted, not a list", article(r.typeName(t)))
		}
		return nil
	}
	if isTypeParam(elem) {
		return r.freeList(c, true)
	}
	te := r.typeExpr(t, c)
	if te == nil {
		return nil
	}
	lit := &ast.CompositeLit{Type: te, Lbrace: c.Lbrace, Rbrace: c.Rbrace}
	for _, e := range c.Elts {
		if in, ok := r.isList(e); ok {
			if e = r.typedList(in, elem); e == nil {
				return nil
			}
		}
		lit.Elts = append(lit.Elts, e)
	}
	r.known[lit] = t
	r.origin[lit] = r.spanOf(c)
	return lit
}

// typeExpr writes a type in the cell's own file; nil where that cannot be done.
func (r *resolver) typeExpr(t types.Type, c *ast.CompositeLit) ast.Expr {
	w := &typeWriter{at: c.Pos(), named: func(o *types.TypeName) ast.Expr {
		switch p := o.Pkg(); {
		case p == nil || p == r.u.pkg:
			return r.ident(o.Name(), c.Pos())
		case !o.Exported():
			return nil
		default:
			return &ast.SelectorExpr{X: r.ident(r.u.hide(p), c.Pos()), Sel: r.ident(o.Name(), c.Pos())}
		}
	}}
	x := w.expr(t)
	if w.bad {
		r.problem(c.Pos(), c, "the type %s of this list cannot be written here", r.typeName(t))
		return nil
	}
	return x
}

// freeList types a list by its elements. Where no place says what is wanted, floats are rejected: [1, 2.5] is float32
// to New and float64 to Go.
func (r *resolver) freeList(c *ast.CompositeLit, floats bool) ast.Expr {
	t := r.freeType(c, floats)
	if t == nil {
		return nil
	}
	return r.typedList(c, t)
}

func (r *resolver) freeType(c *ast.CompositeLit, floats bool) types.Type {
	if len(c.Elts) == 0 {
		r.problem(c.Pos(), c, "nothing says what this empty list holds: write []int{}, []*Tensor{}, … or New([])")
		return nil
	}
	var elem types.Type
	for _, e := range c.Elts {
		var t types.Type
		if in, ok := r.isList(e); ok {
			t = r.freeType(in, floats)
		} else {
			t = r.typ(e)
		}
		if t == nil {
			return nil
		}
		if isNil(t) {
			r.problem(e.Pos(), e, "a list without a type cannot hold nil")
			return nil
		}
		switch {
		case elem == nil:
			elem = t
		case isNumeral(elem) && isNumeral(t):
			if t.(*types.Basic).Kind() > elem.(*types.Basic).Kind() {
				elem = t
			}
		case types.Identical(types.Default(elem), types.Default(t)) || isUntyped(t) && types.AssignableTo(t, elem):
		case isUntyped(elem) && types.AssignableTo(elem, t):
			elem = t
		default:
			r.problem(e.Pos(), e, "the list holds %s and %s: write its Go type, []T{…}",
				article(r.typeName(types.Default(elem))), article(r.typeName(types.Default(t))))
			return nil
		}
	}
	elem = types.Default(elem)
	if b, ok := elem.Underlying().(*types.Basic); ok && !floats && b.Info()&(types.IsFloat|types.IsComplex) != 0 {
		r.problem(c.Pos(), c, "write New(%s) for a tensor, or []%s{…} for a Go slice", r.text(c), r.typeName(elem))
		return nil
	}
	return types.NewSlice(elem)
}

// elements types the lists inside of a composite literal of Go's.
func (r *resolver) elements(lit *ast.CompositeLit) {
	if r.forms.Kinds[lit] != syntax.NotForm {
		return
	}
	t := r.u.info.Types[lit].Type
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // &T elided
		t = p.Elem()
	}
	put := func(at *ast.Expr, want types.Type) {
		if li, ok := r.isList(*at); ok && want != nil {
			if q := r.typedList(li, want); q != nil {
				*at = q
				r.changed++
			}
		}
	}
	for i := range lit.Elts {
		kv, _ := lit.Elts[i].(*ast.KeyValueExpr)
		value := &lit.Elts[i]
		if kv != nil {
			value = &kv.Value
		}
		switch u := t.Underlying().(type) {
		case *types.Slice:
			put(value, u.Elem())
		case *types.Array:
			put(value, u.Elem())
		case *types.Map:
			if kv != nil {
				put(&kv.Key, u.Key())
				put(value, u.Elem())
			}
		case *types.Struct:
			if kv == nil {
				if i < u.NumFields() {
					put(value, u.Field(i).Type())
				}
			} else if id, ok := kv.Key.(*ast.Ident); ok {
				for f := range u.Fields() {
					if f.Name() == id.Name {
						put(value, f.Type())
					}
				}
			}
		}
	}
}

// isNumeral: the type of an untyped number.
func isNumeral(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0 && b.Info()&types.IsNumeric != 0
}

// typeName is a type as a user would write it in a cell.
func (r *resolver) typeName(t types.Type) string { return r.u.typeString(t) }

func (u *unit) typeString(t types.Type) string {
	return plainText(types.TypeString(t, func(p *types.Package) string {
		if p == u.pkg || p == u.tensor {
			return ""
		}
		return p.Name()
	}))
}

// describe says with an article what a value is.
func (r *resolver) describe(e ast.Expr) string {
	t := r.typ(e)
	switch {
	case t == nil:
		return "a value without a type"
	case r.isTensor(t):
		return "a tensor"
	case isNil(t):
		return "nil"
	}
	if s, ok := t.(*types.Signature); ok && s.Params().Len() == 0 && s.Results().Len() == 1 {
		return "the function " + r.text(e) + " (call it: " + r.text(e) + "())"
	}
	if n, ok := t.(*types.Named); ok && !n.Obj().Exported() && n.Obj().Pkg() == r.u.tensor {
		return r.text(e) // None, ...
	}
	return article(strings.TrimPrefix(r.typeName(t), "untyped "))
}

func article(s string) string {
	switch {
	case s == "" || strings.HasPrefix(s, "a ") || strings.HasPrefix(s, "the "):
		return s
	case strings.ContainsRune("aeiou", rune(s[0])):
		return "an " + s
	}
	return "a " + s
}
