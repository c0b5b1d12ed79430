package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/syntax"
)

// In, Out and _ are what cells may call what was typed and shown: In[2] is a
// cell's text, Out[2] what it showed, _ what was shown last, _2 what cell 2
// showed. They cost nothing until a cell names them: then variables are made,
// by a cell that the user does not see.

// outs are the values that were shown.
type outs struct {
	vals  map[int]any
	order []int
	in    map[int]string
	last  int

	failed map[int]bool // cells that ended with an error
	behind bool         // the variables are behind: see bring
}

// keep notes what a cell showed; from is the number of the first text that it gave to the engine. A cell that shows
// several values is kept as its last.
func (s *Session) keep(n, from int, src string, vals []Value, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetEarlier()
	o := &s.outs
	if o.vals == nil {
		o.vals, o.in, o.failed = map[int]any{}, map[int]string{}, map[int]bool{}
	}
	s.keepText(n, from, src)
	if failed {
		o.failed[n] = true
	}
	if len(vals) == 0 || vals[len(vals)-1].V == nil {
		s.bring()
		return
	}
	o.vals[n], o.last = vals[len(vals)-1].V, n
	o.order = append(o.order, n)
	s.bring()
}

// bring forgets what is too old and brings In and Out up to date; where the cell has not left, because it was stopped
// inside compiled code and may still use them, the next cell does.
func (s *Session) bring() {
	if s.outs.behind = !s.eng.Idle(); !s.outs.behind {
		s.trim()
		s.poke()
	}
}

// trim forgets the values beyond those that Out keeps.
func (s *Session) trim() {
	o := &s.outs
	for len(o.order) > s.opts.Keep {
		old := o.order[0]
		o.order = o.order[1:]
		delete(o.vals, old)
		if d := s.env.Lookup("_" + strconv.Itoa(old)); d != nil {
			if sym, ok := d.Engine.(*lower.Symbol); ok && sym.Slot != nil {
				reflect.ValueOf(sym.Slot).Elem().SetZero()
			}
			s.env.Forget(d.Name)
		}
	}
}

// poke brings the variables In and Out up to date, if there are such. The maps are new ones: a goroutine of a cell may
// be reading the old.
func (s *Session) poke() {
	if p, ok := s.slot("Out").(*map[int]any); ok {
		*p = maps.Collect(maps.All(s.outs.vals))
	}
	if p, ok := s.slot("In").(*map[int]string); ok {
		*p = maps.Collect(maps.All(s.outs.in)) // not nil, as a clone may be
	}
}

// slot is a pointer to a variable, or nil.
func (s *Session) slot(name string) any {
	d := s.env.Lookup(name)
	if d == nil || d.Kind != check.Var {
		return nil
	}
	sym, ok := d.Engine.(*lower.Symbol)
	if !ok {
		return nil
	}
	return sym.Slot
}

// prelude makes the variables that a text needs.
func (s *Session) prelude(src string) *Error {
	s.mu.Lock()
	want := map[string]string{} // name → declaration
	var wanted []string
	need := func(name, decl string) {
		if s.env.Lookup(name) == nil && want[name] == "" {
			want[name] = decl
			wanted = append(wanted, name)
		}
	}
	if s.outs.mentions(src, "In") {
		need("In", "var In map[int]string")
	}
	numbers := s.outs.numbers(src)
	if s.outs.mentions(src, "Out") || len(numbers) > 0 {
		need("Out", "var Out map[int]any")
	}
	for _, n := range numbers {
		if v, ok := s.outs.vals[n]; ok {
			name := "_" + strconv.Itoa(n)
			need(name, fmt.Sprintf("var %s = Out[%d].(%s)", name, n, s.typeText(v)))
		}
	}
	s.earlier(src, func(name, decl string) {
		if strings.Contains(decl, "Out[") {
			need("Out", "var Out map[int]any")
		}
		if need(name, decl); want[name] != "" {
			s.earlierMade = append(s.earlierMade, name)
		}
	})
	s.mu.Unlock()
	for _, name := range wanted {
		if err := s.hidden(want[name]); err != nil {
			decl, _, _ := strings.Cut(want[name], ".(")
			s.hidden(decl) // its type has no name any more
		}
		s.mu.Lock()
		s.poke()
		s.mu.Unlock()
	}
	return nil
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
		s.note(number, &source{name: "session", text: src, prog: p})
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
	step, _ := s.going.end()
	if rerr != nil {
		s.low.Undo(p)
		return &Error{Name: "InternalError", Value: rerr.Error()}
	}
	s.commit(c, p, step)
	return nil
}

// typeText writes the type of a shown value as a cell would.
func (s *Session) typeText(v any) string {
	text := rt.TypeName(v)
	return mainPrefix.ReplaceAllString(text, "")
}

var mainPrefix = lazyre.New(`\bmain\.`)

var outWord = lazyre.New(`\b(In|Out)\b`)

func (o *outs) mentions(src, name string) bool {
	for _, m := range outWord.FindAllString(src, -1) {
		if m == name {
			return true
		}
	}
	return false
}

var outUse = lazyre.New(`\bOut\[(\d+)\]|(^|[^\w.])_(\d*)\b`)

// numbers are the cells whose values a text may name.
func (o *outs) numbers(src string) []int {
	if o.last == 0 {
		return nil
	}
	var ns []int
	for _, m := range outUse.FindAllStringSubmatch(src, -1) {
		text := m[1]
		if text == "" {
			text = m[3]
		}
		if text == "" {
			ns = append(ns, o.last)
			continue
		}
		if n, err := strconv.Atoi(text); err == nil {
			ns = append(ns, n)
		}
	}
	return ns
}

// resolve puts typed variables in place of _ where a value is read and of
// Out[n], in a cell that was read.
func (o *outs) resolve(c *syntax.Cell) {
	if o.last == 0 {
		return
	}
	r := resolver{o}
	for _, s := range c.Stmts {
		r.walk(reflect.ValueOf(s))
	}
	for i := range c.Show {
		r.walk(reflect.ValueOf(&c.Show[i]).Elem())
	}
}

type resolver struct{ o *outs }

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
				x, ok1 := e.X.(*ast.Ident)
				n, ok2 := e.Index.(*ast.BasicLit)
				if ok1 && ok2 && x.Name == "Out" && n.Kind == token.INT {
					if k, err := strconv.Atoi(n.Value); err == nil && r.o.vals[k] != nil {
						v.Set(reflect.ValueOf(&ast.Ident{NamePos: e.Pos(), Name: "_" + n.Value}))
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
