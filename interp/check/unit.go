package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strconv"

	"gotorch/interp/syntax"
)

// Hidden names begin like the package and end in a mark that nobody can type.
const (
	hidTensor = "tensor·"
	dotPath   = "dot·"
	cellFunc  = "cell·"
	maxRounds = 40
)

func itoa(n int64) string   { return strconv.FormatInt(n, 10) }
func quote(s string) string { return strconv.Quote(s) }

// Note: how a cell is checked
//
// go/types sees two files: the prelude of stubs, and the cell, whose statements
// stand in one function. So a statement sees the variables of those before it,
// x := x + 1 reads the x of an earlier cell, and functions, types and constants
// are seen everywhere.
//
// A function of the cell may also use a variable that a statement of the same
// cell declares. Such a variable (it is shared) is declared a second time, at
// the level of the package, with the type that a check of the statements alone
// has found; what an earlier cell left under its name is a local of a block
// around the statements.

// unit is one cell while it is checked.
type unit struct {
	env  *Env
	cell *syntax.Cell
	at   token.Pos // the beginning of the cell

	mentioned map[string]bool // every identifier of the cell
	declared  map[string]bool // by func, type and const declarations
	imported  map[string]bool // names of the cell's own imports
	shared    []string        // variables of statements that functions use too

	pkg       *types.Package
	info      *types.Info
	errs      []types.Error
	file      *ast.File // of the cell
	fn        *ast.FuncDecl
	prelude   *ast.File
	objects   []types.Object        // to be inserted
	stubs     map[string]*Def       // what the prelude declares, by the name it has there
	outer     map[string]*Def       // shared names of earlier cells
	hidden    map[string]string     // path → hidden import name, beyond tensor·
	dot       *types.Package        // bare names
	newImport []Import              // of the cell
	res       *resolver             // of the tensor syntax
	bodies    []*ast.BlockStmt      // of functions, while they are taken away
	sharedT   map[string]types.Type // types of shared variables
	tensor    *types.Package
	problems  syntax.Diagnostics
}

func newUnit(env *Env, cell *syntax.Cell) *unit {
	return &unit{
		env: env, cell: cell, at: token.Pos(cell.File.Base()),
		mentioned: map[string]bool{}, declared: map[string]bool{}, imported: map[string]bool{},
		stubs: map[string]*Def{}, outer: map[string]*Def{}, hidden: map[string]string{}, sharedT: map[string]types.Type{},
	}
}

// Import is a types.Importer.
func (u *unit) Import(path string) (*types.Package, error) {
	switch path {
	case dotPath:
		return u.dot, nil
	case aliasPath:
		return u.env.alias.pkg, nil
	}
	if u.env.cfg.Importer == nil {
		return nil, fmt.Errorf("package %s is not available in this session", path)
	}
	return u.env.cfg.Importer.Import(path)
}

func (u *unit) problem(pos, end token.Pos, f string, args ...any) {
	u.problems = append(u.problems, u.cell.At(pos, end, fmt.Sprintf(f, args...)))
}

func (u *unit) check() (c *Checked, ds syntax.Diagnostics) {
	defer func() { // of go/types: it must not end a session
		if r := recover(); r != nil {

			c, ds = nil, syntax.Diagnostics{
				u.cell.At(u.at, u.at, fmt.Sprintf("this cell cannot be checked (a fault of the checker: %v)", r))}
		}
	}()
	u.survey()
	if len(u.problems) > 0 {
		return nil, u.problems.Sort()
	}
	if ds := u.longTexts(); len(ds) > 0 {
		return nil, ds
	}
	restore := u.giveWay()
	defer restore()
	u.assemble()
	if u.env.cfg.Bare != "" {
		p, err := u.Import(u.env.cfg.Bare)
		if err != nil {
			return nil, syntax.Diagnostics{u.cell.At(u.at, u.at, err.Error())}
		}
		u.tensor = p
	}
	u.res = newResolver(u)
	if len(u.shared) > 0 {
		u.takeBodies()
		u.rounds(true)
		u.noteShared()
		u.giveBodies()
	}
	u.rounds(false)
	if ds := u.verdict(); len(ds) > 0 {
		return nil, ds
	}
	if ds := u.endless(); len(ds) > 0 {
		return nil, ds
	}
	return u.checked(), nil
}

// rounds runs go/types and resolves what its types tell, until nothing changes.
func (u *unit) rounds(statementsOnly bool) {
	for range maxRounds {
		u.types()
		decls := u.file.Decls[u.firstDecl():]
		if statementsOnly {
			decls = []ast.Decl{u.fn}
		}
		if !u.res.round(decls) {
			return
		}
	}
}

// firstDecl is the index of the first declaration that is no import.
func (u *unit) firstDecl() int {
	for i, d := range u.file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			return i
		}
	}
	return len(u.file.Decls)
}

// types runs go/types once.
func (u *unit) types() {
	u.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:    map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	u.pkg = types.NewPackage("main", "main")
	for _, o := range u.objects {
		u.insert(o, o.Name(), o.Type())
	}
	for _, name := range u.shared {
		if t := u.sharedT[name]; t != nil {
			u.pkg.Scope().Insert(types.NewVar(u.at, u.pkg, name, t))
		}
	}
	u.errs = nil
	cfg := &types.Config{Importer: u, Error: func(err error) {
		u.errs = append(u.errs, err.(types.Error))
	}, DisableUnusedImportCheck: true}
	types.NewChecker(cfg, u.cell.Fset, u.pkg, u.info).Files([]*ast.File{u.prelude, u.file})
}

