package lower

import (
	"go/types"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"gotorch/interp/core"
)

// Note: types that contain themselves
//
// Package reflect makes no struct type that refers to itself, and the interpreter's own way, which puts one type in
// place of all that are not finished yet, confuses the types of a cycle: a node with edges that refer to nodes, or a
// list whose elements refer to it. So the structs of a cycle are laid out here, all at once. Each is first made with
// other types of the same size and kind in place of those that refer back: a pointer in place of a pointer, a list in
// place of a list. When all structs are there, the fields' own types can be made, and the engine puts them in.

// layout makes the type of a declared struct that refers to itself, and of the other structs of its cycle.
func (k *cell) layout(u *unit, t *types.Named) reflect.Type {
	key := k.key(u, t)
	if r := k.layouts[key]; r != nil {
		return r
	}
	c := circle{k, u, map[string]*types.Named{}}
	c.add(t)
	for _, n := range c.structs { // they need their names, and one of them may be laid out meanwhile
		k.typ(u, n)
	}
	if r := k.layouts[key]; r != nil {
		return r
	}
	for _, n := range c.structs {
		c.make(n)
	}
	for key, n := range c.structs {
		st := n.Underlying().(*types.Struct)
		l := core.Layout{Name: k.structs[key], Type: k.layouts[key]}
		for i := range st.NumFields() {
			l.Fields = append(l.Fields, k.layoutOf(u, st.Field(i).Type()))
		}
		k.prog.Layouts = append(k.prog.Layouts, l)
	}
	return k.layouts[key]
}

// circle is a set of declared structs of which each refers to each other, perhaps through others.
type circle struct {
	*cell
	u       *unit
	structs map[string]*types.Named
}

// add adds a struct, those that it refers to and those that refer to it.
func (c circle) add(t *types.Named) {
	from := c.leads(t)
	from[c.key(c.u, t)] = t
	for key, n := range from {
		if c.leads(n)[c.key(c.u, t)] != nil {
			c.structs[key] = n
		}
	}
}

// leads are the declared structs in a type, by key.
func (c circle) leads(t *types.Named) map[string]*types.Named {
	out, seen := map[string]*types.Named{}, map[string]bool{}
	var walk func(t types.Type)
	walk = func(t types.Type) {
		t = types.Unalias(c.in(c.u, t))
		n, ok := t.(*types.Named)
		if !ok {
			for p := range parts(t) {
				walk(p)
			}
			return
		}
		if _, _, ok := c.declared(c.u, n); !ok || isInterface(n) {
			return
		}
		key := c.key(c.u, n)
		if _, ok := n.Underlying().(*types.Struct); ok {
			out[key] = n
		}
		if !seen[key] {
			seen[key] = true
			walk(n.Underlying())
		}
	}
	walk(t.Underlying())
	return out
}

// make makes a struct of the circle, after those that it holds.
func (c circle) make(t *types.Named) reflect.Type {
	key := c.key(c.u, t)
	if r := c.layouts[key]; r != nil {
		return r
	}
	st := t.Underlying().(*types.Struct)
	fields := make([]reflect.StructField, st.NumFields())
	for i := range fields {
		fields[i] = structField(st, i, c.cell.structs[key], c.shape(st.Field(i).Type()))
	}
	r := reflect.StructOf(fields)
	remember(c.cell, c.layouts, key, r)
	return r
}

// structField is a field as the interpreter makes it, of a struct with a mark.
func structField(st *types.Struct, i int, mark string, t reflect.Type) reflect.StructField {
	name := fieldName(st, i)
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
		name = "X" + name
	}
	return reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(fieldTag(st, i, mark))}
}

// shape is a type of the size and kind of a field's.
func (c circle) shape(t types.Type) reflect.Type {
	t = types.Unalias(c.in(c.u, t))
	switch x := t.Underlying().(type) {
	case *types.Struct:
		if n, ok := t.(*types.Named); ok {
			if c.structs[c.key(c.u, n)] != nil {
				return c.make(n)
			}
			return c.layoutOf(c.u, t)
		}
		fields := make([]reflect.StructField, x.NumFields())
		for i := range fields {
			fields[i] = structField(x, i, "", c.shape(x.Field(i).Type()))
		}
		return reflect.StructOf(fields)
	case *types.Array:
		return reflect.ArrayOf(int(x.Len()), c.shape(x.Elem()))
	case *types.Pointer:
		return reflect.TypeFor[*int]()
	case *types.Slice:
		return reflect.TypeFor[[]int]()
	case *types.Map:
		return reflect.TypeFor[map[int]int]()
	case *types.Chan:
		return reflect.TypeFor[chan int]()
	case *types.Signature:
		return reflect.TypeFor[func()]()
	}
	return c.layoutOf(c.u, t)
}

// layoutOf is a type as the interpreter makes it.
func (k *cell) layoutOf(u *unit, t types.Type) reflect.Type {
	t = types.Unalias(k.in(u, t))
	if n, ok := t.(*types.Named); ok {
		if _, _, declared := k.declared(u, n); !declared {
			if r, ok := k.reflectType(u, n); ok {
				return r
			}
		} else if isInterface(n) {
			return reflect.TypeFor[any]()
		} else if _, ok := n.Underlying().(*types.Struct); ok && k.recursive(u, n) {
			return k.layout(u, n)
		} else if k.isSelf(u, n) {
			return k.self(u, n).Type
		}
	}
	of := func(t types.Type) reflect.Type { return k.layoutOf(u, t) }
	switch x := t.Underlying().(type) {
	case *types.Pointer:
		return reflect.PointerTo(of(x.Elem()))
	case *types.Slice:
		return reflect.SliceOf(of(x.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(x.Len()), of(x.Elem()))
	case *types.Map:
		return reflect.MapOf(of(x.Key()), of(x.Elem()))
	case *types.Chan:
		return reflect.ChanOf(reflectDirs[x.Dir()], of(x.Elem()))
	case *types.Struct:
		fields := make([]reflect.StructField, x.NumFields())
		for i := range fields {
			fields[i] = structField(x, i, "", of(x.Field(i).Type()))
		}
		return reflect.StructOf(fields)
	case *types.Signature:
		tuple := func(t *types.Tuple) (out []reflect.Type) {
			for v := range t.Variables() {
				out = append(out, of(v.Type()))
			}
			return out
		}
		return reflect.FuncOf(tuple(x.Params()), tuple(x.Results()), x.Variadic())
	case *types.Interface:
		return reflect.TypeFor[any]()
	}
	r, ok := k.reflectType(u, t.Underlying())
	if !ok {
		panic(&Unsupported{k.pos, "the type " + strings.TrimPrefix(k.shownName(u, t), "main.") +
			" cannot be written for the interpreter"})
	}
	return r
}

var reflectDirs = map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir,
	types.RecvOnly: reflect.RecvDir}
