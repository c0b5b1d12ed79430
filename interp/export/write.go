package export

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gotorch/internal/module"
	"gotorch/interp/check"
)

// write appends what a cell becomes: its declarations, and a function with its statements.
func (x *exporter) write(b *bytes.Buffer, p *part) {
	if p.checked == nil {
		writeComment(b, "", p.Doc)
		fmt.Fprintf(b, "// %s is left out: %s\n", p.Name, p.problem)
		writeComment(b, "\t", p.Src)
		b.WriteByte('\n')
		return
	}
	c := p.checked
	x.rename(c)
	w := &writer{x: x, c: c, p: p, comments: comments(c)}
	var decls, stmts bytes.Buffer
	for _, d := range c.Decls {
		w.comment(&decls, d.Pos())
		w.decl(&decls, &stmts, d)
	}
	lastVar := -1
	for i, s := range c.Stmts {
		if _, ok := s.(*ast.DeclStmt); ok {
			lastVar = i
		}
	}
	if lastVar < 0 {
		w.callInits(&stmts)
	}
	for i, s := range c.Stmts {
		w.comment(&stmts, s.Pos())
		w.stmt(&stmts, s)
		if i == lastVar {
			w.callInits(&stmts)
		}
	}
	for _, e := range c.Show {
		w.comment(&stmts, e.Pos())
		w.show(&stmts, e)
	}
	for _, d := range w.comments { // what stands at the end
		if !d.done {
			stmts.WriteString(d.group.text + "\n")
		}
	}
	x.places = append(append(x.places, w.top...), w.run...)
	b.Write(decls.Bytes())
	if p.Doc != "" {
		writeComment(b, "", p.Doc)
	}
	if strings.TrimSpace(stmts.String()) == "" {
		p.label = "" // nothing to run
		return
	}
	fmt.Fprintf(b, "func %s() { // %s\n%s}\n\n", p.label, p.Name, stmts.String())
}

func writeComment(b *bytes.Buffer, indent, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("// "+indent+l, " \t") + "\n")
	}
}

// writer writes one cell.
type writer struct {
	x        *exporter
	c        *check.Checked
	p        *part
	comments []*pending
	inits    []*ast.FuncDecl

	top, run []place // of the statements of declarations, and of those of the cell's function
}

// pending is a comment of the cell that may not have been written.
type pending struct {
	group comment
	done  bool
}

type comment struct {
	pos  token.Pos
	end  token.Pos
	text string
}

// comments reads the comments of a cell.
func comments(c *check.Checked) (out []*pending) {
	f := c.Cell.File
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(c.Cell.Src))
	s.Init(file, []byte(c.Cell.Src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if at := file.Offset(pos); tok == token.COMMENT && at <= f.Size() {
			out = append(out, &pending{group: comment{f.Pos(at), f.Pos(min(at+len(lit), f.Size())), lit}})
		}
	}
}

// comment writes the comments that stand before a place.
func (w *writer) comment(b *bytes.Buffer, before token.Pos) {
	for _, c := range w.comments {
		if !c.done && c.group.end <= before {
			b.WriteString(c.group.text + "\n")
			c.done = true
		}
	}
}

// node writes a tree with the comments that stand inside of it.
func (w *writer) node(b *bytes.Buffer, n ast.Node) {
	var inside []*ast.CommentGroup
	var seen []*pending
	for _, c := range w.comments {
		if !c.done && c.group.pos >= n.Pos() && c.group.end <= n.End() {
			inside = append(inside, &ast.CommentGroup{List: []*ast.Comment{{Slash: c.group.pos, Text: c.group.text}}})
			seen = append(seen, c)
		}
	}
	if len(inside) > 0 {
		var with bytes.Buffer
		if printer.Fprint(&with, w.c.Fset, &printer.CommentedNode{Node: n, Comments: inside}) == nil &&
			w.same(with.String(), n) {
			b.Write(with.Bytes())
			b.WriteByte('\n')
			for _, c := range seen {
				c.done = true
			}
			return
		}
	}
	if err := format.Node(b, w.c.Fset, n); err != nil {
		fmt.Fprintf(b, "// %v", err)
	}
	b.WriteByte('\n')
}