// insert puts a fresh object for what an earlier cell defined into the package.
func (u *unit) insert(o types.Object, name string, t types.Type) {
	switch o := o.(type) {
	case *types.Var:
		u.pkg.Scope().Insert(types.NewVar(o.Pos(), u.pkg, name, t))
	case *types.Const:
		u.pkg.Scope().Insert(types.NewConst(o.Pos(), u.pkg, name, t, o.Val()))
	case *types.Func:
		u.pkg.Scope().Insert(types.NewFunc(o.Pos(), u.pkg, name, t.(*types.Signature)))
	}
}

// takeBodies takes the bodies of the cell's functions away.
func (u *unit) takeBodies() {
	for _, d := range u.cell.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			u.bodies = append(u.bodies, f.Body)
			if f.Body != nil {
				f.Body = nil
				bodyIfGeneric(f)
			}
		}
	}
}

func (u *unit) giveBodies() {
	for _, d := range u.cell.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body, u.bodies = u.bodies[0], u.bodies[1:]
		}
	}
}

// noteShared notes the types that the statements give to shared variables, and
// declares those made of types that cells define.
func (u *unit) noteShared() {
	top := u.topScope()
	local := func(o *types.TypeName) bool { return o.Pkg() == u.pkg }
	for _, name := range u.shared {
		v, ok := top.Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		if !mentions(v.Type(), local) {
			u.sharedT[name] = v.Type()
			continue
		}
		w := &typeWriter{named: func(o *types.TypeName) ast.Expr {
			if o.Pkg() == u.pkg {
				return ast.NewIdent(o.Name())
			}
			return ast.NewIdent(u.env.alias.of(o))
		}}
		spec := &ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent(name)}, Type: w.expr(v.Type())}
		u.prelude.Decls = append(u.prelude.Decls, &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{spec}})
	}
}

// topScope is the scope of the statements' variables.
func (u *unit) topScope() *types.Scope {
	if len(u.outer) > 0 {
		return u.info.Scopes[u.statements()]
	}
	return u.info.Scopes[u.fn.Type]
}

// statements is the block that holds the cell's statements.
func (u *unit) statements() *ast.BlockStmt {
	if len(u.outer) > 0 {
		return u.fn.Body.List[len(u.fn.Body.List)-1].(*ast.BlockStmt)
	}
	return u.fn.Body
}

// checked is the result for a cell in which nothing is wrong.
func (u *unit) checked() *Checked {
	c := &Checked{
		Cell: u.cell, Fset: u.cell.Fset, Quiet: u.cell.Quiet, Info: u.info, Pkg: u.pkg,
		NewImports: u.newImport, defs: map[types.Object]*Def{}, packages: u.env.packageDef,
	}
	if u.res != nil {
		c.declared = u.res.declared
	}
	c.Decls = u.file.Decls[u.firstDecl() : len(u.file.Decls)-1]
	list := u.statements().List
	shown := len(list) - len(u.cell.Show)
	c.Stmts = list[:shown:shown]
	for _, s := range list[shown:] {
		c.Show = append(c.Show, s.(*ast.ExprStmt).X)
	}
	for name, d := range u.stubs {
		if o := u.pkg.Scope().Lookup(name); o != nil {
			c.defs[o] = d
		}
	}
	for name, d := range u.outer {
		if o := u.info.Scopes[u.fn.Type].Lookup(name); o != nil {
			c.defs[o] = d
		}
	}
	u.definitions(c)
	u.qualify(c)
	u.used(c)
	return c
}

// definitions finds what the cell defines.
func (u *unit) definitions(c *Checked) {
	add := func(o types.Object, kind Kind) *Def {
		d := &Def{Name: o.Name(), Kind: kind, Cell: u.cell.Name, Pos: o.Pos(), Obj: o, Prev: u.env.live[o.Name()]}
		if k, ok := o.(*types.Const); ok {
			d.Val = k.Val()
		}
		c.defs[o] = d
		c.Defs = append(c.Defs, d)
		return d
	}
	for name := range u.declared {
		switch o := u.pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			add(o, Func)
		case *types.TypeName:
			add(o, Type)
		case *types.Const:
			add(o, Const)
		}
	}
	top := u.topScope()
	for _, name := range top.Names() {
		if v, ok := top.Lookup(name).(*types.Var); ok && name != "_" {
			d := add(v, Var)
			if o, ok := u.pkg.Scope().Lookup(name).(*types.Var); ok && c.defs[o] == nil {
				c.defs[o] = d // shared
			}
		}
	}
	sort.Slice(c.Defs, func(i, j int) bool { return c.Defs[i].Pos < c.Defs[j].Pos })
	for _, decl := range c.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		if o, ok := u.info.Defs[f.Name].(*types.Func); ok && o.Signature().Recv() != nil {
			if d := c.defs[recvName(o.Signature().Recv().Type())]; d != nil {
				c.Methods = append(c.Methods, &Method{d, f, o})
			}
		}
	}
}

// recvName is the type name of a receiver.
func recvName(t types.Type) types.Object {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}
