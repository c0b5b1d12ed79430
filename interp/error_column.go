package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strings"

	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
	"gotorch/tensor"
)

// Note: where in a line. The engine notes the statement that runs and, for each call of host code, the position of the
// call: an error of an operator is at the call that was noted last. What else failed in the statement is found from
// its text: an error of an index can only come from an index. Where several places could have failed, the values
// decide: of the session's names, which are as they were, and of the names of the function that failed, if the engine
// still has them. Where they do not, there is no column. The same values provide the numbers in the message.

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
		calls := callsOf(cell, src, line, from, err.Op)
		if len(calls) == 1 {
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
	text, _, _ := strings.Cut(strings.TrimSuffix(e.Value, inGoroutine), " [") // which index it was
	find := faultFinders[text]
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
	known := &evaluator{s: s, local: localNames(cell), now: now && len(s.eng.Goroutines()) == 0,
		begins: token.Pos(cell.File.Base()), src: src, raised: from.raised}
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
					f.say = fmt.Sprintf("assignment to entry in nil map: %s = %s{} makes one", id.Name,
						values.TypeText(v.s.env.Lookup(id.Name)))
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
				return fault{at: n.Fun.Pos(), sure: true,
					say: fmt.Sprintf("%s is nil: there is no function to call (a nil pointer dereference)", v.text(n.Fun))}
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
