package yaegi

import (
	"go/ast"
	"go/token"
	"reflect"

	"gotorch/interp/core"
)

// declareLayouts declares the types of a program that has structs which refer to themselves, with the types that the
// program lays out: the interpreter itself confuses two of them. It returns the rest of the program's file.
func (e *Engine) declareLayouts(p *core.Program) (*ast.File, error) {
	for _, s := range p.Selves {
		setParts(s.Type, s.Parts)
		e.extend(s.Name, reflect.Zero(reflect.PointerTo(s.Type)))
	}
	if len(p.Layouts) == 0 {
		return p.File, nil
	}
	for _, l := range p.Layouts {
		for i, t := range l.Fields {
			if l.Type.Field(i).Type != t {
				setFieldType(l.Type, i, t)
			}
		}
	}
	types, rest := *p.File, *p.File
	types.Decls, rest.Decls = nil, nil
	for _, d := range p.File.Decls {
		g, ok := d.(*ast.GenDecl)
		declares, imports := ok && g.Tok == token.TYPE, ok && g.Tok == token.IMPORT
		if declares || imports {
			types.Decls = append(types.Decls, d)
		}
		if !declares {
			rest.Decls = append(rest.Decls, d)
		}
	}
	if _, err := e.in.CompileAST(&types); err != nil {
		return nil, err
	}
	e.dropImports(&types) // the rest has them too
	made := map[string]reflect.Type{}
	for _, l := range p.Layouts {
		made[l.Name] = l.Type
	}
	for _, l := range p.Layouts {
		e.inner.setTypes(l.Name, made)
	}
	return &rest, nil
}

// setTypes gives the declared struct of a name the type that was made for it, and has the interpreter make those
// without a name that it is written with again.
func (p private) setTypes(name string, made map[string]reflect.Type) {
	var sym reflect.Value
	if names, ok := p.symbols(); ok {
		sym = names.MapIndex(reflect.ValueOf(name))
	}
	if !sym.IsValid() {
		unknown("package has no type %s, which was declared", name)
	}
	top := sym.Elem().FieldByName("typ")
	cat, _ := top.Type().Elem().FieldByName("cat")
	host := named(cat.Type, "valueT") // a type of host code, which stays as it is
	seen := map[pointer]bool{}
	var walk func(t reflect.Value)
	walk = func(t reflect.Value) {
		if t.IsNil() || seen[t.UnsafePointer()] {
			return
		}
		seen[t.UnsafePointer()] = true
		t = t.Elem()
		rtype := (*reflect.Type)(t.FieldByName("rtype").Addr().UnsafePointer())
		if name := t.FieldByName("name").String(); made[name] != nil {
			*rtype = made[name]
		} else if name != "" {
			return
		} else if *rtype != nil && composite[(*rtype).Kind()] {
			if uint(t.FieldByName("cat").Uint()) == host {
				return
			}
			*rtype = nil
		}
		for _, name := range []string{"key", "val"} {
			walk(t.FieldByName(name))
		}
		for _, name := range []string{"arg", "ret", "field"} {
			list := t.FieldByName(name)
			for i := range list.Len() {
				if x := list.Index(i); x.Kind() == reflect.Struct {
					walk(x.FieldByName("typ"))
				} else {
					walk(x)
				}
			}
		}
	}
	walk(top)
}

// composite are the kinds of types without a name that are written with others.
var composite = map[reflect.Kind]bool{reflect.Struct: true, reflect.Pointer: true, reflect.Slice: true,
	reflect.Array: true, reflect.Map: true, reflect.Chan: true, reflect.Func: true}
