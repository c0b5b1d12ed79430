package disk

import (
	"go/ast"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/exportdata"
)

// Doc returns the documentation of a name: "Scale", "Vec.Len" for a method or a field, "" for the package itself.
func (l *Loader) Doc(path, name string) string {
	if exportdata.Has(path) {
		return l.Host.Doc(path, name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.byDir {
		if p.Path == path {
			return docOf(p.Package, name)
		}
	}
	return ""
}

func docOf(p *check.Package, name string) string {
	for _, s := range p.Sources {
		if name == "" {
			if s.Tree.Doc != nil {
				return s.Tree.Doc.Text()
			}
			continue
		}
		for _, d := range s.Tree.Decls {
			if text := declDoc(d, name); text != "" {
				return text
			}
		}
	}
	return ""
}

func declDoc(d ast.Decl, name string) string {
	typ, member, ofType := strings.Cut(name, ".")
	switch d := d.(type) {
	case *ast.FuncDecl:
		recv := ""
		if d.Recv != nil && len(d.Recv.List) == 1 {
			recv = baseName(d.Recv.List[0].Type) + "."
		}
		if recv+d.Name.Name == name {
			return d.Doc.Text()
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.Name != typ {
					continue
				}
				if ofType {
					return fieldDoc(s.Type, member)
				}
				return either(s.Doc, d.Doc)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.Name == name {
						return either(s.Doc, d.Doc)
					}
				}
			}
		}
	}
	return ""
}

func either(a, b *ast.CommentGroup) string {
	if a != nil {
		return a.Text()
	}
	return b.Text()
}

func fieldDoc(t ast.Expr, name string) string {
	st, ok := t.(*ast.StructType)
	if !ok {
		return ""
	}
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			if n.Name == name {
				return either(f.Doc, f.Comment)
			}
		}
	}
	return ""
}

// baseName is the name of a receiver's type.
func baseName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
