package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"gotorch/interp/syntax"
)

// operand is what stands before a place in the text.
type operand struct {
	env    *Env
	object types.Object // where it is a name: of a package, a type, …
	typ    types.Type   // of a value, or the type itself
	isType bool
	in     *types.Package // whose unexported names can be seen
	call   *callee
}

// infer types the operand that ends at offset end of src. What follows is cut
// off and what is open is closed; what is wrong elsewhere does not matter.
func infer(e *Env, src string, end int) (o *operand) {
	readings(src[:end], []ending{{"", ""}, {" {}", ""}, {":\n}", ""}, {"; _ {}", ""}, {"()", ""}, {"", "()"}},
		func(cell *syntax.Cell) bool {
			u := newUnit(e, cell)
			o = u.inferAt(u.at + token.Pos(end))
			return o != nil
		})
	return o
}

func (u *unit) inferAt(end token.Pos) (o *operand) {
	u.survey()
	u.problems = nil
	restore := u.giveWay()
	defer restore()
	u.assemble()
	if u.env.cfg.Bare != "" {
		u.tensor, _ = u.Import(u.env.cfg.Bare)
	}
	u.res = newResolver(u)
	u.rounds(false)
	r := u.res
	var best ast.Expr
	consider := func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr,
			*ast.ParenExpr,
			*ast.CompositeLit, *ast.BasicLit, *ast.TypeAssertExpr, *ast.FuncLit, *ast.ArrayType, *ast.MapType:
			s, ok := r.origin[x]
			if !ok {
				s = r.spans[x] // not of the nodes that stand around a cell
			}
			if s.hi == end && (best == nil || s.lo <= r.spanOf(best).lo) &&
				(best == nil || s.lo < r.spanOf(best).lo || r.known[x.(ast.Expr)] != nil) {
				best = x.(ast.Expr)
			}
		}
		return true
	}
	for _, d := range u.file.Decls[u.firstDecl():] {
		ast.Inspect(d, consider)
	}
	if best == nil {
		return nil
	}
	o = &operand{env: u.env, in: u.pkg}
	switch x := best.(type) {
	case *ast.Ident:
		o.object = u.info.ObjectOf(x)
	case *ast.SelectorExpr:
		o.object = u.info.ObjectOf(x.Sel)
	}
	o.call = r.callee(&ast.CallExpr{Fun: best})
	if t := r.known[best]; t != nil {
		o.typ = t
		return o
	}
	if tv, ok := u.info.Types[best]; ok && tv.Type != nil && tv.Type != types.Typ[types.Invalid] {
		o.typ, o.isType = tv.Type, tv.IsType()
	} else if o.object != nil {
		o.typ = o.object.Type()
	} else if t := r.typ(best); t != nil {
		o.typ = t
	}
	if o.typ == nil && o.object == nil {
		return nil
	}
	return o
}

// closers closes the brackets that are open at the end of a text; the
// outermost brace of a case has been closed already where inCase is set.
func closers(text string, inCase bool) string {
	var open []byte
	fset := token.NewFileSet()
	for _, t := range syntax.Brackets(fset, text) {
		switch t {
		case '(', '[', '{':
			open = append(open, t)
		default:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	if inCase && len(open) > 0 && open[len(open)-1] == '{' {
		open = open[:len(open)-1]
	}
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		b.WriteByte(map[byte]byte{'(': ')', '[': ']', '{': '}'}[open[i]])
	}
	return b.String()
}

// members are the candidates behind the dot.
func (o *operand) members() (list []Candidate) {
	if pn, ok := o.object.(*types.PkgName); ok {
		return o.env.exported(pn.Imported())
	}
	for _, m := range o.objects() {
		list = append(list, candidate(m))
	}
	return list
}

// objects are the fields and methods of a value that can be addressed, or the
// methods of a type, those of embedded fields included. (types.NewMethodSet
// takes half a millisecond for a tensor.)
func (o *operand) objects() (list []types.Object) {
	seen := map[string]bool{}
	add := func(m types.Object, level map[string]bool) {
		if (m.Exported() || m.Pkg() == o.in) && !seen[m.Name()] {
			level[m.Name()] = true
			list = append(list, m)
		}
	}
	here := []types.Type{o.typ}
	for depth := 0; len(here) > 0 && depth < 8; depth++ {
		var next []types.Type
		level := map[string]bool{}
		for _, t := range here {
			if t == nil {
				continue
			}
			t = types.Unalias(t)
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if n, ok := t.(*types.Named); ok {
				for m := range n.Methods() {
					add(m, level)
				}
			}
			switch u := t.Underlying().(type) {
			case *types.Interface:
				for m := range u.Methods() {
					add(m, level)
				}
			case *types.Struct:
				for f := range u.Fields() {
					if !o.isType {
						add(f, level)
					}
					if f.Embedded() {
						next = append(next, f.Type())
					}
				}
			}
		}
		for n := range level {
			seen[n] = true
		}
		here = next
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list
}
