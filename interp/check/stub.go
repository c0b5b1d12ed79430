package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Note: stubs
//
// A cell is checked together with a prelude that declares the live names which it mentions, and those that these
// mention in turn. Each check has a package of its own; types that cells define are declared again in it, so that a
// cell can add methods to them. A definition that mentions no such type (nearly every variable) is inserted into the
// package's scope as an object.
//
// A stub is plain syntax that later checks share. Its identifiers of other
// definitions are known (refs), and are renamed when a definition gives way to
// a newer one of the same name: then T becomes T·3, a name that nobody can
// type, and what has the old type keeps it. Types of compiled packages and Go's
// own go by aliases (see aliases), so that no import and no name of a user's
// can come between.

// stub is how later checks declare a definition.
type stub struct {
	name   string // as the prelude declares it: the plain name, or hidden once it gave way
	hidden string

	object  bool     // it can be inserted as an object
	decl    ast.Decl // else: its declaration
	methods []*methodStub
	deps    []*Def       // what the declaration and the methods mention
	refs    []*ast.Ident // where stubs name it
}

type methodStub struct {
	name string
	decl *ast.FuncDecl
}

// rename changes the name under which preludes declare d.
func (d *Def) rename(name string) {
	d.stub.name = name
	for _, id := range d.stub.refs {
		id.Name = name
	}
}

// ref is an identifier that names d in a stub.
func (d *Def) ref() *ast.Ident {
	id := &ast.Ident{Name: d.stub.name}
	d.stub.refs = append(d.stub.refs, id)
	return id
}

// stubber makes the stubs of what a cell defines.
type stubber struct {
	c    *Checked
	env  *Env
	deps []*Def
}

func (s *stubber) take(d *Def) *ast.Ident {
	if !slices.Contains(s.deps, d) {
		s.deps = append(s.deps, d)
	}
	return d.ref()
}

func (s *stubber) def(d *Def) {
	s.deps = nil
	switch d.Kind {
	case Type:
		d.stub.decl = s.typeDecl(d)
	case Func, Var, Const:
		if !s.mentionsCell(d.Obj.Type()) {
			d.stub.object = true
			break
		}
		d.stub.decl = s.valueDecl(d)
	}
	d.stub.deps = s.deps
}

func (s *stubber) valueDecl(d *Def) ast.Decl {
	t := &typeWriter{named: s.named}
	if d.Kind == Func {
		f := &ast.FuncDecl{Name: d.ref(), Type: t.signature(d.Obj.Type().(*types.Signature))}
		bodyIfGeneric(f)
		return f
	}
	v := &ast.ValueSpec{Names: []*ast.Ident{d.ref()}, Type: t.expr(d.Obj.Type())}
	g := &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{v}}
	if d.Kind == Const {
		g.Tok = token.CONST
		v.Values = []ast.Expr{constantExpr(d.Val)}
	}
	return g
}

// bodyIfGeneric: go/types wants one of generic functions.
func bodyIfGeneric(f *ast.FuncDecl) {
	if f.Type.TypeParams != nil {
		f.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ForStmt{Body: &ast.BlockStmt{}}}}
	}
}

// typeDecl copies the declaration as it was written: its underlying type may
// have fields of another package that no one else can declare.
func (s *stubber) typeDecl(d *Def) ast.Decl {
	for _, decl := range s.c.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			if ts := spec.(*ast.TypeSpec); s.c.Info.Defs[ts.Name] == d.Obj {
				c := s.copier()
				cp := &ast.TypeSpec{Name: d.ref(), TypeParams: c.fields(ts.TypeParams), Assign: ts.Assign, Type: c.expr(ts.Type)}
				return &ast.GenDecl{Tok: token.TYPE, Specs: []ast.Spec{cp}}
			}
		}
	}
	return nil
}

