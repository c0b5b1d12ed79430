package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
)

// Note: where in a line. The engine notes the statement that runs. What in it failed is found afterwards, from the
// text: an error of an index can only come from an index. Where several places could have failed, the values decide:
// of the session's names, which are as they were, and of the names of the function that failed, as far as the engine
// still has them. Where they do not, no column is given. The same values give the numbers.

// fault is a place in a statement that may have failed in the way that a statement did.
type fault struct {
	at   token.Pos
	say  string // with the numbers, "" where they are not known
	sure bool   // the values say that it fails
	not  bool   // the values say that it does not
}

// pinpoint finds the column of an error that a run ended with, and the numbers of what failed.
func (s *Session) pinpoint(e *Error) {
	from, _ := e.Origin.(origin)
	number, line := lower.Decode(from.code)
	if from.raised != nil {
		defer from.raised.Forget()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	src := s.cells[number]
	if src == nil || e.Line == 0 || e.Line != line {
		return
	}
	cell, _ := syntax.Parse(token.NewFileSet(), "cell", src.text)
	if cell == nil {
		return
	}
	var at token.Pos
	if err, ok := e.Panic.(*tensor.Error); ok {
		if calls := callsOf(cell, src.text, line, lower.Column(from.code), err.Op); len(calls) == 1 {
			at = calls[0].at
		}
	} else if f, ok := s.faultOf(cell, src, lower.Column(from.code), e, number == s.serial); ok {
		at = f.at
		if f.say != "" {
			if strings.HasSuffix(e.Value, inGoroutine) {
				f.say += inGoroutine
			}
			e.Value = f.say
		}
	}
	if !at.IsValid() {
		return
	}
	p := cell.Fset.Position(at)
	if lines := strings.Split(src.text, "\n"); p.Line >= 1 && p.Line <= len(lines) {
		e.Line, e.Col, e.Source = p.Line, p.Column, lines[p.Line-1]
	}
}

// faultOf is the one place in the statement that can have failed so; values are looked at where the statement is of
// the cell that ran.
func (s *Session) faultOf(cell *syntax.Cell, src *source, col int, e *Error, now bool) (fault, bool) {
	find := faultFinders[strings.TrimSuffix(e.Value, inGoroutine)]
	if _, ok := e.Panic.(rt.AssertionError); ok {
		find = func(_ *evaluator, n ast.Node) (f fault) {
			if x, ok := n.(*ast.TypeAssertExpr); ok {
				f.at = x.Lparen
			}
			return f
		}
	}
	if find == nil {
		return fault{}, false
	}
	from, _ := e.Origin.(origin)
	known := &evaluator{s: s, local: localNames(cell), now: now && len(s.eng.Goroutines()) == 0, begins: token.Pos(cell.File.Base()), src: src, raised: from.raised}
	var sure, may []fault
	for _, st := range statementsOf(cell, e.Line, col) {
		for _, n := range st.nodes {
			switch f := find(known, n); {
			case !f.at.IsValid() || f.not:
			case f.sure:
				sure = append(sure, f)
			default:
				may = append(may, f)
			}
		}
	}
	switch {
	case len(may) == 0 && len(sure) > 0: // the first that fails is the one that did
		return sure[0], true
	case len(may) == 1 && len(sure) == 0:
		return may[0], true
	}
	return fault{}, false
}

// faultFinders are the places where an error may come from, by its text.
var faultFinders = map[string]func(v *evaluator, n ast.Node) fault{
	"runtime error: index out of range": func(v *evaluator, n ast.Node) (f fault) {
		x, ok := n.(*ast.IndexExpr)
		if !ok {
			return f
		}
		f.at = x.Index.Pos()
		list, ok := v.list(x.X)
		if !ok {
			return f
		}
		if list.Kind() == reflect.Map || list.Kind() == reflect.Func || list.Kind() == reflect.Pointer {
			return fault{not: true, at: f.at}
		}
		i, ok := v.number(x.Index)
		if !ok {
			f.say = fmt.Sprintf("index out of range: the %s has length %d", kindWord(list), list.Len())
			return f
		}
		f.sure = i < 0 || i >= list.Len()
		f.not = !f.sure
		f.say = fmt.Sprintf("index %d is out of range: the %s has length %d", i, kindWord(list), list.Len())
		return f
	},
	"runtime error: slice bounds out of range": func(v *evaluator, n ast.Node) (f fault) {
		x, ok := n.(*ast.SliceExpr)
		if !ok {
			return f
		}
		f.at = x.Lbrack
		list, ok := v.list(x.X)
		if !ok || list.Kind() != reflect.Slice && list.Kind() != reflect.String && list.Kind() != reflect.Array {
			return f
		}
		most, low, high := list.Len(), 0, list.Len()
		text := fmt.Sprintf("the %s has length %d", kindWord(list), list.Len())
		if list.Kind() == reflect.Slice {
			if most = list.Cap(); most != list.Len() {
				text += fmt.Sprintf(" and capacity %d", most)
			}
		}
		for _, b := range []struct {
			x  ast.Expr
			to *int
		}{{x.Low, &low}, {x.High, &high}, {x.Max, &most}} {
			if b.x == nil {
				continue
			}
			if *b.to, ok = v.number(b.x); !ok {
				return f
			}
		}
		f.sure = low < 0 || high < low || high > most
		f.not = !f.sure
		f.say = fmt.Sprintf("bounds %d:%d are out of range: %s", low, high, text)
		if high < low && low <= most {
			f.say = fmt.Sprintf("bounds %d:%d are the wrong way round", low, high)
		}
		return f
	},
	"runtime error: integer divide by zero": func(v *evaluator, n ast.Node) (f fault) {
		var y ast.Expr
		switch x := n.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.QUO || x.Op == token.REM {
				y = x.Y
			}
		case *ast.AssignStmt:
			if (x.Tok == token.QUO_ASSIGN || x.Tok == token.REM_ASSIGN) && len(x.Rhs) == 1 {
				y = x.Rhs[0]
			}
		}
		if y == nil {
			return f
		}
		f.at = y.Pos()
		if i, ok := v.number(y); ok {
			f.sure, f.not = i == 0, i != 0
		}
		return f
	},
	"assignment to entry in nil map": func(v *evaluator, n ast.Node) (f fault) {
		if x, ok := n.(*ast.IndexExpr); ok {
			f.at = x.X.Pos()
			if m, ok := v.of(x.X); ok {
				if m.Kind() != reflect.Map || !m.IsNil() {
					return fault{at: f.at, not: true}
				}
				f.sure = true
				if id, ok := x.X.(*ast.Ident); ok && v.local[id.Name] {
					f.say = fmt.Sprintf("assignment to entry in nil map: nothing has made %s", id.Name)
				} else if ok {
					f.say = fmt.Sprintf("assignment to entry in nil map: %s = %s{} makes one", id.Name, values.TypeText(v.s.env.Lookup(id.Name)))
				}
			}
		}
		return f
	},
	rt.NilError{}.Error(): func(v *evaluator, n ast.Node) (f fault) {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x = n.X
		case *ast.StarExpr:
			x = n.X
		case *ast.CallExpr:
			if p, ok := v.of(n.Fun); ok && p.Kind() == reflect.Func && p.IsNil() {
				return fault{at: n.Fun.Pos(), sure: true, say: fmt.Sprintf("%s is nil: there is no function to call (a nil pointer dereference)", v.text(n.Fun))}
			}
			return f
		default:
			return f
		}
		f.at = x.Pos()
		if id, ok := x.(*ast.Ident); ok && v.isPackage(id.Name) {
			return fault{at: f.at, not: true}
		}
		if p, ok := v.of(x); ok {
			switch p.Kind() {
			case reflect.Pointer, reflect.Interface, reflect.Invalid:
				f.sure = p.Kind() == reflect.Invalid || p.IsNil()
			}
			f.not = !f.sure
			f.say = fmt.Sprintf("%s is nil: there is nothing to look into (a nil pointer dereference)", v.text(x))
		}
		return f
	},
}

