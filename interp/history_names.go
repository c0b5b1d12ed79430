package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
)

// Note: names of what was typed and shown
//
// In[2] is the text of a cell, Out[2] what it showed, _ what was shown last, _2 what cell 2 showed; as with IPython __
// and ___ are the values before _, _i is the text of the last cell, _ii and _iii those before it, _i5 that of cell 5.
// They cost nothing until a cell names them: then variables are made, by a cell that the user does not see. _i and __
// go away with the cell. They are plain names of Go too: who defines one has it.

var historyName = lazyre.New(`\b(?:In|Out|_\w*)\b`)

// historyNames are the names of a cell that may be of that kind, in order. Out[3] is _3, too.
func historyNames(src string) (names []string) {
	if !historyName.MatchString(src) { // most cells
		return nil
	}
	cell, _ := syntax.Parse(token.NewFileSet(), "cell", src)
	if cell == nil {
		return nil
	}
	cell.Inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if historyName.MatchString(n.Name) {
				names = append(names, n.Name)
			}
		case *ast.IndexExpr:
			if name := outName(n); name != "" {
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

// outName is _3 where an expression is Out[3].
func outName(x *ast.IndexExpr) string {
	out, ok1 := x.X.(*ast.Ident)
	n, ok2 := x.Index.(*ast.BasicLit)
	if !ok1 || !ok2 || out.Name != "Out" || n.Kind != token.INT {
		return ""
	}
	return "_" + n.Value
}

// declareHistory makes the variables that a text needs.
func (s *Session) declareHistory(src string) {
	names := historyNames(src)
	if len(names) == 0 {
		return
	}
	s.mu.Lock()
	decls := map[string]string{}
	var order []string
	need := func(name, decl string) {
		if s.env.Lookup(name) == nil && decls[name] == "" {
			decls[name] = decl
			order = append(order, name)
		}
	}
	shown := func(name string, n int) {
		if v, ok := s.history.vals[n]; ok {
			need("Out", "var Out map[int]any")
			need(name, fmt.Sprintf("var %s = Out[%d].(%s)", name, n, typeText(v)))
		}
	}
	for _, name := range names {
		digits := strings.TrimLeft(name, "_i")
		n, _ := strconv.Atoi(digits)
		switch letters := strings.TrimSuffix(name, digits); {
		case name == "In":
			need(name, "var In map[int]string")
		case name == "Out":
			need(name, "var Out map[int]any")
		case name == "_":
			shown("_"+strconv.Itoa(s.history.last), s.history.last)
		case values.IsOut(name):
			shown(name, n)
		case name == "__" || name == "___":
			if at := len(s.history.order) - len(name); at >= 0 {
				shown(name, s.history.order[at])
			}
		case letters == "_i" || digits == "" && (name == "_ii" || name == "_iii"):
			if digits == "" {
				n = s.typedBefore(len(name) - 1)
			}
			if src, ok := s.history.in[n]; ok {
				need(name, "var "+name+" = "+strconv.Quote(strings.Trim(src, "\n")))
			}
		}
	}
	for _, name := range order {
		if strings.HasPrefix(name, "_i") || strings.HasPrefix(name, "__") {
			s.earlierMade = append(s.earlierMade, name)
		}
	}
	s.mu.Unlock()
	for _, name := range order {
		if err := s.hidden(decls[name]); err != nil {
			decl, _, _ := strings.Cut(decls[name], ".(")
			s.hidden(decl) // its type has no name any more
		}
		s.mu.Lock()
		s.updateInOut()
		s.mu.Unlock()
	}
}

// typedBefore is the number of the cell that was typed back cells before the running one; 0 if there is none.
func (s *Session) typedBefore(back int) int {
	var all []int
	for n := range s.history.in {
		if n < s.n {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if len(all) < back {
		return 0
	}
	return all[len(all)-back]
}

// forgetEarlier takes those variables away when the cell has ended. s.mu is held.
func (s *Session) forgetEarlier() {
	for _, name := range s.earlierMade {
		d := s.env.Lookup(name)
		if d == nil || check.CellName(d.Cell) != "session" { // a cell has defined it
			continue
		}
		values.Release(d)
		s.env.Forget(name)
	}
	s.earlierMade = nil
}

// hidden runs a cell of the session's own.
func (s *Session) hidden(src string) *Error {
	last := s.last
	defer func() { s.last = last }()
	s.mu.Lock()
	s.serial++
	number := s.serial
	cell, perr := syntax.Parse(s.eng.FileSet(), s.fileName("session"), src)
	var c *check.Checked
	var p *lower.Program
	var err error
	var ds syntax.Diagnostics
	if perr == nil {
		if c, ds = check.Check(s.env, cell); len(ds) == 0 {
			p, err = s.low.Lower(c, number)
		}
	}
	if perr == nil && err == nil && len(ds) == 0 {
		s.note(number, &source{name: "session", text: src, prog: p}, nil)
	}
	s.mu.Unlock()
	if perr != nil || err != nil || len(ds) > 0 {
		return &Error{Name: "InternalError", Value: "the session's own cell " + src}
	}
	rerr := s.perform(context.Background(), p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if unperformed(rerr) {
		return s.runError(rerr)
	}
	step, _ := s.progress.end()
	if rerr != nil {
		s.low.Undo(p)
		return &Error{Name: "InternalError", Value: rerr.Error()}
	}
	s.commit(c, p, step)
	return nil
}

// typeText writes the type of a shown value as a cell would.
func typeText(v any) string { return mainPrefix.ReplaceAllString(rt.TypeName(v), "") }

var mainPrefix = lazyre.New(`\bmain\.`)

// resolve puts typed variables in place of _ where a value is read and of
// Out[n], in a cell that was read.
func (o *history) resolve(c *syntax.Cell) {
	if o.last == 0 {
		return
	}
	r := resolver{o, c}
	for _, s := range c.Stmts {
		r.walk(reflect.ValueOf(s))
	}
	for i := range c.Show {
		r.walk(reflect.ValueOf(&c.Show[i]).Elem())
	}
}

type resolver struct {
	o    *history
	cell *syntax.Cell
}

var astExpr = reflect.TypeFor[ast.Expr]()

func (r resolver) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Type() == astExpr && v.CanSet() {
			switch e := v.Interface().(type) {
			case *ast.Ident:
				if e.Name == "_" && r.o.vals[r.o.last] != nil { // Out may have forgotten it
					e.Name = "_" + strconv.Itoa(r.o.last)
				}
				return
			case *ast.IndexExpr:
				if name := outName(e); name != "" {
					if k, err := strconv.Atoi(name[1:]); err == nil && r.o.vals[k] != nil {
						v.Set(reflect.ValueOf(&ast.Ident{NamePos: e.Pos(), Name: name}))
						return
					}
				}
			}
		}
		r.walk(v.Elem())
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs { // what is assigned to stays
				if _, ok := l.(*ast.Ident); !ok {
					r.walk(reflect.ValueOf(&n.Lhs[i]).Elem())
				}
			}
			for i := range n.Rhs {
				r.walk(reflect.ValueOf(&n.Rhs[i]).Elem())
			}
			return
		case *ast.RangeStmt:
			r.walk(reflect.ValueOf(&n.X).Elem())
			r.walk(reflect.ValueOf(n.Body))
			return
		case *ast.KeyValueExpr:
			r.walk(reflect.ValueOf(&n.Value).Elem())
			return
		case *ast.CallExpr:
			for i := range r.cell.Keywords[n] {
				r.walk(reflect.ValueOf(&r.cell.Keywords[n][i].Value).Elem())
			}
		case *ast.SelectorExpr:
			r.walk(reflect.ValueOf(&n.X).Elem())
			return
		case *ast.ValueSpec:
			for i := range n.Values {
				r.walk(reflect.ValueOf(&n.Values[i]).Elem())
			}
			return
		//lint:ignore SA1019 trees that go/parser made may hold them
		case *ast.Field, *ast.Ident, *ast.Object, *ast.Scope, *ast.CommClause:
			return
		}
		r.walk(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			r.walk(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i))
		}
	}
}
