package main

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"gotorch/internal/module"
	"gotorch/interp/allow"
	"gotorch/tensor/opdef"
)

// allowed is the list of names that the restricted mode knows, brought up to date: what was decided stays, names that
// are gone go, and names that came are new, except those that a rule decides.
func allowed(offered []*types.Package, old allow.List) allow.List {
	w := &walk{seen: map[types.Type]bool{}, names: map[*types.Package]map[types.Object]string{}, list: allow.List{}}
	for _, pkg := range offered {
		w.list[pkg.Path()] = map[string]allow.Decision{}
		for o, name := range w.objects(pkg) {
			if typ, _, member := strings.Cut(name, "."); !member || pkg.Scope().Lookup(typ).Exported() {
				w.object(o)
			}
		}
	}
	operators := operatorNames()
	for path, names := range w.list {
		for name := range names {
			d, known := old[path][name]
			by, ok := rule(path, name, w.of[path+"."+name], operators)
			if undecided := !known || d == (allow.Decision{}); ok && (undecided || !by.Allowed) {
				d = by
			}
			names[name] = d
		}
	}
	for _, path := range networked { // no cell has values of their types
		for name, d := range maps.Clone(w.list[path]) {
			typ, _, _ := strings.Cut(name, ".")
			w.list[path][typ] = d
		}
	}
	return w.list
}

// networked are package net/http and what its types are made of.
var networked = []string{"crypto/tls", "crypto/x509", "crypto/x509/pkix", "encoding/asn1", "mime/multipart", "net",
	"net/http", "net/http/httptest", "net/textproto"}

// rule is the decision that follows from what a name is: operators and data of gotorch's own are allowed, and what
// reaches memory by address or methods by name is rejected.
func rule(path, name string, o types.Object, operators map[string]bool) (allow.Decision, bool) {
	if t := o.Type(); t != nil {
		if mentions(t, isAddress) {
			return allow.Decision{Why: "it reaches any memory"}, true
		}
	}
	if slices.Contains(networked, path) {
		return allow.Decision{Why: "it reaches the network"}, true
	}
	if f, ok := o.(*types.Func); ok && path == "reflect" {
		if mentions(f.Signature().Results(), isMethod) || strings.HasPrefix(f.Name(), "Method") {
			return allow.Decision{Why: "it finds methods that are not named in the cell"}, true
		}
	}
	switch v, field := o.(*types.Var); {
	case path == "gotorch/tensor" && operators[name], path == "gotorch/tensor/opt":
		return allow.Decision{Allowed: true}, true
	case field && v.IsField() && module.Has(path):
		_, isFunc := v.Type().Underlying().(*types.Signature)
		return allow.Decision{Allowed: !isFunc}, !isFunc
	}
	return allow.Decision{}, false
}

func isAddress(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// isMethod: reflect.Method holds a method as a function.
func isMethod(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "reflect" && n.Obj().Name() == "Method"
}

// mentions reports whether a type is written with one for which f holds.
func mentions(t types.Type, f func(types.Type) bool) bool {
	if f(t) {
		return true
	}
	in := func(ts ...types.Type) bool {
		return slices.ContainsFunc(ts, func(t types.Type) bool { return mentions(t, f) })
	}
	switch t := t.(type) {
	case *types.Pointer:
		return in(t.Elem())
	case *types.Slice:
		return in(t.Elem())
	case *types.Array:
		return in(t.Elem())
	case *types.Chan:
		return in(t.Elem())
	case *types.Map:
		return in(t.Key(), t.Elem())
	case *types.Signature:
		return in(t.Params(), t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if in(t.At(i).Type()) {
				return true
			}
		}
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if in(t.TypeArgs().At(i)) {
				return true
			}
		}
	}
	return false
}

// operatorNames are the functions and methods that are generated from the operator table.
func operatorNames() map[string]bool {
	names := map[string]bool{}
	for _, row := range opdef.Table() {
		s, err := opdef.Parse(row)
		if err != nil {
			continue // which package opdef tests
		}
		for _, name := range []string{s.GoName(), s.GoName() + "_"} {
			names[name], names["Tensor."+name], names["Factory."+name] = true, true, true
		}
	}
	return names
}

// walk collects the names that cells can reach from the packages that they can import.
type walk struct {
	seen  map[types.Type]bool
	names map[*types.Package]map[types.Object]string
	list  allow.List
	of    map[string]types.Object
}

func (w *walk) objects(pkg *types.Package) map[types.Object]string {
	if w.names[pkg] == nil {
		w.names[pkg] = allow.Objects(pkg)
	}
	return w.names[pkg]
}

// object lists an object and what its type leads to.
func (w *walk) object(o types.Object) {
	if o.Pkg() == nil {
		return
	}
	if name, ok := w.objects(o.Pkg())[o]; ok {
		if w.list[o.Pkg().Path()] == nil {
			w.list[o.Pkg().Path()] = map[string]allow.Decision{}
		}
		if w.of == nil {
			w.of = map[string]types.Object{}
		}
		w.list[o.Pkg().Path()][name] = allow.Decision{}
		w.of[o.Pkg().Path()+"."+name] = o
	}
	w.typ(o.Type())
}

// typ lists the methods and fields of a type, and of the types that it is made of.
func (w *walk) typ(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.typ(types.Unalias(t))
	case *types.Named:
		t = t.Origin()
		for i := range t.NumMethods() {
			if m := t.Method(i); m.Exported() {
				w.object(m)
			}
		}
		w.typ(t.Underlying())
	case *types.Pointer:
		w.typ(t.Elem())
	case *types.Slice:
		w.typ(t.Elem())
	case *types.Array:
		w.typ(t.Elem())
	case *types.Chan:
		w.typ(t.Elem())
	case *types.Map:
		w.typ(t.Key())
		w.typ(t.Elem())
	case *types.Tuple:
		for i := range t.Len() {
			w.typ(t.At(i).Type())
		}
	case *types.Signature:
		w.typ(t.Params())
		w.typ(t.Results())
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			if m := t.ExplicitMethod(i); m.Exported() {
				w.object(m)
			}
		}
		for i := range t.NumEmbeddeds() {
			w.typ(t.EmbeddedType(i))
		}
	case *types.Struct:
		for i := range t.NumFields() {
			f := t.Field(i)
			if f.Exported() {
				w.object(f)
			} else if f.Embedded() {
				w.typ(f.Type()) // what it promotes
			}
		}
	}
}
