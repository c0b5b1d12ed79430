package allow

import (
	"go/types"
	"strings"
	"sync"
)

// Unlisted is why a name is rejected on which nobody has decided.
const Unlisted = "it is not in the list of what this mode allows"

// Checker decides on objects of a checked cell. It is safe for concurrent use.
type Checker struct {
	Importer types.Importer

	mu    sync.Mutex
	names map[*types.Package]map[types.Object]string
}

// Why says why a cell may not mention an object of a compiled package, "" if it may.
func (c *Checker) Why(o types.Object) string {
	if lax {
		return ""
	}
	switch x := o.(type) {
	case *types.Func:
		o = x.Origin()
	case *types.Var:
		o = x.Origin()
	case *types.PkgName:
		if _, ok := Names()[x.Imported().Path()]; !ok {
			return Unlisted
		}
		return ""
	case *types.TypeName:
		if _, isParam := x.Type().(*types.TypeParam); isParam {
			return ""
		}
	case *types.Const, *types.Builtin, *types.Nil, *types.Label:
		return ""
	}
	if o.Pkg() == nil || !o.Exported() {
		return ""
	}
	name, ok := c.objects(o.Pkg())[o]
	if !ok {
		return Unlisted
	}
	d := Names()[o.Pkg().Path()][name]
	switch {
	case d.Allowed:
		return ""
	case d.Why == "":
		return Unlisted
	}
	return d.Why
}

func (c *Checker) objects(pkg *types.Package) map[types.Object]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.names[pkg]
	if !ok {
		if c.names == nil {
			c.names = map[*types.Package]map[types.Object]string{}
		}
		m = Objects(pkg)
		c.names[pkg] = m
	}
	return m
}

// WhyMethod says why a cell may not declare a method of an interface, "" if it may: a value that has a rejected method
// of this name, with as many parameters and results, may be held by the interface. Types that are rejected themselves
// do not count: cells have no values of them.
func (c *Checker) WhyMethod(m *types.Func) string {
	if lax {
		return ""
	}
	for pkg, names := range Names() {
		for name, d := range names {
			typ, method, _ := strings.Cut(name, ".")
			if d.Allowed || method != m.Name() {
				continue
			}
			if t, listed := names[typ]; listed && !t.Allowed {
				continue
			}
			if f := c.method(pkg, name); f == nil || sameArity(f.Signature(), m.Signature()) {
				return d.because()
			}
		}
	}
	return ""
}

func (d Decision) because() string {
	if d.Why == "" {
		return Unlisted
	}
	return d.Why
}

// method finds a method by its name in the list; nil where it is a field, or not to be had.
func (c *Checker) method(path, name string) *types.Func {
	pkg, err := c.Importer.Import(path)
	if err != nil {
		return nil
	}
	for o, n := range c.objects(pkg) {
		if f, ok := o.(*types.Func); ok && n == name {
			return f
		}
	}
	return nil
}

func sameArity(a, b *types.Signature) bool {
	return a.Params().Len() == b.Params().Len() && a.Results().Len() == b.Results().Len()
}
