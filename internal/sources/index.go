package sources

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Place is a piece of text in a file.
type Place struct {
	File string // "tensor/plan.go"
	Line int    // from 1
	Name string // of a function, "sumKernel"; of a test, how go test calls it
	Text string
}

// Mention is a piece of code that registers something under a name: an element of a map, a call whose first argument
// is the name, an assignment to an element, a loop over names.
type Mention struct {
	Place
	In    string   // the function that is called with the map, or the variable that holds it: shapes, composites
	Call  string   // the function that is called with the name, "" for elements; around.name for one inside of another
	Names []string // of functions of the package that it uses, in their order
	Words []string // other strings in it: vector("mul", "multiply", …)
}

type index struct {
	functions map[string]Place     // by name, methods included
	methods   map[string]bool      // which of them are methods
	at        map[position]Place   // functions and function literals by the line that they begin in
	mentions  map[string][]Mention // by the name that something is registered under
	calls     map[string][]string  // what a function calls, by its name; around.name for a function inside of another
	users     map[string][]string  // the functions in which a name occurs
}

type position struct {
	file string
	line int
}

var indexes sync.Map // directory -> func() *index

// indexOf parses the files of a directory when they are first asked for.
func indexOf(dir string) *index {
	f, _ := indexes.LoadOrStore(dir, sync.OnceValue(func() *index { return parse(dir) }))
	return f.(func() *index)()
}

// Function finds a function or method of a directory by its name.
func Function(dir, name string) (Place, bool) {
	p, ok := indexOf(dir).functions[name]
	return p, ok
}

// At finds the function or function literal that begins in a line.
func At(file string, line int) (Place, bool) {
	p, ok := indexOf(path.Dir(file)).at[position{file, line}]
	return p, ok
}

// Around finds the function that a line is in, which may be of a generated file.
func Around(file string, line int) (Place, bool) {
	text, _ := Read(file)
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return Place{}, false
	}
	first := line - 1
	for first > 0 && !strings.HasPrefix(lines[first], "func ") {
		first--
	}
	last := first
	if !strings.HasSuffix(lines[first], "}") {
		for last < len(lines) && lines[last] != "}" {
			last++
		}
	}
	if last < line-1 || last == len(lines) || !strings.HasPrefix(lines[first], "func ") {
		return Place{}, false
	}
	name := strings.TrimPrefix(lines[first], "func ")
	if strings.HasPrefix(name, "(") {
		_, name, _ = strings.Cut(name, ") ")
	}
	name, _, _ = strings.Cut(name, "(")
	return Place{file, first + 1, name, dedent(strings.Join(lines[first:last+1], "\n"))}, true
}

// Declared finds the line that declares a function in a generated file of a directory: one in assembly.
func Declared(dir, name string) (Place, bool) {
	for _, file := range Files(dir) {
		if !strings.HasSuffix(file, "_gen.go") {
			continue
		}
		text, _ := Read(file)
		if before, after, ok := strings.Cut(text, "\nfunc "+name+"("); ok {
			line, _, _ := strings.Cut(after, "\n")
			return Place{file, strings.Count(before, "\n") + 2, name, "func " + name + "(" + line}, true
		}
	}
	return Place{}, false
}

// Mentions lists what the files of a directory register under a name, in the order of the files.
func Mentions(dir, name string) []Mention { return indexOf(dir).mentions[name] }

// Reaches reports whether code that mentions a name comes to call a function, such as Register, be it by others of its
// directory.
func Reaches(dir string, m Mention, function string) bool {
	x := indexOf(dir)
	seen := map[string]bool{}
	todo := []string{m.In}
	if m.Call != "" {
		todo = []string{m.Call}
	} else if x.functions[m.In].File == "" { // a variable
		todo = x.users[m.In]
	}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f == function {
			return true
		}
		if !seen[f] {
			seen[f] = true
			todo = append(todo, x.calls[f]...)
		}
	}
	return false
}

