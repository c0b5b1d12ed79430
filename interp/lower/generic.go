package lower

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/core"
	"gotorch/interp/std/packages"
	"gotorch/interp/symbols"
)

// source is a package of generic sources.
type source struct {
	unit  *unit
	decls map[string]*ast.FuncDecl
}

// sourceOf returns the source of a host package's generic functions, and
// whether o is one of them or of their helpers.
func (k *cell) sourceOf(o *types.Func) (*source, bool) {
	if o.Pkg() == nil {
		return nil, false
	}
	s := k.source(o.Pkg().Path())
	if s == nil || s.decls[o.Name()] == nil {
		return nil, false
	}
	if sig := o.Type().(*types.Signature); sig.Recv() != nil {
		return nil, false
	}
	return s, true
}

func (k *cell) source(p string) *source {
	if s, ok := k.sources[p]; ok {
		return s
	}
	k.sources[p] = nil
	text, ok := packages.Generic(p)
	if !ok {
		return nil
	}
	fset := k.eng.FileSet()
	f, err := parser.ParseFile(fset, core.Hidden+path.Base(p)+".go", text, parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("interp/lower: generic source of %s: %v", p, err))
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:      map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}}
	pkg, err := (&types.Config{Importer: k.importer}).Check(p, fset, []*ast.File{f}, info)
	if err != nil {
		panic(fmt.Sprintf("interp/lower: generic source of %s: %v", p, err))
	}
	s := &source{&unit{fset: fset, info: info, pkg: pkg}, map[string]*ast.FuncDecl{}}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			s.decls[fd.Name.Name] = fd
		}
	}
	k.sources[p] = s
	return s
}

// sourceFunc returns the name of a helper of generic sources.
func (f *fn) sourceFunc(o *types.Func) (string, bool) {
	s, ok := f.sourceOf(o)
	if !ok {
		return "", false
	}
	return f.instanceFrom("src "+o.Pkg().Path()+"."+o.Name(), s.unit, s.decls[o.Name()], nil, nil), true
}

// instance returns the name of a generic function with type arguments.
func (f *fn) instance(o *types.Func, targs *types.TypeList, n ast.Node) string {
	o = o.Origin()
	args := make([]types.Type, targs.Len())
	for i := range args {
		args[i] = f.in(f.u, targs.At(i))
	}
	if d := f.u.def(o); d != nil {
		s := f.symbol(d)
		return f.instanceFrom(s.Name, s.unit, s.decl, nil, args)
	}
	if s, ok := f.sourceOf(o); ok {
		return f.instanceFrom("src "+o.Pkg().Path()+"."+o.Name(), s.unit, s.decls[o.Name()], nil, args)
	}
	if o.Pkg() != nil { // an instance that is compiled in
		var keys []string
		for _, a := range args {
			keys = append(keys, f.key(f.u, a))
		}
		name := o.Name() + "[" + strings.Join(keys, ",") + "]"
		if p, ok := symbols.Lookup(o.Pkg().Path()); ok && p.Symbols()[name].IsValid() {
			alias, _ := f.number(o.Name())
			key := o.Pkg().Path() + "." + name
			if n, ok := f.instances[key]; ok {
				return n
			}
			remember(f.cell, f.instances, key, alias)
			f.vars = append(f.vars, f.valueDecl(alias, f.sel(f.pkg(o.Pkg().Path(), o.Pkg().Name()), name)))
			return alias
		}
		for i, a := range args {
			keys[i] = strings.TrimPrefix(f.shownName(f.u, a), "main.")
		}
		refuse(n, "%s.%s[%s] is not available in cells", o.Pkg().Name(), o.Name(), strings.Join(keys, ", "))
	}
	refuse(n, "%s cannot be used here", o.Name())
	return ""
}

// methodInstance returns the name of a method of a generic type's instance.
func (k *cell) methodInstance(u *unit, s *Symbol, m *methodSym, n *types.Named) string {
	args := make([]types.Type, n.TypeArgs().Len())
	for i := range args {
		args[i] = k.in(u, n.TypeArgs().At(i))
	}
	o := m.unit.info.Defs[m.decl.Name].(*types.Func)
	f := k.newFn(u, nil)
	return f.instanceFrom(s.Name+"."+o.Name(), m.unit, m.decl, o.Type().(*types.Signature).RecvTypeParams(), args)
}

// instanceFrom lowers a function with type arguments, once.
func (f *fn) instanceFrom(id string, owner *unit, fd *ast.FuncDecl, params *types.TypeParamList,
	args []types.Type) string {
	var keys []string
	for _, a := range args {
		keys = append(keys, f.key(f.u, a))
	}
	tag := "[" + strings.Join(keys, ",") + "]"
	key := fmt.Sprintf("%s %p %s", id, fd, tag)
	if n, ok := f.instances[key]; ok {
		return n
	}
	name, _ := f.number(fd.Name.Name)
	remember(f.cell, f.instances, key, name)
	u := *owner
	u.tag, u.subst = tag, map[*types.TypeParam]types.Type{}
	u.from, u.to = fd.Pos(), fd.End()
	u.defs = append(append([]func(types.Object) *check.Def{}, owner.defs...), f.u.defs...)
	o := owner.info.Defs[fd.Name].(*types.Func)
	sig := o.Type().(*types.Signature)
	if params == nil {
		params = sig.TypeParams()
	}
	for i, a := range args {
		u.subst[params.At(i)] = a
	}
	f.funcBody(&u, fd, nil, name, sig)
	return name
}
