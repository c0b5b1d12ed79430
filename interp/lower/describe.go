package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"sort"

	"gotorch/interp/rt"
)

// desc returns the runtime's description of a type, with its methods in place.
func (k *cell) desc(u *unit, t types.Type) *rt.Type {
	t = types.Unalias(k.in(u, t))
	d, known := k.rt.Intern(k.key(u, t))
	if !known {
		k.describe(u, t, d)
	}
	k.link(u, t, d)
	return d
}

func (k *cell) describe(u *unit, t types.Type, d *rt.Type) {
	d.Name = k.shownName(u, t)
	_, d.Named = t.(*types.Named)
	if !k.nominal(u, t) || k.compiledInterface(u, t) {
		if rt, ok := k.reflectType(u, t); ok {
			d.Compiled, d.Kind = rt, rt.Kind()
			if it, ok := t.Underlying().(*types.Interface); ok {
				k.want(u, it, d)
			}
			return
		}
	}
	switch x := t.Underlying().(type) {
	case *types.Basic:
		d.Kind = basicKind(x)
	case *types.Pointer:
		d.Kind, d.Elem = reflect.Pointer, k.desc(u, x.Elem())
	case *types.Slice:
		d.Kind, d.Elem = reflect.Slice, k.desc(u, x.Elem())
	case *types.Array:
		d.Kind, d.Elem = reflect.Array, k.desc(u, x.Elem())
	case *types.Chan:
		d.Kind, d.Elem = reflect.Chan, k.desc(u, x.Elem())
	case *types.Map:
		d.Kind, d.MapKey, d.Elem = reflect.Map, k.desc(u, x.Key()), k.desc(u, x.Elem())
	case *types.Signature:
		d.Kind = reflect.Func
	case *types.Struct:
		d.Kind = reflect.Struct
		for i := range x.NumFields() {
			d.Fields = append(d.Fields, rt.Field{Name: x.Field(i).Name(), Type: k.desc(u, x.Field(i).Type()),
				Tag: x.Tag(i), Embedded: x.Field(i).Embedded()})
		}
	case *types.Interface:
		d.Kind = reflect.Interface
		k.want(u, x, d)
	}
}

func (k *cell) want(u *unit, it *types.Interface, d *rt.Type) {
	for i := range it.NumMethods() {
		m := it.Method(i)
		d.Wanted = append(d.Wanted, rt.Want{Name: m.Name(), Sig: k.key(u, m.Type())})
	}
	sort.Slice(d.Wanted, func(i, j int) bool { return d.Wanted[i].Name < d.Wanted[j].Name })
}

// link tells the runtime the methods of a type, those that are new to it.
func (k *cell) link(u *unit, t types.Type, d *rt.Type) {
	if isInterface(t) || !k.nominal(u, t) {
		return
	}
	if _, ok := t.(*types.Named); ok && d.Ptr == nil {
		ptr := types.NewPointer(t)
		ms := types.NewMethodSet(ptr)
		for _, name := range rt.EncodingMethods {
			if ms.Lookup(nil, name) != nil {
				d.Ptr = k.desc(u, ptr)
				break
			}
		}
	}
	ms := types.NewMethodSet(t)
	for i := range ms.Len() {
		sel := ms.At(i)
		fn := sel.Obj().(*types.Func)
		name := fn.Name()
		recv := k.methodRecv(fn)
		if !fn.Exported() && k.methodOf(u, recv, fn) == nil {
			continue // a host type's: nobody here can call it
		}
		id := d.Key + "." + name
		if m := k.methodOf(u, recv, fn); m != nil {
			id += " " + m.ref
		}
		if k.linked[id] {
			continue
		}
		remember(k, k.linked, id, true)
		sig := sel.Type().(*types.Signature)
		f := k.newFn(u, nil)
		r := f.temp()
		params, args := f.params(sig)
		params = append([]*ast.Field{k.field(r, k.typ(u, t))}, params...)
		call := f.methodCall(k.id(r), t, sel.Index(), fn, args, nil)
		call.Ellipsis = ellipsis(sig, k.pos)
		var body []ast.Stmt
		if sig.Results().Len() > 0 {
			body = append(body, k.ret(call))
		} else {
			body = append(body, k.exprStmt(call))
		}
		lit := k.funcLit(k.funcType(params, f.results(sig)), body...)
		k.inits = append(k.inits, k.exprStmt(k.rtCall("SetMethod", k.intLit(d.ID), k.strLit(name),
			k.strLit(k.key(u, sig)), lit)))
	}
}

func ellipsis(s *types.Signature, p token.Pos) token.Pos {
	if s.Variadic() {
		return p
	}
	return token.NoPos
}

// methodRecv is the type that a method is declared on, without a pointer.
func (k *cell) methodRecv(fn *types.Func) types.Type {
	r := fn.Type().(*types.Signature).Recv()
	if r == nil {
		return nil
	}
	t := types.Unalias(r.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return t
}

var basicKinds = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](),
	types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
}

func basicKind(b *types.Basic) reflect.Kind {
	if t := basicKinds[b.Kind()]; t != nil {
		return t.Kind()
	}
	return reflect.Invalid
}

// reflectType returns the type of host values of type t.
func (k *cell) reflectType(u *unit, t types.Type) (reflect.Type, bool) {
	switch t := types.Unalias(k.in(u, t)).(type) {
	case *types.Basic:
		r := basicKinds[t.Kind()]
		if r == nil && t.Info()&types.IsUntyped != 0 {
			return k.reflectType(u, types.Default(t))
		}
		return r, r != nil
	case *types.Pointer:
		e, ok := k.reflectType(u, t.Elem())
		if !ok {
			return nil, false
		}
		return reflect.PointerTo(e), true
	case *types.Slice:
		e, ok := k.reflectType(u, t.Elem())
		if !ok {
			return nil, false
		}
		return reflect.SliceOf(e), true
	case *types.Array:
		e, ok := k.reflectType(u, t.Elem())
		if !ok {
			return nil, false
		}
		return reflect.ArrayOf(int(t.Len()), e), true
	case *types.Map:
		key, ok := k.reflectType(u, t.Key())
		e, ok2 := k.reflectType(u, t.Elem())
		if !ok || !ok2 {
			return nil, false
		}
		return reflect.MapOf(key, e), true
	case *types.Chan:
		e, ok := k.reflectType(u, t.Elem())
		if !ok {
			return nil, false
		}
		return reflect.ChanOf(map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir,
			types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}[t.Dir()], e), true
	case *types.Signature:
		var in, out []reflect.Type
		for i := range t.Params().Len() {
			p, ok := k.reflectType(u, t.Params().At(i).Type())
			if !ok {
				return nil, false
			}
			in = append(in, p)
		}
		for i := range t.Results().Len() {
			p, ok := k.reflectType(u, t.Results().At(i).Type())
			if !ok {
				return nil, false
			}
			out = append(out, p)
		}
		return reflect.FuncOf(in, out, t.Variadic()), true
	case *types.Interface:
		if t.NumMethods() == 0 {
			return reflect.TypeFor[any](), true
		}
	case *types.Struct:
		if t.NumFields() == 0 {
			return reflect.TypeFor[struct{}](), true
		}
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil {
			return reflect.TypeFor[error](), o.Name() == "error"
		}
		if t.TypeArgs().Len() > 0 {
			return k.reflectType(u, t.Underlying())
		}
		if _, _, ok := k.declared(u, t); ok {
			return nil, false
		}
		return k.eng.TypeOf(o.Pkg().Path(), o.Name())
	}
	return nil, false
}