// Row finds an operator's row in the table: the element whose schema begins with its full name, or from whose name the
// schema is made.
func Row(full string) (Mention, bool) {
	for _, key := range []string{full + "(", full} {
		if list := Mentions("tensor/opdef", key); len(list) > 0 {
			return list[0], true
		}
	}
	return Mention{}, false
}

// reader reads the files of a directory.
type reader struct {
	*index
	fset *token.FileSet
	file string
	text string
	// local are the names of the function around, which may be those of functions elsewhere.
	local map[string]bool
	// around is the name of that function.
	around string
}

func parse(dir string) *index {
	x := &index{map[string]Place{}, map[string]bool{}, map[position]Place{}, map[string][]Mention{},
		map[string][]string{}, map[string][]string{}}
	for _, name := range Files(dir) {
		text, ok := Read(name)
		if !ok || strings.HasSuffix(name, "_gen.go") { // bindings: they register nothing
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			continue
		}
		(&reader{index: x, fset: fset, file: name, text: text}).read(tree)
	}
	for _, list := range x.mentions {
		for i := range list { // the functions of all files are known now
			list[i].Names = slices.DeleteFunc(list[i].Names, func(n string) bool {
				return x.functions[n].File == "" || x.methods[n]
			})
		}
	}
	return x
}

// cut is the text of a node, with the comment before it where there is one.
func (r *reader) cut(name string, n ast.Node, doc *ast.CommentGroup) Place {
	at := r.fset.Position(n.Pos())
	from := at.Offset
	if doc != nil {
		from = r.fset.Position(doc.Pos()).Offset
	}
	return Place{r.file, at.Line, name, dedent(r.text[from:r.fset.Position(n.End()).Offset])}
}

func (r *reader) read(tree *ast.File) {
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			p := r.cut(d.Name.Name, d, d.Doc)
			if d.Recv == nil || r.functions[d.Name.Name].File == "" {
				r.functions[d.Name.Name], r.methods[d.Name.Name] = p, d.Recv != nil
			}
			r.at[position{r.file, p.Line}] = p
			if r.local, r.around = locals(d), d.Name.Name; d.Body != nil {
				r.called(d.Name.Name, d.Body)
				r.walk(d.Body, d.Name.Name)
			}
		case *ast.GenDecl:
			r.local, r.around = nil, ""
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					r.walk(v, v.Names[0].Name)
				}
			}
		}
	}
}

// called notes what a function calls, and what the functions call that its variables hold.
func (r *reader) called(name string, body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if !r.local[n.Name] && !slices.Contains(r.users[n.Name], name) {
				r.users[n.Name] = append(r.users[n.Name], name)
			}
		case *ast.CallExpr:
			if f := r.callee(n.Fun); f != "" {
				r.calls[name] = append(r.calls[name], f)
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				id, named := l.(*ast.Ident)
				if !named || i >= len(n.Rhs) {
					continue
				}
				if f, ok := n.Rhs[i].(*ast.FuncLit); ok {
					r.called(r.around+"."+id.Name, f.Body)
				}
			}
		}
		return true
	})
}

// callee is the name of a function that is called, around.name where a variable of the function around holds it.
func (r *reader) callee(f ast.Expr) string {
	name := calledName(f)
	if r.local[name] {
		return r.around + "." + name
	}
	return name
}

// locals are the variables and parameters of a function.
func locals(d *ast.FuncDecl) map[string]bool {
	m := map[string]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
					m[id.Name] = true
				}
			}
		case *ast.Field:
			for _, id := range n.Names {
				m[id.Name] = true
			}
		}
		return true
	})
	return m
}

