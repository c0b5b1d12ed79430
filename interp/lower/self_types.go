package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"

	"gotorch/interp/core"
)

// Note: types that contain themselves without a struct between
//
// A state function, type state func(*lexer) state, or a tree, type tree []tree, has no form that is written with other
// types, and the interpreter has no names for types but structs'. So such a type is made here: first with other types
// of the same size in place of those that it is written with, which may lead to it; when it is there, these can be
// made, and the engine puts them in. Programs use it as a type of the runtime's package.

// isSelf reports whether a type is declared by a cell and contains itself without a struct or an interface between.
func (k *cell) isSelf(u *unit, t types.Type) bool {
	n, ok := types.Unalias(k.in(u, t)).(*types.Named)
	if !ok {
		return false
	}
	switch n.Underlying().(type) {
	case *types.Struct, *types.Interface, *types.Basic:
		return false
	}
	if _, _, ok := k.declared(u, n); !ok {
		return false
	}
	key := k.key(u, n)
	is, known := k.selfish[key]
	if !known {
		is = k.reaches(u, n.Underlying(), key, map[string]bool{})
		remember(k, k.selfish, key, is)
	}
	return is
}

// self is the type that was made for a type that contains itself.
func (k *cell) self(u *unit, t *types.Named) core.Self {
	key := k.key(u, t)
	if s, ok := k.selves[key]; ok {
		return s
	}
	if st := hiddenStruct(t.Underlying()); st != nil {
		panic(&Unsupported{k.pos, fmt.Sprintf("type %s refers to itself through a struct without a name, whose field "+
			"%s is not exported; declare that struct as a type of its own", t.Obj().Name(), st.Name())})
	}
	name, _ := k.number(t.Obj().Name())
	s := core.Self{Name: name, Type: k.shell(u, t.Underlying(), name)}
	remember(k, k.selves, key, s)
	for _, p := range selfParts(t.Underlying()) {
		s.Parts = append(s.Parts, k.layoutOf(u, p))
	}
	k.prog.Selves = append(k.prog.Selves, s)
	return s
}

// hiddenStruct is a field that is not exported of a struct without a name that a type is written with: the interpreter
// finds no such field in structs that were not made by itself.
func hiddenStruct(t types.Type) *types.Var {
	if st, ok := t.(*types.Struct); ok {
		for f := range st.Fields() {
			if !f.Exported() {
				return f
			}
		}
	}
	for p := range parts(t) {
		if f := hiddenStruct(types.Unalias(p)); f != nil {
			return f
		}
	}
	return nil
}

// selfType writes such a type.
func (k *cell) selfType(u *unit, t *types.Named) ast.Expr {
	return k.sel(k.id(core.RuntimeName), k.self(u, t).Name)
}

// hostForm reports whether the interpreter has a type from the host.
func (f *fn) hostForm(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok {
		return false
	}
	_, _, declared := f.declared(f.u, n)
	return !declared || f.isSelf(f.u, n)
}

// channel lowers a channel that is sent to or received from: the interpreter does so with types of its own alone.
func (f *fn) channel(e ast.Expr) ast.Expr { return f.channelOf(f.expr(e), f.typeOf(e)) }

func (f *fn) channelOf(x ast.Expr, t types.Type) ast.Expr {
	if !f.isSelf(f.u, t) {
		return x
	}
	return f.call(f.paren(f.typ(f.u, t.Underlying())), x)
}

// selfParts are the types that the engine puts into the type of a kind, in the order of core.Self.
func selfParts(t types.Type) (out []types.Type) {
	for p := range parts(t) {
		out = append(out, p)
	}
	return out
}

// shell is a new type of the kind of t, with parts of the same size as t's.
func (k *cell) shell(u *unit, t types.Type, name string) reflect.Type {
	c := circle{k, u, map[string]*types.Named{}}
	of := func(t types.Type) reflect.Type { // no other type is the same
		return reflect.StructOf([]reflect.StructField{{Name: "It", Type: c.shape(t), Tag: reflect.StructTag(name)}})
	}
	switch t := t.(type) {
	case *types.Pointer:
		return reflect.PointerTo(of(types.Typ[types.Int]))
	case *types.Slice:
		return reflect.SliceOf(of(t.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(t.Len()), of(t.Elem()))
	case *types.Chan:
		return reflect.ChanOf(reflectDirs[t.Dir()], of(t.Elem()))
	case *types.Map:
		return reflect.MapOf(c.shape(t.Key()), of(t.Elem()))
	}
	s := t.(*types.Signature)
	list := func(t *types.Tuple) (out []reflect.Type) {
		for range t.Len() {
			out = append(out, of(types.Typ[types.Int]))
		}
		return out
	}
	in := list(s.Params())
	if s.Variadic() {
		in[len(in)-1] = reflect.SliceOf(in[len(in)-1])
	}
	return reflect.FuncOf(in, list(s.Results()), s.Variadic())
}
