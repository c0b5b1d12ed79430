package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// copier copies type expressions, the names of objects replaced.
type copier struct {
	info   *types.Info
	object func(types.Object) ast.Expr // nil: the name stays
}

func (c *copier) fields(l *ast.FieldList) *ast.FieldList {
	if l == nil {
		return nil
	}
	cp := &ast.FieldList{Opening: l.Opening, Closing: l.Closing}
	for _, f := range l.List {
		g := &ast.Field{Type: c.expr(f.Type), Tag: f.Tag}
		for _, n := range f.Names {
			g.Names = append(g.Names, ast.NewIdent(n.Name))
		}
		cp.List = append(cp.List, g)
	}
	return cp
}

func (c *copier) exprs(xs []ast.Expr) []ast.Expr {
	cp := make([]ast.Expr, len(xs))
	for i, x := range xs {
		cp[i] = c.expr(x)
	}
	return cp
}

func (c *copier) expr(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.Ident:
		if o := c.info.Uses[x]; o != nil {
			if r := c.object(o); r != nil {
				return r
			}
		}
		return ast.NewIdent(x.Name)
	case *ast.SelectorExpr:
		if o := c.info.Uses[x.Sel]; o != nil {
			if r := c.object(o); r != nil {
				return r
			}
		}
		return &ast.SelectorExpr{X: c.expr(x.X), Sel: ast.NewIdent(x.Sel.Name)}
	case *ast.StarExpr:
		return &ast.StarExpr{X: c.expr(x.X)}
	case *ast.ParenExpr:
		return &ast.ParenExpr{X: c.expr(x.X)}
	case *ast.ArrayType:
		cp := &ast.ArrayType{Elt: c.expr(x.Elt)}
		if x.Len != nil {
			if v := c.info.Types[x.Len].Value; v != nil {
				cp.Len = &ast.BasicLit{Kind: token.INT, Value: v.ExactString()}
			} else {
				cp.Len = x.Len
			}
		}
		return cp
	case *ast.MapType:
		return &ast.MapType{Key: c.expr(x.Key), Value: c.expr(x.Value)}
	case *ast.ChanType:
		return &ast.ChanType{Arrow: x.Arrow, Dir: x.Dir, Value: c.expr(x.Value)}
	case *ast.FuncType:
		return &ast.FuncType{TypeParams: c.fields(x.TypeParams), Params: c.fields(x.Params), Results: c.fields(x.Results)}
	case *ast.StructType:
		return &ast.StructType{Fields: c.fields(x.Fields)}
	case *ast.InterfaceType:
		return &ast.InterfaceType{Methods: c.fields(x.Methods)}
	case *ast.Ellipsis:
		return &ast.Ellipsis{Elt: c.expr(x.Elt)}
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: c.expr(x.X), Index: c.expr(x.Index)}
	case *ast.IndexListExpr:
		return &ast.IndexListExpr{X: c.expr(x.X), Indices: c.exprs(x.Indices)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: c.expr(x.X), Op: x.Op, Y: c.expr(x.Y)}
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{Op: x.Op, X: c.expr(x.X)}
	}
	return x
}

// typeWriter writes types as expressions.
type typeWriter struct {
	named func(*types.TypeName) ast.Expr // nil: the type cannot be written
	at    token.Pos
	bad   bool // a type could not be written
}

func (w *typeWriter) ident(name string) *ast.Ident { return &ast.Ident{NamePos: w.at, Name: name} }

func (w *typeWriter) name(o *types.TypeName, args *types.TypeList) ast.Expr {
	x := w.named(o)
	if x == nil {
		w.bad = true
		return w.ident("_")
	}
	if args.Len() == 0 {
		return x
	}
	var xs []ast.Expr
	for t := range args.Types() {
		xs = append(xs, w.expr(t))
	}
	if len(xs) == 1 {
		return &ast.IndexExpr{X: x, Lbrack: w.at, Index: xs[0], Rbrack: w.at}
	}
	return &ast.IndexListExpr{X: x, Lbrack: w.at, Indices: xs, Rbrack: w.at}
}