// method adds a method to the stub of its receiver's type, in place of an older one of that name.
func (s *stubber) method(m *Method) {
	d := m.Recv
	s.deps = d.stub.deps
	c := s.copier()
	f := &ast.FuncDecl{Recv: c.fields(m.Decl.Recv), Name: ast.NewIdent(m.Decl.Name.Name),
		Type: c.expr(m.Decl.Type).(*ast.FuncType)}
	if len(m.Decl.Recv.List) > 0 && hasIndex(m.Decl.Recv.List[0].Type) {
		f.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ForStmt{Body: &ast.BlockStmt{}}}}
	}
	d.stub.deps = s.deps
	ms := &methodStub{f.Name.Name, f}
	for i, old := range d.stub.methods {
		if old.name == ms.name {
			d.stub.methods = slices.Clone(d.stub.methods)
			d.stub.methods[i] = ms
			return
		}
	}
	d.stub.methods = append(d.stub.methods, ms)
}

func hasIndex(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StarExpr:
		return hasIndex(t.X)
	case *ast.ParenExpr:
		return hasIndex(t.X)
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// mentionsCell reports whether a type is made of types that cells define.
func (s *stubber) mentionsCell(t types.Type) bool {
	return mentions(t, func(o *types.TypeName) bool { return s.c.defs[o] != nil })
}

// named returns the expression for a named type: one that a cell defines, or an
// alias.
func (s *stubber) named(o *types.TypeName) ast.Expr {
	if d := s.c.defs[o]; d != nil {
		return s.take(d)
	}
	return ast.NewIdent(s.env.alias.of(o))
}

func (s *stubber) copier() *copier {
	return &copier{info: s.c.Info, object: func(o types.Object) ast.Expr {
		if tn, ok := o.(*types.TypeName); ok && (s.c.defs[o] != nil || o.Parent() == types.Universe || o.Pkg() != nil && o.Pkg() != s.c.Pkg) {
			return s.named(tn)
		}
		return nil
	}}
}

// aliases is a package of names for types of compiled packages and of Go
// itself, dot-imported into preludes. It only grows.
type aliases struct {
	pkg   *types.Package
	names map[types.Object]string
}

const aliasPath = "alias·"

func newAliases() *aliases {
	a := &aliases{types.NewPackage(aliasPath, aliasPath), map[types.Object]string{}}
	a.pkg.MarkComplete()
	return a
}

// of returns the name under which a type is found. It begins with a capital, as
// all that can be imported.
func (a *aliases) of(o *types.TypeName) string {
	n, ok := a.names[o]
	if !ok {
		n = "X" + o.Name() + "·"
		for a.pkg.Scope().Lookup(n) != nil {
			n += "·"
		}
		a.names[o] = n
		a.pkg.Scope().Insert(types.NewTypeName(token.NoPos, a.pkg, n, o.Type()))
	}
	return n
}

// constantExpr is an expression with exactly that value.
func constantExpr(v constant.Value) ast.Expr {
	lit := func(k token.Token, s string) ast.Expr { return &ast.BasicLit{Kind: k, Value: s} }
	switch v.Kind() {
	case constant.Bool:
		op := token.EQL
		if !constant.BoolVal(v) {
			op = token.NEQ
		}
		return &ast.BinaryExpr{X: lit(token.INT, "0"), Op: op, Y: lit(token.INT, "0")}
	case constant.String:
		return lit(token.STRING, v.ExactString())
	case constant.Int:
		if constant.Sign(v) < 0 {
			return &ast.UnaryExpr{Op: token.SUB, X: constantExpr(constant.UnaryOp(token.SUB, v, 0))}
		}
		return lit(token.INT, v.ExactString())
	case constant.Float:
		if constant.Sign(v) < 0 {
			return &ast.UnaryExpr{Op: token.SUB, X: constantExpr(constant.UnaryOp(token.SUB, v, 0))}
		}
		num, den := constant.Num(v), constant.Denom(v)
		if num.Kind() != constant.Int || den.Kind() != constant.Int {
			return lit(token.FLOAT, v.String())
		}
		return &ast.BinaryExpr{X: lit(token.FLOAT, num.ExactString()+".0"), Op: token.QUO,
			Y: lit(token.FLOAT, den.ExactString()+".0")}
	case constant.Complex:
		im := &ast.BinaryExpr{X: &ast.ParenExpr{X: constantExpr(constant.Imag(v))}, Op: token.MUL, Y: lit(token.IMAG, "1i")}
		return &ast.BinaryExpr{X: constantExpr(constant.Real(v)), Op: token.ADD, Y: im}
	}
	return lit(token.INT, "0")
}
