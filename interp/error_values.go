package interp

import (
	"go/ast"
	"go/constant"
	"go/token"
	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/syntax"
	"gotorch/interp/yaegi"
	"reflect"
	"slices"
	"strconv"
)

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

// evaluator finds the values of the expressions of a cell that failed. Nothing is run for that.
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

// holds reports whether a position of the engine is in this source.
func (s *source) holds(pos token.Pos) bool {
	return s.base.IsValid() && pos > s.base && pos <= s.base+token.Pos(len(s.text))
}

// held is the value of a local variable, from the frame that the panic left behind.
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

// of is the value of an expression of names, fields, indices and literals.
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

// isPackage reports whether a name is that of a package.
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
