package export

import (
	"go/ast"
	"go/types"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
)

// Note: the names of the program. The trees of a checked cell have the cell's names, and hidden ones, with a ·, for
// what nobody typed: packages whose names a variable could hide, temporaries, types that have been replaced. All are
// given names that a program can have.

// object is what an identifier stands for.
func object(c *check.Checked, id *ast.Ident) types.Object {
	if o := c.Info.Defs[id]; o != nil {
		return o
	}
	return c.Info.Uses[id]
}

// collect notes the identifiers of a cell that are no packages.
func (x *exporter) collect(c *check.Checked) {
	c.Each(func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if _, isPackage := object(c, id).(*types.PkgName); !isPackage {
				x.words[id.Name] = true
			}
		}
		return true
	})
}

// rename gives every identifier of a cell its name in the program.
func (x *exporter) rename(c *check.Checked) {
	c.Each(func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := object(c, id).(type) {
		case *types.PkgName:
			if name := x.imports[o.Imported().Path()]; name != "" {
				id.Name = name
			}
		case *types.Var:
			if o.IsField() {
				if o.Embedded() { // it is called as its type is
					if d := c.Def(typeObject(o.Type())); d != nil && x.names[d] != "" {
						id.Name = x.names[d]
					}
				}
				break
			}
			x.renameDef(c, id, o)
		case nil:
		default:
			x.renameDef(c, id, o)
		}
		if strings.Contains(id.Name, "·") {
			id.Name = x.plain(id.Name)
		}
		return true
	})
}

func (x *exporter) renameDef(c *check.Checked, id *ast.Ident, o types.Object) {
	if d := c.Def(o); d != nil && x.names[d] != "" {
		id.Name = x.names[d]
	}
}

// plain is a hidden name of a temporary as a program can have it: t·1 is t1.
func (x *exporter) plain(name string) string {
	name = strings.ReplaceAll(name, "·", "")
	for x.words[name] {
		name += "_"
	}
	return name
}

// typeObject is the name of a named type, or of what a pointer points to.
func typeObject(t types.Type) types.Object {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

var cellType = lazyre.New(`cell!\.([\pL_][\pL\pN_·]*)`)

// typeText writes a type as the program does. Packages stand as path!, until their names are known.
func (x *exporter) typeText(c *check.Checked, t types.Type) string {
	text := types.TypeString(nameless(t), func(p *types.Package) string {
		if p == c.Pkg {
			return "cell!"
		}
		x.imports[p.Path()] = p.Name()
		return p.Path() + "!"
	})
	return cellType.ReplaceAllStringFunc(text, func(s string) string {
		name := strings.TrimPrefix(s, "cell!.")
		if d := c.Def(c.Pkg.Scope().Lookup(name)); d != nil {
			return x.typeName(d)
		}
		return name
	})
}

// nameless is a function's type without the names of its parameters, which make no other type of it.
func nameless(t types.Type) types.Type {
	s, ok := t.(*types.Signature)
	if !ok || s.TypeParams().Len() > 0 {
		return t
	}
	tuple := func(t *types.Tuple) *types.Tuple {
		vars := make([]*types.Var, t.Len())
		for i := range vars {
			v := t.At(i)
			vars[i] = types.NewParam(v.Pos(), v.Pkg(), "", nameless(v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(s.Params()), tuple(s.Results()), s.Variadic())
}

var packageMark = lazyre.New(`([\w./-]+)!\.`)

// qualified is a type's text with the names of packages.
func (x *exporter) qualified(text string) string {
	return packageMark.ReplaceAllStringFunc(text, func(s string) string {
		return x.imports[strings.TrimSuffix(s, "!.")] + "."
	})
}
