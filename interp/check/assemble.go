package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"
)

// survey notes which names the cell mentions, declares and imports.
func (u *unit) survey() {
	u.orderVars()
	for _, d := range u.cell.Decls {
		u.mention(d)
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "_" && d.Name.Name != "init" {
				u.declare(d.Name)
			}
			if d.Body == nil {
				u.problem(d.Name.Pos(), d.Name.End(), "the function %s has no body", d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					u.declare(s.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						u.declare(n)
					}
				}
			}
		}
	}
	used := map[string]bool{} // by declarations
	for n := range u.mentioned {
		used[n] = true
	}
	for _, s := range u.cell.Stmts {
		u.mention(s)
		u.noReturn(s)
		for _, n := range declares(s) {
			if used[n.Name] && n.Name != "_" && !contains(u.shared, n.Name) {
				if u.declared[n.Name] {
					u.problem(n.Pos(), n.End(), "%s is declared twice in this cell", n.Name)
					continue
				}
				u.shared = append(u.shared, n.Name)
			}
		}
	}
	for _, x := range u.cell.Show {
		u.mention(x)
	}
	u.ownImports()
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (u *unit) declare(n *ast.Ident) {
	if n.Name != "_" {
		u.declared[n.Name] = true
	}
}

func (u *unit) mention(n ast.Node) { u.collect(n, u.mentioned) }

func (u *unit) collect(n ast.Node, into map[string]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			into[n.Name] = true
		case *ast.CallExpr:
			for _, k := range u.cell.Keywords[n] {
				u.collect(k.Value, into)
			}
		}
		return true
	})
}

// declares returns the names that a statement at the top declares, or might.
func declares(s ast.Stmt) (names []*ast.Ident) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			for _, x := range s.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					names = append(names, id)
				}
			}
		}
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					names = append(names, v.Names...)
				}
			}
		}
	case *ast.LabeledStmt:
		return declares(s.Stmt)
	}
	return names
}

// noReturn: a cell is no function.
func (u *unit) noReturn(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			u.problem(n.Pos(), n.End(), "return stands outside of a function")
		}
		return true
	})
}

// ownImports notes what the cell imports.
func (u *unit) ownImports() {
	for _, g := range u.cell.Imports {
		for _, s := range g.Specs {
			s := s.(*ast.ImportSpec)
			path, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				u.problem(s.Path.Pos(), s.Path.End(), "this is no import path")
				continue
			}
			if s.Name != nil && s.Name.Name == "_" && linked[path] {
				continue
			}
			p, err := u.Import(path)
			if err != nil {
				u.problem(s.Path.Pos(), s.Path.End(), "%s", err.Error())
				continue
			}
			name := p.Name()
			if s.Name != nil {
				name = s.Name.Name
			}
			u.newImport = append(u.newImport, Import{name, path, p})
			if name == "_" || name == "." {
				continue
			}
			if u.imported[name] {
				u.problem(s.Pos(), s.End(), "%s is imported twice in this cell", name)
			}
			if u.declared[name] {
				u.problem(s.Pos(), s.End(), "%s is imported and declared in this cell", name)
			}
			u.imported[name] = true
		}
	}
}

// closure returns the live definitions that the cell needs: those that it
// mentions and those that their stubs mention.
func (u *unit) closure() []*Def {
	var list []*Def
	seen := map[*Def]bool{}
	var add func(d *Def)
	add = func(d *Def) {
		if seen[d] {
			return
		}
		seen[d] = true
		list = append(list, d)
		for _, x := range d.stub.deps {
			add(x)
		}
	}
	for name := range u.mentioned {
		if d := u.env.live[name]; d != nil && !u.declared[name] && !u.imported[name] {
			add(d)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].stub.hidden < list[j].stub.hidden })
	return list
}

// giveWay lets live definitions whose names the cell declares itself go by their hidden names; the function that it
// returns undoes that.
func (u *unit) giveWay() (restore func()) {
	var moved []*Def
	move := func(name string) {
		if d := u.env.live[name]; d != nil && d.stub.name == name {
			moved = append(moved, d)
			d.rename(d.stub.hidden)
		}
	}
	for n := range u.declared {
		move(n)
	}
	for n := range u.imported {
		move(n)
	}
	for _, n := range u.shared {
		move(n)
	}
	return func() {
		for _, d := range moved {
			d.rename(d.Name)
		}
	}
}

// assemble builds the files that go/types sees.
func (u *unit) assemble() {
	src := u.cell.File
	u.prelude = &ast.File{Package: u.at, Name: &ast.Ident{NamePos: u.at, Name: "main"}, FileStart: u.at, FileEnd: u.at}
	u.file = &ast.File{Package: u.at, Name: &ast.Ident{NamePos: u.at, Name: "main"}, FileStart: u.at,
		FileEnd: u.at + token.Pos(src.Size())}
	var outer []ast.Stmt
	u.prelude.Decls = append(u.prelude.Decls, importDecl(".", aliasPath, u.at))
	for _, d := range u.closure() {
		u.stubs[d.stub.name] = d
		if d.stub.object {
			o := d.Obj
			switch o := o.(type) { // under the name that it has now
			case *types.Var:
				u.objects = append(u.objects, types.NewVar(o.Pos(), o.Pkg(), d.stub.name, o.Type()))
			case *types.Const:
				u.objects = append(u.objects, types.NewConst(o.Pos(), o.Pkg(), d.stub.name, o.Type(), o.Val()))
			case *types.Func:
				u.objects = append(u.objects, types.NewFunc(o.Pos(), o.Pkg(), d.stub.name, o.Signature()))
			}
		} else {
			u.place(d.stub.decl)
			u.prelude.Decls = append(u.prelude.Decls, d.stub.decl)
			for _, m := range d.stub.methods {
				if !u.redeclares(d, m.name) {
					u.place(m.decl)
					u.prelude.Decls = append(u.prelude.Decls, m.decl)
				}
			}
		}
		if d.stub.name != d.Name && contains(u.shared, d.Name) && u.env.live[d.Name] == d {
			u.outer[d.Name] = d
			outer = append(outer, u.outerDecl(d))
		}
	}
	u.imports()
	u.file.Decls = append(u.file.Decls, u.cell.Decls...)
	body := &ast.BlockStmt{Lbrace: u.at, Rbrace: u.file.FileEnd, List: u.cell.Stmts}
	for _, x := range u.cell.Show {
		body.List = append(body.List, &ast.ExprStmt{X: x})
	}
	if outer != nil {
		body = &ast.BlockStmt{Lbrace: u.at, Rbrace: u.file.FileEnd, List: append(outer, body)}
	}
	u.fn = &ast.FuncDecl{
		Name: &ast.Ident{NamePos: u.at, Name: cellFunc},
		Type: &ast.FuncType{Func: u.at, Params: &ast.FieldList{Opening: u.at, Closing: u.at}}, Body: body,
	}
	u.file.Decls = append(u.file.Decls, u.fn)
}