func (w *typeWriter) expr(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return w.name(types.Unsafe.Scope().Lookup("Pointer").(*types.TypeName), nil)
		}
		if o, ok := types.Universe.Lookup(types.Default(t).(*types.Basic).Name()).(*types.TypeName); ok {
			return w.name(o, nil)
		}
	case *types.Named:
		return w.name(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return w.name(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		return w.ident(t.Obj().Name())
	case *types.Pointer:
		return &ast.StarExpr{Star: w.at, X: w.expr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: w.at, Elt: w.expr(t.Elem())}
	case *types.Array:
		n := &ast.BasicLit{ValuePos: w.at, ValueEnd: w.at, Kind: token.INT, Value: itoa(t.Len())}
		return &ast.ArrayType{Lbrack: w.at, Len: n, Elt: w.expr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: w.at, Key: w.expr(t.Key()), Value: w.expr(t.Elem())}
	case *types.Chan:
		c := &ast.ChanType{Begin: w.at, Arrow: w.at, Value: w.expr(t.Elem())}
		c.Dir = map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND,
			types.RecvOnly: ast.RECV}[t.Dir()]
		return c
	case *types.Signature:
		return w.signature(t)
	case *types.Struct:
		fs := &ast.FieldList{Opening: w.at, Closing: w.at}
		for i := range t.NumFields() {
			f := &ast.Field{Type: w.expr(t.Field(i).Type())}
			if !t.Field(i).Embedded() {
				f.Names = []*ast.Ident{w.ident(t.Field(i).Name())}
			}
			if tag := t.Tag(i); tag != "" {
				f.Tag = &ast.BasicLit{ValuePos: w.at, ValueEnd: w.at, Kind: token.STRING, Value: quote(tag)}
			}
			fs.List = append(fs.List, f)
		}
		return &ast.StructType{Struct: w.at, Fields: fs}
	case *types.Interface:
		fs := &ast.FieldList{Opening: w.at, Closing: w.at}
		for m := range t.ExplicitMethods() {
			fs.List = append(fs.List, &ast.Field{Names: []*ast.Ident{w.ident(m.Name())}, Type: w.signature(m.Signature())})
		}
		for e := range t.EmbeddedTypes() {
			fs.List = append(fs.List, &ast.Field{Type: w.expr(e)})
		}
		return &ast.InterfaceType{Interface: w.at, Methods: fs}
	case *types.Union:
		var x ast.Expr
		for term := range t.Terms() {
			y := w.expr(term.Type())
			if term.Tilde() {
				y = &ast.UnaryExpr{OpPos: w.at, Op: token.TILDE, X: y}
			}
			if x != nil {
				y = &ast.BinaryExpr{X: x, OpPos: w.at, Op: token.OR, Y: y}
			}
			x = y
		}
		return x
	}
	w.bad = true
	return w.ident("_")
}

func (w *typeWriter) signature(s *types.Signature) *ast.FuncType {
	f := &ast.FuncType{Func: w.at, Params: w.tuple(s.Params(), s.Variadic()), Results: w.tuple(s.Results(), false)}
	if s.Results().Len() == 0 {
		f.Results = nil
	}
	if n := s.TypeParams().Len(); n > 0 {
		f.TypeParams = &ast.FieldList{Opening: w.at, Closing: w.at}
		for p := range s.TypeParams().TypeParams() {
			f.TypeParams.List = append(f.TypeParams.List,
				&ast.Field{Names: []*ast.Ident{w.ident(p.Obj().Name())}, Type: w.expr(p.Constraint())})
		}
	}
	return f
}

func (w *typeWriter) tuple(t *types.Tuple, variadic bool) *ast.FieldList {
	fs := &ast.FieldList{Opening: w.at, Closing: w.at}
	named := true
	for v := range t.Variables() {
		named = named && v.Name() != ""
	}
	for i := range t.Len() {
		v := t.At(i)
		f := &ast.Field{}
		if named {
			f.Names = []*ast.Ident{w.ident(v.Name())}
		}
		if s, ok := v.Type().(*types.Slice); ok && variadic && i == t.Len()-1 {
			f.Type = &ast.Ellipsis{Ellipsis: w.at, Elt: w.expr(s.Elem())}
		} else {
			f.Type = w.expr(v.Type())
		}
		fs.List = append(fs.List, f)
	}
	return fs
}

// mentions reports whether a type is made of a named type with that property.
func mentions(t types.Type, is func(*types.TypeName) bool) bool {
	seen := map[types.Type]bool{}
	var look func(types.Type) bool
	list := func(l *types.TypeList) bool {
		for t := range l.Types() {
			if look(t) {
				return true
			}
		}
		return false
	}
	tuple := func(l *types.Tuple) bool {
		for v := range l.Variables() {
			if look(v.Type()) {
				return true
			}
		}
		return false
	}
	look = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		switch t := t.(type) {
		case *types.Named:
			return is(t.Obj()) || list(t.TypeArgs())
		case *types.Alias:
			return is(t.Obj()) || list(t.TypeArgs())
		case *types.Pointer:
			return look(t.Elem())
		case *types.Slice:
			return look(t.Elem())
		case *types.Array:
			return look(t.Elem())
		case *types.Chan:
			return look(t.Elem())
		case *types.Map:
			return look(t.Key()) || look(t.Elem())
		case *types.Signature:
			for p := range t.TypeParams().TypeParams() {
				if look(p.Constraint()) {
					return true
				}
			}
			return tuple(t.Params()) || tuple(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if look(f.Type()) {
					return true
				}
			}
		case *types.Interface:
			seen[t] = true
			for m := range t.ExplicitMethods() {
				if look(m.Type()) {
					return true
				}
			}
			for e := range t.EmbeddedTypes() {
				if look(e) {
					return true
				}
			}
		case *types.Union:
			for term := range t.Terms() {
				if look(term.Type()) {
					return true
				}
			}
		}
		return false
	}
	return look(t)
}
