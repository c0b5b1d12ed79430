package export

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"gotorch/interp/check"
)

// Note: places. Views call a tensor y @ In[3]:2, and label the lanes of a map as they were typed. In the program a
// second file keeps that for them: a table from the lines of main.go to cells. It is made by walking the statements of
// the program as it was written beside those that it was written from, which come in the same order.

// place is where a statement stood.
type place struct {
	cell   string
	line   int
	name   string // the variable that it assigns to
	callee string // the function of package visualize that it calls, if it calls one
	args   []string
}

// placed calls f for the statements of a tree that have a place of their own, in order.
func placed(n ast.Node, f func(ast.Stmt)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.BlockStmt, *ast.LabeledStmt, *ast.EmptyStmt, *ast.CaseClause, *ast.CommClause:
		case ast.Stmt:
			f(s)
		}
		return true
	})
}

// note adds the places of a tree's statements to a list.
func (w *writer) note(to *[]place, n ast.Node) {
	placed(n, func(s ast.Stmt) { w.noteOne(to, s, s) })
}

// noteOne adds the place of one statement, which stands where at does.
func (w *writer) noteOne(to *[]place, s ast.Stmt, at ast.Node) {
	p := place{cell: w.p.Name, line: w.c.Fset.Position(at.Pos()).Line}
	if a, ok := s.(*ast.AssignStmt); ok {
		if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
			p.name = id.Name
		}
	}
	p.callee, p.args = w.viewCall(at)
	*to = append(*to, p)
}

// viewCall finds the one call of package visualize in a statement, and its arguments as they were typed.
func (w *writer) viewCall(n ast.Node) (callee string, args []string) {
	count := 0
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		if pn, ok := w.c.Info.Uses[id].(*types.PkgName); !ok || pn.Imported().Path() != "gotorch/visualize" ||
			sel.Sel.Name == "Show" {
			return true
		}
		count++
		callee, args = sel.Sel.Name, w.typed(call)
		return true
	})
	if count != 1 {
		return "", nil
	}
	return callee, args
}

// typed are the arguments of a call in the cell's own text.
func (w *writer) typed(call *ast.CallExpr) []string {
	lo, hi := w.c.Fset.Position(call.Lparen).Offset, w.c.Fset.Position(call.Rparen).Offset
	src := w.c.Cell.Src
	if lo < 0 || hi > len(src) || lo >= hi {
		return nil
	}
	var out []string
	depth, begin := 0, lo+1
	for i := lo + 1; i < hi; i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.Join(strings.Fields(src[begin:i]), " "))
				begin = i + 1
			}
		}
	}
	if last := strings.Join(strings.Fields(src[begin:hi]), " "); last != "" {
		out = append(out, last)
	}
	return out
}

// placesFile is the second file of a program with views, nil where it needs none.
func (x *exporter) placesFile(main []byte) ([]byte, error) {
	if !x.visualize || x.bare {
		return nil, nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", main, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var lines []int
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && (fn.Name.Name == "main" || fn.Name.Name == "show" || fn.Name.Name == "attempt") {
			continue
		}
		placed(d, func(s ast.Stmt) { lines = append(lines, fset.Position(s.Pos()).Line) })
	}
	if len(lines) != len(x.places) {
		return nil, fmt.Errorf("the program has %d statements, the cells %d", len(lines), len(x.places))
	}
	var b bytes.Buffer
	b.WriteString(placesHead)
	seen := map[int]bool{}
	for i, p := range x.places {
		if seen[lines[i]] {
			continue
		}
		seen[lines[i]] = true
		fmt.Fprintf(&b, "\t{%d, tensor.Site{Cell: %q, Line: %d, Name: %q}, %q, %#v},\n", lines[i], p.cell, p.line, p.name,
			p.callee, p.args)
	}
	var names []string
	for _, v := range x.tensors {
		names = append(names, fmt.Sprintf("%q: &%s", v, v))
	}
	fmt.Fprintf(&b, "}\n\nvar variables = map[string]any{%s}\n", strings.Join(names, ", "))
	return format.Source(b.Bytes())
}

const placesHead = `package main

// Where the lines of main.go stood in the notebook, and what its variables are called: views show it.

import (
	"path/filepath"
	"runtime"
	"sort"

	"` + check.TensorPath + `"
	"gotorch/visualize"
	"gotorch/visualize/display"
)

func init() {
	tensor.SetHooks(func(h *tensor.Hooks) { h.Site = func() tensor.Site {
		if p := here(); p != nil {
			return p.site
		}
		return tensor.Site{}
	} })
	display.Attach(func() display.Host { return host{} })
}

// host tells views what tensors are called in the notebook.
type host struct{ display.Program }

func (host) Names(all bool, found func(x any, name string)) bool {
	if all {
		return false
	}
	for x, name := range visualize.Namer(variables)() {
		found(x, name)
	}
	return true
}

func (host) ArgTexts(_, callee string) []string {
	if p := here(); p != nil && p.callee == callee {
		return p.args
	}
	return nil
}

// place is a statement: its line in main.go, its place in the notebook, and the view that it calls, with the arguments
// as they were typed.
type place struct {
	line   int
	site   tensor.Site
	callee string
	args   []string
}

// here is the statement of main.go that is running, nil if there is none.
func here() *place {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if filepath.Base(frame.File) == "main.go" && frame.Line > 0 {
			if i := sort.Search(len(places), func(i int) bool { return places[i].line > frame.Line }); i > 0 {
				return &places[i-1]
			}
		}
		if !more {
			return nil
		}
	}
}

var places = []place{
`
