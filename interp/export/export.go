// Package export makes a Go program of the cells of a session: the way from a notebook to production.
//
// Each cell becomes a function, which main calls in order. What cells define at their top level stands at the
// program's: a variable as a variable of the package, so that later cells and functions see it. A name that is defined
// again with another type gets a new name, x2; a function that is defined again with the type that it had becomes a
// variable that is assigned to, so that its earlier callers see the new one, as they do in a session. What a cell ends
// with is printed.
//
// The tensor syntax has become plain Go, as %go shows it. A program that uses package visualize also says where its
// lines stood and what its variables are called, so that views show the same names as in the session.
package export

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/syntax"
)

// Cell is a cell to export.
type Cell struct {
	Name  string // "In[3]"
	Src   string // Go and the tensor syntax; no commands
	Doc   string // what the notebook says before it
	Fails bool   // it is known to panic: the program says so and goes on, as the session does
}

// Problem is a cell that could not become a part of the program.
type Problem struct {
	Cell string
	Text string
}

func (p Problem) String() string { return p.Cell + ": " + p.Text }

// Options say what the program has besides what the cells do.
type Options struct {
	// Bare leaves out the places and the names that views show.
	Bare bool

	// Importer returns the packages that cells import; nil is those of the host alone. Path says under which path the
	// program imports one; nil is its own.
	Importer types.Importer
	Path     func(path string) string
}

// Program writes the program's files by name: main.go, and where it has views, places.go. Cells with problems stand in
// main.go as comments.
func Program(cells []Cell, o Options) (files map[string][]byte, problems []Problem, err error) {
	cfg := check.Standard()
	if o.Importer != nil {
		cfg.Importer = o.Importer
	}
	if o.Path == nil {
		o.Path = func(path string) string { return path }
	}
	x := &exporter{bare: o.Bare, path: o.Path, fset: token.NewFileSet(), env: check.NewEnv(cfg),
		names: map[*check.Def]string{}, taken: map[string]bool{},
		newest: map[string]*check.Def{}, texts: map[*check.Def]string{}, again: map[string]bool{},
		fresh: map[*check.Def]bool{}, imports: map[string]string{}, methods: map[string]string{},
		methodVars: map[string]string{}, late: map[string]bool{}, pointed: map[*check.Def]bool{}}
	for _, name := range []string{"main", "init", "show", "attempt"} {
		x.taken[name] = true
	}
	for i, c := range cells {
		x.read(i, c)
	}
	x.chooseImports()
	var body bytes.Buffer
	for _, p := range x.parts {
		x.write(&body, p)
	}
	src := x.file(body.Bytes())
	out, err := format.Source(src)
	if err != nil {
		return nil, x.problems, fmt.Errorf("the program does not parse: %w", err)
	}
	files = map[string][]byte{"main.go": out}
	places, err := x.placesFile(out)
	if places != nil {
		files["places.go"] = places
	}
	return files, x.problems, err
}

// exporter is one export.
type exporter struct {
	bare  bool
	path  func(string) string
	fset  *token.FileSet
	env   *check.Env
	parts []*part

	names   map[*check.Def]string // of the program, for what cells define
	taken   map[string]bool       // those names
	newest  map[string]*check.Def // by the name in the cells
	texts   map[*check.Def]string // the types of variables and functions as the program writes them
	fresh   map[*check.Def]bool   // variables whose name nothing had before
	again   map[string]bool       // functions, by the program's name, that are defined again: variables of the program
	methods map[string]string     // that have been declared, "T.M", and their types as functions of the receiver

	words     map[string]bool   // all identifiers of cells that are no packages
	imports   map[string]string // path → name
	vars      []string          // declarations of variables
	tensors   []string          // variables of the package, for the names in views
	places    []place           // of the program's statements
	shows     bool              // the program needs its helpers
	attempts  bool
	visualize bool

	problems []Problem

	pointed    map[*check.Def]bool // variables that a pointer may hold
	late       map[string]bool     // methods of which it has been said that the program has them from its beginning
	methodVars map[string]string   // "T.M" → the variable by which a method that is declared again is called
}

// part is a cell that has been checked, or has a problem.
type part struct {
	Cell
	label   string // cell3; empty where there is nothing to run
	checked *check.Checked
	problem string
}

// shownName is a name that only a session has, in a message that it is undefined.
var shownName = lazyre.New(`\b(In|Out|_\d+)$`)

