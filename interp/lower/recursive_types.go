package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"
)

// endless says that a type is made of itself, as no type is that package reflect can make.
func endless(t *types.Named) string {
	name := t.Obj().Name()
	plain := types.TypeString(t.Underlying(), func(*types.Package) string { return "" })
	return fmt.Sprintf("type %s refers to itself without a struct between, which cells cannot have; with one they "+
		"can: type %s struct { it %s }", name, name, plain)
}

// refuseEndless rejects such types where they are declared.
func (k *cell) refuseEndless(u *unit, g *ast.GenDecl) {
	for _, sp := range g.Specs {
		ts, ok := sp.(*ast.TypeSpec)
		if !ok || ts.TypeParams != nil || ts.Assign.IsValid() {
			continue
		}
		o, ok := u.info.Defs[ts.Name].(*types.TypeName)
		if !ok {
			continue
		}
		if _, isStruct := o.Type().Underlying().(*types.Struct); isStruct || isInterface(o.Type()) {
			continue
		}
		if n, ok := o.Type().(*types.Named); ok && k.reaches(u, n.Underlying(), n, map[types.Type]bool{}) {
			panic(&Unsupported{ts.Name.Pos(), endless(n)})
		}
	}
}

// parts are the types that a type is written with.
func parts(t types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		switch t := t.(type) {
		case *types.Pointer:
			yield(t.Elem())
		case *types.Slice:
			yield(t.Elem())
		case *types.Array:
			yield(t.Elem())
		case *types.Chan:
			yield(t.Elem())
		case *types.Map:
			_ = yield(t.Key()) && yield(t.Elem())
		case *types.Signature:
			for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
				for v := range tuple.Variables() {
					if !yield(v.Type()) {
						return
					}
				}
			}
		case *types.Struct:
			for f := range t.Fields() {
				if !yield(f.Type()) {
					return
				}
			}
		}
	}
}

// reaches reports whether a type is made of another without a declared struct or an interface between.
func (k *cell) reaches(u *unit, t types.Type, want *types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		if n == want {
			return true
		}
		if _, isStruct := n.Underlying().(*types.Struct); seen[n] || isStruct || isInterface(n) {
			return false
		}
		if _, _, ok := k.declared(u, n); !ok {
			return false
		}
		seen[n] = true
		return k.reaches(u, n.Underlying(), want, seen)
	}
	for p := range parts(t) {
		if k.reaches(u, p, want, seen) {
			return true
		}
	}
	return false
}

// recursive reports whether a declared type contains itself behind pointers,
// slices and the like.
func (k *cell) recursive(u *unit, t *types.Named) bool {
	want, seen := k.key(u, t), map[string]bool{}
	var walk func(t types.Type) bool
	walk = func(t types.Type) bool {
		t = types.Unalias(k.in(u, t))
		if n, ok := t.(*types.Named); ok {
			if _, _, ok := k.declared(u, n); !ok || isInterface(n) {
				return false
			}
			key := k.key(u, n)
			if seen[key] {
				return key == want
			}
			seen[key] = true
			return key == want && len(seen) > 1 || walk(n.Underlying())
		}
		for p := range parts(t) {
			if walk(p) {
				return true
			}
		}
		return false
	}
	seen[want] = true
	return walk(t.Underlying())
}