// same reports whether a text with comments means what the tree says: a tree that was made from another text may have
// its places mixed.
func (w *writer) same(text string, n ast.Node) bool {
	var plain bytes.Buffer
	if format.Node(&plain, w.c.Fset, n) != nil {
		return false
	}
	a, b := tokens(text), tokens(plain.String())
	return slices.Equal(a, b)
}

// tokens are a text's tokens without comments and ends of lines.
func tokens(text string) (out []string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), nil, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok != token.SEMICOLON && tok != token.COMMA {
			out = append(out, tok.String()+lit)
		}
	}
}

// decl writes a declaration at the top of the program; of a function that is declared again, a variable.
func (w *writer) decl(b, stmts *bytes.Buffer, d ast.Decl) {
	f, ok := d.(*ast.FuncDecl)
	if ok && f.Recv == nil && f.Name.Name == "init" {
		f.Name.Name = w.x.initName()
		w.inits = append(w.inits, f)
	}
	if ok && f.Recv != nil && w.methodAgain(b, stmts, f) {
		return
	}
	if !ok || f.Recv != nil || !w.x.again[f.Name.Name] {
		if ok && f.Recv != nil {
			w.lateMethod(b, f)
		}
		w.note(&w.top, d)
		w.node(b, d)
		b.WriteByte('\n')
		return
	}
	name := f.Name.Name
	w.x.vars = append(w.x.vars, name+" "+w.x.texts[w.c.Def(w.c.Info.Defs[f.Name])])
	w.run = append(w.run, place{cell: w.p.Name, line: w.c.Fset.Position(f.Pos()).Line})
	w.note(&w.run, f.Body)
	var lit bytes.Buffer
	w.node(&lit, &ast.FuncLit{Type: f.Type, Body: f.Body})
	fmt.Fprintf(stmts, "%s = %s", name, lit.String())
}

// callInits calls the cell's init functions, which have names of their own: a cell's run when the cell does, behind
// its variables.
func (w *writer) callInits(b *bytes.Buffer) {
	for _, f := range w.inits {
		w.noteOne(&w.run, &ast.ExprStmt{X: &ast.CallExpr{Fun: f.Name}}, f)
		fmt.Fprintf(b, "%s()\n", f.Name.Name)
	}
}

// initName is a free name for an init function.
func (x *exporter) initName() string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("init%d", n); !x.taken[name] && !x.words[name] {
			x.taken[name] = true
			return name
		}
	}
}

// stmt writes a statement of the cell's top level: what it declares are variables of the program.
func (w *writer) stmt(b *bytes.Buffer, s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.assign(s)
		w.note(&w.run, s)
		w.node(b, s)
	case *ast.DeclStmt:
		w.varDecl(b, s)
	case *ast.LabeledStmt:
		fmt.Fprintf(b, "%s:\n", s.Label.Name)
		w.stmt(b, s.Stmt)
	case *ast.EmptyStmt:
	default:
		w.note(&w.run, s)
		ast.Inspect(s, func(n ast.Node) bool { // statements that the lowering made of one
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.AssignStmt:
				w.assign(n)
			}
			return true
		})
		w.node(b, s)
	}
}

// assign makes := of variables of the program =.
func (w *writer) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		return
	}
	for _, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok {
			if o := object(w.c, id); o != nil && w.c.Def(o) != nil {
				s.Tok = token.ASSIGN
			}
		}
	}
}

// varDecl writes what a var declaration of the cell's top level assigns.
func (w *writer) varDecl(b *bytes.Buffer, s *ast.DeclStmt) {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		w.note(&w.run, s)
		w.node(b, s)
		return
	}
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		if len(v.Values) > 0 {
			lhs := make([]ast.Expr, len(v.Names))
			for i, n := range v.Names {
				lhs[i] = n
			}
			a := &ast.AssignStmt{Lhs: lhs, Tok: token.ASSIGN, Rhs: v.Values}
			w.note(&w.run, a)
			w.node(b, a)
			continue
		}
		for _, n := range v.Names { // declared again, it begins again
			if d := w.c.Def(object(w.c, n)); d != nil && !w.x.fresh[d] {
				w.noteOne(&w.run, s, v)
				fmt.Fprintf(b, "%s = *new(%s)\n", n.Name, w.x.qualified(w.x.texts[d]))
			}
		}
	}
}