// read checks a cell and makes what it defines known to the next ones.
func (x *exporter) read(i int, c Cell) {
	p := &part{Cell: c, label: "cell" + digits(c.Name)}
	if p.label == "cell" {
		p.label = fmt.Sprintf("cell%d", i+1)
	}
	for base, k := p.label, 'b'; x.taken[p.label]; k++ {
		p.label = base + string(k)
	}
	x.taken[p.label] = true
	x.parts = append(x.parts, p)
	fail := func(ds syntax.Diagnostics) {
		p.problem = ds[0].Msg
		x.problems = append(x.problems, Problem{c.Name, fmt.Sprintf("%d:%d: %s", ds[0].Line, ds[0].Col, ds[0].Msg)})
	}
	cell, err := syntax.Parse(x.fset, c.Name, c.Src)
	if ds, ok := err.(syntax.Diagnostics); ok && len(ds) > 0 {
		fail(ds)
		return
	}
	checked, ds := check.Check(x.env, cell)
	if len(ds) > 0 {
		if name := shownName.FindString(ds[0].Msg); name != "" && x.env.Lookup(name) == nil {
			ds[0].Msg = "a program has no " + name + ", which is the session's: give the value a name"
		} else if strings.HasPrefix(ds[0].Msg, "cannot use _ as value") {
			ds[0].Msg = "a program has no _, which is what the session showed last: give the value a name"
		}
		fail(ds)
		return
	}
	for _, m := range checked.Methods {
		key := x.typeName(m.Recv) + "." + m.Obj.Name()
		if slices.Contains(checked.Defs, m.Recv) || x.methods[key] == "" { // a type of this cell is a new one
			continue
		}
		if text := x.methodText(checked, m.Obj); text != "" && text == x.methods[key] {
			x.again[key] = true
		} else {
			p.problem = fmt.Sprintf("the method %s is declared again with another type: a program has one", key)
			x.problems = append(x.problems, Problem{c.Name, p.problem})
			return
		}
	}
	p.checked = checked
	for _, d := range checked.Defs {
		x.name(checked, d)
	}
	for _, m := range checked.Methods {
		key := x.typeName(m.Recv) + "." + m.Obj.Name()
		if x.methods[key] = x.methodText(checked, m.Obj); x.methods[key] == "" {
			x.methods[key] = "generic"
		}
	}
	for _, u := range checked.Used {
		x.imports[u.Path] = u.Pkg.Name()
		x.visualize = x.visualize || u.Path == "gotorch/visualize"
	}
	x.notePointed(checked)
	x.env.Commit(checked, nil)
}

// digits is the number in a cell's name.
func digits(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return r < '0' || r > '9' })
}

// typeName is the program's name of a type that an earlier or this cell declares.
func (x *exporter) typeName(d *check.Def) string {
	if n := x.names[d]; n != "" {
		return n
	}
	return d.Name
}

// name gives a definition its name in the program: its own, that of what it replaces, or a new one.
func (x *exporter) name(c *check.Checked, d *check.Def) {
	old := x.newest[d.Name]
	x.newest[d.Name] = d
	// types of this cell have their names by now: Defs are in order of the text
	if d.Kind == check.Var || d.Kind == check.Func {
		x.names[d] = d.Name // for a function's own recursion
		x.texts[d] = x.typeText(c, d.Obj.Type())
		if old != nil && old.Kind == d.Kind && x.texts[old] == x.texts[d] && !x.pointed[old] {
			x.names[d] = x.names[old]
			if d.Kind == check.Func {
				x.again[x.names[d]] = true
			}
			return
		}
	}
	name := d.Name
	for n := 2; x.taken[name] || token.IsKeyword(name); n++ {
		name = fmt.Sprintf("%s%d", d.Name, n)
	}
	x.taken[name] = true
	x.names[d] = name
	if d.Kind == check.Var {
		x.fresh[d] = true
		x.vars = append(x.vars, name+" "+x.texts[d])
		if holdsTensors(d.Obj.Type()) {
			x.tensors = append(x.tensors, name)
		}
	}
}

// holdsTensors reports whether a variable of the type may hold tensors that a view has a name for.
func holdsTensors(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return holdsTensors(t.Elem())
	case *types.Slice:
		return holdsTensors(t.Elem())
	case *types.Array:
		return holdsTensors(t.Elem())
	case *types.Named:
		if check.IsTensor(t) {
			return true
		}
		_, ok := t.Underlying().(*types.Struct)
		return ok && t.Obj().Pkg() != nil && !strings.Contains(t.Obj().Pkg().Path(), "/")
	}
	return false
}

// chooseImports gives every package a name that no name of the program hides.
func (x *exporter) chooseImports() {
	x.words = map[string]bool{}
	for name := range x.taken {
		x.words[name] = true
	}
	for _, p := range x.parts {
		if p.checked != nil {
			x.collect(p.checked)
		}
	}
	paths := make([]string, 0, len(x.imports))
	for p := range x.imports {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	used := map[string]bool{}
	for _, p := range paths {
		base := x.imports[p]
		name := base
		for n := 0; used[name] || x.words[name]; n++ {
			name = base + "pkg" + strings.Repeat("_", n)
		}
		used[name] = true
		x.imports[p] = name
	}
}

// importName is the program's name of a package that the program itself needs.
func (x *exporter) importName(path, name string) string {
	if n := x.imports[path]; n != "" {
		return n
	}
	for x.words[name] {
		name += "pkg"
	}
	x.imports[path] = name
	return name
}
