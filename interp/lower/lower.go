// Package lower turns a checked cell into core Go, which an engine runs; see package core.
//
// A cell becomes one function, init; its variables become globals with a number in their names; its types become
// their structure. Methods become functions, interfaces any and calls of package rt, generic functions instances,
// constants their values. The result is a copy: the trees of the check stay as they are, since a generic function is
// lowered again for each instance.
//
// Go's semantics:
//
//	lower.go                    a cell, and what later cells know of it
//	decl.go                     definitions, and how they are defined again
//	types.go type_names.go      types: their keys, how they are written, what %T shows
//	recursive_types.go layout.go self_types.go
//	                            types that contain themselves
//	describe.go                 types and method sets, as package rt knows them
//	generic.go                  instances of generic functions
//	method.go                   fields, methods, method values
//	lift.go                     function literals that hold no more than they use
//	expr.go binary.go literal.go call.go convert.go helper.go order.go
//	                            expressions
//	stmt.go assign.go loop.go switch.go select.go go_defer.go
//	                            statements
//	nodes.go                    makers of nodes
//
// What a session needs from a program, whatever engine runs it:
//
//	lines.go                    the line that is executed, for messages
//	memory.go                   questions before much memory is asked for
//	map_races.go                uses of maps while goroutines run
//	around.go                   a program inside a function, for a profile
package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"weak"

	"gotorch/interp/check"
	"gotorch/interp/core"
	"gotorch/interp/rt"
)

// Engine is what the lowering needs from the engine.
type Engine interface {
	Use(path string) error
	TypeOf(path, name string) (reflect.Type, bool)
	WaitingMethod(path, typ, method string, pointer bool) (name string, ok bool)
	FileSet() *token.FileSet
	Own(name string) *core.Global
}

// Lowerer lowers the cells of one session. It is not safe for concurrent use.
type Lowerer struct {
	rt       *rt.Runtime
	eng      Engine
	importer types.Importer
	n        int // the last number given to a name
	ctx      *types.Context

	instances   map[string]string                    // key of an instance → its name in the interpreter
	helpers     map[string]string                    // key of a small function → its name
	structs     map[string]string                    // key of a declared struct type → its name
	locals      map[weak.Pointer[types.TypeName]]int // types declared in functions
	linked      map[string]bool                      // type key + method + implementation
	sources     map[string]*source
	layouts     map[string]reflect.Type // key of a struct that leads to itself → its type
	selves      map[string]core.Self    // key of another type that contains itself → what was made for it
	selfish     map[string]bool         // key of a type → whether it is one
	ofInstances map[localType]*types.Named
	nominals    map[string]bool

	// EveryLine has every statement note its line in [core.LineVar], not only those that may panic or call: for a
	// profile.
	EveryLine bool
}

// New makes the lowerer of a session. The importer gives packages as the check
// sees them.
func New(r *rt.Runtime, e Engine, importer types.Importer) *Lowerer {
	return &Lowerer{rt: r, eng: e, importer: importer, ctx: types.NewContext(),
		instances: map[string]string{}, helpers: map[string]string{}, structs: map[string]string{},
		locals: map[weak.Pointer[types.TypeName]]int{}, linked: map[string]bool{}, sources: map[string]*source{},
		layouts: map[string]reflect.Type{}, selves: map[string]core.Self{}, selfish: map[string]bool{},
		ofInstances: map[localType]*types.Named{},
		nominals:    map[string]bool{}}
}

// Program is a lowered cell.
type Program struct {
	core.Program
	Shows   int              // how many expressions it ends with
	Slots   []*Symbol        // variables that get a place of their own; the program tells rt·.Var where
	Steps   []*check.Def     // definitions by statements, in the order in which the program reports them to rt·.Step
	Funcs   map[string]Place // functions of the cell, by the name in a panic's frames
	Assigns map[int]string   // the name that a statement assigns, by what LineVar holds
	Local   []string         // functions that no later program mentions
	owned   []*core.Global   // of functions that the program makes for itself
	undo    []func()
}

// Place is the position of a name in a cell.
type Place struct {
	Name string
	Pos  token.Pos
}

// Symbol is what the engine knows a definition by.
type Symbol struct {
	ID   int
	Name string // the global, the type, or the function's own name
	Def  *check.Def

	// Variables: Slot is a pointer to the variable once the cell has begun.
	Slot     any
	Captured bool // a function, closure or pointer may outlive the name
	pointed  bool // a pointer may
	typeKey  string

	global *core.Global // holds the variable, the type, or the one through which a function is called

	// Functions.
	ref string // the variable through which it is called
	sig string

	// Generic functions and types, and methods.
	unit    *unit
	decl    *ast.FuncDecl
	methods map[string]*methodSym
}