func kindWord(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return "string"
	}
	return v.Kind().String()
}

// localNames are the names that functions and blocks of a cell declare: the session's names of the same spelling are
// others.
func localNames(cell *syntax.Cell) map[string]bool {
	local := map[string]bool{}
	note := func(xs ...ast.Expr) {
		for _, x := range xs {
			if id, ok := x.(*ast.Ident); ok && id != nil {
				local[id.Name] = true
			}
		}
	}
	for _, d := range cell.Decls {
		ast.Inspect(d, func(n ast.Node) bool { return noteLocals(n, note) })
	}
	for _, st := range cell.Stmts {
		ast.Inspect(st, func(n ast.Node) bool { return n == ast.Node(st) && simple(n) || noteLocals(n, note) })
	}
	for _, x := range cell.Show {
		ast.Inspect(x, func(n ast.Node) bool { return noteLocals(n, note) })
	}
	return local
}

// simple reports whether a statement of the cell itself declares the session's names.
func simple(n ast.Node) bool {
	_, assign := n.(*ast.AssignStmt)
	return assign
}

func noteLocals(n ast.Node, note func(...ast.Expr)) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			note(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			note(n.Key, n.Value)
		}
	case *ast.Field:
		for _, id := range n.Names {
			note(id)
		}
	case *ast.BlockStmt:
		for _, st := range n.List {
			d, ok := st.(*ast.DeclStmt)
			if !ok {
				continue
			}
			for _, spec := range d.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						note(id)
					}
				}
			}
		}
	}
	return true
}

// evaluator finds what the expressions of a cell that failed were worth. Nothing is run for that.
type evaluator struct {
	s     *Session
	local map[string]bool
	now   bool // they are as they were

	src    *source
	begins token.Pos // where its text begins here
	raised *yaegi.Panic
}

