package main

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"gotorch/internal/module"
	"gotorch/interp/allow"
	"gotorch/interp/std/packages"
)

// offered reads the packages that cells can import, of the toolchain that runs the test.
func offered(t *testing.T) []*types.Package {
	t.Helper()
	var paths []string
	for _, p := range packages.All {
		paths = append(paths, p.Path)
	}
	pkgs, err := read(paths)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// TestDecided compares the list of the restricted mode with the API of the toolchain: each name of the standard
// library has been allowed or rejected by someone.
func TestDecided(t *testing.T) {
	for path, names := range allowed(offered(t), allow.Names()) {
		for name, d := range names {
			if d == (allow.Decision{}) {
				if module.Has(path) {
					t.Logf("%s.%s: nobody has decided; it is refused", path, name)
					continue
				}
				t.Errorf("%s.%s: allow or refuse it in interp/allow/names.txt, then go generate ./interp/symbols", path, name)
			}
		}
	}
}

// TestNewIsRefused: a name that a release of Go adds stays rejected when the list is generated again.
func TestNewIsRefused(t *testing.T) {
	pkgs := offered(t)
	i := slices.IndexFunc(pkgs, func(p *types.Package) bool { return p.Path() == "strings" })
	added := types.NewFunc(0, pkgs[i], "AddedLater", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	pkgs[i].Scope().Insert(added)
	list := allowed(pkgs, allow.Names())
	if d, ok := list["strings"]["AddedLater"]; !ok || d.Allowed {
		t.Errorf("a new function is decided as %v, %v", d, ok)
	}
	if !strings.Contains(list.String(), "new AddedLater\n") {
		t.Error("the text of the list has no line for it")
	}
	again, err := allow.Parse(list.String())
	if err != nil || again.String() != list.String() {
		t.Errorf("the text is not read as it was written: %v", err)
	}
	checker := allow.Checker{}
	if why := checker.Why(added); why != allow.Unlisted {
		t.Errorf("the restricted mode says %q of it", why)
	}
}

// TestClosed: no allowed name gives a value of a rejected type, by result, field, variable or an argument of a
// callback. Then whoever cannot name the type has no value of it either, nor its methods.
func TestClosed(t *testing.T) {
	w := &walk{seen: map[types.Type]bool{}, names: map[*types.Package]map[types.Object]string{}}
	for _, pkg := range offered(t) {
		for o, name := range w.objects(pkg) {
			if !allow.Names()[pkg.Path()][name].Allowed {
				continue
			}
			if bad := w.gives(o.Type(), map[types.Type]bool{}); bad != "" {
				t.Errorf("%s.%s is allowed and leads to %s, which is refused", pkg.Path(), name, bad)
			}
		}
	}
}

// gives names a rejected type that a value of type t leads to.
func (w *walk) gives(t types.Type, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	list := func(ts ...types.Type) string {
		for _, t := range ts {
			if bad := w.gives(t, seen); bad != "" {
				return bad
			}
		}
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil {
			return ""
		}
		if d, ok := allow.Names()[o.Pkg().Path()][w.objects(o.Pkg())[o]]; ok && !d.Allowed && d.Why != "" {
			return o.Pkg().Path() + "." + o.Name()
		}
	case *types.Pointer:
		return list(t.Elem())
	case *types.Slice:
		return list(t.Elem())
	case *types.Array:
		return list(t.Elem())
	case *types.Chan:
		return list(t.Elem())
	case *types.Map:
		return list(t.Key(), t.Elem())
	case *types.Signature:
		var ts []types.Type
		for i := range t.Results().Len() {
			ts = append(ts, t.Results().At(i).Type())
		}
		for i := range t.Params().Len() {
			if f, ok := t.Params().At(i).Type().Underlying().(*types.Signature); ok { // what the cell is called with
				for j := range f.Params().Len() {
					ts = append(ts, f.Params().At(j).Type())
				}
			}
		}
		return list(ts...)
	}
	return ""
}

// TestBehindInterfaces: no method that is rejected can be called by an allowed interface of a compiled package.
func TestBehindInterfaces(t *testing.T) {
	w := &walk{seen: map[types.Type]bool{}, names: map[*types.Package]map[types.Object]string{}}
	refused := map[string][]*types.Func{}
	pkgs := offered(t)
	methods := func(f func(path, name string, m *types.Func)) {
		for _, pkg := range pkgs {
			for o, name := range w.objects(pkg) {
				if m, ok := o.(*types.Func); ok && m.Signature().Recv() != nil {
					f(pkg.Path(), name, m)
				}
			}
		}
	}
	methods(func(path, name string, m *types.Func) {
		typ, _, _ := strings.Cut(name, ".")
		names := allow.Names()[path]
		if !names[name].Allowed && names[typ].Allowed && !types.IsInterface(m.Signature().Recv().Type()) {
			refused[m.Name()] = append(refused[m.Name()], m)
		}
	})
	if len(refused["Chmod"]) == 0 {
		t.Fatal("(*os.File).Chmod is not refused")
	}
	methods(func(path, name string, m *types.Func) {
		if !allow.Names()[path][name].Allowed || !types.IsInterface(m.Signature().Recv().Type()) {
			return
		}
		for _, r := range refused[m.Name()] {
			if types.Identical(function(r), function(m)) {
				t.Errorf("%s.%s calls %s, which is refused", path, name, r.FullName())
			}
		}
	})
}

// function is the type of a method without its receiver.
func function(m *types.Func) types.Type {
	s := m.Signature()
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// TestReflection: what finds methods that a cell does not name is rejected, whatever a release calls it.
func TestReflection(t *testing.T) {
	for _, pkg := range offered(t) {
		if pkg.Path() != "reflect" {
			continue
		}
		for o, name := range allow.Objects(pkg) {
			f, ok := o.(*types.Func)
			if ok && mentions(f.Signature().Results(), isMethod) && allow.Names()["reflect"][name].Allowed {
				t.Errorf("reflect.%s is allowed", name)
			}
		}
	}
}