// Replaces reports whether functions that were lowered with old use s: they call both through one variable, or both
// are kept in one place.
func (s *Symbol) Replaces(old *Symbol) bool {
	switch s.Def.Kind {
	case check.Func:
		return s.ref != "" && s.ref == old.ref
	case check.Var:
		return s.Name == old.Name
	}
	return false
}

// methodSym is a method of a declared type.
type methodSym struct {
	ref, sig, impl string
	global         *core.Global  // holds ref
	decl           *ast.FuncDecl // of a generic type
	unit           *unit
}

// Unsupported is a cell that cannot be run.
type Unsupported struct {
	Pos token.Pos
	Msg string
}

func (u *Unsupported) Error() string { return u.Msg }

func refuse(n ast.Node, format string, args ...any) {
	panic(&Unsupported{n.Pos(), fmt.Sprintf(format, args...)})
}

// Code is what LineVar holds at a statement: its cell, its line, and its column, which is 0 where it is beyond what
// is kept.
func Code(cell, line, col int) int {
	if col >= 1<<columnBits {
		col = 0
	}
	return (cell<<20|line)<<columnBits | col
}

const columnBits = 12

// Decode is the reverse of Code, less the column.
func Decode(code int) (cell, line int) {
	code >>= columnBits
	return code >> 20, code & (1<<20 - 1)
}

// Column is the column in a code.
func Column(code int) int { return code & (1<<columnBits - 1) }

// unit is checked text: a cell or a package of generic sources, and for an
// instance the types that stand for its type parameters.
type unit struct {
	cell  int
	fset  *token.FileSet
	info  *types.Info
	pkg   *types.Package
	defs  []func(types.Object) *check.Def // whose objects may be met
	subst map[*types.TypeParam]types.Type
	tag   string // tells instances apart

	numberAt func(token.Pos) int // of the file, in a package of several

	from, to token.Pos // the generic function of an instance
}

// cell is one lowering.
type cell struct {
	*Lowerer
	n       int
	pos     token.Pos
	prog    *Program
	imports map[string]string // path → name
	types   []ast.Decl
	vars    []ast.Decl
	funcs   []ast.Decl
	inits   []ast.Stmt // before the cell's own statements
	starts  []ast.Stmt // the calls of its init functions, behind the variables that it declares
	queue   []func()   // function bodies still to be lowered
	goes    bool       // the cell starts goroutines
	trees   []ast.Node // the cell's declarations and statements
}

// Lower lowers a cell; number is its number in the session. The error is an [*Unsupported].
func (l *Lowerer) Lower(c *check.Checked, number int) (p *Program, err error) {
	var k *cell
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(*Unsupported)
			if !ok {
				panic(r)
			}
			l.Undo(k.prog)
			p, err = nil, u
		}
	}()
	pos := c.Begin()
	k = &cell{Lowerer: l, n: number, pos: pos, imports: map[string]string{},
		prog: &Program{Shows: len(c.Show), Funcs: map[string]Place{}, Assigns: map[int]string{}}}
	u := &unit{cell: number, numberAt: c.NumberAt, fset: c.Fset, info: c.Info, pkg: c.Pkg,
		defs: []func(types.Object) *check.Def{c.Def}}
	for _, d := range c.Decls {
		k.trees = append(k.trees, d)
	}
	for _, s := range c.Stmts {
		k.trees = append(k.trees, s)
	}
	k.goes = slices.ContainsFunc(k.trees, startsGoroutines)
	for _, e := range c.Show {
		k.trees = append(k.trees, e)
	}
	k.declare(u, c)
	f := k.newFn(u, nil)
	f.top = true
	var body []ast.Stmt
	protect := false
	for _, s := range c.Stmts {
		protect = protect || defers(s)
	}
	if protect {
		f.defers = f.temp()
	}
	lastVar := -1
	for i, s := range c.Stmts {
		if _, ok := s.(*ast.DeclStmt); ok {
			lastVar = i
		}
	}
	if lastVar < 0 {
		body = k.starts
	}
	for i, s := range c.Stmts {
		body = append(append(body, f.beginStep(c.Stmts[i:])...), f.stmtAt(s)...)
		if names := stepNames(c, s); len(names) > 0 && (i < len(c.Stmts)-1 || len(c.Show) > 0) {
			k.prog.Steps = append(k.prog.Steps, names...)
			body = append(body, k.exprStmt(k.rtCall("Step", k.intLit(len(k.prog.Steps)))))
		} else {
			k.prog.Steps = append(k.prog.Steps, names...)
		}
		if i == lastVar && len(k.starts) > 0 {
			if n := len(k.prog.Steps); n > 0 { // the variables are there, whatever init does
				body = append(body, k.exprStmt(k.rtCall("Step", k.intLit(n))))
			}
			body = append(body, k.starts...)
		}
	}
	if n := len(k.prog.Steps); n > 0 {
		body = append(body, k.exprStmt(k.rtCall("Step", k.intLit(n))))
	}
	for _, e := range c.Show {
		body = append(append(body, f.mark(e)...), f.largeShown(e)...)
		body = append(body, f.askArrays(f.largeValue(e)+f.operandBytes(e))...)
		body = append(body, f.show(e, c.Quiet)...)
	}
	if protect {
		body = f.protected(body)
	}
	for len(k.queue) > 0 {
		q := k.queue
		k.queue = nil
		for _, g := range q {
			g()
		}
	}
	k.prog.Goes = k.goes
	k.prog.File = k.file(append(k.inits, body...))
	for path := range k.imports {
		if path != core.RuntimePath {
			if err := l.eng.Use(path); err != nil {
				l.Undo(k.prog)
				return nil, &Unsupported{pos, err.Error()}
			}
		}
	}
	return k.prog, nil
}

