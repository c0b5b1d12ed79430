package check

import (
	"go/token"
	"go/types"
)

// sameTypes pairs the types that packages declared before they were read again with those of now, where both are
// declared alike, and so are all that they mention.
func sameTypes(fresh, old []*Package) map[*types.TypeName]*types.TypeName {
	same := map[*types.TypeName]*types.TypeName{}
	for i, p := range fresh {
		for name, d := range p.named {
			was := old[i].named[name]
			if d.Kind == Type && was != nil && was.Kind == Type {
				same[was.Obj.(*types.TypeName)] = d.Obj.(*types.TypeName)
			}
		}
	}
	byPath := func(p *types.Package) string { return p.Path() }
	text := func(o *types.TypeName) string {
		s := types.TypeString(o.Type().Underlying(), byPath)
		if n, ok := o.Type().(*types.Named); ok {
			for t := range n.TypeParams().TypeParams() {
				s += "; " + t.Obj().Name() + " " + types.TypeString(t.Constraint(), byPath)
			}
		}
		return s
	}
	isOld := map[*types.Package]bool{}
	for _, p := range old {
		isOld[p.Pkg] = true
	}
	for was, now := range same {
		if text(was) != text(now) || was.IsAlias() != now.IsAlias() {
			delete(same, was)
		}
	}
	for changed := true; changed; { // what mentions a type that is another now is another too
		changed = false
		for was := range same {
			other := func(o *types.TypeName) bool { return isOld[o.Pkg()] && same[o] == nil }
			if mentions(was.Type().Underlying(), other) {
				delete(same, was)
				changed = true
			}
		}
	}
	return same
}

// mover replaces named types in types.
type mover struct {
	names map[*types.TypeName]*types.TypeName
}

// typ returns t with the types of m.names replaced; t itself where it has none of them.
func (m *mover) typ(t types.Type) types.Type {
	if !mentions(t, func(o *types.TypeName) bool { return m.names[o] != nil }) {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		if now := m.names[t.Obj()]; now != nil {
			return now.Type()
		}
		return m.typ(types.Unalias(t))
	case *types.Named:
		var origin types.Type = t.Origin()
		if now := m.names[t.Obj()]; now != nil {
			origin = now.Type()
		}
		if t.TypeArgs().Len() == 0 {
			return origin
		}
		var args []types.Type
		for a := range t.TypeArgs().Types() {
			args = append(args, m.typ(a))
		}
		if r, err := types.Instantiate(nil, origin, args, false); err == nil {
			return r
		}
		return t
	case *types.Pointer:
		return types.NewPointer(m.typ(t.Elem()))
	case *types.Slice:
		return types.NewSlice(m.typ(t.Elem()))
	case *types.Array:
		return types.NewArray(m.typ(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), m.typ(t.Elem()))
	case *types.Map:
		return types.NewMap(m.typ(t.Key()), m.typ(t.Elem()))
	case *types.Signature:
		if t.TypeParams().Len() > 0 {
			return t
		}
		return types.NewSignatureType(nil, nil, nil, m.tuple(t.Params()), m.tuple(t.Results()), t.Variadic())
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), m.typ(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	}
	return t
}

func (m *mover) tuple(l *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range l.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), m.typ(v.Type())))
	}
	return types.NewTuple(vars...)
}

// move has aliases of types lead to the types that replaced them. A scope cannot forget, so the package is another.
func (a *aliases) move(m *mover) {
	was := a.names
	*a = *newAliases()
	for o, n := range was {
		if now, ok := m.names[o.(*types.TypeName)]; ok {
			o = now
		}
		a.names[o] = n
		a.pkg.Scope().Insert(types.NewTypeName(token.NoPos, a.pkg, n, o.Type()))
	}
}