// walk notes what is registered in a node; in is the function or variable around it.
func (r *reader) walk(n ast.Node, in string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			p := r.cut("", n, nil)
			if _, taken := r.at[position{p.File, p.Line}]; !taken {
				r.at[position{p.File, p.Line}] = p
			}
		case *ast.CallExpr:
			r.call(n, in)
			if name := calledName(n.Fun); name != "" && len(n.Args) > 0 {
				if m, ok := n.Args[0].(*ast.CompositeLit); ok { // shapes(map[string]Kernel{…})
					r.walk(m, name)
					return false
				}
			}
		case *ast.CompositeLit:
			r.composite(n, in)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if e, ok := l.(*ast.IndexExpr); ok {
					r.note(literal(e.Index), n, in)
				}
			}
		case *ast.RangeStmt:
			if l, ok := n.X.(*ast.CompositeLit); ok {
				if _, ok := l.Type.(*ast.ArrayType); ok {
					for _, e := range l.Elts {
						r.note(literal(e), n, in)
					}
				}
			}
		}
		return true
	})
}

// call notes a call by its first argument: unary("exp", f), define2("add"+t, add[T]).
func (r *reader) call(n *ast.CallExpr, in string) {
	if len(n.Args) == 0 || calledName(n.Fun) == "" {
		return
	}
	name := literal(n.Args[0])
	if b, ok := n.Args[0].(*ast.BinaryExpr); ok && b.Op == token.ADD {
		name = literal(b.X)
	}
	r.noteCall(name, n, in)
	if first, _, ok := strings.Cut(name, " "); ok { // "add float32" is add as well
		r.noteCall(first, n, in)
	}
}

// noteCall is note for a call; the mention says what is called.
func (r *reader) noteCall(name string, n *ast.CallExpr, in string) {
	if r.note(name, n, in); name != "" {
		list := r.mentions[name]
		list[len(list)-1].Call = r.callee(n.Fun)
	}
}

// composite notes the elements of a map by their keys, and those of a list by the string that each begins with.
func (r *reader) composite(n *ast.CompositeLit, in string) {
	for _, e := range n.Elts {
		switch e := e.(type) {
		case *ast.KeyValueExpr:
			r.note(literal(e.Key), e, in)
		case *ast.CompositeLit:
			if len(e.Elts) == 0 {
				continue
			}
			first := e.Elts[0]
			if kv, ok := first.(*ast.KeyValueExpr); ok { // {Schema: "mm(…"}
				first = kv.Value
			}
			for b, ok := first.(*ast.BinaryExpr); ok; b, ok = first.(*ast.BinaryExpr) { // "add(" + …
				first = b.X
			}
			name := literal(first)
			if i := strings.IndexByte(name, '('); i > 0 { // a schema
				name = name[:i+1]
			}
			r.note(name, e, in)
		}
	}
}

func (r *reader) note(name string, n ast.Node, in string) {
	if name == "" {
		return
	}
	m := Mention{Place: r.cut("", n, nil), In: in}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // x.f is no function of this package
			_, call := n.X.(*ast.CallExpr)
			return call
		case *ast.BasicLit:
			if w := literal(n); w != "" && w != name {
				m.Words = append(m.Words, w)
			}
		case *ast.Ident:
			if !r.local[n.Name] && !slices.Contains(m.Names, n.Name) {
				m.Names = append(m.Names, n.Name)
			}
		}
		return true
	})
	r.mentions[name] = append(r.mentions[name], m)
}

// calledName is the name of the function that is called, "" where it is a method of a value.
func calledName(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.IndexExpr:
		return calledName(f.X)
	case *ast.IndexListExpr:
		return calledName(f.X)
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok && id.Name == "tensor" {
			return f.Sel.Name
		}
	}
	return ""
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	return ""
}

// dedent takes away the tabs that all lines but the first begin with, and writes the others as four blanks.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	least := -1
	for _, l := range lines[1:] {
		if n := len(l) - len(strings.TrimLeft(l, "\t")); l != "" && (least < 0 || n < least) {
			least = n
		}
	}
	for i, l := range lines[1:] {
		if l != "" && least > 0 {
			lines[i+1] = l[least:]
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\t", "    ")
}