// Undo forgets what a program would have declared, if it could not be run.
func (l *Lowerer) Undo(p *Program) {
	for i := len(p.undo) - 1; i >= 0; i-- {
		p.undo[i]()
	}
	p.undo = nil
}

// remember adds to one of the lowerer's tables, so that Undo can take it out.
func remember[V any](k *cell, table map[string]V, key string, v V) {
	table[key] = v
	k.prog.undo = append(k.prog.undo, func() { delete(table, key) })
}

// file puts the parts together.
func (k *cell) file(body []ast.Stmt) *ast.File {
	f := &ast.File{Package: k.pos, Name: k.id("main")}
	for path, name := range k.imports {
		f.Decls = append(f.Decls, core.Import(name, path, k.pos))
	}
	f.Decls = append(f.Decls, core.Import(core.RuntimeName, core.RuntimePath, k.pos))
	f.Decls = append(f.Decls, k.types...)
	f.Decls = append(f.Decls, k.vars...)
	f.Decls = append(f.Decls, k.funcs...)
	f.Decls = append(f.Decls, &ast.FuncDecl{Name: k.id("init"), Type: k.funcType(nil, nil), Body: k.block(body)})
	return f
}

// stepNames are the definitions that a statement makes.
func stepNames(c *check.Checked, s ast.Stmt) []*check.Def {
	var out []*check.Def
	note := func(id *ast.Ident) {
		if o := c.Info.Defs[id]; o != nil {
			if d := c.Def(o); d != nil {
				out = append(out, d)
			}
		}
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE {
				note(id)
			}
		}
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok {
			for _, sp := range g.Specs {
				if v, ok := sp.(*ast.ValueSpec); ok && g.Tok == token.VAR {
					for _, id := range v.Names {
						note(id)
					}
				}
			}
		}
	case *ast.LabeledStmt:
		return stepNames(c, s.Stmt)
	}
	return out
}

// number returns a new name for something that the user called name.
func (l *Lowerer) number(name string) (string, int) {
	l.n++
	return fmt.Sprintf("%s·%d", name, l.n), l.n
}

// symbol returns the engine's side of a definition.
func (l *Lowerer) symbol(d *check.Def) *Symbol {
	if s, ok := d.Engine.(*Symbol); ok {
		return s
	}
	name, id := l.number(d.Name)
	s := &Symbol{ID: id, Name: name, Def: d}
	d.Engine = s
	return s
}

// def returns the definition that an object stands for, or nil.
func (u *unit) def(o types.Object) *check.Def {
	for _, f := range u.defs {
		if d := f(o); d != nil {
			return d
		}
	}
	return nil
}

// numberOf is the number of the text that a node is in: the cell's, or that of a file of a package.
func (u *unit) numberOf(n ast.Node) int {
	if u.numberAt != nil {
		if number := u.numberAt(n.Pos()); number != 0 {
			return number
		}
	}
	return u.cell
}
