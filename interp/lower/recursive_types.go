package lower

import (
	"go/types"
	"iter"
)

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

// reaches reports whether a type contains another, of a key, without a declared struct or an interface between them.
func (k *cell) reaches(u *unit, t types.Type, want string, seen map[string]bool) bool {
	t = types.Unalias(k.in(u, t))
	if n, ok := t.(*types.Named); ok {
		if _, isStruct := n.Underlying().(*types.Struct); isStruct || isInterface(n) {
			return false
		}
		if _, _, ok := k.declared(u, n); !ok {
			return false
		}
		key := k.key(u, n)
		if key == want || seen[key] {
			return key == want
		}
		seen[key] = true
		return k.reaches(u, n.Underlying(), want, seen)
	}
	for p := range parts(t) {
		if k.reaches(u, p, want, seen) {
			return true
		}
	}
	return false
}

// recursive reports whether a declared type contains itself behind pointers, or slices.
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