// place puts the names of a stub into the cell's file: go/types looks for the
// file of a type that has methods, of an instance of one too.
func (u *unit) place(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			n.NamePos = u.at
		case *ast.StarExpr:
			n.Star = u.at
		case *ast.ParenExpr:
			n.Lparen = u.at
		}
		return true
	})
}

// outerDecl declares a shared name of an earlier cell as a local.
func (u *unit) outerDecl(d *Def) ast.Stmt {
	name := []*ast.Ident{{NamePos: u.at, Name: d.Name}}
	hidden := &ast.Ident{NamePos: u.at, Name: d.stub.name}
	g := &ast.GenDecl{TokPos: u.at, Tok: token.VAR,
		Specs: []ast.Spec{&ast.ValueSpec{Names: name, Values: []ast.Expr{hidden}}}}
	switch d.Kind {
	case Const:
		g.Tok = token.CONST
	case Type:
		g.Tok = token.TYPE
		g.Specs = []ast.Spec{&ast.TypeSpec{Name: name[0], Assign: u.at, Type: hidden}}
	}
	return &ast.DeclStmt{Decl: g}
}

// redeclares: the cell declares that method of d's type itself.
func (u *unit) redeclares(d *Def, method string) bool {
	for _, decl := range u.cell.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == method && recvIdent(f) == d.stub.name {
			return true
		}
	}
	return false
}

// recvIdent is the name of a receiver's type as it is written.
func recvIdent(f *ast.FuncDecl) string {
	if len(f.Recv.List) != 1 {
		return ""
	}
	x := f.Recv.List[0].Type
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

func importDecl(name, path string, at token.Pos) ast.Decl {
	s := &ast.ImportSpec{Path: &ast.BasicLit{ValuePos: at, ValueEnd: at, Kind: token.STRING, Value: quote(path)}}
	if name != "" {
		s.Name = &ast.Ident{NamePos: at, Name: name}
	}
	return &ast.GenDecl{TokPos: at, Tok: token.IMPORT, Specs: []ast.Spec{s}}
}

// imports writes the imports of the cell's file: its own, those in force that
// it mentions, the hidden ones, and the bare names.
func (u *unit) imports() {
	add := func(name, path string) { u.file.Decls = append(u.file.Decls, importDecl(name, path, u.at)) }
	taken := func(name string) bool {
		return u.declared[name] || u.imported[name] || u.env.live[name] != nil || contains(u.shared, name)
	}
	dots := append([]Import{}, u.env.dots...)
	for _, i := range u.newImport {
		switch i.Name {
		case ".":
			dots = append([]Import{i}, dots...)
		case "_":
		default:
			add(i.Name, i.Path)
		}
	}
	names := make([]string, 0, len(u.mentioned))
	for n := range u.mentioned {
		names = append(names, n)
	}
	sort.Strings(names)
	if u.env.cfg.Bare != "" {
		if p, err := u.Import(u.env.cfg.Bare); err == nil {
			add(hidTensor, u.env.cfg.Bare)
			dots = append(dots, Import{hidTensor, u.env.cfg.Bare, p})
		}
	}
	u.dot = types.NewPackage(dotPath, dotPath)
	for _, n := range names {
		if taken(n) {
			continue
		}
		if i, ok := u.env.imports[n]; ok {
			add(n, i.Path)
			continue
		}
		if path, ok := u.env.cfg.Auto[n]; ok {
			if _, err := u.Import(path); err == nil {
				add(n, path)
			}
			continue
		}
		if !token.IsExported(n) {
			continue
		}
		for _, d := range dots {
			if o := d.Pkg.Scope().Lookup(n); o != nil {
				u.dot.Scope().Insert(o)
				break
			}
		}
	}
	u.dot.MarkComplete()
	add(".", dotPath)
	for _, d := range dots {
		if d.Path != u.env.cfg.Bare {
			u.hide(d.Pkg)
		}
	}
}

// hide returns the hidden name of a package, importing it into the cell's file.
func (u *unit) hide(p *types.Package) string {
	if p.Path() == u.env.cfg.Bare {
		return hidTensor
	}
	if n, ok := u.hidden[p.Path()]; ok {
		return n
	}
	n := p.Name() + "·"
	for taken := true; taken; {
		taken = n == hidTensor
		for _, other := range u.hidden {
			taken = taken || other == n
		}
		if taken {
			n += "·"
		}
	}
	u.hidden[p.Path()] = n
	u.file.Decls = append([]ast.Decl{importDecl(n, p.Path(), u.at)}, u.file.Decls...)
	return n
}