// show writes an expression that the cell ends with.
func (w *writer) show(b *bytes.Buffer, e ast.Expr) {
	w.note(&w.run, &ast.ExprStmt{X: e})
	var text bytes.Buffer
	w.node(&text, e)
	tv := w.c.Info.Types[e]
	_, isCall := ast.Unparen(e).(*ast.CallExpr)
	switch t := tv.Type.(type) {
	case *types.Tuple:
		if t.Len() == 0 {
			b.Write(text.Bytes())
			return
		}
	case nil:
		if isCall {
			b.Write(text.Bytes())
			return
		}
	}
	handle := tv.Type != nil && strings.HasSuffix(types.TypeString(tv.Type, nil), "visualize/display.Handle")
	switch {
	case tv.IsVoid(), (w.c.Quiet || handle) && isCall, check.Prints(w.c.Info, e):
		b.Write(text.Bytes())
	case w.c.Quiet:
		fmt.Fprintf(b, "_ = %s", text.String())
	default:
		w.x.shows = true
		fmt.Fprintf(b, "show(%s)\n", strings.TrimRight(text.String(), "\n"))
	}
}

// helpers are what the program needs besides.
const showHelper = `
// show prints what a cell ends with.
func show(values ...any) {
	for _, v := range values {
		%[1]s.Show(%[1]s.Result(v))
	}
}
`

const attemptHelper = `
// attempt runs a cell that panics, and prints with what.
func attempt(cell func()) {
	defer func() {
		if err := recover(); err != nil {
			%s.Println("error:", err)
		}
	}()
	cell()
}
`

// file puts the program together.
func (x *exporter) file(body []byte) []byte {
	var calls, helpers bytes.Buffer
	for _, p := range x.parts {
		switch {
		case p.checked == nil || p.label == "":
		case p.Fails:
			x.attempts = true
			fmt.Fprintf(&calls, "\tattempt(%s)\n", p.label)
		default:
			fmt.Fprintf(&calls, "\t%s()\n", p.label)
		}
	}
	if x.shows {
		fmt.Fprintf(&helpers, showHelper, x.importName(module.Path+"/visualize/display", "display"))
	}
	if x.attempts {
		fmt.Fprintf(&helpers, attemptHelper, x.importName("fmt", "fmt"))
	}
	var vars bytes.Buffer
	if len(x.vars) > 0 {
		seen := map[string]bool{}
		vars.WriteString("var (\n")
		for _, v := range x.vars {
			if !seen[v] {
				vars.WriteString("\t" + x.qualified(v) + "\n")
			}
			seen[v] = true
		}
		vars.WriteString(")\n\n")
	}
	rest := append(vars.Bytes(), body...)
	rest = append(rest, fmt.Sprintf("func main() {\n%s}\n%s", calls.String(), helpers.String())...)
	used := x.usedImports(rest)
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n")
	for _, i := range used {
		b.WriteString("\t" + i + "\n")
	}
	fmt.Fprintf(&b, "\n\t_ %q // backends and gradients\n)\n\n", module.Path)
	b.Write(rest)
	return b.Bytes()
}

// usedImports are the imports that the program's text uses: a package may have been seen in a type that is written
// nowhere.
func (x *exporter) usedImports(text []byte) (out []string) {
	f, _ := parser.ParseFile(token.NewFileSet(), "", append([]byte("package main\n"), text...),
		parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	selected := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				selected[id.Name] = true
			}
		}
		return true
	})
	for p, name := range x.imports {
		if !selected[name] {
			continue
		}
		p = x.path(p)
		line := fmt.Sprintf("%q", p)
		if p != name && !strings.HasSuffix(p, "/"+name) {
			line = name + " " + line
		}
		out = append(out, line)
	}
	own := func(line string) int { // the standard library comes first
		if strings.Contains(line, `"gotorch`) {
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a[strings.Index(a, `"`):], b[strings.Index(b, `"`):]))
	})
	if i := slices.IndexFunc(out, func(line string) bool { return own(line) == 1 }); i > 0 {
		out = slices.Insert(out, i, "")
	}
	return out
}
