package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"sort"

	"gotorch/interp/syntax"
)

// Note: packages from disk
//
// A package is checked by go/types as it is, once, so that its types have one identity in all later checks; cells see
// it as they see packages of the host. To the lowering it is one more cell: its functions, types and constants are
// declarations, its variables are statements in Go's order of initialization. [Checked.Def] knows the definitions of
// packages too.

// Package is a package of sources, checked.
type Package struct {
	*Checked
	Path    string // as messages name it
	Dir     string
	Sources []*Source
	Imports []*Package // those that are sources too

	named map[string]*Def
}

// Source is a file of a package. Number is what tells its lines apart, see lower.Code; whoever runs it chooses it.
type Source struct {
	Text   *syntax.Cell
	Tree   *ast.File
	Number int
}

// NewPackage makes a package of files that go/types has checked. Known has the definitions of the packages that it
// imports; old is what the package was before it was read again,
// or nil.
func NewPackage(fset *token.FileSet, sources []*Source, info *types.Info, pkg *types.Package,
	known Defs, old *Package) *Package {
	c := &Checked{Fset: fset, Info: info, Pkg: pkg, defs: map[types.Object]*Def{}, packages: known.Def}
	p := &Package{Checked: c, Sources: sources, named: map[string]*Def{}}
	c.Files = sources
	for _, s := range sources {
		for _, d := range s.Tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && (g.Tok == token.IMPORT || g.Tok == token.VAR) {
				continue
			}
			c.Decls = append(c.Decls, d)
		}
	}
	p.definitions(old)
	p.variables()
	return p
}

// definitions lists what the package declares at its top.
func (p *Package) definitions(old *Package) {
	scope := p.Pkg.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		d := &Def{Name: name, Cell: p.Pkg.Name(), Pos: o.Pos(), Obj: o}
		switch x := o.(type) {
		case *types.Var:
			d.Kind = Var
		case *types.Func:
			d.Kind = Func
		case *types.TypeName:
			d.Kind = Type
		case *types.Const:
			d.Kind, d.Val = Const, x.Val()
		}
		if old != nil {
			d.Prev = old.named[name]
		}
		p.named[name], p.defs[o] = d, d
		p.Defs = append(p.Defs, d)
	}
	sort.Slice(p.Defs, func(i, j int) bool { return p.Defs[i].Pos < p.Defs[j].Pos })
	for _, decl := range p.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		if o, ok := p.Info.Defs[f.Name].(*types.Func); ok && o.Signature().Recv() != nil {
			if d := p.defs[recvName(o.Signature().Recv().Type())]; d != nil {
				p.Methods = append(p.Methods, &Method{d, f, o})
			}
		}
	}
}

// variables makes statements of the package's variables, in the order in which Go initializes them.
func (p *Package) variables() {
	names, at := map[types.Object]*ast.Ident{}, map[ast.Expr]*ast.ValueSpec{}
	add := func(v *ast.ValueSpec) {
		g := &ast.GenDecl{TokPos: v.Pos(), Tok: token.VAR, Specs: []ast.Spec{v}}
		p.Stmts = append(p.Stmts, &ast.DeclStmt{Decl: g})
	}
	for _, s := range p.Sources {
		for _, d := range s.Tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for _, n := range v.Names {
					names[p.Info.Defs[n]] = n
				}
				for _, x := range v.Values {
					at[x] = v
				}
				if len(v.Values) == 0 {
					add(v)
				}
			}
		}
	}
	for _, in := range p.Info.InitOrder {
		v := &ast.ValueSpec{Values: []ast.Expr{in.Rhs}}
		if spec := at[in.Rhs]; spec != nil {
			v.Type = spec.Type
		}
		for _, o := range in.Lhs {
			v.Names = append(v.Names, names[o])
		}
		add(v)
	}
}

// At makes a diagnostic about the text from pos to end.
func (c *Checked) At(pos, end token.Pos, msg string) syntax.Diagnostic {
	return c.TextAt(pos).At(pos, end, msg)
}

// TextAt is the text that a position is in: that of the cell, or of a file of the package.
func (c *Checked) TextAt(pos token.Pos) *syntax.Cell {
	if s := c.sourceAt(pos); s != nil {
		return s.Text
	}
	return c.Cell
}

// NumberAt is the number of the file of a package that a position is in, 0 in a cell.
func (c *Checked) NumberAt(pos token.Pos) int {
	if s := c.sourceAt(pos); s != nil {
		return s.Number
	}
	return 0
}

// Begin is where the text begins.
func (c *Checked) Begin() token.Pos {
	if c.Cell == nil {
		return token.Pos(c.Files[0].Text.File.Base())
	}
	return token.Pos(c.Cell.File.Base())
}

func (c *Checked) sourceAt(pos token.Pos) *Source {
	for _, s := range c.Files {
		if f := s.Text.File; int(pos) >= f.Base() && int(pos) <= f.Base()+f.Size() {
			return s
		}
	}
	if len(c.Files) > 0 {
		return c.Files[0]
	}
	return nil
}

// Reloaded has packages that were read again stand where their older forms stood: in imports, and in the types of
// what cells have defined, as far as these types are declared as they were. Values of other types keep the old ones.
func (e *Env) Reloaded(fresh, old []*Package) {
	m := &mover{sameTypes(fresh, old)}
	pkgs, all := map[*types.Package]*types.Package{}, map[types.Object]*Def{}
	for i, p := range fresh {
		pkgs[old[i].Pkg] = p.Pkg
		maps.Copy(all, p.defs)
	}
	for name, i := range e.imports {
		if p := pkgs[i.Pkg]; p != nil {
			e.imports[name] = Import{i.Name, i.Path, p}
		}
	}
	for n, i := range e.dots {
		if p := pkgs[i.Pkg]; p != nil {
			e.dots[n].Pkg = p
		}
	}
	e.alias.move(m)
	for _, d := range e.live {
		if !d.stub.object {
			continue
		}
		t := m.typ(d.Obj.Type())
		if t == d.Obj.Type() {
			continue
		}
		switch o := d.Obj.(type) {
		case *types.Var:
			d.Obj = types.NewVar(o.Pos(), o.Pkg(), o.Name(), t)
		case *types.Const:
			d.Obj = types.NewConst(o.Pos(), o.Pkg(), o.Name(), t, o.Val())
		case *types.Func:
			d.Obj = types.NewFunc(o.Pos(), o.Pkg(), o.Name(), t.(*types.Signature))
		}
	}
	for old, now := range m.names { // values of both are the same to the engine
		if d := all[now]; d.Prev != nil && d.Prev.Obj == old {
			d.Engine = d.Prev.Engine
		}
	}
}

// Own returns the definition of the package itself that an object stands for, or nil.
func (p *Package) Own(o types.Object) *Def { return p.defs[o] }