// noteLocals keeps where names of functions are while these run, with the text that they stand in: that of a generic
// function may be an earlier cell's.
func (s *Session) noteLocals() {
	var src *source
	for _, l := range s.eng.Locals() {
		if src == nil || !src.holds(l.Pos) {
			src = nil
			for _, c := range s.cells {
				if c.holds(l.Pos) {
					src = c
				}
			}
		}
		if src != nil && !slices.Contains(src.locals, l) {
			src.locals = append(src.locals, l)
		}
	}
}

// holds reports whether a place in the engine's texts is in this one.
func (s *source) holds(pos token.Pos) bool {
	return s.base.IsValid() && pos > s.base && pos <= s.base+token.Pos(len(s.text))
}

// held is the value of a function's name, from the frame that the panic has left.
func (v *evaluator) held(x *ast.Ident) (out reflect.Value, ok bool) {
	if v.raised == nil {
		return out, false
	}
	pos := x.Pos() - v.begins + v.src.base
	var found *yaegi.Local
	for i, l := range v.src.locals {
		switch {
		case l.Pos != pos:
		case found == nil:
			found = &v.src.locals[i]
		case *found != l: // of several instances of a generic function, each with places of its own
			return out, false
		}
	}
	if found == nil {
		return out, false
	}
	return v.raised.Held(*found)
}

// of is the value of an expression that is made of names, fields, indices and literals.
func (v *evaluator) of(x ast.Expr) (out reflect.Value, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return v.of(x.X)
	case *ast.BasicLit:
		if x.Kind == token.INT {
			n, err := strconv.ParseInt(x.Value, 0, 64)
			return reflect.ValueOf(int(n)), err == nil
		}
		if x.Kind == token.STRING {
			text, err := strconv.Unquote(x.Value)
			return reflect.ValueOf(text), err == nil
		}
	case *ast.Ident:
		if held, ok := v.held(x); ok {
			return held, true
		}
		d := v.s.env.Lookup(x.Name)
		if !v.now || v.local[x.Name] || d == nil {
			return out, false
		}
		if d.Kind == check.Const {
			n, exact := constant.Int64Val(constant.ToInt(d.Val))
			return reflect.ValueOf(int(n)), exact
		}
		if d.Kind != check.Var {
			return out, false
		}
		sym, ok := d.Engine.(*lower.Symbol)
		if !ok || sym.Slot == nil {
			return out, false
		}
		return reflect.ValueOf(sym.Slot).Elem(), true
	case *ast.UnaryExpr:
		if n, ok := v.number(x.X); ok && x.Op == token.SUB {
			return reflect.ValueOf(-n), true
		}
	case *ast.BinaryExpr:
		a, okA := v.number(x.X)
		b, okB := v.number(x.Y)
		if !okA || !okB {
			return out, false
		}
		n, ok := map[token.Token]int{token.ADD: a + b, token.SUB: a - b, token.MUL: a * b}[x.Op]
		return reflect.ValueOf(n), ok
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "len" && len(x.Args) == 1 && v.s.env.Lookup("len") == nil {
			list, ok := v.list(x.Args[0])
			return reflect.ValueOf(list.Len()), ok
		}
	case *ast.IndexExpr:
		list, ok := v.list(x.X)
		i, okI := v.number(x.Index)
		if ok && okI {
			return list.Index(i), true
		}
	case *ast.SelectorExpr:
		from, ok := v.of(x.X)
		if !ok {
			return out, false
		}
		for from.Kind() == reflect.Pointer {
			from = from.Elem()
		}
		f := from.FieldByName(x.Sel.Name)
		if !f.IsValid() { // the interpreter exports all fields
			f = from.FieldByName("X" + x.Sel.Name)
		}
		return f, f.IsValid()
	}
	return out, false
}

// list is the value of what is indexed: a slice, an array, a string.
func (v *evaluator) list(x ast.Expr) (reflect.Value, bool) {
	list, ok := v.of(x)
	if ok && list.Kind() == reflect.Pointer && !list.IsNil() && list.Elem().Kind() == reflect.Array {
		list = list.Elem()
	}
	return list, ok && list.IsValid()
}

// number is the value of a whole number.
func (v *evaluator) number(x ast.Expr) (int, bool) {
	n, ok := v.of(x)
	switch {
	case !ok:
	case n.CanInt():
		return int(n.Int()), true
	case n.CanUint():
		return int(n.Uint()), true
	}
	return 0, false
}

// isPackage reports whether a name stands for a package.
func (v *evaluator) isPackage(name string) bool {
	if v.local[name] || v.s.env.Lookup(name) != nil {
		return false
	}
	d, ok := check.Describe(v.s.env, name, len(name))
	return ok && d.Kind == "package"
}

// text is an expression as it is written in Go.
func (v *evaluator) text(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return v.text(x.X) + "." + x.Sel.Name
	case *ast.IndexExpr:
		return v.text(x.X) + "[…]"
	case *ast.ParenExpr:
		return v.text(x.X)
	case *ast.StarExpr:
		return "*" + v.text(x.X)
	}
	return "it"
}
